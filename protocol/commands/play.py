"""Commands that make turns and take them back."""

from games.contract import SWAP, Side
from protocol.commands.entry import NOTHING, Entry
from protocol.grammar import COLOR, TURN
from protocol.session import RESIGN, Session


def play(session: Session, color: Side, turn: str) -> str:
    """Make a turn that someone else chose, or note that a side resigns."""
    if turn.lower() == RESIGN:
        session.resign(color)
    else:
        session.enter(color, turn)
    return ""


def swap(session: Session) -> str:
    """Make the turn `swap` for the side to move."""
    session.play(session.position.to_move, SWAP)
    return ""


def genmove(session: Session, color: Side) -> str:
    """Choose a turn, make it, and say which.

    Once the game is over, say only whether `color` lost or won.
    """
    return session.generate(color)


def undo(session: Session) -> str:
    """Take back the last turn, or a resignation."""
    session.undo()
    return ""


TABLE = (
    Entry("play", COLOR("color") + TURN("turn"), play),
    Entry("swap", NOTHING, swap),
    Entry("genmove", COLOR("color"), genmove),
    Entry("undo", NOTHING, undo),
)
