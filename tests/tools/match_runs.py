"""What the tools that try whole matches share: a match, and how to compare two."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.journal import Journal
from protocol.processes import MARK, all_processes

ROOT = Path(__file__).parents[2]
GUARD = b"/protocol/processes.py"  # the script that a guard runs
ENGINES = ROOT / "tests" / "engines"
MATCH = [sys.executable, "-m", "bin", "match"]
# What may differ between two runs of the same match.
TIMES = ("start", "ms", "host", "worker", "attempt", "retried", "cpus", "crc")
CLOCK_TIMES = ("used_ms", "left_ms", "latency_ms", "delay_ms")


def fail(reason: str) -> NoReturn:
    """What was promised does not hold: status 1."""
    raise SystemExit(f"failed: {reason}")


def engine(*options: str) -> str:
    """The words of our own engine for Flipway."""
    command = [sys.executable, "-m", "bin", "gtp", "--game", "flipway", *options]
    return f"cmd={' '.join(command)}"


def other(script: str, *words: str) -> str:
    """The words of an engine of tests/engines, which shares nothing with Crosscut."""
    return f"cmd={' '.join([sys.executable, str(ENGINES / script), *words])}"


def start(*arguments: str) -> "subprocess.Popen[bytes]":
    """`crosscut match` in a process of its own; its output is not buffered here."""
    return subprocess.Popen(
        [*MATCH, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )


def run(*arguments: str) -> str:
    """What the same prints to its end, which must be a good one."""
    process = start(*arguments)
    output, errors = process.communicate()
    if process.returncode:
        fail(f"status {process.returncode}: {errors.decode()}")
    return output.decode()


def games(folder: str | os.PathLike[str]) -> list[str]:
    """The journal without what may differ, in the order of the schedule."""
    lines = []
    for record in sorted(Journal(folder).records(), key=lambda r: int(r["seq"])):
        for name in TIMES:
            record.pop(name, None)
        record["turns"] = [strip(turn) for turn in record["turns"]]
        for clock in record["clock"].values():
            for name in CLOCK_TIMES:
                clock.pop(name)
        lines.append(json.dumps(record, sort_keys=True))
    return lines


def strip(turn: list[Any]) -> list[Any]:
    """A turn without its time."""
    return [part for k, part in enumerate(turn) if k != 2 or part == "book"]


class Process(NamedTuple):
    """What /proc shows of one that has not ended."""

    pid: int
    born: int  # with the number it tells a process from all others
    parent: int
    group: int
    mark: str  # of the match that it is an engine of, or was started by one of
    guards: str  # the mark of those that it is to end

    @property
    def key(self) -> tuple[int, int]:
        """What stays the same as long as it lives."""
        return self.pid, self.born


def processes() -> list[Process]:
    found = []
    for pid in all_processes():
        try:
            status = Path(f"/proc/{pid}/stat").read_text()
            variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        fields = status.rpartition(")")[2].split()
        if fields[0] in "ZX":
            continue
        mark = next((v for v in variables if v.startswith(f"{MARK}=".encode())), b"")
        guards = words[-2] if len(words) > 2 and words[-3].endswith(GUARD) else b""
        parent, group, born = (int(fields[k]) for k in (1, 2, 19))
        name = mark.partition(b"=")[2].decode()
        found.append(Process(pid, born, parent, group, name, guards.decode()))
    return found


def family(pid: int, mark: str) -> list[Process]:
    """Whatever descends from a process, or has or guards this mark; not itself."""
    every = processes()
    known = {pid}
    size = 0
    while size < len(known):
        size = len(known)
        known |= {one.pid for one in every if one.parent in known}
    return [
        one
        for one in every
        if one.pid != pid
        and (
            one.pid in known or one.mark.startswith(mark) or one.guards.startswith(mark)
        )
    ]


def alive(those: Iterable[Process]) -> list[Process]:
    """Which of these have not ended, whatever they have become."""
    now = {one.key for one in processes()}
    return [one for one in those if one.key in now]
