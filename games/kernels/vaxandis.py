"""Vaxandis for the search: stacks in a frame, and how many stand next to each point.

Rules text: spec/vaxandis.md; readable rules: games/vaxandis.py.

Points stand in a frame at least one point wide: the point (column, row) is
`(row + 1) * WIDTH + column + 1`. What is not on the board counts as infinitely
high stacks of neither side, so that every walk ends there. WIDTH has room for the
largest board and is the same at every size, because loops over constant OFFSETS
are compiled without a loop.

A step is a point for a placement, `start << BITS | landing` for a movement. The
swap changes the one stack on the board: that is cheaper than to note it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.contract import SWAP as SWAP_TURN
from games.contract import Step
from games.kernels import contract
from games.kernels.compiled import compiled
from games.kernels.contract import SWAP, Steps
from games.kernels.dice import Dice, below
from games.vaxandis import Vaxandis, VaxandisPosition

# Places in `numbers`.
SIDE, WINNER, STACKS, PIE, PATH, ABSORB = range(6)

WIDTH = 32
OFFSETS = (1, WIDTH, WIDTH + 1, -1, -WIDTH, -WIDTH - 1)  # to the neighbours

BITS = 10
POINT = (1 << BITS) - 1

# Values of `owners` beside the sides, 0 and 1.
EMPTY, OUTSIDE = 2, 3
NO_WAY = np.iinfo(np.int32).max


# Random games hardly ever end.
RANDOM_CUT = 500

# Random steps before the search evaluates (§11).
CUT = 1


class VaxandisState(NamedTuple):
    """P = (2 size + 1) WIDTH points, the frame included; N of them are on the board.

    points   (N,) int16    the points of the board; shared by copies, read-only
    owners   (P,) int8     the side of the stack, EMPTY or OUTSIDE
    heights  (P,) int32    0 where empty, NO_WAY outside
    near     (2, P) int8   by side: how many of its stacks are next to the point
    met      (P,) int16    scratch: the stacks of the groups met by a movement
    is_met   (P,) uint8    scratch: 1 for the points in `met`, 0 between turns
    steps    (S,) int32    scratch: the legal steps, S = capacity(rules)
    numbers  (6,) int64    see SIDE and the others above; WINNER is -1, 0 or 1
    """

    points: NDArray[np.int16]
    owners: NDArray[np.int8]
    heights: NDArray[np.int32]
    near: NDArray[np.int8]
    met: NDArray[np.int16]
    is_met: NDArray[np.uint8]
    steps: Steps
    numbers: NDArray[np.int64]


def state_of(position: VaxandisPosition) -> VaxandisState:
    """A new state equal to `position`."""
    rules = position.rules
    count = (2 * rules.size + 1) * WIDTH
    points = [(row + 1) * WIDTH + column + 1 for column, row in rules.grid.vertices]
    state = VaxandisState(
        np.array(points, np.int16),
        np.full(count, OUTSIDE, np.int8),
        np.full(count, NO_WAY, np.int32),
        np.zeros((2, count), np.int8),
        np.zeros(count, np.int16),
        np.zeros(count, np.uint8),
        np.zeros(capacity(rules), np.int32),
        np.array(
            [
                position.to_move,
                -1 if position.winner is None else position.winner,
                0,
                rules.pie,
                rules.touch == "path",
                rules.merge == "absorb",
            ],
            np.int64,
        ),
    )
    state.points.flags.writeable = False
    state.owners[state.points] = EMPTY
    state.heights[state.points] = 0
    for point, stack in zip(points, position.stacks, strict=True):
        if stack:
            put(state, point, int(stack < 0), abs(stack))
    return state


def decode(position: VaxandisPosition, begun: tuple[Step, ...], step: int) -> Step:
    """`step`, legal in the state of `position`, as a turn of games/vaxandis.py."""
    if step == SWAP:
        return SWAP_TURN
    cells = position.rules.grid.cells
    points = (step >> BITS, step & POINT) if step > POINT else (step,)
    return tuple(cells[p % WIDTH - 1, p // WIDTH - 1] for p in points)


def key(state: VaxandisState) -> bytes:
    side = state.numbers[[SIDE]]
    return state.owners.tobytes() + state.heights.tobytes() + side.tobytes()


def capacity(rules: Vaxandis) -> int:
    """Placements on every point, the swap, and the movements along every line.

    A movement begins and ends on one line. If k of its `length` points have stacks
    of the mover, at most length - k are empty, so the line holds at most
    k (length - k) movements, and that is at most length² / 4. Lines have `size` to
    2 size - 1 points and back in each of three directions.
    """
    size = rules.size
    lengths: list[int] = [*range(size, 2 * size), *range(size, 2 * size - 1)]
    on_lines = sum(length * length // 4 for length in lengths)
    return 3 * on_lines + len(rules.grid) + 1


@compiled
def copy(target: VaxandisState, source: VaxandisState) -> None:
    for p in range(source.owners.size):
        target.owners[p] = source.owners[p]
        target.heights[p] = source.heights[p]
        target.near[0, p] = source.near[0, p]
        target.near[1, p] = source.near[1, p]
        target.is_met[p] = 0
    for k in range(source.numbers.size):
        target.numbers[k] = source.numbers[k]


@compiled
def winner(state: VaxandisState) -> int:
    return int(state.numbers[WINNER])


@compiled
def to_move(state: VaxandisState) -> int:
    return int(state.numbers[SIDE])


@compiled
def legal_steps(state: VaxandisState, out: Steps) -> int:
    side = int(state.numbers[SIDE])
    count = placements(state, out)
    for point in state.points:
        if state.owners[point] == side:
            count = movements(state, point, side, out, count)
    if may_swap(state):
        out[count] = SWAP
        count += 1
    return count


@compiled
def random_step(state: VaxandisState, dice: Dice) -> int:
    return int(state.steps[below(dice, legal_steps(state, state.steps))])


@compiled
def play(state: VaxandisState, step: int) -> None:
    numbers = state.numbers
    side = int(numbers[SIDE])
    if step == SWAP:
        swap(state)
    elif step > POINT:
        move(state, step >> BITS, step & POINT, side)
    else:
        put(state, step, side, 1)
    numbers[SIDE] = 1 - side
    numbers[WINNER] = -1 if can_go_on(state) else side


@compiled
def cut(state: VaxandisState) -> int:
    return CUT


@compiled
def evaluate(state: VaxandisState) -> float:
    """Black's share of the prospects of both sides (§11)."""
    black, white = prospects(state, 0), prospects(state, 1)
    return black / (black + white)


@compiled
def prospects(state: VaxandisState, side: int) -> float:
    """One more than its movements, times one more than its stacks above all enemies."""
    highest = 0
    for point in state.points:
        if state.owners[point] == 1 - side:
            highest = max(highest, state.heights[point])
    moves = above = 0
    for point in state.points:
        if state.owners[point] == side:
            moves += movements(state, point, side, state.steps, 0)
            above += state.heights[point] > highest
    return float((1 + moves) * (1 + above))


@compiled
def can_go_on(state: VaxandisState) -> bool:
    """Whether there is a legal step (§6)."""
    side = int(state.numbers[SIDE])
    for point in state.points:
        owner = state.owners[point]
        if owner == side and movements(state, point, side, state.steps, 0) > 0:
            return True
        if is_open(state, point):
            return True
    return may_swap(state)


@compiled
def may_swap(state: VaxandisState) -> bool:
    """Whether this is White's first turn, and may be `swap` (§7)."""
    numbers = state.numbers
    return bool(numbers[STACKS] == 1 and numbers[SIDE] == 1 and numbers[PIE])


@compiled
def swap(state: VaxandisState) -> None:
    for point in state.points:
        owner = int(state.owners[point])
        if owner != EMPTY:
            height = int(state.heights[point])
            lift(state, point)
            put(state, point, 1 - owner, height)
            return


@compiled
def placements(state: VaxandisState, out: Steps) -> int:
    """Write the placements (§2) to the front of `out`; returns their number."""
    count = 0
    for point in state.points:
        if is_open(state, point):
            out[count] = point
            count += 1
    return count


@compiled
def is_open(state: VaxandisState, point: int) -> bool:
    """Whether the point is empty and no stack is next to it."""
    near = state.near
    return bool(state.owners[point] == EMPTY and near[0, point] + near[1, point] == 0)


@compiled
def movements(
    state: VaxandisState, start: int, side: int, out: Steps, count: int
) -> int:
    """Append the movements of one stack (§3, §4) to `out`; returns the new count."""
    if is_frozen(state, start, side):
        return count
    owners, heights, near = state.owners, state.heights, state.near[side]
    height = heights[start]
    for offset in OFFSETS:
        jumped = False
        friends = 1  # on the first point: the stack itself, which does not count
        landing = start + offset
        while heights[landing] <= height:
            if owners[landing] == side:
                jumped = True
            elif owners[landing] == EMPTY and (jumped or near[landing] > friends):
                out[count] = start << BITS | landing
                count += 1
            friends = 0
            landing += offset
    return count


@compiled
def is_frozen(state: VaxandisState, point: int, side: int) -> bool:
    """Whether a higher stack of the other side is next to the stack (§3)."""
    if state.near[1 - side, point]:
        for offset in OFFSETS:
            if (
                state.owners[point + offset] == 1 - side
                and state.heights[point + offset] > state.heights[point]
            ):
                return True
    return False


@compiled
def put(state: VaxandisState, point: int, side: int, height: int) -> None:
    state.owners[point] = side
    state.heights[point] = height
    for offset in OFFSETS:
        state.near[side, point + offset] += 1
    state.numbers[STACKS] += 1


@compiled
def lift(state: VaxandisState, point: int) -> None:
    side = state.owners[point]
    state.owners[point] = EMPTY
    state.heights[point] = 0
    for offset in OFFSETS:
        state.near[side, point + offset] -= 1
    state.numbers[STACKS] -= 1


@compiled
def move(state: VaxandisState, start: int, landing: int, side: int) -> None:
    """Move a stack and let what it meets grow (§5)."""
    heights, numbers = state.heights, state.numbers
    height = heights[start] + 1
    lift(state, start)
    joined = 0
    if numbers[ABSORB]:
        joined = meet_near(state, landing, side, height, 0)
    count = joined
    offset = direction(state, start, landing)
    point = start
    while point != landing:
        point += offset
        if state.owners[point] == side:
            count = meet(state, point, count)
        elif state.owners[point] == EMPTY and (numbers[PATH] or point == landing):
            count = meet_near(state, point, side, 0, count)
    for k in range(count):
        state.is_met[state.met[k]] = 0
        heights[state.met[k]] += k >= joined
    put(state, landing, side, height)


@compiled
def direction(state: VaxandisState, start: int, landing: int) -> int:
    """The offset that leads from `start` to `landing` when repeated."""
    distance = abs(landing - start)
    offset = WIDTH + 1
    if distance < WIDTH:
        offset = 1
    elif distance % WIDTH == 0:
        offset = WIDTH
    return offset if landing > start else -offset


@compiled
def meet_near(
    state: VaxandisState, point: int, side: int, height: int, count: int
) -> int:
    """`meet` the friends next to a point, of this height unless it is 0."""
    if state.near[side, point]:
        for offset in OFFSETS:
            friend = point + offset
            is_wanted = not height or state.heights[friend] == height
            if is_wanted and state.owners[friend] == side:
                count = meet(state, friend, count)
    return count


@compiled
def meet(state: VaxandisState, start: int, count: int) -> int:
    """Append the group of a stack to `met`, if it is not there; the new count."""
    owners, heights, met, is_met = state.owners, state.heights, state.met, state.is_met
    if is_met[start]:
        return count
    done = count
    met[count] = start
    is_met[start] = 1
    count += 1
    while done < count:
        point = met[done]
        done += 1
        for offset in OFFSETS:
            near = point + offset
            if (
                heights[near] == heights[start]
                and owners[near] == owners[start]
                and not is_met[near]
            ):
                met[count] = near
                is_met[near] = 1
                count += 1
    return count


contract.provide(
    VaxandisState,
    {
        contract.copy: copy,
        contract.legal_steps: legal_steps,
        contract.random_step: random_step,
        contract.play: play,
        contract.winner: winner,
        contract.to_move: to_move,
        contract.cut: cut,
        contract.evaluate: evaluate,
    },
)
