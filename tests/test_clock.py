"""A twentieth of what is left, through main time and periods."""

import math

import pytest

from games.contract import Side
from games.search.clock import Clock


def share(seconds: float) -> float:
    return seconds / 20


@pytest.mark.parametrize(
    ("clock", "used", "budgets"),
    [
        pytest.param(Clock(), [9, 9], [math.inf] * 2, id="no limit at the start"),
        pytest.param(Clock(60, 30, 0), [9, 9], [math.inf] * 2, id="no turns to count"),
        pytest.param(
            Clock(100, 0, 0),
            [20, 30, 50, 10, 0],
            [share(s) for s in (100, 80, 50, 0, 0)],
            id="main time only",
        ),
        pytest.param(Clock(0, 0, 0), [1, 1], [0, 0], id="no time at all"),
        pytest.param(
            Clock(10, 5, 2),
            [4, 4, 4, 1, 1, 5, 1],
            # What the third turn takes beyond the main time comes out of the period.
            [share(s) for s in (15, 11, 7, 3, 2, 5, 0)],
            id="main time, then periods of two turns",
        ),
        pytest.param(
            Clock(10, 5, 1),
            [4, 11, 3, 3, 4.5],
            [share(s) for s in (15, 11, 0, 5, 5)],
            id="main time, then a period for each turn",
        ),
        pytest.param(
            Clock(0, 30, 3),
            [10, 10, 5, 1],
            [share(s) for s in (30, 20, 10, 30)],
            id="periods from the start",
        ),
        pytest.param(
            Clock(-2.5, 30, 3), [10, 1], [share(30), share(20)], id="negative main time"
        ),
        pytest.param(
            Clock(0, 6, 2), [9, 1, 1], [share(6), 0, share(6)], id="a period overrun"
        ),
    ],
)
def test_budgets(clock: Clock, used: list[float], budgets: list[float]) -> None:
    """The time allowed for each of some turns of one side; the other one's stays."""
    before = clock.budget(Side.WHITE)
    got = []
    for seconds in used:
        got.append(clock.budget(Side.BLACK))
        clock.spend(Side.BLACK, seconds)

    assert got == pytest.approx(budgets)
    assert clock.budget(Side.WHITE) == before
    clock.restart()
    assert clock.budget(Side.BLACK) == before


@pytest.mark.parametrize(
    ("clock", "seconds", "stones", "used", "budgets"),
    [
        pytest.param(Clock(), 40, 0, [30, 10], [share(40), share(10), 0], id="alone"),
        pytest.param(Clock(), 40, 5, [30], [share(40), share(10)], id="period alone"),
        pytest.param(
            Clock(100, 0, 0), 40, 0, [10], [share(40), share(30)], id="main time"
        ),
        pytest.param(
            Clock(100, 30, 3), 40, 0, [10], [share(70), share(60)], id="before periods"
        ),
        pytest.param(
            Clock(100, 30, 3),
            12,
            1,
            [10, 4],
            [share(12), share(30), share(26)],
            id="the last turn of a period",
        ),
        pytest.param(Clock(), 0, 0, [1], [0, 0], id="nothing left"),
        pytest.param(Clock(100, 0, 0), -0.3, 0, [], [0], id="less than nothing left"),
    ],
)
def test_set_left(
    clock: Clock, seconds: float, stones: int, used: list[float], budgets: list[float]
) -> None:
    """What the referee says holds from then on, for one side, until a new game."""
    full = clock.budget(Side.WHITE)
    clock.set_left(Side.BLACK, seconds, stones)
    got = [clock.budget(Side.BLACK)]
    for spent in used:
        clock.spend(Side.BLACK, spent)
        got.append(clock.budget(Side.BLACK))

    assert got == pytest.approx(budgets)
    assert clock.budget(Side.WHITE) == full
    clock.restart()
    assert clock.budget(Side.BLACK) == full


@pytest.mark.parametrize("period", [0, 10])
@pytest.mark.parametrize("stones", [0, 1, 7])
@pytest.mark.parametrize("main", [0, 30])
def test_never_more_than_a_twentieth(main: float, period: float, stones: int) -> None:
    """A player that uses its whole budget every time never oversteps."""
    clock = Clock(main, period, stones)
    for _ in range(300):
        budget = clock.budget(Side.BLACK)
        if math.isinf(budget):
            assert (stones, period > 0) == (0, True)
            return
        assert 0 <= budget <= share(main + period)
        clock.spend(Side.BLACK, budget)
        left = clock.left[Side.BLACK]
        assert left is not None
        assert left[0] >= -1e-9
