"""Why a command was refused. spec/protocol.md §3.

CommandError          answered with `?`; the session goes on unchanged
  SyntaxFault         the line is no command, or does not fit the command's usage
  UnknownCommand
  Refusal             right command, but not now, or not with this value
EndSession            no error: `quit`
"""

from games.errors import BadSize, GameError, IllegalMove, UnreadableMove, shorten


class CommandError(Exception):
    """Its message, one line, is the text after `?`.

    It begins with the `fixed` words, if there are any. They are the whole text where
    clients compare it with the words they know (§9).
    """

    def __init__(self, reason: str, fixed: str = "") -> None:
        super().__init__(f"{fixed}: {reason}" if fixed else reason)
        self.fixed = fixed


class SyntaxFault(CommandError):
    """The line is no command, or does not fit the command's usage."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"syntax error: {reason}")


class UnknownCommand(CommandError):
    """No such command."""

    def __init__(self, name: str) -> None:
        super().__init__(shorten(name), "unknown command")


class Refusal(CommandError):
    """Right command, but not now, or not with this value."""


class EndSession(Exception):
    """Stop the loop after answering."""


FIXED_TEXTS = {
    UnreadableMove: "illegal move",
    IllegalMove: "illegal move",
    BadSize: "unacceptable size",
}
"""The words that clients look for, by the error of the rules they stand for."""


def refusal(error: GameError) -> Refusal:
    """What the rules refused, as the answer of a command."""
    return Refusal(str(error), FIXED_TEXTS.get(type(error), ""))
