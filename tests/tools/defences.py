"""From the winning side, beat every defence on a board small enough to try all.

    python tests/tools/defences.py --game flipway --size 3 --winner black

The search chooses the winner's turns, the other side tries every legal turn; each
distinct position once. Exits 1 at the first lost game, which is printed.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from games import GAMES, open_game
from games.contract import Position, Side
from games.search.player import Limits, Player
from games.search.settings import Settings
from games.variants import parse_variant


def beaten_line(start: Position, side: Side, player: Player, playouts: int):
    """A line in which `side` does not win, as positions; () if there is none.

    Also returns how many turns the player chose.
    """
    limits = Limits(playouts=playouts)
    seen = {start}
    waiting: list[tuple[Position, ...]] = [(start,)]
    chosen = 0
    while waiting:
        line = waiting.pop()
        position = line[-1]
        if position.winner is not None:
            if position.winner is not side:
                return line, chosen
            continue
        turns = list(position.turns())
        if position.to_move is side:
            turns = [player.choose(position, limits)]
            chosen += 1
        for turn in turns:
            following = position.play(turn)
            if following not in seen:
                seen.add(following)
                waiting.append((*line, following))
    return (), chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=list(GAMES), required=True)
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--variant", default="-")
    parser.add_argument("--winner", choices=["black", "white"], required=True)
    parser.add_argument("--playouts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = open_game(options.game, options.size, parse_variant(options.variant))
    side = Side[options.winner.upper()]
    player = Player(Settings(playouts=options.playouts, seed=options.seed))
    line, chosen = beaten_line(rules.start(), side, player, options.playouts)
    named = f"{rules.name} {rules.size} {options.variant}, {side.word}"
    if line:
        told = " ".join(rules.write(p.last) for p in line[1:] if p.last is not None)
        print(f"{named}: lost after {told}")
        sys.exit(1)
    print(f"{named}: every defence beaten, {chosen} turns chosen")


if __name__ == "__main__":
    main()
