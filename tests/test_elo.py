"""Elo, normalized Elo, intervals and superiority of two players.

tables/tournament_refs.json holds published results of other tools, and numbers that
were computed in two ways independent of this code.
"""

import json
from collections.abc import Callable
from math import inf, isnan, log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.strength.counts import MOST, Counts
from protocol.strength.elo import elo_of, estimate, expected
from protocol.strength.likelihood import cost_of_mean, cost_of_ratio

REFERENCES = Path(__file__).parent / "tables" / "tournament_refs.json"
VECTORS: list[dict[str, Any]] = json.loads(REFERENCES.read_text())["vectors"]
NAMES = {"elo": "elo", "elo_err": "elo_error", "nelo": "nelo"}
NAMES |= {"nelo_err": "nelo_error", "los": "los"}


def counts_of(units: st.SearchStrategy[int]) -> st.SearchStrategy[Counts]:
    return st.builds(Counts, st.tuples(*[units] * 3) | st.tuples(*[units] * 5))


any_counts = counts_of(st.integers(0, 3) | st.integers(0, MOST))
counts_of_a_match = counts_of(st.integers(0, 3) | st.integers(0, 2000))


def cells(vector: dict[str, Any]) -> str:
    return "-".join(map(str, vector["counts"]))


def rounding(number: float) -> float:
    """Half a unit of the last digit that `number` was published with."""
    return 0.5001 * 10.0 ** -len(str(number).partition(".")[2])


@pytest.mark.parametrize("vector", VECTORS, ids=cells)
def test_reference(vector: dict[str, Any]) -> None:
    counts = Counts(tuple(vector["counts"]))
    found = estimate(counts)
    assert counts.are_pairs == (vector["kind"] == "penta")
    if "computed" not in vector:
        assert found is None
        return
    assert counts.score == pytest.approx(vector["computed"]["score"], abs=1e-12)
    for key, name in NAMES.items():
        value = vector["computed"][key]
        if value is not None:
            assert getattr(found, name) == pytest.approx(value, abs=1e-4)
        elif key != "los":
            assert getattr(found, name) == inf
    for key, value in vector["published"].items():
        assert getattr(found, NAMES[key]) == pytest.approx(value, abs=rounding(value))


@pytest.mark.parametrize(
    ("numbers", "low", "high"),
    [
        ((40, 0, 60), 1.63, 141.10),
        ((8, 0, 64, 0, 28), 30.68, 111.89),
        ((34, 54, 63, 64, 75), 28.04, 83.30),
        ((1, 0, 19), 238.4, 1012.8),
        ((0, 0, 10), 268.8, inf),
    ],
)
def test_likelihood_interval(numbers: tuple[int, ...], low: float, high: float) -> None:
    found = estimate(Counts(numbers))
    assert found
    assert found.low == pytest.approx(low, abs=rounding(low))
    assert found.high == pytest.approx(high, abs=rounding(high))


@pytest.mark.parametrize(
    ("numbers", "elo", "error", "los"),
    [
        ((0, 0, 1), inf, inf, 0.75),
        ((1, 0, 0), -inf, inf, 0.25),
        ((0, 1, 0), 0, 0, 0.5),
        ((0, 0, 10), inf, inf, 1 - 0.5**11),
        ((0, 0, 0, 0, 10), inf, inf, 1 - 0.5**11),
        ((0, 0, 100, 0, 0), 0, 0, 0.5),
        ((1, 0, 19), 511.5014, inf, 1.0),
    ],
)
def test_one_sided_results(
    numbers: tuple[int, ...], elo: float, error: float, los: float
) -> None:
    found = estimate(Counts(numbers))
    assert found
    assert found.elo == pytest.approx(elo, abs=1e-4)
    assert found.elo_error == error
    assert found.los == pytest.approx(los, abs=1e-9)


def test_pairs_tell_more_than_their_games() -> None:
    """200 games with one score, counted by twos and one by one."""
    pairs, games = estimate(Counts((8, 0, 64, 0, 28))), estimate(Counts((80, 0, 120)))
    assert pairs
    assert games
    assert pairs.elo == games.elo
    assert pairs.elo_error < games.elo_error
    assert pairs.high - pairs.low < games.high - games.low


@settings(deadline=None)
@given(any_counts)
def test_every_result_has_an_estimate(counts: Counts) -> None:
    found = estimate(counts)
    if not found:
        assert counts.units == 0
        return
    assert not any(isnan(getattr(found, name)) for name in NAMES.values())
    assert found.low <= found.elo + 0.01
    assert found.high >= found.elo - 0.01
    assert found.elo_error >= 0
    assert 0 <= found.los <= 1


@settings(deadline=None)
@given(counts_of_a_match)
def test_what_one_gains_the_other_loses(counts: Counts) -> None:
    found, other = estimate(counts), estimate(Counts(counts.cells[::-1]))
    if found and other:
        assert found.elo == pytest.approx(-other.elo, abs=1e-4)
        assert found.elo_error == pytest.approx(other.elo_error, abs=1e-4)
        assert found.low == pytest.approx(-other.high, abs=1e-3)
        assert found.los == pytest.approx(1 - other.los, abs=1e-4)
    else:
        assert counts.units == 0


@settings(deadline=None)
@given(st.floats(-3000, 3000))
def test_elo_and_score(elo: float) -> None:
    assert expected(elo) + expected(-elo) == pytest.approx(1)
    assert elo_of(expected(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    "numbers", [(), (1, 2), (1,) * 4, (1, -1, 1), (0, 0, MOST + 1)]
)
def test_no_counts(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="count"):
        Counts(numbers)


# The likelihood, against the plainest search for the best distribution of games.

Chances = tuple[float, float, float]
weights_of_games = st.tuples(*[st.floats(0.01, 50)] * 3)


def log_likelihood(weights: Chances, chances: Chances) -> float:
    if min(chances) <= 0:
        return -inf
    return sum(w * log(p) for w, p in zip(weights, chances, strict=True))


def least_cost(weights: Chances, family: Callable[[float], Chances]) -> float:
    """Of all members of the family, numbered from 0 to 1, by ever finer grids."""

    def likelihood(t: float) -> float:
        return log_likelihood(weights, family(t))

    low, high = 0.0, 1.0
    grid = 2000
    while high - low > 1e-10:
        step = (high - low) / grid
        best = max((low + step * k for k in range(1, grid)), key=likelihood)
        low, high, grid = best - step, best + step, 20
    total = sum(weights)
    loss, draw, win = (w / total for w in weights)
    return log_likelihood(weights, (loss, draw, win)) - likelihood((low + high) / 2)


@settings(deadline=None, max_examples=40)
@given(weights_of_games, st.floats(0.05, 0.95))
def test_cost_of_a_mean(weights: Chances, mean: float) -> None:
    most_draws = 2 * min(mean, 1 - mean)

    def with_draws(t: float) -> Chances:
        half = t * most_draws / 2
        return 1 - mean - half, 2 * half, mean - half

    cost = cost_of_mean(weights, mean, 1 - mean)
    assert cost == pytest.approx(least_cost(weights, with_draws), abs=1e-6)


@settings(deadline=None, max_examples=40)
@given(weights_of_games, st.floats(0.05, 1.5))
def test_cost_of_a_ratio(weights: Chances, ratio: float) -> None:
    def with_mean(t: float) -> Chances:
        mean = 0.5 + t / 2
        draw = 4 * (mean - mean**2 - ((mean - 0.5) / ratio) ** 2)
        win = mean - draw / 2
        return 1 - draw - win, draw, win

    cost = cost_of_ratio(weights, ratio)
    assert cost == pytest.approx(least_cost(weights, with_mean), abs=1e-6)
    assert cost_of_ratio(weights[::-1], -ratio) == cost
