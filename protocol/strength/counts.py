"""How often each result came up: what every estimate about two players starts from.

A unit is a game, or a pair of games with colours exchanged. The two games of a pair
share their opening, so that only whole pairs are independent of each other; games
are counted one by one where they were not played in pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

MOST = 10**9  # units in a cell; beyond, the lightest cells drown in rounding
EMPTY_CELL = 1e-3  # what no unit at all weighs in a likelihood, as in fishtest


@dataclass(frozen=True, slots=True)
class Counts:
    """Units by the points of the first-named player, from none to all.

    `cells` are three for games (lost, drawn, won) or five for pairs (0, ½, 1, 1½, 2
    points). Raises ValueError for any other number, and for a cell below 0 or above
    MOST.
    """

    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.cells) not in (3, 5):
            raise ValueError(f"expected 3 or 5 counts, got {len(self.cells)}")
        for units in self.cells:
            if not 0 <= units <= MOST:
                raise ValueError(f"a count is from 0 to {MOST}, not {units}")

    @classmethod
    def written(cls, numbers: Sequence[int]) -> "Counts":
        """As people write them: W L D, or LL LD DD/WL WD WW.

        >>> Counts.written([60, 40, 0])
        Counts(cells=(40, 0, 60))
        """
        if len(numbers) == 3:
            won, lost, drawn = numbers
            return cls((lost, drawn, won))
        return cls(tuple(numbers))

    @property
    def are_pairs(self) -> bool:
        return len(self.cells) == 5

    @property
    def units(self) -> int:
        return sum(self.cells)

    @property
    def games(self) -> int:
        return self.units * (2 if self.are_pairs else 1)

    @property
    def score(self) -> float:
        """Mean points a game, 0 to 1. There must be a unit."""
        return mean_score(self.cells)

    @property
    def variance(self) -> float:
        """Of the points a game that one unit brings. There must be a unit."""
        last = len(self.cells) - 1
        score = self.score
        squares = (n * (k / last - score) ** 2 for k, n in enumerate(self.cells))
        return sum(squares) / self.units

    @property
    def weights(self) -> tuple[float, ...]:
        """The cells as a likelihood takes them, none of them 0."""
        return tuple(units or EMPTY_CELL for units in self.cells)


def mean_score(weights: Sequence[float]) -> float:
    """Of scores in equal steps from 0 to 1. The weights must not be all 0."""
    points = sum(k * w for k, w in enumerate(weights))
    return points / sum(weights) / (len(weights) - 1)
