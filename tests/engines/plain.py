"""A small engine for Flipway that shares nothing with Crosscut.

Written from spec/protocol.md and spec/flipway.md: the empty board without pie. It plays
any legal turn with equal chance.
"""

import random
import sys
from collections.abc import Iterator

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Game:
    def __init__(self, size: int) -> None:
        self.open(size)

    def open(self, size: int) -> None:
        self.size = size
        self.stones: dict[tuple[int, int], str] = {}  # by (column, row) from 0
        self.to_move = "b"

    def areas(self) -> Iterator[list[tuple[int, int]]]:
        for x in range(self.size - 1):
            for y in range(self.size - 1):
                yield [(x, y), (x, y + 1), (x + 1, y), (x + 1, y + 1)]

    def turns(self) -> list[frozenset[tuple[int, int]]]:
        """Each turn as the set of points that change."""
        if not self.stones:
            return [
                frozenset([(x, y)]) for x in range(self.size) for y in range(self.size)
            ]
        drops, flips = set(), []
        for a, b, c, d in self.areas():
            drops.add(frozenset(p for p in (a, b, c, d) if p not in self.stones))
            colors = [self.stones.get(p) for p in (a, b, c, d)]
            if None not in colors and colors[0] == colors[3] != colors[1] == colors[2]:
                flips.append(frozenset((b, c) if colors[0] == self.to_move else (a, d)))
        drops.discard(frozenset())
        return [d for d in drops if not any(d < more for more in drops)] + flips

    def play(self, color: str, turn: frozenset[tuple[int, int]]) -> None:
        self.stones.update((point, color) for point in turn)
        self.to_move = "w" if color == "b" else "b"

    def winner(self) -> str:
        for color, across in (("b", 1), ("w", 0)):
            reached = [p for p in self.stones if p[across] == 0]
            reached = [p for p in reached if self.stones[p] == color]
            for x, y in reached:
                if (x, y)[across] == self.size - 1:
                    return color
                for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                    if self.stones.get(near) == color and near not in reached:
                        reached.append(near)
        return ""


def name_of(turn: frozenset[tuple[int, int]]) -> str:
    return "+".join(f"{LETTERS[x]}{y + 1}" for x, y in sorted(turn))


def answer(game: Game, dice: random.Random, command: str, words: list[str]) -> str:
    """Raises ValueError with the text of a refusal."""
    if command == "name":
        return "Plain"
    if command == "version":
        return "1"
    if command == "protocol_version":
        return "2"
    if command == "known_command":
        return "true" if words[0] in KNOWN else "false"
    if command == "list_commands":
        return "\n".join(KNOWN)
    if command == "boardsize":
        game.open(int(words[0]))
    elif command == "clear_board":
        game.open(game.size)
    elif command == "set_random_seed":
        dice.seed(int(words[0]))
    elif command == "play":
        turns = {name_of(turn): turn for turn in game.turns()}
        if words[1] not in turns or words[0] != game.to_move or game.winner():
            raise ValueError("illegal move")
        game.play(words[0], turns[words[1]])
    elif command == "genmove":
        if winner := game.winner():
            return "pass" if winner == words[0] else "resign"
        turn = dice.choice(sorted(game.turns(), key=name_of))
        game.play(words[0], turn)
        return name_of(turn)
    elif command == "final_score":
        return f"{winner.upper()}+" if (winner := game.winner()) else "0"
    elif command != "quit":
        raise ValueError("unknown command")
    return ""


KNOWN = [
    "name",
    "version",
    "protocol_version",
    "known_command",
    "list_commands",
    "boardsize",
    "clear_board",
    "set_random_seed",
    "play",
    "genmove",
    "final_score",
    "quit",
]


def main() -> None:
    game, dice = Game(12), random.Random()
    for line in sys.stdin:
        words = line.split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        try:
            text = f"={number} {answer(game, dice, words[0], words[1:])}"
        except ValueError as error:
            text = f"?{number} {error}"
        print(text, end="\n\n", flush=True)
        if words[0] == "quit":
            break


if __name__ == "__main__":
    main()
