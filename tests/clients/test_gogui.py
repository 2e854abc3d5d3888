"""GoGui plays whole games of every game with the mouse."""

import random

import pytest

from clients.gogui import GoGui, ask, read_reply
from clients.program import EVERY_GAME, SIZES, Misunderstanding, arguments


@EVERY_GAME
def test_whole_game(game: str) -> None:
    """Somebody clicks at random and goes back now and then; the computer answers.

    Sometimes it is asked to go on with a turn. After the end it is asked again.
    """
    dice = random.Random(game)
    with GoGui(*arguments(game, "--steps", "--seed", "1")) as gogui:
        assert gogui.game == game.capitalize()
        while legal := gogui.legal():
            if gogui.to_move() == "W" or dice.random() < 0.2:
                gogui.compute()
            else:
                gogui.click(dice.choice(legal))
            if gogui.moves and dice.random() < 0.1:
                gogui.back(dice.randint(1, min(4, len(gogui.moves))))
        gogui.synchronize()
        result = ask(gogui.player, "final_score")
        winner, loser = result[0], "BW"[result[0] == "B"]
        word = {"B": "black", "W": "white"}[winner]
        said = ask(gogui.ruler, "gogui-rules_final_result")
        assert said == f"{word} wins: {result}"
        assert ask(gogui.player, f"genmove {loser.lower()}") == "resign"
        assert ask(gogui.player, f"genmove {winner.lower()}") == "pass"
        gogui.detach()


@pytest.mark.parametrize("game", ["flipway", "yodd"])
def test_escape(game: str) -> None:
    """The key stops a search of ten minutes, which answers with a legal click.

    Closing the window stops one as well.
    """
    given = ("--size", str(SIZES[game]), "--seconds", "600", "--seed", "1", "--steps")
    with GoGui("--game", game, *given) as gogui:
        gogui.synchronize()
        gogui.player.send("genmove b")
        gogui.player.send("# interrupt")
        answer = read_reply(gogui.player.line)
        assert answer.is_success
        gogui.add_computed("B", answer.text)
        gogui.player.send(f"genmove {gogui.to_move()}")
        gogui.player.stdin.close()
        assert read_reply(gogui.player.line).is_success
        gogui.player.end()


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
