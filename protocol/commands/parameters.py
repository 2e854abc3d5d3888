"""Commands that show and change the parameters of the game and of the search.

Listings are in the form that GoGui turns into a dialog: `[type] key value`.
"""

import pyparsing as pp

from games.search.settings import PLAYERS, READERS
from protocol.commands.entry import Entry
from protocol.grammar import WORD
from protocol.session import Session

CHANGE = pp.Optional(
    WORD.copy().set_name("KEY")("key") + WORD.copy().set_name("VALUE")("value")
)


def param_game(session: Session, key: str = "", value: str = "") -> str:
    """List the options of the game, or change one and start a new game."""
    if key:
        session.change_variant({key: value})
        return ""
    lines = []
    for option in session.rules.options:
        chosen = getattr(session.rules, option.name)
        if option.is_switch:
            lines.append(f"[bool] {option.name} {int(chosen)}")
        else:
            lines.append(f"[list/{'/'.join(option.words)}] {option.name} {chosen}")
    return "\n".join(lines)


def param_search(session: Session, key: str = "", value: str = "") -> str:
    """List the settings of the player, or change one."""
    if key:
        session.change_setting(key, value)
        return ""
    settings = session.player.settings
    kinds = {"player": f"[list/{'/'.join(PLAYERS)}]"}
    return "\n".join(
        f"{kinds.get(name, '[string]')} {name} {settings.shown(name)}"
        for name in READERS
    )


def set_random_seed(session: Session, seed: str) -> str:
    """Start the dice anew: with `clear_board`, as if started with this seed."""
    session.change_setting("seed", seed)
    return ""


TABLE = (
    Entry("param_game", CHANGE, param_game),
    Entry("param_search", CHANGE, param_search),
    Entry("set_random_seed", WORD.copy().set_name("SEED")("seed"), set_random_seed),
)
