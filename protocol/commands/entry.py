"""One row of a command table."""

from collections.abc import Callable
from dataclasses import dataclass

import pyparsing as pp

from protocol.session import Session

NOTHING = pp.Empty()
"""The usage of a command without arguments."""


def always(session: Session) -> bool:
    return True


def in_steps(session: Session) -> bool:
    return session.in_steps


def has_pie(session: Session) -> bool:
    """Whether its game has a pie rule, on or off."""
    return any(option.name == "pie" for option in session.rules.options)


@dataclass(frozen=True, slots=True)
class Entry:
    """`usage` names each argument; the handler takes them by those names.

    As text, the command line that a user should have written.
    """

    name: str
    usage: pp.ParserElement
    handler: Callable[..., str]
    is_known: Callable[[Session], bool] = always  # there are no others

    def __str__(self) -> str:
        if self.usage is NOTHING:
            return self.name
        return f"{self.name} {self.usage}".replace("{", "").replace("}", "")
