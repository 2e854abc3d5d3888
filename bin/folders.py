"""The subcommands of `crosscut match` that look into the folder of a match."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import click

from bin.plans import KEYS, sprt_of
from bin.words import Words
from games.errors import shorten
from protocol.checks import verify
from protocol.exports import (
    distinct_games,
    games_csv,
    games_pgn,
    players_csv,
    report_record,
)
from protocol.journal import BadJournal, Busy, Journal
from protocol.plan import BadPlan
from protocol.records import BadRecord, replay
from protocol.reports import (
    progress_text,
    read_standings,
    report_text,
    table_text,
    turns_text,
)
from protocol.results import elo_record, elo_text
from protocol.standings import BadRecords
from protocol.strength.counts import Counts

PROBLEMS = (BadPlan, BadJournal, BadRecord, BadRecords, Busy)

folder = click.argument("folder", metavar="DIR", type=click.Path())


@contextmanager
def reported() -> Iterator[None]:
    """What went wrong, as click reports it."""
    try:
        yield
    except BrokenPipeError:  # nobody would read the reason
        raise
    except (*PROBLEMS, OSError, NotImplementedError) as error:
        raise click.ClickException(str(error)) from None


@click.command(cls=Words)
@folder
@click.argument("game", metavar="[GAME]", required=False)
@click.option("--comments", is_flag=True, help="Tell what is known of each turn.")
def show(folder: str, game: str | None, comments: bool) -> int:
    """Tell how a match stands, or show one game, such as 17.1."""
    if comments and not game:
        raise click.UsageError("--comments needs a game, such as 17.1")
    with reported():
        journal = Journal(folder)
        if game:
            return show_game(journal, game, comments)
        standings = read_standings(journal)
        state = "running" if journal.is_running else "not running"
        click.echo(f"{progress_text(standings)}, {state}\n{table_text(standings)}")
    return 0


def show_game(journal: Journal, name: str, comments: bool) -> int:
    for record in journal.records():
        if record["id"] != name:
            continue
        players, result = record["players"], record["result"]
        click.echo(f"game {name}: {players['black']} (Black) - {players['white']}")
        if comments:
            click.echo(turns_text(record))
        else:
            click.echo(" ".join(turn[1] for turn in record["turns"]))
        click.echo(replay(record).diagram())
        click.echo(f"{result['score']} by {result['how']} {result['detail']}".rstrip())
        return 0
    raise click.ClickException(f"there is no game {name}")


LONGEST_COUNT = 100  # digits
FORMS = ("text", "json", "csv", "games", "pgn")


@click.command(cls=Words)
@folder
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="csv: a row a player; games: a row a game; pgn: heads for rating programs.",
)
def report(folder: str, form: str) -> None:
    """Print all that follows from the games so far."""
    with reported():
        journal = Journal(folder)
        if form == "games":
            click.echo(games_csv(journal.records()), nl=False)
        elif form == "pgn":
            click.echo(games_pgn(journal.plan, journal.records()), nl=False)
        else:
            standings = read_standings(journal)
            distinct = distinct_games(journal.records())
            if form == "csv":
                click.echo(players_csv(standings), nl=False)
            elif form == "json":
                click.echo(
                    json.dumps({**report_record(standings), "distinct": distinct})
                )
            else:
                click.echo(report_text(standings))
                click.echo(
                    f"{distinct} different games among {len(standings.finished)}"
                )


@click.command(cls=Words)
@folder
@click.option("--now", is_flag=True, help="Do not wait for the games now running.")
def stop(folder: str, now: bool) -> None:
    """Have a running match stop, whoever runs it and wherever."""
    with reported():
        journal = Journal(folder)
        if not journal.is_running:
            raise click.ClickException(f"nobody is running {folder} on this machine")
        journal.ask_to_stop(now)


@click.command("verify", cls=Words, short_help="Play every game again by the rules.")
@folder
def verify_games(folder: str) -> int:
    """Play every game again by the rules, and compare it with what is written."""
    with reported():
        journal = Journal(folder)
        problems = list(verify(journal))
        for problem in problems:
            click.echo(problem)
        if problems:
            return 1
        standings = read_standings(journal)
        done, total = len(standings.finished), standings.total
        missing = "" if total is None or done == total else f" of {total}"
        click.echo(f"{done}{missing} games verified")
    return 0


@click.command(cls=Words)
@click.argument("what", metavar="DIR | N N N | N N N N N", nargs=-1, required=True)
@click.option("--sprt", metavar=KEYS, help="elo0= elo1= alpha= beta= model=.")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def elo(what: tuple[str, ...], sprt: str | None, as_json: bool) -> None:
    """Tell what results mean: those of a match, or counts.

    Three numbers are games won, lost and drawn; five are pairs by points: LL LD DD/WL
    WD WW.
    """
    test = sprt_of(sprt)
    with reported():
        if len(what) == 1 and not what[0].isdigit():
            standings = read_standings(Journal(what[0]))
            pairs = standings.met
            if not pairs:
                raise click.ClickException(f"{what[0]} has no games yet")
            counted = [(f"{a} against {b}", standings.counts(a, b)) for a, b in pairs]
        else:
            counted = [("", counts_of(what))]
    for name, counts in counted:
        try:
            if as_json:
                click.echo(json.dumps(elo_record(counts, test)))
            else:
                text = elo_text(counts, test)
                click.echo(f"{name}\n{text}" if len(counted) > 1 else text)
        except ValueError as error:
            raise click.ClickException(str(error)) from None


def counts_of(numbers: tuple[str, ...]) -> Counts:
    for word in numbers:
        if not (word.isascii() and word.isdigit() and len(word) <= LONGEST_COUNT):
            raise click.UsageError(
                f"expected a folder, or 3 or 5 numbers of games, got {shorten(word)}"
            )
    try:
        return Counts.written([int(number) for number in numbers])
    except ValueError as error:
        raise click.ClickException(str(error)) from None


COMMANDS = (show, report, stop, verify_games, elo)
