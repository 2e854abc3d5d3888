r"""Weft: one trapezium a turn on a basket weave; join your two edges.

Rules text: spec/weft.md. The § numbers below point into it.

A turn is the number of the piece that is placed, or SWAP. Pieces are numbered in
notation order, `(column * size + row) * 2 + lean`: at size 4, piece 0 is A1/, piece
1 is A1\, piece 2 is A2/ and piece 8 is B1/. Black is the text's Red, White its Blue.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from games.contract import SWAP, OneStep, Side, Turn
from games.diagram import square_board
from games.errors import IllegalMove, UnreadableMove
from games.notation import read_vertex, write_vertex
from games.trapezia import LEANS, lies_flat, pieces
from games.variants import Option, Sizes

EMPTY, BLACK, WHITE = 0, 1 + Side.BLACK, 1 + Side.WHITE
SYMBOLS = ".XO"  # by owner

LEAN_LETTERS = "rl"  # leaning right is /, leaning left is \


@dataclass(frozen=True, slots=True)
class Weft:
    """The rules at one board size; `size` counts unit squares per side."""

    name: ClassVar[str] = "weft"
    sizes: ClassVar[Sizes] = Sizes(2, 24, default=12, step=2)
    options: ClassVar[tuple[Option, ...]] = (Option("pie", (True, False)),)
    side_words: ClassVar[Mapping[str, Side]] = {"red": Side.BLACK, "blue": Side.WHITE}
    match_turns: ClassVar[int] = 0

    size: int = 12
    pie: bool = True

    def __post_init__(self) -> None:
        self.sizes.check(self.size)

    def start(self) -> "WeftPosition":
        return WeftPosition(self, bytes(2 * self.size * self.size))

    def write(self, turn: Turn) -> str:
        """
        >>> Weft(4).write(8)
        'B1/'
        """
        if not isinstance(turn, int):
            return SWAP
        square, lean = divmod(turn, 2)
        return write_vertex(*divmod(square, self.size)) + LEANS[lean]


@dataclass(frozen=True, slots=True)
class WeftPosition(OneStep):
    """One moment of Weft.

    `owners` holds, by piece, EMPTY where it does not lie on the board or 1 + the side
    that owns it. After a swap `exchanged` is set: Black's edges are then left and
    right (§7).
    """

    rules: Weft
    owners: bytes
    to_move: Side = Side.BLACK
    exchanged: bool = False
    winner: Side | None = None
    last: Turn | None = field(default=None, compare=False)

    @property
    def margin(self) -> int:
        return 0

    def turns(self) -> Sequence[Turn]:
        if self.winner is not None:
            return ()
        turns: list[Turn] = [
            piece
            for piece in range(len(self.owners))
            if self._has_room(piece) and self._unlinked(piece) is None
        ]
        if self._may_swap():
            turns.append(SWAP)
        return turns

    def play(self, turn: Turn) -> "WeftPosition":
        if self.winner is not None:
            raise IllegalMove("the game is over", "weft §6")
        if turn == SWAP:
            return self._swap()
        assert isinstance(turn, int)
        self._check(turn)
        owners = bytearray(self.owners)
        owners[turn] = 1 + self.to_move
        placed = bytes(owners)
        won = self._joins_edges(placed, turn)
        return WeftPosition(
            self.rules,
            placed,
            self.to_move.other,
            self.exchanged,
            self.to_move if won else None,
            turn,
        )

    def read(self, text: str) -> Turn:
        word = text.lower()
        if word in (SWAP, "swap-pieces"):
            return SWAP
        vertex = read_vertex(word[:-1])
        lean = (LEANS + LEAN_LETTERS).find(word[-1:])
        if vertex is None or lean < 0:
            raise UnreadableMove(
                text, "a square and a lean, such as C3/ or C3l", "weft §8"
            )
        column, row = vertex
        size = self.rules.size
        if max(vertex) >= size:
            last = write_vertex(size - 1, size - 1)
            raise UnreadableMove(text[:-1], f"a square from A1 to {last}", "weft §8")
        return (column * size + row) * 2 + lean % 2

    def diagram(self) -> str:
        size = self.rules.size
        rivals = pieces(size).rivals

        def square(x: int, y: int) -> str:
            text = ".-" if lies_flat(x, y) else ".|"
            for lean, other_lean in ((0, 1), (1, 0)):
                piece = (x * size + y) * 2 + lean
                if self.owners[piece]:
                    text = SYMBOLS[self.owners[piece]] + LEANS[lean]
                    return f"({text})" if piece == self.last else f" {text} "
                if self.owners[rivals[piece]]:
                    text = "." + LEANS[other_lean]
            return f" {text} "

        ends = ["top and bottom", "left and right"]
        black, white = ends[::-1] if self.exchanged else ends
        goal = f"X black (Red) joins {black}, O white (Blue) {white}"
        free = (
            r"free: .- in a flat cell, .| in an upright one, ./ .\ for that lean only"
        )
        return "\n".join([*square_board(size, size, square, width=4), goal, free])

    # §3: where there is room.

    def _has_room(self, piece: int) -> bool:
        owners = self.owners
        rival = pieces(self.rules.size).rivals[piece]
        return not (owners[piece] or owners[piece ^ 1] or owners[rival])

    # §5: point adjacent pieces of one colour.

    def _unlinked(self, piece: int) -> int | None:
        """A piece of the side to move that forbids it `piece`, None if there is none.

        The two are point adjacent and no piece of the side is edge adjacent to both.
        """
        owners, own = self.owners, 1 + self.to_move
        for other, between in pieces(self.rules.size).point_adjacent[piece]:
            if owners[other] == own and all(owners[link] != own for link in between):
                return other
        return None

    def _check(self, piece: int) -> None:
        """Raises IllegalMove unless the side to move may place `piece`."""
        if self.owners[piece] or self.owners[piece ^ 1]:
            square = write_vertex(*divmod(piece // 2, self.rules.size))
            raise IllegalMove(f"{square} is taken", "weft §3")
        name = self.rules.write(piece)
        rival = pieces(self.rules.size).rivals[piece]
        if self.owners[rival]:
            reason = (
                f"{name} does not fit into the same cell as {self.rules.write(rival)}"
            )
            raise IllegalMove(reason, "weft §3")
        other = self._unlinked(piece)
        if other is not None:
            met = f"{name} and {self.rules.write(other)} would meet at a point only"
            reason = f"{met}, no {self.to_move.word} piece is edge adjacent to both"
            raise IllegalMove(reason, "weft §5")

    # §6: the goal.

    def _joins_edges(self, owners: bytes, piece: int) -> bool:
        """Whether the chain that `piece` belongs to joins the mover's two edges."""
        board = pieces(self.rules.size)
        own = 1 + self.to_move
        chain, reached = [piece], {piece}
        for link in chain:
            for near in board.edge_adjacent[link]:
                if owners[near] == own and near not in reached:
                    reached.add(near)
                    chain.append(near)
        across = (self.to_move is Side.WHITE) != self.exchanged
        edges = board.left_right if across else board.bottom_top
        return not any(edge.isdisjoint(reached) for edge in edges)

    # §7: the pie rule.

    def _may_swap(self) -> bool:
        """Only after Black's first turn is it White's turn with one piece placed."""
        placed = len(self.owners) - self.owners.count(EMPTY)
        return self.rules.pie and self.to_move is Side.WHITE and placed == 1

    def _swap(self) -> "WeftPosition":
        if not self.rules.pie:
            raise IllegalMove("this variant has no swap", "weft §7")
        if not self._may_swap():
            raise IllegalMove("only White's first turn may be swap", "weft §7")
        exchanged = self.owners.translate(bytes((EMPTY, WHITE, BLACK)) + bytes(253))
        return WeftPosition(
            self.rules, exchanged, Side.BLACK, not self.exchanged, None, SWAP
        )
