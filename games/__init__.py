"""Rules engines and the search player.

    contract    what a game provides
    errors      why a move was not played
    notation    vertices, and the order in which turns are listed
    variants    sizes and options of a game, as values and as text
    grids       cells, vertices and neighbours of square and hexagonal boards
    diagram     boards as text
    wythe, weft, yodd, vaxandis, flipway
                one module a game; its rules text is spec/<game>.md
    trapezia    the pieces of Weft as polygons: which of them meet, and how
    perft       counting the sequences of turns
    kernels     the same rules as compiled loops, for the search only
    search      the players

Nothing here imports protocol or bin. Neither numba nor numpy is imported
outside kernels and the compiled half of search, which load on first use.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.contract import Rules
from games.flipway import Flipway
from games.variants import parse_options, write_variant
from games.vaxandis import Vaxandis
from games.weft import Weft
from games.wythe import Wythe
from games.yodd import Yodd

__version__ = "0.1.0"

GAMES: Mapping[str, Rules] = {
    rules.name: rules for rules in (Wythe(), Weft(), Yodd(), Vaxandis(), Flipway())
}
"""Each game at its default size and variant, by its protocol name."""


def open_game(
    name: str, size: int | None = None, variant: Mapping[str, str] | None = None
) -> Rules:
    """The rules of the game `name`, at its default size where none is given.

    `variant` maps option names to their values as text; a missing one keeps its
    default. Raises KeyError for an unknown game, BadSize or BadVariant.
    """
    game: Any = GAMES[name]
    options: dict[str, Any] = parse_options(game.options, variant or {})
    opened: Rules = replace(game, size=game.size if size is None else size, **options)
    return opened


def described(rules: Rules) -> str:
    """Name, size and variant in one line.

    >>> described(open_game("weft", 4))
    'weft 4 pie=on'
    """
    return f"{rules.name} {rules.size} {write_variant(variant_of(rules))}"


def variant_of(rules: Rules) -> dict[str, str]:
    """The options of `rules` and their values as text, as `open_game` takes them."""
    return {o.name: o.write(getattr(rules, o.name)) for o in rules.options}
