"""What the standings of a match say, as text, JSON and CSV. spec/matches.md §13."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from protocol.endings import ENDINGS
from protocol.journal import Journal
from protocol.results import (
    Json,
    counts_text,
    elo_record,
    elo_text,
    rate_text,
    sprt_record,
    sprt_text,
)
from protocol.standings import Standings
from protocol.strength.elo import expected
from protocol.strength.rates import Rate
from protocol.strength.ratings import Ratings

Record = Mapping[str, Any]

FAULTS = ("time", "illegal", "crash", "stall", "protocol")
GAME_COLUMNS = [
    "id",
    "round",
    "black",
    "white",
    "winner",
    "score",
    "how",
    "turns",
    "ms",
    "opening",
    "attempt",
    "start",
    "detail",
]


def read_standings(journal: Journal) -> Standings:
    """Raises BadJournal or BadRecords."""
    standings = Standings(journal.plan)
    for record in journal.records():
        standings.add(record)
    return standings


def distinct_games(records: Iterable[Record]) -> int:
    """How many games differ in at least one turn."""
    return len({hash(tuple(turn[1] for turn in r["turns"])) for r in records})


# Text.


def report_text(standings: Standings) -> str:
    """All about a match; several paragraphs."""
    plan = standings.plan
    parts = [
        f"{plan.game} {plan.size} {plan.variant}, {plan.tournament}, seed {plan.seed}\n"
        + progress_text(standings),
        table_text(standings),
        *(pair_text(standings, *pair) for pair in standings.met),
        sprt_state(standings),
        rates_text(standings),
        endings_text(standings),
    ]
    return "\n\n".join(part for part in parts if part)


def progress_text(standings: Standings) -> str:
    """How far it has come, in one line."""
    done = len(standings.finished)
    total = standings.total
    text = f"{done} games" if total is None else f"{done} of {total} games"
    if standings.half_units:
        text += f", {standings.half_units} of them in unfinished pairs"
    return text


def table_text(standings: Standings) -> str:
    """A line for each player, the strongest first."""
    ratings = standings.ratings()
    ranked = sorted(zip(ratings.elo, ratings.players, strict=True), reverse=True)
    rows = [["", "player", "Elo", "+-", "games", "W", "D", "L", "score", *FAULTS]]
    rows[0] += ["s/turn", "delay"]
    for rank, (elo, name) in enumerate(ranked, 1):
        lost, drawn, won = standings.games_of(name).cells
        games = lost + drawn + won
        score = f"{(won + drawn / 2) / games:.1%}" if games else "none"
        faults = [standings.losses[name, how] for how in FAULTS]
        error = ratings.error(name)
        numbers = [games, won, drawn, lost, score, *faults]
        turns = standings.thought[name]
        numbers.append(f"{standings.seconds[name] / turns:.3g}" if turns else "none")
        numbers.append(f"{standings.delay[name]:.3f}")
        rows.append(
            [str(rank), name, f"{elo:z.1f}", f"{error:.1f}", *map(str, numbers)]
        )
    lines = [columns(rows)]
    if ratings.advantage is not None and ratings.advantage_error is not None:
        lines.append(
            f"moving first: {ratings.advantage:z.1f} +- "
            f"{ratings.advantage_error:.1f} Elo"
        )
    if ratings.prior:
        lines.append(f"with {PRIOR}: {ratings.prior}")
    return "\n".join(lines)


PRIOR = "two virtual draws for each player"


def columns(rows: list[list[str]]) -> str:
    """Text in columns: the second one to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if k == 1 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def pair_text(standings: Standings, first: str, second: str) -> str:
    """What two players' games tell."""
    counts = standings.counts(first, second)
    lines = [f"{first} against {second}", elo_text(counts)]
    if counts.are_pairs:
        lines.append(counts_text(standings.games_between(first, second)))
    if len(standings.plan.engines) > 2:
        lines.append(surprise_text(standings, first, second))
    return "\n".join(lines)


def sprt_state(standings: Standings) -> str:
    """The sequential test, which looks at units in the order of the schedule."""
    run = standings.test
    if not run:
        return ""
    unit = "pairs" if run.counts.are_pairs else "games"
    return (
        sprt_text(run.test, run.llr, run.verdict)
        + f"\nafter {run.counts.units} {unit} in the order of the schedule"
        + (f", {run.waiting} more wait for earlier ones" if run.waiting else "")
    )


def rates_text(standings: Standings) -> str:
    lines = [f"Black scored {rate_text(standings.first_player)}"]
    if standings.swaps_offered:
        lines.append(f"swap taken in {rate_text(standings.swap_taken)}")
    if standings.swaps_taken:
        lines.append(f"who swapped scored {rate_text(standings.swapper)}")
    return "\n".join(lines)


def endings_text(standings: Standings) -> str:
    counted = [f"{h} {n}" for h in ENDINGS if (n := standings.endings[h])]
    lines = [f"endings: {', '.join(counted) or 'none'}"]
    for (name, how), number in sorted(standings.losses.items()):
        if how in FAULTS:
            lines.append(f"{name} lost {number} by {how}")
    for (name, how), number in sorted(standings.replayed.items()):
        lines.append(f"{name or 'nobody'}: {number} replayed after {how}")
    for name, versions in standings.versions.items():
        if len(versions) > 1:
            lines.append(f"{name} was {len(versions)} different programs")
    done = len(standings.finished)
    if done:
        seconds = standings.milliseconds / done / 1000
        turns = standings.turns / done
        lines.append(f"{turns:.1f} turns and {seconds:.3g} s a game")
    return "\n".join(lines)


def surprise_text(standings: Standings, first: str, second: str) -> str:
    """How the games of two fit the ratings, which rest on those of all."""
    ratings = standings.ratings()
    elo, error = ratings.difference(first, second)
    found = surprise(standings, ratings, first, second)
    return (
        f"by all games {elo:z.1f} +- {error:.1f}: expected {found.expected:.1%}, got "
        f"{found.got:.1%}, {found.deviations:+.1f} standard deviations"
    )


@dataclass(frozen=True, slots=True)
class Surprise:
    """A score, what the ratings expect, and the difference in deviations of it."""

    got: float
    expected: float
    deviations: float


def surprise(
    standings: Standings, ratings: Ratings, first: str, second: str
) -> Surprise:
    """Of two players who have met."""
    lead = ratings.difference(first, second)[0]
    bonus = ratings.advantage or 0.0
    as_black = sum(standings.games.get((first, second), ()))
    as_white = sum(standings.games.get((second, first), ()))
    chances = [(as_black, expected(lead + bonus)), (as_white, expected(lead - bonus))]
    games = as_black + as_white
    wanted = sum(n * chance for n, chance in chances) / games
    variance = sum(n * chance * (1 - chance) for n, chance in chances) / games**2
    got = standings.games_between(first, second).score
    deviations = (got - wanted) / sqrt(variance) if variance else 0.0
    return Surprise(got, wanted, deviations)


# JSON.


def report_record(standings: Standings) -> Json:
    """What `report_text` says, under fixed keys and unrounded."""
    plan = standings.plan
    ratings = standings.ratings()
    record: Json = {
        "run": plan.run,
        "game": plan.game,
        "size": plan.size,
        "variant": plan.variant,
        "seed": plan.seed,
        "finished": len(standings.finished),
        "total": standings.total,
        "half_pairs": standings.half_units,
        "players": [player_record(standings, name) for name in plan.engines],
        "ratings": {
            "players": list(ratings.players),
            "elo": list(ratings.elo),
            "covariance": [list(row) for row in ratings.covariance],
            "advantage": ratings.advantage,
            "advantage_error": ratings.advantage_error,
            "groups": [list(group) for group in ratings.groups],
            "prior": ratings.prior,
        },
        "pairs": [
            {
                "first": first,
                "second": second,
                "game_cells": list(standings.games_between(first, second).cells),
                **elo_record(standings.counts(first, second)),
                "rating_difference": list(ratings.difference(first, second)),
                "surprise": asdict(surprise(standings, ratings, first, second)),
            }
            for first, second in standings.met
        ],
        "black": rate_record(standings.first_player),
        "swap_taken": rate_record(standings.swap_taken),
        "swapper": rate_record(standings.swapper),
        "endings": {how: standings.endings[how] for how in ENDINGS},
        "replayed": [
            {"player": name, "how": how, "games": number}
            for (name, how), number in sorted(standings.replayed.items())
        ],
        "turns": standings.turns,
        "ms": standings.milliseconds,
    }
    if run := standings.test:
        record["sprt"] = {
            **sprt_record(run.test, run.llr, run.verdict),
            "cells": list(run.counts.cells),
            "waiting": run.waiting,
        }
    return record


def player_record(standings: Standings, name: str) -> Json:
    lost, drawn, won = standings.games_of(name).cells
    ratings = standings.ratings()
    return {
        "player": name,
        "elo": ratings.elo[ratings.players.index(name)],
        "elo_error": ratings.error(name),
        "games": lost + drawn + won,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "points": won + drawn / 2,
        "turns": standings.thought[name],
        "seconds": standings.seconds[name],
        "longest_delay": standings.delay[name],
        **{f"lost_by_{how}": standings.losses[name, how] for how in ENDINGS[:8]},
    }


def rate_record(rate: Rate) -> Json:
    interval = rate.interval
    return {
        "hits": rate.hits,
        "trials": rate.trials,
        "value": rate.value,
        "interval": list(interval) if interval else None,
    }


# CSV and others.


def players_csv(standings: Standings) -> str:
    """A row for each player."""
    rows = [player_record(standings, name) for name in standings.plan.engines]
    return csv_text(list(rows[0]), rows)


def games_csv(records: Iterable[Record]) -> str:
    """A row for each game, in the order in which they ended."""
    rows = (
        {
            **{key: record.get(key) for key in GAME_COLUMNS},
            **record["players"],
            **{k: record["result"][k] for k in ("winner", "score", "how", "detail")},
            "turns": len(record["turns"]),
            "opening": record["book"],
        }
        for record in records
    )
    return csv_text(GAME_COLUMNS, rows)


def csv_text(names: Iterable[str], rows: Iterable[Mapping[str, object]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(names), extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def games_pgn(records: Iterable[Record]) -> str:
    """Heads without turns, as Ordo and BayesElo read them; Black, who begins, as White.

    In their words White moves first.
    """
    parts = []
    for record in records:
        players, score = record["players"], record["result"]["score"]
        if score is not None:
            parts.append(
                f'[Round "{record["id"]}"]\n[White "{players["black"]}"]\n'
                f'[Black "{players["white"]}"]\n[Result "{score}"]\n\n{score}\n'
            )
    return "\n".join(parts)
