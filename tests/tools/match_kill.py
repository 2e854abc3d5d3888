"""Kill the runner of a match, or one of its engines, again and again.

    python tests/tools/match_kill.py --kills 50

After each kill of the runner no process may be left, and the match is resumed. In
the end its journal must be that of a match nobody disturbed, every game once.
Needs /proc.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.exports import report_record
from protocol.journal import Journal
from protocol.match import mark_of
from protocol.reports import read_standings
from tools.match_runs import games, marked, run, start, two_engines

GONE = 3.0  # seconds in which everything must be gone


class Killer:
    """One match after another, until there have been enough kills."""

    def __init__(self, options: argparse.Namespace, home: Path) -> None:
        self.dice = random.Random(options.seed)
        self.wanted = options.kills
        self.home = home
        self.kills = {"runner": 0, "engine": 0}
        self.matches = self.orphans = 0
        self.match = [
            *("--game", "flipway", "--size", "6", "--rounds", str(options.rounds)),
            *("--openings", "random:plies=1,count=9", "--srand", "1"),
            *("--concurrency", "2", "--progress", "off"),
            *two_engines("--player", "random"),
        ]

    @property
    def killed(self) -> int:
        return sum(self.kills.values())

    def play(self, folder: Path) -> None:
        """One match, with as many kills as it takes or as are left."""
        self.matches += 1
        command = [*self.match, "--out", str(folder)]
        while True:
            process = start(*command)
            while process.poll() is None and self.killed < self.wanted:
                if self.dice.random() < 0.8:  # else perhaps before it has begun
                    self.await_engines(process, folder)
                time.sleep(self.dice.uniform(0.05, 1.5))
                self.kill(process.pid, folder)
            _, errors = process.communicate()
            if (folder / "manifest.json").exists():
                self.await_end(folder)
                command = ["resume", str(folder), "--concurrency", "2"]
                command += ["--progress", "off"]
            if process.returncode == 0:
                return
            if process.returncode not in (-signal.SIGKILL, 3):
                raise SystemExit(f"status {process.returncode}: {errors}")

    def await_engines(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        while process.poll() is None:
            if (folder / "games.jsonl").exists() and marked(mark_of(Journal(folder))):
                return
            time.sleep(0.02)

    def kill(self, runner: int, folder: Path) -> None:
        """The runner, or one of its engines if there are any."""
        what, victim = "runner", runner
        if self.dice.random() < 0.5 and (folder / "manifest.json").exists():
            engines = marked(mark_of(Journal(folder)))
            if not engines:
                return
            what, victim = "engine", self.dice.choice(engines)
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.kills[what] += 1

    def await_end(self, folder: Path) -> None:
        """Count what does not end by itself."""
        mark = mark_of(Journal(folder))
        deadline = time.monotonic() + GONE
        while (left := marked(mark)) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.orphans += len(left)


def table(folder: Path) -> dict[str, Any]:
    """All results but times, and what was repeated."""
    record: dict[str, Any] = report_record(read_standings(Journal(folder)))
    for name in ("ms", "replayed"):
        record.pop(name)
    for player in record["players"]:
        del player["seconds"], player["longest_delay"]
    return record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        killer = Killer(options, Path(home))
        whole = killer.home / "whole"
        run(*killer.match, "--out", str(whole))
        expected, wanted = games(whole), table(whole)
        duplicates = 0
        while killer.killed < options.kills:
            folder = killer.home / f"match{killer.matches}"
            killer.play(folder)
            found = games(folder)
            duplicates += len(found) - len(set(found))
            if found != expected or table(folder) != wanted:
                raise SystemExit(f"match {killer.matches} ended differently")
            print(f"match {killer.matches}: {killer.kills}", flush=True)
    print(
        f"{killer.kills['runner']} kills of the runner and {killer.kills['engine']} "
        f"of engines in {killer.matches} matches: same table, {killer.orphans} orphans,"
        f" {duplicates} duplicates"
    )
    if killer.orphans or duplicates:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
