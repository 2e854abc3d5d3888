"""Whether what an engine wrote is an answer to a command. spec/matches.md §4."""

import re

from protocol.faults import BadAnswer, EngineFault, Refused, WrongNumber

KEPT_REASON = 200  # characters of a refusal

HEAD = re.compile(r"([=?])(\d*)(?![^ \t\n])[ \t]?")


def readable(data: bytes) -> str:
    """As text, whatever it is."""
    return data.decode("utf-8", "backslashreplace")


def is_noise(data: bytes) -> bool:
    """Whether no answer begins like this. Empty lines before it are already gone."""
    return bool(data) and data[:1] not in b"=?"


def text_of(answer: str) -> str:
    """What it says, without sign and number."""
    return HEAD.sub("", answer, count=1).strip()


def fault_in(answer: str, number: int) -> tuple[type[EngineFault], str] | None:
    """What is wrong with it as the answer to command `number`; None if it is a `=`."""
    head = HEAD.match(answer)
    if not head:
        return BadAnswer, "wrote no answer"
    if head[2] != str(number):
        found = f"as number {head[2]}" if head[2] else "without a number"
        return WrongNumber, f"answered {found}, not as {number}"
    if head[1] == "?":
        reason = " ".join(text_of(answer).split())[:KEPT_REASON]
        return Refused, f"refused: {reason}"
    return None
