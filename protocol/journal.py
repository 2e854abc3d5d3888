"""The folder of a match, of which nothing is lost. spec/matches.md §12.

manifest.json   the plan; its SHA-256 is the id of the run
games.jsonl     a line for each finished game, with a checksum: the truth
abnormal/ID/    what was said in games that ended oddly
logs/           what was said in others, and engines' standard error, if asked for
lock            held while a match is running
stop            wish of another process that the match stop
"""

import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from protocol.lines import BadLine, Record, line_of, record_of, summary_of
from protocol.plan import BadPlan, Plan
from protocol.processes import lock_file

MANIFEST, GAMES, LOCK, STOP = "manifest.json", "games.jsonl", "lock", "stop"
ABNORMAL, LOGS = "abnormal", "logs"  # folders
NAME = re.compile(r"[^/\\\0]{1,100}")

log = logging.getLogger(__name__)


class BadJournal(ValueError):
    """Something in the folder is not as it was written; the message says where."""


class Busy(Exception):
    """Another process is running this match."""


class Journal:
    """One such folder, to read. `Journal.begin` and `Journal.resume` may write."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Raises BadJournal if it holds no match."""
        self.folder = Path(folder)
        self._lock = self._games = -1
        try:
            manifest = (self.folder / MANIFEST).read_bytes()
        except OSError:
            raise BadJournal(f"{folder} holds no match") from None
        try:
            self.plan = Plan.read(manifest)
        except BadPlan as error:
            raise BadJournal(f"{folder}: {error}") from None
        if self.plan.manifest != manifest:
            raise BadJournal(f"{folder}: the manifest is not as it was written")
        self.run = self.plan.run

    @classmethod
    def begin(cls, folder: str | os.PathLike[str], plan: Plan) -> Self:
        """Lock the folder and write the manifest, or go on where it is there.

        Another match of which no game is finished gives way. Raises BadJournal, with
        nothing changed, if the folder holds more than that, and Busy.
        """
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        # Whoever begins a match locks the folder before anything else is in it.
        if strangers(path) and not any((path / n).exists() for n in (LOCK, MANIFEST)):
            raise BadJournal(f"{folder} is not empty, and holds no match")
        with locking(path) as lock:
            if not (path / MANIFEST).exists():
                if strangers(path):
                    raise BadJournal(f"{folder} is not empty, and holds no match")
                put(path / MANIFEST, plan.manifest)
            journal = cls(folder)
            if journal.plan.manifest != plan.manifest:
                if whole_lines(path / GAMES):
                    found = journal.plan.differences(plan)
                    verb = "differs" if len(found) == 1 else "differ"
                    raise BadJournal(
                        f"{folder} holds another match: {', '.join(found)} {verb}"
                    )
                put(path / MANIFEST, plan.manifest)
                journal = cls(folder)
            return journal._go_on(lock)

    @classmethod
    def resume(cls, folder: str | os.PathLike[str]) -> Self:
        """Lock the folder and go on; raises BadJournal and Busy."""
        cls(folder)  # no lock where there is no match
        with locking(Path(folder)) as lock:
            return cls(folder)._go_on(lock)

    def _go_on(self, lock: int) -> Self:
        """Cut a last line that was not finished, and be ready to write."""
        (self.folder / STOP).unlink(missing_ok=True)
        for left in self.folder.glob(f".{MANIFEST}.*"):
            left.unlink(missing_ok=True)
        path = self.folder / GAMES
        self._games = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.ftruncate(self._games, whole_lines(path))
            sync_folder(self.folder)
        except BaseException:
            self.close()
            raise
        self._lock = lock
        return self

    def close(self) -> None:
        for descriptor in (self._games, self._lock):
            if descriptor >= 0:
                os.close(descriptor)
        self._lock = self._games = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def append(self, record: Mapping[str, Any]) -> None:
        """The record is on the disk when this returns.

        Where it raises, nothing of the record is left: the file ends as it did, or no
        more is written to it.
        """
        data = line_of(record)
        length = os.fstat(self._games).st_size
        try:
            while data:
                data = data[os.write(self._games, data) :]
            os.fsync(self._games)
        except BaseException:
            try:
                os.ftruncate(self._games, length)
            except OSError:
                os.close(self._games)  # nothing may come after half a line
                self._games = -1
            raise

    def records(self) -> Iterator[Record]:
        """All games in the order in which they ended; raises BadJournal.

        An unfinished last line, of a match that is running or was killed, does not
        count.
        """
        return self._read(record_of)

    def summaries(self) -> Iterator[Record]:
        """The same with turns only counted, for standings; see protocol.lines."""
        return self._read(summary_of)

    def _read(self, read: Callable[[bytes], Record]) -> Iterator[Record]:
        path = self.folder / GAMES
        if not path.exists():
            return
        with open(path, "rb", buffering=1 << 18) as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    record = read(line)
                except BadLine as error:
                    raise BadJournal(f"{GAMES} line {number}: {error}") from None
                if record.get("run") != self.run:
                    raise BadJournal(f"{GAMES} line {number} is of another match")
                yield record

    def keep(
        self, name: str, evidence: Mapping[str, str], under: str = ABNORMAL
    ) -> None:
        """Write down what was said in a game; where that fails it is only logged."""
        folder = self.folder / under / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for file, text in evidence.items():
                if NAME.fullmatch(file):
                    (folder / file).write_text(text, "utf-8", "backslashreplace")
        except OSError as error:
            log.warning("what was said in game %s is not kept: %s", name, error)

    @property
    def ends_whole(self) -> bool:
        """Whether the last line is a whole one."""
        path = self.folder / GAMES
        return not path.exists() or whole_lines(path) == path.stat().st_size

    # Wishes from elsewhere.

    def ask_to_stop(self, now: bool = False) -> None:
        put(self.folder / STOP, b"now\n" if now else b"finish\n")

    @property
    def stop_wish(self) -> str:
        """`finish` the running games, or stop `now`; empty if nobody asked."""
        try:
            return (self.folder / STOP).read_text().strip()
        except OSError:
            return ""

    @property
    def is_running(self) -> bool:
        """Whether a process holds the lock."""
        try:
            descriptor = os.open(self.folder / LOCK, os.O_RDWR)
        except OSError:
            return False
        try:
            return not lock_file(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def locking(folder: Path) -> Iterator[int]:
    """The lock of a folder, to be closed by whoever has it, and here after errors.

    Raises Busy.
    """
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        # Others lock it for a moment to see whether the match is running.
        for _ in range(5):
            if lock_file(lock):
                break
            time.sleep(0.05)
        else:
            raise Busy(f"{folder}: another process is running this match")
        yield lock
    except BaseException:
        os.close(lock)
        raise


def strangers(folder: Path) -> list[str]:
    """What is in a folder that no match was ever in."""
    own = f".{MANIFEST}."
    names = os.listdir(folder)
    return [name for name in names if name != LOCK and not name.startswith(own)]


def whole_lines(path: Path) -> int:
    """How many bytes at the beginning are whole lines; 0 if there is no file."""
    if not path.exists():
        return 0
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        at = end
        while at > 0:
            start = max(at - (1 << 16), 0)
            file.seek(start)
            found = file.read(at - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            at = start
    return 0


def put(path: Path, data: bytes) -> None:
    """Write a file that is there as a whole or not at all, whoever else does so."""
    beginning = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        with open(beginning, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beginning, path)
    except BaseException:
        beginning.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
