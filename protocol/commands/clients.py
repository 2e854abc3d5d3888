"""Commands that single clients look for, under the names that they use."""

import pyparsing as pp

import games
from games import described
from games.contract import Side
from games.search.settings import READERS
from protocol.commands.about import cputime
from protocol.commands.board import boardsize
from protocol.commands.entry import NOTHING, Entry, has_pie
from protocol.commands.gogui import vertices
from protocol.commands.play import play, swap
from protocol.grammar import COLOR, NATURAL, TURN, WORD
from protocol.session import Session
from protocol.steps import StepSession

Row = tuple[str, str, str]

# Type, label and command of what GoGui offers in a menu; no `/` may be in them.
OPTIONS_MENU = (("param", "Game options", "param_game"),)
MENU = (
    ("param", "Search settings", "param_search"),
    ("string", "Board as text", "showboard"),
    ("string", "Legal turns", "legal_moves"),
    ("string", "Last chosen turn", "gomill-explain_last_move"),
    ("hstring", "About this engine", "gomill-describe_engine"),
    ("string", "Processor time", "cputime"),
)
PIE_MENU = (("none", "Swap", "swap"),)
STEPS_MENU = (("plist", "Legal clicks", "gogui-rules_legal_moves"),)


def gg_undo(session: Session, count: int = 1) -> str:
    """Take back several turns or clicks, all of them or none."""
    session.undo(count)
    return ""


def play_sequence(session: Session, turns: list[tuple[Side, str]]) -> str:
    """Make several turns or clicks, all of them or none."""
    before = list(session.history)
    try:
        for color, turn in turns:
            play(session, color, turn)
    except Exception:
        session.history = before
        raise
    return ""


def reg_genmove(session: Session, color: Side) -> str:
    """Choose a turn or a click as from a fresh start and say which; make nothing."""
    return session.suggest(color)


def all_legal_moves(session: Session) -> str:
    """What `play` takes next: turns, or clicks in step mode."""
    if isinstance(session, StepSession):
        return vertices(session.legal_clicks())
    return " ".join(session.legal_tokens())


def analyze_commands(session: Session) -> str:
    """What a front end may offer in a menu, one a line."""
    rows: tuple[Row, ...] = MENU
    if session.rules.options:
        rows = OPTIONS_MENU + rows
    if session.in_steps:  # swap is a click, or a front end would not know of it
        rows += STEPS_MENU
    elif has_pie(session):
        rows += PIE_MENU
    return "\n".join("/".join(row) for row in rows)


def title(session: Session) -> str:
    """What to write above the board."""
    return f"Crosscut: {described(session.rules)}"


def gogui_version(session: Session, version: str) -> str:
    """Take notice of the version of GoGui."""
    return ""


def describe_engine(session: Session) -> str:
    """Name, version, game, options and settings."""
    settings = session.player.settings
    shown = " ".join(f"{name}={settings.shown(name)}" for name in READERS)
    return f"Crosscut {games.__version__}\n{described(session.rules)}\n{shown}"


def explain_last_move(session: Session) -> str:
    """The turn that was chosen last in this game, and how long that took."""
    return session.explanation


WIDTH = WORD.copy().set_name("WIDTH")("size")
HEIGHT = WORD.copy().set_name("HEIGHT")("height")
ONE_TURN = pp.Group(COLOR + TURN).set_name("COLOR TURN")
ONE_TURN.add_parse_action(lambda found: tuple(found[0]))

TABLE = (
    Entry("gg-undo", pp.Optional(NATURAL.copy().set_name("COUNT")("count")), gg_undo),
    Entry("gogui-play_sequence", ONE_TURN[...]("turns"), play_sequence),
    Entry("reg_genmove", COLOR("color"), reg_genmove),
    Entry("all_legal_moves", NOTHING, all_legal_moves),
    Entry("swap-pieces", NOTHING, swap, has_pie),
    Entry("rectangular_boardsize", WIDTH + HEIGHT, boardsize),
    Entry("gogui-analyze_commands", NOTHING, analyze_commands),
    Entry("hexgui-analyze_commands", NOTHING, analyze_commands),
    Entry("gogui-title", NOTHING, title),
    Entry("gogui-version", WORD.copy().set_name("VERSION")("version"), gogui_version),
    Entry("gomill-cpu_time", NOTHING, cputime),
    Entry("gomill-describe_engine", NOTHING, describe_engine),
    Entry("gomill-explain_last_move", NOTHING, explain_last_move),
)
