"""One side of a game: the engine that plays it, its clock, and what it owes."""

import hashlib
import math
import re
import shlex
from dataclasses import dataclass, field
from typing import Any

from games import variant_of
from games.contract import Rules, Side
from protocol.channel import Answer, Channel
from protocol.controls import Control, Left, choose_command, spend, time_left
from protocol.endings import ILLEGAL, STALL, TIME, Ending
from protocol.engines import Engine
from protocol.faults import EngineFault, Refused
from protocol.roster import Roster

WORD = re.compile(r"[!-~]{1,4000}")
CHANCE = re.compile(r"(\d*\.?\d+(?:[eE]-?\d+)?)\s*(%?)")


@dataclass(slots=True)
class Seat:
    """Who sits on one side of one game. What the engine does wrong raises Ending."""

    side: Side
    engine: Engine
    seed: int
    roster: Roster
    channel: Channel | None = None
    left: Left = field(init=False)
    used: float = 0.0  # seconds of all its turns
    delay: float = 0.0  # seconds that an answer waited for us, at most
    chances: list[float] = field(default_factory=list)  # to win, after each turn
    announced: str = ""  # the command that told it of its time control
    hears_time: bool = False  # it wants `time_left`

    def __post_init__(self) -> None:
        self.left = self.engine.control.full()

    @property
    def name(self) -> str:
        return self.engine.name

    @property
    def color(self) -> str:
        return self.side.letter

    def ask(self, command: str, limit: float | None = None) -> Answer:
        """Its answer, which must be a success."""
        assert self.channel
        try:
            answer = self.channel.ask(command, limit)
        except EngineFault as fault:
            raise self.lost_by(fault) from None
        self.delay = max(self.delay, answer.delay)
        return answer

    def lost_by(self, fault: EngineFault) -> Ending:
        return self.lost(fault.how, str(fault), fault.raw)

    def lost(self, how: str, reason: str, raw: str) -> Ending:
        return Ending(how, self.side, f"{self.name}: {reason}", raw)

    def sit_down(self, rules: Rules) -> None:
        """Have the engine run and play this game."""
        try:
            self.channel = self.roster.channel(self.engine)
            prepare(self.channel, rules)
        except EngineFault as fault:
            self.channel = self.roster.running.get(self.engine)
            raise self.lost_by(fault) from None

    def begin(self) -> None:
        """Have the engine at the start of a new game, with its dice and clock."""
        assert self.channel
        knows = self.channel.knows
        try:
            if knows("set_random_seed"):
                self.ask(f"set_random_seed {self.seed}")
            self.ask("clear_board")
            self.remark()  # what it wrote until now is about no turn of this game
            self.announced = choose_command(self.engine.control, knows)
            if self.announced:
                self.ask(self.announced)
                self.hears_time = knows("time_left")
        except EngineFault as fault:
            raise self.lost_by(fault) from None

    def think(self) -> tuple[str, float]:
        """The word it answers to `genmove`, and the seconds it took.

        Raises Ending also if the flag falls, whatever the answer is.
        """
        control, margin, color = self.engine.control, self.engine.margin, self.color
        if self.hears_time:
            self.tell_time()
        limit = control.allowance(self.left) + margin
        is_timed = math.isfinite(limit)
        try:
            answer = self.ask(
                f"genmove {color}",
                limit if is_timed else self.roster.limits.stall,
            )
        except Ending as ending:
            if is_timed and ending.how == STALL:
                ending.how = TIME
                self.run_out(limit)
            raise
        left = spend(control, self.left, answer.seconds, margin)
        if left is None:
            self.run_out(answer.seconds)
            raise self.lost(TIME, f"took {answer.seconds:.3f} s", answer.text)
        self.used += answer.seconds
        self.left = left
        if not WORD.fullmatch(answer.text):
            raise self.lost(ILLEGAL, "a turn is one word", answer.text)
        return answer.text, answer.seconds

    def run_out(self, used: float) -> None:
        """Its flag fell on a turn that took at least so many seconds."""
        self.used += used
        self.left = Left(0.0, self.left.stones)

    def tell_time(self) -> None:
        """Say what its clock shows."""
        assert self.channel
        try:
            tell_time(
                self.channel, self.engine.control, self.color, self.left, self.announced
            )
        except EngineFault as fault:
            raise self.lost_by(fault) from None

    def chance(self) -> float | None:
        """What it says of its chance of winning after its turn, if it says it."""
        assert self.channel
        try:
            answer = self.channel.ask(self.engine.value_command)
        except Refused:
            return None
        except EngineFault as fault:
            raise self.lost_by(fault) from None
        return chance_in(answer.text)

    def remark(self) -> str:
        """What it wrote to standard error since this was asked last, if that counts."""
        assert self.channel
        return self.channel.remarks() if self.engine.comments else ""

    # For the record.

    def clock_facts(self) -> dict[str, Any]:
        """Its time control and what became of it; times in milliseconds."""
        latency = self.channel.latency if self.channel else math.inf
        return {
            "limit": str(self.engine.control),
            "announced": self.announced,
            "margin_ms": milliseconds(self.engine.margin),
            "used_ms": milliseconds(self.used),
            "left_ms": milliseconds(self.left.seconds),
            "left_stones": self.left.stones,
            "latency_ms": milliseconds(latency),
            "delay_ms": milliseconds(self.delay),
        }

    def engine_facts(self) -> dict[str, Any]:
        """What tells this engine from others."""
        return facts_of(self.engine, self.channel, self.seed)


def facts_of(engine: Engine, channel: Channel | None, seed: int) -> dict[str, Any]:
    """What tells an engine from others."""
    return {
        "name": channel.name if channel else "",
        "version": channel.version if channel else "",
        "cmd": shlex.join(engine.command),
        "init": list(engine.init),
        "playouts": engine.playouts,
        "depth": engine.depth,
        "sha256": channel.digest if channel else "",
        "seed": seed,
    }


def tell_time(
    channel: Channel, control: Control, color: str, left: Left, announced: str
) -> None:
    """Say what a clock shows, in whole seconds to an engine that refused others.

    Raises EngineFault.
    """
    text = time_left(control, color, left, announced, channel.takes_fractions)
    try:
        channel.ask(text)
    except Refused:
        if "." not in text:
            raise
        channel.takes_fractions = False
        tell_time(channel, control, color, left, announced)


def prepare(channel: Channel, rules: Rules) -> None:
    """Have the engine play this game, as far as it can be told; raises EngineFault."""
    if channel.prepared == rules:
        return
    if channel.knows("set_game"):
        channel.ask(f"set_game {rules.name}")
    if channel.knows("param_game"):
        for option in rules.options:
            value = variant_of(rules)[option.name]
            try:
                channel.ask(f"param_game {option.name} {value}")
            except Refused:
                # It need not know of an option that nobody uses.
                if value != option.write(option.values[0]):
                    raise
    if channel.knows("boardsize"):
        channel.ask(f"boardsize {rules.size}")
    for command in channel.engine.budget:
        channel.ask(command)
    channel.prepared = rules


def seed_for(seed: int, name: str) -> int:
    """The engine's own seed in a game: the same whatever colour it has.

    >>> seed_for(1, "A")
    823017359
    """
    digest = hashlib.sha256(f"{seed} {name}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def chance_in(text: str) -> float | None:
    """The first number of an answer, from 0 to 1 or in percent.

    >>> chance_in("chance 0.25"), chance_in("47.5 %"), chance_in("none")
    (0.25, 0.475, None)
    """
    found = CHANCE.search(text)
    if not found:
        return None
    value = float(found[1]) / (100 if found[2] else 1)
    return round(value, 6) if value <= 1 else None


def milliseconds(seconds: float) -> float | None:
    """Rounded to a tenth; None for what has no end."""
    return round(seconds * 1000, 1) if math.isfinite(seconds) else None
