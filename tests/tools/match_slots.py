"""The same match in one, two and eight slots.

    python tests/tools/match_slots.py --rounds 20

The journals must be the same but for times and places, and the sequential test,
which then stops the match, must come to the same verdict from the same games.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.journal import Journal
from protocol.reports import read_standings
from tools.match_runs import engine, games, run

SLOTS = (1, 2, 8)
RANDOM = ("--player", "random")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--playouts", type=int, default=50, help="0: at random")
    options = parser.parse_args()
    playouts = ("--playouts", str(options.playouts))
    strong = engine(*(playouts if options.playouts else RANDOM))
    match = [
        *("--game", "flipway", "--size", "5", "--openings", "random:plies=1,count=6"),
        *("--srand", "7", "--progress", "off", "--engine", "name=A", strong),
        *("--engine", "name=B", engine(*RANDOM)),
    ]
    with tempfile.TemporaryDirectory() as home:
        journals, verdicts = [], []
        for slots in SLOTS:
            places = ["--concurrency", str(slots), "--out", f"{home}/{slots}"]
            run(*match, "--rounds", str(options.rounds), *places)
            journals.append(games(f"{home}/{slots}"))
            places[-1] += "-test"
            run(*match, "--sprt", "elo0=0", "elo1=200", *places)
            standings = read_standings(Journal(f"{home}/{slots}-test"))
            assert standings.test
            counts = standings.test.counts.cells
            verdicts.append((standings.verdict, standings.test.llr, counts))
            played = len(standings.finished)
            print(f"{slots} slots: {verdicts[-1][0]} by {counts}, {played} games")
        if journals != journals[:1] * len(SLOTS):
            raise SystemExit("the journals differ")
        if len(set(verdicts)) > 1 or not verdicts[0][0]:
            raise SystemExit("the verdicts differ")
    print(f"{len(journals[0])} games, the same in {SLOTS} slots; {verdicts[0][0]}")


if __name__ == "__main__":
    main()
