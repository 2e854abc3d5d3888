"""The sequential test: its ratio, its bounds, and games that finish out of order."""

import json
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.strength.counts import MOST, Counts
from protocol.strength.sprt import MODELS, Model, Sprt, SprtRun

REFERENCES = json.loads(
    (Path(__file__).parent / "tables" / "tournament_refs.json").read_text()
)
TESTS = [
    pytest.param(vector["counts"], test, id="-".join(map(str, vector["counts"])))
    for vector in REFERENCES["vectors"]
    for test in vector["sprt"]
]

# The publisher's own search for the best distribution stops this early.
LOOSE = 2.5e-4

few_units = st.one_of(st.integers(0, 3), st.integers(0, 10**4), st.integers(0, MOST))
elos = st.lists(st.floats(-1000, 1000), min_size=2, max_size=2, unique=True)
hypotheses = elos.map(sorted)
forms = st.sampled_from(
    [(model, n) for model in MODELS for n in (3, 5) if (model, n) != ("bayeselo", 5)]
)


@pytest.mark.parametrize(("cells", "test"), TESTS)
def test_reference(cells: list[int], test: dict[str, Any]) -> None:
    sprt = Sprt(elo0=test["elo0"], elo1=test["elo1"], model=test["model"])
    llr = sprt.llr(Counts(tuple(cells)))
    assert llr == pytest.approx(test["llr"], abs=1e-4)
    published = test["published_llr"]
    if published is not None:
        assert llr == pytest.approx(published, rel=LOOSE, abs=0.005)


@pytest.mark.parametrize("vector", REFERENCES["cutechess"], ids=lambda v: str(v["w"]))
def test_bayeselo_reference(vector: dict[str, Any]) -> None:
    keys = ("elo0", "elo1", "alpha", "beta")
    sprt = Sprt(model="bayeselo", **{key: vector[key] for key in keys})
    llr = sprt.llr(Counts((vector["l"], vector["d"], vector["w"])))
    computed = vector["llr_cutechess_jeffreys_bayeselo"]
    assert llr == pytest.approx(computed, abs=1e-4)
    assert llr == pytest.approx(vector["published_llr"], abs=0.005)


@pytest.mark.parametrize("errors", REFERENCES["bounds"])
def test_bounds(errors: str) -> None:
    alpha, beta = map(float, errors.split(","))
    sprt = Sprt(elo0=0, elo1=10, alpha=alpha, beta=beta)
    assert sprt.bounds == pytest.approx(REFERENCES["bounds"][errors], abs=1e-9)
    low, high = sprt.bounds
    assert sprt.verdict(low) == "H0"
    assert sprt.verdict(high) == "H1"
    assert sprt.verdict((low + high) / 2) is None


@pytest.mark.parametrize("model", MODELS)
def test_no_games(model: Model) -> None:
    assert Sprt(elo0=0, elo1=10, model=model).llr(Counts((0, 0, 0))) == 0


@pytest.mark.parametrize(
    "setting",
    [
        {"elo0": 5, "elo1": 5},
        {"elo0": 5, "elo1": 0},
        {"elo0": 0, "elo1": 1001},
        {"elo0": float("nan"), "elo1": 5},
        {"elo0": 0, "elo1": 5, "alpha": 0},
        {"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.5},
        {"elo0": 0, "elo1": 5, "beta": float("nan")},
        {"elo0": 0, "elo1": 5, "model": "chess"},
    ],
)
def test_no_test(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"elo0|alpha|model"):
        Sprt(**setting)


def test_bayeselo_is_for_games() -> None:
    with pytest.raises(ValueError, match="pairs"):
        SprtRun(Sprt(elo0=0, elo1=10, model="bayeselo"))


@settings(deadline=None)
@given(forms, st.lists(few_units, min_size=5, max_size=5), hypotheses)
def test_every_result_has_a_ratio(
    form: tuple[Model, int], cells: list[int], elos: list[float]
) -> None:
    model, n = form
    elo0, elo1 = elos
    counts = Counts(tuple(cells[:n]))
    llr = Sprt(elo0=elo0, elo1=elo1, model=model).llr(counts)
    assert isfinite(llr)
    mirror = Sprt(elo0=-elo1, elo1=-elo0, model=model).llr(Counts(counts.cells[::-1]))
    assert llr == pytest.approx(-mirror, rel=1e-4, abs=1e-4)


# Games in schedule order.

QUICK = Sprt(elo0=0, elo1=200, alpha=0.2, beta=0.2, model="logistic")


def in_order(test: Sprt, cells: list[int | None]) -> tuple[str | None, Counts]:
    """The verdict after whole prefixes, and what it rests on."""
    counted = [0] * 5
    for cell in cells:
        if cell is not None:
            counted[cell] += 1
            verdict = test.verdict(test.llr(Counts(tuple(counted))))
            if verdict:
                return verdict, Counts(tuple(counted))
    return None, Counts(tuple(counted))


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.sampled_from([0, 0, 2, 2, 4, None]), max_size=60).flatmap(
        lambda cells: st.tuples(
            st.just(cells), st.permutations(list(range(len(cells))))
        )
    )
)
def test_order_of_finishing_does_not_matter(
    schedule: tuple[list[int | None], list[int]],
) -> None:
    cells, order = schedule
    run = SprtRun(QUICK)
    for index in order:
        run.add(index, cells[index])
    assert (run.verdict, run.counts) == in_order(QUICK, cells)
    assert run.llr == QUICK.llr(run.counts)
    assert run.next_index == len(cells)
    assert run.waiting == 0


def test_units_after_a_gap_wait() -> None:
    run = SprtRun(QUICK)
    for index in range(1, 30):
        run.add(index, 4)
    assert run.verdict is None
    assert run.waiting == 29
    assert run.counts.units == 0
    run.add(0, None)
    assert run.verdict == "H1"
    assert run.waiting == 0


def test_the_verdict_stays() -> None:
    run = SprtRun(QUICK)
    wins = 0
    while run.verdict is None:
        run.add(wins, 4)
        wins += 1
    for index in range(wins, wins + 1000):
        run.add(index, 0)
    assert run.verdict == "H1"
    assert run.counts == Counts((0, 0, 0, 0, wins))
    assert run.next_index == wins + 1000


def test_games_one_by_one() -> None:
    run = SprtRun(QUICK, cells=3)
    run.add(0, 2)
    run.add(1, 0)
    assert run.counts == Counts((1, 0, 1))


@pytest.mark.parametrize(("index", "cell"), [(0, 4), (2, 4), (1, 5), (1, -1)])
def test_wrong_units(index: int, cell: int) -> None:
    run = SprtRun(QUICK)
    run.add(0, 4)
    run.add(2, 4)
    with pytest.raises(ValueError, match=r"twice|cell"):
        run.add(index, cell)


def test_later_looks_are_rarer(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def look(test: Sprt, counts: Counts) -> float:
        looks.append(counts.units)
        return 0.0

    monkeypatch.setattr(Sprt, "llr", look)
    run = SprtRun(QUICK)
    for index in range(5000):
        run.add(index, 2)
    assert looks[:1001] == list(range(1001))
    gaps = [after - before for before, after in pairwise(looks)]
    assert all(gap == 1 + n // 1000 for n, gap in zip(looks, gaps, strict=False))
    assert 5000 - looks[-1] <= 5
