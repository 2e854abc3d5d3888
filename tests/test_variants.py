"""Sizes and options of the games, as values and as text."""

from itertools import product

import pytest

from games import GAMES, open_game, variant_of
from games.errors import BadSize, BadVariant
from games.variants import (
    Option,
    Sizes,
    parse_options,
    parse_variant,
    write_variant,
)

OPTIONS = [option for game in GAMES.values() for option in game.options]
PIE = Option("pie", (True, False))


@pytest.mark.parametrize("name", GAMES)
def test_names(name: str) -> None:
    assert GAMES[name].name == name


@pytest.mark.parametrize("name", GAMES)
def test_sizes(name: str) -> None:
    """A game opens at its sizes and at no other."""
    sizes = GAMES[name].sizes
    assert open_game(name).size == sizes.default
    for size in range(-2, 30):
        if size in sizes:
            assert open_game(name, size).size == size
        else:
            with pytest.raises(BadSize) as caught:
                open_game(name, size)
            assert str(caught.value) == str(sizes)


def test_unknown_game() -> None:
    with pytest.raises(KeyError):
        open_game("chess")


@pytest.mark.parametrize(
    ("sizes", "members", "text"),
    [
        (Sizes(2, 5, 3), [2, 3, 4, 5], "2 to 5"),
        (Sizes(2, 8, 4, step=2), [2, 4, 6, 8], "2 to 8, even"),
    ],
)
def test_members(sizes: Sizes, members: list[int], text: str) -> None:
    assert [size for size in range(-9, 20) if size in sizes] == members
    assert str(sizes) == text


@pytest.mark.parametrize("name", GAMES)
def test_every_variant_round_trips(name: str) -> None:
    game = GAMES[name]
    for values in product(*(option.values for option in game.options)):
        chosen = dict(zip((o.name for o in game.options), values, strict=True))
        words = {
            option.name: option.write(chosen[option.name]) for option in game.options
        }
        text = write_variant(words)
        assert parse_options(game.options, parse_variant(text)) == chosen
        rules = open_game(name, variant=parse_variant(text))
        assert {key: getattr(rules, key) for key in chosen} == chosen
        assert variant_of(rules) == words


@pytest.mark.parametrize("name", GAMES)
def test_missing_options_have_their_defaults(name: str) -> None:
    defaults = {option.name: option.values[0] for option in GAMES[name].options}
    assert parse_options(GAMES[name].options, {}) == defaults
    assert open_game(name) == open_game(name, GAMES[name].sizes.default, {})
    assert open_game(name) == GAMES[name]


@pytest.mark.parametrize("option", [*OPTIONS, PIE], ids=str)
def test_option(option: Option) -> None:
    """Each value is written as one of the words, which reads as the value."""
    assert {option.write(value) for value in option.values} == set(option.words)
    for value in option.values:
        word = option.write(value)
        assert option.parse(word) == option.parse(word.upper()) == value


@pytest.mark.parametrize(
    ("text", "value"), [("on", True), ("1", True), ("off", False), ("0", False)]
)
def test_switch(text: str, value: bool) -> None:
    assert PIE.parse(text) is value


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", {}),
        ("-", {}),
        (" - ", {}),
        ("pie=on", {"pie": "on"}),
        ("setup=empty,pie=on", {"setup": "empty", "pie": "on"}),
        (" setup = empty , pie = on ", {"setup": "empty", "pie": "on"}),
    ],
)
def test_parse_variant(text: str, pairs: dict[str, str]) -> None:
    assert parse_variant(text) == pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pie", "expected key=value, got 'pie'"),
        ("pie=", "expected key=value, got 'pie='"),
        ("=on", "expected key=value, got '=on'"),
        ("pie=on,", "expected key=value, got ''"),
        ("pie=on,pie=off", "'pie' is given twice"),
    ],
)
def test_bad_variant(text: str, message: str) -> None:
    with pytest.raises(BadVariant) as caught:
        parse_variant(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"pie": "yes"}, "pie is 'yes', allowed: on off"),
        ({"phase": "2"}, "phase is '2', allowed: 0 1"),
        ({"setup": ""}, "setup is '', allowed: empty checkered checkered2x2"),
        ({"Pie": "on"}, "unknown option 'Pie', allowed: setup phase pie"),
    ],
)
def test_bad_option(chosen: dict[str, str], message: str) -> None:
    with pytest.raises(BadVariant) as caught:
        open_game("flipway", variant=chosen)
    assert str(caught.value) == message


def test_no_options() -> None:
    assert write_variant({}) == "-"
    with pytest.raises(BadVariant, match=r"^unknown option 'pie', allowed: none$"):
        parse_options((), {"pie": "on"})
