"""The search player: grow trees in chunks of playouts until a limit is reached."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from games import kernels
from games.contract import OneStep, Position, Rules, Step, Turn
from games.kernels import contract
from games.kernels.dice import dice
from games.search.player import Limits
from games.search.settings import BadSetting, Settings
from games.search.tree import DONE, ROOT, UNPROVEN, Tree, grow, new_tree

# A chunk takes about this many seconds: short against the time a search has to
# stop in (50 ms), long against a call into compiled code.
CHUNK = 0.005

# What a search does at least, even if it was stopped before it began.
LEAST_PLAYOUTS = 32
LEAST = Limits(playouts=LEAST_PLAYOUTS)

# How many openings are tried by answering them.
CANDIDATES = 4

# An opening is taken at once if the best answer but `swap` is worth so much.
SURELY_KEPT = 0.6


def warm(rules: Rules) -> None:
    """Compile what `choose` needs for this game, or load it from the cache."""
    kernel = kernels.load(rules.name)
    root = kernel.state_of(rules.start())
    tree = new_tree(20_000, kernel.capacity(rules), 0)
    grow(root, kernel.state_of(rules.start()), tree, ROOT, dice(0), 1, 0.5)


def choose(
    position: Position, settings: Settings, limits: Limits, source: random.Random
) -> Turn:
    """The most visited turn, or a proven win. The game must not be over."""
    is_opening = position.last is None and getattr(position.rules, "pie", False)
    if is_opening and not 0 < limits.playouts < LEAST_PLAYOUTS:
        return choose_opening(position, settings, limits, source)
    search = Search(position, settings, source)
    if isinstance(position, OneStep):
        search.run(limits)
        return search.turn()
    search.run(limits.part(1 / 2))
    return search.turn(limits.part(1 / 2))


def choose_opening(
    position: Position, settings: Settings, limits: Limits, source: random.Random
) -> Turn:
    """The first turn of a game whose second turn may be `swap`.

    A quarter of the limits goes into finding openings that are worth most when the
    other side may swap, the rest into asking for the best of them what this player
    would answer itself: it opens with a turn that it would not swap.
    """
    search = Search(position, settings, source)
    search.narrow(max(16, limits.playouts // 200) if limits.playouts else 64)
    search.run(limits.part(1 / 4))
    best = search.turn()
    found: list[tuple[bool, float, Turn]] = []
    for step in search.ranked()[:CANDIDATES]:
        turn = position.turn((search.kernel.decode(position, (), step),))
        assert turn is not None
        following = position.play(turn)
        if following.winner is not None:
            return best
        answer = Search(following, settings, source)
        answer.run(limits.part(3 / (4 * CANDIDATES)))
        is_kept = answer.ranked()[0] != contract.SWAP
        found.append((is_kept, answer.value_without(contract.SWAP), turn))
        if is_kept and found[-1][1] >= SURELY_KEPT:
            return turn
    return max(found, key=lambda kept: kept[:2])[2]


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
        self.position = position
        self.kernel = kernels.load(position.rules.name)
        self.settings = settings
        self.capacity = self.kernel.capacity(position.rules)
        self.root = self.kernel.state_of(position)
        self.side = int(position.to_move)
        self.scratch = [self.kernel.state_of(position) for _ in self._threads]
        self.dice = [dice(source.getrandbits(63)) for _ in self._threads]
        self.trees = [self._plant() for _ in self._threads]
        self.nodes = [ROOT for _ in self._threads]

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

    def narrow(self, width: int) -> None:
        """Look at no more than so many steps of the root, drawn at random."""
        self.run(Limits(playouts=self.settings.threads))
        for tree in self.trees:
            tree.width[ROOT] = min(int(tree.width[ROOT]), width)

    def turn(self, limits: Limits = LEAST) -> Turn:
        """The whole turn to make; after its first step, search on within `limits`."""
        begun: tuple[Step, ...] = ()
        while (turn := self.position.turn(begun)) is None:
            step = self.ranked()[0]
            begun += (self.kernel.decode(self.position, begun, step),)
            if self.position.turn(begun) is None:
                self.follow(step, limits)
        return turn

    def value_without(self, step: int) -> float:
        """What the most visited other step has won, 0 to 1, for the side to move.

        0 if there is none.
        """
        others = [child for child in self.children() if child.step != step]
        best = max(others, key=lambda child: child.visits, default=None)
        return best.wins / max(best.visits, 1) if best else 0.0

    def ranked(self) -> list[int]:
        """The steps, best first: proven wins, then by visits, proven losses last."""

        def rank(child: Child) -> tuple[int, int, float]:
            decided = child.proven != UNPROVEN
            hope = (1 if child.proven == self.side else -1) if decided else 0
            return hope, child.visits, child.wins

        return [c.step for c in sorted(self.children(), key=rank, reverse=True)]

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

    def follow(self, step: int, limits: Limits) -> None:
        """Go on from the position after `step`, made by the same side."""
        self.kernel.play(self.root, step)
        for index, node in enumerate(self.nodes):
            self.nodes[index] = expanded_child(self.trees[index], node, step)
            if self.nodes[index] == ROOT:
                self.trees[index] = self._plant()
        self.run(limits)

    def _plant(self) -> Tree:
        nodes = max(self.settings.tree // self.settings.threads, 20_000)
        try:
            return new_tree(nodes, self.capacity, self.side)
        except MemoryError:
            reason = f"tree is {self.settings.tree}: not enough memory"
            raise BadSetting(reason) from None

    def _grow(self, index: int, playouts: int, limits: Limits, start: float) -> None:
        """Grow one tree by `playouts` playouts, or without such a limit if -1."""
        tree, node = self.trees[index], self.nodes[index]
        size = LEAST_PLAYOUTS
        while playouts:
            chunk = size if playouts < 0 else min(size, playouts)
            before = time.perf_counter()
            grow(
                self.root,
                self.scratch[index],
                tree,
                node,
                self.dice[index],
                chunk,
                self.settings.exploration,
            )
            now = time.perf_counter()
            if tree.proven[node] != UNPROVEN or tree.width[node] == 1:
                return
            if playouts > 0:
                playouts -= chunk
            if now - start >= limits.seconds or (playouts and limits.stop()):
                return
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
