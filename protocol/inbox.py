"""Input read ahead: lines waiting to be answered, and when a search must stop.

Bytes are fed by one thread while another takes lines. spec/protocol.md §2 and §6.
"""

import os
import re
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

LONGEST_LINE = 1 << 18  # bytes; what is longer is cut off and refused
READ_AHEAD = 100_000  # lines; then the reading waits
READ_AHEAD_SIZE = 1 << 26  # characters of all of them; then it waits as well
KEPT_OF_LONG = 100  # characters of a line that is too long, for its id

BLANKS = bytes(range(0x21)) + b"\x7f"  # at the front of a line they say nothing
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
QUIT = re.compile(r"([0-9]+ +)?quit")
INTERRUPT = "# interrupt"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of input without its comment and control characters."""

    number: int
    text: str
    is_too_long: bool = False


class Inbox:
    """The lines of one connection.

    `feed` and `close` are for the reading thread, everything else for the one that
    answers.
    """

    def __init__(self) -> None:
        self._lines: deque[Line | None] = deque()
        self._size = 0  # characters of all these
        self._changed = threading.Condition()
        self._rest = b""
        self._is_too_long = False
        self._count = 0
        self._current = 0
        self._interrupted = 0  # searches of lines up to this number are to stop
        self._has_quit = False
        self._has_ended = False

    def feed(self, data: bytes) -> None:
        """Take in some more input."""
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._accept(self._rest + line)
            self._rest = b""
        self._rest = (self._rest + rest).lstrip(BLANKS)
        if len(self._rest) > LONGEST_LINE:
            self._rest = self._rest[:LONGEST_LINE]
            self._is_too_long = True

    def close(self) -> None:
        """There is no more input. A last line need not have ended."""
        if self._rest:
            self._accept(self._rest)
        self._has_ended = True
        self._put(None)

    def take(self) -> Line | None:
        """The next line with anything in it, None at the end; waits for either."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines)
            line = self._lines.popleft()
            if line:
                self._size -= len(line.text)
                self._current = line.number
            self._changed.notify_all()
        return line

    def is_interrupted(self) -> bool:
        """Whether `# interrupt` came after the line taken last."""
        return self._current <= self._interrupted

    def is_unattended(self) -> bool:
        """Whether input ended without `quit`: nobody waits for a good answer."""
        return self._has_ended and not self._has_quit

    def _accept(self, data: bytes) -> None:
        data = data.lstrip(BLANKS)
        is_too_long = self._is_too_long or len(data) > LONGEST_LINE
        self._is_too_long = False
        text = data[:LONGEST_LINE].decode("utf-8", "replace")
        if self._count == 0:
            text = text.removeprefix("\ufeff")
        if text.strip() == INTERRUPT:
            self._interrupted = self._count
            return
        text = CONTROL.sub("", text.partition("#")[0]).replace("\t", " ").strip(" ")
        if not text:
            return
        if is_too_long:
            text = text[:KEPT_OF_LONG]
        self._count += 1
        self._has_quit |= bool(QUIT.fullmatch(text)) and not is_too_long
        self._put(Line(self._count, text, is_too_long))

    def _put(self, line: Line | None) -> None:
        """Let it be taken, and wait while too much waits for that."""
        with self._changed:
            self._lines.append(line)
            self._size += len(line.text) if line else 0
            self._changed.notify_all()
            if line:
                self._changed.wait_for(self._has_room)

    def _has_room(self) -> bool:
        return len(self._lines) < READ_AHEAD and self._size < READ_AHEAD_SIZE


def read_into(inbox: Inbox, read: Callable[[], bytes]) -> threading.Thread:
    """Feed `inbox` from a thread of its own until `read` returns nothing or fails.

    The thread does not keep the process alive.
    """

    def run() -> None:
        try:
            while data := read():
                inbox.feed(data)
        except OSError:
            pass
        finally:
            inbox.close()

    thread = threading.Thread(target=run, name="reader", daemon=True)
    thread.start()
    return thread


def standard_input() -> bytes:
    """Whatever can be read from standard input, past any buffer of Python's."""
    return os.read(0, 1 << 16)
