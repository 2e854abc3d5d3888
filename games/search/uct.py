"""The search player: grow trees in chunks of playouts until a limit is reached."""

import math
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

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

# How many openings are drawn, how many of them are looked at in any case, and how
# many looks the limits are meant for.
OPENINGS = 64
CANDIDATES = 8
LOOKS = 16

# An opening is to be worth half to the other side and this over the root of the
# playouts that tell, which is half the deviation of their mean.
MARGIN = 0.25

# How far what it is worth lies from the mean of all answers towards that of the most
# visited one: the former is too low as long as the search still looks for answers.
LEAN = 0.25


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

    Of openings drawn at random, the one closest to even among those after which
    the other side should keep its side, as far as a search of its answers tells.
    """
    start = time.perf_counter()
    part = limits.part(1 / LOOKS)
    root = Search(position, settings, source)
    root.narrow(OPENINGS)
    root.run(part)
    if root.proven == root.side:
        return root.turn()
    openings = root.ranked()
    playouts = limits.playouts - root.playouts
    each = replace(settings, tree=settings.tree // CANDIDATES)
    looks: list[Look] = []
    looked_at = 0
    while True:
        if openings and (looked_at < CANDIDATES or not looks[0].worth[0]):
            step = root.kernel.decode(position, (), openings.pop(0))
            turn = position.turn((step,))
            assert turn is not None
            following = position.play(turn)
            if following.winner is not None:
                return root.turn()
            look = Look(turn, Search(following, each, source))
            looks.append(look)
            looked_at += 1
            playouts -= look.search.playouts
        else:
            look = looks[0]
            if look.search.proven != UNPROVEN:
                return look.turn
        before = look.search.playouts
        seconds = start + limits.seconds - time.perf_counter()
        look.run(
            replace(
                part,
                playouts=min(part.playouts, max(playouts, 1)),
                seconds=min(part.seconds, seconds),
            )
        )
        playouts -= look.search.playouts - before
        looks.sort(key=lambda look: look.worth, reverse=True)
        del looks[CANDIDATES:]
        is_late = time.perf_counter() - start >= limits.seconds
        if is_late or (limits.playouts and playouts <= 0) or limits.stop():
            return looks[0].turn


class Look:
    """An opening, and the search for an answer to it other than `swap`.

    `worth` is higher for better openings: first of all those after which the other
    side should keep its side, then those that are closer to even.
    """

    def __init__(self, turn: Turn, search: "Search") -> None:
        self.turn = turn
        self.search = search
        self.worth = (False, 0.0)
        search.drop_swap()

    def run(self, limits: Limits) -> None:
        self.search.run(limits)
        all_answers, best_answer = self.search.means()
        value = all_answers + LEAN * (best_answer - all_answers)
        if self.search.proven == UNPROVEN:
            is_kept = value >= 0.5 + MARGIN / math.sqrt(self.search.playouts)
            self.worth = is_kept, -value if is_kept else value
        elif self.search.proven == self.search.side:
            self.worth = True, -value
        else:
            self.worth = False, value - 1


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

    def drop_swap(self) -> None:
        """Do not look at `swap`: it is the first child of the root where it is legal.

        If there is nothing else, the root is proven for the other side.
        """
        self.run(Limits(playouts=self.settings.threads))
        for tree in self.trees:
            if tree.step[tree.first[ROOT]] == contract.SWAP:
                tree.first[ROOT] += 1
                tree.width[ROOT] -= 1
                tree.visits[ROOT] = 0
                tree.wins[ROOT] = 0
                tree.proven[ROOT] = UNPROVEN if tree.width[ROOT] else 1 - self.side

    def means(self) -> tuple[float, float]:
        """What the side to move has won, 0 to 1: by all steps, by the most visited."""
        visits, wins, best_visits, best_wins = 0, 0.0, 0, 0.0
        for tree in self.trees:
            first, width = int(tree.first[ROOT]), int(tree.width[ROOT])
            if width:
                best = first + int(tree.visits[first : first + width].argmax())
                visits += int(tree.visits[first : first + width].sum())
                wins += float(tree.wins[first : first + width].sum())
                best_visits += int(tree.visits[best])
                best_wins += float(tree.wins[best])
        return wins / max(visits, 1), best_wins / max(best_visits, 1)

    @property
    def proven(self) -> int:
        """The side that wins, or UNPROVEN."""
        found = {int(tree.proven[ROOT]) for tree in self.trees} - {UNPROVEN}
        return found.pop() if found else UNPROVEN

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
