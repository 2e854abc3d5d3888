"""`crosscut`: a group of subcommands, each loaded when it is called."""

import importlib
import logging
import signal
import sys
from collections.abc import Sequence

import click

import games
from bin.signals import end, end_at_once

SUBCOMMANDS = ("gtp", "match", "perft", "bench", "warm")


class LazyGroup(click.Group):
    """Finds the subcommand `x` as `bin.x:main`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS:
            return None
        command: click.Command = importlib.import_module(f"bin.{cmd_name}").main
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(games.__version__, prog_name="crosscut")
def group() -> None:
    """Play drawless abstract games over a text protocol.

    `crosscut gtp` is the engine; the others count, measure and prepare.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a subcommand. A wrong option is one line on standard error and status 2.

    Without any argument, show what there is.
    """
    if arguments is None:
        arguments = sys.argv[1:]
    logging.basicConfig(level=logging.WARNING, format="crosscut: %(message)s")
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, end_at_once)
        status = group.main(
            arguments or ["--help"], prog_name="crosscut", standalone_mode=False
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # nobody would read more
            click.echo(f"crosscut: {error.strerror or error}", err=True)
        end(1)
    except click.ClickException as error:
        text = " ".join(error.format_message().split())
        click.echo(f"crosscut: {text}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(status if isinstance(status, int) else 0)
