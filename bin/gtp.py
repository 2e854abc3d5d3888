"""`crosscut gtp`: the engine, on standard input and output."""

import os
import secrets
import signal
import sys
from types import FrameType

import click

from bin import options
from games.search.player import Player
from games.search.settings import PLAYERS
from protocol.inbox import Inbox, read_into, standard_input
from protocol.loop import serve
from protocol.session import Session


@click.command()
@options.game()
@options.size
@options.variant
@click.option("--player", metavar="|".join(PLAYERS), help="Who chooses the turns.")
@click.option("--playouts", metavar="N", help="Playouts a turn at most; 0: no limit.")
@click.option("--seconds", metavar="S", help="Seconds a turn at most; 0: no limit.")
@click.option("--threads", metavar="N", help="Searches side by side.")
@click.option("--seed", metavar="N", help="Same seed, same turns; else one is drawn.")
@options.search
def main(game: str, size: int | None, variant: str, search: str, **others: str) -> None:
    """Answer protocol commands until `quit` or the end of input.

    Standard output carries answers only, everything else goes to standard error.
    With neither --playouts nor --seconds a turn takes one second. Exits 0, or 2 for a
    bad option.
    """
    rules = options.rules(game, size, variant)
    if others["seed"] is None and "seed" not in options.pairs_of(search):
        others["seed"] = str(secrets.randbelow(2**31))
        click.echo(f"crosscut: seed {others['seed']}", err=True)
    session = Session(rules, Player(options.settings(search, **others)))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end_at_once)
    answers = take_standard_output()
    inbox = Inbox()
    read_into(inbox, standard_input)
    serve(session, inbox, lambda text: write_all(answers, text.encode()))


def end_at_once(number: int, frame: FrameType | None) -> None:
    """Every answer is out already and nothing else needs to be saved."""
    os._exit(128 + number)


def take_standard_output() -> int:
    """A descriptor for the answers; what others print goes to standard error."""
    sys.stdout.flush()
    answers = os.dup(1)
    os.dup2(2, 1)
    return answers


def write_all(descriptor: int, data: bytes) -> None:
    """Raises OSError when nobody can read it any more."""
    while data:
        data = data[os.write(descriptor, data) :]
