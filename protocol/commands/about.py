"""Commands about the engine and the session itself."""

import time
from typing import NoReturn

import games
from protocol.commands.entry import NOTHING, Entry
from protocol.errors import EndSession
from protocol.session import Session


def protocol_version(session: Session) -> str:
    """The version of the Go Text Protocol that this one follows."""
    return "2"


def name(session: Session) -> str:
    """The engine's name."""
    return "Crosscut"


def version(session: Session) -> str:
    """The engine's version."""
    return games.__version__


def quit_(session: Session) -> NoReturn:
    """End the session."""
    raise EndSession


def cputime(session: Session) -> str:
    """Seconds of processor time that this process has used, all threads together."""
    return f"{time.process_time():.2f}"


def interrupt(session: Session) -> str:
    """Say that a line `# interrupt` stops a search."""
    return ""


TABLE = (
    Entry("protocol_version", NOTHING, protocol_version),
    Entry("name", NOTHING, name),
    Entry("version", NOTHING, version),
    Entry("quit", NOTHING, quit_),
    Entry("cputime", NOTHING, cputime),
    Entry("gogui-interrupt", NOTHING, interrupt),
)
