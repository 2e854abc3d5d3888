"""Games a second of a match, in one slot and in two.

    python tests/tools/match_speed.py
    python tests/tools/match_speed.py --report

Flipway on 6x6, by random players and by searches of 200 playouts, with engines that
run from game to game; alternating runs, of which the best count. The start of the
engines is not measured. Random players must play 15 games a second in one slot; two
slots must reach 1.4 times the games of one with them, and 1.7 times with searches.
The last line names what was missed. With `--report` nothing is required.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from protocol.match import play_match
from protocol.plan import Plan
from tools.match_runs import engine, fail

# Player: games a second in one slot at least, and how many times that in two.
LIMITS = {"--player random": (15.0, 1.4), "--playouts 200": (0.0, 1.7)}


class Stopwatch:
    """Notes when games end."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def __call__(self, event: Mapping[str, Any]) -> None:
        if event["event"] == "game":
            self.ends.append(time.perf_counter())

    def rate(self, skipped: int) -> float:
        """Games a second, but for the first ones."""
        ends = self.ends[skipped:]
        return (len(ends) - 1) / (ends[-1] - ends[0])


def rate(player: str, games: int, slots: int) -> float:
    words = [[engine(*player.split()), f"name={name}"] for name in "AB"]
    rounds = games // 2 + 2 * slots
    plan = Plan.of("flipway", words, size=6, rounds=rounds, seed=1)
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as home:
        play_match(plan, home, slots=slots, watch=watch)
    return watch.rate(2 * slots)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--report", action="store_true", help="require nothing")
    options = parser.parse_args()
    missed = []
    for player, (least, times) in LIMITS.items():
        best = {1: 0.0, 2: 0.0}
        for _ in range(options.runs):
            for slots in best:
                best[slots] = max(best[slots], rate(player, options.games, slots))
        gain = best[2] / best[1]
        print(
            f"{player}: {best[1]:.1f} games/s in one slot, {best[2]:.1f} in two, "
            f"{gain:.2f} times",
            flush=True,
        )
        if best[1] < least:
            missed.append(f"{player}: {best[1]:.1f} games/s, not {least:g}")
        if gain < times:
            missed.append(f"{player}: {gain:.2f} times in two slots, not {times:g}")
    if missed and not options.report:
        fail("; ".join(missed))


if __name__ == "__main__":
    main()
