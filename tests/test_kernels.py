"""Compiled rules against the readable ones, on a few thousand random positions."""

import random

import pytest

from games import GAMES
from tools.kernel_check import all_rules, compare_game

SIZES = {"flipway": [2, 3, 4, 5, 12], "vaxandis": [1, 2, 3, 4, 5]}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_random_games(name: str) -> None:
    """Legal steps, side, result and state agree at every step of random games."""
    rules = list(all_rules(name, SIZES.get(name, [GAMES[name].sizes.low])))
    source = random.Random(1)
    games = 12 * len(rules)
    compared = sum(
        compare_game(rules[game % len(rules)], source, 60) for game in range(games)
    )

    assert compared > 2 * games
