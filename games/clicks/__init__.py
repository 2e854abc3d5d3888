"""Boards of clicks: every turn of a game as vertices of one square grid.

    contract    what a board of clicks is; games whose clicks come in a fixed order
    layout      where the board and the control cells lie
    flipway     one module a game, a class `Clicks`

The protocol's step mode asks for these boards and front ends that know nothing of
a game draw them. spec/protocol.md §9 shows what is clicked in each game.
"""

import importlib
from dataclasses import replace
from typing import Any

from games import variant_of
from games.clicks.contract import Board
from games.clicks.layout import WIDEST
from games.contract import Rules
from games.errors import BadSize
from games.variants import write_variant


def load(rules: Rules) -> Board:
    """The board of clicks of a game at its size and with its options.

    Raises BadSize, naming the largest size that fits, if its grid is too wide.
    """
    made = build(rules)
    if made.layout.width <= WIDEST:
        return made
    sizes = rules.sizes
    game: Any = rules
    largest = next(
        size
        for size in range(rules.size, sizes.low - 1, -sizes.step)
        if build(replace(game, size=size)).layout.width <= WIDEST
    )
    variant = write_variant(variant_of(rules))
    raise BadSize(f"{replace(sizes, high=largest)} in step mode with {variant}")


def build(rules: Rules) -> Board:
    made: Board = importlib.import_module(f"games.clicks.{rules.name}").Clicks(rules)
    return made
