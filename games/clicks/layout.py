"""Where the board and the control cells lie on a grid of clicks.

The board keeps its vertices. A control is a cell outside the board for what a click
on the board cannot say. Controls lie in the corners that a hexagonal board leaves
free where there are enough, else in rows and columns that are added above and to
the right.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.notation import COLUMNS, Vertex

WIDEST = len(COLUMNS)


@dataclass(frozen=True, slots=True)
class Control:
    """What is written on a control cell, and its colour while it can be clicked."""

    label: str
    colour: str = "green"


END = Control("END")
PASS = Control("PASS")
SWAP = Control("SWAP")


@dataclass(frozen=True, slots=True)
class Layout:
    """A grid of `width` × `width` cells.

    The board is `cells`; `spare` cells are shown but mean nothing. All others are
    taken out of the grid.
    """

    width: int
    is_hexagonal: bool
    cells: frozenset[Vertex]
    controls: dict[Vertex, Control]
    spare: frozenset[Vertex] = frozenset()

    @property
    def places(self) -> dict[Control, Vertex]:
        return {control: vertex for vertex, control in self.controls.items()}

    def __contains__(self, vertex: Vertex) -> bool:
        return vertex in self.cells or vertex in self.controls or vertex in self.spare


def square(vertices: Iterable[Vertex], controls: Sequence[Control]) -> Layout:
    """A square board; the controls, one more than columns at most, lie above it."""
    cells = frozenset(vertices)
    side = side_of(cells)
    if not controls:
        return Layout(side, False, cells, {})
    placed = {(x, side): control for x, control in enumerate(controls)}
    return Layout(side + 1, False, cells, placed)


def hexagonal(vertices: Iterable[Vertex], controls: Sequence[Control]) -> Layout:
    """A hexagonal board; half of the controls in the upper left corner.

    What is taken out is the same when columns and rows are exchanged: a front end
    that mixes them up (GoGui) then still knows the right cells.
    """
    cells = frozenset(vertices)
    width = side_of(cells)
    half = (len(controls) + 1) // 2
    while len(corner := corner_outside(cells, width)) < half:
        width += 1
    places = corner[:half] + [(y, x) for x, y in corner[:half]]
    placed = dict(zip(places, controls, strict=False))
    return Layout(width, True, cells, placed, frozenset(places[len(controls) :]))


def side_of(cells: frozenset[Vertex]) -> int:
    return 1 + max(x for x, _ in cells)


def corner_outside(cells: frozenset[Vertex], width: int) -> list[Vertex]:
    """The cells outside the board and above the diagonal, the farthest first."""
    around = [(x, x + d) for d in range(width - 1, 0, -1) for x in range(width - d)]
    return [vertex for vertex in around if vertex not in cells]
