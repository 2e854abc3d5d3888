"""UCT over any game that has a kernel, compiled: select, expand, play out, back up.

Kocsis and Szepesvari, "Bandit based Monte-Carlo Planning", 2006, section 2.3, with
two additions: finished lines prove their node and, as far as that decides them,
the nodes above (Winands, Bjornsson and Saito, "Monte-Carlo Tree Search Solver",
2008); and a child not yet visited counts as one visit with the mean of its parent,
so that a few playouts are not spread evenly over a wide board.

A node is a row; node 0 is the root. The children of a node are consecutive rows in
random order, but `swap` comes first: whether it is the answer decides what an
opening is worth, and one look at it says more than one at any other child.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.kernels.compiled import compiled
from games.kernels.contract import (
    SWAP,
    State,
    Steps,
    copy,
    cut,
    evaluate,
    legal_steps,
    play,
    to_move,
    winner,
)
from games.kernels.dice import Dice, below
from games.search.randomgames import finish

ROOT = 0

# A node gets children when it is visited this often: earlier they would cost more
# time and memory than their few visits are worth.
EXPAND_AT = 4

# Values of `proven`: a side that wins whatever the other one does, or neither.
UNPROVEN = -1

# Places in `numbers`.
USED, DONE = range(2)


class Tree(NamedTuple):
    """N nodes allocated, of which the first `numbers[USED]` exist.

    visits   (N,) int32    playouts through the node
    wins     (N,) float64  their results, summed, for the side that moved into the node
    step     (N,) int32    the step that leads here; -1 at the root
    first    (N,) int32    row of the first child
    width    (N,) int32    number of children, 0 until expanded
    side     (N,) int8     the side that moved into the node, 0 or 1
    proven   (N,) int8     the side that wins here, UNPROVEN as long as none is known
    numbers  (2,) int64    USED, and DONE: playouts since the root
    steps    (S,) int32    scratch: the legal steps of one position
    path     (N,) int32    scratch: the nodes from the root to the leaf
    """

    visits: NDArray[np.int32]
    wins: NDArray[np.float64]
    step: NDArray[np.int32]
    first: NDArray[np.int32]
    width: NDArray[np.int32]
    side: NDArray[np.int8]
    proven: NDArray[np.int8]
    numbers: NDArray[np.int64]
    steps: Steps
    path: NDArray[np.int32]


def new_tree(nodes: int, capacity: int, side: int) -> Tree:
    """A tree of nothing but its root, where `side` is to move.

    Memory is touched, and so really taken, only as nodes come to exist.
    """
    tree = Tree(
        np.empty(nodes, np.int32),
        np.empty(nodes, np.float64),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int8),
        np.empty(nodes, np.int8),
        np.zeros(2, np.int64),
        np.empty(capacity, np.int32),
        np.empty(nodes, np.int32),
    )
    add(tree, -1, 1 - side)
    return tree


@compiled
def grow(
    root: State, state: State, tree: Tree, dice: Dice, playouts: int, exploration: float
) -> None:
    """Add up to `playouts` playouts from `root`; fewer once the root is proven.

    `state` is scratch of the shape of `root`. Modifies `tree` and `dice`.
    """
    for _ in range(playouts):
        if tree.proven[ROOT] != UNPROVEN:
            return
        copy(state, root)
        length = descend(state, tree, dice, exploration)
        result = winner(state)
        if result >= 0:
            prove(tree, length, result)
        elif tree.proven[tree.path[length - 1]] != UNPROVEN:
            result = int(tree.proven[tree.path[length - 1]])
        else:
            finish(state, dice, cut(state))
            result = winner(state)
        black = evaluate(state) if result < 0 else 1.0 - result
        for k in range(length):
            node = tree.path[k]
            tree.visits[node] += 1
            tree.wins[node] += 1.0 - black if tree.side[node] else black
        tree.numbers[DONE] += 1


@compiled
def descend(state: State, tree: Tree, dice: Dice, exploration: float) -> int:
    """Play from the root to a leaf; returns the length of `tree.path`."""
    node = ROOT
    tree.path[0] = node
    length = 1
    while winner(state) < 0 and tree.proven[node] == UNPROVEN:
        if not tree.width[node]:
            if node != ROOT and tree.visits[node] + 1 < EXPAND_AT:
                break
            if not expand(state, tree, dice, node):
                break
        node = select(tree, node, exploration)
        play(state, tree.step[node])
        tree.path[length] = node
        length += 1
    return length


@compiled
def expand(state: State, tree: Tree, dice: Dice, node: int) -> bool:
    """Give `node` one child for each legal step; False when the tree is full."""
    used = tree.numbers[USED]
    count = legal_steps(state, tree.steps)
    if used + count > tree.visits.size:
        return False
    side = to_move(state)
    tree.first[node] = used
    tree.width[node] = count
    steps = tree.steps
    swap = steps[count - 1] == SWAP
    if swap:
        steps[0], steps[count - 1] = steps[count - 1], steps[0]
    for k in range(count):
        other = k if swap and k == 0 else k + below(dice, count - k)
        step = steps[other]
        steps[other] = steps[k]
        add(tree, step, side)
    return True


@compiled
def add(tree: Tree, step: int, side: int) -> None:
    node = tree.numbers[USED]
    tree.visits[node] = 0
    tree.wins[node] = 0
    tree.step[node] = step
    tree.width[node] = 0
    tree.side[node] = side
    tree.proven[node] = UNPROVEN
    tree.numbers[USED] = node + 1


@compiled
def select(tree: Tree, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound.

    A child proven lost for the side that chooses is taken only if all are.
    """
    first = int(tree.first[node])
    side = tree.side[first]
    visits = float(tree.visits[node])
    mean = tree.wins[node] / max(visits, 1.0)
    if tree.side[node] != side:
        mean = 1.0 - mean
    log = math.log(visits + 1.0)
    unvisited = mean + exploration * math.sqrt(log)
    best = int(first)
    highest = -1.0
    for child in range(first, first + tree.width[node]):
        proven = tree.proven[child]
        if proven == side:
            return child
        if proven != UNPROVEN:
            continue
        count = tree.visits[child]
        bound = unvisited
        if count:
            bound = (tree.wins[child] + exploration * math.sqrt(log * count)) / count
        if bound > highest:
            highest = bound
            best = child
    return best


@compiled
def prove(tree: Tree, length: int, result: int) -> None:
    """Note that `result` wins at the end of the path, and wherever that decides."""
    tree.proven[tree.path[length - 1]] = result
    for k in range(length - 2, -1, -1):
        node = tree.path[k]
        first = tree.first[node]
        if tree.side[first] != result:
            for child in range(first, first + tree.width[node]):
                if tree.proven[child] != result:
                    return
        tree.proven[node] = result
