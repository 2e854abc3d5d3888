"""What a hypothesis costs: how much likelihood the results lose under it.

The results are a sample of a multinomial distribution over the scores of a unit. A
hypothesis fixes one number of that distribution. Its cost is the logarithm of the
likelihood of the best distribution there is, less that of the best one that fits
the hypothesis. Costs up to half the 95 % point of chi-square make an interval; the
difference of two costs is the log-likelihood ratio of a sequential test.

With weights w and the hypothesis "the mean of a(score) is 0", the best distribution
is in proportion to w / (1 + θa), with the θ that brings the mean to 0 (Van den
Bergh, the papers that fishtest cites).
"""

from collections.abc import Sequence
from math import log1p, sqrt

from protocol.strength.counts import mean_score

NEGLIGIBLE = 1e-18  # what one more step may still add to a cost, per unit
INSIDE = 1 - 1e-14  # how far towards a pole, so that 1 + θa stays positive
STEADY = 1e-7  # change of the moments; the cost changes by its square
MOST_ROUNDS = 50  # reached only where rounding keeps the moments moving


def cost_of_mean(weights: Sequence[float], mean: float, rest: float) -> float:
    """The cost of "the mean score is `mean`", which lies inside 0 to 1.

    `weights`, all positive, belong to scores in equal steps from 0 to 1. `rest` is
    1 - mean, which the caller knows with all its digits.
    """
    last = len(weights) - 1
    values = [(k * rest - (last - k) * mean) / last for k in range(last + 1)]
    return _cost(weights, values, _tilt(weights, values))


def cost_of_ratio(weights: Sequence[float], ratio: float) -> float:
    """The cost of "the mean score is ½ plus `ratio` standard deviations".

    The deviation is the least of (s + E(score - m)² / s) / 2 over all m and s. So
    the hypothesis is one about a mean once m and s are known, and near the right
    ones the cost hardly depends on them: guess, solve, take those of the solution.
    For a positive ratio no solution has less than the ratio asked for, which keeps
    the next equation solvable.
    """
    if ratio < 0:
        return cost_of_ratio(weights[::-1], -ratio)
    guess = list(weights)
    mean, deviation = _moments(guess)
    while max(values := _tangent(len(guess), mean, deviation, ratio)) <= 0:
        guess[-1] += sum(guess)
        mean, deviation = _moments(guess)
    tilt = cost = 0.0
    for _ in range(MOST_ROUNDS):
        tilt = _tilt(weights, values, tilt)
        cost = _cost(weights, values, tilt)
        old = mean, deviation
        mean, deviation = _moments(
            [w / (1 + tilt * a) for w, a in zip(weights, values, strict=True)]
        )
        if abs(mean - old[0]) + abs(deviation - old[1]) < STEADY:
            break
        values = _tangent(len(guess), mean, deviation, ratio)
    return cost


def _moments(weights: Sequence[float]) -> tuple[float, float]:
    """The mean score and its standard deviation."""
    last = len(weights) - 1
    mean = mean_score(weights)
    squares = sum(w * (k / last - mean) ** 2 for k, w in enumerate(weights))
    return mean, sqrt(squares / sum(weights))


def _tangent(cells: int, mean: float, deviation: float, ratio: float) -> list[float]:
    """By score, what has mean 0 under the hypothesis if the moments are right."""
    last = cells - 1
    half = ratio / 2
    return [
        x - 0.5 - half * (deviation + (x - mean) ** 2 / deviation)
        for x in [k / last for k in range(cells)]
    ]


def _tilt(
    weights: Sequence[float], values: Sequence[float], guess: float = 0.0
) -> float:
    """The θ with sum(w a / (1 + θa)) = 0; `values` have both signs.

    That sum falls from +∞ to -∞ between the two poles next to 0. Newton's method on
    its product with the distances from both, which is finite there; halving where a
    step would leave the bracket.
    """
    start, end = low, high = -INSIDE / max(values), -INSIDE / min(values)
    enough = NEGLIGIBLE * sum(weights)
    tilt = guess if low < guess < high else 0.0
    for _ in range(100):
        slope = curve = 0.0
        for w, a in zip(weights, values, strict=True):
            part = a / (1 + tilt * a)
            slope += w * part
            curve += w * part * part
        if slope * slope <= enough * curve:
            break
        if slope > 0:
            low = tilt
        else:
            high = tilt
        poles = (tilt - start) * (end - tilt)
        fall = curve * poles - slope * (start + end - 2 * tilt)
        tilt = tilt + slope * poles / fall if fall > 0 else high
        if not low < tilt < high:
            tilt = (low + high) / 2
    return tilt


def _cost(weights: Sequence[float], values: Sequence[float], tilt: float) -> float:
    return sum(w * log1p(tilt * a) for w, a in zip(weights, values, strict=True))
