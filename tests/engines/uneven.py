"""An engine for Flipway whose games take very unequal times, by how they end.

    python uneven.py win=0.3 lose=0

It plays as plain.py does, at random, and rests for so many seconds before a turn by
which it wins, and after one of the other engine by which it loses. What it plays does
not depend on that.
"""

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from engines import plain


def main() -> None:
    options = dict(word.partition("=")[::2] for word in sys.argv[1:])
    rests = {
        "genmove": float(options.get("win", 0)),
        "play": float(options.get("lose", 0)),
    }
    game, dice = plain.Game(12), Random()
    for line in sys.stdin:
        number, name, *words = line.split()
        try:
            text = f"={number} {plain.answer(game, dice, name, words)}"
        except ValueError as error:
            text = f"?{number} {error}"
        if name in rests and game.winner():
            time.sleep(rests[name])
        print(text, end="\n\n", flush=True)
        if name == "quit":
            break


if __name__ == "__main__":
    main()
