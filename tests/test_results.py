"""What the results of two players look like as text and as JSON."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.results import elo_record, elo_text, rate_text
from protocol.strength.counts import Counts
from protocol.strength.rates import Rate
from protocol.strength.sprt import MODELS, Model, Sprt

ROOT = Path(__file__).parents[1]

cells = st.one_of(*(st.tuples(*[st.integers(0, 40)] * n) for n in (3, 5)))


@pytest.mark.parametrize(
    ("numbers", "test", "lines"),
    [
        (
            [5, 20, 40, 25, 10],
            Sprt(elo0=0, elo1=20, model="logistic"),
            [
                "Elo 26.11 +- 34.83",
                "nElo 36.35 +- 48.15",
                "likelihood interval [-8.70, 61.34] (95 %)",
                "LOS 93.05 %",
                "SPRT logistic [0, 20] alpha 0.05 beta 0.05: "
                "LLR 1.03 [-2.94, 2.94] undecided",
                "100 pairs: LL 5, LD 20, DD/WL 40, WD 25, WW 10",
            ],
        ),
        (
            [60, 40, 0],
            None,
            [
                "Elo 70.44 +- 70.57",
                "nElo 70.92 +- 68.10",
                "likelihood interval [1.63, 141.10] (95 %)",
                "LOS 97.94 %",
                "100 games: W 60, L 40, D 0",
            ],
        ),
        (
            [0, 10, 0],
            Sprt(elo0=-1.75, elo1=0.25, alpha=0.05, beta=0.1),
            [
                "Elo -inf +- inf",
                "nElo -inf +- inf",
                "likelihood interval [-inf, -268.77] (95 %)",
                "LOS 0.05 %",
                "SPRT normalized [-1.75, 0.25] alpha 0.05 beta 0.1: "
                "LLR -0.06 [-2.25, 2.89] undecided",
                "10 games: W 0, L 10, D 0",
            ],
        ),
        (
            [0, 0, 1, 0, 0],
            None,
            [
                "Elo 0.00 +- 0.00",
                "nElo 0.00 +- 481.51",
                "likelihood interval [-441.16, 441.16] (95 %)",
                "LOS 50.00 %",
                "1 pair: LL 0, LD 0, DD/WL 1, WD 0, WW 0",
            ],
        ),
        (
            [0, 0, 0],
            Sprt(elo0=0, elo1=5),
            [
                "no games yet",
                "SPRT normalized [0, 5] alpha 0.05 beta 0.05: "
                "LLR 0.00 [-2.94, 2.94] undecided",
                "0 games: W 0, L 0, D 0",
            ],
        ),
    ],
)
def test_text(numbers: list[int], test: Sprt | None, lines: list[str]) -> None:
    assert elo_text(Counts.written(numbers), test).splitlines() == lines


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [([0, 0, 0, 0, 900], "H1 accepted"), ([900, 0, 0, 0, 0], "H0 accepted")],
)
def test_verdict(numbers: list[int], verdict: str) -> None:
    text = elo_text(Counts.written(numbers), Sprt(elo0=0, elo1=10))
    assert text.splitlines()[4].endswith(verdict)


@settings(deadline=None)
@given(cells, st.sampled_from(MODELS))
def test_every_result_has_a_text_and_a_record(
    cells: tuple[int, ...], model: Model
) -> None:
    test = Sprt(elo0=0, elo1=10, model="logistic" if len(cells) == 5 else model)
    counts = Counts(cells)
    assert "nan" not in elo_text(counts, test)
    assert "-0.00" not in elo_text(counts, test)
    record = json.loads(json.dumps(elo_record(counts, test), allow_nan=False))
    assert record["games"] == counts.games
    assert record["sprt"]["verdict"] in ("H0", "H1", None)
    assert (record["los"] is None) == (counts.units == 0)


def test_record() -> None:
    record = elo_record(Counts((0, 0, 10)), Sprt(elo0=0, elo1=10, model="logistic"))
    assert record["elo"] is None
    assert record["elo_inf"] == 1
    assert record["low"] == pytest.approx(268.8, abs=0.05)
    assert record["high"] is None
    assert record["high_inf"] == 1
    assert record["los"] == pytest.approx(0.99951, abs=1e-5)
    assert record["sprt"] == {
        "model": "logistic",
        "elo0": 0,
        "elo1": 10,
        "alpha": 0.05,
        "beta": 0.05,
        "lower": pytest.approx(-2.944439, abs=1e-6),
        "upper": pytest.approx(2.944439, abs=1e-6),
        "llr": pytest.approx(0.2837, abs=1e-4),
        "verdict": None,
    }


def test_record_without_games() -> None:
    assert elo_record(Counts((0, 0, 0))) == {
        "cells": [0, 0, 0],
        "games": 0,
        "score": None,
        "elo": None,
        "elo_error": None,
        "nelo": None,
        "nelo_error": None,
        "low": None,
        "high": None,
        "los": None,
    }


def test_rate_without_games() -> None:
    assert rate_text(Rate(0, 0)) == "none"


def test_results_load_without_numpy() -> None:
    """Asked of a new process, so that no other test has loaded it."""
    modules = "protocol.results, protocol.strength.ratings, protocol.strength.rates"
    program = f"import sys, {modules}; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "False"
