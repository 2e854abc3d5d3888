r"""The pieces of Weft as polygons: which of them meet, and how.

Rules text: spec/weft.md. The § numbers below point into it.

A piece is (column, row, lean): the unit square that it mainly covers, and 0 or 1 as
the cut of its cell leans / or \. On a board the pieces are numbered in notation
order, `(column * size + row) * 2 + lean`: at size 4, piece 0 is A1/, piece 1 is A1\,
piece 2 is A2/ and piece 8 is B1/.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from games.notation import Vertex

LEANS = "/\\"
SHORT = Fraction(1, 2)  # the shorter parallel side; both together are 2

PERIOD = 4  # squares after which the pattern of the cells repeats
REACH = 2  # squares; a piece ends before the far side of the one next to its own

AT_POINT, ALONG_SIDE = 1, 2

Piece = tuple[int, int, int]
Corner = tuple[Fraction | int, Fraction | int]
Outline = tuple[Corner, ...]


def lies_flat(column: int, row: int) -> bool:
    """Whether the cell that a unit square belongs to is flat, not upright (§1)."""
    return (column // 2 + row // 2) % 2 == 0


def partner(column: int, row: int) -> Vertex:
    """The other unit square of the same cell."""
    return (column ^ 1, row) if lies_flat(column, row) else (column, row ^ 1)


def outline(piece: Piece, short: Fraction = SHORT) -> Outline:
    """The corners of a piece in order, in unit squares from the corner of A1 (§2)."""
    column, row, lean = piece
    flat = lies_flat(column, row)
    cut = 2 - short if lean else short
    end = 2 * ((column if flat else row) % 2)
    # Along the cell and across it, from its lower left corner.
    corners = ((end, 0), (cut, 0), (2 - cut, 1), (end, 1))
    if flat:
        return tuple((column - column % 2 + u, row + v) for u, v in corners)
    return tuple((column + v, row - row % 2 + u) for u, v in corners)


def contact(one: Outline, two: Outline) -> int:
    """How two pieces that do not overlap meet: AT_POINT, ALONG_SIDE or 0 (§4).

    What two convex polygons share is convex. If they do not overlap it is a stretch
    of a side, and both its ends are corners.
    """
    shared = {corner for corner in one if lies_on(corner, two)}
    shared |= {corner for corner in two if lies_on(corner, one)}
    return min(len(shared), ALONG_SIDE)


def lies_on(point: Corner, around: Outline) -> bool:
    """Whether a point lies on a side of the outline, ends included."""
    x, y = point
    return any(
        min(ax, bx) <= x <= max(ax, bx)
        and min(ay, by) <= y <= max(ay, by)
        and (bx - ax) * (y - ay) == (by - ay) * (x - ax)
        for (ax, ay), (bx, by) in zip(around, around[1:] + around[:1], strict=True)
    )


def in_parts(corners: Outline, parts: int) -> Outline:
    """An outline in whole parts of a unit square, which compare faster."""
    return tuple((int(x * parts), int(y * parts)) for x, y in corners)


@cache
def contacts(short: Fraction = SHORT) -> dict[Piece, dict[Piece, int]]:
    """What each piece on the first PERIOD columns and rows meets, and how.

    Pieces beyond the edges of a board are included.
    """
    inner = range(PERIOD)
    wide = range(-REACH, PERIOD + REACH)
    outlines = {
        piece: in_parts(outline(piece, short), short.denominator)
        for piece in product(wide, wide, range(2))
    }

    def around(piece: Piece) -> dict[Piece, int]:
        column, row, lean = piece
        columns = range(column - REACH, column + REACH + 1)
        rows = range(row - REACH, row + REACH + 1)
        overlapping = (
            piece,
            (column, row, 1 - lean),
            (*partner(column, row), 1 - lean),
        )
        return {
            other: how
            for other in product(columns, rows, range(2))
            if other not in overlapping
            and (how := contact(outlines[piece], outlines[other]))
        }

    return {piece: around(piece) for piece in product(inner, inner, range(2))}


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of one board, all by number.

    `rivals[p]` is the piece on the other square of p's cell that leans the other way,
    `edge_adjacent[p]` are the pieces edge adjacent to p, and `point_adjacent[p]`
    those point adjacent to it, each with the pieces that are edge adjacent to both.
    The last two are the pieces that touch the bottom and the top of the board, and
    its left and right.
    """

    rivals: tuple[int, ...]
    edge_adjacent: tuple[tuple[int, ...], ...]
    point_adjacent: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]
    bottom_top: tuple[frozenset[int], frozenset[int]]
    left_right: tuple[frozenset[int], frozenset[int]]


@cache
def pieces(size: int) -> Pieces:
    """
    >>> pieces(4).rivals[0], sorted(pieces(4).left_right[0])[:4]
    (9, [0, 1, 2, 3])
    """
    every = list(product(range(size), range(size), range(2)))
    number = {piece: at for at, piece in enumerate(every)}

    def adjacent(piece: Piece, how: int) -> tuple[int, ...]:
        column, row, lean = piece
        right, up = column - column % PERIOD, row - row % PERIOD
        found = contacts()[column - right, row - up, lean]
        moved = (((x + right, y + up, k), kind) for (x, y, k), kind in found.items())
        return tuple(number[p] for p, kind in moved if kind == how and p in number)

    edges = tuple(adjacent(piece, ALONG_SIDE) for piece in every)
    points = tuple(adjacent(piece, AT_POINT) for piece in every)

    def between(one: int, two: int) -> tuple[int, ...]:
        return tuple(piece for piece in edges[one] if piece in edges[two])

    def touching(axis: int, border: int) -> frozenset[int]:
        corners = ((at, corner) for at, p in enumerate(every) for corner in outline(p))
        return frozenset(at for at, corner in corners if corner[axis] == border)

    return Pieces(
        rivals=tuple(number[*partner(x, y), 1 - lean] for x, y, lean in every),
        edge_adjacent=edges,
        point_adjacent=tuple(
            tuple((other, between(one, other)) for other in points[one])
            for one in number.values()
        ),
        bottom_top=(touching(1, 0), touching(1, size)),
        left_right=(touching(0, 0), touching(0, size)),
    )
