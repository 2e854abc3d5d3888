"""Weft against a slow program that compares all polygons with each other.

It shares nothing with games/: it lays one trapezium into every cell in the four ways
there are and reads the rules text literally, with exact fractions.
"""

import random
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import floor

import pytest

from games import open_game
from games.contract import SWAP
from games.notation import legal_tokens

HALF = Fraction(1, 2)
TRAPEZIUM = ((0, 0), (HALF, 0), (3 * HALF, 1), (0, 1))

Corner = tuple[Fraction, Fraction]
Outline = tuple[Corner, ...]
Side = tuple[Corner, Corner]


@cache
def outlines(size: int) -> dict[str, Outline]:
    """Every way to lay the trapezium into a cell, by its name."""
    found = {}
    for x, y in product(range(size), range(size)):
        flat = (x // 2 + y // 2) % 2 == 0
        if (x if flat else y) % 2:
            continue  # the far half of a cell
        for turned, over in product((False, True), repeat=2):
            piece = []
            for u, v in TRAPEZIUM:
                along, across = (2 - u if turned else u), (1 - v if over else v)
                right, up = (along, across) if flat else (across, along)
                piece.append((Fraction(x + right), Fraction(y + up)))
            found[name(tuple(piece))] = tuple(piece)
    return found


def name(outline: Outline) -> str:
    """The unit square around the middle of the corners, and the lean of the cut."""
    column, row = (floor(sum(c[axis] for c in outline) / 4) for axis in (0, 1))
    (ax, ay), (bx, by) = outline[1:3]
    lean = "/" if (bx - ax) * (by - ay) > 0 else "\\"
    return f"{'ABCDEFGHJKLMNOPQRSTUVWXYZ'[column]}{row + 1}{lean}"


def sides(outline: Outline) -> list[Side]:
    return list(pairwise((*outline, outline[0])))


def separation(one: Outline, two: Outline) -> Fraction:
    """The widest gap along the normal of a side: 0 if they touch, negative inside."""
    gaps = []
    for (ax, ay), (bx, by) in sides(one) + sides(two):
        first, second = (
            [(by - ay) * x - (bx - ax) * y for x, y in outline]
            for outline in (one, two)
        )
        gaps.append(max(min(second) - max(first), min(first) - max(second)))
    return max(gaps)


def share_a_length(one: Side, two: Side) -> bool:
    (ax, ay), (bx, by) = one
    along = (bx - ax, by - ay)
    if any(along[0] * (y - ay) != along[1] * (x - ax) for x, y in two):
        return False
    first, second = (
        sorted(along[0] * x + along[1] * y for x, y in side) for side in (one, two)
    )
    return max(first[0], second[0]) < min(first[1], second[1])


@cache
def relation(size: int, one: str, two: str) -> str:
    first, second = outlines(size)[one], outlines(size)[two]
    gap = separation(first, second)
    if gap:
        return "apart" if gap > 0 else "overlap"
    touching = product(sides(first), sides(second))
    return "edge" if any(share_a_length(*pair) for pair in touching) else "point"


def obeys_the_rules(size: int, colours: dict[str, str]) -> bool:
    for one, two in combinations(colours, 2):
        kind = relation(size, one, two)
        if kind == "overlap":
            return False
        if kind == "point" and colours[one] == colours[two]:
            own = (p for p in colours if colours[p] == colours[one])
            if not any(
                relation(size, p, one) == relation(size, p, two) == "edge" for p in own
            ):
                return False
    return True


def joins(size: int, mine: set[str], axis: int) -> bool:
    """Whether a chain of these pieces touches both edges across the axis."""

    def at(border: int) -> set[str]:
        return {p for p in mine if any(c[axis] == border for c in outlines(size)[p])}

    reached, grown = set(), at(0)
    while grown - reached:
        reached |= grown
        grown = {p for p in mine if any(relation(size, p, q) == "edge" for q in grown)}
    return bool(reached & at(size))


@pytest.mark.parametrize(
    ("size", "seed"), [*product((2, 4), range(10)), *product((6,), range(4))]
)
def test_random_game(size: int, seed: int) -> None:
    """The legal turns and the winner at every moment; every other game is swapped."""
    dice = random.Random(seed)
    position = open_game("weft", size).start()
    colours: dict[str, str] = {}
    axes = {"b": 1, "w": 0}
    while True:
        mover = position.to_move.letter
        legal = [
            piece
            for piece in outlines(size)
            if piece not in colours and obeys_the_rules(size, {**colours, piece: mover})
        ]
        assert set(legal) == set(legal_tokens(position)) - {SWAP}
        if len(colours) == 1 and mover == "w" and seed % 2:
            position = position.play(SWAP)
            colours = dict.fromkeys(colours, "w")
            axes = {"b": 0, "w": 1}
            continue
        turn = dice.choice(legal)
        colours[turn] = mover
        position = position.play(position.read(turn))
        won = [
            c
            for c, axis in axes.items()
            if joins(size, {p for p in colours if colours[p] == c}, axis)
        ]
        assert won == ([] if position.winner is None else [position.winner.letter])
        if won:
            break
