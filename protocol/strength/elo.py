"""How much stronger one player is than the other, from their results.

Elo follows from the mean score alone. Normalized Elo is the mean over the deviation
of a game, so it tells how many games it takes to see the difference. The errors are
symmetric and for 95 %, as fastchess, cutechess and fishtest print them: too narrow
for few games or lopsided scores, where the interval of the likelihood is not.
"""

from dataclasses import dataclass
from math import erfc, inf, log, log10, sqrt

from protocol.strength.counts import Counts, mean_score
from protocol.strength.likelihood import cost_of_mean

PER_LOGIT = 400 / log(10)  # Elo per unit of log odds
PER_DEVIATION = 800 / log(10)  # normalized Elo per standard deviation of a game
SIGMAS = 1.959963984540054  # either way, around 95 % of a normal distribution
FARTHEST = 10_000.0  # Elo; every interval with a finite end ends before


@dataclass(frozen=True, slots=True)
class Estimate:
    """The first-named player over the other, in Elo, errors and interval for 95 %.

    An error is infinite where it would reach a score of 0 or 1. It is 0 where all
    units are alike: then only the interval, from `low` to `high`, tells anything.
    `los` is the likelihood of superiority.
    """

    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    low: float
    high: float
    los: float


def estimate(counts: Counts) -> Estimate | None:
    """All about the two players; None before their first game."""
    if not counts.units:
        return None
    nelo, nelo_error = _normalized(counts)
    low, high = _interval(counts)
    return Estimate(
        elo=elo_of(counts.score),
        elo_error=_error(counts),
        nelo=nelo,
        nelo_error=nelo_error,
        low=low,
        high=high,
        los=_superiority(counts),
    )


def expected(elo: float) -> float:
    """The score of a player that much stronger, up to FARTHEST either way.

    >>> expected(0), round(expected(-400), 4)
    (0.5, 0.0909)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference at which `score` is expected; infinite from 0 down and 1 up.

    >>> round(elo_of(0.6), 2), elo_of(1)
    (70.44, inf)
    """
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


def _error(counts: Counts) -> float:
    if not 0 < counts.score < 1:
        return inf
    reach = SIGMAS * sqrt(counts.variance / counts.units)
    return (elo_of(counts.score + reach) - elo_of(counts.score - reach)) / 2


def _normalized(counts: Counts) -> tuple[float, float]:
    """Normalized Elo and its error."""
    error = SIGMAS * PER_DEVIATION / sqrt(counts.games)
    lead = counts.score - 0.5
    if not lead:
        return 0.0, error
    if not counts.variance:
        return inf if lead > 0 else -inf, inf
    games_per_unit = counts.games / counts.units
    return lead / sqrt(games_per_unit * counts.variance) * PER_DEVIATION, error


def _interval(counts: Counts) -> tuple[float, float]:
    """From the least to the greatest difference that the results do not rule out."""
    weights = counts.weights
    best = elo_of(mean_score(weights))

    def end(outside: float) -> float:
        inside = best
        while abs(outside - inside) > 1e-6:
            middle = (inside + outside) / 2
            cost = cost_of_mean(weights, expected(middle), expected(-middle))
            if cost <= SIGMAS**2 / 2:
                inside = middle
            else:
                outside = middle
        return inside

    return (
        end(-FARTHEST) if counts.score > 0 else -inf,
        end(FARTHEST) if counts.score < 1 else inf,
    )


def _superiority(counts: Counts) -> float:
    """By the normal distribution of the mean score.

    Units that are all alike have no deviation. Then by the Beta distribution of the
    share of units won, which is uniform before the first one.
    """
    lead = counts.score - 0.5
    if counts.variance:
        return erfc(-lead / sqrt(2 * counts.variance / counts.units)) / 2
    if not lead:
        return 0.5
    other = 0.5 ** (counts.units + 1)
    return 1 - other if lead > 0 else other
