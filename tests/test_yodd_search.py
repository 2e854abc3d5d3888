"""The search on Yodd: turns of up to two steps, and boards small enough to solve."""

import random
from functools import cache

import pytest

from games.contract import PASS, Side, Turn
from games.search.player import Limits, Player
from games.search.settings import Settings
from games.search.uct import Search
from games.yodd import Yodd, YoddPosition
from tools.defences import beaten_line


def after(size: int, moves: str) -> YoddPosition:
    position = Yodd(size).start()
    for text in moves.split():
        position = position.play(position.read(text))
    return position


@cache
def random_game(size: int) -> list[YoddPosition]:
    dice = random.Random(size)
    positions = [Yodd(size).start()]
    while positions[-1].winner is None:
        positions.append(positions[-1].play(positions[-1].random_turn(dice)))
    return positions


@cache
def winner_of(position: YoddPosition) -> Side:
    """Who wins, tried to the end."""
    if position.winner is not None:
        return position.winner
    side = position.to_move
    wins = any(winner_of(position.play(turn)) is side for turn in position.turns())
    return side if wins else side.other


def winning_turns(position: YoddPosition) -> set[Turn]:
    side = position.to_move
    return {t for t in position.turns() if winner_of(position.play(t)) is side}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("size", "playouts", "turns"),
    [(1, 1, 3), (1, 900, 3), (2, 1, 15), (2, 900, 15), (13, 1, 6), (13, 2500, 2)],
)
def test_turns_are_whole_and_legal(
    size: int, playouts: int, turns: int, threads: int
) -> None:
    """From the start, where few cells are left, and before the last pass."""
    player = Player(Settings(seed=size, threads=threads))
    game = random_game(size)
    for position in (game[0], game[len(game) * 9 // 10], game[-2]):
        for _ in range(turns):
            if position.winner is None:
                turn = player.choose(position, Limits(playouts=playouts))
                position = position.play(turn)
                assert position.last == turn


@pytest.mark.parametrize("size", [1, 2])
def test_beats_every_defence(size: int) -> None:
    """As Black, each distinct position once."""
    start = Yodd(size).start()
    line, turns = beaten_line(start, Side.BLACK, Player(Settings()), playouts=20_000)

    assert line == ()
    assert turns > 1


def test_second_step_has_half_of_the_playouts() -> None:
    search = Search(after(6, "F6w"), Settings(), random.Random(1))
    search.run(Limits(playouts=300))
    turn = search.turn(Limits(playouts=300))

    assert isinstance(turn, tuple)
    assert search.position.play(turn).last == turn
    assert sum(child.visits for child in search.children()) >= 300


@pytest.mark.parametrize("empty", [0, 1])
def test_proofs_survive_a_tree_without_the_step(empty: int) -> None:
    """What one thread has proved, another that looked elsewhere must not undo."""
    dice = random.Random(1)
    met = 0
    for _ in range(20):
        position = Yodd(2).start()
        while position.winner is None:
            wins = winning_turns(position)
            if PASS not in wins and 0 < len(wins) < len(position.turns()) / 2:
                search = Search(position, Settings(threads=2), random.Random(1))
                search.run(Limits(playouts=20_000))
                search.trees[empty] = search._plant()
                assert search.turn(Limits(playouts=2)) in wins
                met += 1
            position = position.play(position.random_turn(dice))
    assert met > 10


@pytest.mark.parametrize("seed", range(3))
def test_passes_exactly_when_that_wins(seed: int) -> None:
    """White has passed: to pass is to end the game, with 0 groups to 1 or 1 to 0."""
    player = Player(Settings(seed=seed))
    ahead, behind = after(6, "F6w pass"), after(6, "F6b pass")

    assert player.choose(ahead, Limits(playouts=3000)) == PASS
    assert player.choose(behind, Limits(playouts=3000)) != PASS
