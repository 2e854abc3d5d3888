"""Let two engine processes play whole games; a third one checks every turn.

    python tests/tools/selfplay.py --game flipway --games 20 --playouts 1000
    python tests/tools/selfplay.py --game flipway --games 20 --against random

The script itself knows no rules: it only speaks the protocol. All three processes
must accept every turn and agree on the result. The engines change colours after
every game. With --against, the second engine is another player.
"""

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass


class Fault(Exception):
    """An engine answered what it should not have."""


class Engine:
    """One `crosscut gtp` process."""

    def __init__(self, name: str, *options: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bin", "gtp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, command: str) -> str:
        """The text of a successful answer; raises Fault for any other."""
        assert self.process.stdin
        assert self.process.stdout
        print(command, file=self.process.stdin, flush=True)
        lines = []
        while (line := self.process.stdout.readline()) != "\n":
            if not line:
                raise Fault(f"{self.name}: ended at {command!r}")
            lines.append(line)
        answer = "".join(lines)
        if not answer.startswith("= "):
            raise Fault(f"{self.name}: {command!r} answered {answer.strip()!r}")
        return answer[2:].strip()

    def quit(self) -> None:
        self.ask("quit")
        if self.process.wait(timeout=5) != 0:
            raise Fault(f"{self.name}: status {self.process.returncode}")


@dataclass(slots=True)
class Tally:
    """What came of the games. Wins count for the first engine."""

    wins: int = 0
    games: int = 0
    unfinished: int = 0


def play_game(
    black: Engine, white: Engine, referee: Engine, longest: int
) -> tuple[str, int]:
    """The result and how many turns it took.

    The result is `B+` or `W+` with what follows, or `?` after `longest` turns.
    """
    players = {"black": (black, "b"), "white": (white, "w")}
    for engine in (black, white, referee):
        engine.ask("clear_board")
    for turns in range(longest):
        if not referee.ask("legal_moves"):
            results = {engine.ask("final_score") for engine in (black, white, referee)}
            if len(results) > 1:
                raise Fault(f"results differ: {results}")
            return results.pop(), turns
        mover, color = players[referee.ask("side_to_move")]
        turn = mover.ask(f"genmove {color}")
        for engine in (black, white, referee):
            if engine is not mover:
                engine.ask(f"play {color} {turn}")
    return "?", longest


def play_games(options: argparse.Namespace) -> Tally:
    kind = ["--game", options.game, "--variant", options.variant]
    kind += ["--size", str(options.size)] if options.size else []
    thinking = ["--playouts", str(options.playouts)]
    rival = ["--player", options.against] if options.against else thinking
    first = Engine("first", *kind, *thinking, "--seed", str(2 * options.seed))
    second = Engine("second", *kind, *rival, "--seed", str(2 * options.seed + 1))
    referee = Engine("referee", *kind, "--player", "random", "--seed", "0")
    tally = Tally()
    while tally.games + tally.unfinished < options.games or (
        options.finished
        and tally.games < options.games
        and tally.unfinished < 10 * options.games
    ):
        number = tally.games + tally.unfinished
        black, white = (second, first) if number % 2 else (first, second)
        start = time.monotonic()
        result, turns = play_game(black, white, referee, options.longest)
        if result == "?":
            tally.unfinished += 1
        else:
            tally.games += 1
            tally.wins += (result[0] == "B") == (black is first)
        print(
            f"game {number + 1}: {black.name} is black, {result} in {turns} turns, "
            f"{time.monotonic() - start:.1f} s",
            flush=True,
        )
    for engine in (first, second, referee):
        engine.quit()
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", required=True)
    parser.add_argument("--size", type=int)
    parser.add_argument("--variant", default="-")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--against", help="kind of the second player, such as random")
    parser.add_argument("--longest", type=int, default=100_000, help="turns a game")
    parser.add_argument(
        "--finished",
        action="store_true",
        help="unfinished games do not count, up to ten for each that should",
    )
    parser.add_argument("--seed", type=int, default=1)
    tally = play_games(parser.parse_args())
    print(
        f"{tally.games} games, first engine won {tally.wins}, "
        f"{tally.unfinished} unfinished; every turn accepted, results agree"
    )


if __name__ == "__main__":
    main()
