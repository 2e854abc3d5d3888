"""One row of a command table."""

from collections.abc import Callable
from dataclasses import dataclass

import pyparsing as pp

NOTHING = pp.Empty()
"""The usage of a command without arguments."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`usage` names each argument; the handler takes them by those names.

    As text, the command line that a user should have written.
    """

    name: str
    usage: pp.ParserElement
    handler: Callable[..., str]
    steps_only: bool = False  # known in step mode only

    def __str__(self) -> str:
        if self.usage is NOTHING:
            return self.name
        return f"{self.name} {self.usage}".replace("{", "").replace("}", "")
