"""`crosscut gtp`: the engine, on standard input and output."""

import logging
import os
import secrets
import select
import signal
import stat
import threading
from contextlib import suppress
from functools import partial
from typing import TextIO

import click

from bin import options
from bin.signals import end, end_at_once
from games.contract import Rules
from games.errors import BadSize
from games.search.player import Player
from games.search.settings import PLAYERS
from protocol.inbox import Inbox, read_into, standard_input
from protocol.loop import ignore, serve
from protocol.session import Session
from protocol.steps import StepSession

log = logging.getLogger(__name__)


@click.command(short_help="The engine: answer protocol commands.")
@options.game()
@options.size
@options.variant
@click.option("--player", metavar="|".join(PLAYERS), help="Who chooses the turns.")
@click.option("--playouts", metavar="N", help="Playouts a turn at most; 0: no limit.")
@click.option("--seconds", metavar="S", help="Seconds a turn at most; 0: no limit.")
@click.option("--threads", metavar="N", help="Searches side by side.")
@click.option("--seed", metavar="N", help="Same seed, same turns; else one is drawn.")
@options.search
@click.option("--steps", is_flag=True, help="One click a command, for GoGui and such.")
@click.option(
    "--logfile-name", type=click.File("a", "utf-8"), help="Add the conversation to it."
)
def main(
    game: str,
    size: int | None,
    variant: str,
    search: str,
    steps: bool,
    logfile_name: TextIO | None,
    **others: str,
) -> None:
    """Answer protocol commands until `quit` or the end of input.

    Standard output carries answers only, everything else goes to standard error.
    With neither --playouts nor --seconds a turn takes one second. Exits 0, or 2 for a
    bad option.
    """
    rules = options.rules(game, size, variant)
    is_drawn = others["seed"] is None and "seed" not in options.pairs_of(search)
    if is_drawn:
        others["seed"] = str(secrets.randbelow(2**31))
    player = Player(options.settings(search, **others))
    session = open_session(rules, player, steps)
    if is_drawn:
        log.warning("seed %s", others["seed"])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end_at_once)
    answers = take_standard_output()
    end_with_the_reader(answers)
    inbox = Inbox()
    read_into(inbox, standard_input)
    record = partial(note, logfile_name) if logfile_name else ignore
    serve(session, inbox, lambda text: write_all(answers, text.encode()), record)
    end(0)


def open_session(rules: Rules, player: Player, steps: bool) -> Session:
    """Raises click.BadParameter if the grid of step mode would be too wide."""
    try:
        return (StepSession if steps else Session)(rules, player)
    except BadSize as error:
        text = f"unacceptable size: {error}"
        raise click.BadParameter(text, param_hint="--size") from None


def note(log: TextIO, line: str, answer: str) -> None:
    """Write a line and its answer down. A full disk is no reason to stop a game."""
    with suppress(OSError):
        log.write(f"> {line}\n{answer}")
        log.flush()


def take_standard_output() -> int:
    """A descriptor for the answers; what others print goes to standard error."""
    # Whoever started us may have closed one of the three standard descriptors.
    while (null := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(null)
    answers = os.dup(1)
    os.dup2(2, 1)
    return answers


def end_with_the_reader(answers: int) -> None:
    """End the process once nobody can read the answers, even during a search.

    Where the system does not tell, that is noticed when an answer is written
    (decision 0014).
    """
    if not hasattr(select, "poll") or not stat.S_ISFIFO(os.fstat(answers).st_mode):
        return

    def watch() -> None:
        poller = select.poll()
        poller.register(answers, 0)
        if poller.poll()[0][1] & (select.POLLERR | select.POLLHUP):
            end(0)

    threading.Thread(target=watch, name="watcher", daemon=True).start()


def write_all(descriptor: int, data: bytes) -> None:
    """Raises OSError when nobody can read it any more."""
    while data:
        data = data[os.write(descriptor, data) :]
