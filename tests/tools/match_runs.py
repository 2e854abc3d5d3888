"""What the tools that try whole matches share: a match, and how to compare two."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.journal import Journal
from protocol.processes import MARK, all_processes

ROOT = Path(__file__).parents[2]
MATCH = [sys.executable, "-m", "bin", "match"]
# What may differ between two runs of the same match.
TIMES = ("start", "ms", "host", "worker", "attempt", "retried", "cpus", "crc")
CLOCK_TIMES = ("used_ms", "left_ms", "latency_ms", "delay_ms")


def engine(*options: str) -> str:
    """The words of our own engine for Flipway."""
    command = [sys.executable, "-m", "bin", "gtp", "--game", "flipway", *options]
    return f"cmd={' '.join(command)}"


def two_engines(*options: str) -> list[str]:
    return ["--each", engine(*options), "--engine", "name=A", "--engine", "name=B"]


def start(*arguments: str) -> "subprocess.Popen[str]":
    """`crosscut match` in a process of its own."""
    return subprocess.Popen(
        [*MATCH, *arguments],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(*arguments: str) -> None:
    """The same to its end, which must be a good one."""
    process = start(*arguments)
    _, errors = process.communicate()
    if process.returncode:
        raise SystemExit(f"status {process.returncode}: {errors}")


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


def marked(mark: str) -> list[int]:
    """The processes that carry this mark in their environment."""
    found = []
    for pid in all_processes():
        try:
            words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.startswith(f"{MARK}={mark}".encode()) for word in words):
            found.append(pid)
    return found
