"""What the records of a match add up to, game by game. spec/matches.md §13.

Everything here is a function of the journal. Its size does not grow with the number
of games, but for one bit each.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from games.errors import shorten
from protocol.endings import VOID
from protocol.plan import Plan
from protocol.records import watchers_of
from protocol.referee import BOOK
from protocol.strength.counts import Counts
from protocol.strength.elo import expected
from protocol.strength.rates import Rate, first_player_rate
from protocol.strength.ratings import Pairing, Ratings, rate
from protocol.strength.sprt import SprtRun

Record = Mapping[str, Any]


UNREADABLE = (
    LookupError,
    TypeError,
    AttributeError,
    ValueError,
    ArithmeticError,
    RecursionError,
)
"""What reading something as a record raises if it is none."""


class BadRecords(ValueError):
    """The records are not those of one match."""


@dataclass(frozen=True, slots=True)
class Surprise:
    """A score, what the ratings expect, and the difference in standard deviations."""

    got: float
    expected: float
    deviations: float


class Numbers:
    """A set of numbers from 0 up, most of which are there."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._least = 0  # none is missing below
        self._count = 0

    def __contains__(self, number: int) -> bool:
        place, bit = divmod(number, 8)
        return place < len(self._bits) and bool(self._bits[place] >> bit & 1)

    def __len__(self) -> int:
        return self._count

    def add(self, number: int) -> None:
        place, bit = divmod(number, 8)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        if not self._bits[place] >> bit & 1:
            self._bits[place] |= 1 << bit
            self._count += 1

    def first_missing(self) -> int:
        while self._least in self:
            self._least += 1
        return self._least


class Standings:
    """The results so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.schedule = plan.schedule
        self.finished = Numbers()
        self.games: dict[tuple[str, str], list[int]] = {}  # black, white: L D W
        self.units: dict[tuple[str, str], list[int]] = {}  # cells, first-named player
        self.endings: Counter[str] = Counter()
        self.losses: Counter[tuple[str, str]] = Counter()  # player, how
        self.replayed: Counter[tuple[str, str]] = Counter()  # player, how
        self.watchers_faults: Counter[str] = Counter()  # games, by observer or referee
        self.first_faults: dict[str, str] = {}  # where the first one was, and what
        self.first_void = ""  # the same of the games that were repeated
        self.swaps_offered = self.swaps_taken = 0
        self.swappers_points = 0.0
        self.turns = 0
        self.thought: Counter[str] = Counter()  # turns by player, none given
        self.seconds = dict.fromkeys(plan.engines, 0.0)  # of these turns
        self.delay = dict.fromkeys(plan.engines, 0.0)  # an answer waited for us
        self.milliseconds = 0.0
        names = (*plan.engines, *plan.referee, *plan.observers)
        self.versions: dict[str, set[str]] = {name: set() for name in names}
        self.test = SprtRun(plan.sprt, 2 * plan.games + 1) if plan.sprt else None
        self._halves: dict[int, int | None] = {}  # unit: half points of its one game

    def add(self, record: Record) -> None:
        """Count a record, or its summary (protocol.lines).

        Raises BadRecords for one that is not of this match, or the second of it.
        """
        try:
            self._add(record)
        except BadRecords:
            raise
        except UNREADABLE as error:
            name, reason = record.get("id"), shorten(repr(error))
            raise BadRecords(f"game {name} is unreadable: {reason}") from None

    def _add(self, record: Record) -> None:
        try:
            fixture = self.schedule[record["seq"]]
        except IndexError:
            raise BadRecords(f"there is no game number {record['seq']}") from None
        players = record["players"]
        if (record["id"], players["black"], players["white"]) != (
            fixture.id,
            fixture.black,
            fixture.white,
        ):
            raise BadRecords(f"game {record['id']} is not as it was scheduled")
        if fixture.seq in self.finished:
            raise BadRecords(f"game {fixture.id} is there twice")
        self.finished.add(fixture.seq)
        self._count(record)
        points = half_points(record, fixture.first)
        self._join(fixture.unit, (fixture.first, fixture.opponent), points)

    def _count(self, record: Record) -> None:
        result, players = record["result"], record["players"]
        black, white = players["black"], players["white"]
        how = result["how"]
        self.endings[how] += 1
        for one in record.get("retried", ()):
            self.replayed[one["player"], one["how"]] += 1
            if one["how"] == VOID:
                self.first_void = self.first_void or f"{record['id']}: {one['detail']}"
        watching = watchers_of(record)
        for name, facts in watching.items():
            if facts["fault"]:
                self.watchers_faults[name] += 1
                self.first_faults.setdefault(name, f"{record['id']}: {facts['fault']}")
        for name, facts in {**record.get("engines", {}), **watching}.items():
            if facts["sha256"] or facts["version"]:
                self.versions[name].add(f"{facts['version']} {facts['sha256']}")
        self._count_time(record)
        self.milliseconds += record["ms"] or 0
        if how == VOID:
            return
        points = half_points(record, black)
        assert points is not None
        self.games.setdefault((black, white), [0, 0, 0])[points] += 1
        if result["winner"] is not None:
            loser = white if result["winner"] == black else black
            self.losses[loser, how] += 1
        swap = record.get("swap")
        if swap and swap["by"] in (black, white):  # else nobody had the choice
            self.swaps_offered += 1
            if swap["taken"]:
                self.swaps_taken += 1
                self.swappers_points += (2 - points) / 2

    def _count_time(self, record: Record) -> None:
        names = {"b": record["players"]["black"], "w": record["players"]["white"]}
        counted = record.get("counted") or counted_turns(record)
        self.turns += counted["turns"]
        for letter, name in names.items():
            self.thought[name] += counted[letter]
        for name, clock in record.get("clock", {}).items():
            self.seconds[name] += (clock["used_ms"] or 0) / 1000
            delay = (clock["delay_ms"] or 0) / 1000
            self.delay[name] = max(self.delay[name], delay)

    def _join(self, unit: int, players: tuple[str, str], points: int | None) -> None:
        """A game of a unit has ended: note it, or the whole unit."""
        cell = points
        if self.plan.games == 2:
            if unit not in self._halves:
                self._halves[unit] = points
                return
            other = self._halves.pop(unit)
            cell = None if points is None or other is None else points + other
        if cell is not None:
            cells = self.units.setdefault(players, [0] * (2 * self.plan.games + 1))
            cells[cell] += 1
        if self.test:
            self.test.add(unit, cell)

    # What follows.

    @property
    def total(self) -> int | None:
        """Games of the whole schedule, None if it has no bound."""
        if self.plan.rounds is None and self.plan.maxgames is None:
            return None
        return len(self.schedule)

    @property
    def half_units(self) -> int:
        """Pairs of which one game has ended."""
        return len(self._halves)

    @property
    def verdict(self) -> str | None:
        """Of the sequential test."""
        return self.test.verdict if self.test else None

    @property
    def is_complete(self) -> bool:
        """Whether no game is left to play."""
        return bool(self.verdict) or len(self.finished) >= len(self.schedule)

    @property
    def pairings(self) -> list[Pairing]:
        """The games by who was Black and who White."""
        return [
            Pairing(black, white, wins=w, draws=d, losses=lost)
            for (black, white), (lost, d, w) in sorted(self.games.items())
        ]

    def counts(self, first: str, second: str) -> Counts:
        """The whole units of two players, from the first one's view."""
        width = 2 * self.plan.games + 1
        there = self.units.get((first, second), [0] * width)
        back = self.units.get((second, first), [0] * width)
        return Counts(tuple(a + b for a, b in zip(there, reversed(back), strict=True)))

    def games_between(self, first: str, second: str) -> Counts:
        """Their games one by one."""
        as_black = self.games.get((first, second), [0, 0, 0])
        as_white = self.games.get((second, first), [0, 0, 0])
        both = zip(as_black, reversed(as_white), strict=True)
        return Counts(tuple(a + b for a, b in both))

    def games_of(self, player: str) -> Counts:
        """All games of a player."""
        others = [name for name in self.plan.engines if name != player]
        cells = [self.games_between(player, other).cells for other in others]
        return Counts(tuple(map(sum, zip(*cells, strict=True))))

    @property
    def met(self) -> list[tuple[str, str]]:
        """Who has played whom, in the order of the schedule."""
        encounters = range(self.schedule.encounters * self.plan.games)
        fixtures = (self.schedule[n] for n in encounters if n < len(self.schedule))
        pairs = ((f.first, f.opponent) for f in fixtures)
        return [
            pair for pair in dict.fromkeys(pairs) if self.games_between(*pair).units
        ]

    def ratings(self) -> Ratings:
        # Where the first-named is always Black, nothing tells strength from colour.
        return rate(
            self.pairings,
            players=list(self.plan.engines),
            advantage=not self.plan.noswap,
        )

    def surprise(self, ratings: Ratings, first: str, second: str) -> Surprise:
        """How the games of two who have met fit the ratings."""
        lead = ratings.difference(first, second)[0]
        bonus = ratings.advantage or 0.0
        games = chances = variance = 0.0
        for black, white, sign in ((first, second, 1), (second, first, -1)):
            number = sum(self.games.get((black, white), ()))
            chance = expected(lead + sign * bonus)
            games += number
            chances += number * chance
            variance += number * chance * (1 - chance)
        got = self.games_between(first, second).score
        off = got * games - chances
        deviations = off / sqrt(variance) if variance else 0.0
        return Surprise(got, chances / games, deviations)

    @property
    def first_player(self) -> Rate:
        return first_player_rate(self.pairings)

    @property
    def swap_taken(self) -> Rate:
        """In how many games the pie was swapped, where it could be."""
        return Rate(self.swaps_taken, self.swaps_offered)

    @property
    def swapper(self) -> Rate:
        """The points of whoever swapped."""
        return Rate(self.swappers_points, self.swaps_taken)


def counted_turns(record: Record) -> Mapping[str, int]:
    """How many there are, and how many of them each side has thought about."""
    sides = [turn[0] for turn in record["turns"] if turn[2] != BOOK]
    thought = {letter: sides.count(letter) for letter in "bw"}
    return {"turns": len(record["turns"]), **thought}


def half_points(record: Record, player: str) -> int | None:
    """Of the player in this game: 2, 1 or 0; None for a void game."""
    result = record["result"]
    if result["how"] == VOID:
        return None
    if result["winner"] is None:
        return 1
    return 2 if result["winner"] == player else 0
