"""The same matches in one, two and eight slots.

    python tests/tools/match_slots.py --rounds 20

A round robin of Crosscut's search, Crosscut's random player and an engine that shares
nothing with it must have the same journal, but for times and places.

Then two engines that play alike are tested against each other, whose games take long
where one of them wins and hardly any time where the other does. The test must come to
the same verdict from the same games, although in eight slots the same results, taken
in the order in which games ended, give another one; the tool fails if they do not,
for then it would prove nothing.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.journal import Journal
from protocol.reports import read_standings
from protocol.standings import half_points
from protocol.strength.sprt import Sprt, SprtRun
from tools.match_runs import engine, fail, games, other, run

SLOTS = (1, 2, 8)
# With this seed one test stops at 20 pairs for H0, in order of completion it does not.
SEED = "5"
TEST = Sprt(elo0=-60, elo1=60, model="logistic")


def whole(folder: str, slots: int, options: argparse.Namespace) -> list[str]:
    """The journal of a match that is played to its end."""
    count = options.playouts
    search = ("--playouts", str(count)) if count else ("--player", "random")
    run(
        *("--game", "flipway", "--size", "5", "--openings", "random:plies=1,count=6"),
        *("--engine", "name=search", engine(*search)),
        *("--engine", "name=random", engine("--player", "random")),
        *("--engine", "name=plain", other("uneven.py", "win=0.02")),
        *("--rounds", str(options.rounds), "--srand", "7"),
        *("--progress", "off", "--concurrency", str(slots), "--out", folder),
    )
    return games(folder)


def tested(folder: str, slots: int, options: argparse.Namespace) -> dict[str, Any]:
    """A match that its test ends: the verdict, and the games that it rests on."""
    words = (f"elo0={TEST.elo0}", f"elo1={TEST.elo1}", f"model={TEST.model}")
    run(
        *("--game", "flipway", "--size", "4", "--srand", SEED, "--sprt", *words),
        *("--engine", "name=A", other("uneven.py", f"lose={options.rest}")),
        *("--engine", "name=B", other("uneven.py")),
        *("--progress", "off", "--concurrency", str(slots), "--out", folder),
    )
    standings = read_standings(Journal(folder))
    assert standings.test
    counts = standings.test.counts
    needed = [line for line in games(folder) if json.loads(line)["pair"] < counts.units]
    return {
        "verdict": standings.verdict,
        "llr": standings.test.llr,
        "pairs": counts.units,
        "counts": counts.cells,
        "games": needed,
    }


def as_they_ended(folder: str) -> tuple[str | None, int]:
    """What a test says that takes pairs as they were finished, and after how many."""
    test = SprtRun(TEST)
    halves: dict[int, int] = {}
    done = 0
    for record in Journal(folder).records():
        points, pair = half_points(record, "A"), record["pair"]
        assert points is not None
        if pair not in halves:
            halves[pair] = points
        elif not test.verdict:
            test.add(done, halves[pair] + points)
            done += 1
    return test.verdict, done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--playouts", type=int, default=50, help="0: at random")
    parser.add_argument("--rest", type=float, default=0.3, help="seconds of a game")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        journals = [whole(f"{home}/{n}", n, options) for n in SLOTS]
        for slots, journal in zip(SLOTS, journals, strict=True):
            if journal != journals[0]:
                fail(f"the journal of {slots} slots is not that of one")
        if not journals[0]:
            fail("nothing was played")
        print(f"{len(journals[0])} games in each of {SLOTS} slots", flush=True)

        tests = [tested(f"{home}/{n}-test", n, options) for n in SLOTS]
        for slots, test in zip(SLOTS, tests, strict=True):
            told = f"{test['verdict']} after {test['pairs']} pairs, {test['counts']}"
            print(f"{slots} slots: {told}", flush=True)
            for key in test:
                if test[key] != tests[0][key]:
                    fail(f"the test in {slots} slots: its {key} is not that of one")
        verdict, pairs = tests[0]["verdict"], tests[0]["pairs"]
        if not verdict:
            fail("there is no verdict")
        verdict_then, pairs_then = as_they_ended(f"{home}/{SLOTS[-1]}-test")
        if (verdict_then, pairs_then) == (verdict, pairs):
            fail("it proves nothing: the order in which games ended gives the same")
    print(
        f"{len(journals[0])} games, the same in {SLOTS} slots; {verdict} after {pairs} "
        f"pairs, as they ended {verdict_then or 'none'} after {pairs_then}"
    )


if __name__ == "__main__":
    main()
