"""Conversations with a session in this process.

As text, a conversation has the lines that are sent behind `> `, each followed by its
answer as it comes over the wire; lines that begin with `#` are for the reader.
"""

import shlex
from collections.abc import Iterable

from bin import gtp, options
from games.search.player import Player
from protocol.inbox import Inbox
from protocol.loop import serve
from protocol.session import Session


def open_session(arguments: str) -> Session:
    """The session that `crosscut gtp` starts with these options."""
    given = gtp.main.make_context("gtp", shlex.split(arguments)).params
    rules = options.rules(*(given.pop(key) for key in ("game", "size", "variant")))
    steps, _ = given.pop("steps"), given.pop("logfile_name")
    settings = options.settings(given.pop("search"), **given)
    return gtp.open_session(rules, Player(settings), steps)


def answers(session: Session, chunks: Iterable[bytes]) -> list[str]:
    """What the session writes, a text for each answer, if its input then ends."""
    inbox = Inbox()
    for chunk in chunks:
        inbox.feed(chunk)
    inbox.close()
    written: list[str] = []
    serve(session, inbox, written.append)
    return written


def converse(session: Session, sent: str) -> str:
    """The answers to some lines as one text; the client stays there."""
    stay = "999 quit"  # after which nobody has gone, for all that the session knows
    written = answers(session, [f"{sent}\n{stay}".encode()])
    return "".join(written).removesuffix("=999 \n\n")


def replay(session: Session, conversation: str) -> str:
    """The conversation as it goes today."""
    got = ""
    for line in conversation.splitlines(keepends=True):
        if line.startswith("#"):
            got += line
        elif line.startswith("> "):
            got += line + converse(session, line[2:])
    return got
