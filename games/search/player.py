"""What a player is; the random one, and the way to the search.

Neither numpy nor numba is imported until a search is loaded.
"""

import logging
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from games.contract import Position, Rules, Turn
from games.search.settings import Settings

log = logging.getLogger(__name__)

# Before something that cannot be stopped begins: seconds for the end of input, which
# may come right behind a line, to be noticed.
GRACE = 0.02


def never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a turn must be chosen; the first limit reached counts."""

    playouts: int = 0  # 0 sets no such limit
    seconds: float = math.inf
    stop: Callable[[], bool] = never  # true: answer with what there is
    hurry: Callable[[], bool] = never  # true: do not even load a search

    def part(self, share: float) -> "Limits":
        """These limits for a part of the work, at least one playout."""
        playouts = max(int(self.playouts * share), 1) if self.playouts else 0
        return replace(self, playouts=playouts, seconds=self.seconds * share)


@dataclass(slots=True)
class Player:
    """Chooses turns for either side.

    Every choice draws from `dice`, so equal seeds and equal questions with a limit
    of playouts and one thread have equal answers.
    """

    settings: Settings
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.settings.seed)

    def load(self, rules: Rules, hurry: Callable[[], bool] = never) -> bool:
        """Have the search for this game ready; False if there is none to use.

        That is so if this player does not search, or must hurry with none loaded.
        """
        if self.settings.player == "random":
            return False
        if not is_loaded(rules):
            time.sleep(GRACE)
            if hurry():
                return False
            load_search(rules)
        return True

    def choose(
        self, position: Position, limits: Limits, among: Sequence[Turn] = ()
    ) -> Turn:
        """A turn for the side to move, one of `among` if there are any of these.

        The game must not be over.
        """
        if not self.load(position.rules, limits.hurry):
            if among:
                return self.dice.choice(among)
            return position.random_turn(self.dice)
        if among:
            from games.search.some import best_of

            return best_of(position, among, self.settings, limits, self.dice)
        from games.search.uct import choose

        return choose(position, self.settings, limits, self.dice)


_loaded: set[str] = set()


def is_loaded(rules: Rules) -> bool:
    return rules.name in _loaded


def load_search(rules: Rules) -> None:
    """Load the compiled search for this game; says so if it must be compiled."""
    if is_loaded(rules):
        return
    from games.kernels import cache

    if not cache.has(rules.name):
        log.warning("compiling the search for %s, which takes some seconds", rules.name)
    from games.search import uct

    load_compiled(lambda: uct.warm(rules))
    cache.note(rules.name)
    _loaded.add(rules.name)


def load_tools(rules: Rules) -> None:
    """Load everything that is compiled for this game."""
    load_search(rules)
    from games.search import rates

    load_compiled(lambda: rates.compile_tools(rules))


def load_compiled(load: Callable[[], None]) -> None:
    """Have `load` compile or load code from the cache.

    A cache that cannot be used any more is removed and compiled anew.
    """
    from games.kernels import cache

    try:
        load()
    except Exception:
        cache.discard()
        log.warning("the cache of compiled code is unusable: compiling anew")
        load()
