"""`crosscut match`: engines against each other. spec/matches.md §15."""

import os
import shlex
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from types import FrameType
from typing import Any

import click

from bin.folders import COMMANDS, folder, reported
from bin.live import VIEWS
from bin.outputs import Files, logs_of
from bin.plans import (
    cpus_of,
    limit_options,
    limits_of,
    plan_of,
    plan_options,
    run_options,
)
from bin.signals import end_at_once
from bin.words import WordsGroup
from protocol.channel import Limits
from protocol.checks import check_engines
from protocol.compliance import FAILED as STEP_FAILED
from protocol.compliance import examine
from protocol.engines import read_engine
from protocol.journal import Journal
from protocol.match import (
    COMPLETE,
    FAILED,
    STOPPED,
    Match,
    MatchFailed,
    mark_of,
    open_match,
)
from protocol.plan import Plan
from protocol.processes import Guard
from protocol.reports import report_text
from protocol.standings import Standings

ENGINES_FAILED, INTERRUPTED = 3, 130  # exit statuses, besides 0, 1 and 2
VERDICTS = {"H1": 0, "H0": 10, None: 11}  # with --exit-verdict


@click.group(
    cls=WordsGroup,
    invoke_without_command=True,
    short_help="Play engines against each other.",
)
@plan_options
@click.option("--out", type=click.Path(), help="Folder of the match; goes on there.")
@run_options
@click.pass_context
def main(ctx: click.Context, /, **options: Any) -> int | None:
    """Play engines against each other; say which is stronger, and by how much.

    \b
    crosscut match --game flipway --size 6 --rounds 50
        --engine name=A cmd="crosscut gtp --game flipway" nodes=1000
        --engine name=B cmd="crosscut gtp --game flipway" nodes=500

    Everything is written into a folder at once; whatever happens, `resume` goes on.
    Exits 0 when all is played, 3 when an engine failed, 130 when stopped.
    """
    if signal.getsignal(signal.SIGINT) is end_at_once:  # engines are to be ended
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if ctx.invoked_subcommand is not None:
        return None
    if not options["game"] and not options["engines"]:
        click.echo(ctx.get_help())
        return None
    with reported():
        plan = plan_of(**options)
        return play(options["out"] or new_folder(), plan, **options)


def play(folder: str, plan: Plan | None, **options: Any) -> int:
    """Play the match in this folder to its end, or until somebody stops it."""
    slots = options["concurrency"]
    limits = limits_of(**options)
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    name = options["progress"] or ("tty" if is_terminal else "lines")
    view = VIEWS[name](
        scores=options["scoreinterval"], ratings=options["ratinginterval"]
    )
    files = Files(folder, options["pgnresults"], options["csv"])
    talks = name in ("tty", "lines")
    resume = f"crosscut match resume {shlex.quote(folder)}"
    outcome, is_complete = STOPPED, False
    opened = open_match(
        folder,
        plan,
        slots=slots,
        watch=view.see,
        recover=options["recover"],
        strict=options["strict"],
        limits=limits,
        cpus=cpus_of(options["use_affinity"]),
        wait=options["wait"] / 1000,
        **logs_of(options["log"]),
    )
    with suppress(KeyboardInterrupt), handled(interrupt), opened as match:
        view.match = match
        if talks:
            view.tell(
                f"match {folder}, run {match.journal.run[:12]}, "
                f"seed {match.plan.seed}; if it breaks: {resume}"
            )
            if slots > (cores := os.cpu_count() or 1):
                click.echo(f"{slots} games share {cores} processors", err=True)
        if not match.standings.is_complete and not engines_run(match, limits):
            outcome = FAILED
        else:
            outcome = run(match, files)
            is_complete = match.standings.is_complete
            if talks:  # before the engines have ended, for which one may have to wait
                view.tell(f"\n{report_text(match.standings)}")
    if files.problem:
        click.echo(f"crosscut: {files.problem}", err=True)
    if outcome == COMPLETE and files.problem:
        return 1
    if outcome == COMPLETE:
        return status_of(match.standings) if options["exit_verdict"] else 0
    if is_complete:
        click.echo("all games are played, but an engine failed", err=True)
    else:
        click.echo(f"not finished; go on with: {resume}", err=True)
    return ENGINES_FAILED if outcome == FAILED else INTERRUPTED


def run(match: Match, files: Files) -> str:
    """Play, heeding signals; how it ended."""
    asked = 0

    def heed(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        match.stop(now=asked > 1 or number != signal.SIGINT)

    with handled(heed), files.written(match.journal):
        try:
            return match.run()
        except MatchFailed as error:
            click.echo(f"crosscut: {error}", err=True)
            return FAILED


def status_of(standings: Standings) -> int:
    return VERDICTS[standings.verdict] if standings.test else 0


def engines_run(match: Match, limits: Limits) -> bool:
    """Whether all of them can play; says which cannot."""
    checks = check_engines(match.plan, limits, mark_of(match.journal))
    problems = [check for check in checks if check.problem]
    for check in problems:
        click.echo(f"crosscut: {check.problem}", err=True)
    return not problems


@contextmanager
def handled(handle: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Have this done at Ctrl-C, SIGTERM and SIGHUP."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP"):
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def new_folder() -> str:
    """One for a match that was given none, named by date and time."""
    made = name = time.strftime("matches/%Y%m%d-%H%M%S")
    for number in count(2):
        try:
            os.makedirs(made)
            return made
        except FileExistsError:
            made = f"{name}-{number}"
    raise AssertionError


@main.command()
@folder
@run_options
def resume(folder: str, **options: Any) -> int:
    """Go on with a match that was stopped or killed."""
    with reported():
        return play(folder, None, **options)


@main.command(short_help="Start every engine once.")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
@plan_options
@limit_options
@click.option(
    "--compliance", is_flag=True, help="Try what the protocol asks for, step by step."
)
def check(folder: str | None, compliance: bool, **options: Any) -> int:
    """Start every engine once: those of a match, or those that the options name.

    Exits 3 if one of them cannot play.
    """
    with reported():
        plan = Journal(folder).plan if folder else plan_to_check(**options)
        limits = limits_of(**options)
        if compliance:
            return 0 if all([*comply(plan, limits)]) else ENGINES_FAILED
        failed = False
        for found in check_engines(plan, limits):
            if found.problem:
                click.echo(f"{found.engine}: failed: {found.problem}")
            else:
                click.echo(f"{found.engine}: {found.name} {found.version}, ready")
            failed |= bool(found.problem)
    return ENGINES_FAILED if failed else 0


def plan_to_check(**options: Any) -> Plan:
    """A match of the engines that the options name; one is enough here."""
    engines = options["engines"]
    if len(engines) != 1:
        return plan_of(**options)
    plan = plan_of(**{**options, "engines": (*engines, f"{engines[0]} name=-")})
    return replace(plan, engines=dict([*plan.engines.items()][:1]))


def comply(plan: Plan, limits: Limits) -> Iterator[bool]:
    """Whether each engine keeps to the protocol; says how, a line a step."""
    guard = Guard()
    try:
        for name, words in plan.engines.items():
            engine = read_engine([*words, f"name={name}"])
            counts = Counter[str]()
            for step in examine(engine, plan.rules, guard, limits):
                counts[step.state] += 1
                detail = f": {step.detail}" if step.detail else ""
                click.echo(f"{name}: {step.name} {step.state}{detail}")
            listed = ", ".join(f"{number} {state}" for state, number in counts.items())
            click.echo(f"{name}: {listed}")
            yield not counts[STEP_FAILED]
    finally:
        guard.close()


for command in COMMANDS:
    main.add_command(command)
