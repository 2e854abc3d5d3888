"""Programs that follow a game without playing in it: observers, and the referee.

An observer is told of every turn; what it does wrong is noted, and changes nothing.
The referee must also accept every turn and name the same winner as the rules, or else
nobody knows who is right, and the game is void. spec/matches.md §4.1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract import Position, Rules
from games.errors import shorten
from protocol.channel import KEPT_RAW, Channel
from protocol.endings import VOID, Ending
from protocol.engines import read_watcher
from protocol.faults import EngineFault, Refused
from protocol.roster import Roster
from protocol.seats import Seat, chance_in, facts_of, prepare, seed_for


@dataclass(frozen=True, slots=True)
class Made:
    """A turn that the rules accept."""

    number: int  # from 1
    text: str  # such as "b C3"
    position: Position  # to which it led
    others: Sequence[Seat]  # those of the players who have not seen it yet


class Watcher:
    """One such program in one game."""

    def __init__(
        self, name: str, words: Sequence[str], seed: int, roster: Roster
    ) -> None:
        """`seed` is that of the game; raises BadEngine."""
        self.name = name
        self.engine = read_watcher([*words, f"name={name}"])
        self.seed = seed_for(seed, name)
        self.roster = roster
        self.channel: Channel | None = None
        self.fault = ""  # after it, this game is followed no more

    def begin(self, rules: Rules) -> None:
        """Have it run, at the start of this game; raises EngineFault."""
        try:
            self.channel = self.roster.channel(self.engine)
        except EngineFault:
            self.channel = self.roster.running.get(self.engine)
            raise
        prepare(self.channel, rules)
        if self.channel.knows("set_random_seed"):
            self.ask(f"set_random_seed {self.seed}")
        self.ask("clear_board")

    def see(self, made: Made) -> float | None:
        """What it says of the chance of winning after this turn, if it is asked.

        Raises EngineFault.
        """
        self.ask(f"play {made.text}")
        command = self.engine.value_command
        if not command or made.position.winner is not None:
            return None
        try:
            return chance_in(self.ask(command))
        except Refused:
            return None

    def ask(self, command: str) -> str:
        assert self.channel
        return self.channel.ask(command).text

    def note(self, fault: EngineFault) -> None:
        """It follows this game no more; for the next one it is started anew."""
        self.fault = str(fault)
        self.roster.kill(self.engine)

    def fail(self, fault: EngineFault, when: str) -> None:
        """Do what a fault calls for. `when` begins the line that tells of it."""
        self.note(fault)

    def facts(self) -> dict[str, Any]:
        """For the record."""
        known = facts_of(self.engine, self.channel, self.seed)
        return {**known, "fault": self.fault}


class Dispute(EngineFault):
    """The referee is of another opinion than the rules; the message says all."""


class Referee(Watcher):
    """A watcher that judges, and without which a game does not count."""

    def begin(self, rules: Rules) -> None:
        super().begin(rules)
        assert self.channel
        if not self.channel.knows("final_score"):
            raise EngineFault("does not know final_score")

    def see(self, made: Made) -> float | None:
        """Have it accept the turn, and the winner if there is one."""
        try:
            value = super().see(made)
        except Refused as fault:
            views = "".join(f"; {view_of(seat, made)}" for seat in made.others)
            claim = f"our rules accept {made.text}"
            raise self.dispute(claim, f"{fault}{views}", fault.raw) from None
        winner = made.position.winner
        if winner is not None:
            score = self.ask("final_score")
            if score[:1].lower() != winner.letter:
                claim = f"our rules say that {winner.word} wins"
                answer = f"final_score: {shorten(score)}"
                raise self.dispute(claim, answer, score[:KEPT_RAW])
        return value

    def would_accept(self, turn: str) -> bool:
        """Whether it accepts a turn that the rules do not; then it is out of step."""
        if self.fault or not self.channel:
            return False
        try:
            self.ask(f"play {turn}")
        except Refused:
            return False
        except EngineFault as fault:
            self.note(fault)
            return False
        self.roster.kill(self.engine)
        return True

    def dispute(self, claim: str, answer: str, raw: str) -> Dispute:
        return Dispute(f"{claim}; referee {self.name}: {answer}", raw)

    def fail(self, fault: EngineFault, when: str) -> None:
        """Raises Ending."""
        if isinstance(fault, Dispute):
            raise Ending(VOID, None, f"{when}{fault}", fault.raw)
        self.note(fault)
        raise Ending(VOID, None, f"{when}referee {self.name}: {fault}", fault.raw)


def view_of(seat: Seat, made: Made) -> str:
    """What a player says of a turn that the referee refuses."""
    assert seat.channel
    try:
        seat.channel.ask(f"play {made.text}")
    except Refused:
        return f"{seat.name} refuses it"
    except EngineFault as fault:
        return f"{seat.name}: {fault}"
    return f"{seat.name} accepts it"


class Watchers:
    """All that follow one game, of which `job` tells. Where the rules and the referee
    do not agree, or the referee fails, methods raise Ending.
    """

    def __init__(self, job: Mapping[str, Any], roster: Roster) -> None:
        """Raises BadEngine."""
        self.referee: Referee | None = None
        self.all: list[Watcher] = []
        for name, words in job.get("referee", {}).items():
            self.referee = Referee(name, words, job["seed"], roster)
            self.all.append(self.referee)
        for name, words in job.get("observers", {}).items():
            self.all.append(Watcher(name, words, job["seed"], roster))

    def begin(self, rules: Rules) -> None:
        """Have all of them at the start of this game."""
        self._each("", lambda watcher: watcher.begin(rules))

    def see(self, made: Made) -> dict[str, float]:
        """Tell all of a turn; what they say of the chance of winning, by name."""
        values: dict[str, float] = {}

        def show(watcher: Watcher) -> None:
            value = watcher.see(made)
            if value is not None:
                values[watcher.name] = value

        self._each(f"turn {made.number}: ", show)
        return values

    def _each(self, when: str, do: Callable[[Watcher], None]) -> None:
        for watcher in self.all:
            if not watcher.fault:
                try:
                    do(watcher)
                except EngineFault as fault:
                    watcher.fail(fault, when)

    # Of two opinions.

    @property
    def agreement(self) -> str:
        """What to add when a player fails at a turn which the referee has seen."""
        return f"; referee {self.referee.name} accepts it" if self.referee else ""

    def opinion(self, turn: str) -> str:
        """What to add when a player makes a turn against the rules."""
        if self.referee and self.referee.would_accept(turn):
            return f"; referee {self.referee.name} accepts it"
        return ""

    def facts(self) -> dict[str, Any]:
        """For the record: nothing of what there is not."""
        found: dict[str, Any] = {}
        for watcher in self.all:
            key = "referee" if watcher is self.referee else "observers"
            found.setdefault(key, {})[watcher.name] = watcher.facts()
        return found
