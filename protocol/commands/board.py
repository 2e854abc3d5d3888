"""Commands about the board: its kind, its size and what stands on it."""

import pyparsing as pp

from games import GAMES, described
from games.errors import BadSize
from protocol.commands.entry import NOTHING, Entry
from protocol.errors import Refusal
from protocol.grammar import REAL, WORD
from protocol.session import Session


def list_games(session: Session) -> str:
    """Name every game, one a line."""
    return "\n".join(GAMES)


def set_game(session: Session, game: str) -> str:
    """Start a new game of another kind, at its default size and variant."""
    session.choose_game(game.lower())
    return ""


def boardsize(session: Session, size: str, height: str = "") -> str:
    """Start a new game at another size; the boards are as high as wide."""
    width = whole(size)
    if width is None:
        raise BadSize(session.sizes)
    if height and whole(height) != width:
        raise BadSize(f"{session.sizes}, as high as wide")
    session.resize(width)
    return ""


def whole(word: str) -> int | None:
    return int(word) if word.isdecimal() and len(word) < 20 else None


def clear_board(session: Session) -> str:
    """Start a new game of the same kind."""
    session.clear()
    return ""


def komi(session: Session, points: float) -> str:
    """Accept any number: these games have no komi."""
    session.komi = points
    return ""


def get_komi(session: Session) -> str:
    """The number that `komi` was given last."""
    return f"{session.komi:.10g}"


def showboard(session: Session) -> str:
    """Draw the position."""
    lines = [
        "",
        described(session.rules),
        session.position.diagram(),
        status(session),
        *session.remarks(),
    ]
    return "\n".join(lines)


def status(session: Session) -> str:
    """Whose turn it is, or how the game ended, in words."""
    if session.winner is None:
        return f"{session.position.to_move.word} to move"
    return f"{session.winner.word} wins: {final_score(session)}"


def legal_moves(session: Session) -> str:
    """Every legal turn, in notation order; none once the game is over."""
    return " ".join(session.legal_tokens())


def side_to_move(session: Session) -> str:
    """Whose turn it is; after the end, whose turn it would be."""
    return session.position.to_move.word


def final_score(session: Session) -> str:
    """The result, once the game is over."""
    if session.winner is None:
        raise Refusal("the game is not over", "cannot score")
    letter = session.winner.letter.upper()
    if session.resigned is not None:
        return f"{letter}+R"
    return f"{letter}+{session.position.margin or ''}"


TABLE = (
    Entry("list_games", NOTHING, list_games),
    Entry("set_game", WORD.copy().set_name("GAME")("game"), set_game),
    Entry(
        "boardsize",
        WORD.copy().set_name("SIZE")("size")
        + pp.Optional(WORD.copy().set_name("HEIGHT")("height")),
        boardsize,
    ),
    Entry("clear_board", NOTHING, clear_board),
    Entry("komi", REAL("points"), komi),
    Entry("get_komi", NOTHING, get_komi),
    Entry("showboard", NOTHING, showboard),
    Entry("legal_moves", NOTHING, legal_moves),
    Entry("side_to_move", NOTHING, side_to_move),
    Entry("final_score", NOTHING, final_score),
)
