"""Ratings of many players, and shares of games.

The reference numbers were computed by two methods, and agree with those of Ordo,
BayesElo and KataGo once their scales and defaults are set to the same.
"""

from itertools import permutations
from math import isfinite, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.strength import ratings
from protocol.strength.elo import expected
from protocol.strength.rates import Rate, first_player_rate
from protocol.strength.ratings import Pairing, Ratings, rate

TWO = [Pairing("A", "B", 32, 0, 18), Pairing("B", "A", 22, 0, 28)]

# A scores 60 of 100 against B and 70 against C, B 55 against C; first players 55 %.
THREE = [
    Pairing("A", "B", 33, 0, 17),
    Pairing("B", "A", 23, 0, 27),
    Pairing("B", "C", 29, 0, 21),
    Pairing("C", "B", 24, 0, 26),
    Pairing("A", "C", 38, 0, 12),
    Pairing("C", "A", 18, 0, 32),
]

CHAIN = [
    Pairing("A", "B", 12, 0, 6),
    Pairing("B", "C", 12, 0, 6),
    Pairing("C", "D", 36, 0, 18),
    Pairing("D", "E", 48, 0, 24),
]

names = st.sampled_from("ABCD")
numbers = st.one_of(st.integers(0, 2), st.integers(0, 10**6))
pairings = st.lists(st.builds(Pairing, names, names, numbers, numbers, numbers))


def near(*values: float) -> object:
    return pytest.approx(values, abs=1e-4)


def test_two_players() -> None:
    found = rate(TWO, advantage=False)
    assert found.difference("A", "B") == pytest.approx((70.4365, 69.50), abs=0.005)
    assert found.elo == near(35.21825, -35.21825)
    assert found.advantage is None
    assert found.prior == ""


def test_two_players_with_an_advantage() -> None:
    found = rate(TWO)
    assert found.elo == near(35.4613, -35.4613)
    assert found.advantage == pytest.approx(29.0284, abs=1e-4)
    assert found.advantage_error == pytest.approx(69.77, abs=0.005)


def test_three_players() -> None:
    found = rate(THREE, advantage=False)
    assert found.players == ("A", "B", "C")
    assert found.elo == near(72.0240, -12.0140, -60.0100)
    for pair, difference in [
        ("AB", (84.04, 57.46)),
        ("AC", (132.03, 58.62)),
        ("BC", (48.00, 56.88)),
    ]:
        assert found.difference(*pair) == pytest.approx(difference, abs=0.005)


def test_three_players_with_an_advantage() -> None:
    found = rate(THREE)
    assert found.elo == near(72.8356, -12.1490, -60.6866)
    assert found.advantage == pytest.approx(37.4885, abs=1e-4)


def test_a_draw_is_half_a_win() -> None:
    """Three players in a circle, whose results leave two of them equal."""
    circle = [Pairing("A", "B", 4, 0, 1), Pairing("A", "C", 2, 0, 3)]
    found = rate([*circle, Pairing("B", "C", 2, 0, 3)], advantage=False)
    drawn = rate([*circle, Pairing("B", "C", 1, 2, 2)], advantage=False)
    assert found.elo == near(49.0636, -98.1271, 49.0636)
    assert drawn.elo == near(*found.elo)


def test_a_chain_with_a_weak_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    """One virtual draw each against a player of the mean strength."""
    monkeypatch.setattr(ratings, "PRIOR_DRAWS", 1)
    everyone = ("A", "B", "C", "D", "E", "mean")
    found = rate(CHAIN, players=everyone, anchor=("mean", 0), advantage=False)
    assert found.elo[:5] == pytest.approx(
        (216.67, 108.15, 6.00, -108.14, -225.46), abs=0.005
    )


def test_anchor() -> None:
    """Moves every rating, and makes the errors those against the anchor."""
    free, fixed = rate(THREE), rate(THREE, anchor=("C", 1500.0))
    assert fixed.elo[2] == pytest.approx(1500)
    assert fixed.error("C") == pytest.approx(0, abs=1e-6)
    assert fixed.error("A") == pytest.approx(free.difference("A", "C")[1])
    for pair in permutations("ABC", 2):
        assert fixed.difference(*pair) == pytest.approx(free.difference(*pair))
    with pytest.raises(KeyError):
        rate(THREE, anchor=("D", 0))


@pytest.mark.parametrize(
    ("results", "prior"),
    [
        ([], "there are no games"),
        (TWO, ""),
        (
            [*TWO, Pairing("C", "D", 1, 0, 1), Pairing("D", "C", 1, 0, 1)],
            "never met: A B | C D",
        ),
        ([Pairing("A", "B", 3)], "took no point from the others: B"),
        (
            [*TWO, Pairing("C", "A", 9), Pairing("B", "C", 0, 0, 9)],
            "took every point from the others: C",
        ),
        (
            [*TWO, Pairing("A", "C", 2), Pairing("C", "D", 1, 0, 1)],
            "took no point from the others: C D",
        ),
        (
            [Pairing("A", "B", 5), Pairing("B", "A", 5)],
            "the advantage of moving first has no bound",
        ),
        (
            [Pairing("A", "B", 0, 0, 5), Pairing("B", "A", 0, 0, 5)],
            "the advantage of moving first has no bound",
        ),
        ([Pairing("A", "B", 5, 0, 3)], "the advantage of moving first has no bound"),
        ([Pairing("A", "B", 5, 0, 3), Pairing("B", "A", 1, 0, 1)], ""),
        ([Pairing("A", "B", 0, 3, 0), Pairing("B", "A", 0, 3, 0)], ""),
    ],
)
def test_prior(results: list[Pairing], prior: str) -> None:
    assert rate(results).prior == prior


def test_the_prior_keeps_ratings_finite() -> None:
    """Two virtual draws with the mean for each, and the better one is better."""
    found = rate([Pairing("A", "B", 10)], advantage=False)
    difference, error = found.difference("A", "B")
    assert 0 < difference < 500
    assert 0 < error < 500
    assert rate([Pairing("A", "B", 10**9)], advantage=False).elo[0] > found.elo[0]


def test_groups() -> None:
    found = rate([*TWO, Pairing("C", "D", 4, 0, 4)], players=("D", "E"))
    assert found.players == ("D", "E", "A", "B", "C")
    assert found.groups == (("D", "C"), ("E",), ("A", "B"))


def assert_finite(found: Ratings) -> None:
    flat = [*found.elo, *(value for row in found.covariance for value in row)]
    assert all(map(isfinite, flat))
    assert all(found.error(player) >= 0 for player in found.players)


@settings(deadline=None)
@given(pairings, st.booleans())
def test_every_result_has_ratings(played: list[Pairing], advantage: bool) -> None:
    found = rate(played, players=("A",), advantage=advantage)
    assert_finite(found)
    assert sum(found.elo) == pytest.approx(0, abs=1e-3)
    assert (found.advantage is not None) == advantage
    if found.advantage is not None and found.advantage_error is not None:
        assert isfinite(found.advantage)
        assert found.advantage_error > 0


def log_likelihood(played: list[Pairing], elo: dict[str, float], more: float) -> float:
    total = 0.0
    for p in played:
        odds = elo[p.first] - elo[p.second] + more
        total += (p.wins + p.draws / 2) * log(expected(odds))
        total += (p.losses + p.draws / 2) * log(expected(-odds))
    return total


small = st.integers(0, 20)
games = st.lists(st.builds(Pairing, names, names, small, small, small), min_size=4)


@settings(deadline=None)
@given(games)
def test_no_other_ratings_are_likelier(played: list[Pairing]) -> None:
    found = rate(played)
    if found.prior:
        return
    assert found.advantage is not None
    elo = dict(zip(found.players, found.elo, strict=True))
    most = log_likelihood(played, elo, found.advantage)
    for off in (-2.0, 2.0):
        assert log_likelihood(played, elo, found.advantage + off) < most
        for player in found.players if len(found.players) > 1 else ():
            moved = elo | {player: elo[player] + off}
            assert log_likelihood(played, moved, found.advantage) < most


def test_first_player_rate() -> None:
    rate_of_first = first_player_rate([*TWO, Pairing("A", "C", 0, 2, 0)])
    assert rate_of_first == Rate(55, 102)
    assert first_player_rate([]).value is None
    assert first_player_rate([]).interval is None


@settings(deadline=None)
@given(st.integers(0, 50), st.integers(0, 50))
def test_rate(hits: int, misses: int) -> None:
    """The interval encloses the rate and stays inside 0 to 1, also at its ends."""
    found = Rate(hits, hits + misses)
    if found.value is None or found.interval is None:
        assert hits + misses == 0
        return
    low, high = found.interval
    assert 0 <= low <= found.value <= high <= 1
    assert low < high
