"""Who plays whom, when, and with which opening. spec/matches.md §10.

Every game has a number in the schedule from which everything about it follows, so
nothing has to be made before it is needed and nothing counted. A *unit* is what the
statistics take as one result: a pair of games with the colours swapped, or one game.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

FORMATS = ("pair", "roundrobin", "gauntlet")
POLICIES = ("round", "encounter")  # which games share an opening
ENDLESS = 1 << 62  # games, where there is no bound


class BadSchedule(ValueError):
    """There is no such schedule; the message says why."""


class Fixture(NamedTuple):
    """One game of the schedule. All numbers count from 0."""

    seq: int  # of the game
    unit: int
    part: int  # which game of its unit
    round: int
    first: str  # the first-named of the two players, whatever its colour
    black: str
    white: str
    opening: int | None  # its number, None to begin from the empty board
    match_seed: int

    @property
    def id(self) -> str:
        """How the game is called: unit and part, from 1."""
        return f"{self.unit + 1}.{self.part + 1}"

    @property
    def opponent(self) -> str:
        """The other one than the first-named."""
        return self.white if self.first == self.black else self.black

    @property
    def seed(self) -> int:
        return seed_of(self.match_seed, self.seq)


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """All games of a match; `schedule[n]` is the game with that number."""

    players: Sequence[str]
    form: str = "pair"
    seeds: int = 1  # players that meet all others in a gauntlet
    rounds: int | None = 1  # None for no bound
    games: int = 2  # a unit
    maxgames: int | None = None
    openings: int = 0  # how many there are
    policy: str = "round"
    noswap: bool = False  # the first-named of two is always Black
    reverse: bool = False  # Black and White the other way round everywhere
    seed: int = 0

    def __post_init__(self) -> None:
        players = len(self.players)
        if self.form not in FORMATS:
            raise BadSchedule(
                f"tournament is {self.form}, allowed: {' '.join(FORMATS)}"
            )
        if players < 2 or (self.form == "pair" and players > 2):
            wanted = "two engines" if self.form == "pair" else "two engines or more"
            raise BadSchedule(f"{self.form} needs {wanted}, got {players}")
        if not 1 <= self.seeds < players:
            raise BadSchedule(f"seeds is {self.seeds}, allowed: 1 to {players - 1}")
        if self.games not in (1, 2):
            raise BadSchedule(f"games is {self.games}, allowed: 1 2")
        if self.noswap and self.games == 2:
            raise BadSchedule("noswap needs games 1: a pair exchanges the colours")
        if self.policy not in POLICIES:
            raise BadSchedule(f"policy is {self.policy}, allowed: {' '.join(POLICIES)}")
        for name in ("rounds", "maxgames"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise BadSchedule(f"{name} is {value}, expected at least 1")

    @cached_property
    def encounters(self) -> int:
        """Units of a round."""
        players = len(self.players)
        if self.form == "gauntlet":
            return self.seeds * (players - self.seeds)
        return players * (players - 1) // 2

    @cached_property
    def length(self) -> int:
        """How many games there are at most, whole units only."""
        total = ENDLESS
        if self.rounds is not None:
            total = min(total, self.rounds * self.encounters * self.games)
        if self.maxgames is not None:
            total = min(total, self.maxgames // self.games * self.games)
        return total

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, seq: int) -> Fixture:
        """Raises IndexError beyond the end."""
        if not 0 <= seq < self.length:
            raise IndexError(seq)
        unit, part = divmod(seq, self.games)
        turn, encounter = divmod(unit, self.encounters)
        first, second = self._encounter(encounter)
        # Single games swap colours from round to round, pairs within themselves.
        is_second = (part if self.games == 2 else turn) % 2 == 1
        is_swapped = (is_second and not self.noswap) != self.reverse
        black, white = (second, first) if is_swapped else (first, second)
        book = unit if self.policy == "encounter" else turn
        opening = book % self.openings if self.openings else None
        return Fixture(seq, unit, part, turn, first, black, white, opening, self.seed)

    def _encounter(self, number: int) -> tuple[str, str]:
        if self.form == "gauntlet":
            seed, other = divmod(number, len(self.players) - self.seeds)
            return self.players[seed], self.players[self.seeds + other]
        first = 0
        while number >= (others := len(self.players) - 1 - first):
            number -= others
            first += 1
        return self.players[first], self.players[first + 1 + number]


def seed_of(seed: int, seq: int) -> int:
    """The seed of one game, from that of the match.

    >>> seed_of(1, 0)
    931278430537490
    """
    digest = hashlib.sha256(f"{seed} game {seq}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11
