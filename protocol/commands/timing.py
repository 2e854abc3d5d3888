"""Commands about the clock."""

from games.contract import Side
from games.search.clock import Clock
from protocol.commands.entry import Entry
from protocol.grammar import COLOR, NATURAL, REAL
from protocol.session import Session


def time_settings(session: Session, main: float, period: float, stones: int) -> str:
    """Set both clocks: main time, then so many seconds for so many turns."""
    clock = Clock(main, period, stones)
    if clock.is_limit:  # Load now, so that no turn pays for it.
        session.player.load(session.rules, session.is_unattended)
    session.clock = clock
    return ""


def time_left(session: Session, color: Side, seconds: float, stones: int) -> str:
    """Set one clock to what the referee says."""
    session.clock.set_left(color, seconds, stones)
    return ""


TABLE = (
    Entry(
        "time_settings",
        REAL.copy().set_name("MAIN")("main")
        + REAL.copy().set_name("PERIOD")("period")
        + NATURAL.copy().set_name("STONES")("stones"),
        time_settings,
    ),
    Entry(
        "time_left",
        COLOR("color")
        + REAL.copy().set_name("SECONDS")("seconds")
        + NATURAL.copy().set_name("STONES")("stones"),
        time_left,
    ),
)
