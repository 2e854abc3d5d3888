"""A schedule and a journal of great length: memory stays flat, resuming is quick.

    python tests/tools/match_scale.py
    python tests/tools/match_scale.py --size 12

Memory is what the process holds at the time, not what it held at most:

- how much more while all games of a million rounds are scheduled
- how much more with a `Match` that has taken up 100,000 games of its journal
- how much more `crosscut match resume` holds in the moment in which it announces its
  first new game, with 100,000 games in the folder rather than 100

`crosscut match resume` with real engines, from its start to that first new game and to
its end, is measured by the clock on the wall, and in seconds of processors.
"""

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.journal import Journal, line_of
from protocol.match import Match, play_match
from protocol.plan import Plan
from protocol.strength.sprt import Sprt
from tools.match_runs import engine, fail, start

FEW = 100  # games that hardly take time
LEFT = 4  # games that are left to play
WARM = 10_000  # games of a schedule, after which everything is loaded
LOOK = 10_000  # games of a schedule from one look at the memory to the next
# It goes on however many games there are.
TEST = Sprt(elo0=-1000, elo1=1000, alpha=1e-300, beta=1e-300)


class Nowhere:
    """Plays nothing."""

    slots = 1
    open_jobs = 0

    def submit(self, job: Mapping[str, Any]) -> None:
        raise AssertionError

    def next_done(self, timeout: float | None = None) -> None:
        return None

    def stop(self, now: bool = True) -> None:
        pass


def held(pid: int | str = "self") -> float:
    """MB of memory that a process holds now."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def scan(plan: Plan) -> float:
    """Make every job of the schedule; MB held more than near its beginning, at most."""
    schedule, run_id = plan.schedule, plan.run
    before, most = 0.0, 0.0
    for seq in range(len(schedule)):
        plan.job(run_id, schedule[seq], 1)
        if seq == min(WARM, len(schedule) // 2):
            before = held()
        if before and seq % LOOK == 0:
            most = max(most, held() - before)
    return max(most, held() - before)


def write(folder: Path, plan: Plan, played: list[dict[str, Any]], games: int) -> int:
    """A journal that is made of copies of games; its bytes."""
    Journal.begin(folder, plan).close()
    with open(folder / "games.jsonl", "wb") as file:
        for seq in range(games):
            fixture = plan.schedule[seq]
            copy = {
                **played[seq % len(played)],
                **{"run": plan.run, "seq": seq, "id": fixture.id},
                **{"pair": fixture.unit, "round": fixture.round, "seed": fixture.seed},
            }
            file.write(line_of(copy))
    return os.path.getsize(folder / "games.jsonl")


def take_up(folder: Path) -> tuple[int, float, float, float]:
    """As a match does that goes on; games found, seconds of clock, processor, MB."""
    before, clock, processor = held(), time.monotonic(), time.process_time()
    with Journal.resume(folder) as journal:
        match = Match(journal, Nowhere())
        next(match._jobs)
        seconds = time.monotonic() - clock, time.process_time() - processor
        return match.resumed, *seconds, held() - before


class Resumed(NamedTuple):
    """What `crosscut match resume` took."""

    found: int  # games in the journal
    first: float  # seconds to its first new game
    end: float  # seconds to its end
    processor: float  # seconds of it and its engines
    memory: float  # MB held at the first new game


def resume(folder: Path) -> Resumed:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    clock = time.monotonic()
    process = start("resume", str(folder), "--progress", "json")
    assert process.stdout
    found = 0
    first = memory = 0.0
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "start":
            found = event["finished"]
        elif event["event"] == "game" and not first:
            first, memory = time.monotonic() - clock, held(process.pid)
    _, errors = process.communicate()
    end = time.monotonic() - clock
    if process.returncode or not first:
        fail(f"resume ended with {process.returncode}: {errors.decode()}")
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return Resumed(found, first, end, processor, memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--size", type=int, default=6, help="of the board")
    parser.add_argument("--seconds", type=float, default=5.0, help="limit to resume")
    parser.add_argument("--memory", type=float, default=16.0, help="limit in MB")
    options = parser.parse_args()
    missed = []

    words = [[engine("--player", "random"), f"name={name}"] for name in "AB"]
    clock = time.process_time()
    memory = scan(Plan.of("flipway", words, rounds=options.rounds, seed=1))
    took = f"{memory:.2f} MB more, {time.process_time() - clock:.1f} s"
    print(f"{options.rounds} rounds scheduled: {took}", flush=True)
    if memory > options.memory:
        missed.append(f"the schedule takes {memory:.1f} MB")

    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        games = {"size": options.size, "seed": 1}
        small = Plan.of("flipway", words, rounds=4, **games)
        play_match(small, home / "played")
        played = list(Journal(home / "played").records())
        played.sort(key=lambda record: int(record["seq"]))

        def plan(count: int) -> Plan:
            rounds = (count + LEFT) // 2
            return Plan.of("flipway", words, rounds=rounds, sprt=TEST, **games)

        few, many = home / "few", home / "many"
        write(few, plan(FEW), played, FEW)
        size = write(many, plan(options.games), played, options.games)
        print(f"{options.games} games, {size / 1e6:.0f} MB", flush=True)

        take_up(few)  # everything is loaded then
        found, seconds, processor, memory = take_up(many)
        print(
            f"taken up by a Match in {seconds:.2f} s, {processor:.2f} s of processor, "
            f"{memory:.2f} MB more",
            flush=True,
        )
        if found != options.games:
            missed.append(f"{found} games were found")
        if memory > options.memory:
            missed.append(f"a Match takes {memory:.1f} MB")

        short, long = resume(few), resume(many)
    for one in (short, long):
        print(
            f"resume of {one.found} games: first new game after {one.first:.2f} s, "
            f"end after {one.end:.2f} s, {one.processor:.2f} s of processors"
        )
    memory = long.memory - short.memory
    if (short.found, long.found) != (FEW, options.games):
        missed.append(f"{long.found} games were found by resume")
    if long.first > options.seconds:
        missed.append(f"resume took {long.first:.2f} s to its first new game")
    if memory > options.memory:
        missed.append(f"resume takes {memory:.1f} MB")
    if missed:
        fail("; ".join(missed))
    print(
        f"{options.games} games of size {options.size}: {long.first:.2f} s to the "
        f"first new one, {memory:.2f} MB more than with {FEW}"
    )


if __name__ == "__main__":
    main()
