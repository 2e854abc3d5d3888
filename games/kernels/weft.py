"""Weft for the search: one list of the pieces with room, and linked chains.

Rules text: spec/weft.md; readable rules: games/weft.py.

Pieces have the numbers of the readable rules, `(column * size + row) * 2 + lean`,
and a step is the piece to place. In the tables of what is around a piece, rows with
fewer entries than others are filled up with the number after the last piece: `cells`
and `linked` have a place for it that stays 0, so no loop asks where a row ends.

Black always joins bottom and top here. After a swap the state keeps its colours
and edges and only notes that the players have exchanged them, which is the same
game: what `numbers[EXCHANGED]` changes is which side is said to move and to win.

Both players have room for the same pieces, so one list serves both. Whether §5 allows
a piece is asked when it is drawn: 1.2 draws find one on average, and that is faster
than to keep a list of what is allowed for each player.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.contract import SWAP as SWAP_TURN
from games.contract import Side, Step
from games.kernels import contract
from games.kernels.compiled import compiled
from games.kernels.contract import SWAP, Steps
from games.kernels.dice import Dice, below
from games.trapezia import pieces
from games.weft import BLACK, WHITE, Weft, WeftPosition

# Places in `numbers`.
COUNT, PLACED, COLOUR, WINNER, EXCHANGED, PIE = range(6)

# The most pieces that are edge adjacent to one, that are point adjacent to one, and
# that link two which are point adjacent.
EDGES, POINTS, LINKS = 10, 3, 4

# Edges of the board as a mask: the low edge of a colour is its number, 1 or 2, and
# the high edge HIGH times that.
HIGH = 4


class WeftState(NamedTuple):
    """P = 2 * size² pieces.

    edges    (P, EDGES) uint16          the pieces edge adjacent to each
    points   (P, POINTS) uint16         the pieces point adjacent to each
    links    (P, POINTS, LINKS) uint16  for each of those, the pieces between (§4.2)
    rivals   (P,) uint16                on the cell's other square, of the other lean
    touched  (P,) uint8                 mask of the edges of the board at each piece
    cells    (P + 1,) uint8             0 where there is no such piece, 1 black, 2 white
    linked   (P + 1,) uint8             as `cells`, where joined to the low edge, else 0
    free     (P,) uint16                the pieces with room, the first COUNT entries
    place    (P,) int16                 by piece: its index in `free`, -1 if not there
    stack    (P,) uint16                scratch of the flood
    numbers  (6,) int64                 see COUNT and the others above; WINNER is -1,
                                        0 or 1

    The first five are tables: read-only, and shared by all states of one size.
    """

    edges: NDArray[np.uint16]
    points: NDArray[np.uint16]
    links: NDArray[np.uint16]
    rivals: NDArray[np.uint16]
    touched: NDArray[np.uint8]
    cells: NDArray[np.uint8]
    linked: NDArray[np.uint8]
    free: NDArray[np.uint16]
    place: NDArray[np.int16]
    stack: NDArray[np.uint16]
    numbers: NDArray[np.int64]


Tables = tuple[
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.uint8],
]


def state_of(position: WeftPosition) -> WeftState:
    """A new state equal to `position`."""
    rules = position.rules
    owners = np.frombuffer(position.owners, np.uint8).copy()
    if position.exchanged:
        owners[owners > 0] = BLACK + WHITE - owners[owners > 0]
    number = owners.size
    state = WeftState(
        *tables(rules.size),
        np.zeros(number + 1, np.uint8),
        np.zeros(number + 1, np.uint8),
        np.arange(number, dtype=np.uint16),
        np.arange(number, dtype=np.int16),
        np.zeros(number, np.uint16),
        np.array(
            [
                number,
                0,
                1 + (position.to_move ^ position.exchanged),
                -1 if position.winner is None else position.winner,
                position.exchanged,
                rules.pie,
            ],
            np.int64,
        ),
    )
    fill(state, owners)
    return state


@cache
def tables(size: int) -> Tables:
    """`edges` to `touched` for boards of this size."""
    board = pieces(size)
    number = len(board.rivals)
    edges = np.full((number, EDGES), number, np.uint16)
    points = np.full((number, POINTS), number, np.uint16)
    links = np.full((number, POINTS, LINKS), number, np.uint16)
    touched = np.zeros(number, np.uint8)
    for piece in range(number):
        near = board.edge_adjacent[piece]
        edges[piece, : len(near)] = near
        for k, (other, between) in enumerate(board.point_adjacent[piece]):
            points[piece, k] = other
            links[piece, k, : len(between)] = between
    for colour, (low, high) in (BLACK, board.bottom_top), (WHITE, board.left_right):
        touched[list(low)] |= colour
        touched[list(high)] |= colour * HIGH
    made = edges, points, links, np.array(board.rivals, np.uint16), touched
    for table in made:
        table.flags.writeable = False
    return made


def decode(position: WeftPosition, begun: tuple[Step, ...], step: int) -> Step:
    """`step`, legal in the state of `position`, as a turn of games/weft.py."""
    return SWAP_TURN if step == SWAP else step


def key(state: WeftState) -> bytes:
    """`linked` follows from `cells`; it is here so that comparisons find it wrong."""
    chosen = state.numbers[[COLOUR, WINNER, EXCHANGED]]
    return state.cells.tobytes() + state.linked.tobytes() + chosen.tobytes()


def capacity(rules: Weft) -> int:
    """The first turn has the most: a later one has swap, but three pieces less."""
    return 2 * rules.size * rules.size


@compiled
def fill(state: WeftState, owners: NDArray[np.uint8]) -> None:
    """Place the pieces that have an owner on an empty board."""
    for piece in range(owners.size):
        for colour in (BLACK, WHITE):
            if owners[piece] == colour:
                put(state, piece, colour)


@compiled
def copy(target: WeftState, source: WeftState) -> None:
    for p in range(source.cells.size):
        target.cells[p] = source.cells[p]
    for p in range(source.linked.size):
        target.linked[p] = source.linked[p]
    for k in range(source.numbers[COUNT]):
        target.free[k] = source.free[k]
    for p in range(source.place.size):
        target.place[p] = source.place[p]
    for k in range(source.numbers.size):
        target.numbers[k] = source.numbers[k]


@compiled
def winner(state: WeftState) -> int:
    return int(state.numbers[WINNER])


@compiled
def to_move(state: WeftState) -> int:
    return int((state.numbers[COLOUR] - 1) ^ state.numbers[EXCHANGED])


@compiled
def legal_steps(state: WeftState, out: Steps) -> int:
    if state.numbers[WINNER] >= 0:
        return 0
    count = 0
    for k in range(state.numbers[COUNT]):
        piece = int(state.free[k])
        if is_allowed(state, piece):
            out[count] = piece
            count += 1
    if may_swap(state):
        out[count] = SWAP
        count += 1
    return count


@compiled
def random_step(state: WeftState, dice: Dice) -> int:
    """Draws from all pieces with room until one is allowed: there is one (§6)."""
    count = int(state.numbers[COUNT])
    choices = count + may_swap(state)
    while True:
        drawn = below(dice, choices)
        if drawn == count:
            return SWAP
        piece = int(state.free[drawn])
        if is_allowed(state, piece):
            return piece


@compiled
def play(state: WeftState, step: int) -> None:
    numbers = state.numbers
    if step == SWAP:
        numbers[EXCHANGED] ^= 1
        return
    colour = int(numbers[COLOUR])
    if put(state, step, colour):
        numbers[WINNER] = (colour - 1) ^ numbers[EXCHANGED]
    numbers[COLOUR] = BLACK + WHITE - colour


@compiled
def may_swap(state: WeftState) -> bool:
    """Whether it is White's first turn, with the pie rule (§7)."""
    numbers = state.numbers
    return bool(numbers[PIE] and numbers[PLACED] == 1 and to_move(state) == Side.WHITE)


@compiled
def is_allowed(state: WeftState, piece: int) -> bool:
    """Whether a piece with room, in the colour to move, obeys §5."""
    cells, colour = state.cells, state.numbers[COLOUR]
    points, links = state.points, state.links
    for k in range(POINTS):
        if cells[points[piece, k]] == colour and not (
            cells[links[piece, k, 0]] == colour
            or cells[links[piece, k, 1]] == colour
            or cells[links[piece, k, 2]] == colour
            or cells[links[piece, k, 3]] == colour
        ):
            return False
    return True


@compiled
def put(state: WeftState, piece: int, colour: int) -> bool:
    """Place a piece; whether a chain of its colour then touches both its edges."""
    strike(state, piece)
    strike(state, piece ^ 1)
    strike(state, int(state.rivals[piece]))
    state.cells[piece] = colour
    state.numbers[PLACED] += 1
    joined = bool(state.touched[piece] & colour)
    for k in range(EDGES):
        joined |= bool(state.linked[state.edges[piece, k]] == colour)
    return joined and spread(state, piece, colour)


@compiled
def strike(state: WeftState, piece: int) -> None:
    """Take a piece off the list, if it is there."""
    free, place, numbers = state.free, state.place, state.numbers
    at = place[piece]
    if at >= 0:
        numbers[COUNT] -= 1
        last = free[numbers[COUNT]]
        free[at] = last
        place[last] = at
        place[piece] = -1


@compiled
def spread(state: WeftState, start: int, colour: int) -> bool:
    """Mark everything joined to a piece; whether that reaches the high edge."""
    cells, linked, stack = state.cells, state.linked, state.stack
    reached = False
    linked[start] = colour
    stack[0] = start
    depth = 1
    while depth:
        depth -= 1
        piece = int(stack[depth])
        reached |= bool(state.touched[piece] & colour * HIGH)
        for k in range(EDGES):
            near = state.edges[piece, k]
            if cells[near] == colour and not linked[near]:
                linked[near] = colour
                stack[depth] = near
                depth += 1
    return reached


contract.provide(
    WeftState,
    {
        contract.copy: copy,
        contract.legal_steps: legal_steps,
        contract.random_step: random_step,
        contract.play: play,
        contract.winner: winner,
        contract.to_move: to_move,
    },
)
