"""The best of some turns, where the first part of a turn is made already.

The positions after the turns are searched side by side, in rounds; the better half
goes on to the next round (Karnin, Koren and Somekh, "Almost Optimal Exploration in
Multi-Armed Bandits", 2013, section 3).
"""

import random
import time
from collections.abc import Sequence
from dataclasses import replace

from games.contract import Position, Turn
from games.search.player import Limits
from games.search.settings import Settings
from games.search.tree import ROOT, UNPROVEN
from games.search.uct import Search

LEAST_TREE = 20_000  # nodes


def best_of(
    position: Position,
    turns: Sequence[Turn],
    settings: Settings,
    limits: Limits,
    source: random.Random,
) -> Turn:
    """One of `turns`, of which there must be some; all must be legal."""
    start = time.perf_counter()
    side = position.to_move
    nodes = max(settings.tree // len(turns), LEAST_TREE * settings.threads)
    each = replace(settings, tree=nodes)
    left: list[tuple[Turn, Search]] = []
    for turn in turns:
        following = position.play(turn)
        if following.winner is side:
            return turn
        if following.winner is None:
            left.append((turn, Search(following, each, source)))
    if not left:
        return turns[0]
    source.shuffle(left)  # if time is up, what has not been looked at is dropped
    rounds = (len(left) - 1).bit_length()
    while len(left) > 1:
        part = limits.part(1 / (rounds * len(left)))
        for _, search in left:
            if limits.stop() or time.perf_counter() - start >= limits.seconds:
                break
            search.run(part)
        left.sort(key=lambda pair: worth(pair[1]), reverse=True)
        left = left[: (len(left) + 1) // 2]
    return left[0][0]


def worth(search: Search) -> float:
    """What the side that made the turn has won; -1 or 2 where that is proven."""
    proven = int(search.trees[0].proven[ROOT])
    if proven != UNPROVEN:
        return -1.0 if proven == search.side else 2.0
    wins = sum(float(tree.wins[ROOT]) for tree in search.trees)
    visits = sum(int(tree.visits[ROOT]) for tree in search.trees)
    return wins / visits if visits else -1.0
