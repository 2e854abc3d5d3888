"""Compare a kernel with the readable rules on positions of random games.

    python tests/tools/kernel_check.py --game flipway --positions 200000

Each game is played in both at once, step by step: the kernel's state is carried
along, never set up anew, so that a fault in what it keeps up to date shows. At
each step the legal steps, the side to move, the result and, when a turn is
complete, the whole state must be those of the readable position.
"""

import argparse
import itertools
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np

from games import GAMES, kernels, open_game
from games.contract import Position, Rules
from games.kernels.dice import dice

# Where a random game is cut; only Vaxandis gets there.
LONGEST = 400


class Difference(AssertionError):
    """Kernel and readable rules disagree; the message tells the game so far."""


def variants(name: str) -> list[dict[str, str]]:
    """Every combination of option values."""
    options = GAMES[name].options
    return [
        dict(zip([o.name for o in options], words, strict=True))
        for words in itertools.product(*(option.words for option in options))
    ]


def all_rules(name: str, sizes: list[int]) -> Iterator[Rules]:
    for size in sizes:
        for variant in variants(name):
            try:
                yield open_game(name, size, variant)
            except ValueError:
                continue  # this variant has no such board


def compare_game(
    rules: Rules,
    source: random.Random,
    longest: int = LONGEST,
    start: Position | None = None,
) -> int:
    """Play one random game, from `start` if given; returns how many were compared."""
    kernel = kernels.load(rules.name)
    position, begun = start or rules.start(), ()
    state = kernel.state_of(position)
    out = np.empty(kernel.capacity(rules), np.int32)
    seed = dice(source.getrandbits(60))
    played: list[str] = []

    def check(what: str, compiled: Any, readable: Any) -> None:
        if compiled != readable:
            told = f"{rules} after {' '.join(played)} {begun}"
            raise Difference(f"{told}: {what} {compiled!r}, by the rules {readable!r}")

    for compared in range(longest):
        winner = -1 if position.winner is None else int(position.winner)
        check("winner", kernel.winner(state), winner)
        codes = out[: kernel.legal_steps(state, out)].tolist()
        steps = {kernel.decode(position, begun, code): code for code in codes}
        check("number of distinct steps", len(steps), len(codes))
        legal = set(position.steps(begun)) if winner < 0 else set()
        check("legal steps", set(steps), legal)
        if winner >= 0:
            return compared + 1
        check("side to move", kernel.to_move(state), int(position.to_move))
        drawn = kernel.random_step(state, seed)
        check("random step is legal", drawn in codes, True)
        step = source.choice(sorted(steps, key=repr))
        kernel.play(state, steps[step])
        begun += (step,)
        turn = position.turn(begun)
        if turn is not None:
            played.append(rules.write(turn))
            position, begun = position.play(turn), ()
            check("state", kernel.key(state), kernel.key(kernel.state_of(position)))
    return longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=list(GAMES), required=True)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=0, help="at least so many")
    parser.add_argument("--sizes", type=int, nargs="+", help="board sizes")
    parser.add_argument("--longest", type=int, default=LONGEST, help="steps a game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sizes = options.sizes or [GAMES[options.game].sizes.low, GAMES[options.game].size]
    rules = list(all_rules(options.game, sizes))
    source = random.Random(options.seed)
    start = time.monotonic()
    positions = games = 0
    while positions < options.positions or games < options.games:
        positions += compare_game(rules[games % len(rules)], source, options.longest)
        games += 1
    print(
        f"{options.game}: {positions} positions of {games} random games, sizes "
        f"{' '.join(map(str, sizes))}, {len(rules)} boards and variants: identical "
        f"({time.monotonic() - start:.0f} s)"
    )


if __name__ == "__main__":
    main()
