"""Engine processes, none of which outlives the program that started them.

All that needs POSIX in matches is here: process groups, signals, processors, locks,
/proc.

Each engine leads a session and process group of its own. A guard, one process more,
holds the reading end of a pipe whose other end closes when this program ends, however
it ends; then the guard kills all groups that it was told of. Every engine also
carries a mark in its environment, by which `sweep` finds what left its group. This
file, run as a script, is the guard.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

MARK = "CROSSCUT_RUN"  # environment variable: run, a slash, a word for each Guard


class Guard:
    """Starts processes and sees to their end. Threads may share one.

    `run` names what the processes belong to; it contains no slash.
    """

    def __init__(self, run: str = "") -> None:
        if os.name != "posix":
            raise NotImplementedError("matches need a POSIX system")
        self.mark = f"{run}/{secrets.token_hex(8)}"
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._is_closed = False
        self._process = self._post()
        self._attendant = threading.Thread(target=self._attend, daemon=True)
        self._attendant.start()

    @property
    def pid(self) -> int:
        """The guarding process."""
        return self._process.pid

    def start(
        self, command: Sequence[str], directory: str, environment: Mapping[str, str]
    ) -> "subprocess.Popen[bytes]":
        """Start `command` with three pipes; raises OSError if that is impossible."""
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=directory or None,
            env={**os.environ, **environment, MARK: self.mark},
            start_new_session=True,
        )
        with self._lock:
            self._groups.add(process.pid)
            self._tell(f"+{process.pid}")
        return process

    def release(self, pid: int) -> None:
        """The group of `pid` is gone, and its number may come to mean another."""
        with self._lock:
            self._groups.discard(pid)
            self._tell(f"-{pid}")

    def close(self) -> None:
        """Kill what is left, also what left its group."""
        with self._lock:
            self._is_closed = True
            self._dismiss()

    def _post(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-I", "-S", os.path.abspath(__file__), self.mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            env={k: v for k, v in os.environ.items() if k != MARK},
            start_new_session=True,
        )

    def _tell(self, line: str) -> None:
        if self._is_closed:
            return
        assert self._process.stdin
        try:
            self._process.stdin.write(f"{line}\n".encode())
        except OSError:  # somebody has killed the guard
            self._replace()

    def _attend(self) -> None:
        """See that there is a guard until the end."""
        while True:
            process = self._process
            process.wait()
            with self._lock:
                if self._is_closed:
                    return
                if process is self._process:
                    self._replace()

    def _replace(self) -> None:
        self._dismiss()
        self._process = self._post()
        assert self._process.stdin
        lines = "".join(f"+{pid}\n" for pid in self._groups)
        self._process.stdin.write(lines.encode())

    def _dismiss(self) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait()


def terminate_group(pid: int) -> None:
    """Ask every process of the group to end, if there is any."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGTERM)


def kill_group(pid: int) -> None:
    """End every process of the group, if there is any."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def ended(status: int | None) -> str:
    """How a process ended, in words.

    >>> ended(3), ended(-9)
    ('ended with status 3', 'was killed by SIGKILL')
    """
    if status is None or status >= 0:
        return f"ended with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


def processors() -> list[int]:
    """Those that we may use, as far as the system tells."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    return sorted(os.sched_getaffinity(0))


def shares(slots: int, cpus: Sequence[int]) -> list[list[int]]:
    """As equal a part of the processors for each slot; none if there are too few.

    A slot alone keeps to none in particular.

    >>> shares(2, [0, 1, 2, 3, 5]), shares(1, [0, 1]), shares(3, [0, 1])
    ([[0, 1], [2, 3, 5]], [], [])
    """
    count = len(cpus)
    if not 1 < slots <= count:
        return []
    bounds = [number * count // slots for number in range(slots + 1)]
    return [list(cpus[low:high]) for low, high in pairwise(bounds)]


def run_on(cpus: Iterable[int]) -> bool:
    """Have this thread, and what it starts, keep to these; whether it can."""
    if not hasattr(os, "sched_setaffinity"):
        return False
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cpus)
        return True
    return False


def lock_file(descriptor: int) -> bool:
    """Lock an open file until it is closed; False if another holds it."""
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def sweep(mark: str) -> list[int]:
    """Kill every process whose mark begins with `mark`; returns their ids.

    `run/` means whatever any runner of this run has left behind. Finds nothing on
    systems that do not show the environment of a process in /proc.
    """
    found: list[int] = []
    if not hasattr(os, "pidfd_open") or not os.path.isdir("/proc/self"):
        return found
    while swept := [pid for pid in all_processes() if kill_marked(pid, mark)]:
        found += swept
        time.sleep(0.01)  # what they started meanwhile shows by then
    return found


def all_processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def kill_marked(pid: int, mark: str) -> bool:
    """Kill the process if it carries the mark; whether it did."""
    wanted = f"{MARK}={mark}".encode()
    try:
        handle = os.pidfd_open(pid)  # the number alone could pass to another
    except OSError:
        return False
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            marked = any(word.startswith(wanted) for word in file.read().split(b"\0"))
        if marked:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        return marked
    except OSError:
        return False
    finally:
        os.close(handle)


def watch(mark: str) -> None:
    """Be the guard: note groups from standard input, kill them when it ends."""
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        pid = int(line[1:])
        if line.startswith(b"+"):
            groups.add(pid)
        else:
            groups.discard(pid)
    for pid in groups:
        kill_group(pid)
    # An engine that was about to be exec'ed shows its mark only a moment later.
    for pause in (0.0, 0.02, 0.1):
        time.sleep(pause)
        sweep(mark)


if __name__ == "__main__":
    watch(sys.argv[1])
