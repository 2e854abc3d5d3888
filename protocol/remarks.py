"""What an engine writes to standard error: the end of it, and what is new in it."""

import contextlib
import logging
import os
import select
import threading
import time
import unicodedata
from typing import IO

log = logging.getLogger(__name__)

KEPT = 1 << 16  # bytes
LONGEST = 2_000  # characters of a remark
PATIENCE = 0.1  # seconds for what lies in the pipe to be read


class Remarks:
    """The standard error of a process; `read` is for a thread of its own."""

    def __init__(self, stream: IO[bytes], file: str = "") -> None:
        """All that is read is appended to `file`, if that is named and can be."""
        self._stream = stream
        self._file = file
        self._end = b""
        self._fresh = 0  # bytes since `news`, of which not all need be kept
        self._is_over = False
        self._lock = threading.Lock()  # what is not in the pipe is in `_end`
        self._poll = select.poll()  # for `news`; two threads cannot share one
        self._poll.register(stream, select.POLLIN)

    @property
    def end(self) -> str:
        """The last of all."""
        return self._end.decode("utf-8", "backslashreplace")

    def read(self) -> None:
        """Read to the end of it."""
        poll = select.poll()
        poll.register(self._stream, select.POLLIN)
        with contextlib.ExitStack() as files:
            files.enter_context(self._stream)
            copy = None
            if self._file:
                try:
                    copy = files.enter_context(open(self._file, "ab", 0))
                except OSError as error:
                    log.warning("stderr=%s: %s", self._file, error.strerror)
            while not self._is_over:
                poll.poll()
                with self._lock:
                    data = os.read(self._stream.fileno(), 1 << 16)
                    self._end = (self._end + data)[-KEPT:]
                    self._fresh += len(data)
                    self._is_over = not data
                if copy:
                    with contextlib.suppress(OSError):
                        copy.write(data)

    def news(self) -> str:
        """What has been written since this was asked last, made fit to be shown.

        It has at most 2,000 characters, the last ones after an ellipsis.
        """
        limit = time.monotonic() + PATIENCE
        while self._has_more() and time.monotonic() < limit:
            time.sleep(0.001)
        with self._lock:
            fresh, self._fresh = self._fresh, 0
            data = self._end[max(len(self._end) - fresh, 0) :]
        text = fit(data)
        if fresh > len(data) or len(text) > LONGEST:
            return f"…{text[1 - LONGEST :]}"
        return text

    def _has_more(self) -> bool:
        with self._lock:
            return not self._is_over and bool(self._poll.poll(0))


def fit(data: bytes) -> str:
    r"""Text without control characters but the line feed.

    >>> fit(b"\x1b[1mdepth\t3\r\nvalue \xff\n")
    '[1mdepth 3\nvalue \\xff'
    """
    text = data.decode("utf-8", "backslashreplace").replace("\t", " ")
    kept = (c for c in text if c == "\n" or unicodedata.category(c) != "Cc")
    return "".join(kept).strip()
