r"""One input line to one Command, and the words commands are made of.

    line    = [id] [name word*]
    id      = digit+
    name    = one or more characters that are not blanks
    word    = one or more visible ASCII characters
    color   = b | w | black | white                     case does not matter
    vertex  = letter A to Z without I, then 1 to 99     case does not matter
    turn    = part ((+ | - | :) part)* | swap | swap-pieces | pass | resign
    part    = vertex [b | w | / | \ | l | r]             at most 8 in a turn

spec/protocol.md §2 and §5. Comments and control characters are gone before this.
"""

import re
from dataclasses import dataclass

import pyparsing as pp

from games.contract import Side
from games.errors import UnreadableMove

pp.ParserElement.set_default_whitespace_chars(" \t")

END = pp.Regex(r"(?=[ \t]|$)").suppress().leave_whitespace()

ID = pp.Regex(r"[0-9]+(?=[ \t]|$)").set_name("ID")
NAME = pp.Regex(r"[^ \t]+").set_name("NAME")
WORD = pp.Regex(r"[!-~]+(?=[ \t]|$)").set_name("WORD")
LINE = pp.Optional(ID)("id") + pp.Optional(NAME("name") + pp.rest_of_line("rest"))

SIDES = {"b": Side.BLACK, "w": Side.WHITE, "black": Side.BLACK, "white": Side.WHITE}
COLOR = (pp.one_of(SIDES, caseless=True) + END).set_name("COLOR")
COLOR.add_parse_action(lambda tokens: SIDES[str(tokens[0]).lower()])

HUGE = 1e300  # for whatever is more, so that nothing is infinite

NATURAL = (pp.Regex(r"[0-9]{1,300}") + END).set_name("NUMBER")
NATURAL.add_parse_action(lambda tokens: int(str(tokens[0])))
REAL = pp.Regex(r"[+-]?([0-9]{1,300}\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?") + END
REAL = REAL.set_name("NUMBER")
REAL.add_parse_action(lambda tokens: max(-HUGE, min(float(str(tokens[0])), HUGE)))

VERTEX = pp.Regex(r"[A-HJ-Za-hj-z][1-9][0-9]?").set_name("vertex")
MARK = pp.Char("bwBWlrLR/\\")
PART = VERTEX + pp.Optional(MARK)
NAMED = pp.one_of("swap-pieces swap pass resign", caseless=True)
SHAPE = pp.Combine((NAMED | PART + (pp.Char("+-:") + PART)[0, 7]) + END)


def unreadable(tokens: pp.ParseResults) -> None:
    word = str(tokens[0])
    hint = " without column I" if re.search("(?<![A-Za-z])[Ii][0-9]", word) else ""
    raise UnreadableMove(word, f"a turn{hint}", "protocol §5")


TURN = (SHAPE | NAME.copy().add_parse_action(unreadable)).set_name("TURN")
"""A turn of any game by its shape; raises UnreadableMove for any other word."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line taken apart. `id` keeps its digits as written; both may be empty."""

    id: str
    name: str
    rest: str


def parse(line: str) -> Command:
    """Take `line`, which holds no control characters, apart.

    >>> parse("12 play b C3+D4")
    Command(id='12', name='play', rest='b C3+D4')
    >>> parse("showboard")
    Command(id='', name='showboard', rest='')
    """
    found = LINE.parse_string(line, parse_all=True).as_dict()
    return Command(
        found.get("id", ""), found.get("name", ""), found.get("rest", "").strip(" \t")
    )
