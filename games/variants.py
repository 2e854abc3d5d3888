"""Sizes and options of a game: which there are, as values and as text.

A variant is written `key=value,key=value`; `-` or nothing means no option named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.errors import BadSize, BadVariant, shorten

SWITCH = {"on": True, "off": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class Sizes:
    """The board sizes of a game; `step` is 2 where only even ones exist."""

    low: int
    high: int
    default: int
    step: int = 1

    def __contains__(self, size: int) -> bool:
        return self.low <= size <= self.high and (size - self.low) % self.step == 0

    def __str__(self) -> str:
        return f"{self.low} to {self.high}" + (", even" if self.step == 2 else "")

    def check(self, size: int) -> None:
        """Raises BadSize, saying which sizes there are."""
        if size not in self:
            raise BadSize(str(self))


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that a game offers; the first value is the default.

    The values of a switch are the booleans, those of any other option words.
    """

    name: str
    values: tuple[str, ...] | tuple[bool, ...]

    @property
    def is_switch(self) -> bool:
        return isinstance(self.values[0], bool)

    @property
    def words(self) -> tuple[str, ...]:
        """The values as `--variant` writes them."""
        return ("on", "off") if self.is_switch else tuple(map(str, self.values))

    def parse(self, text: str) -> str | bool:
        """
        >>> Option("pie", (False, True)).parse("on")
        True
        >>> Option("setup", ("empty", "checkered")).parse("full")
        Traceback (most recent call last):
        games.errors.BadVariant: setup is 'full', allowed: empty checkered
        """
        word = text.lower()
        if self.is_switch and word in SWITCH:
            return SWITCH[word]
        if not self.is_switch and word in self.values:
            return word
        allowed = " ".join(self.words)
        raise BadVariant(f"{self.name} is {shorten(text)}, allowed: {allowed}")

    def write(self, value: str | bool) -> str:
        return value if isinstance(value, str) else "on" if value else "off"


def parse_options(
    options: Sequence[Option], chosen: Mapping[str, str]
) -> dict[str, str | bool]:
    """Values of all `options`, the unnamed ones at their defaults.

    Raises BadVariant for an unknown name or value.
    """
    known = {option.name: option for option in options}
    for name in chosen:
        if name not in known:
            allowed = " ".join(known) or "none"
            raise BadVariant(f"unknown option {shorten(name)}, allowed: {allowed}")
    return {
        option.name: option.parse(chosen[option.name])
        if option.name in chosen
        else option.values[0]
        for option in options
    }


def parse_variant(text: str) -> dict[str, str]:
    """The pairs of a `key=value,...` text; raises BadVariant.

    >>> parse_variant("setup=empty,pie=on")
    {'setup': 'empty', 'pie': 'on'}
    >>> parse_variant("-")
    {}
    """
    pairs: dict[str, str] = {}
    for word in text.split(",") if text.strip() not in ("", "-") else ():
        name, equals, value = (part.strip() for part in word.partition("="))
        if not (name and equals and value):
            raise BadVariant(f"expected key=value, got {shorten(word)}")
        if name in pairs:
            raise BadVariant(f"{shorten(name)} is given twice")
        pairs[name] = value
    return pairs


def write_variant(pairs: Mapping[str, str]) -> str:
    """The text that `parse_variant` reads; `-` where there are no options."""
    return ",".join(f"{name}={value}" for name, value in pairs.items()) or "-"
