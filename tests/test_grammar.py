"""Lines taken apart, and the words that commands are made of."""

import random
from typing import Any

import pyparsing as pp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES
from games.contract import Side
from games.errors import UnreadableMove
from protocol.grammar import COLOR, NATURAL, REAL, TURN, Command, parse


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("undo", Command("", "undo", "")),
        ("7 undo", Command("7", "undo", "")),
        ("007  undo ", Command("007", "undo", "")),
        ("7", Command("7", "", "")),
        ("7 8 undo", Command("7", "8", "undo")),
        ("7undo", Command("", "7undo", "")),
        ("-7 undo", Command("", "-7", "undo")),
        ("play b  C3+D4 ", Command("", "play", "b  C3+D4")),
        ("\tplay\tb", Command("", "play", "b")),
        ("12 né", Command("12", "né", "")),
        ("né é", Command("", "né", "é")),
        ("12 \u2028", Command("12", "\u2028", "")),
        ("name \xa0", Command("", "name", "\xa0")),
        ("٣ name", Command("", "٣", "name")),
        ("", Command("", "", "")),
    ],
)
def test_parse(line: str, command: Command) -> None:
    assert parse(line) == command


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_every_line_is_a_command(line: str) -> None:
    """Nothing is lost but blanks."""
    command = parse(line)
    parts = (command.id, command.name, command.rest)
    assert "".join(parts).replace(" ", "") == line.replace(" ", "")
    assert not set(command.id) - set("0123456789")
    assert " " not in command.name
    assert not command.rest or command.name


def value(element: pp.ParserElement, text: str) -> Any:
    (found,) = element.parse_string(text, parse_all=True)
    return found


@pytest.mark.parametrize(
    ("text", "side"),
    [
        *((text, Side.BLACK) for text in ("b", "B", "black", "BLACK", "Black")),
        *((text, Side.WHITE) for text in ("w", "W", "white", "WHITE", "wHITE")),
    ],
)
def test_color(text: str, side: Side) -> None:
    assert value(COLOR, text) is side


@pytest.mark.parametrize("text", ["", "x", "bb", "bl", "blac", "blackk", "b,", "b-"])
def test_no_color(text: str) -> None:
    with pytest.raises(pp.ParseException):
        value(COLOR, text)


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("007", 7), ("9" * 18, 10**18 - 1)]
)
def test_natural(text: str, number: int) -> None:
    assert value(NATURAL, text) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1.0", "1e3", "x", "٣", "1x", "9" * 301]
)
def test_no_natural(text: str) -> None:
    with pytest.raises(pp.ParseException):
        value(NATURAL, text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("6.5", 6.5), ("-0.5", -0.5), ("+7", 7), ("7.", 7), (".5", 0.5), ("0", 0)),
        *(("1e3", 1000), ("1.5E-1", 0.15), ("1e99", 1e99), ("0" * 300, 0)),
        *(("1e300", 1e300), ("9e999", 1e300), ("-" + "9" * 300 + "e9", -1e300)),
    ],
)
def test_real(text: str, number: float) -> None:
    assert value(REAL, text) == number


@pytest.mark.parametrize(
    "text",
    ["", ".", "-", "1,5", "1e", "1e1000", "nan", "inf", "0x1", "1_0", "--1", "1 2"],
)
def test_no_real(text: str) -> None:
    with pytest.raises(pp.ParseException):
        value(REAL, text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "A1",
            "z25",
            "h99",
            "C3+D4",
            "C3:D4",
            "E5-H8",
            "C4b",
            "C4b+D7w",
            "C3/",
            "C3\\",
        ),
        *("c3L", "C3r", "pass", "swap", "swap-pieces", "resign"),
        "A1+A2+A3+A4+A5+A6+A7+A8",
    ],
)
def test_turn(text: str) -> None:
    assert value(TURN, text) == text


@pytest.mark.parametrize("text", ["PASS", "Swap", "SWAP-PIECES", "Resign"])
def test_names_of_turns_in_any_case(text: str) -> None:
    assert value(TURN, text) == text.lower()


@pytest.mark.parametrize(
    "text",
    [
        *("A", "1", "A0", "A01", "A100", "I1", "AA1", "A1+", "+A1", "A1++B2", "A1B2"),
        *(
            "A1,B2",
            "A1x",
            "C3bw",
            "passes",
            "swap+A1",
            "A1+swap",
            "swap-piece",
            "é",
            "A1é",
        ),
        "A1+A2+A3+A4+A5+A6+A7+A8+A9",
        "A1" + "+A1" * 80_000,
    ],
)
def test_no_turn(text: str) -> None:
    with pytest.raises(
        UnreadableMove, match=r"^expected a turn( without column I)?, got "
    ):
        value(TURN, text)


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", range(5))
def test_turns_of_games_have_the_shape_of_turns(game: str, seed: int) -> None:
    """Whatever a game writes passes through the grammar, in either case."""
    dice = random.Random(seed)
    position = GAMES[game].start()
    for _ in range(12):
        if position.winner is not None:
            break
        turn = position.random_turn(dice)
        for text in (token := position.rules.write(turn), token.lower()):
            assert position.read(value(TURN, text)) == turn
        position = position.play(turn)
    assert position.last is not None
