"""What the standings of a match say, in words. spec/matches.md §13."""

from collections.abc import Mapping
from typing import Any

from protocol.endings import CRASH, ENDINGS, ILLEGAL, PROTOCOL, STALL, TIME, VOID
from protocol.journal import Journal
from protocol.referee import BOOK
from protocol.results import counts_text, elo_text, rate_text, sprt_text
from protocol.standings import Standings
from protocol.strength.ratings import Ratings

FAULTS = (TIME, ILLEGAL, CRASH, STALL, PROTOCOL)
TABLE = ["", "player", "Elo", "+-", "games", "W", "D", "L", "score", *FAULTS]
TABLE += ["s/turn", "delay"]


def read_standings(journal: Journal) -> Standings:
    """Raises BadJournal or BadRecords."""
    standings = Standings(journal.plan)
    for record in journal.summaries():
        standings.add(record)
    return standings


def report_text(standings: Standings) -> str:
    """All about a match; several paragraphs."""
    plan, ratings = standings.plan, standings.ratings()
    parts = [
        ", ".join(text for text in (plan.event, plan.site) if text),
        f"{plan.game} {plan.size} {plan.variant}, {plan.tournament}, seed {plan.seed}\n"
        + progress_text(standings),
        table_text(standings),
        *(pair_text(standings, ratings, *pair) for pair in standings.met),
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
    rows = [TABLE]
    for rank, (elo, name) in enumerate(ranked, 1):
        rated = [f"{elo:z.1f}", f"{ratings.error(name):.1f}"]
        if not standings.games:  # only the prior speaks
            rated = ["none", "none"]
        rows.append([str(rank), name, *rated, *player_cells(standings, name)])
    lines = [columns(rows)]
    if not standings.games:
        return lines[0]
    if ratings.advantage is not None and ratings.advantage_error is not None:
        error = ratings.advantage_error
        lines.append(f"moving first: {ratings.advantage:z.1f} +- {error:.1f} Elo")
    if ratings.prior:
        lines.append(f"with two virtual draws for each player: {ratings.prior}")
    return "\n".join(lines)


def player_cells(standings: Standings, name: str) -> list[str]:
    """The part of the table that does not come from ratings."""
    lost, drawn, won = standings.games_of(name).cells
    games, turns = lost + drawn + won, standings.thought[name]
    score = f"{(won + drawn / 2) / games:.1%}" if games else "none"
    faults = [standings.losses[name, how] for how in FAULTS]
    numbers = [*map(str, (games, won, drawn, lost)), score, *map(str, faults)]
    pace = f"{standings.seconds[name] / turns:.3g}" if turns else "none"
    return [*numbers, pace, f"{standings.delay[name]:.3f}"]


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


def pair_text(standings: Standings, ratings: Ratings, first: str, second: str) -> str:
    """What two players' games tell."""
    counts = standings.counts(first, second)
    lines = [f"{first} against {second}", elo_text(counts)]
    if counts.are_pairs:
        lines.append(counts_text(standings.games_between(first, second)))
    if len(standings.plan.engines) > 2:
        lines.append(surprise_text(standings, ratings, first, second))
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
        first = f", first {standings.first_void}" if how == VOID else ""
        lines.append(f"{name or 'nobody'}: {number} replayed after {how}{first}")
    for name, number in standings.watchers_faults.items():
        first = standings.first_faults[name]
        lines.append(f"warning: {name} failed in {number} games, first in {first}")
    for name, versions in standings.versions.items():
        if len(versions) > 1:
            lines.append(f"{name} was {len(versions)} different programs")
    done = len(standings.finished)
    if done:
        seconds = standings.milliseconds / done / 1000
        turns = standings.turns / done
        lines.append(f"{turns:.1f} turns and {seconds:.3g} s a game")
    return "\n".join(lines)


def turns_text(record: Mapping[str, Any]) -> str:
    """A game turn by turn: time, chances of winning, and below them comments."""
    lines = []
    for number, (letter, token, took, *more) in enumerate(record["turns"], 1):
        said = more[0] if more else {}
        cells = [f"{number:4} {letter} {token}"]
        cells.append(took if took == BOOK else f"{took / 1000:.3f} s")
        if "v" in said:
            cells.append(f"{said['v']:.1%}")
        cells += [f"{name} {value:.1%}" for name, value in said.get("o", {}).items()]
        lines.append("  ".join(cells))
        if "c" in said:
            lines += [f"     {line}".rstrip() for line in str(said["c"]).split("\n")]
    return "\n".join(lines)


def surprise_text(
    standings: Standings, ratings: Ratings, first: str, second: str
) -> str:
    """How the games of two fit the ratings, which rest on those of all."""
    elo, error = ratings.difference(first, second)
    found = standings.surprise(ratings, first, second)
    return (
        f"by all games {elo:z.1f} +- {error:.1f}: expected {found.expected:.1%}, got "
        f"{found.got:.1%}, {found.deviations:+z.1f} standard deviations"
    )
