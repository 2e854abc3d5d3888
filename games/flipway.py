"""Flipway: drop stones into 2x2 areas or flip a crosscut; join your two edges.

Rules text: spec/flipway.md. The § numbers below point into it.

Points are numbered column by column from the lower left, `column * size + row`,
so that ascending points are in notation order: at size 3, point 0 is A1, point 1
is A2, point 3 is B1, point 8 is C3. A turn is the ascending tuple of the points
that change, or SWAP. An area is the tuple of its four points in the same order:
lower left, upper left, lower right, upper right.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from games.contract import SWAP, OneStep, Side, Turn
from games.diagram import square_board
from games.errors import BadSize, IllegalMove, UnreadableMove
from games.grids import square
from games.notation import read_vertex, write_vertex
from games.variants import Option, Sizes

EMPTY, BLACK, WHITE = 0, 1 + Side.BLACK, 1 + Side.WHITE
SYMBOLS = ".XO"  # by stone

# How far a game has come, as far as the rules ask.
OPENING, REPLY, LATER = range(3)

Points = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flipway:
    """The rules at one board size and setup."""

    name: ClassVar[str] = "flipway"
    sizes: ClassVar[Sizes] = Sizes(2, 25, default=12)
    options: ClassVar[tuple[Option, ...]] = (
        Option("setup", ("empty", "checkered", "checkered2x2")),
        Option("phase", ("0", "1")),
        Option("pie", (False, True)),
    )
    side_words: ClassVar[Mapping[str, Side]] = {}
    match_turns: ClassVar[int] = 0

    size: int = 12
    setup: str = "empty"
    phase: str = "0"
    pie: bool = False

    def __post_init__(self) -> None:
        self.sizes.check(self.size)
        if self.setup == "checkered2x2" and self.size == 2:
            raise BadSize("3 to 25 with setup=checkered2x2")

    def start(self) -> "FlipwayPosition":
        """§1, §7: the empty board, or one full of alternating stones or blocks."""
        stones = bytes(self.size * self.size)
        if self.setup != "empty":
            side = 2 if self.setup == "checkered2x2" else 1
            stones = bytes(
                1 + (x // side + y // side + int(self.phase)) % 2
                for x in range(self.size)
                for y in range(self.size)
            )
        return FlipwayPosition(self, stones)

    def write(self, turn: Turn) -> str:
        """
        >>> Flipway(3).write((4, 8))
        'B2+C3'
        """
        if not isinstance(turn, tuple):
            return SWAP
        return "+".join(write_vertex(*divmod(point, self.size)) for point in turn)


@dataclass(frozen=True, slots=True)
class FlipwayPosition(OneStep):
    """One moment of Flipway.

    `stones` holds, by point, EMPTY or 1 + the side. After a swap `exchanged` is
    set: Black's edges are then left and right (§8).
    """

    rules: Flipway
    stones: bytes
    to_move: Side = Side.BLACK
    stage: int = OPENING
    exchanged: bool = False
    winner: Side | None = None
    last: Turn | None = field(default=None, compare=False)

    @property
    def margin(self) -> int:
        return 0

    def turns(self) -> Sequence[Turn]:
        if self.winner is not None:
            return ()
        if self.stage == OPENING:
            return self._openings()
        turns: list[Turn] = [*self._drops(), *self._flips()]
        if self._may_swap():
            turns.append(SWAP)
        return turns

    def play(self, turn: Turn) -> "FlipwayPosition":
        if self.winner is not None:
            raise IllegalMove("the game is over", "flipway §6")
        if turn == SWAP:
            return self._swap()
        assert isinstance(turn, tuple)
        if self.stage == OPENING:
            self._check_opening(turn)
        elif self._is_enemy_diagonal(turn):
            self._check_flip(turn)
        else:
            self._check_drop(turn)
        stones = bytearray(self.stones)
        for point in turn:
            stones[point] = 1 + self.to_move
        won = self._has_chain(bytes(stones))
        return FlipwayPosition(
            self.rules,
            bytes(stones),
            self.to_move.other,
            min(self.stage + 1, LATER),
            self.exchanged,
            self.to_move if won else None,
            turn,
        )

    def read(self, text: str) -> Turn:
        word = text.lower()
        if word in (SWAP, "swap-pieces"):
            return SWAP
        expected = "points such as C3+D4, or an area such as C3:D4"
        if ":" in text:
            return self._select(text, expected)
        points = [self._read_point(word, text, expected) for word in text.split("+")]
        if len(set(points)) < len(points):
            raise UnreadableMove(text, "each point once", "flipway §9")
        return tuple(sorted(points))

    def diagram(self) -> str:
        changed = self.last if isinstance(self.last, tuple) else ()

        def cell(x: int, y: int) -> str:
            point = x * self.rules.size + y
            stone = SYMBOLS[self.stones[point]]
            return f"({stone})" if point in changed else f" {stone} "

        ends = ["top and bottom", "left and right"]
        black, white = ends[::-1] if self.exchanged else ends
        goal = f"X black joins {black}, O white {white}"
        return "\n".join([*square_board(self.rules.size, self.rules.size, cell), goal])

    def _owner_of_sides(self) -> Side:
        """§1, §8: who joins the left and the right edge."""
        return Side.BLACK if self.exchanged else Side.WHITE

    # §2 and §7: Black's first turn.

    def _openings(self) -> Sequence[Turn]:
        rules = self.rules
        if rules.setup == "empty":
            if not rules.pie:
                return [(point,) for point in range(len(self.stones))]
            return list({s for area in areas(rules.size) for s in subsets(area)})
        if not rules.pie:
            return [(p,) for p, stone in enumerate(self.stones) if stone == WHITE]
        pairs = [pair for area in areas(rules.size) if (pair := self._diagonal(area))]
        return list({some for pair in pairs for some in subsets(pair)})

    def _check_opening(self, turn: Points) -> None:
        rules = self.rules
        wanted = EMPTY if rules.setup == "empty" else WHITE
        for point in turn:
            if self.stones[point] != wanted:
                what = "taken" if wanted == EMPTY else "not a white stone"
                rule = "flipway §2" if wanted == EMPTY else "flipway §7"
                raise IllegalMove(f"{self._name(point)} is {what}", rule)
        if not rules.pie:
            if len(turn) > 1:
                reason = f"the first turn is one stone, not {self._names(turn)}"
                raise IllegalMove(reason, "flipway §2")
        elif rules.setup == "empty":
            if not any(set(turn) <= set(area) for area in areas(rules.size)):
                raise IllegalMove(
                    f"no 2x2 area holds {self._names(turn)}", "flipway §7"
                )
        elif not any(
            set(turn) <= set(self._diagonal(area)) for area in areas(rules.size)
        ):
            raise IllegalMove(f"no crosscut holds {self._names(turn)}", "flipway §7")

    # §3: drops.

    def _empties(self, area: Points) -> Points:
        return tuple(point for point in area if self.stones[point] == EMPTY)

    def _drops(self) -> Iterable[Points]:
        """The sets of empty points of an area that no other area holds and exceeds."""
        found = {
            empties
            for area in areas(self.rules.size)
            if (empties := self._empties(area))
        }
        sets = {empties: set(empties) for empties in found}
        return [
            empties
            for empties in found
            if not any(
                sets[empties] < sets[wider]
                for area in areas_with(self.rules.size, empties[0])
                if (wider := self._empties(area))
            )
        ]

    def _check_drop(self, turn: Points) -> None:
        for point in turn:
            if self.stones[point] != EMPTY:
                raise IllegalMove(f"{self._name(point)} is taken", "flipway §3")
        around = [
            a for a in areas_with(self.rules.size, turn[0]) if set(turn) <= set(a)
        ]
        if not around:
            raise IllegalMove(f"no 2x2 area holds {self._names(turn)}", "flipway §3")
        for area in around:
            for more in self._empties(area):
                if more not in turn:
                    corners = self._names((area[0], area[3]), ":")
                    reason = f"{self._name(more)} in the area {corners} is empty too"
                    raise IllegalMove(reason, "flipway §3")

    # §4: flips.

    def _diagonal(self, area: Points) -> Points:
        """The two enemy stones of a crosscut; () where `area` is none."""
        own, enemy = 1 + self.to_move, 1 + self.to_move.other
        lower_left, upper_left, lower_right, upper_right = area
        for mine, theirs in (
            ((lower_left, upper_right), (upper_left, lower_right)),
            ((upper_left, lower_right), (lower_left, upper_right)),
        ):
            if all(self.stones[p] == own for p in mine) and all(
                self.stones[p] == enemy for p in theirs
            ):
                return theirs
        return ()

    def _flips(self) -> Iterable[Points]:
        return [pair for a in areas(self.rules.size) if (pair := self._diagonal(a))]

    def _is_enemy_diagonal(self, turn: Points) -> bool:
        return diagonal_area(self.rules.size, turn) is not None and all(
            self.stones[point] == 1 + self.to_move.other for point in turn
        )

    def _check_flip(self, turn: Points) -> None:
        area = diagonal_area(self.rules.size, turn)
        assert area is not None
        for point in area:
            if point not in turn and self.stones[point] != 1 + self.to_move:
                reason = f"{self._names(turn)} are in no crosscut: {self._name(point)}"
                why = "is empty" if self.stones[point] == EMPTY else "is not yours"
                raise IllegalMove(f"{reason} {why}", "flipway §4")

    # §5: the goal.

    def _has_chain(self, stones: bytes) -> bool:
        """Whether stones of the side to move join its two edges."""
        size = self.rules.size
        own = 1 + self.to_move
        across = self._owner_of_sides() is self.to_move
        low = [k if across else k * size for k in range(size)]
        chain = [point for point in low if stones[point] == own]
        reached = set(chain)
        while chain:
            point = chain.pop()
            column, row = divmod(point, size)
            if (column if across else row) == size - 1:
                return True
            for near in square(size).neighbours[point]:
                if stones[near] == own and near not in reached:
                    reached.add(near)
                    chain.append(near)
        return False

    # §8: the pie rule.

    def _may_swap(self) -> bool:
        return self.rules.pie and self.stage == REPLY

    def _swap(self) -> "FlipwayPosition":
        if not self.rules.pie:
            raise IllegalMove("this variant has no swap", "flipway §8")
        if not self._may_swap():
            raise IllegalMove("only White's first turn may be swap", "flipway §8")
        exchanged = self.stones.translate(bytes((EMPTY, WHITE, BLACK)) + bytes(253))
        return FlipwayPosition(
            self.rules, exchanged, Side.BLACK, LATER, not self.exchanged, None, SWAP
        )

    # Text.

    def _read_point(self, word: str, text: str, expected: str) -> int:
        vertex = read_vertex(word)
        if vertex is None:
            raise UnreadableMove(text, expected, "flipway §9")
        column, row = vertex
        if max(vertex) >= self.rules.size:
            last = self._name(len(self.stones) - 1)
            raise UnreadableMove(word, f"a point from A1 to {last}", "flipway §9")
        return column * self.rules.size + row

    def _select(self, text: str, expected: str) -> Points:
        """The turn that takes place in an area named by two opposite corners."""
        words = text.split(":")
        corners = tuple(
            sorted(self._read_point(word, text, expected) for word in words)
        )
        area = diagonal_area(self.rules.size, corners)
        if area is None:
            raise UnreadableMove(text, "opposite corners of a 2x2 area", "flipway §9")
        turn = self._empties(area) or self._diagonal(area)
        if not turn:
            place = self._names((area[0], area[3]), ":")
            reason = f"{place} has neither an empty point nor a crosscut"
            raise IllegalMove(reason, "flipway §4")
        return turn

    def _name(self, point: int) -> str:
        return self.rules.write((point,))

    def _names(self, points: Points, between: str = "+") -> str:
        """The points for a message, which an area's four are enough for."""
        more = "+..." if len(points) > 4 else ""
        return between.join(map(self._name, points[:4])) + more


@cache
def areas(size: int) -> tuple[Points, ...]:
    """Every 2x2 area of a board, by its lower left point."""
    return tuple(
        (point, point + 1, point + size, point + size + 1)
        for point in range(size * (size - 1))
        if point % size < size - 1
    )


@cache
def areas_with(size: int, point: int) -> tuple[Points, ...]:
    """The areas that a point belongs to."""
    return tuple(area for area in areas(size) if point in area)


def subsets(points: Points) -> Iterable[Points]:
    """The non-empty subsets, each ascending."""
    for mask in range(1, 1 << len(points)):
        yield tuple(p for k, p in enumerate(points) if mask >> k & 1)


def diagonal_area(size: int, turn: Points) -> Points | None:
    """The area of which `turn` is one diagonal, else None."""
    if len(turn) != 2:
        return None
    for area in areas_with(size, turn[0]):
        if turn in ((area[0], area[3]), (area[1], area[2])):
            return area
    return None
