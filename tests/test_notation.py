"""Vertices as text, and notation order."""

import random
from itertools import product

import pytest

from games.notation import (
    COLUMNS,
    in_notation_order,
    notation_key,
    read_vertex,
    write_vertex,
)

VERTICES = list(product(range(25), repeat=2))


def test_columns() -> None:
    assert "".join(sorted(set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") - {"I"})) == COLUMNS


def test_every_vertex_round_trips() -> None:
    for vertex in VERTICES:
        text = write_vertex(*vertex)
        assert read_vertex(text) == read_vertex(text.lower()) == vertex
    assert len({write_vertex(*vertex) for vertex in VERTICES}) == len(VERTICES)


@pytest.mark.parametrize(
    ("text", "vertex"),
    [
        ("A1", (0, 0)),
        ("h8", (7, 7)),
        ("J9", (8, 8)),
        ("z25", (24, 24)),
        ("B10", (1, 9)),
    ],
)
def test_read(text: str, vertex: tuple[int, int]) -> None:
    assert read_vertex(text) == vertex


@pytest.mark.parametrize(
    "text",
    [
        *("", "A", "1", "I5", "i5", "A0", "A00", "A01", "A-1", "A+1", "A100", "AA1"),
        *("A1 ", " A1", "A 1", "A1\n", "A1.", "1A", "A1A", "pass", "swap", "A1+B2"),
        *("Á1", "Ａ1", "A１", "A١", "A²", "ı1", "\N{KELVIN SIGN}3"),
    ],
)
def test_unreadable(text: str) -> None:
    assert read_vertex(text) is None


def test_vertices_are_ordered_by_column_then_row() -> None:
    tokens = [write_vertex(*vertex) for vertex in VERTICES]
    mixed = random.Random(1).sample(tokens, len(tokens))
    assert in_notation_order(mixed) == tokens


@pytest.mark.parametrize(
    "tokens",
    [
        "A2 A10 B1",
        "H1 J1 K1",
        "A1 A1+A2 A1+B1 A2",
        "A9+B10 A10 A10+B9",
        "A1-A2 A1-B1 A2-A1",
        "C3/ C3\\ C4/",
        "A1b A1b+A2w A1w Z25w pass",
        "-A1 pass swap",
        "Z25 pass swap",
    ],
)
def test_order(tokens: str) -> None:
    wanted = tokens.split()
    assert in_notation_order(reversed(wanted)) == wanted
    assert len(set(map(notation_key, wanted))) == len(wanted)
