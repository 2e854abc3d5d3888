"""Vaxandis: stacks grow where they meet their own; who cannot move has lost.

Rules text: spec/vaxandis.md. The § numbers below point into it.

Points are numbered column by column and upwards, so that ascending points are in
notation order: at size 2, point 0 is A1, point 1 is A2, point 2 is B1, point 6 is
C3. A turn is `(point,)` for a placement, `(start, landing)` for a movement, or
SWAP. A way is the points of a movement after its start, the landing point last.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from games.contract import SWAP, OneStep, Side, Turn
from games.diagram import hexagonal_board
from games.errors import IllegalMove, UnreadableMove
from games.grids import Grid, hexagon
from games.notation import COLUMNS, read_vertex, write_vertex
from games.variants import Option, Sizes

SIGNS = (1, -1)  # of the stacks of each side
FORMS = "a point such as E5, or two such as E5-H8"

Points = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Vaxandis:
    """The rules at one board size, in one reading."""

    name: ClassVar[str] = "vaxandis"
    sizes: ClassVar[Sizes] = Sizes(1, 13, default=5)
    options: ClassVar[tuple[Option, ...]] = (
        Option("pie", (True, False)),
        Option("touch", ("path", "landing")),
        Option("merge", ("grow", "absorb")),
    )
    side_words: ClassVar[Mapping[str, Side]] = {}
    match_turns: ClassVar[int] = 2000

    size: int = 5
    pie: bool = True
    touch: str = "path"
    merge: str = "grow"

    def __post_init__(self) -> None:
        self.sizes.check(self.size)

    @property
    def grid(self) -> Grid:
        return hexagon(self.size)

    def start(self) -> "VaxandisPosition":
        return VaxandisPosition(self, (0,) * len(self.grid))

    def write(self, turn: Turn) -> str:
        """
        >>> Vaxandis(2).write((0, 6))
        'A1-C3'
        """
        if not isinstance(turn, tuple):
            return SWAP
        return "-".join(write_vertex(*self.grid.vertices[point]) for point in turn)


@dataclass(frozen=True, slots=True)
class VaxandisPosition(OneStep):
    """One moment of Vaxandis.

    `stacks` holds, by point, the height of the stack there: positive if it is
    black, negative if it is white, 0 on an empty point.
    """

    rules: Vaxandis
    stacks: Points
    to_move: Side = Side.BLACK
    last: Turn | None = field(default=None, compare=False)

    @property
    def margin(self) -> int:
        return 0

    @property
    def winner(self) -> Side | None:
        if next(self._turns(), None) is None:  # (vaxandis §6)
            return self.to_move.other
        return None

    def turns(self) -> Sequence[Turn]:
        return list(self._turns())

    def play(self, turn: Turn) -> "VaxandisPosition":
        if self.winner is not None:
            raise IllegalMove("the game is over", "vaxandis §6")
        if turn == SWAP:
            self._check_swap()
            stacks = [-stack for stack in self.stacks]
        else:
            assert isinstance(turn, tuple)
            stacks = self._move(*turn) if len(turn) == 2 else self._place(*turn)
        return VaxandisPosition(self.rules, tuple(stacks), self.to_move.other, turn)

    def read(self, text: str) -> Turn:
        if text.lower() in (SWAP, "swap-pieces"):
            return SWAP
        words = text.split("-")
        if len(words) > 2:
            raise UnreadableMove(text, FORMS, "vaxandis §9")
        return tuple(self._read_point(word, text) for word in words)

    def diagram(self) -> str:
        changed = self.last if isinstance(self.last, tuple) else ()

        def cell(x: int, y: int) -> str:
            point = self.rules.grid.cells[x, y]
            text = self._symbol(point)
            return f"({text})" if point in changed else text

        digits = len(str(max(map(abs, self.stacks))))
        width = (digits + len("(X*)") + 1) // 2 * 2
        legend = "X black, O white, each with its height; * frozen, ( ) last turn"
        return "\n".join([*hexagonal_board(self.rules.size, cell, width), legend])

    def _turns(self) -> Iterator[Turn]:
        yield from self._placements()
        yield from self._movements()
        if self._may_swap():
            yield SWAP

    # §1: stacks and groups.

    def _is_own(self, point: int) -> bool:
        return self.stacks[point] * SIGNS[self.to_move] > 0

    def _stacks_near(self, point: int) -> list[int]:
        near = self.rules.grid.neighbours[point]
        return [other for other in near if self.stacks[other]]

    def _groups(self, members: Iterable[int], apart: int) -> list[set[int]]:
        """The groups of `members`, as they stand without the stack on `apart`."""
        groups: list[set[int]] = []
        for member in members:
            if any(member in group for group in groups):
                continue
            group, edge = {member}, [member]
            while edge:
                for near in self._stacks_near(edge.pop()):
                    like = self.stacks[near] == self.stacks[member]
                    if like and near != apart and near not in group:
                        group.add(near)
                        edge.append(near)
            groups.append(group)
        return groups

    # §2: placements.

    def _placements(self) -> Iterator[Points]:
        for point, stack in enumerate(self.stacks):
            if stack == 0 and not self._stacks_near(point):
                yield (point,)

    def _place(self, point: int) -> list[int]:
        """The stacks after a placement."""
        if self.stacks[point]:
            raise IllegalMove(f"{self._name(point)} is taken", "vaxandis §2")
        for near in self._stacks_near(point):
            reason = f"{self._name(point)} is next to the stack on {self._name(near)}"
            raise IllegalMove(reason, "vaxandis §2")
        stacks = list(self.stacks)
        stacks[point] = SIGNS[self.to_move]
        return stacks

    # §3: frozen stacks.

    def freezing(self, point: int) -> list[int]:
        """The stacks that freeze the one on `point`, whoever is to move."""
        return [
            near
            for near in self._stacks_near(point)
            if self.stacks[near] * self.stacks[point] < 0
            and abs(self.stacks[near]) > abs(self.stacks[point])
        ]

    # §4: movements.

    def _movements(self) -> Iterator[Points]:
        for start in range(len(self.stacks)):
            if not self._is_own(start) or self.freezing(start):
                continue
            for ray in self.rules.grid.rays[start]:
                for end, landing in enumerate(ray, 1):
                    if self._is_higher(landing, start):
                        break
                    if not self.stacks[landing] and self._meets(start, ray[:end]):
                        yield (start, landing)

    def _move(self, start: int, landing: int) -> list[int]:
        """The stacks after a movement."""
        self._check_start(start)
        way = self._way(start, landing)
        if not self._meets(start, way):
            reason = f"{self._name(landing)} touches no stack of yours"
            raise IllegalMove(f"{reason} and none is jumped over", "vaxandis §4.3")
        return self._grow(start, way)

    def _check_start(self, start: int) -> None:
        name = self._name(start)
        if self.stacks[start] == 0:
            raise IllegalMove(f"{name} is empty", "vaxandis §4")
        if not self._is_own(start):
            raise IllegalMove(f"{name} is not your stack", "vaxandis §4")
        for near in self.freezing(start):
            reason = f"{name} is frozen by the higher stack on {self._name(near)}"
            raise IllegalMove(reason, "vaxandis §3")

    def _way(self, start: int, landing: int) -> Points:
        """The way of a movement, if it is open."""
        if landing == start:
            raise IllegalMove(f"{self._name(start)} stays where it is", "vaxandis §4.1")
        if self.stacks[landing]:
            raise IllegalMove(f"{self._name(landing)} is taken", "vaxandis §4.2")
        ray = next((r for r in self.rules.grid.rays[start] if landing in r), None)
        if ray is None:
            ends = f"{self._name(start)} and {self._name(landing)}"
            raise IllegalMove(f"{ends} are not in one line", "vaxandis §4.1")
        way = ray[: ray.index(landing) + 1]
        for point in way:
            if self._is_higher(point, start):
                reason = f"the stack on {self._name(point)} is higher than that on"
                raise IllegalMove(f"{reason} {self._name(start)}", "vaxandis §4.1")
        return way

    def _is_higher(self, point: int, start: int) -> bool:
        return abs(self.stacks[point]) > abs(self.stacks[start])

    def _meets(self, start: int, way: Points) -> bool:
        """§4.3: whether a friend is jumped over or next to the landing point."""
        return bool(self._met(start, way, way[-1:]))

    def _met(self, start: int, way: Points, entered: Points) -> set[int]:
        """The friends jumped over, or next to one of the `entered` points."""
        met = {point for point in way if self._is_own(point)}
        for point in entered:
            met.update(filter(self._is_own, self._stacks_near(point)))
        return met - {start}

    # §5: growth.

    def _grow(self, start: int, way: Points) -> list[int]:
        """The stacks after a movement along `way`."""
        entered = way[-1:]
        if self.rules.touch == "path":  # (vaxandis §5.2)
            entered = tuple(point for point in way if self.stacks[point] == 0)
        landing, sign = way[-1], SIGNS[self.to_move]
        beside = self.rules.grid.neighbours[landing]
        stacks = list(self.stacks)
        stacks[start], stacks[landing] = 0, self.stacks[start] + sign
        for group in self._groups(self._met(start, way, entered), apart=start):
            alike = self.stacks[min(group)] == stacks[landing]
            joined = alike and not group.isdisjoint(beside)
            if joined and self.rules.merge == "absorb":  # (vaxandis §5.3)
                continue
            for point in group:
                stacks[point] += sign
        return stacks

    # §7: the pie rule.

    def _may_swap(self) -> bool:
        """Whether this is White's first turn; only then one stack is on the board."""
        count = sum(map(bool, self.stacks))
        return self.rules.pie and self.to_move is Side.WHITE and count == 1

    def _check_swap(self) -> None:
        if not self.rules.pie:
            raise IllegalMove("this variant has no swap", "vaxandis §7")
        if not self._may_swap():
            raise IllegalMove("only White's first turn may be swap", "vaxandis §7")

    # Text.

    def _read_point(self, word: str, text: str) -> int:
        vertex = read_vertex(word)
        if vertex is None:
            raise UnreadableMove(text, FORMS, "vaxandis §9")
        grid, column = self.rules.grid, vertex[0]
        if vertex in grid.cells:
            return grid.cells[vertex]
        rows = [y + 1 for x, y in grid.vertices if x == column]
        expected = f"a column from A to {COLUMNS[2 * self.rules.size - 2]}"
        if rows:
            expected = f"a row from {rows[0]} to {rows[-1]} in column {COLUMNS[column]}"
        raise UnreadableMove(word, expected, "vaxandis §9")

    def _name(self, point: int) -> str:
        return self.rules.write((point,))

    def _symbol(self, point: int) -> str:
        stack = self.stacks[point]
        if stack == 0:
            return "."
        frozen = "*" if self.freezing(point) else ""
        return f"{'X' if stack > 0 else 'O'}{abs(stack)}{frozen}"
