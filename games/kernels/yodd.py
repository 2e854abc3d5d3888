"""Yodd for the search: groups as rings, and one list of the stones that fit.

Rules text: spec/yodd.md; readable rules: games/yodd.py.

Cells stand in a frame one cell wide: with `width = 2 size + 1`, the cell
(column, row) is `(row + 1) * width + column + 1`. A stone is twice its cell, plus 1
if it is white: the like-coloured stones around it are an even number away, the same
for both colours. Cells of the frame never hold a stone, so a stone that is 0 stands
for none.

A stone that touches k groups of its colour changes the number of groups by 1 - k
(§3.3). All a turn needs to know of a stone is whether k is even, so the stones that
fit are one list in two parts, first those with k even.

A step is a stone, PASS, or STOP instead of a second stone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.contract import PASS as PASS_TURN
from games.contract import Side, Step
from games.grids import hexagon
from games.kernels import contract
from games.kernels.compiled import compiled
from games.kernels.contract import PASS, Steps
from games.kernels.dice import Dice, below
from games.yodd import STOP as STOP_STEP
from games.yodd import Stone, Yodd, YoddPosition

# Places in `numbers`; the number of white groups comes after that of black ones.
# LAST is 1 where the next step is the last of its turn: after a first stone, and in
# Black's first turn, which may be one stone only (§3.2).
WIDTH, COUNT, EVENS, GROUPS, _, SIDE, PASSES, LAST = range(8)

STOP = 0


class YoddState(NamedTuple):
    """S = 2 (2 size + 1)² stones, those on the frame included.

    label    (S,) int16   the group of a stone on the board, which is one of its
                          stones; 0 for all other stones
    ring     (S,) int16   by stone on the board: the next in its group, in a ring
    members  (S,) int16   by group: how many stones it has
    order    (S,) int16   the stones that fit, the first COUNT entries; the first
                          EVENS of them touch an even number of groups
    place    (S,) int16   by stone: its index in `order`, -1 where it does not fit
    changed  (S,) int16   scratch of `put`
    marked   (S,) uint8   scratch of `put`, 0 outside it
    numbers  (8,) int64   see WIDTH and the others above
    """

    label: NDArray[np.int16]
    ring: NDArray[np.int16]
    members: NDArray[np.int16]
    order: NDArray[np.int16]
    place: NDArray[np.int16]
    changed: NDArray[np.int16]
    marked: NDArray[np.uint8]
    numbers: NDArray[np.int64]


def state_of(position: YoddPosition) -> YoddState:
    """A new state equal to `position`."""
    size = position.rules.size
    width = 2 * size + 1
    stones = 2 * width * width
    state = YoddState(
        np.zeros(stones, np.int16),
        np.zeros(stones, np.int16),
        np.zeros(stones, np.int16),
        np.zeros(stones, np.int16),
        np.full(stones, -1, np.int16),
        np.zeros(stones, np.int16),
        np.zeros(stones, np.uint8),
        np.zeros(8, np.int64),
    )
    cells = [(y + 1) * width + x + 1 for x, y in hexagon(size).vertices]
    fitting = [2 * cell + colour for cell in cells for colour in Side]
    state.order[: len(fitting)] = fitting
    state.place[fitting] = range(len(fitting))
    state.numbers[[WIDTH, COUNT, EVENS]] = width, len(fitting), len(fitting)
    for cell, content in zip(cells, position.stones, strict=True):
        if content:
            put(state, 2 * cell + content - 1)
    state.numbers[[SIDE, PASSES]] = position.to_move, position.passes
    state.numbers[LAST] = not any(position.stones)
    return state


def decode(position: YoddPosition, begun: tuple[Step, ...], step: int) -> Step:
    """`step`, legal after `begun` in `position`, as a step of games/yodd.py."""
    if step == PASS:
        return PASS_TURN
    if step == STOP:
        return STOP_STEP
    size = position.rules.size
    row, column = divmod(step // 2, 2 * size + 1)
    return Stone(hexagon(size).cells[column - 1, row - 1], Side(step % 2))


def key(state: YoddState) -> bytes:
    chosen = state.numbers[[SIDE, PASSES, LAST]].astype(np.uint8)
    return np.packbits(state.label > 0).tobytes() + chosen.tobytes()


def capacity(rules: Yodd) -> int:
    """A stone of either colour on every cell, and a pass or a stop."""
    return 2 * len(hexagon(rules.size)) + 1


@compiled
def copy(target: YoddState, source: YoddState) -> None:
    for stone in range(source.label.size):
        target.label[stone] = source.label[stone]
        target.ring[stone] = source.ring[stone]
        target.members[stone] = source.members[stone]
        target.order[stone] = source.order[stone]
        target.place[stone] = source.place[stone]
        target.marked[stone] = 0
    for k in range(source.numbers.size):
        target.numbers[k] = source.numbers[k]


@compiled
def winner(state: YoddState) -> int:
    """§4: two passes end the game; the fewer groups of one's colour win."""
    numbers = state.numbers
    if numbers[PASSES] < 2:
        return -1
    return int(numbers[GROUPS + 1] < numbers[GROUPS])


@compiled
def to_move(state: YoddState) -> int:
    return int(state.numbers[SIDE])


@compiled
def legal_steps(state: YoddState, out: Steps) -> int:
    numbers, order = state.numbers, state.order
    if numbers[PASSES] == 2:
        return 0
    if numbers[LAST]:
        low, high = last_stones(state)
        for k in range(low, high):
            out[k - low] = order[k]
        if may_stop(state):
            out[high - low] = STOP
        return high - low + may_stop(state)
    out[0] = PASS
    count = 1
    for k in range(numbers[COUNT]):
        if may_begin(state, order[k]):
            out[count] = order[k]
            count += 1
    return count


@compiled
def random_step(state: YoddState, dice: Dice) -> int:
    count, order = int(state.numbers[COUNT]), state.order
    if state.numbers[LAST]:
        low, high = last_stones(state)
        chosen = low + below(dice, high - low + may_stop(state))
        return STOP if chosen == high else int(order[chosen])
    while True:
        # Nearly every stone may begin a turn: asking only about those drawn is much
        # faster than listing.
        chosen = below(dice, count + 1)
        if chosen == count:
            return PASS
        if may_begin(state, order[chosen]):
            return int(order[chosen])


@compiled
def play(state: YoddState, step: int) -> None:
    numbers = state.numbers
    if step == PASS:
        numbers[PASSES] += 1
        numbers[SIDE] ^= 1
        return
    if step != STOP:
        put(state, step)
        numbers[PASSES] = 0
    numbers[SIDE] ^= numbers[LAST]
    numbers[LAST] ^= 1


@compiled
def may_stop(state: YoddState) -> bool:
    """Whether the number of groups is odd (§3.3)."""
    return bool((state.numbers[GROUPS] + state.numbers[GROUPS + 1]) & 1)


@compiled
def last_stones(state: YoddState) -> tuple[int, int]:
    """From where to where `order` has the stones that make or leave it odd."""
    numbers = state.numbers
    if may_stop(state):
        return int(numbers[EVENS]), int(numbers[COUNT])
    return 0, int(numbers[EVENS])


@compiled
def may_begin(state: YoddState, stone: int) -> bool:
    """Whether a turn can go on from this stone (§3.3), the number now being odd.

    A stone with k odd leaves it odd. Any other needs a second one with k then even,
    and the first changes which stones those are among its own colour only.
    """
    order, evens = state.order, state.numbers[EVENS]
    if state.place[stone] >= evens:
        return True
    for k in range(evens):
        second = int(order[k])
        if (second ^ stone) & 1:
            if second != stone ^ 1:
                return True
        elif second != stone and not changes(state, stone, second):
            return True
    for k in range(evens, state.numbers[COUNT]):
        second = int(order[k])
        if not (second ^ stone) & 1 and changes(state, stone, second):
            return True
    return False


@compiled
def changes(state: YoddState, first: int, second: int) -> bool:
    """Whether one stone changes the parity of k for another of its colour.

    Two groups that both touch become one; with none in common, the first stone is
    itself a new group for the second if they are neighbours.
    """
    others = touched(state, second)
    common = 0
    for group in touched(state, first):
        common += group > 0 and group in others
    if common:
        return common == 2
    away = abs(first - second)
    row = 2 * state.numbers[WIDTH]
    return bool(away == 2 or away == row or away == row + 2)


@compiled
def touched(state: YoddState, stone: int) -> tuple[int, int, int]:
    """The groups of its colour around a stone, 0 where there are fewer than three.

    There are never more: no two of the neighbours through which they touch are
    neighbours themselves.
    """
    a = b = c = 0
    for near in around(state, stone):
        group = int(state.label[near])
        if group and group != a and group != b:
            a, b, c = group, a, b  # if it was c, only the order changes
    return a, b, c


@compiled
def around(state: YoddState, stone: int) -> tuple[int, int, int, int, int, int]:
    """The like-coloured stones of the neighbouring cells."""
    row = 2 * int(state.numbers[WIDTH])
    return (
        stone - row - 2,
        stone - row,
        stone - 2,
        stone + 2,
        stone + row,
        stone + row + 2,
    )


@compiled
def put(state: YoddState, stone: int) -> None:
    """Place a stone: join the groups it touches, sort the stones around anew.

    The largest of the groups absorbs the others, so few stones change their label.
    """
    members, marked, numbers = state.members, state.marked, state.numbers
    groups = touched(state, stone)
    take_out(state, stone)
    take_out(state, stone ^ 1)
    state.ring[stone] = stone
    members[stone] = 1
    numbers[GROUPS + (stone & 1)] += 1
    into = stone
    for group in groups:
        if group:
            numbers[GROUPS + (stone & 1)] -= 1
            if members[group] > members[into]:
                into = group
    count = absorb(state, stone, into, 0)
    for group in groups:
        if group and group != into:
            count = absorb(state, group, into, count)
    for k in range(count):
        near = int(state.changed[k])
        marked[near] = 0
        a, b, c = touched(state, near)
        is_odd = (a > 0) ^ (b > 0) ^ (c > 0)
        if is_odd != (state.place[near] >= numbers[EVENS]):
            change_part(state, near)


@compiled
def absorb(state: YoddState, group: int, into: int, count: int) -> int:
    """Give the stones of a group to another one, or a new stone to its own group.

    Adds the fitting stones around them to the `count` in `changed`; returns how many
    there are then.
    """
    label, ring, members = state.label, state.ring, state.members
    stone = group
    while True:
        label[stone] = into
        for near in around(state, stone):
            if state.place[near] >= 0 and not state.marked[near]:
                state.marked[near] = 1
                state.changed[count] = near
                count += 1
        stone = int(ring[stone])
        if stone == group:
            break
    if group != into:
        # Two rings whose links are exchanged at one place become one.
        ring[group], ring[into] = ring[into], ring[group]
        members[into] += members[group]
    return count


@compiled
def take_out(state: YoddState, stone: int) -> None:
    """Remove a stone from `order`."""
    numbers = state.numbers
    if state.place[stone] < numbers[EVENS]:
        change_part(state, stone)
    numbers[COUNT] -= 1
    exchange(state, stone, numbers[COUNT])
    state.place[stone] = -1


@compiled
def change_part(state: YoddState, stone: int) -> None:
    """Move a stone over the border between the parts of `order`."""
    numbers = state.numbers
    if state.place[stone] < numbers[EVENS]:
        numbers[EVENS] -= 1
        exchange(state, stone, numbers[EVENS])
    else:
        exchange(state, stone, numbers[EVENS])
        numbers[EVENS] += 1


@compiled
def exchange(state: YoddState, stone: int, at: int) -> None:
    """Let a stone and the one at this index of `order` change places."""
    order, place = state.order, state.place
    other = order[at]
    order[place[stone]] = other
    place[other] = place[stone]
    order[at] = stone
    place[stone] = at


contract.provide(
    YoddState,
    {
        contract.copy: copy,
        contract.legal_steps: legal_steps,
        contract.random_step: random_step,
        contract.play: play,
        contract.winner: winner,
        contract.to_move: to_move,
    },
)
