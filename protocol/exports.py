"""What the standings of a match say, for other programs: JSON, CSV, heads of PGN.

spec/matches.md §13.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from protocol.endings import ENDINGS, UNDECIDED
from protocol.plan import Plan
from protocol.results import Json, elo_record, sprt_record
from protocol.standings import Standings
from protocol.strength.rates import Rate
from protocol.strength.ratings import Ratings

Record = Mapping[str, Any]

LOSSES = [how for how in ENDINGS if how not in UNDECIDED]
GAME_COLUMNS = (
    *("id", "round", "black", "white", "winner", "score", "how", "turns", "ms"),
    *("opening", "attempt", "start", "detail"),
)


def report_record(standings: Standings) -> Json:
    """What `report_text` says, under fixed keys and unrounded."""
    plan = standings.plan
    ratings = standings.ratings()
    record: Json = {
        "run": plan.run,
        "event": plan.event,
        "site": plan.site,
        "game": plan.game,
        "size": plan.size,
        "variant": plan.variant,
        "seed": plan.seed,
        "finished": len(standings.finished),
        "total": standings.total,
        "half_pairs": standings.half_units,
        "players": [player_record(standings, ratings, n) for n in plan.engines],
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
                "surprise": asdict(standings.surprise(ratings, first, second)),
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
        "watchers": [
            {"name": name, "failed": number, "first": standings.first_faults[name]}
            for name, number in standings.watchers_faults.items()
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


def player_record(standings: Standings, ratings: Ratings, name: str) -> Json:
    lost, drawn, won = standings.games_of(name).cells
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
        **{f"lost_by_{how}": standings.losses[name, how] for how in LOSSES},
    }


def rate_record(rate: Rate) -> Json:
    interval = rate.interval
    return {
        "hits": rate.hits,
        "trials": rate.trials,
        "value": rate.value,
        "interval": list(interval) if interval else None,
    }


def players_csv(standings: Standings) -> str:
    """A row for each player."""
    ratings, names = standings.ratings(), standings.plan.engines
    rows = [player_record(standings, ratings, name) for name in names]
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


def distinct_games(records: Iterable[Record]) -> int:
    """How many games differ in at least one turn."""
    return len({hash(tuple(turn[1] for turn in r["turns"])) for r in records})


def games_pgn(plan: Plan, records: Iterable[Record]) -> str:
    """Heads without turns, as Ordo and BayesElo read them; Black, who begins, as White.

    In their words White moves first.
    """
    titles = "".join(
        f"[{tag} {quoted(text)}]\n"
        for tag, text in (("Event", plan.event), ("Site", plan.site))
        if text
    )
    parts = []
    for record in records:
        players, score = record["players"], record["result"]["score"]
        if score is not None:
            parts.append(
                f'{titles}[Round "{record["id"]}"]\n[White "{players["black"]}"]\n'
                f'[Black "{players["white"]}"]\n[Result "{score}"]\n\n{score}\n'
            )
    return "\n".join(parts)


def quoted(text: str) -> str:
    """As PGN writes text."""
    escaped = text.replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'
