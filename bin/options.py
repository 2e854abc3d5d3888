"""Options that several subcommands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from games import GAMES, open_game
from games.contract import Rules
from games.errors import BadSize, GameError
from games.search.settings import READERS, Settings
from games.variants import parse_variant

Command = TypeVar("Command", bound=Callable[..., Any])


def game(required: bool = True) -> Callable[[Command], Command]:
    choice = click.Choice(list(GAMES), case_sensitive=False)
    text = "Game to play." if required else "One game only."
    return click.option("--game", type=choice, required=required, help=text)


size = click.option("--size", type=int, help="Board size; each game has a default.")
variant = click.option(
    "--variant", default="-", metavar="K=V,...", help="Options of the game; - for none."
)
search = click.option(
    "--search",
    default="-",
    metavar="K=V,...",
    help=f"Any settings of the player: {' '.join(READERS)}.",
)


def rules(game: str, size: int | None, variant: str) -> Rules:
    """The rules that the options name; raises click.BadParameter."""
    try:
        return open_game(game, size, parse_variant(variant))
    except BadSize as error:
        text = f"unacceptable size: {error}"
        raise click.BadParameter(text, param_hint="--size") from None
    except GameError as error:
        raise click.BadParameter(str(error), param_hint="--variant") from None


def settings(search: str, **others: str | None) -> Settings:
    """The settings that the options name; the others win over `--search`."""
    named = [("--search", pair) for pair in pairs_of(search).items()]
    named += [(f"--{k}", (k, v)) for k, v in others.items() if v is not None]
    made = Settings()
    for hint, (name, text) in named:
        try:
            made = made.with_text(name, text)
        except GameError as error:
            raise click.BadParameter(str(error), param_hint=hint) from None
    return made


def pairs_of(search: str) -> dict[str, str]:
    try:
        return parse_variant(search)
    except GameError as error:
        raise click.BadParameter(str(error), param_hint="--search") from None
