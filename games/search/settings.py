"""What changes how a player plays, as values and as text."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from games.errors import GameError, shorten

DEFAULT_SECONDS = 1.0


class BadSetting(GameError):
    """No such setting, or no such value; the message says what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One player's settings. Where two limits are set, the first reached counts."""

    player: str = "mcts"  # or random
    playouts: int = 0  # a turn at most; 0 sets no such limit
    seconds: float = 0.0  # a turn at most; 0 sets no such limit
    exploration: float = 0.3  # weight of the bound; 0 always takes the best mean
    threads: int = 1  # searches side by side, each with a tree of its own
    tree: int = 4_000_000  # nodes of all trees together, about 35 bytes each
    seed: int = 0

    @property
    def time(self) -> float:
        """Seconds a turn at most when no clock runs; inf for no limit."""
        if self.seconds:
            return self.seconds
        return math.inf if self.playouts else DEFAULT_SECONDS

    def with_text(self, name: str, text: str) -> "Settings":
        """These settings with one changed; raises BadSetting.

        >>> Settings().with_text("playouts", "500").playouts
        500
        """
        if name not in READERS:
            allowed = " ".join(READERS)
            raise BadSetting(f"unknown setting {shorten(name)}, allowed: {allowed}")
        value: Any = READERS[name](name, text)
        return replace(self, **{name: value})

    def shown(self, name: str) -> str:
        """The value as text; of a limit that is not set, the one in force."""
        if name == "seconds":
            return f"{self.time if math.isfinite(self.time) else 0:g}"
        value = getattr(self, name)
        return value if isinstance(value, str) else f"{value:.10g}"


Reader = Callable[[str, str], str | int | float]


def whole(low: int, high: int) -> Reader:
    def read(name: str, text: str) -> int:
        digits = text if text.isascii() and text.isdigit() and len(text) < 20 else "-1"
        if low <= int(digits) <= high:
            return int(digits)
        raise BadSetting(f"{name} is {shorten(text)}, allowed: {low} to {high}")

    return read


def number(low: int, high: int) -> Reader:
    def read(name: str, text: str) -> float:
        try:
            value = float(text) if text.isascii() and "_" not in text else math.nan
        except ValueError:
            value = math.nan
        if low <= value <= high:
            return value
        raise BadSetting(f"{name} is {shorten(text)}, allowed: {low} to {high}")

    return read


def one_of(*words: str) -> Reader:
    def read(name: str, text: str) -> str:
        if text.lower() in words:
            return text.lower()
        raise BadSetting(f"{name} is {shorten(text)}, allowed: {' '.join(words)}")

    return read


PLAYERS = ("mcts", "random")

READERS: dict[str, Reader] = {
    "player": one_of(*PLAYERS),
    "playouts": whole(0, 2_000_000_000),
    "seconds": number(0, 1_000_000),
    "exploration": number(0, 100),
    "threads": whole(1, 256),
    "tree": whole(20_000, 200_000_000),  # no position has 20,000 steps
    "seed": whole(0, 2**63 - 1),
}
assert [field.name for field in fields(Settings)] == list(READERS)
