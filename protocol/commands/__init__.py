"""Every command: its usage, as a grammar, and the function that carries it out.

To add one, write a function in the module of its family and list it in that
module's TABLE. spec/protocol.md §4 describes each command to users.
"""

from collections.abc import Mapping

import pyparsing as pp

from games.errors import GameError
from protocol.commands import (
    about,
    board,
    clients,
    gogui,
    kata,
    parameters,
    play,
    timing,
)
from protocol.commands.entry import NOTHING, Entry
from protocol.errors import SyntaxFault, UnknownCommand, refusal
from protocol.grammar import NAME, Command
from protocol.session import Session

TABLES = (
    about.TABLE,
    board.TABLE,
    play.TABLE,
    parameters.TABLE,
    timing.TABLE,
    clients.TABLE,
    kata.TABLE,
    gogui.TABLE,
)


def known_command(session: Session, name: str) -> str:
    """Tell whether there is such a command."""
    return "true" if find(session, name) else "false"


def list_commands(session: Session) -> str:
    """Name every command, one a line."""
    return "\n".join(name for name in COMMANDS if find(session, name))


COMMANDS: Mapping[str, Entry] = {
    entry.name: entry
    for entry in (
        *(entry for table in TABLES for entry in table),
        Entry("known_command", NAME("name"), known_command),
        Entry("list_commands", NOTHING, list_commands),
    )
}


def find(session: Session, name: str) -> Entry | None:
    """The command of that name, if there is one for this session."""
    entry = COMMANDS.get(name)
    return entry if entry and entry.is_known(session) else None


def run(session: Session, command: Command) -> str:
    """Carry out `command`; returns the text of its answer.

    Raises CommandError, with the session as it was before.
    """
    if not command.name:
        raise SyntaxFault("a command is missing after the id")
    entry = find(session, command.name)
    if entry is None:
        raise UnknownCommand(command.name)
    try:
        rest = in_common_words(session, entry, command.rest)
        found = entry.usage.parse_string(rest, parse_all=True)
        return entry.handler(session, **found.as_dict())
    except pp.ParseException:
        raise SyntaxFault(f"expected {entry}") from None
    except GameError as error:
        raise refusal(error) from error


def in_common_words(session: Session, entry: Entry, arguments: str) -> str:
    """`arguments` with the game's own words for the sides replaced by `b` and `w`.

    A color is the first word of a command, or the first of every two.
    """
    own = session.rules.side_words
    if not own or "COLOR" not in str(entry.usage):
        return arguments
    words = arguments.split()
    for place in range(0, len(words), 2):
        if words[place].lower() in own:
            words[place] = own[words[place].lower()].letter
    return " ".join(words)
