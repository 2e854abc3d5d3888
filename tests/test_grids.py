"""Square and hexagonal grids against their definitions."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from games.grids import Grid, hexagon, square
from games.notation import write_vertex

SQUARES = [(square, size) for size in (1, 2, 3, 8, 25)]
HEXAGONS = [(hexagon, side) for side in (1, 2, 3, 6, 13)]
Shape = Callable[[int], Grid]


def adjacent(shape: Shape, one: tuple[int, int], other: tuple[int, int]) -> bool:
    right, up = other[0] - one[0], other[1] - one[1]
    if shape is square:
        return abs(right) + abs(up) == 1
    return (right, up) in {(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)}


@pytest.mark.parametrize(("shape", "size"), SQUARES)
def test_square_has_all_vertices(shape: Shape, size: int) -> None:
    assert len(shape(size)) == len(set(shape(size).vertices)) == size * size


@pytest.mark.parametrize(("shape", "side"), HEXAGONS)
def test_hexagon_has_its_cells(shape: Shape, side: int) -> None:
    """Six triangles of side - 1 around a centre; rows of side to 2·side - 1."""
    grid = shape(side)
    assert len(grid) == len(set(grid.vertices)) == 3 * side * (side - 1) + 1
    rows = [sum(y == row for _, y in grid.vertices) for row in range(2 * side - 1)]
    assert rows == [2 * side - 1 - abs(side - 1 - row) for row in range(2 * side - 1)]


@pytest.mark.parametrize(("shape", "size"), SQUARES + HEXAGONS)
def test_cells_are_numbered_in_notation_order(shape: Shape, size: int) -> None:
    grid = shape(size)
    assert list(grid.vertices) == sorted(grid.vertices)
    assert {grid.vertices[cell]: cell for cell in range(len(grid))} == grid.cells


@pytest.mark.parametrize(("shape", "size"), SQUARES[:4] + HEXAGONS[:4])
def test_neighbours(shape: Shape, size: int) -> None:
    grid = shape(size)
    for cell, vertex in enumerate(grid.vertices):
        near = [n for n, v in enumerate(grid.vertices) if adjacent(shape, vertex, v)]
        assert list(grid.neighbours[cell]) == near


@pytest.mark.parametrize(("shape", "size"), SQUARES[:4] + HEXAGONS[:4])
def test_rays(shape: Shape, size: int) -> None:
    """From each cell one ray a direction, straight and up to the rim."""
    grid = shape(size)
    for start, rays in enumerate(grid.rays):
        assert len(rays) == (4 if shape is square else 6)
        assert sorted(ray[0] for ray in rays if ray) == list(grid.neighbours[start])
        for ray in filter(None, rays):
            line = [grid.vertices[cell] for cell in (start, *ray)]
            steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)}
            assert len(steps) == 1
            (right, up) = steps.pop()
            beyond = (line[-1][0] + right, line[-1][1] + up)
            assert beyond not in grid.cells


def test_known_vertices() -> None:
    """The neighbours of E5, the centre of a hexagon of side 5."""
    grid = hexagon(5)
    near = grid.neighbours[grid.cells[4, 4]]
    names = [write_vertex(*grid.vertices[cell]) for cell in near]
    assert names == ["D4", "D5", "E4", "E6", "F5", "F6"]
