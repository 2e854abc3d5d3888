"""What a game must provide, and what everything else may ask of it.

`Rules` is the game before any move: its name, size, options and notation.
`Position` is one moment of play. Both are values: nothing changes them, so
undo is a list of positions and a search may keep any position it likes.

A *turn* is what a player does before the other one moves, one token of text. A
*step* is one placement, flip or movement: the parts in which a player thinks up
a turn. In most games a turn is one step; those inherit `OneStep`.

Turns and steps are values that can be compared and hashed; what they are made of
is the game's own affair. Only `SWAP` and `PASS` are the same in every game.
"""

import random
from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from typing import ClassVar, Protocol, Self

from games.variants import Option, Sizes

Turn = Hashable
Step = Hashable

SWAP = "swap"
PASS = "pass"


class Side(IntEnum):
    """The two players, in turn order."""

    BLACK = 0
    WHITE = 1

    @property
    def other(self) -> "Side":
        return Side(1 - self)

    @property
    def letter(self) -> str:
        return "bw"[self]

    @property
    def word(self) -> str:
        return self.name.lower()


class Position(Protocol):
    """One moment of a game.

    Positions are equal exactly when the same sequences of turns lead on from them
    to the same results; how they were reached does not count.
    """

    @property
    def rules(self) -> "Rules": ...

    @property
    def to_move(self) -> Side:
        """Whose turn it is; after the end, whose turn it would be."""
        ...

    @property
    def winner(self) -> Side | None:
        """The side that has won, or None while the game goes on."""
        ...

    @property
    def margin(self) -> int:
        """By how much the game is won; 0 where the game counts nothing."""
        ...

    @property
    def last(self) -> Turn | None:
        """The turn that led here, None at the start. Not part of equality."""
        ...

    def turns(self) -> Sequence[Turn]:
        """Every legal turn once, in no promised order; empty exactly at the end."""
        ...

    def steps(self, begun: tuple[Step, ...] = ()) -> Sequence[Step]:
        """The steps that may follow those `begun` in this turn; none if it is whole."""
        ...

    def turn(self, steps: tuple[Step, ...]) -> Turn | None:
        """The turn that `steps` amount to; None if more of them are needed."""
        ...

    def random_turn(self, dice: random.Random) -> Turn:
        """A legal turn, each step drawn uniformly from those that may follow.

        The game must not be over.
        """
        ...

    def play(self, turn: Turn) -> Self:
        """The position after `turn`; raises IllegalMove if it is not legal."""
        ...

    def read(self, text: str) -> Turn:
        """The turn that `text` names here, legal or not.

        Raises UnreadableMove if it names none, IllegalMove if what it selects
        does not exist in this position.
        """
        ...

    def diagram(self) -> str:
        """The position for a reader at a terminal; no empty line, no final newline."""
        ...


class Rules(Protocol):
    """One game at one size, with its options chosen: a frozen dataclass."""

    name: ClassVar[str]
    sizes: ClassVar[Sizes]
    options: ClassVar[tuple[Option, ...]]  # each also an attribute: its value
    side_words: ClassVar[Mapping[str, Side]]  # for the sides, besides black and white
    match_turns: ClassVar[int]  # when a match ends a game that need not end; 0: never

    @property
    def size(self) -> int: ...

    def start(self) -> Position: ...

    def write(self, turn: Turn) -> str:
        """The token for `turn`, as `Position.read` accepts it."""
        ...


class OneStep:
    """For positions of a game whose turns are single steps."""

    __slots__ = ()

    def steps(self: Position, begun: tuple[Step, ...] = ()) -> Sequence[Step]:
        return () if begun else self.turns()

    def turn(self, steps: tuple[Step, ...]) -> Turn | None:
        return steps[0] if steps else None

    def random_turn(self: Position, dice: random.Random) -> Turn:
        return dice.choice(self.turns())
