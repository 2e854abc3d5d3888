"""The ways in which a game ends. spec/matches.md §4."""

from collections.abc import Mapping
from typing import Any

from games.contract import Side

RULES = "rules"  # somebody has won
RESIGN = "resign"
TIME = "time"  # a flag fell
ILLEGAL = "illegal"  # a turn against the rules
CRASH = "crash"  # an engine ended
STALL = "stall"  # an engine did not answer, and no clock ran
PROTOCOL = "protocol"  # an engine answered what is no answer, or refused
ADJUDICATED = "adjudicated"  # the engines held the game for decided
MAXMOVES = "maxmoves"  # as many turns as the job allows; half a point each
VOID = "void"  # interrupted, or spoilt by a referee: not a result

ENDINGS = (
    RULES,
    RESIGN,
    TIME,
    ILLEGAL,
    CRASH,
    STALL,
    PROTOCOL,
    ADJUDICATED,
    MAXMOVES,
    VOID,
)
UNDECIDED = (MAXMOVES, VOID)
ABNORMAL = (TIME, ILLEGAL, CRASH, STALL, PROTOCOL, VOID)
UNUSABLE = (TIME, CRASH, STALL, PROTOCOL)  # the loser is started anew


def voided(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a game that shall not count."""
    nobody = {"winner": None, "side": None, "score": None, "how": VOID}
    return {**result, **nobody, "detail": f"{result['how']}: {result['detail']}"}


class Ending(Exception):
    """The game is over.

    `loser` is the side that lost, None if neither has; `detail` a line for people;
    `raw` what an engine wrote that it should not have written.
    """

    def __init__(
        self, how: str, loser: Side | None = None, detail: str = "", raw: str = ""
    ) -> None:
        super().__init__(how)
        self.how = how
        self.loser = loser
        self.detail = detail
        self.raw = raw

    @property
    def winner(self) -> Side | None:
        return None if self.loser is None else self.loser.other


def score_text(how: str, winner: str | None) -> str | None:
    """The score, Black's part first; a void game has none.

    >>> score_text("time", "w"), score_text("maxmoves", None)
    ('0-1', '1/2-1/2')
    """
    if winner is None:
        return "1/2-1/2" if how == MAXMOVES else None
    return "1-0" if winner == "b" else "0-1"
