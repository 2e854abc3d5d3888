"""A schedule and a journal of great length: memory stays flat, resuming is quick.

    python tests/tools/match_scale.py

Prints the memory that a million rounds of schedule take, and what it takes to go on
with a match of which 100,000 games are in the journal.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.journal import Journal
from protocol.lines import line_of
from protocol.match import Match, play_match
from protocol.plan import Plan
from protocol.strength.sprt import Sprt
from tools.match_runs import engine

RESUME = 4.0  # seconds of the processor at most
FLAT = 16.0  # MB at most that all may take


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


def scan(plan: Plan) -> int:
    """Make every job of the schedule, and keep none."""
    schedule, run_id = plan.schedule, plan.run
    ids = 0
    for seq in range(len(schedule)):
        ids ^= hash(plan.job(run_id, schedule[seq], 1)["head"]["id"])
    return ids


def write(folder: str, plan: Plan, pair: list[dict[str, Any]], games: int) -> int:
    """A journal that is made of copies of one pair; its bytes."""
    Journal.begin(folder, plan).close()
    with open(f"{folder}/games.jsonl", "wb") as file:
        for seq in range(games):
            fixture = plan.schedule[seq]
            copy = {
                **pair[seq % 2],
                **{"run": plan.run, "seq": seq, "id": fixture.id},
                **{"pair": fixture.unit, "round": fixture.round, "seed": fixture.seed},
            }
            file.write(line_of(copy))
    return os.path.getsize(f"{folder}/games.jsonl")


def resume(folder: str) -> int:
    """As a match does that goes on; how many games it found."""
    with Journal.resume(folder) as journal:
        match = Match(journal, Nowhere())
        next(match._jobs, None)
        return match.resumed


def largest() -> float:
    """MB of memory that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--size", type=int, default=12)
    options = parser.parse_args()

    words = [[engine(), "name=A"], [engine(), "name=B"]]
    plan = Plan.of("flipway", words, rounds=options.rounds, seed=1)
    began, before = time.process_time(), largest()
    scan(plan)
    seconds, schedule = time.process_time() - began, largest() - before
    print(f"{options.rounds} rounds: {schedule:.2f} MB more, {seconds:.1f} s")

    with tempfile.TemporaryDirectory() as home:
        words = [[engine("--player", "random"), f"name={name}"] for name in "AB"]
        small = Plan.of("flipway", words, size=options.size, rounds=1, seed=1)
        play_match(small, f"{home}/pair")
        pair = list(Journal(f"{home}/pair").records())
        pair.sort(key=lambda record: int(record["seq"]))
        test = Sprt(elo0=0, elo1=1)
        plan = Plan.of(
            "flipway",
            words,
            size=options.size,
            rounds=options.games,
            seed=1,
            sprt=test,
        )
        size = write(f"{home}/long", plan, pair, options.games)
        began, before = time.process_time(), largest()
        found = resume(f"{home}/long")
        seconds, journal = time.process_time() - began, largest() - before
    print(f"{found} games, {size / 1e6:.0f} MB: resumed in {seconds:.2f} s", end="")
    print(f", {journal:.2f} MB more")
    if found != options.games or seconds > RESUME or max(schedule, journal) > FLAT:
        raise SystemExit("too slow, or too large")


if __name__ == "__main__":
    main()
