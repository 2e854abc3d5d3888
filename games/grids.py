"""The geometry that boards share: cells by number, their vertices and neighbours.

A grid numbers its cells in notation order, by column and then by row, so that
ascending numbers are ascending vertices. A vertex is (column, row) from (0, 0).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from games.notation import Vertex

ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))

# Columns and rows of a hexagonal board are two of its three axes (spec/protocol.md §5).
HEXAGONAL = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True, slots=True)
class Grid:
    """`vertices[c]` is the vertex of cell c, `cells` the way back.

    `neighbours[c]` are the cells next to c, ascending; `rays[c]` the cells that lie
    behind one another in each direction, nearest first, empty where the board ends.
    """

    vertices: tuple[Vertex, ...]
    cells: dict[Vertex, int]
    neighbours: tuple[tuple[int, ...], ...]
    rays: tuple[tuple[tuple[int, ...], ...], ...]

    def __len__(self) -> int:
        return len(self.vertices)


@cache
def square(size: int) -> Grid:
    """`size` × `size` cells; four directions.

    >>> square(3).neighbours[square(3).cells[0, 1]]
    (0, 2, 4)
    """
    return build([(x, y) for x in range(size) for y in range(size)], ORTHOGONAL)


@cache
def hexagon(side: int) -> Grid:
    """A hexagon with `side` cells along each edge; six directions.

    Columns and rows run from 0 to 2·side - 2, and a cell (x, y) exists when
    |x - y| < side.

    >>> len(hexagon(5))
    61
    """
    span = range(2 * side - 1)
    return build([(x, y) for x in span for y in span if abs(x - y) < side], HEXAGONAL)


def build(vertices: list[Vertex], directions: Sequence[Vertex]) -> Grid:
    cells = {vertex: cell for cell, vertex in enumerate(vertices)}

    def ray(vertex: Vertex, direction: Vertex) -> tuple[int, ...]:
        seen = []
        x, y = vertex
        while (x := x + direction[0], y := y + direction[1]) in cells:
            seen.append(cells[x, y])
        return tuple(seen)

    rays = tuple(tuple(ray(v, d) for d in directions) for v in vertices)
    near = tuple(tuple(sorted(r[0] for r in around if r)) for around in rays)
    return Grid(tuple(vertices), cells, near, rays)
