"""Take a line, answer it, until `quit` or the end of input."""

import logging
from collections.abc import Callable

from protocol import commands, response
from protocol.errors import CommandError, EndSession, SyntaxFault
from protocol.grammar import parse
from protocol.inbox import LONGEST_LINE, Inbox, Line
from protocol.session import Session

log = logging.getLogger(__name__)


def ignore(line: str, answer: str) -> None:
    pass


def serve(
    session: Session,
    inbox: Inbox,
    write: Callable[[str], None],
    record: Callable[[str, str], None] = ignore,
) -> None:
    """Answer every line of `inbox` by one `write`, in order.

    Each line and its answer are given to `record` as well. Searches stop as `inbox`
    says. An OSError of `write` ends the loop: nobody listens any more.
    """
    session.is_interrupted = inbox.is_interrupted
    session.is_unattended = inbox.is_unattended
    more = True
    while more and (line := inbox.take()):
        answer, more = answer_line(session, line)
        record(line.text, answer)
        try:
            write(answer)
        except OSError:
            return
    if session.was_cut_short:
        log.warning("input ended without quit: searches were cut short")


def answer_line(session: Session, line: Line) -> tuple[str, bool]:
    """The answer to `line`, and whether to go on.

    A refusal becomes `?`. So does a bug, which is also logged with its
    traceback: a match should survive one bad command.
    """
    id_ = ""
    try:
        command = parse(line.text)
        id_ = command.id
        if line.is_too_long:
            raise SyntaxFault(f"a line has at most {LONGEST_LINE} bytes")
        return response.success(id_, commands.run(session, command)), True
    except EndSession:
        return response.success(id_, ""), False
    except CommandError as error:
        return response.failure(id_, session.reason(error)), True
    except Exception:
        log.exception("while answering %.200r", line.text)
        return response.failure(id_, "internal error"), True
