"""Ratings of many players from all their games: the model of Bradley and Terry.

The first player is expected to score 1 / (1 + 10^(-d/400)), where d is its rating
less that of the second, plus an advantage of moving first that is the same for all.
Ratings and advantage are those with the greatest likelihood; a draw is half a win.

Only differences of ratings mean anything, so their errors come from the whole
covariance matrix: the error of one rating alone is against the mean of the pool or
against the anchor, as the rating is. Where the results leave anything without a
bound, every player is given two drawn games against a player of the mean strength,
and first and second players two against each other; `Ratings.prior` then says why.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log1p, sqrt

from protocol.strength.elo import PER_LOGIT, SIGMAS

PRIOR_DRAWS = 2  # and so one point
PRECISE = 1e-12  # squared, a step in units of the errors
MOST_STEPS = 500


@dataclass(frozen=True, slots=True)
class Pairing:
    """The games of one player, moving first, against another."""

    first: str
    second: str
    wins: int = 0  # of the first player
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of the players, with errors for 95 %.

    players       in the order they were named or met
    elo           of each, relative to the mean of all or to the anchor
    covariance    of `elo`, in Elo²
    advantage     Elo of moving first; None if it was not asked for
    groups        players with no chain of games between them are in different ones
    prior         why virtual draws were added; empty if there were none
    """

    players: tuple[str, ...]
    elo: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    advantage: float | None
    advantage_error: float | None
    groups: tuple[tuple[str, ...], ...]
    prior: str

    def error(self, player: str) -> float:
        k = self.players.index(player)
        return SIGMAS * sqrt(max(0.0, self.covariance[k][k]))

    def difference(self, player: str, other: str) -> tuple[float, float]:
        """How much stronger the one is than the other, and the error of that."""
        i, k = self.players.index(player), self.players.index(other)
        c = self.covariance
        variance = max(0.0, c[i][i] + c[k][k] - 2 * c[i][k])
        return self.elo[i] - self.elo[k], SIGMAS * sqrt(variance)


def rate(
    pairings: Iterable[Pairing],
    *,
    players: Sequence[str] = (),
    advantage: bool = True,
    anchor: tuple[str, float] | None = None,
) -> Ratings:
    """The ratings that explain the results best.

    `players` are those to rate even if they have no game. `anchor` is a player and
    its rating. Raises KeyError for an anchor who is not among the players.
    """
    played = [pairing for pairing in pairings if pairing.games]
    met = [name for pairing in played for name in (pairing.first, pairing.second)]
    names = tuple(dict.fromkeys([*players, *met]))
    if anchor and anchor[0] not in names:
        raise KeyError(anchor[0])
    number = {name: k for k, name in enumerate(names)}
    results = [(number[p.first], number[p.second], p) for p in played]
    groups = _groups(len(names), results)
    prior = _boundless(names, results, groups, advantage)
    zero = number[anchor[0]] if anchor else None
    elo, covariance = _fit(len(names), results, advantage, bool(prior), zero)
    fixed = anchor[1] if anchor else 0.0
    n = len(names)
    return Ratings(
        players=names,
        elo=tuple(fixed + value for value in elo[:n]),
        covariance=tuple(tuple(row[:n]) for row in covariance[:n]),
        advantage=elo[-1] if advantage else None,
        advantage_error=SIGMAS * sqrt(covariance[-1][-1]) if advantage else None,
        groups=tuple(tuple(names[k] for k in group) for group in groups),
        prior=prior,
    )


Result = tuple[int, int, Pairing]  # with the numbers of its players


def _fit(
    players: int,
    results: Sequence[Result],
    advantage: bool,
    prior: bool,
    zero: int | None,
) -> tuple[list[float], list[list[float]]]:
    """The unknowns and their covariance, in Elo: ratings, then the advantage.

    The rating of player `zero` is 0, or the mean of all if that is None. Newton's
    method, with steps cut to the length at which it cannot fail on a sum of
    logistic functions (Bach 2010, "Self-concordant analysis").
    """
    import numpy as np  # not needed before there are ratings

    unknowns = players + advantage
    if not unknowns:
        return [], []
    virtual = unknowns if prior else 0
    factors = np.zeros((len(results) + virtual, unknowns))
    points = np.full(len(factors), PRIOR_DRAWS / 2)
    games = np.full(len(factors), float(PRIOR_DRAWS))
    for row, (first, second, pairing) in enumerate(results):
        if advantage:
            factors[row, -1] = 1
        factors[row, first] += 1
        factors[row, second] -= 1
        points[row] = pairing.wins + pairing.draws / 2
        games[row] = pairing.games
    if prior:
        factors[len(results) :] = np.eye(unknowns)

    # Without a prior the mean rating is free: hold it, which costs no likelihood.
    held = np.zeros((unknowns, unknowns))
    if not prior:
        held[:players, :players] = 1
    curve = held
    unknown = np.zeros(unknowns)
    for _ in range(MOST_STEPS):
        odds = factors @ unknown
        small = np.exp(-np.abs(odds))
        chance = np.where(odds < 0, small, 1) / (1 + small)
        slope = factors.T @ (points - games * chance)
        weights = games * small / (1 + small) ** 2
        curve = factors.T @ (weights[:, None] * factors) + held
        step = np.linalg.solve(curve, slope)
        reach = float(np.abs(factors @ step).max(initial=0))
        unknown += step * (log1p(reach) / reach if reach else 1)
        if slope @ step < PRECISE:
            break

    gauge = np.eye(unknowns)
    if zero is None:
        gauge[:players, :players] -= 1 / max(players, 1)
    else:
        gauge[:players, zero] -= 1
    covariance = gauge @ np.linalg.inv(curve) @ gauge.T * PER_LOGIT**2
    elo = gauge @ unknown * PER_LOGIT
    return elo.tolist(), covariance.tolist()


# What the results leave without a bound.


def _groups(players: int, results: Sequence[Result]) -> list[list[int]]:
    near: list[set[int]] = [set() for _ in range(players)]
    for first, second, _ in results:
        near[first].add(second)
        near[second].add(first)
    groups: list[list[int]] = []
    grouped: set[int] = set()
    for player in range(players):
        if player not in grouped:
            group = _reached(near, player)
            groups.append(sorted(group))
            grouped |= group
    return groups


def _boundless(
    names: Sequence[str],
    results: Sequence[Result],
    groups: Sequence[Sequence[int]],
    advantage: bool,
) -> str:
    """Why some rating, or the advantage, could be anything; empty if none could."""

    def listed(numbers: Iterable[int]) -> str:
        return " ".join(names[k] for k in sorted(numbers))

    everyone = set(range(len(names)))
    if not results:
        return "there are no games"
    if len(groups) > 1:
        return f"never met: {' | '.join(map(listed, groups))}"
    beat: list[set[int]] = [set() for _ in names]
    lost: list[set[int]] = [set() for _ in names]
    for first, second, pairing in results:
        if pairing.wins + pairing.draws:
            beat[first].add(second)
            lost[second].add(first)
        if pairing.losses + pairing.draws:
            beat[second].add(first)
            lost[first].add(second)
    weak = _reached(beat, 0)  # none of them took a point from anyone else
    if weak == everyone:
        weak = everyone - _reached(lost, 0)
    if 2 * len(weak) > len(names):
        return f"took every point from the others: {listed(everyone - weak)}"
    if weak:
        return f"took no point from the others: {listed(weak)}"
    if advantage and any(_separable(len(names), results, sign) for sign in (1, -1)):
        return "the advantage of moving first has no bound"
    return ""


def _reached(steps: Sequence[set[int]], start: int) -> set[int]:
    reached = {start}
    waiting = [start]
    while waiting:
        for near in steps[waiting.pop()] - reached:
            reached.add(near)
            waiting.append(near)
    return reached


def _separable(players: int, results: Sequence[Result], sign: int) -> bool:
    """Whether ratings exist that, with an advantage of `sign`, contradict no game.

    Moving along them never makes a result less likely. The games bound differences
    of ratings from above, so this asks for a cycle of bounds that adds up to less
    than nothing (Bellman and Ford).
    """
    bounds: list[tuple[int, int, int]] = []
    for first, second, pairing in results:
        if pairing.wins + pairing.draws:
            bounds.append((first, second, sign))
        if pairing.losses + pairing.draws:
            bounds.append((second, first, -sign))
    least = [0] * players
    for _ in range(players + 1):
        changed = False
        for lower, upper, most in bounds:
            if least[upper] > least[lower] + most:
                least[upper] = least[lower] + most
                changed = True
        if not changed:
            return True
    return False
