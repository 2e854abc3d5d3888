"""Kill the runner of a match, its engines and its guard, again and again.

    python tests/tools/match_kill.py --kills 50

The engines are Crosscut's own, one that ignores the end of its input, `quit` and
SIGTERM and forks children, and one whose children leave its process group. The runner
is killed at any time, also in the moment in which it announces a game. Required are:

- after each kill of the runner all its descendants, and whatever has the mark of its
  match, are gone; what had lost its guard before is gone when the match goes on
- after each kill of an engine its process group is gone, while the match runs
- every game that was announced is in the journal, and none is there twice
- in the end results and journal are those of a match that nobody disturbed, and
  `crosscut match verify` finds nothing

Needs Linux.
"""

import argparse
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.exports import report_record
from protocol.journal import Journal
from protocol.match import mark_of
from protocol.reports import read_standings
from tools.match_runs import (
    Process,
    alive,
    engine,
    fail,
    family,
    games,
    other,
    processes,
    run,
    start,
)

GONE = 5.0  # seconds in which everything must be gone
AT_ONCE = 2.0  # the same while a match runs: less than it needs to end by itself
QUIET = 0.2  # seconds in which nothing may appear again: a process that was being made
PATIENCE = 30.0  # seconds for a match to come as far as a kill needs it
GAME = b'"event": "game"'
RUN = ("--concurrency", "2", "--progress", "json", "--quit-ms", "200")
# What is killed. Of `both` first the guard, then the runner, which nobody then sees.
KINDS = ("runner", "announcing", "engine", "guard", "both")


class Runner:
    """One process that plays a match, and what it has announced so far."""

    def __init__(self, *arguments: str) -> None:
        self.process = start(*arguments)
        assert self.process.stdout
        self.output = self.process.stdout.fileno()
        self.text = b""
        self.engines_killed = 0

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def is_over(self) -> bool:
        return self.process.poll() is not None

    @property
    def plays(self) -> bool:
        return b'"event": "start"' in self.text

    @property
    def announced(self) -> list[str]:
        """Games by id."""
        lines = self.text.decode().rpartition("\n")[0].splitlines()
        events = [json.loads(line) for line in lines]
        return [event["id"] for event in events if event["event"] == "game"]

    def hear(self, seconds: float) -> bytes:
        """What it says next; empty after so long, or when it is over."""
        if not select.select([self.output], [], [], seconds)[0]:
            return b""
        data = os.read(self.output, 1 << 16)
        self.text += data
        return data

    def hear_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.is_over:
            self.hear(min(left, 0.05))

    def await_start(self) -> bool:
        end = time.monotonic() + PATIENCE
        while not self.plays and not self.is_over and time.monotonic() < end:
            self.hear(0.05)
        return self.plays

    def kill_announcing(self) -> bool:
        """Kill it before it does anything after it has announced a game.

        Its main thread, which announces and writes, and we share a processor then, and
        it gives way as soon as there is something for us to read.
        """
        mine = os.sched_getaffinity(0)
        cpu = {min(mine)}
        try:
            os.sched_setaffinity(self.pid, cpu)
            os.sched_setaffinity(0, cpu)
            os.sched_setscheduler(self.pid, os.SCHED_IDLE, os.sched_param(0))
            while self.hear(0):
                pass
            end = time.monotonic() + PATIENCE
            while GAME not in self.hear(1.0):
                if self.is_over or time.monotonic() > end:
                    return False
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        finally:
            os.sched_setaffinity(0, mine)
        return True

    def finish(self) -> tuple[int, str]:
        """Its status and what it complained of."""
        while self.hear(PATIENCE):
            pass
        _, errors = self.process.communicate()
        return self.process.returncode, errors.decode()


class Killer:
    """One match after another, until there have been enough kills."""

    def __init__(self, options: argparse.Namespace, home: Path) -> None:
        self.dice = random.Random(options.seed)
        self.wanted = options.kills
        self.home = home
        self.kills = Counter[str]()
        self.kinds: list[str] = []
        self.folder = home
        self.announced: list[str] = []  # by all runners of this match
        self.seen: list[Process] = []  # what must go with the runner
        self.bereft: set[str] = set()  # marks whose guard we have killed
        self.unguarded: set[str] = set()  # those that may stay until the match goes on
        rude = f"plain size={options.size}"
        # Kills at the worst time three times in the same game must not count.
        self.match = [
            *("--game", "flipway", "--size", str(options.size), "--srand", "1"),
            *("--rounds", str(options.rounds), "--max-void", "20"),
            *("--openings", "random:plies=1,count=9"),
            *("--engine", "name=own", engine("--player", "random")),
            *("--engine", "name=stubborn"),
            other("rude.py", rude, "stubborn", "clear_board:1=fork"),
            *("--engine", "name=escape"),
            other("rude.py", rude, "boardsize=escape"),
        ]

    @property
    def killed(self) -> int:
        return self.kills.total()

    @property
    def mark(self) -> str:
        """By which this match is known; what no process has, before there is one."""
        if (self.folder / "manifest.json").exists():
            return mark_of(Journal(self.folder))
        return str(self.folder)

    def play(self, folder: Path) -> None:
        """One match, with as many kills as it takes or as are left."""
        self.folder, self.announced = folder, []
        command = [*self.match, *RUN, "--out", str(folder)]
        status = -1
        while status:
            left, self.unguarded, self.bereft = self.unguarded, set(), set()
            runner = Runner(*command)
            try:
                while not runner.is_over and self.killed < self.wanted:
                    self.kill(runner)
                status, errors = runner.finish()
            finally:
                self.seen += family(runner.pid, self.mark)
            if status == 3 and runner.engines_killed:
                pass  # one that was being tried, before the first game
            elif status not in (0, -signal.SIGKILL):
                self.fail(f"the runner ended with status {status}: {errors}")
            self.announced += runner.announced
            self.check_announced()
            if runner.plays:
                stayed = [o for o in processes() if o.mark in left]
                self.await_end(stayed, "when the match went on")
            else:
                self.unguarded |= left
            self.await_silence()
            if (folder / "manifest.json").exists():
                command = ["resume", str(folder), *RUN]
        self.check_silence(f"at the end of {folder.name}")

    def kill(self, runner: Runner) -> None:
        """The next kind of kill, as soon as there is something to kill."""
        if not self.kinds:
            self.kinds = list(KINDS)
            self.dice.shuffle(self.kinds)
        kind = self.kinds[-1]
        # Before the first game the engines are tried, one after the other.
        if kind in ("announcing", "both") or self.dice.random() < 0.6:
            if not runner.await_start():
                return
            runner.hear_for(self.dice.uniform(0.0, 0.8))
        else:
            runner.hear_for(self.dice.uniform(0.0, 2.5))
        if {
            "runner": self.kill_runner,
            "announcing": self.kill_announcing,
            "engine": self.kill_engine,
            "guard": self.kill_guard,
            "both": self.kill_both,
        }[kind](runner):
            self.kinds.pop()

    def kill_runner(self, runner: Runner) -> bool:
        self.watch(runner)
        if self.end(runner.pid):
            self.kills["runner"] += 1
            runner.process.wait()
            return True
        return False

    def kill_announcing(self, runner: Runner) -> bool:
        self.watch(runner)
        if runner.kill_announcing():
            self.kills["announcing runner"] += 1
            runner.process.wait()
            return True
        return False

    def kill_engine(self, runner: Runner) -> bool:
        """One of them; what it has started must go with it."""
        everything = family(runner.pid, self.mark)
        engines = [one for one in everything if one.mark and one.parent == runner.pid]
        if not engines:
            return False
        with_children = [
            one
            for one in engines
            if any(its.group == one.pid != its.pid for its in everything)
        ]
        if with_children and runner.engines_killed % 2 == 0:
            engines = with_children
        victim = self.dice.choice(engines)
        if not self.end(victim.pid):
            return False
        self.kills["engine"] += 1
        runner.engines_killed += 1
        group = [one for one in processes() if one.group == victim.pid]
        self.await_end(group, "of an engine that was killed", AT_ONCE)
        return True

    def kill_guard(self, runner: Runner) -> bool:
        guards = [one for one in family(runner.pid, self.mark) if one.guards]
        if not guards:
            return False
        victim = self.dice.choice(guards)
        if not self.end(victim.pid):
            return False
        self.kills["guard"] += 1
        self.bereft.add(victim.guards)
        self.await_end([victim], "though killed: the guard")
        return True

    def kill_both(self, runner: Runner) -> bool:
        try:
            # Else it may have posted another guard by then.
            os.kill(runner.pid, signal.SIGSTOP)
            return self.kill_guard(runner) and self.kill_runner(runner)
        finally:
            if not runner.is_over:
                os.kill(runner.pid, signal.SIGCONT)

    def end(self, pid: int) -> bool:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def watch(self, runner: Runner) -> None:
        """Note what must go with the runner, and what nobody guards."""
        self.seen = family(runner.pid, self.mark)
        self.unguarded |= self.bereft - {one.guards for one in self.seen}

    def fail(self, reason: str) -> NoReturn:
        fail(f"{reason} (match {self.folder.name}, kills {dict(self.kills)})")

    def await_end(
        self, those: list[Process], which: str, seconds: float = GONE
    ) -> None:
        end = time.monotonic() + seconds
        while left := alive(those):
            if time.monotonic() > end:
                self.fail(f"{len(left)} orphans {which}: {left}")
            time.sleep(0.02)

    def await_silence(self) -> None:
        """Until nothing is left of the runner but what nobody guarded."""
        must_go = [one for one in self.seen if one.mark not in self.unguarded]
        self.await_end(must_go, "of a runner")
        if not self.unguarded:
            self.check_silence("of a runner")
        self.seen = []

    def check_silence(self, when: str) -> None:
        """Nothing has the mark of the match, and nothing will."""
        end = time.monotonic() + GONE
        quiet = 0.0
        while quiet < QUIET:
            if left := family(0, self.mark):
                quiet = -0.02
            if time.monotonic() > end:
                self.fail(f"{len(left)} orphans {when}: {left}")
            time.sleep(0.02)
            quiet += 0.02

    def check_announced(self) -> None:
        """Every game that somebody was told of is written down, and none twice."""
        if not (self.folder / "games.jsonl").exists():
            written = []
        else:
            records = Journal(self.folder).records()
            written = [record["id"] for record in records]
        twice = [name for name, count in Counter(written).items() if count > 1]
        if twice:
            self.fail(f"duplicates in the journal: {twice}")
        if lost := sorted(set(self.announced) - set(written)):
            self.fail(f"announced, but not in the journal: games {lost}")
        if len(self.announced) > len(set(self.announced)):
            self.fail("a game was announced twice")

    def put_down(self) -> None:
        """Leave nothing behind, whatever has failed."""
        for one in [*self.seen, *family(0, self.mark)]:
            if alive([one]):
                self.end(one.pid)


def results(folder: Path) -> list[dict[str, Any]]:
    """The journal without what kills may change."""
    records = [json.loads(line) for line in games(folder)]
    for record in records:
        if record["result"]["how"] == "rules":
            # It tells of a loser that was killed when all was decided.
            record["result"]["detail"] = record["result"]["raw"] = ""
    return records


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
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        killer = Killer(options, Path(home))
        try:
            disturb(killer)
        finally:
            killer.put_down()


def disturb(killer: Killer) -> None:
    whole = killer.folder = killer.home / "whole"
    run(*killer.match, *RUN, "--out", str(whole))
    killer.check_silence("of a match that nobody disturbed")
    expected, wanted = results(whole), table(whole)
    matches = 0
    while killer.killed < killer.wanted:
        matches += 1
        folder = killer.home / f"match{matches}"
        killer.play(folder)
        if results(folder) != expected:
            fail(f"the journal of match {matches} is another one")
        if table(folder) != wanted:
            fail(f"the table of match {matches} is another one")
        run("verify", str(folder))
        print(f"match {matches}: {dict(killer.kills)}", flush=True)
    counts = ", ".join(f"{count} of {what}" for what, count in killer.kills.items())
    print(
        f"{killer.killed} kills ({counts}) in {matches} matches of {len(expected)} "
        "games: same table, 0 orphans, 0 duplicates, verified"
    )


if __name__ == "__main__":
    main()
