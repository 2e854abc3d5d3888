"""Square boards as text, for `showboard`."""

from collections.abc import Callable

from games.notation import COLUMNS


def square_board(
    columns: int, rows: int, cell: Callable[[int, int], str], width: int = 3
) -> list[str]:
    """Lines from the top row down, letters and numbers on all four sides.

    `cell` is asked for the text at (column, row), `width` characters wide.
    """
    letters = " " * 3 + "".join(COLUMNS[x].center(width) for x in range(columns))
    lines = [letters.rstrip()]
    for y in reversed(range(rows)):
        cells = "".join(cell(x, y) for x in range(columns))
        lines.append(f"{y + 1:>2} {cells} {y + 1}")
    return [*lines, letters.rstrip()]


def hexagonal_board(
    side: int, cell: Callable[[int, int], str], width: int = 4
) -> list[str]:
    """Lines from the top row down; rows are level, columns lean to the left.

    `cell` is asked for the text at (column, row), at most `width` characters, an
    even number. Row numbers stand at both ends of a row, column letters beyond both
    ends of a column.
    """
    last = 2 * side - 2
    lines: dict[int, dict[int, str]] = {y: {} for y in range(-1, last + 2)}

    def put(x: int, y: int, text: str) -> None:
        lines[y][x * width + (last - y) * width // 2] = text

    for x in range(last + 1):
        low, high = max(0, x - side + 1), min(last, x + side - 1)
        for y in range(low, high + 1):
            put(x, y, cell(x, y))
        put(x, high + 1, COLUMNS[x])
        put(x, low - 1, COLUMNS[x])
    for y in range(last + 1):
        low, high = max(0, y - side + 1), min(last, y + side - 1)
        put(low - (2 if y >= side else 1), y, str(y + 1))
        put(high + (2 if y < side - 1 else 1), y, str(y + 1))
    left = min(at for line in lines.values() for at in line)
    return [spread(lines[y], left, width) for y in sorted(lines, reverse=True)]


def spread(parts: dict[int, str], left: int, width: int) -> str:
    """One line with each part centred in the `width` columns at its place."""
    text = ""
    for at, part in sorted(parts.items()):
        text = text.ljust(at - left) + part.center(width)
    return text.rstrip()
