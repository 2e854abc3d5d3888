"""Yodd: one or two stones of any colour a turn, an odd number of groups after each.

Rules text: spec/yodd.md. The § numbers below point into it.

Cells are numbered column by column from A1, as `grids.hexagon` does, so that
ascending cells are in notation order: with 2 cells per side, cell 0 is A1, cell 1
is A2, cell 2 is B1, cell 6 is C3. A turn is PASS or
the ascending tuple of its stones. A step is one stone, PASS, or STOP instead of a
second stone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import ClassVar, NamedTuple

from games.contract import PASS, SWAP, Side, Step, Turn
from games.diagram import hexagonal_board
from games.errors import IllegalMove, UnreadableMove
from games.grids import hexagon
from games.notation import COLUMNS, read_vertex, write_vertex
from games.variants import Option, Sizes

EMPTY = 0
SYMBOLS = ".XO"  # by content of a cell

STOP = "stop"
COLOURS = {side.letter: side for side in Side}


class Stone(NamedTuple):
    """A stone to place. Players may place either colour, whoever they are."""

    cell: int
    colour: Side


@dataclass(frozen=True, slots=True)
class Yodd:
    """The rules at one board size, in cells per side."""

    name: ClassVar[str] = "yodd"
    sizes: ClassVar[Sizes] = Sizes(1, 13, default=6)
    options: ClassVar[tuple[Option, ...]] = ()
    side_words: ClassVar[Mapping[str, Side]] = {}
    match_turns: ClassVar[int] = 0

    size: int = 6

    def __post_init__(self) -> None:
        self.sizes.check(self.size)

    def start(self) -> "YoddPosition":
        """§1: the empty board."""
        return YoddPosition(self, bytes(len(hexagon(self.size))))

    def write(self, turn: Turn) -> str:
        """
        >>> Yodd(2).write((Stone(0, Side.BLACK), Stone(6, Side.WHITE)))
        'A1b+C3w'
        """
        if not isinstance(turn, tuple):
            return str(turn)
        vertices = hexagon(self.size).vertices
        return "+".join(
            write_vertex(*vertices[cell]) + colour.letter for cell, colour in turn
        )


@dataclass(frozen=True, slots=True)
class YoddPosition:
    """One moment of Yodd.

    `stones` holds, by cell, EMPTY or 1 + the colour. `passes` is how many turns in
    succession were passes, up to the 2 that end the game.
    """

    rules: Yodd
    stones: bytes
    to_move: Side = Side.BLACK
    passes: int = 0
    last: Turn | None = field(default=None, compare=False)

    @property
    def winner(self) -> Side | None:
        """§4: two passes end the game; the fewer groups of one's colour win."""
        if not self._is_over():
            return None
        black, white = self._groups().counts
        return Side.BLACK if black < white else Side.WHITE

    @property
    def margin(self) -> int:
        """The difference between the numbers of groups; 0 until the end."""
        black, white = self._groups().counts
        return abs(black - white) if self._is_over() else 0

    def turns(self) -> Sequence[Turn]:
        if self._is_over():
            return ()
        outlook = self._outlook()
        singles = [(stone,) for stone in outlook.joins if outlook.is_odd_with(stone)]
        if self._is_opening():
            return singles
        pairs = combinations(outlook.joins, 2)
        return [
            PASS,
            *singles,
            *(pair for pair in pairs if outlook.is_odd_with_both(*pair)),
        ]

    def steps(self, begun: tuple[Step, ...] = ()) -> Sequence[Step]:
        if self._is_over() or self.turn(begun) is not None:
            return ()
        outlook = self._outlook()
        if begun:
            first = begun[0]
            assert isinstance(first, Stone)
            return outlook.second_steps(first)
        if self._is_opening():
            return list(outlook.joins)
        return [PASS, *(stone for stone in outlook.joins if outlook.may_begin(stone))]

    def turn(self, steps: tuple[Step, ...]) -> Turn | None:
        if steps[:1] == (PASS,):
            return PASS
        stones = tuple(sorted(step for step in steps if isinstance(step, Stone)))
        needed = 1 if self._is_opening() else 2
        return stones if len(steps) == needed else None

    def random_turn(self, dice: Random) -> Turn:
        outlook = self._outlook()
        if self._is_opening():
            return (dice.choice(list(outlook.joins)),)
        steps = [PASS, *outlook.joins]
        while True:
            first = dice.choice(steps)
            if not isinstance(first, Stone):
                return PASS
            # Asking about stones as they are drawn is faster than asking about all.
            if outlook.may_begin(first):
                turn = self.turn((first, dice.choice(outlook.second_steps(first))))
                assert turn is not None
                return turn

    def play(self, turn: Turn) -> "YoddPosition":
        if self._is_over():
            raise IllegalMove("the game is over", "yodd §4")
        if turn == SWAP:
            raise IllegalMove("there is no swap in this game", "yodd §5")
        if turn == PASS:
            return self._pass()
        assert isinstance(turn, tuple)
        self._check_stones(turn)
        stones = bytearray(self.stones)
        for cell, colour in turn:
            stones[cell] = 1 + colour
        after = YoddPosition(self.rules, bytes(stones), self.to_move.other, last=turn)
        black, white = after._groups().counts
        if (black + white) % 2 == 0:
            reason = (
                f"{black + white} groups after this turn: {black} black, "
                f"{white} white; the sum must be odd"
            )
            raise IllegalMove(reason, "yodd §3.3")
        return after

    def read(self, text: str) -> Turn:
        word = text.lower()
        if word == PASS:
            return PASS
        if word in (SWAP, "swap-pieces"):
            return SWAP
        return tuple(sorted(self._read_stone(word, text) for word in text.split("+")))

    def diagram(self) -> str:
        cells = hexagon(self.rules.size).cells
        placed = self.last if isinstance(self.last, tuple) else ()
        changed = [stone.cell for stone in placed]

        def cell(x: int, y: int) -> str:
            symbol = SYMBOLS[self.stones[cells[x, y]]]
            return f"({symbol})" if cells[x, y] in changed else symbol

        black, white = self._groups().counts
        score = f"groups: X black {black}, O white {white}; fewer wins"
        passed = ["last: pass"] if self.last == PASS else []
        return "\n".join([*hexagonal_board(self.rules.size, cell), score, *passed])

    def _is_opening(self) -> bool:
        """§3.2: Black's first turn is the only one from an empty board."""
        return not any(self.stones)

    def _is_over(self) -> bool:
        return self.passes == 2

    def _groups(self) -> "Groups":
        return find_groups(self.rules.size, self.stones)

    def _outlook(self) -> "Outlook":
        return look_ahead(self.rules.size, self.stones, self._groups())

    # §3: turns.

    def _pass(self) -> "YoddPosition":
        if self._is_opening():
            raise IllegalMove("the first turn is one stone, not a pass", "yodd §3.2")
        return YoddPosition(
            self.rules, self.stones, self.to_move.other, self.passes + 1, PASS
        )

    def _check_stones(self, turn: tuple[Stone, ...]) -> None:
        if len(turn) not in (1, 2):
            reason = f"a turn is one or two stones, not {len(turn)}"
            raise IllegalMove(reason, "yodd §3.1")
        cells = [stone.cell for stone in turn]
        if len(set(cells)) < len(cells):
            reason = f"{self._name(cells[0])} is named twice"
            raise IllegalMove(reason, "yodd §3.1")
        if self._is_opening() and len(turn) == 2:
            raise IllegalMove("the first turn is one stone, not two", "yodd §3.2")
        for cell in cells:
            if self.stones[cell] != EMPTY:
                raise IllegalMove(f"{self._name(cell)} is taken", "yodd §3.1")

    # Text.

    def _read_stone(self, word: str, text: str) -> Stone:
        vertex = read_vertex(word[:-1])
        colour = COLOURS.get(word[-1:].lower())
        if vertex is None or colour is None:
            raise UnreadableMove(
                text, "stones such as C4b or C4b+D7w, or pass", "yodd §6"
            )
        grid = hexagon(self.rules.size)
        if vertex in grid.cells:
            return Stone(grid.cells[vertex], colour)
        letter = COLUMNS[vertex[0]]
        column = [
            self._name(c) for c, v in enumerate(grid.vertices) if v[0] == vertex[0]
        ]
        if column:
            expected = f"a cell from {column[0]} to {column[-1]} in column {letter}"
        else:
            expected = f"a column from A to {COLUMNS[2 * self.rules.size - 2]}"
        raise UnreadableMove(word, expected, "yodd §6")

    def _name(self, cell: int) -> str:
        return write_vertex(*hexagon(self.rules.size).vertices[cell])


@dataclass(frozen=True, slots=True)
class Groups:
    """§2: the groups of a board.

    `labels[cell]` is the lowest cell of the group there, -1 on an empty cell;
    `counts` are the numbers of black and of white groups.
    """

    labels: tuple[int, ...]
    counts: tuple[int, int]


@lru_cache(maxsize=1024)
def find_groups(side: int, stones: bytes) -> Groups:
    near = hexagon(side).neighbours
    labels = [-1] * len(stones)
    counts = [0, 0]
    for start, colour in enumerate(stones):
        if colour == EMPTY or labels[start] >= 0:
            continue
        counts[colour - 1] += 1
        labels[start] = start
        group = [start]
        for cell in group:  # grows while it is read
            for other in near[cell]:
                if stones[other] == colour and labels[other] < 0:
                    labels[other] = start
                    group.append(other)
    return Groups(tuple(labels), (counts[0], counts[1]))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one or two more stones would make of the number of groups (§3.3).

    `joins` has, for every stone that fits on the board, in ascending order, the
    labels of the groups it would become one with; labels of unlike colours differ.
    All questions are about stones in `joins`.
    """

    groups: int
    joins: dict[Stone, frozenset[int]]
    near: tuple[tuple[int, ...], ...]

    def is_odd_with(self, stone: Stone) -> bool:
        return (self.groups + 1 - len(self.joins[stone])) % 2 == 1

    def is_odd_with_both(self, first: Stone, second: Stone) -> bool:
        """Also False if both stones want the same cell."""
        if first.cell == second.cell:
            return False
        # Like stones that touch, or touch one group, end up in one group together.
        joined, also_joined = self.joins[first], self.joins[second]
        together = not joined.isdisjoint(also_joined) or (
            first.colour == second.colour and second.cell in self.near[first.cell]
        )
        new = 1 if together else 2
        return (self.groups + new - len(joined | also_joined)) % 2 == 1

    def may_begin(self, first: Stone) -> bool:
        """Whether some turn holds this stone."""
        return self.is_odd_with(first) or any(
            self.is_odd_with_both(first, second) for second in self.joins
        )

    def second_steps(self, first: Stone) -> list[Step]:
        ends: list[Step] = [STOP] if self.is_odd_with(first) else []
        return ends + [s for s in self.joins if self.is_odd_with_both(first, s)]


def look_ahead(side: int, stones: bytes, groups: Groups) -> Outlook:
    near = hexagon(side).neighbours
    joins = {
        Stone(cell, colour): frozenset(
            groups.labels[other] for other in near[cell] if stones[other] == 1 + colour
        )
        for cell, content in enumerate(stones)
        if content == EMPTY
        for colour in Side
    }
    return Outlook(sum(groups.counts), joins, near)
