"""GoGui plays whole games of every game with the mouse."""

import random
from importlib.util import find_spec

import pytest

from clients.gogui import GoGui, ask, read_reply
from clients.program import EVERY_GAME, SIZES, Misunderstanding, arguments


@EVERY_GAME
def test_whole_game(game: str) -> None:
    """Somebody clicks at random, goes back now and then; the computer answers."""
    dice = random.Random(game)
    with GoGui(*arguments(game, "--steps", "--seed", "1")) as gogui:
        assert gogui.game == game.capitalize()
        while legal := gogui.legal():
            if gogui.to_move() == "W":
                gogui.compute()
            else:
                gogui.click(dice.choice(legal))
            if gogui.moves and dice.random() < 0.1:
                gogui.back(dice.randint(1, min(4, len(gogui.moves))))
        result = ask(gogui.ruler, "final_score")
        winner = {"B": "black", "W": "white"}[result[0]]
        said = ask(gogui.ruler, "gogui-rules_final_result")
        assert said == f"{winner} wins: {result}"
        gogui.detach()


@EVERY_GAME
def test_the_computer_goes_on_with_a_turn(game: str) -> None:
    """It may be asked in the middle of a turn, and after going back into one."""
    with GoGui(*arguments(game, "--steps", "--seed", "2")) as gogui:
        for _ in range(3):
            gogui.compute()
        gogui.back(1)
        gogui.compute()
        for vertex in gogui.legal()[:1]:
            gogui.click(vertex)
            gogui.compute()
        gogui.detach()


@EVERY_GAME
def test_after_the_end(game: str) -> None:
    """It asks again: the loser resigns, the winner passes."""
    dice = random.Random(game)
    with GoGui(*arguments(game, "--steps", "--seed", "1")) as gogui:
        while legal := gogui.legal():
            gogui.click(dice.choice(legal))
        assert ask(gogui.player, "gogui-rules_legal_moves")
        gogui._synchronize()
        assert ask(gogui.player, "gogui-rules_legal_moves") == ""
        answers = {c: ask(gogui.player, f"genmove {c.lower()}") for c in "BW"}
        winner = ask(gogui.player, "final_score")[0]
        loser = "W" if winner == "B" else "B"
        assert answers == {winner: "pass", loser: "resign"}
        gogui.detach()


@EVERY_GAME
def test_escape(game: str) -> None:
    """The key stops a search of ten minutes, which answers with a legal click."""
    if not find_spec(f"games.kernels.{game}"):
        pytest.skip("the game has no search")
    given = ("--size", str(SIZES[game]), "--seconds", "600", "--seed", "1", "--steps")
    with GoGui("--game", game, *given) as gogui:
        gogui._synchronize()
        gogui.player.send("genmove b")
        gogui.player.send("# interrupt")
        answer = read_reply(gogui.player.line)
        assert answer.is_success
        gogui.add_computed("B", answer.text)
        gogui.detach()


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("= \n\n", ""),
        ("= D4\n\n", "D4"),
        ("=7 D4\n\n", "D4"),
        ("= \nfoo bar\n\n", "\nfoo bar"),
        ("=\nfoo bar\nbaz\n\n", "bar\nbaz"),
        ("=12\n\n", "12"),
        ("= D4\n \n\n", "D4\n "),
        ("noise\n= D4\n\n", None),
        (" = D4\n\n", None),
        ("\n= D4\n\n", None),
        ("= D4\r\n\r\n\n", None),
    ],
)
def test_reply(sent: str, text: str | None) -> None:
    """It reads what GoGui was seen to read, and is stricter where that warns."""
    lines = iter(sent.split("\n"))
    if text is None:
        with pytest.raises(Misunderstanding):
            read_reply(lambda: next(lines))
    else:
        assert read_reply(lambda: next(lines)).text == text
