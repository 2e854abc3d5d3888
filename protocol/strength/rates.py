"""Shares of games: how many the first player won, in how many the pie was swapped."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from protocol.strength.elo import SIGMAS
from protocol.strength.ratings import Pairing


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many; a drawn game may be half a hit."""

    hits: float
    trials: int

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.hits / self.trials if self.trials else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval for 95 %; None of nothing.

        >>> [round(end, 4) for end in Rate(60, 100).interval]
        [0.502, 0.6906]
        """
        if not self.trials:
            return None
        extra = SIGMAS**2 / self.trials
        share = self.hits / self.trials
        middle = share + extra / 2
        reach = sqrt(extra * share * (1 - share) + extra**2 / 4)
        low, high = (middle - reach) / (1 + extra), (middle + reach) / (1 + extra)
        return min(max(0.0, low), share), max(min(1.0, high), share)


def first_player_rate(pairings: Iterable[Pairing]) -> Rate:
    """The points of whoever moved first, over all games."""
    played = list(pairings)
    points = sum(pairing.wins + pairing.draws / 2 for pairing in played)
    return Rate(points, sum(pairing.games for pairing in played))
