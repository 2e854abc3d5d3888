"""Perft against the plainest count; the known numbers are in test_<game>."""

import pytest

from games import GAMES, open_game
from games.contract import Position
from games.perft import perft, split

STARTS = [
    (open_game(name, size).start(), depth)
    for name, game in GAMES.items()
    for size, depth in ((game.sizes.low, 4), (game.sizes.low + game.sizes.step, 2))
]
NAMES = [f"{start.rules} {depth}" for start, depth in STARTS]


def count(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(position.play(turn), depth - 1) for turn in position.turns())


@pytest.mark.parametrize(("start", "depth"), STARTS, ids=NAMES)
def test_perft(start: Position, depth: int) -> None:
    depths = range(1, depth + 1)
    assert list(perft(start, depth)) == [count(start, depth) for depth in depths]


@pytest.mark.parametrize(("start", "depth"), STARTS, ids=NAMES)
def test_split(start: Position, depth: int) -> None:
    parts = dict(split(start, depth))
    assert set(parts) == set(start.turns())
    for turn, turns in parts.items():
        assert turns == count(start.play(turn), depth - 1)


def test_depth_0() -> None:
    assert list(perft(open_game("flipway").start(), 0)) == []
