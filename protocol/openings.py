"""Turns from which games begin: from a file, or drawn at random. spec/matches.md §11.

Random openings differ by more than a symmetry of the game. The symmetries are found
by trying: a map of the board counts if games played on both sides of it stay alike.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from games.contract import SWAP, Position, Rules
from games.errors import GameError, shorten
from games.notation import VERTEX, read_vertex, write_vertex
from games.variants import Sizes
from protocol.records import position_text
from protocol.schedule import POLICIES

Opening = list[str]  # turns as text, from the first one of the game
Map = Callable[[str], str]  # of a turn's text

MOST = 1_000_000  # openings
TRIALS = 4  # games by which a symmetry is known
LONGEST_TRIAL = 300  # turns
FRUITLESS = 2_000  # draws in a row without a new opening, after which there is none
ORDERS = ("sequential", "random")


class BadOpening(ValueError):
    """No such openings, or they are against the rules; the message is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where openings come from: `file`, or else at random."""

    file: str = ""
    order: str = "sequential"
    start: int = 1  # the first one of the file to use
    plies: int | None = None  # turns of each; None for all that the file has
    count: int | None = None  # None for all of the file
    policy: str = "round"  # see protocol.schedule

    def openings(self, rules: Rules, seed: int) -> list[Opening]:
        """Legal ones, as tokens, in the order to play; raises BadOpening."""
        dice = random.Random(f"openings {seed}")
        if not self.file:
            return drawn(rules, self.plies or 1, self.count or 1, dice)
        try:
            with open(self.file, encoding="utf-8-sig") as file:
                found = list(read_openings(file))
        except (OSError, UnicodeDecodeError) as error:
            raise BadOpening(f"cannot read {self.file}: {error}") from None
        except BadOpening as error:
            raise BadOpening(f"{self.file} {error}") from None
        if self.order == "random":
            dice.shuffle(found)
        found = found[self.start - 1 :][: self.count]
        if not found:
            raise BadOpening(f"{self.file} has no opening from {self.start} on")
        openings = []
        for number, opening in found:
            try:
                openings.append(legal(rules, opening[: self.plies]))
            except BadOpening as error:
                raise BadOpening(f"{self.file} line {number}: {error}") from None
        return openings


def read_source(words: Iterable[str]) -> Source:
    """The source that `file=F,order=...` or `random:plies=2,count=50` names.

    Raises BadOpening. A comma may also be a blank.

    >>> read_source(["random:plies=2,count=50"])
    Source(file='', order='sequential', start=1, plies=2, count=50, policy='round')
    """
    parts = [part for word in words for part in re.split(r",(?=[a-z]+=)", word)]
    is_random = bool(parts) and parts[0].startswith("random:")
    if is_random:
        parts[0] = parts[0].removeprefix("random:")
    allowed = ["plies", "count", "policy"] if is_random else ["file", *KEYS]
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or key not in allowed:
            raise BadOpening(f"expected {' '.join(allowed)}, got {shorten(part)}")
        found[key] = value
    missing = {"plies", "count"} if is_random else {"file"}
    if missing := {key for key in missing if not found.get(key)}:
        raise BadOpening(f"{' '.join(sorted(missing))} is missing")
    for key, known in (("order", ORDERS), ("policy", POLICIES)):
        if found.get(key, known[0]) not in known:
            raise BadOpening(
                f"{key} is {shorten(found[key])}, allowed: {' '.join(known)}"
            )
    numbers = {key: whole(key, found.pop(key)) for key in NUMBERS if key in found}
    return Source(**found, **numbers)  # type: ignore[arg-type]


KEYS = ("order", "start", "plies", "count", "policy")
NUMBERS = ("start", "plies", "count")


def whole(key: str, text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST:
        return int(text)
    raise BadOpening(f"{key} is {shorten(text)}, allowed: 1 to {MOST}")


# From a file.


def read_openings(lines: Iterable[str]) -> Iterator[tuple[int, Opening]]:
    """The openings, each with the number of its line; raises BadOpening.

    A line is turns with blanks between them, a JSON list of them, or a JSON object
    with such a list, or that of a game's record, as `turns`. Empty lines do not
    count, nor do those that begin with `#`.
    """
    for number, text in enumerate(lines, 1):
        line = text.strip()
        if not line or line.startswith("#"):
            continue
        if line[0] not in "[{":
            yield number, line.split()
            continue
        try:
            yield number, turns_in(json.loads(line))
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise BadOpening(f"line {number}: no list of turns") from None


def turns_in(found: object) -> Opening:
    if isinstance(found, Mapping):
        found = found["turns"]
    if not isinstance(found, list):
        raise TypeError
    turns = [turn if isinstance(turn, str) else turn[1] for turn in found]
    if not all(isinstance(turn, str) for turn in turns):
        raise TypeError
    return turns


def legal(rules: Rules, opening: Sequence[str]) -> Opening:
    """The opening as tokens; raises BadOpening if it is none."""
    position: Position = rules.start()
    tokens: list[str] = []
    for number, text in enumerate(opening, 1):
        try:
            turn = position.read(text)
            position = position.play(turn)
        except GameError as error:
            where = " ".join(opening[:number])
            raise BadOpening(f"opening {shorten(where)}: {error}") from None
        tokens.append(rules.write(turn))
    if position.winner is not None:
        raise BadOpening(f"opening {shorten(' '.join(tokens))}: the game is over")
    return tokens


# At random.


def drawn(rules: Rules, plies: int, count: int, dice: random.Random) -> list[Opening]:
    """`count` openings of that many random turns, none of them `swap`.

    No two of them lead to the same position, nor to positions that a symmetry of
    the game takes to each other. Raises BadOpening if there are not so many.
    """
    maps = symmetries(rules)
    found: list[Opening] = []
    known: set[str] = set()
    fruitless = 0
    while len(found) < count:
        opening = draw(rules, plies, dice)
        if opening is not None and (key := key_of(rules, opening, maps)) not in known:
            known.add(key)
            found.append(opening)
            fruitless = 0
            continue
        fruitless += 1
        if fruitless == FRUITLESS:
            raise BadOpening(
                f"found only {len(found)} different openings of {plies} turns"
            )
    return found


def draw(rules: Rules, plies: int, dice: random.Random) -> Opening | None:
    """None if the game ended before."""
    position: Position = rules.start()
    tokens: list[str] = []
    while len(tokens) < plies:
        turn = position.random_turn(dice)
        if turn == SWAP:
            continue
        position = position.play(turn)
        tokens.append(rules.write(turn))
        if position.winner is not None:
            return None
    return tokens


def key_of(rules: Rules, opening: Opening, maps: Sequence[Map]) -> str:
    """The same for all openings that symmetries take to each other."""
    texts = []
    for mapped in maps:
        position: Position = rules.start()
        for token in opening:
            position = position.play(position.read(mapped(token)))
        texts.append(position_text(position))
    return min(texts)


def symmetries(rules: Rules) -> list[Map]:
    """The maps of the board under which the game does not change.

    Games long enough to tell are tried on a smaller board of the same kind.
    """
    dice = random.Random(f"symmetries of {rules.name}")
    small = smaller(rules)
    trials = [trial(small, dice) for _ in range(TRIALS)]
    found = []
    for mapped, tried in zip(board_maps(rules), board_maps(small), strict=True):
        if is_onto(rules, mapped) and all(fits(small, t, tried) for t in trials):
            found.append(mapped)
    return found


def smaller(rules: Any) -> Rules:
    """The same game on a small board, where boards of every fourth size are alike."""
    sizes: Sizes = rules.sizes
    surplus = (rules.size - sizes.low) // sizes.step
    size = sizes.low + (2 + (surplus - 2) % 4) * sizes.step
    small: Rules = replace(rules, size=min(size, rules.size))
    return small


Trial = list[tuple[str, Position]]  # each turn, and the position after it


def trial(rules: Rules, dice: random.Random) -> Trial:
    position: Position = rules.start()
    played: Trial = []
    while position.winner is None and len(played) < LONGEST_TRIAL:
        turn = position.random_turn(dice)
        position = position.play(turn)
        played.append((rules.write(turn), position))
    return played


def is_onto(rules: Rules, mapped: Map) -> bool:
    """Whether the first turns become the first turns."""
    start: Position = rules.start()
    firsts = {*map(rules.write, start.turns())}
    try:
        return {rules.write(start.read(mapped(token))) for token in firsts} == firsts
    except GameError:
        return False


def fits(rules: Rules, played: Trial, mapped: Map) -> bool:
    """Whether the mapped game is legal too and goes the same way."""
    position: Position = rules.start()
    for token, original in played:
        try:
            position = position.play(position.read(mapped(token)))
        except GameError:
            return False
        if any(
            getattr(position, what) != getattr(original, what)
            for what in ("to_move", "winner", "margin")
        ):
            return False
    return True


def board_maps(rules: Rules) -> Iterator[Map]:
    """All that could be symmetries, by what they do to the vertices of a turn."""
    tokens = [rules.write(turn) for turn in rules.start().turns()]
    vertices = [v for t in tokens for m in VERTEX.finditer(t) if (v := vertex(m))]
    top = max(max(vertex) for vertex in vertices)
    is_leaning = any("/" in token or "\\" in token for token in tokens)
    # A reflection and two ways to turn generate all maps of a square grid, and
    # with one more of a hexagonal one, whose columns and rows are two of three axes.
    square = [
        (a, b, c, d)
        for a, b, c, d in product((-1, 0, 1), repeat=4)
        if a * d - b * c in (-1, 1)
    ]
    for matrix, flip in product(
        sorted(square, reverse=True), (False, True) if is_leaning else (False,)
    ):
        yield by_matrix(matrix, flip, top)


def by_matrix(matrix: tuple[int, int, int, int], flip: bool, top: int) -> Map:
    a, b, c, d = matrix

    def move(found: re.Match[str]) -> str:
        at = vertex(found)
        if at is None:
            return found[0]
        # Twice the distance from the middle, so that it is whole.
        x, y = 2 * at[0] - top, 2 * at[1] - top
        column, row = (a * x + b * y + top) // 2, (c * x + d * y + top) // 2
        if not (0 <= column <= top and 0 <= row <= top):
            return "?"
        return write_vertex(column, row)

    def mapped(token: str) -> str:
        text = VERTEX.sub(move, token) if token[:1].isupper() else token
        return text.translate(LEANS) if flip else text

    return mapped


LEANS = str.maketrans("/\\", "\\/")


def vertex(found: re.Match[str]) -> tuple[int, int] | None:
    return read_vertex(found[0])
