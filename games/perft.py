"""Perft: how many sequences of turns there are.

Equal positions at one depth are counted together, which needs memory for the
positions of two depths but saves nearly all of the time.
"""

from collections import Counter
from collections.abc import Iterator

from games.contract import Position, Turn


def perft(position: Position, depth: int) -> Iterator[int]:
    """The numbers of sequences of exactly 1, 2, ... `depth` turns from `position`.

    Finished games contribute nothing deeper; `swap` and `pass` are turns.
    """
    positions = {position: 1}
    for left in reversed(range(depth)):
        following: Counter[Position] = Counter()
        total = 0
        for current, ways in positions.items():
            turns = current.turns()
            total += ways * len(turns)
            if left:
                for turn in turns:
                    following[current.play(turn)] += ways
        yield total
        positions = dict(following)


def split(position: Position, depth: int) -> Iterator[tuple[Turn, int]]:
    """Each legal turn with the number of sequences of `depth` turns it starts."""
    for turn in position.turns():
        counts = list(perft(position.play(turn), depth - 1))
        yield turn, counts[-1] if counts else 1
