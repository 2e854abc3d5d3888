"""Perft: how many sequences of turns there are.

Equal positions at one depth are counted together, which needs memory for the
positions of two depths but saves nearly all of the time.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, Self


class Countable(Protocol):
    """What perft needs of a position; equal ones must have equal futures."""

    def turns(self) -> Sequence[Any]: ...

    def play(self, turn: Any) -> Self: ...


def perft(position: Countable, depth: int) -> Iterator[int]:
    """The numbers of sequences of exactly 1, 2, ... `depth` turns from `position`.

    Finished games contribute nothing deeper; `swap` and `pass` are turns.
    """
    positions: dict[Countable, int] = {position: 1}
    for left in reversed(range(depth)):
        following: Counter[Countable] = Counter()
        total = 0
        for current, ways in positions.items():
            turns = current.turns()
            total += ways * len(turns)
            if left:
                for turn in turns:
                    following[current.play(turn)] += ways
        yield total
        positions = following


def split(position: Countable, depth: int) -> Iterator[tuple[Any, int]]:
    """Each legal turn with the number of sequences of `depth` turns it starts."""
    for turn in position.turns():
        counts = list(perft(position.play(turn), depth - 1))
        yield turn, counts[-1] if counts else 1
