"""What a board of clicks is, and games whose clicks come in a fixed order.

A turn is made by one click or several, each a vertex of the grid. Clicks are said to
*fit* a turn if they are the beginning of a way to click it. Whoever uses a board
makes a turn as soon as, after at least one click, only one legal turn fits; so a
board needs an END only where a shorter turn is a part of a longer one.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from games.clicks import layout
from games.clicks.layout import Control, Layout
from games.contract import PASS, SWAP, Position, Side, Turn
from games.notation import Vertex

Clicked = tuple[Vertex, ...]

CONTROLS: dict[Turn, Control] = {SWAP: layout.SWAP, PASS: layout.PASS}
"""Where turns are clicked that name no cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A position for a front end that draws black and white stones, by vertex.

    `tints` are names of colours behind a cell, `edges` cells along an edge that a
    side must reach.
    """

    stones: Mapping[Vertex, Side]
    labels: Mapping[Vertex, str] = field(default_factory=dict)
    tints: Mapping[Vertex, str] = field(default_factory=dict)
    edges: Mapping[Vertex, Side] = field(default_factory=dict)


def edges_of(side: int, exchanged: bool) -> dict[Vertex, Side]:
    """Black's lower and upper edge, White's left and right one.

    Or the other way round if they are `exchanged`. Corners belong to both, so a
    board of 2 x 2 has none of these cells.
    """
    edges = {}
    for k in range(1, side - 1):
        for edge in (0, side - 1):
            edges[k, edge] = Side.WHITE if exchanged else Side.BLACK
            edges[edge, k] = Side.BLACK if exchanged else Side.WHITE
    return edges


class Board(Protocol):
    """The clicks of one game at one size. Positions are those of that game.

    No two clicks of a turn are the same, one after the other: a front end that sends
    a click twice must not have said something else.
    """

    layout: Layout

    def fitting(self, position: Position, clicks: Clicked) -> Iterator[Turn]:
        """The legal turns that fit, each once, found one by one as they are asked for.

        None if the clicks are not the beginning of any.
        """
        ...

    def following(self, position: Position, clicks: Clicked) -> Collection[Vertex]:
        """The clicks after which some turn still fits; for unfinished turns."""
        ...

    def rest(self, position: Position, clicks: Clicked, turn: Turn) -> Clicked:
        """The clicks that make `turn` from here; it may be made before the last."""
        ...

    def named(self, turn: Turn) -> Collection[Vertex]:
        """The cells that a turn names, or the control cell of one that names none."""
        ...

    def stones(self, position: Position, clicks: Clicked) -> Mapping[Vertex, Side]:
        """Of the clicked cells on which a stone of this colour will stand."""
        ...

    def picture(self, position: Position) -> Picture: ...


P = TypeVar("P", bound=Position)


class Ordered(ABC, Generic[P]):
    """The clicks of a game in which each turn has one order of clicks.

    No turn's clicks may be the beginning of another's.
    """

    layout: Layout

    @abstractmethod
    def cells_of(self, turn: Turn) -> Clicked:
        """All clicks of a turn, unless it is `swap` or `pass`."""

    def path(self, turn: Turn) -> Clicked:
        """All clicks of a turn."""
        if turn in CONTROLS:
            return (self.layout.places[CONTROLS[turn]],)
        return self.cells_of(turn)

    def fitting(self, position: P, clicks: Clicked) -> Iterator[Turn]:
        count = len(clicks)
        return (t for t in position.turns() if self.path(t)[:count] == clicks)

    def following(self, position: P, clicks: Clicked) -> Collection[Vertex]:
        count = len(clicks)
        return {self.path(turn)[count] for turn in self.fitting(position, clicks)}

    def rest(self, position: P, clicks: Clicked, turn: Turn) -> Clicked:
        return self.path(turn)[len(clicks) :]

    def named(self, turn: Turn) -> Collection[Vertex]:
        path = self.path(turn)
        return [vertex for vertex in path if vertex in self.layout.cells] or path

    def stones(self, position: P, clicks: Clicked) -> Mapping[Vertex, Side]:
        return {}
