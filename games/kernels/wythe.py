"""Wythe for the search: a list of placements that is cleared of illegal ones late.

Rules text: spec/wythe.md; readable rules: games/wythe.py.

Squares stand in a frame one square wide: with `width = size + 2`, the square
(column, row) is `(row + 1) * width + column + 1`. What lies on a square is a code:

    0                     empty
    2 * height + colour   a stack, 0 for a black top and 1 for a white one, of which
                          the uppermost piece shows both its bits
    FIXED + colour        a stack that shows the last bit of a piece: nothing is ever
                          placed there again (§3.3), so its height does not count
    FRAME                 outside the board

Two stacks take a piece exactly if their codes differ in the last bit only and are
not those of one piece (§3). For the latter it is enough to leave that pair out when
the piece is placed: before either stack changes again, one of the two is FIXED.

A step is `height + 4 * (white + 1024 * black)`: the squares of the two bits and the
height of the stacks below them, at most 3 since no stack is higher than 4 (§9).
Stacks only grow, so a step that has become illegal stays so. Hence `play` only adds
to the list the few steps that become legal, each once in a game; whoever reads the
list tests them. Both players always have the same placements.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.contract import PASS as PASS_TURN
from games.contract import SWAP as SWAP_TURN
from games.contract import Step
from games.kernels import contract
from games.kernels.compiled import compiled
from games.kernels.contract import PASS, SWAP, Steps
from games.kernels.dice import Dice, below
from games.wythe import WHITE, Wythe, WythePosition

# Places in `numbers`. PIE counts the turns left up to White's first one, which may
# be a swap; it is 0 without the pie rule.
SIZE, WIDTH, COUNT, WINNER, SIDE, PASSES, PIE = range(7)
REPLY = 1  # PIE while White may swap

FIXED = 64
FRAME = 128 + FIXED
NO_COLOUR = 2

# After so many illegal steps drawn in one turn the whole list is gone through: late
# in a game most of it is illegal, early on hardly any.
PATIENCE = 4


# With no placement left both sides pass, and the game is over.
FORCED_PASSES = 2


class WytheState(NamedTuple):
    """P = (size + 2)² squares, the frame included; S = size².

    code     (P,) uint8      see above
    mate     (P,) int16      where the other bit of the uppermost piece is if both
                             show; 0 for other squares
    steps    (10 S,) int32   the first COUNT entries: every legal placement once, and
                             some that were legal
    colour   (P,) uint8      scratch of `leader`: colours, NO_COLOUR where there is none
    stack    (P,) int16      scratch of `leader`: squares of the group being counted
    surplus  (S + 1,) int16  scratch of `leader`: by size, groups more than White's
    numbers  (7,) int64      see SIZE and the others above; WINNER is -1, 0 or 1
    """

    code: NDArray[np.uint8]
    mate: NDArray[np.int16]
    steps: NDArray[np.int32]
    colour: NDArray[np.uint8]
    stack: NDArray[np.int16]
    surplus: NDArray[np.int16]
    numbers: NDArray[np.int64]


def state_of(position: WythePosition) -> WytheState:
    """A new state equal to `position`."""
    size = position.rules.size
    squares = (size + 2) ** 2
    code = np.full(squares, FRAME, np.uint8)
    mate = np.zeros(squares, np.int16)
    for square, stack in enumerate(position.stacks):
        here = framed(square, size)
        shows_all = position.stacks[stack.other].other == square
        code[here] = (2 * stack.height if shows_all else FIXED) + (stack.top == WHITE)
        if shows_all and stack.height:
            mate[here] = framed(stack.other, size)
    placed = sum(stack.height for stack in position.stacks) // 2
    may_swap = position.rules.pie and position.to_move == placed
    winner = -1 if position.winner is None else int(position.winner)
    state = WytheState(
        code,
        mate,
        np.zeros(10 * size * size, np.int32),
        np.zeros(squares, np.uint8),
        np.zeros(squares, np.int16),
        np.zeros(size * size + 1, np.int16),
        np.array(
            [
                size,
                size + 2,
                0,
                winner,
                position.to_move,
                position.passes,
                2 - placed if may_swap else 0,
            ],
            np.int64,
        ),
    )
    fill(state)
    return state


def framed(square: int, size: int) -> int:
    """The number in the frame of a square of games/wythe.py."""
    column, row = divmod(square, size)
    return (row + 1) * (size + 2) + column + 1


def decode(position: WythePosition, begun: tuple[Step, ...], step: int) -> Step:
    """`step`, legal in the state of `position`, as a turn of games/wythe.py."""
    if step >= SWAP:
        return SWAP_TURN if step == SWAP else PASS_TURN
    size = position.rules.size
    vertices = (divmod(square, size + 2) for square in bits_of(step))
    return tuple((column - 1) * size + row - 1 for row, column in vertices)


def key(state: WytheState) -> bytes:
    chosen = state.numbers[[SIDE, PASSES, PIE]]
    return state.code.tobytes() + state.mate.tobytes() + chosen.tobytes()


def capacity(rules: Wythe) -> int:
    """The empty board has most: two ways round on each pair of adjacent squares."""
    return 4 * rules.size * (rules.size - 1)


@compiled
def fill(state: WytheState) -> None:
    """List the legal placements anew."""
    code, numbers = state.code, state.numbers
    size, width = numbers[SIZE], numbers[WIDTH]
    count = 0
    for row in range(1, size + 1):
        for black in range(row * width + 1, row * width + size + 1):
            under = code[black]
            for d in range(4):
                white = black + (width if d & 1 else 1) * (1 - (d & 2))
                if under == 0:
                    takes = code[white] == 0
                else:
                    takes = (
                        under & 1 == 1
                        and under < FIXED
                        and code[white] == under - 1
                        and state.mate[white] != black
                    )
                if takes:
                    state.steps[count] = step_of(black, white, under >> 1)
                    count += 1
    numbers[COUNT] = count


@compiled
def step_of(black: int, white: int, height: int) -> int:
    return (black << 12) + (white << 2) + height


@compiled
def bits_of(step: int) -> tuple[int, int]:
    """The squares of the black and the white bit."""
    return step >> 12 & 1023, step >> 2 & 1023


@compiled
def is_legal(state: WytheState, step: int) -> bool:
    """Whether both stacks still have the height of `step`, a legal step once."""
    black, white = bits_of(step)
    height = step & 3
    # With `and`, a branch that is hard to foresee, random games take 30 % longer.
    return bool((state.code[black] >> 1 == height) & (state.code[white] >> 1 == height))


@compiled
def copy(target: WytheState, source: WytheState) -> None:
    for square in range(source.code.size):
        target.code[square] = source.code[square]
    for square in range(source.mate.size):
        target.mate[square] = source.mate[square]
    for k in range(source.numbers[COUNT]):
        target.steps[k] = source.steps[k]
    for k in range(source.numbers.size):
        target.numbers[k] = source.numbers[k]


@compiled
def winner(state: WytheState) -> int:
    return int(state.numbers[WINNER])


@compiled
def to_move(state: WytheState) -> int:
    return int(state.numbers[SIDE])


@compiled
def legal_steps(state: WytheState, out: Steps) -> int:
    numbers = state.numbers
    if numbers[WINNER] >= 0:
        return 0
    count = 0
    for k in range(numbers[COUNT]):
        step = state.steps[k]
        if is_legal(state, step):
            out[count] = step
            count += 1
    if not count:
        out[0] = PASS
        return 1
    if numbers[PIE] == REPLY:
        out[count] = SWAP
        count += 1
    return count


@compiled
def random_step(state: WytheState, dice: Dice) -> int:
    """Drawn again while illegal; what is found illegal leaves the list."""
    steps, numbers = state.steps, state.numbers
    count = int(numbers[COUNT])
    may_swap = numbers[PIE] == REPLY
    chosen = PASS
    misses = 0
    while count:
        k = below(dice, count + may_swap)
        if k == count:
            chosen = SWAP
            break
        step = int(steps[k])
        if is_legal(state, step):
            chosen = step
            break
        misses += 1
        if misses < PATIENCE:
            count -= 1
            steps[k] = steps[count]
        else:
            count = drop_illegal(state, count)
            misses = 0
    numbers[COUNT] = count
    return chosen


@compiled
def drop_illegal(state: WytheState, count: int) -> int:
    """Keep the legal ones of the first `count` entries; returns their number."""
    steps = state.steps
    kept = 0
    for k in range(count):
        step = steps[k]
        steps[kept] = step
        kept += is_legal(state, step)
    return kept


@compiled
def play(state: WytheState, step: int) -> None:
    numbers = state.numbers
    numbers[SIDE] ^= 1
    if numbers[PIE]:
        numbers[PIE] -= 1
    if step == SWAP:
        exchange(state)
    elif step == PASS:
        numbers[PASSES] += 1
        if numbers[PASSES] == 2:
            numbers[WINNER] = leader(state)
    else:
        place(state, step)


@compiled
def place(state: WytheState, step: int) -> None:
    """Lay a piece and list what becomes legal: pairs with one of its new tops."""
    code, mate, steps, numbers = state.code, state.mate, state.steps, state.numbers
    width, count = numbers[WIDTH], numbers[COUNT]
    black, white = bits_of(step)
    height = (step & 3) + 1
    black_code = 2 * height
    white_code = black_code + 1
    # Before the codes change, so that the piece does not take one upon itself.
    for d in range(4):
        offset = (width if d & 1 else 1) * (1 - (d & 2))
        near = black + offset
        if code[near] == white_code:
            steps[count] = step_of(near, black, height)
            count += 1
        near = white + offset
        if code[near] == black_code:
            steps[count] = step_of(white, near, height)
            count += 1
    numbers[COUNT] = count
    # On the board itself nothing is covered: mate is 0, in the frame, and stays so.
    for other in (mate[black], mate[white]):
        code[other] = code[other] & (FRAME + 1) | FIXED
        mate[other] = 0
    code[black], code[white] = black_code, white_code
    mate[black], mate[white] = white, black


@compiled
def exchange(state: WytheState) -> None:
    """Turn the only piece round (§8). No step in the list is for its height."""
    code = state.code
    for square in range(code.size):
        if 0 < code[square] < FIXED:
            code[square] ^= 1


@compiled
def leader(state: WytheState) -> int:
    """The side that has won, after the second pass (§6, §7)."""
    code, colour, surplus = state.code, state.colour, state.surplus
    size, width = state.numbers[SIZE], state.numbers[WIDTH]
    for square in range(code.size):
        here = code[square]
        colour[square] = here & 1 if 0 < here < FRAME else NO_COLOUR
    for group in range(surplus.size):
        surplus[group] = 0
    for row in range(1, size + 1):
        for square in range(row * width + 1, row * width + size + 1):
            mine = colour[square]
            if mine != NO_COLOUR:
                surplus[take_group(state, square)] += 1 - 2 * mine
    for group in range(surplus.size - 1, 0, -1):
        if surplus[group]:
            return int(surplus[group] < 0)
    # Nobody scores: who placed last loses, and that is not the side to move.
    return int(state.numbers[SIDE])


@compiled
def take_group(state: WytheState, start: int) -> int:
    """Blot a group out of `colour`; returns its size."""
    colour, stack, width = state.colour, state.stack, state.numbers[WIDTH]
    mine = colour[start]
    colour[start] = NO_COLOUR
    stack[0] = start
    depth = 1
    group = 0
    while depth:
        depth -= 1
        square = int(stack[depth])
        group += 1
        for d in range(4):
            near = square + (width if d & 1 else 1) * (1 - (d & 2))
            if colour[near] == mine:
                colour[near] = NO_COLOUR
                stack[depth] = near
                depth += 1
    return group


contract.provide(
    WytheState,
    {
        contract.copy: copy,
        contract.legal_steps: legal_steps,
        contract.random_step: random_step,
        contract.play: play,
        contract.winner: winner,
        contract.to_move: to_move,
    },
)
