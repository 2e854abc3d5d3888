"""Compare the speed of random playouts with the C programs, in alternating runs.

    python tests/tools/rates.py --game flipway --source bench/flipway.c

Prints for each run and for the best of all: steps per second of processor time
here and in C, their ratio, the mean lengths, and the search's playouts as a
fraction of the random ones.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bin.bench import without_pie
from games import GAMES, open_game
from games.search.rates import random_rate, search_rate
from games.search.settings import Settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=list(GAMES), required=True)
    parser.add_argument("--source", type=Path, required=True, help="the C program")
    parser.add_argument("--size", type=int)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    rules = without_pie(open_game(options.game, options.size))
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / options.game)
        flags = ["-std=c11", "-O3", "-march=native"]
        subprocess.run(["gcc", *flags, str(options.source), "-o", program], check=True)
        games = 100
        while run_c(program, rules.size, games, 1)[2] < options.seconds / 2:
            games *= 2
        compare(program, rules, games, options)


def run_c(program: str, size: int, games: int, seed: int) -> tuple[float, float, float]:
    """Steps a second, mean steps of a game, and seconds."""
    command = [program, str(size), str(games), str(seed)]
    words = subprocess.run(command, check=True, capture_output=True, text=True)
    fields = words.stdout.split()
    return float(fields[5]), float(fields[5]) / float(fields[4]), float(fields[3])


def compare(program: str, rules, games: int, options: argparse.Namespace) -> None:
    ours: list[float] = []
    theirs: list[float] = []
    searches: list[float] = []
    print("steps/s  steps/s in C  ratio  length  length in C  search/random")
    for run in range(options.runs):
        c_steps, c_length, _ = run_c(program, rules.size, games, run + 1)
        playouts, steps = random_rate(rules, options.seconds)
        search = search_rate(rules, Settings(), options.seconds)
        ours.append(playouts * steps)
        theirs.append(c_steps)
        searches.append(search / playouts)
        print(
            f"{ours[-1]:.0f}  {c_steps:.0f}  {ours[-1] / c_steps:.3f}"
            f"  {steps:.3f}  {c_length:.3f}  {searches[-1]:.3f}"
        )
    print(
        f"{rules.name} {rules.size}: best of each {max(ours) / max(theirs):.3f}, "
        f"lowest ratio {min(a / b for a, b in zip(ours, theirs, strict=True)):.3f}, "
        f"lowest search/random {min(searches):.3f}"
    )


if __name__ == "__main__":
    main()
