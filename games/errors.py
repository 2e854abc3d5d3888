"""Why a move was not played, or a game not set up.

GameError
  UnreadableMove    the text is not a turn of this game
  IllegalMove       the turn exists, but not in this position
  BadSize           the game has no board of that size
  BadVariant        the game has no such option, or the option no such value
"""


class GameError(ValueError):
    """The players asked for something the rules refuse. The message is one line."""


class UnreadableMove(GameError):
    """The text names no turn of this game; `rule` tells how turns are written."""

    def __init__(self, text: str, expected: str, rule: str) -> None:
        super().__init__(f"expected {expected}, got {shorten(text)} ({rule})")


class IllegalMove(GameError):
    """The turn breaks a rule here.

    `rule` names the paragraph of spec/ that forbids it, such as "flipway §2".
    """

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(f"{reason} ({rule})")
        self.rule = rule


class BadSize(GameError):
    """The game has no board of that size; the message says which it has."""


class BadVariant(GameError):
    """No such option or value; the message lists those there are."""


def shorten(text: str) -> str:
    """`text` quoted for a message, in ASCII and cut to a readable length."""
    quoted = ascii(text[:46])
    return quoted if len(quoted) <= 45 else f"{quoted[:41]}...{quoted[0]}"
