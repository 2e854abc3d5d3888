"""Results in words and as JSON: who is stronger, by how much, and the test's verdict.

The numbers come from `protocol.strength`. Infinite ones are written `inf`; in JSON
they are null, and a second key with `_inf` at its end tells the sign. What does not
exist yet, because there are no games, is null.
"""

from dataclasses import fields
from math import isinf

from protocol.strength.counts import Counts
from protocol.strength.elo import Estimate, estimate
from protocol.strength.rates import Rate
from protocol.strength.sprt import Sprt, Verdict

Json = dict[str, object]


def elo_text(counts: Counts, test: Sprt | None = None) -> str:
    """All that counts tell about two players, a line for each thing.

    Raises ValueError if the model of the test does not fit the counts.

    >>> print(elo_text(Counts((5, 20, 40, 25, 10)), Sprt(elo0=0, elo1=20)))
    Elo 26.11 +- 34.83
    nElo 36.35 +- 48.15
    likelihood interval [-8.70, 61.34] (95 %)
    LOS 93.05 %
    SPRT normalized [0, 20] alpha 0.05 beta 0.05: LLR 0.87 [-2.94, 2.94] undecided
    100 pairs: LL 5, LD 20, DD/WL 40, WD 25, WW 10
    """
    found = estimate(counts)
    if found is None:
        lines = [f"no {'pairs' if counts.are_pairs else 'games'} yet"]
    else:
        lines = [
            f"Elo {found.elo:z.2f} +- {found.elo_error:.2f}",
            f"nElo {found.nelo:z.2f} +- {found.nelo_error:.2f}",
            f"likelihood interval [{found.low:z.2f}, {found.high:z.2f}] (95 %)",
            f"LOS {100 * found.los:.2f} %",
        ]
    if test:
        llr = test.llr(counts)
        lines.append(sprt_text(test, llr, test.verdict(llr)))
    return "\n".join([*lines, counts_text(counts)])


def sprt_text(test: Sprt, llr: float, verdict: Verdict | None) -> str:
    """One line: the model, the hypotheses, the bounds and where the test stands."""
    low, high = test.bounds
    setting = f"[{test.elo0:g}, {test.elo1:g}] alpha {test.alpha:g} beta {test.beta:g}"
    state = f"{verdict} accepted" if verdict else "undecided"
    place = f"LLR {llr:z.2f} [{low:.2f}, {high:.2f}]"
    return f"SPRT {test.model} {setting}: {place} {state}"


def counts_text(counts: Counts) -> str:
    """
    >>> counts_text(Counts((40, 0, 60)))
    '100 games: W 60, L 40, D 0'
    """
    unit, names = "pair", ["LL", "LD", "DD/WL", "WD", "WW"]
    cells = counts.cells
    if not counts.are_pairs:
        unit, names = "game", ["W", "L", "D"]
        cells = (cells[2], cells[0], cells[1])
    listed = ", ".join(f"{name} {n}" for name, n in zip(names, cells, strict=True))
    return f"{counts.units} {unit}{'' if counts.units == 1 else 's'}: {listed}"


def rate_text(rate: Rate) -> str:
    """
    >>> rate_text(Rate(60, 100))
    '60.0 % of 100 (50.2 to 69.1 %)'
    """
    if rate.value is None or rate.interval is None:
        return "none"
    low, high = rate.interval
    share = f"{100 * rate.value:.1f} % of {rate.trials}"
    return f"{share} ({100 * low:.1f} to {100 * high:.1f} %)"


def elo_record(counts: Counts, test: Sprt | None = None) -> Json:
    """What `elo_text` says, under fixed keys and unrounded.

    >>> record = elo_record(Counts((10, 0, 0)))
    >>> record["elo"], record["elo_inf"], round(record["los"], 5)
    (None, -1, 0.00049)
    """
    found = estimate(counts)
    score = counts.score if counts.units else None
    record: Json = {"cells": list(counts.cells), "games": counts.games, "score": score}
    for field in fields(Estimate):
        value: float | None = getattr(found, field.name, None)
        if value is not None and isinf(value):
            record |= {field.name: None, f"{field.name}_inf": 1 if value > 0 else -1}
        else:
            record[field.name] = value
    if test:
        llr = test.llr(counts)
        record["sprt"] = sprt_record(test, llr, test.verdict(llr))
    return record


def sprt_record(test: Sprt, llr: float, verdict: Verdict | None) -> Json:
    """What `sprt_text` says."""
    low, high = test.bounds
    return {
        "model": test.model,
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "lower": low,
        "upper": high,
        "llr": llr,
        "verdict": verdict,
    }
