"""The sequential probability ratio test: stop as soon as the results decide.

H0 says that the first-named player is `elo0` stronger, H1 says `elo1`. The test adds
up the log-likelihood ratio of the two and ends at one of Wald's bounds. Everything
but the strength is what fits the results best under each hypothesis, so the ratio
is that of a generalized test. What the two numbers mean depends on the model:

    normalized  normalized Elo, which makes tests equally long at all shares of draws
    logistic    Elo, as the mean score gives it
    bayeselo    Elo as cutechess tests it: BayesElo's model of draws, half a game
                added to each count; games only

In the order games end, quick results come first, and a test that looks at them as
they come is biased towards whoever wins quickly. A `SprtRun` looks at them in the
order they were scheduled, so that its verdict is the same at any number of slots.
"""

from dataclasses import dataclass
from math import log, log10, sqrt
from typing import Literal, get_args

from protocol.strength.counts import Counts
from protocol.strength.elo import FARTHEST, PER_DEVIATION, expected
from protocol.strength.likelihood import cost_of_mean, cost_of_ratio

Model = Literal["normalized", "logistic", "bayeselo"]
Verdict = Literal["H0", "H1"]
MODELS: tuple[Model, ...] = get_args(Model)

WIDEST = 1000.0  # a hypothesis, either way


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """Two hypotheses and the errors allowed. Raises ValueError if they make no test."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # chance to accept H1 where H0 holds
    beta: float = 0.05  # chance to accept H0 where H1 holds
    model: Model = "normalized"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"model is {self.model}, allowed: {' '.join(MODELS)}")
        if not -WIDEST <= self.elo0 < self.elo1 <= WIDEST:
            reach = f"{-WIDEST:g} to {WIDEST:g}"
            raise ValueError(f"elo0 must be below elo1, both from {reach}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError("alpha and beta must be above 0 and together below 1")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios that accept H0 and H1."""
        return (
            log(self.beta / (1 - self.alpha)),
            log((1 - self.beta) / self.alpha),
        )

    def llr(self, counts: Counts) -> float:
        """The logarithm of the likelihood of H1 over that of H0; 0 without games.

        Raises ValueError where the model is for games and `counts` are pairs.
        """
        if self.model == "bayeselo":
            return _bayeselo(self, counts)
        if not counts.units:
            return 0.0
        cost0, cost1 = (_cost(self.model, counts, e) for e in (self.elo0, self.elo1))
        return cost0 - cost1

    def verdict(self, llr: float) -> Verdict | None:
        """The hypothesis to accept, None to go on."""
        low, high = self.bounds
        return "H0" if llr <= low else "H1" if llr >= high else None


class SprtRun:
    """A test over the units of a schedule, which may finish in any order.

    Only the units before the first unfinished one count. The verdict stays once it
    has been reached: units after it are taken, and change nothing.
    """

    def __init__(self, test: Sprt, cells: int = 5) -> None:
        """`cells` is 5 for pairs, 3 for games."""
        self.test = test
        self.llr = 0.0  # at the last look
        self.verdict: Verdict | None = None
        self.next_index = 0  # the first unfinished unit of the schedule
        self._cells = [0] * cells
        self._units = 0
        self._next_look = 1
        self._waiting: dict[int, int | None] = {}
        self._look()

    @property
    def counts(self) -> Counts:
        """What the verdict rests on, or has so far come in without a gap."""
        return Counts(tuple(self._cells))

    @property
    def waiting(self) -> int:
        """How many finished units still wait for one scheduled before them."""
        return len(self._waiting)

    def add(self, index: int, cell: int | None) -> None:
        """The unit at `index` of the schedule, from 0, has ended.

        `cell` is the half points of the first-named player, None for a unit that
        will never have a result. Raises ValueError for an index that was added
        before and for a cell there is not.
        """
        if index < self.next_index or index in self._waiting:
            raise ValueError(f"unit {index} is added twice")
        if cell is not None and not 0 <= cell < len(self._cells):
            raise ValueError(f"cell is 0 to {len(self._cells) - 1}, not {cell}")
        self._waiting[index] = cell
        while self.next_index in self._waiting:
            self._take(self._waiting.pop(self.next_index))
            self.next_index += 1

    def _take(self, cell: int | None) -> None:
        if cell is None or self.verdict:
            return
        self._cells[cell] += 1
        self._units += 1
        if self._units == self._next_look:
            self._look()

    def _look(self) -> None:
        """A look costs much more than a unit, so long runs leave some out.

        After the first thousand units the next look comes 0.1 % later, which
        depends on nothing but their number.
        """
        self.llr = self.test.llr(self.counts)
        self.verdict = self.test.verdict(self.llr)
        self._next_look = self._units + 1 + self._units // 1000


def _cost(model: Model, counts: Counts, elo: float) -> float:
    if model == "logistic":
        return cost_of_mean(counts.weights, expected(elo), expected(-elo))
    games_per_unit = 2 if counts.are_pairs else 1
    return cost_of_ratio(counts.weights, elo * sqrt(games_per_unit) / PER_DEVIATION)


def _bayeselo(test: Sprt, counts: Counts) -> float:
    """The ratio, with the tendency to draw taken from the results."""
    if counts.are_pairs:
        raise ValueError("the model bayeselo is for games, not pairs")
    if not counts.units:
        return 0.0
    cells = [count + 0.5 for count in counts.cells]
    loss, draw, win = (count / sum(cells) for count in cells)
    drawn = draw / (loss * win)  # the same under all hypotheses
    draw_elo = 200 * log10(1 + drawn)
    power = 1 / sqrt(1 + drawn)
    scale = 4 * power / (1 + power) ** 2  # Elo of the score per Elo of BayesElo

    def chances(difference: float) -> tuple[float, float, float]:
        # Nearly all draws stretch the scale without end.
        strength = max(-FARTHEST, min(FARTHEST, difference / scale))
        lost = expected(-strength - draw_elo)
        won = expected(strength - draw_elo)
        return lost, drawn * lost * won, won

    under0, under1 = chances(test.elo0), chances(test.elo1)
    return sum(
        n * log(p1 / p0) for n, p1, p0 in zip(cells, under1, under0, strict=True)
    )
