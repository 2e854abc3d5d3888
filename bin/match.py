"""`crosscut match`: engines against each other. spec/matches.md §14."""

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

import click

from bin.live import VIEWS
from bin.words import WordsGroup, numbers, words
from games import GAMES
from games.errors import GameError
from games.variants import parse_variant
from protocol.channel import Limits
from protocol.checks import check_engines, verify
from protocol.journal import BadJournal, Busy, Journal
from protocol.match import COMPLETE, FAILED, Match, MatchFailed, open_match
from protocol.plan import ON_CRASH, BadPlan, Plan
from protocol.records import replay
from protocol.reports import (
    distinct_games,
    games_csv,
    games_pgn,
    players_csv,
    progress_text,
    read_standings,
    report_record,
    report_text,
    table_text,
)
from protocol.results import elo_record, elo_text
from protocol.schedule import FORMATS
from protocol.standings import BadRecords, Standings
from protocol.strength.counts import Counts
from protocol.strength.sprt import Sprt

ENGINES_FAILED, INTERRUPTED = 3, 130  # exit statuses, besides 0, 1 and 2
VERDICTS = {"H1": 0, "H0": 10, None: 11}  # with --exit-verdict

Command = TypeVar("Command", bound=Callable[..., Any])


def all_of(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    def decorate(function: Command) -> Command:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


KEYS = "KEY=VALUE ..."

plan_options = all_of(
    click.option(
        "--game", type=click.Choice(list(GAMES), case_sensitive=False), help="Game."
    ),
    click.option("--size", type=int, help="Board size; each game has a default."),
    click.option(
        "--variant",
        "--rules",
        default="-",
        metavar="K=V,...",
        help="Options of the game.",
    ),
    click.option(
        "--pie",
        type=click.Choice(["on", "off", "rules"]),
        default="rules",
        help="The pie rule; `rules`: as the variant has it.",
    ),
    click.option(
        "--engine", "engines", multiple=True, metavar=KEYS, help="One engine."
    ),
    click.option("--each", metavar=KEYS, help="Words for all engines, before theirs."),
    click.option("--tournament", type=click.Choice(FORMATS), help="Who plays whom."),
    click.option("--seeds", type=int, default=1, help="First engines of a gauntlet."),
    click.option("--rounds", type=int, help="Times that all meet."),
    click.option("--games", type=int, default=2, help="2: pairs; 1: single games."),
    click.option("--maxgames", type=int, help="Games at most."),
    click.option(
        "--openings",
        metavar="SOURCE",
        help="file=F,... or random:plies=2,count=50.",
    ),
    click.option("--srand", type=int, help="Seed of everything; else one is drawn."),
    click.option(
        "--sprt", metavar=KEYS, help="elo0= elo1= alpha= beta= model=: stop when sure."
    ),
    click.option("--maxmoves", type=int, help="Turns of a game at most; 0: no limit."),
    click.option(
        "--resign", metavar=KEYS, help="movecount= score= twosided=: adjudicate."
    ),
    click.option(
        "--on-crash",
        type=click.Choice(ON_CRASH),
        default="retry",
        help="What a crash makes of a game.",
    ),
)

limit_options = all_of(
    click.option("--startup-ms", type=int, help="For an engine's first answer."),
    click.option("--ping-ms", type=int, help="For other answers, but turns."),
    click.option("--stall-ms", type=int, help="For turns where no clock runs."),
    click.option("--quit-ms", type=int, help="For the end, before engines are killed."),
)

run_options = all_of(
    click.option(
        "--concurrency",
        type=click.IntRange(min=1),
        default=1,
        help="Games side by side.",
    ),
    click.option(
        "--use-affinity",
        is_flag=False,
        flag_value="all",
        metavar="[CPUS]",
        help="Each game on a processor of its own: all, or such as 0,2,4-7.",
    ),
    click.option(
        "--progress",
        type=click.Choice(list(VIEWS)),
        help="How to show it; tty on a terminal, else lines.",
    ),
    click.option("--recover", is_flag=True, help="Go on after crashes."),
    click.option(
        "--strict", is_flag=True, help="Stop at whatever an engine does wrong."
    ),
    click.option(
        "--exit-verdict", is_flag=True, help="Status 0: H1, 10: H0, 11: undecided."
    ),
    limit_options,
)

folder = click.argument("folder", metavar="DIR", type=click.Path())


@contextmanager
def reported() -> Iterator[None]:
    """What went wrong, as click reports it."""
    try:
        yield
    except (BadPlan, BadJournal, BadRecords, Busy, MatchFailed) as error:
        raise click.ClickException(str(error)) from None


@click.group(cls=WordsGroup, invoke_without_command=True)
@plan_options
@click.option("--out", type=click.Path(), help="Folder of the match; goes on there.")
@run_options
@click.pass_context
def main(ctx: click.Context, **options: Any) -> int | None:
    """Play engines against each other; say which is stronger, and by how much.

    \b
    crosscut match --game flipway --size 6 --rounds 50
        --engine name=A cmd="crosscut gtp --game flipway" nodes=1000
        --engine name=B cmd="crosscut gtp --game flipway" nodes=500

    Everything is written into a folder at once; whatever happens, `resume` goes on.
    Exits 0 when all is played, 3 when an engine failed, 130 when stopped.
    """
    if ctx.invoked_subcommand is not None:
        return None
    if not options["game"] and not options["engines"]:
        click.echo(ctx.get_help())
        return None
    with reported():
        folder = options["out"] or time.strftime("matches/%Y%m%d-%H%M%S")
        return play(folder, plan_of(**options), **options)


def plan_of(**options: Any) -> Plan:
    """The match that the options describe; raises BadPlan and click.BadParameter."""
    if not options["game"]:
        raise click.UsageError("Missing option '--game'.")
    variant = options["variant"]
    if options["pie"] != "rules":
        try:
            variant = {**parse_variant(variant), "pie": options["pie"]}
        except GameError as error:
            raise BadPlan(str(error)) from None
    seed = options["srand"]
    out = options.get("out")
    if seed is None and out and os.path.isdir(out):
        try:  # the same command once more goes on with the match
            seed = Journal(out).plan.seed
        except BadJournal:
            seed = None
    resign = None
    if options["resign"] is not None:
        resign = numbers(
            options["resign"], "--resign", movecount=int, score=float, twosided=False
        )
    return Plan.of(
        options["game"],
        [words(engine) for engine in options["engines"]],
        each=words(options["each"]),
        size=options["size"],
        variant=variant,
        tournament=options["tournament"],
        seeds=options["seeds"],
        rounds=options["rounds"],
        games=options["games"],
        maxgames=options["maxgames"],
        openings=words(options["openings"]),
        seed=seed,
        maxturns=options["maxmoves"],
        resign=resign,
        on_crash=options["on_crash"],
        sprt=sprt_of(options["sprt"]),
    )


def sprt_of(value: str | None) -> Sprt | None:
    if value is None:
        return None
    defaults = {"alpha": 0.05, "beta": 0.05, "model": "normalized"}
    found = numbers(value, "--sprt", elo0=float, elo1=float, **defaults)
    try:
        return Sprt(**found)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--sprt") from None


def limits_of(**options: Any) -> Limits:
    given = {
        field: options[option] / 1000
        for field, option in (
            ("startup", "startup_ms"),
            ("answer", "ping_ms"),
            ("stall", "stall_ms"),
            ("quit", "quit_ms"),
        )
        if options[option] is not None
    }
    return Limits(**given)


def cpus_of(value: str | None) -> list[int]:
    """
    >>> cpus_of("0,2,4-7")
    [0, 2, 4, 5, 6, 7]
    """
    if value is None:
        return []
    if value == "all":
        return (
            sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        )
    found: list[int] = []
    for part in value.strip("[]").split(","):
        low, _, high = part.partition("-")
        if not low.isdigit() or not (high or low).isdigit():
            reason = f"expected numbers such as 0,2,4-7, got {value}"
            raise click.BadParameter(reason, param_hint="--use-affinity")
        found += range(int(low), int(high or low) + 1)
    return found


def play(folder: str, plan: Plan | None, **options: Any) -> int:
    """Play the match in this folder to its end, or until somebody stops it."""
    slots = options["concurrency"]
    limits = limits_of(**options)
    name = options["progress"] or ("tty" if sys.stdout.isatty() else "lines")
    view = VIEWS[name]()
    talks = name in ("tty", "lines")
    resume = f"crosscut match resume {shlex.quote(folder)}"
    with open_match(
        folder,
        plan,
        slots=slots,
        watch=view,
        recover=options["recover"],
        strict=options["strict"],
        limits=limits,
        cpus=cpus_of(options["use_affinity"]),
    ) as match:
        view.match = match
        if not match.standings.is_complete and not engines_run(match.plan, limits):
            click.echo(f"go on with: {resume}", err=True)
            return ENGINES_FAILED
        if talks:
            click.echo(f"match {folder}, run {match.journal.run[:12]}", nl=False)
            click.echo(f", seed {match.plan.seed}; if it breaks: {resume}")
            if slots > (cores := os.cpu_count() or 1):
                click.echo(f"{slots} games share {cores} processors", err=True)
        with signals(match):
            outcome = match.run()
    if talks:
        click.echo(f"\n{report_text(match.standings)}")
    if outcome != COMPLETE:
        click.echo(f"not finished; go on with: {resume}", err=True)
        return ENGINES_FAILED if outcome == FAILED else INTERRUPTED
    return status_of(match.standings) if options["exit_verdict"] else 0


def status_of(standings: Standings) -> int:
    return VERDICTS[standings.verdict] if standings.test else 0


def engines_run(plan: Plan, limits: Limits) -> bool:
    """Whether all of them can play; says which cannot."""
    problems = [c for c in check_engines(plan, limits) if c.problem]
    for check in problems:
        click.echo(f"crosscut: {check.problem}", err=True)
    return not problems


@contextmanager
def signals(match: Match) -> Iterator[None]:
    """Ctrl-C lets running games end, a second one ends them; SIGTERM does at once."""
    asked = 0

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        match.stop(now=asked > 1 or number != signal.SIGINT)

    numbers = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP"):
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@main.command()
@folder
@run_options
def resume(folder: str, **options: Any) -> int:
    """Go on with a match that was stopped or killed."""
    with reported():
        return play(folder, None, **options)


@main.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
@plan_options
@limit_options
def check(folder: str | None, **options: Any) -> int:
    """Start every engine once: those of a match, or those that the options name."""
    with reported():
        plan = Journal(folder).plan if folder else plan_of(**options)
        failed = False
        for found in check_engines(plan, limits_of(**options)):
            if found.problem:
                click.echo(f"{found.engine}: failed: {found.problem}")
            else:
                click.echo(f"{found.engine}: {found.name} {found.version}, ready")
            failed |= bool(found.problem)
    return ENGINES_FAILED if failed else 0


@main.command()
@folder
@click.argument("game", metavar="[GAME]", required=False)
def show(folder: str, game: str | None) -> int:
    """Tell how a match stands, or show one game, such as 17.1."""
    with reported():
        journal = Journal(folder)
        if game:
            return show_game(journal, game)
        standings = read_standings(journal)
        state = "running" if journal.is_running else "not running"
        click.echo(f"{progress_text(standings)}, {state}\n{table_text(standings)}")
    return 0


def show_game(journal: Journal, name: str) -> int:
    for record in journal.records():
        if record["id"] != name:
            continue
        players, result = record["players"], record["result"]
        click.echo(f"game {name}: {players['black']} (Black) - {players['white']}")
        click.echo(" ".join(turn[1] for turn in record["turns"]))
        if record.get("rec"):
            click.echo(replay(record).diagram())
        click.echo(f"{result['score']} by {result['how']} {result['detail']}".rstrip())
        return 0
    raise click.ClickException(f"there is no game {name}")


FORMS = ("text", "json", "csv", "games", "pgn")


@main.command()
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
    import json

    with reported():
        journal = Journal(folder)
        if form == "games":
            click.echo(games_csv(journal.records()), nl=False)
        elif form == "pgn":
            click.echo(games_pgn(journal.records()), nl=False)
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
                click.echo(f"{distinct} of {len(standings.finished)} games differ")


@main.command()
@folder
@click.option("--now", is_flag=True, help="Do not wait for the games now running.")
def stop(folder: str, now: bool) -> None:
    """Have a running match stop, whoever runs it and wherever."""
    with reported():
        journal = Journal(folder)
        if not journal.is_running:
            raise click.ClickException(f"nobody is running {folder} on this machine")
        journal.ask_to_stop(now)


@main.command("verify")
@folder
def verify_command(folder: str) -> int:
    """Play every game again by the rules, and compare it with what is written."""
    with reported():
        journal = Journal(folder)
        problems = list(verify(journal))
        for problem in problems:
            click.echo(problem)
        if problems:
            return 1
        click.echo(f"{len(read_standings(journal).finished)} games verified")
    return 0


@main.command()
@click.argument("what", metavar="DIR | N N N | N N N N N", nargs=-1, required=True)
@click.option("--sprt", metavar=KEYS, help="elo0= elo1= alpha= beta= model=.")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def elo(what: tuple[str, ...], sprt: str | None, as_json: bool) -> None:
    """Tell what results mean: those of a match, or counts.

    Three numbers are games won, lost and drawn; five are pairs by points: LL LD DD/WL
    WD WW.
    """
    import json

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
    try:
        return Counts.written([int(number) for number in numbers])
    except ValueError as error:
        raise click.ClickException(str(error)) from None
