"""Time controls: as text, as clocks, and as the protocol tells an engine of them.

    tc=5:00             sudden death
    tc=5:00+3           the same, and 3 seconds more after each turn
    tc=40/5:00          5 minutes for 40 turns, then so much more for the next 40
    st=2                2 seconds a turn
    can=5:00+25/300     Canadian: 5 minutes, then 25 turns in every 300 seconds
    byo=5:00+3x30       byo-yomi: 5 minutes, then 3 periods of 30 seconds

Times are seconds, `m:s` or `h:m:s`. Nothing here reads a clock: a control says what
is left after a turn that took so long. spec/matches.md §3.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from games.errors import shorten


class BadControl(ValueError):
    """The text is no time control; the message says what is expected."""


class Left(NamedTuple):
    """What a side has left when its turn begins.

    `stones` is 0 in main time; else the turns or the periods left.
    """

    seconds: float
    stones: int = 0


class Control(Protocol):
    """One way of limiting time: a frozen dataclass; `str` gives its text back."""

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands that announce it, the most exact one first."""
        ...

    def full(self) -> Left:
        """What a game starts with."""
        ...

    def allowance(self, left: Left) -> float:
        """The seconds after which the flag falls in this turn."""
        ...

    def after(self, left: Left, used: float) -> Left:
        """What is left after a turn that took `used` seconds of its allowance."""
        ...

    def told(self, left: Left, command: str) -> Left:
        """`left` as `time_left` says it to an engine that was told `command`."""
        ...


class AsItIs:
    """For controls that `time_left` speaks of as they are."""

    def told(self, left: Left, command: str) -> Left:
        return left


@dataclass(frozen=True, slots=True)
class Untimed(AsItIs):
    """No clock."""

    def __str__(self) -> str:
        return "tc=inf"

    @property
    def commands(self) -> tuple[str, ...]:
        return ()

    def full(self) -> Left:
        return Left(math.inf)

    def allowance(self, left: Left) -> float:
        return math.inf

    def after(self, left: Left, used: float) -> Left:
        return left


@dataclass(frozen=True, slots=True)
class PerTurn(AsItIs):
    """So many seconds for each turn; what is not used is lost."""

    seconds: float

    def __str__(self) -> str:
        return f"st={brief(self.seconds)}"

    @property
    def commands(self) -> tuple[str, ...]:
        return (f"time_settings 0 {brief(self.seconds)} 1",)

    def full(self) -> Left:
        return Left(self.seconds, 1)

    def allowance(self, left: Left) -> float:
        return self.seconds

    def after(self, left: Left, used: float) -> Left:
        return left


@dataclass(frozen=True, slots=True)
class Fischer(AsItIs):
    """`main` seconds and `increment` more after each turn.

    With `turns`, `main` is added again after every so many turns.
    """

    main: float
    increment: float = 0.0
    turns: int = 0

    def __str__(self) -> str:
        turns = f"{self.turns}/" if self.turns else ""
        increment = f"+{brief(self.increment)}" if self.increment else ""
        return f"tc={turns}{brief(self.main)}{increment}"

    @property
    def commands(self) -> tuple[str, ...]:
        main = brief(self.main)
        if self.turns:
            return (f"time_settings 0 {main} {self.turns}",)
        plain = f"time_settings {main} 0 0"
        if not self.increment:
            return (plain,)
        return f"kata-time_settings fischer {main} {brief(self.increment)}", plain

    def full(self) -> Left:
        return Left(self.main, self.turns)

    def allowance(self, left: Left) -> float:
        return left.seconds

    def after(self, left: Left, used: float) -> Left:
        seconds, stones = left.seconds - used + self.increment, left.stones
        if stones == 1:
            return Left(seconds + self.main, self.turns)
        return Left(seconds, max(stones - 1, 0))


@dataclass(frozen=True, slots=True)
class Canadian(AsItIs):
    """`main` seconds, then `turns` turns in every `period` seconds.

    What is left of a period is lost when its turns are made. The turn that begins in
    main time and ends in the first period is the first of its turns.
    """

    main: float
    period: float
    turns: int

    def __str__(self) -> str:
        return f"can={brief(self.main)}+{self.turns}/{brief(self.period)}"

    @property
    def commands(self) -> tuple[str, ...]:
        return (f"time_settings {brief(self.main)} {brief(self.period)} {self.turns}",)

    def full(self) -> Left:
        return Left(self.main) if self.main else Left(self.period, self.turns)

    def allowance(self, left: Left) -> float:
        return left.seconds if left.stones else left.seconds + self.period

    def after(self, left: Left, used: float) -> Left:
        seconds, stones = left.seconds - used, left.stones
        if not stones:
            if seconds > 0:
                return Left(seconds)
            if seconds == 0:
                return Left(self.period, self.turns)
            seconds, stones = seconds + self.period, self.turns
        return (
            Left(seconds, stones - 1) if stones > 1 else Left(self.period, self.turns)
        )


@dataclass(frozen=True, slots=True)
class ByoYomi:
    """`main` seconds, then `periods` periods; a turn uses up those it fills."""

    main: float
    period: float
    periods: int

    def __str__(self) -> str:
        return f"byo={brief(self.main)}+{self.periods}x{brief(self.period)}"

    @property
    def commands(self) -> tuple[str, ...]:
        main, period = brief(self.main), brief(self.period)
        exact = f"byoyomi {main} {period} {self.periods}"
        return (
            f"kata-time_settings {exact}",
            f"kgs-time_settings {exact}",
            f"time_settings {main} {period} 1",
        )

    def full(self) -> Left:
        return Left(self.main) if self.main else Left(self.period, self.periods)

    def allowance(self, left: Left) -> float:
        if left.stones:
            return self.period * left.stones
        return left.seconds + self.period * self.periods

    def after(self, left: Left, used: float) -> Left:
        stones = left.stones or self.periods
        if not left.stones:
            if used < left.seconds:
                return Left(left.seconds - used)
            used -= left.seconds
        filled = max(math.ceil(used / self.period) - 1, 0)
        return Left(self.period, max(stones - filled, 1))

    def told(self, left: Left, command: str) -> Left:
        """Plain `time_settings` knows no periods: there each turn has one."""
        if command.startswith("time_settings") and left.stones:
            return Left(left.seconds, 1)
        return left


def choose_command(control: Control, knows: Callable[[str], bool]) -> str:
    """The most exact announcement that the engine understands, else nothing."""
    for command in control.commands:
        if knows(command.partition(" ")[0]):
            return command
    return ""


def time_left(
    control: Control, color: str, left: Left, announced: str, fractions: bool = True
) -> str:
    """The command that tells an engine what it has for its next turn.

    Without `fractions` in whole seconds, rounded down, as the Go Text Protocol has it.
    """
    seconds, stones = control.told(left, announced)
    return f"time_left {color} {brief(seconds if fractions else int(seconds))} {stones}"


def spend(control: Control, left: Left, used: float, margin: float) -> Left | None:
    """What is left after a turn, None if the flag fell.

    The margin forgives, but is no time to think in: what was used beyond the
    allowance is forgotten, so that no clock stands below zero.
    """
    allowance = control.allowance(left)
    if used > allowance + margin:
        return None
    return control.after(left, min(used, allowance))


def brief(seconds: float) -> str:
    """Seconds in whole milliseconds, rounded down, with no needless digits.

    >>> brief(12.0), brief(0.25), brief(1.9999), brief(-3)
    ('12', '0.25', '1.999', '0')
    """
    # The little more makes up for binary fractions just below a whole millisecond.
    whole = max(math.floor(seconds * 1000 + 1e-6), 0)
    return f"{whole / 1000:.3f}".rstrip("0").rstrip(".")


TIME = r"([0-9]{1,9}(?::[0-9]{1,2}){0,2}(?:\.[0-9]{1,6})?)"
FORMS = {
    "tc": re.compile(rf"(?:([0-9]{{1,6}})/)?{TIME}(?:\+{TIME})?"),
    "st": re.compile(TIME),
    "can": re.compile(rf"{TIME}\+([0-9]{{1,6}})/{TIME}"),
    "byo": re.compile(rf"{TIME}\+([0-9]{{1,6}})x{TIME}"),
}
EXAMPLES = {
    "tc": "5:00+3 or 40/5:00 or inf",
    "st": "2",
    "can": "5:00+25/300",
    "byo": "5:00+3x30",
}


def read_control(key: str, text: str) -> Control:
    """The control that the word `key=text` names; raises BadControl.

    >>> str(read_control("tc", "40/5:00+0.5"))
    'tc=40/300+0.5'
    """
    if key == "tc" and text in ("inf", "-"):
        return Untimed()
    found = FORMS[key].fullmatch(text)
    if found:
        control = build(key, [part or "0" for part in found.groups()])
        if control:
            return control
    raise BadControl(f"{key} is {shorten(text)}, expected e.g. {EXAMPLES[key]}")


def build(key: str, parts: list[str]) -> Control | None:
    """None where a number that must not be 0 is."""
    if key == "tc":
        turns, main, increment = int(parts[0]), seconds(parts[1]), seconds(parts[2])
        return Fischer(main, increment, turns) if positive(main) else None
    if key == "st":
        each = seconds(parts[0])
        return PerTurn(each) if positive(each) else None
    main, count, period = seconds(parts[0]), int(parts[1]), seconds(parts[2])
    if not positive(count, period):
        return None
    return (
        Canadian(main, period, count) if key == "can" else ByoYomi(main, period, count)
    )


def positive(*numbers: float) -> bool:
    return all(number >= 0.001 for number in numbers)


def seconds(text: str) -> float:
    """
    >>> seconds("1:30"), seconds("1:00:00"), seconds("2.5")
    (90.0, 3600.0, 2.5)
    """
    return total(float(part) for part in text.split(":"))


def total(parts: Iterable[float]) -> float:
    value = 0.0
    for part in parts:
        value = value * 60 + part
    return value
