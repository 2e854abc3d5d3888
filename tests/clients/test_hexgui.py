"""HexGui starts every game and comes as far as its own words let it."""

import random

import pytest

from clients.hexgui import HexGui, Unreadable
from clients.program import (
    EVERY_GAME,
    SIZES,
    Misunderstanding,
    Program,
    arguments,
    rules_of,
)
from games import clicks


@EVERY_GAME
def test_game_of_turns(game: str) -> None:
    """The engine has a turn as its answer, which the window may not know."""
    with Program(*arguments(game, "--seed", "1")) as program:
        hexgui = HexGui(program, SIZES[game])
        with pytest.raises(Unreadable):
            play_on(hexgui)
        hexgui.new_game(SIZES[game])
        assert hexgui.ask("side_to_move") == "black"
        hexgui.ask("quit")
        program.end()


def play_on(hexgui: HexGui) -> None:
    for number in range(100):
        hexgui.compute(("black", "white")[number % 2])


@EVERY_GAME
def test_game_of_clicks(game: str) -> None:
    """The window alternates sides, so it comes to the end of a turn or to a pass."""
    dice = random.Random(game)
    width = clicks.load(rules_of(game)).layout.width
    with Program(*arguments(game, "--steps", "--seed", "1")) as program:
        hexgui = HexGui(program, width)
        before = hexgui.ask("showboard")
        legal = hexgui.ask("all_legal_moves").lower().split(" ")
        assert hexgui.play("black", dice.choice(legal))
        if hexgui.ask("side_to_move") == "white":
            assert hexgui.compute("white") in legal
            hexgui.undo()
        else:
            assert not hexgui.play("white", dice.choice(legal))
            hexgui.moves.pop()
            with pytest.raises(Unreadable, match="pass"):
                hexgui.compute("white")
            hexgui.ask("undo")
        hexgui.undo()
        assert hexgui.ask("showboard") == before
        hexgui.compute("black")
        hexgui.new_game(width)
        assert hexgui.ask("showboard") == before
        hexgui.ask("quit")
        program.end()


def test_it_understands_nothing_but_success() -> None:
    with Program(*arguments("flipway", "--seed", "1")) as program:
        hexgui = HexGui(program, SIZES["flipway"])
        assert not hexgui.play("black", "i1")
        with pytest.raises(Misunderstanding):
            hexgui.ask("boardsize 99 99")
