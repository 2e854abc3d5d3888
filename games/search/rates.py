"""How fast random games and the search are, and what the search does."""

import hashlib
import random
import time

from games import kernels, open_game
from games.contract import Position, Rules
from games.kernels.contract import NEVER
from games.kernels.dice import dice
from games.search.player import Limits
from games.search.randomgames import playouts
from games.search.settings import Settings
from games.search.uct import Search

CHUNK = 0.1  # seconds of random games between two looks at the clock


def random_rate(rules: Rules, seconds: float) -> tuple[float, float]:
    """Random games from the start a second of processor time, and their mean steps.

    Games are cut where the kernel says so.
    """
    kernel = kernels.load(rules.name)
    longest = getattr(kernel, "RANDOM_CUT", NEVER)
    root, scratch = kernel.state_of(rules.start()), kernel.state_of(rules.start())
    source = dice(1)
    games, played, steps, size = 1, 0, 0, 1
    playouts(root, scratch, source, games, longest)  # compiles
    start = time.process_time()
    while (used := time.process_time() - start) < seconds:
        size = min(2 * size, 1 + int(played * CHUNK / used)) if played else 1
        steps += playouts(root, scratch, source, size, longest)[0]
        played += size
    return played / used, steps / played


def search_rate(rules: Rules, settings: Settings, seconds: float) -> float:
    """Playouts a second of searches from the start.

    The seconds are those of this process; with several threads those of the clock.
    """
    now = time.process_time if settings.threads == 1 else time.perf_counter
    source = random.Random(1)
    Search(rules.start(), settings, source).run(Limits(playouts=1))  # compiles
    done = 0
    start = now()
    while (used := now() - start) < seconds:
        search = Search(rules.start(), settings, source)
        search.run(Limits(stop=lambda: now() - start >= seconds))
        done += search.playouts
    return done / used


def signature(rules: Rules) -> str:
    """Eight digits that change exactly when the search behaves differently.

    They come from searches of a fixed number of playouts, with default settings, on
    fixed positions of the game at its default size and variant.
    """
    digest = hashlib.sha256()
    for position in fixed_positions(open_game(rules.name)):
        search = Search(position, Settings(), random.Random(1))
        search.run(Limits(playouts=500))
        found = [(child.step, child.visits, child.wins) for child in search.children()]
        digest.update(repr((search.best(), found)).encode())
    return digest.hexdigest()[:8]


def fixed_positions(rules: Rules) -> list[Position]:
    source = random.Random(1)
    position = rules.start()
    chosen = [position]
    for turn in range(1, 13):
        position = position.play(position.random_turn(source))
        if turn in (1, 6, 12) and position.winner is None:
            chosen.append(position)
    return chosen
