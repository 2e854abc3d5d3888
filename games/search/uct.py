"""The search player: grow trees in chunks of playouts until a limit is reached."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from games import kernels
from games.contract import Position, Rules, Step, Turn
from games.kernels.dice import dice
from games.search.player import Limits
from games.search.settings import Settings
from games.search.tree import DONE, ROOT, UNPROVEN, Tree, grow, new_tree

# A chunk takes about this many seconds: short against the time a search has to
# stop in (50 ms), long against a call into compiled code.
CHUNK = 0.005

# What a search does at least, even if it was stopped before it began.
LEAST_PLAYOUTS = 32


def warm(rules: Rules) -> None:
    """Compile what `choose` needs for this game, or load it from the cache."""
    kernel = kernels.load(rules.name)
    root = kernel.state_of(rules.start())
    tree = new_tree(20_000, kernel.capacity(rules), 0)
    grow(root, kernel.state_of(rules.start()), tree, dice(0), 1, 0.5)


def choose(
    position: Position, settings: Settings, limits: Limits, source: random.Random
) -> Turn:
    """The most visited turn, or a proven win. The game must not be over."""
    search = Search(position, settings, source)
    search.run(limits)
    begun: tuple[Step, ...] = ()
    while (turn := position.turn(begun)) is None:
        step = search.best()
        begun += (search.kernel.decode(position, begun, step),)
        if position.turn(begun) is None:
            search.follow(step)
    return turn


@dataclass(frozen=True, slots=True)
class Child:
    """A step from the root, summed over all trees.

    `wins` counts for the side that makes the step; `proven` is the side that wins.
    """

    step: int
    visits: int
    wins: float
    proven: int


class Search:
    """One search for one turn; several trees if there are several threads."""

    def __init__(
        self, position: Position, settings: Settings, source: random.Random
    ) -> None:
        self.kernel = kernels.load(position.rules.name)
        self.settings = settings
        self.capacity = self.kernel.capacity(position.rules)
        self.root = self.kernel.state_of(position)
        self.side = int(position.to_move)
        self.scratch = [self.kernel.state_of(position) for _ in self._threads]
        self.dice = [dice(source.getrandbits(63)) for _ in self._threads]
        self.nodes = [ROOT for _ in self._threads]
        self._plant()

    @property
    def _threads(self) -> range:
        return range(self.settings.threads)

    @property
    def playouts(self) -> int:
        return sum(int(tree.numbers[DONE]) for tree in self.trees)

    def run(self, limits: Limits) -> None:
        """Grow until a limit is reached, the root is proven or leaves no choice."""
        start = time.perf_counter()
        threads = self.settings.threads

        def work(index: int) -> None:
            share = (limits.playouts + threads - 1 - index) // threads
            self._grow(index, share if limits.playouts else -1, limits, start)

        if threads == 1:
            work(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(work, self._threads))

    def best(self) -> int:
        """The step to make: a proven win, else the most visited not proven lost."""

        def rank(child: Child) -> tuple[int, int, float]:
            decided = child.proven != UNPROVEN
            hope = (1 if child.proven == self.side else -1) if decided else 0
            return hope, child.visits, child.wins

        return max(self.children(), key=rank).step

    def children(self) -> list[Child]:
        found: dict[int, Child] = {}
        for tree, node in zip(self.trees, self.nodes, strict=True):
            first, width = int(tree.first[node]), int(tree.width[node])
            for row in range(first, first + width):
                step = int(tree.step[row])
                before = found.get(step, Child(step, 0, 0.0, UNPROVEN))
                proven = int(tree.proven[row])
                found[step] = Child(
                    step,
                    before.visits + int(tree.visits[row]),
                    before.wins + float(tree.wins[row]),
                    before.proven if proven == UNPROVEN else proven,
                )
        return list(found.values())

    def follow(self, step: int) -> None:
        """Go on from the position after `step`, made by the same side."""
        self.kernel.play(self.root, step)
        self.nodes = [
            expanded_child(tree, node, step)
            for tree, node in zip(self.trees, self.nodes, strict=True)
        ]
        if ROOT in self.nodes:
            self._plant()
            self.run(Limits(playouts=LEAST_PLAYOUTS * self.settings.threads))

    def _plant(self) -> None:
        nodes = max(self.settings.tree // self.settings.threads, 20_000)
        self.trees: list[Tree] = [
            new_tree(nodes, self.capacity, self.side) for _ in self._threads
        ]
        self.nodes = [ROOT for _ in self._threads]

    def _grow(self, index: int, playouts: int, limits: Limits, start: float) -> None:
        """Grow one tree by `playouts` playouts, or without such a limit if -1."""
        tree = self.trees[index]
        size = LEAST_PLAYOUTS
        while playouts:
            chunk = size if playouts < 0 else min(size, playouts)
            before = time.perf_counter()
            grow(
                self.root,
                self.scratch[index],
                tree,
                self.dice[index],
                chunk,
                self.settings.exploration,
            )
            now = time.perf_counter()
            if tree.proven[ROOT] != UNPROVEN or tree.width[ROOT] == 1:
                return
            if now - start >= limits.seconds or limits.stop():
                return
            if playouts > 0:
                playouts -= chunk
            if now - before < CHUNK / 2:
                size *= 2
            elif now - before > CHUNK:
                size = max(size // 2, 1)


def expanded_child(tree: Tree, node: int, step: int) -> int:
    """The row of the child that `step` leads to, ROOT where it has no children."""
    first, width = int(tree.first[node]), int(tree.width[node])
    for row in range(first, first + width):
        if tree.step[row] == step and tree.width[row]:
            return row
    return ROOT
