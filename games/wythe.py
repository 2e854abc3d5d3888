"""Wythe: lay pieces, one bit black and one white, on two stacks of equal height.

Rules text: spec/wythe.md. The § numbers below point into it.

Squares are numbered column by column from the lower left, `column * size + row`,
so that ascending squares are in notation order: at size 3, square 0 is A1, square 1
is A2, square 3 is B1, square 8 is C3. A placement is the pair of the square of the
black bit and the square of the white one. A turn is a placement, PASS or SWAP.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from games.contract import PASS, SWAP, OneStep, Side, Turn
from games.diagram import square_board
from games.errors import IllegalMove, UnreadableMove
from games.grids import square as square_grid
from games.notation import read_vertex, write_vertex
from games.variants import Option, Sizes

EMPTY, BLACK, WHITE = 0, 1 + Side.BLACK, 1 + Side.WHITE
SYMBOLS = ".XO"  # by colour

EXPECTED = "the squares of the black and the white bit such as D4-D5, or pass or swap"

Placement = tuple[int, int]


class Stack(NamedTuple):
    """The bits on one square.

    `top` is the colour of the uppermost bit and `other` the square of the other bit
    of the same piece, which may have been covered since. An empty square is its own
    `other`.
    """

    height: int
    top: int
    other: int


@dataclass(frozen=True, slots=True)
class Wythe:
    """The rules at one board size."""

    name: ClassVar[str] = "wythe"
    sizes: ClassVar[Sizes] = Sizes(2, 25, default=9)
    options: ClassVar[tuple[Option, ...]] = (Option("pie", (True, False)),)
    side_words: ClassVar[Mapping[str, Side]] = {}
    match_turns: ClassVar[int] = 0

    size: int = 9
    pie: bool = True

    def __post_init__(self) -> None:
        self.sizes.check(self.size)

    def start(self) -> "WythePosition":
        squares = range(self.size * self.size)
        return WythePosition(self, tuple(Stack(0, EMPTY, s) for s in squares))

    def write(self, turn: Turn) -> str:
        """
        >>> Wythe(3).write((4, 5))
        'B2-B3'
        """
        if not isinstance(turn, tuple):
            return str(turn)
        return "-".join(write_vertex(*divmod(square, self.size)) for square in turn)


@dataclass(frozen=True, slots=True, eq=False)
class WythePosition(OneStep):
    """One moment of Wythe.

    `passes` counts the passes since the last placement. Equality leaves out what the
    turns to come do not depend on, as far as that shows without trying them out.
    """

    rules: Wythe
    stacks: tuple[Stack, ...]
    to_move: Side = Side.BLACK
    passes: int = 0
    last: Turn | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WythePosition):
            return NotImplemented
        return self._essence() == other._essence()

    def __hash__(self) -> int:
        return hash(self._essence())

    @property
    def winner(self) -> Side | None:
        """Who has won after two passes (§7)."""
        if self.passes < 2:
            return None
        black, white = self.scores
        if black == white:  # to move is, after two passes, who did not place last
            return self.to_move
        return Side.BLACK if black > white else Side.WHITE

    @property
    def margin(self) -> int:
        black, white = self.scores
        return 0 if self.winner is None else abs(black - white)

    @property
    def scores(self) -> tuple[int, int]:
        """Black's and White's (§6), as the board stands."""
        surplus: Counter[int] = Counter()
        for colour, size in self._groups():
            surplus[size] += 1 if colour == BLACK else -1
        return (
            max((size for size, more in surplus.items() if more > 0), default=0),
            max((size for size, more in surplus.items() if more < 0), default=0),
        )

    def turns(self) -> Sequence[Turn]:
        if self.passes == 2:
            return ()
        turns: list[Turn] = [*self._placements()]
        if not turns:
            turns.append(PASS)
        if self._may_swap():
            turns.append(SWAP)
        return turns

    def play(self, turn: Turn) -> "WythePosition":
        if self.passes == 2:
            raise IllegalMove("the game is over", "wythe §5")
        if turn == SWAP:
            return self._swap()
        if turn == PASS:
            return self._pass()
        assert isinstance(turn, tuple)
        return self._place(*turn)

    def read(self, text: str) -> Turn:
        word = text.lower()
        if word in (SWAP, "swap-pieces"):
            return SWAP
        if word == PASS:
            return PASS
        words = text.split("-")
        if len(words) != 2:
            raise UnreadableMove(text, EXPECTED, "wythe §2")
        black, white = (self._read_square(word, text) for word in words)
        if black == white:
            raise UnreadableMove(text, "two different squares", "wythe §2")
        return black, white

    def diagram(self) -> str:
        size = self.rules.size
        placed = self.last if isinstance(self.last, tuple) else ()

        def cell(x: int, y: int) -> str:
            square = x * size + y
            stack = self.stacks[square]
            if not stack.height:
                return ".".center(5)
            text = f"{SYMBOLS[stack.top]}{stack.height}{self._sign(square)}"
            return f"({text})" if square in placed else f" {text} "

        black, white = self.scores
        lines = [
            *square_board(size, size, cell, 5),
            "X black, O white, height, a sign towards the other bit while both show",
            f"score: black {black}, white {white}",
        ]
        if self.last is not None:
            lines.append(f"last: {self.rules.write(self.last)}{self._ground()}")
        return "\n".join(lines)

    def _essence(self) -> tuple[object, ...]:
        """What the turns to come and their results depend on.

        A piece with one visible bit keeps it to the end (§3.3), and squares change
        only by a placement on them, so stacks count in full where placements can get
        to without crossing such bits. Elsewhere they count by their colour.
        """
        squares = {square for pair in self._placements() for square in pair}
        open_squares = self._flood(squares, self._shows_all)
        stacks = tuple(
            stack if square in open_squares else stack.top
            for square, stack in enumerate(self.stacks)
        )
        return self.rules, self.to_move, self.passes, stacks

    def _flood(self, found: set[int], joins: Callable[[int], bool]) -> set[int]:
        """`found` and the squares next to it that join, again and again."""
        neighbours = square_grid(self.rules.size).neighbours
        reached = set(found)
        edge = list(found)
        while edge:
            for near in neighbours[edge.pop()]:
                if near not in reached and joins(near):
                    reached.add(near)
                    edge.append(near)
        return reached

    # §2 and §3: placements.

    def _placements(self) -> Iterator[Placement]:
        for pair in pairs(self.rules.size):
            if self._broken_rule(*pair) is None:
                yield pair

    def _broken_rule(self, black: int, white: int) -> str | None:
        """What forbids a piece on two adjacent squares, None if it may lie there."""
        under_black, under_white = self.stacks[black], self.stacks[white]
        if under_black.height != under_white.height:
            return "wythe §3.1"
        if under_black.top == BLACK or under_white.top == WHITE:
            return "wythe §3.2"
        if under_black.other == white or not (
            self._shows_all(black) and self._shows_all(white)
        ):
            return "wythe §3.3"
        return None

    def _shows_all(self, square: int) -> bool:
        """Whether all of the uppermost piece is uncovered; true of an empty square.

        If the top of the other square points back, it belongs to the same piece: a
        later one on the same two squares would cover this one.
        """
        return self.stacks[self.stacks[square].other].other == square

    def _reason(self, rule: str, black: int, white: int) -> str:
        """How a piece on two adjacent squares would break `rule`."""
        names = [self._name(black), self._name(white)]
        if rule == "wythe §3.1":
            heights = [self.stacks[square].height for square in (black, white)]
            return f"{names[0]} has height {heights[0]}, {names[1]} height {heights[1]}"
        if rule == "wythe §3.2":
            like = self.stacks[black].top == BLACK
            name, colour = (names[0], "black") if like else (names[1], "white")
            return f"the {colour} bit at {name} would lie on a {colour} bit"
        for square, name in zip((black, white), names, strict=True):
            if not self._shows_all(square):
                return f"only {name} still shows of the piece {self._piece(square)}"
        return f"both bits of the piece {self._piece(black)} would be covered"

    def _place(self, black: int, white: int) -> "WythePosition":
        if white not in square_grid(self.rules.size).neighbours[black]:
            reason = f"{self._name(black)} and {self._name(white)} are not adjacent"
            raise IllegalMove(reason, "wythe §2")
        rule = self._broken_rule(black, white)
        if rule is not None:
            raise IllegalMove(self._reason(rule, black, white), rule)
        height = self.stacks[black].height + 1
        stacks = list(self.stacks)
        stacks[black] = Stack(height, BLACK, white)
        stacks[white] = Stack(height, WHITE, black)
        turn = (black, white)
        return WythePosition(self.rules, tuple(stacks), self.to_move.other, 0, turn)

    # §4: passing.

    def _pass(self) -> "WythePosition":
        placement = next(self._placements(), None)
        if placement is not None:
            reason = f"no pass while {self.rules.write(placement)} can be placed"
            raise IllegalMove(reason, "wythe §4")
        return WythePosition(
            self.rules, self.stacks, self.to_move.other, self.passes + 1, PASS
        )

    # §6: groups.

    def _groups(self) -> Iterator[tuple[int, int]]:
        """Colour and size of every group."""
        for colour in (BLACK, WHITE):
            left = {s for s, stack in enumerate(self.stacks) if stack.top == colour}
            while left:
                group = self._flood({left.pop()}, left.__contains__)
                left -= group
                yield colour, len(group)

    # §8: the pie rule.

    def _may_swap(self) -> bool:
        """White is on turn with one piece on the board in the first turn only."""
        if not self.rules.pie or self.to_move is Side.BLACK:
            return False
        return sum(stack.height for stack in self.stacks) == 2

    def _swap(self) -> "WythePosition":
        if not self.rules.pie:
            raise IllegalMove("this variant has no swap", "wythe §8")
        if not self._may_swap():
            raise IllegalMove("only White's first turn may be swap", "wythe §8")
        exchanged = tuple(
            stack._replace(top=(EMPTY, WHITE, BLACK)[stack.top])
            for stack in self.stacks
        )
        return WythePosition(self.rules, exchanged, Side.BLACK, 0, SWAP)

    # Text.

    def _read_square(self, word: str, text: str) -> int:
        vertex = read_vertex(word)
        if vertex is None:
            raise UnreadableMove(text, EXPECTED, "wythe §2")
        column, row = vertex
        if max(vertex) >= self.rules.size:
            last = self._name(len(self.stacks) - 1)
            raise UnreadableMove(word, f"a square from A1 to {last}", "wythe §2")
        return column * self.rules.size + row

    def _name(self, square: int) -> str:
        return self.rules.write((square,))

    def _piece(self, square: int) -> str:
        """The uppermost piece, as a turn would place it."""
        stack = self.stacks[square]
        ends = (square, stack.other) if stack.top == BLACK else (stack.other, square)
        return self.rules.write(ends)

    def _sign(self, square: int) -> str:
        """The direction of the other bit of the uppermost piece if that bit shows."""
        if not self._shows_all(square):
            return " "
        size = self.rules.size
        step = self.stacks[square].other - square
        return {-size: "<", -1: "v", 1: "^", size: ">"}[step]

    def _ground(self) -> str:
        """What the last turn's piece lies on."""
        if not isinstance(self.last, tuple):
            return ""
        if self.stacks[self.last[0]].height == 1:
            return " on the board"
        under = (self._piece(self._other_of_covered(square)) for square in self.last)
        return " on " + " and ".join(under)

    def _other_of_covered(self, square: int) -> int:
        """Where the piece that the last turn covered on `square` still shows."""
        height = self.stacks[square].height - 1
        return next(
            near
            for near in square_grid(self.rules.size).neighbours[square]
            if self.stacks[near].other == square and self.stacks[near].height == height
        )


@cache
def pairs(size: int) -> tuple[Placement, ...]:
    """Every two adjacent squares, both ways round, in notation order."""
    near = square_grid(size).neighbours
    return tuple(
        (square, other) for square in range(len(near)) for other in near[square]
    )
