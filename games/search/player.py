"""What a player is; the random one, and the way to the search.

Neither numpy nor numba is imported until a search is loaded.
"""

import logging
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from games.contract import Position, Rules, Turn
from games.search.settings import Settings

log = logging.getLogger(__name__)


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

    def change(self, settings: Settings) -> None:
        """Play by other settings; a new seed starts the dice anew."""
        if settings.seed != self.settings.seed:
            self.dice = random.Random(settings.seed)
        self.settings = settings

    def load(self, rules: Rules) -> None:
        """Have the search for this game ready, if this player searches."""
        if self.settings.player == "mcts":
            load_search(rules)

    def choose(self, position: Position, limits: Limits) -> Turn:
        """A turn for the side to move. The game must not be over."""
        if self.settings.player == "random":
            return position.random_turn(self.dice)
        if limits.hurry() and not is_loaded(position.rules):
            return position.random_turn(self.dice)
        load_search(position.rules)
        from games.search.uct import choose

        return choose(position, self.settings, limits, self.dice)


_loaded: set[str] = set()


def is_loaded(rules: Rules) -> bool:
    return rules.name in _loaded


def load_search(rules: Rules) -> None:
    """Load the compiled search for this game; says so if it must be compiled.

    A cache that cannot be used any more is removed and compiled anew.
    """
    if is_loaded(rules):
        return
    from games.kernels import cache

    if not cache.has(rules.name):
        log.warning("compiling the search for %s, which takes some seconds", rules.name)
    from games.search import uct

    try:
        uct.warm(rules)
    except Exception:
        if not cache.discard():
            raise
        log.warning("the cache of compiled code is unusable: compiling anew")
        uct.warm(rules)
    cache.note(rules.name)
    _loaded.add(rules.name)
