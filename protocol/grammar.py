r"""One input line to one Command, and the words commands are made of.

    line    = [id] name word*
    id      = digit+
    name    = word
    word    = one or more visible ASCII characters
    color   = b | w | black | white                     case does not matter
    vertex  = letter A to Z without I, then 1 to 99     case does not matter
    turn    = part ((+ | - | :) part)* | swap | swap-pieces | pass | resign
    part    = vertex [b | w | / | \ | l | r]

spec/protocol.md §2 and §5. Comments and control characters are gone before this.
"""

from dataclasses import dataclass

import pyparsing as pp

from games.contract import Side
from games.errors import UnreadableMove
from protocol.errors import SyntaxFault

pp.ParserElement.set_default_whitespace_chars(" \t")

END = pp.Regex(r"(?=[ \t]|$)").suppress().leave_whitespace()

WORD = pp.Regex(r"[!-~]+").set_name("WORD")
ID = pp.Regex(r"[0-9]+(?=[ \t]|$)").set_name("ID")
LINE = pp.Optional(ID)("id") + pp.Optional(WORD("name") + pp.rest_of_line("rest"))

SIDES = {"b": Side.BLACK, "w": Side.WHITE, "black": Side.BLACK, "white": Side.WHITE}
COLOR = pp.one_of(SIDES, caseless=True, as_keyword=True).set_name("COLOR")
COLOR.add_parse_action(lambda tokens: SIDES[str(tokens[0]).lower()])

NATURAL = (pp.Regex(r"[0-9]{1,18}") + END).set_name("NUMBER")
NATURAL.add_parse_action(lambda tokens: int(str(tokens[0])))
REAL = pp.Regex(r"[+-]?([0-9]{1,300}\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?") + END
REAL = REAL.set_name("NUMBER")
REAL.add_parse_action(lambda tokens: float(str(tokens[0])))

VERTEX = pp.Regex(r"[A-HJ-Za-hj-z][1-9][0-9]?").set_name("vertex")
MARK = pp.Char("bwBWlrLR/\\")
PART = VERTEX + pp.Optional(MARK)
NAMED = pp.one_of("swap-pieces swap pass resign", caseless=True)
SHAPE = pp.Combine((NAMED | PART + (pp.Char("+-:") + PART)[...]) + END)


def unreadable(tokens: pp.ParseResults) -> None:
    raise UnreadableMove(str(tokens[0]), "a turn")


TURN = (SHAPE | WORD.copy().add_parse_action(unreadable)).set_name("TURN")
"""A turn of any game by its shape; raises UnreadableMove for any other word."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line taken apart. `id` keeps its digits as written; both may be empty."""

    id: str
    name: str
    rest: str


def parse(line: str) -> Command:
    """Take `line` apart; raises SyntaxFault if it is not made of words.

    >>> parse("12 play b C3+D4")
    Command(id='12', name='play', rest='b C3+D4')
    >>> parse("showboard")
    Command(id='', name='showboard', rest='')
    """
    try:
        found = LINE.parse_string(line, parse_all=True).as_dict()
    except pp.ParseException:
        raise SyntaxFault("a command is a word of printable ASCII") from None
    return Command(
        found.get("id", ""), found.get("name", ""), found.get("rest", "").strip()
    )
