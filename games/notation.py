"""Vertices as text, and the order in which turns are listed. spec/protocol.md §5.

A vertex is a column letter, A to Z without I, and a row number from 1 at the
bottom. Inside the program it is a pair (column, row), both counted from 0: A1 is
(0, 0) and C12 is (2, 11).
"""

import re
from collections.abc import Iterable

from games.contract import Position

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
VERTEX = re.compile(r"([A-HJ-Z])([1-9][0-9]?)", re.IGNORECASE | re.ASCII)

Vertex = tuple[int, int]


def read_vertex(text: str) -> Vertex | None:
    """The vertex that `text` names on the largest board, else None.

    >>> read_vertex("c12")
    (2, 11)
    >>> read_vertex("I3") is None
    True
    """
    found = VERTEX.fullmatch(text)
    if not found:
        return None
    return COLUMNS.index(found[1].upper()), int(found[2]) - 1


def write_vertex(column: int, row: int) -> str:
    """
    >>> write_vertex(8, 0)
    'J1'
    """
    return f"{COLUMNS[column]}{row + 1}"


def notation_key(token: str) -> tuple[str, int, str]:
    """Sorts tokens into notation order: vertex first, `pass` and `swap` last.

    >>> sorted(["swap", "A10", "B2", "A9+B10", "pass"], key=notation_key)
    ['A9+B10', 'A10', 'B2', 'pass', 'swap']
    """
    found = VERTEX.match(token)
    if not found or token[0].islower():
        return "~", 0, token
    return found[1], int(found[2]), token[found.end() :]


def in_notation_order(tokens: Iterable[str]) -> list[str]:
    return sorted(tokens, key=notation_key)


def legal_tokens(position: Position) -> list[str]:
    """Every legal turn of `position` as text, in notation order."""
    return in_notation_order(map(position.rules.write, position.turns()))
