"""Flipway for the search: incremental lists of drops, flips and chains.

Rules text: spec/flipway.md; readable rules: games/flipway.py.

Points stand in a frame one point wide: with `width = size + 2`, the point
(column, row) is `(row + 1) * width + column + 1`, and an area is named by its
lower left point. The frame below is a chain of black stones, the one at the left
a chain of white stones. Corner k of an area is, for k = 0 to 3, lower left, upper
left, lower right, upper right; sets of corners are masks of four bits.

Black always joins bottom and top here. After a swap the state keeps its colours
and edges and only notes that the players have exchanged them, which is the same
game: what `numbers[EXCHANGED]` changes is which side is said to move and to win.

A step is an area: a drop if it has empty points, a flip if it is a crosscut. In
Black's first turn a step is OPENING + 16 * area + mask. Both players always have
the same drops and flips, so one list serves both.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.contract import SWAP as SWAP_TURN
from games.contract import Step
from games.flipway import LATER, REPLY, Flipway, FlipwayPosition
from games.kernels import contract
from games.kernels.compiled import compiled
from games.kernels.contract import SWAP, Steps
from games.kernels.dice import Dice, below

# Places in `numbers`.
SIZE, WIDTH, COUNT, COLOUR, STAGE, WINNER, EXCHANGED, FULL, PIE = range(9)

OPENING = 1 << 14
BLACK_STONE, WHITE_STONE = 1, 2
ALL_CORNERS = 15

# By direction, first those of lower number: the offset of the neighbouring area in
# rows and columns, and which corners it shares.
NEAR_ROW = np.array([-1, -1, -1, 0, 0, 1, 1, 1])
NEAR_COLUMN = np.array([-1, 0, 1, -1, 1, -1, 0, 1])
SHARED = np.array([1, 5, 4, 3, 12, 2, 10, 8])
BITS = np.array([bin(mask).count("1") for mask in range(16)])


class FlipwayState(NamedTuple):
    """P = (size + 2)² points, the frame included.

    cells    (P,) uint8   0 empty, 1 black, 2 white
    linked   (P,) uint8   1 where the stone is joined to the low edge of its colour
    empties  (P,) uint8   by area: mask of its empty corners
    areas    (P,) int16   the areas one may choose, the first COUNT entries
    place    (P,) int16   by area: its index in `areas`, -1 where it is not there
    stack    (P,) int16   scratch of the floods
    numbers  (9,) int64   see SIZE and the others above; WINNER is -1, 0 or 1
    """

    cells: NDArray[np.uint8]
    linked: NDArray[np.uint8]
    empties: NDArray[np.uint8]
    areas: NDArray[np.int16]
    place: NDArray[np.int16]
    stack: NDArray[np.int16]
    numbers: NDArray[np.int64]


def state_of(position: FlipwayPosition) -> FlipwayState:
    """A new state equal to `position`."""
    rules = position.rules
    width = rules.size + 2
    board = np.frombuffer(position.stones, np.uint8).reshape(rules.size, rules.size)
    cells = np.zeros((width, width), np.uint8)
    cells[1:-1, 1:-1] = board.T
    if position.exchanged:
        cells[cells > 0] = 3 - cells[cells > 0]
    cells[0, 1:-1], cells[1:-1, 0] = BLACK_STONE, WHITE_STONE
    points = width * width
    winner = -1 if position.winner is None else int(position.winner)
    state = FlipwayState(
        cells.ravel(),
        np.zeros(points, np.uint8),
        np.zeros(points, np.uint8),
        np.zeros(points, np.int16),
        np.full(points, -1, np.int16),
        np.zeros(points, np.int16),
        np.array(
            [
                rules.size,
                width,
                0,
                1 + (position.to_move ^ position.exchanged),
                position.stage,
                winner,
                position.exchanged,
                rules.setup != "empty",
                rules.pie,
            ],
            np.int64,
        ),
    )
    prepare(state)
    return state


def decode(position: FlipwayPosition, begun: tuple[Step, ...], step: int) -> Step:
    """`step`, legal in the state of `position`, as a turn of games/flipway.py."""
    if step == SWAP:
        return SWAP_TURN
    size, mask = position.rules.size, ALL_CORNERS
    if step >= OPENING:
        step, mask = divmod(step - OPENING, 16)
    row, column = divmod(step, size + 2)
    low = (column - 1) * size + row - 1
    area = (low, low + 1, low + size, low + size + 1)
    if position.stage >= REPLY:
        chosen = [p for p in area if not position.stones[p]] or [
            p for p in area if position.stones[p] == 1 + position.to_move.other
        ]
    else:
        chosen = [p for k, p in enumerate(area) if mask >> k & 1]
    return tuple(chosen)


def key(state: FlipwayState) -> bytes:
    chosen = state.numbers[[COLOUR, STAGE, WINNER, EXCHANGED]]
    return state.cells.tobytes() + chosen.tobytes()


def capacity(rules: Flipway) -> int:
    """Openings of a pie game are the most: 15 sets in each area."""
    return 16 * rules.size * rules.size


@compiled
def prepare(state: FlipwayState) -> None:
    """Fill in everything that follows from `cells`."""
    cells, numbers = state.cells, state.numbers
    size, width = numbers[SIZE], numbers[WIDTH]
    for row in range(1, size):
        for column in range(1, size):
            area = row * width + column
            mask = 0
            for k in range(4):
                if not cells[area + (k & 1) * width + (k >> 1)]:
                    mask |= 1 << k
            state.empties[area] = mask
    for colour in (BLACK_STONE, WHITE_STONE):
        relink(state, colour)
    refresh(state, 1, size - 1, 1, size - 1)


@compiled
def copy(target: FlipwayState, source: FlipwayState) -> None:
    for p in range(source.cells.size):
        target.cells[p] = source.cells[p]
        target.linked[p] = source.linked[p]
        target.empties[p] = source.empties[p]
        target.areas[p] = source.areas[p]
        target.place[p] = source.place[p]
    for k in range(source.numbers.size):
        target.numbers[k] = source.numbers[k]


@compiled
def winner(state: FlipwayState) -> int:
    return int(state.numbers[WINNER])


@compiled
def to_move(state: FlipwayState) -> int:
    return int((state.numbers[COLOUR] - 1) ^ state.numbers[EXCHANGED])


@compiled
def legal_steps(state: FlipwayState, out: Steps) -> int:
    numbers = state.numbers
    if numbers[WINNER] >= 0:
        return 0
    if numbers[STAGE] < REPLY:
        return openings(state, out)
    count = int(numbers[COUNT])
    for k in range(count):
        out[k] = state.areas[k]
    if numbers[STAGE] == REPLY and numbers[PIE]:
        out[count] = SWAP
        count += 1
    return count


@compiled
def random_step(state: FlipwayState, dice: Dice) -> int:
    numbers = state.numbers
    if numbers[STAGE] < REPLY:
        return random_opening(state, dice)
    count = int(numbers[COUNT])
    may_swap = numbers[STAGE] == REPLY and numbers[PIE]
    chosen = below(dice, count + may_swap)
    return SWAP if chosen == count else int(state.areas[chosen])


@compiled
def play(state: FlipwayState, step: int) -> None:
    numbers = state.numbers
    if step == SWAP:
        numbers[EXCHANGED] ^= 1
        numbers[STAGE] = LATER
        return
    colour, width = numbers[COLOUR], numbers[WIDTH]
    reach = 2
    if step >= OPENING:
        area = (step - OPENING) >> 4
        mask = (step - OPENING) & 15
    else:
        area = step
        mask = int(state.empties[area])
        if not mask:
            reach = 1
            for k in range(4):
                if state.cells[area + (k & 1) * width + (k >> 1)] != colour:
                    mask |= 1 << k
    if put(state, area, mask, colour):
        numbers[WINNER] = (colour - 1) ^ numbers[EXCHANGED]
    else:
        row = area // width
        column = area - row * width
        last = numbers[SIZE] - 1
        refresh(
            state,
            max(row - reach, 1),
            min(row + reach, last),
            max(column - reach, 1),
            min(column + reach, last),
        )
    numbers[COLOUR] = 3 - colour
    numbers[STAGE] = min(numbers[STAGE] + 1, LATER)


@compiled
def openings(state: FlipwayState, out: Steps) -> int:
    """Black's first turns (§2, §7), each named by the lowest area that holds it."""
    numbers = state.numbers
    size, width = numbers[SIZE], numbers[WIDTH]
    count = 0
    for row in range(1, size):
        for column in range(1, size):
            area = row * width + column
            for mask in range(1, 16):
                if is_opening(state, row, column, mask):
                    out[count] = OPENING + 16 * area + mask
                    count += 1
    return count


@compiled
def random_opening(state: FlipwayState, dice: Dice) -> int:
    size, width = state.numbers[SIZE], state.numbers[WIDTH]
    while True:
        row, column = 1 + below(dice, size - 1), 1 + below(dice, size - 1)
        mask = 1 + below(dice, 15)
        if is_opening(state, row, column, mask):
            return OPENING + 16 * int(row * width + column) + mask


@compiled
def is_opening(state: FlipwayState, row: int, column: int, mask: int) -> bool:
    numbers = state.numbers
    if BITS[mask] > 1 and not numbers[PIE]:
        return False
    if in_lower_area(mask, row, column, numbers[SIZE]):
        return False
    area = row * int(numbers[WIDTH]) + column
    return not numbers[FULL] or replaceable(state, area, mask)


@compiled
def in_lower_area(mask: int, row: int, column: int, size: int) -> bool:
    """Whether an area of lower number holds these corners too."""
    for d in range(4):
        if not mask & ~SHARED[d]:
            near_row, near_column = row + NEAR_ROW[d], column + NEAR_COLUMN[d]
            if 1 <= near_row < size and 1 <= near_column < size:
                return True
    return False


@compiled
def replaceable(state: FlipwayState, area: int, mask: int) -> bool:
    """Whether Black may begin by replacing these stones of a full board (§7)."""
    numbers = state.numbers
    width = numbers[WIDTH]
    for k in range(4):
        if mask >> k & 1:
            point = area + (k & 1) * width + (k >> 1)
            if state.cells[point] != WHITE_STONE:
                return False
            if BITS[mask] == 1:
                if not numbers[PIE]:
                    return True
                for j in range(4):
                    if is_crosscut(state, point - (j & 1) * width - (j >> 1)):
                        return True
                return False
    return (mask == 6 or mask == 9) and is_crosscut(state, area)


@compiled
def is_crosscut(state: FlipwayState, area: int) -> bool:
    """Frame areas are never one: a frame corner is empty or both corners alike."""
    numbers = state.numbers
    size, width = numbers[SIZE], numbers[WIDTH]
    row = area // width
    column = area - row * width
    if not (1 <= row < size and 1 <= column < size):
        return False
    low, high = state.cells[area], state.cells[area + 1]
    return bool(
        low != high
        and low != 0
        and high != 0
        and low == state.cells[area + width + 1]
        and high == state.cells[area + width]
    )


@compiled
def is_maximal(state: FlipwayState, area: int) -> bool:
    """Whether no other area holds these empty points and one more (§3).

    Of several areas with the same empty points only the lowest counts.
    """
    empties, width = state.empties, state.numbers[WIDTH]
    mine = int(empties[area])
    bits = BITS[mine]
    for d in range(8):
        if not mine & ~SHARED[d]:
            near = area + NEAR_ROW[d] * width + NEAR_COLUMN[d]
            if BITS[empties[near]] + (d < 4) > bits:
                return False
    return True


@compiled
def refresh(state: FlipwayState, bottom: int, top: int, left: int, right: int) -> None:
    """Bring the list up to date for the areas in these rows and columns."""
    areas, place, numbers = state.areas, state.place, state.numbers
    width, count = numbers[WIDTH], numbers[COUNT]
    for row in range(bottom, top + 1):
        for column in range(left, right + 1):
            area = row * width + column
            mask = state.empties[area]
            if mask == ALL_CORNERS:
                wanted = True
            elif mask:
                wanted = is_maximal(state, area)
            else:
                low, high = state.cells[area], state.cells[area + 1]
                wanted = (
                    low != high
                    and low == state.cells[area + width + 1]
                    and high == state.cells[area + width]
                )
            at = place[area]
            if wanted and at < 0:
                areas[count] = area
                place[area] = count
                count += 1
            elif not wanted and at >= 0:
                count -= 1
                other = areas[count]
                areas[at] = other
                place[other] = at
                place[area] = -1
    numbers[COUNT] = count


@compiled
def put(state: FlipwayState, area: int, mask: int, colour: int) -> bool:
    """Put stones on these corners of an area; whether that joins the edges."""
    cells, linked, empties = state.cells, state.linked, state.empties
    width = state.numbers[WIDTH]
    cut = False
    for k in range(4):
        if mask >> k & 1:
            point = area + (k & 1) * width + (k >> 1)
            cut |= bool(linked[point])
            cells[point] = colour
            linked[point] = 0
            for j in range(4):
                empties[point - (j & 1) * width - (j >> 1)] &= ALL_CORNERS ^ (1 << j)
    won = False
    for k in range(4):
        if mask >> k & 1:
            point = area + (k & 1) * width + (k >> 1)
            if not linked[point] and (
                (cells[point - 1] == colour and linked[point - 1])
                or (cells[point + 1] == colour and linked[point + 1])
                or (cells[point - width] == colour and linked[point - width])
                or (cells[point + width] == colour and linked[point + width])
            ):
                won |= spread(state, point, colour)
    if cut and not won:
        relink(state, 3 - colour)
    return won


@compiled
def spread(state: FlipwayState, start: int, colour: int) -> bool:
    """Mark everything joined to a stone; whether that reaches the high edge."""
    cells, linked, stack = state.cells, state.linked, state.stack
    size, width = state.numbers[SIZE], state.numbers[WIDTH]
    reached = False
    linked[start] = 1
    stack[0] = start
    depth = 1
    while depth:
        depth -= 1
        point = int(stack[depth])
        if colour == BLACK_STONE:
            reached |= bool(point >= size * width)
        else:
            reached |= bool(point % width == size)
        for d in range(4):
            step = width if d & 1 else 1
            near = point - step if d & 2 else point + step
            if cells[near] == colour and not linked[near]:
                linked[near] = 1
                stack[depth] = near
                depth += 1
    return reached


@compiled
def relink(state: FlipwayState, colour: int) -> None:
    """Mark anew the stones that are joined to the low edge of `colour`."""
    cells, linked = state.cells, state.linked
    size, width = state.numbers[SIZE], state.numbers[WIDTH]
    for row in range(1, size + 1):
        for point in range(row * width + 1, row * width + size + 1):
            if cells[point] == colour:
                linked[point] = 0
    for k in range(1, size + 1):
        linked[k if colour == BLACK_STONE else k * width] = 1
        point = width + k if colour == BLACK_STONE else k * width + 1
        if cells[point] == colour and not linked[point]:
            spread(state, point, colour)


contract.provide(
    FlipwayState,
    {
        contract.copy: copy,
        contract.legal_steps: legal_steps,
        contract.random_step: random_step,
        contract.play: play,
        contract.winner: winner,
        contract.to_move: to_move,
    },
)
