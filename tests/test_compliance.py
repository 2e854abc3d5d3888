"""The compliance check: which engines pass, and where others fail."""

import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_channel import RUDE

from games import GAMES, open_game
from games.variants import parse_variant
from protocol.channel import Limits
from protocol.compliance import FAILED, MISSING, OK, SKIPPED, STEPS, Step, examine
from protocol.engines import read_engine
from protocol.processes import Guard

TABLE = "compliance.txt"
HERE = Path(__file__).parent
CROSSCUT = shlex.join([sys.executable, "-m", "bin", "gtp", "--player", "random"])
LIMITS = Limits(startup=20, answer=0.6, stall=0.6, quit=0.6, term=0.2)


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    guard = Guard("test")
    yield guard
    guard.close()


def names(steps: list[Step], state: str) -> list[str]:
    return [step.name.replace(" ", "_") for step in steps if step.state == state]


def test_steps(case: dict[str, str], guard: Guard) -> None:
    command = case.get("command") or f"{RUDE} {case['rude']}"
    more = case["words"].split() if "words" in case else []
    engine = read_engine([f"cmd={command}", *more])
    rules = open_game("flipway", 4, parse_variant(case.get("variant", "-")))
    steps = list(examine(engine, rules, guard, LIMITS))
    failed = [step for step in steps if step.state == FAILED]

    assert names(steps, FAILED) == case.get("fails", "").split()
    if case.get("skipped") == "rest":
        assert {step.state for step in steps[steps.index(failed[0]) + 1 :]} == {SKIPPED}
    else:
        assert names(steps, SKIPPED) == case.get("skipped", "").split()
    if "missing" in case:
        assert names(steps, MISSING) == case["missing"].split()
    if failed:
        assert any(re.fullmatch(case["says"], step.detail) for step in failed)
    assert all("\n" not in step.detail for step in steps)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_our_own_engine(game: str, guard: Guard) -> None:
    engine = read_engine([f"cmd={CROSSCUT} --game {game}", "tc=40/5:00", "init=komi 0"])
    sizes = GAMES[game].sizes
    pie = {"pie": "on"} if any(o.name == "pie" for o in GAMES[game].options) else {}
    rules = open_game(game, sizes.low + 2 * sizes.step, pie)
    steps = list(examine(engine, rules, guard))
    tried = {name for name, *_ in STEPS} - (set() if pie else {"swap"})

    assert {step.name for step in steps} == tried
    assert [step for step in steps if step.state != OK] == []


def test_an_interrupt_ends_it_at_once(guard: Guard) -> None:
    """Also with an engine that would not end by itself."""
    steps = examine(
        read_engine([f"cmd={RUDE} plain stubborn"]), open_game("flipway", 4), guard
    )
    assert next(steps).state == OK
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        steps.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert time.monotonic() - began < Limits().quit


SPEC = (HERE.parent / "spec/matches.md").read_text(encoding="utf-8")


def test_steps_are_described() -> None:
    section = SPEC[SPEC.index("\n## 16 ") :]
    rows = re.findall(r"^\| (`.*?) \|", section, re.M)
    described = re.findall("`(.*?)`", "".join(rows))
    assert described == [name for name, *_ in STEPS]
