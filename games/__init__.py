"""Rules engines and the search player.

    contract    what a game provides
    errors      why a move was not played
    notation    vertices, and the order in which turns are listed
    variants    sizes and options of a game, as values and as text
    grids       cells, vertices and neighbours of square and hexagonal boards
    diagram     boards as text
    flipway     one module a game; its rules text is spec/<game>.md
    vaxandis
    perft       counting the sequences of turns
    kernels     the same rules as compiled loops, for the search only
    search      the players

Nothing here imports protocol or bin. Neither numba nor numpy is imported
outside kernels and the compiled half of search, which load on first use.
"""

from collections.abc import Mapping

from games.contract import Rules
from games.flipway import Flipway
from games.variants import parse_options
from games.vaxandis import Vaxandis

__version__ = "0.1.0"

GAMES: Mapping[str, type[Rules]] = {
    "flipway": Flipway,
    "vaxandis": Vaxandis,
}
"""Each game's rules by its protocol name."""


def open_game(
    name: str, size: int | None = None, variant: Mapping[str, str] | None = None
) -> Rules:
    """The rules of the game `name`, at its default size where none is given.

    `variant` maps option names to their values as text; a missing one keeps its
    default. Raises KeyError for an unknown game, BadSize or BadVariant.
    """
    game = GAMES[name]
    options = parse_options(game.options, variant or {})
    return game(game.sizes.default if size is None else size, **options)
