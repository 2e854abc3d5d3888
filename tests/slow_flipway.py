"""Flipway a second time: sets of points, straight from the rules text, slow.

Nothing here comes from games/. In particular a swap is what the text says: the
players change sides, while the stones and the edges stay as they are. So `seats`
tells which colour of stones each player has, and the first player may hold white.
"""

from dataclasses import dataclass
from itertools import combinations

Point = tuple[int, int]
Turn = frozenset[Point] | str

OTHER = {"black": "white", "white": "black"}


@dataclass
class SlowFlipway:
    """One game, played on in place. Players are 0, who opens, and 1."""

    size: int
    setup: str
    phase: int
    pie: bool

    def __post_init__(self) -> None:
        self.points = {(x, y) for x in range(self.size) for y in range(self.size)}
        self.areas = [
            {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)}
            for x in range(self.size - 1)
            for y in range(self.size - 1)
        ]
        self.stones: dict[Point, str] = {}
        block = {"empty": 0, "checkered": 1, "checkered2x2": 2}[self.setup]
        if block:
            for x, y in self.points:
                even = (x // block + y // block) % 2 == 0
                self.stones[x, y] = "black" if even == (self.phase == 0) else "white"
        self.seats = ["black", "white"]
        self.played = 0
        self.winner: int | None = None

    @property
    def player(self) -> int:
        return self.played % 2

    @property
    def colour(self) -> str:
        """Of the stones that the player to move has."""
        return self.seats[self.player]

    def of(self, colour: str) -> set[Point]:
        return {point for point, stone in self.stones.items() if stone == colour}

    def empty(self) -> set[Point]:
        return self.points - set(self.stones)

    def legal(self) -> set[Turn]:
        if self.winner is not None:
            return set()
        if self.played == 0:
            return self.first_turns()
        turns = self.drops() | self.flips()
        return turns | {"swap"} if self.played == 1 and self.pie else turns

    def first_turns(self) -> set[Turn]:
        if self.setup == "empty":
            wholes = self.areas if self.pie else [{p} for p in self.points]
        else:
            wholes = self.flips() if self.pie else [{p} for p in self.of("white")]
        return {
            frozenset(some)
            for whole in wholes
            for count in range(1, len(whole) + 1)
            for some in combinations(whole, count)
        }

    def drops(self) -> set[Turn]:
        empty = self.empty()
        return {
            frozenset(area & empty)
            for area in self.areas
            if area & empty
            and not any(
                area & empty <= other and other & empty > area & empty
                for other in self.areas
            )
        }

    def flips(self) -> set[Turn]:
        own, enemy = self.of(self.colour), self.of(OTHER[self.colour])
        return {
            frozenset(area & enemy)
            for area in self.areas
            if diagonal(area & own) and diagonal(area & enemy)
        }

    def play(self, turn: Turn) -> None:
        if isinstance(turn, str):
            self.seats.reverse()
        else:
            for point in turn:
                self.stones[point] = self.colour
        self.played += 1
        for colour in OTHER:
            if self.joins(colour):
                self.winner = self.seats.index(colour)

    def joins(self, colour: str) -> bool:
        """Whether a chain of `colour` touches both edges of that colour."""
        axis = 1 if colour == "black" else 0
        stones = self.of(colour)
        chain = {point for point in stones if point[axis] == 0}
        while more := {
            (x, y)
            for x, y in stones - chain
            if chain & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
        }:
            chain |= more
        return any(point[axis] == self.size - 1 for point in chain)


def diagonal(points: set[Point]) -> bool:
    """Whether these are two points of different columns and different rows."""
    if len(points) != 2:
        return False
    (x, y), (u, v) = points
    return x != u and y != v
