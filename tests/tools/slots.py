"""How many games a second one slot and two slots play.

    python tests/tools/slots.py --games 200
    python tests/tools/slots.py --games 60 --playouts 200

Flipway 6x6 between two `crosscut gtp` engines that are kept running. One slot and two
take turns, three times each; the best of each counts, since other programs can only
slow them down. Starting the engines is not counted.
"""

import argparse
import shlex
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.workers import Workers


def jobs(count: int, options: str) -> list[dict[str, Any]]:
    words = [f"cmd={shlex.quote(sys.executable)} -m bin gtp --game flipway {options}"]
    return [
        {
            "game": "flipway",
            "size": 6,
            "variant": {},
            "players": {"black": "AB"[seed % 2], "white": "BA"[seed % 2]},
            "engines": {"A": words, "B": words},
            "seed": seed,
        }
        for seed in range(count)
    ]


def play(workers: Workers, waiting: list[dict[str, Any]]) -> None:
    """Play all, with no more than twice as many jobs open as there are slots."""
    left = iter(waiting)
    for _, job in zip(range(2 * workers.slots), left, strict=False):
        workers.submit(job)
    while record := workers.next_done():
        result = record["result"]
        assert result["how"] == "rules", result
        for job in left:
            workers.submit(job)
            break


def rate(slots: int, games: int, options: str) -> float:
    with Workers(slots) as workers:
        play(workers, jobs(4 * slots, options))
        start = time.perf_counter()
        play(workers, jobs(games, options))
        return games / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--playouts", type=int, help="a turn; else random players")
    given = parser.parse_args()
    chosen = f"--playouts {given.playouts}" if given.playouts else "--player random"
    best = {1: 0.0, 2: 0.0}
    for _ in range(3):
        for slots in best:
            best[slots] = max(
                best[slots], rate(slots, given.games, f"{chosen} --seed 1")
            )
    one, two = best.values()
    print(
        f"{chosen}: 1 slot {one:.1f} games/s, 2 slots {two:.1f}, {two / one:.2f} times"
    )


if __name__ == "__main__":
    main()
