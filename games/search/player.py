"""What a player is; the random one, and the way to the search.

Neither numpy nor numba is imported until a search is loaded.
"""

import logging
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

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
    start = time.monotonic()
    from games.search import uct

    try:
        uct.warm(rules)
    except Exception:
        from games.kernels import cache

        if not cache.discard():
            raise
        log.warning("the cache of compiled code was unusable: compiling anew")
        uct.warm(rules)
    log.info("%s: search loaded in %.2f s", rules.name, time.monotonic() - start)
    _loaded.add(rules.name)
