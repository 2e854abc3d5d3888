"""Time controls: as text, as clocks, and as engines are told of them."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.controls import (
    BadControl,
    Left,
    brief,
    choose_command,
    read_control,
    spend,
    time_left,
)

TABLE = "controls.txt"


def read_left(text: str) -> Left | None:
    if text == "flag":
        return None
    seconds, _, stones = text.partition("/")
    return Left(float(seconds), int(stones or 0))


def test_clock(case: dict[str, str]) -> None:
    control = read_control(*case["control"].split("=", 1))
    margin = float(case.get("margin", 0))
    left: Left | None = control.full()
    seen = [left]
    for used in map(float, case["turns"].split()):
        assert left is not None
        left = spend(control, left, used, margin)
        seen.append(left)
    expected = [read_left(text) for text in case["left"].split()]
    assert len(seen) == len(expected)
    for found, wanted in zip(seen, expected, strict=True):
        assert (found is None) == (wanted is None)
        if found and wanted:
            assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.having("knows")
def test_what_the_engine_is_told(case: dict[str, str]) -> None:
    control = read_control(*case["control"].split("=", 1))
    announced = choose_command(control, lambda name: name in case["knows"].split())
    assert announced == case["announced"]
    expected = [text.strip() for text in case.get("told", "").split(",") if text]
    for text, command in zip(case["left"].split(), expected, strict=False):
        left = read_left(text)
        assert left
        assert time_left(control, "b", left, announced) == command


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("tc=60", "tc=60"),
        ("tc=5:00", "tc=300"),
        ("tc=1:00:00+0.5", "tc=3600+0.5"),
        ("tc=40/5:00+3", "tc=40/300+3"),
        ("tc=0.5+0.01", "tc=0.5+0.01"),
        ("tc=10+0", "tc=10"),
        ("tc=0/10", "tc=10"),
        ("tc=inf", "tc=inf"),
        ("st=0.25", "st=0.25"),
        ("can=5:00+25/300", "can=300+25/300"),
        ("can=0+1/5", "can=0+1/5"),
        ("byo=5:00+3x30", "byo=300+3x30"),
    ],
)
def test_text(text: str, canonical: str) -> None:
    control = read_control(*text.split("=", 1))
    assert str(control) == canonical
    assert read_control(*canonical.split("=", 1)) == control


@pytest.mark.parametrize(
    "text",
    [
        "tc=",
        "tc=0",
        "tc=-5",
        "tc=5:00+",
        "tc=/5",
        "tc=nan",
        "tc=1:2:3:4",
        "tc=١",
        "st=0",
        "st=1+1",
        "can=5:00",
        "can=5:00+0/300",
        "can=5:00+25/0",
        "byo=5:00+3",
        "byo=5:00+0x30",
        "byo=5:00+3x0",
    ],
)
def test_text_refused(text: str) -> None:
    key, value = text.split("=", 1)
    with pytest.raises(BadControl, match=f"^{key} is .*, expected e.g. "):
        read_control(key, value)


def test_written_times_are_never_more_than_there_is() -> None:
    dice = random.Random(1)
    for _ in range(2000):
        seconds = dice.uniform(-1, 100)
        written = float(brief(seconds))
        assert max(seconds, 0) - 0.001 <= written <= max(seconds, 0) + 1e-8
        assert float(brief(round(seconds, 3))) == max(round(seconds, 3), 0)


TIMES = st.floats(0.001, 50)
TEXTS = st.sampled_from(
    [
        "tc=10",
        "tc=10+3",
        "tc=3/10",
        "tc=1/10+1",
        "st=2",
        "can=10+3/6",
        "can=0+1/6",
        "byo=10+3x5",
        "byo=0+1x5",
    ]
)


@given(TEXTS, st.lists(TIMES, max_size=20), st.floats(0, 1))
def test_no_clock_stands_below_zero(
    text: str, turns: list[float], margin: float
) -> None:
    control = read_control(*text.split("=", 1))
    left: Left | None = control.full()
    for used in turns:
        assert left is not None
        assert left.seconds >= 0
        assert left.stones >= 0
        allowance = control.allowance(left)
        words = time_left(control, "w", left, control.commands[-1]).split()
        assert 0 <= float(words[2]) <= allowance + 1e-8
        before, left = left, spend(control, left, used, margin)
        assert (left is None) == (used > allowance + margin)
        if left is None:
            break
        assert control.allowance(before) == allowance
        assert math.isfinite(left.seconds)
