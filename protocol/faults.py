"""What an engine may do instead of its part. spec/matches.md §4.

EngineFault         the message, one line, says what happened and at which command
  Refused           it answered `?`
  Crash             its process ended, or it closed its end of a pipe
  Stall             not a word within the limit
  BadAnswer         noise, a second answer, or one without its end
    WrongNumber     an answer to another command, or to none
Interrupted         no fault: somebody wants the game to stop
"""


class EngineFault(Exception):
    """The engine did not do its part. `raw` is what it wrote instead."""

    how = "protocol"  # the kind of ending that it brings about

    def __init__(self, reason: str, raw: str = "") -> None:
        super().__init__(reason)
        self.raw = raw


class Refused(EngineFault):
    """A proper answer, but `?`."""


class Crash(EngineFault):
    """The process ended, or could not be started, or closed its output."""

    how = "crash"


class Stall(EngineFault):
    """Not a word within the limit."""

    how = "stall"


class BadAnswer(EngineFault):
    """What it wrote is no answer to the command."""


class WrongNumber(BadAnswer):
    """The number is not that of the command."""


class Interrupted(Exception):
    """Somebody wants this to stop."""
