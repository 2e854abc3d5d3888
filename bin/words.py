"""Options that are followed by any number of words, which click does not have.

    --engine name=A cmd="..." tc=1:00 --engine name=B ... --each nodes=100

The words up to the next option are joined to one value, before click parses; `words`
takes it apart again. Of all options, `-name` means `--name`.
"""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

import click

SWITCH = {"on": True, "true": True, "off": False, "false": False}
GROUPS = (
    *("--engine", "--each", "--openings", "--sprt", "--resign", "--log"),
    *("--observer", "--referee"),
)
COMMA = re.compile(r",(?=[a-z]\w*=|$)")  # between words
# Joined by commas, as they are written elsewhere.
VARIANTS = ("--variant", "--rules", "--search")


def regroup(arguments: Sequence[str], options: Iterable[str]) -> list[str]:
    """The arguments as click can parse them. `options` are the long ones.

    >>> regroup(["-each", "nodes=1", "tc=2", "--size", "5"], ["--each", "--size"])
    ['--each', 'nodes=1 tc=2', '--size', '5']
    """
    known = set(options)
    given = [
        f"-{word}" if f"-{word.split('=')[0]}" in known else word for word in arguments
    ]
    done: list[str] = []
    at = 0
    while at < len(given):
        name, equals, value = given[at].partition("=")
        at += 1
        if name not in known or name not in GROUPS + VARIANTS:
            done.append(name + equals + value)
            continue
        found = [value] if equals else []
        while at < len(given) and not is_option(given[at]):
            found.append(given[at])
            at += 1
        joined = ",".join(found) if name in VARIANTS else shlex.join(found)
        done += [name, joined]
    return done


def is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def words(value: str | None) -> list[str]:
    """Raises click.UsageError for what no file of a match could hold."""
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise click.UsageError(f"{value!a} is not UTF-8") from None
    return shlex.split(value or "")


def long_options(command: click.Command) -> list[str]:
    return [
        name
        for parameter in command.params
        for name in parameter.opts
        if name.startswith("--")
    ]


class Words(click.Command):
    """A command whose options may be followed by several words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, regroup(args, long_options(self)))


class WordsGroup(click.Group):
    """A group that is also such a command."""

    command_class = Words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in self.commands:  # its words are its own
            return super().parse_args(ctx, args)
        return super().parse_args(ctx, regroup(args, long_options(self)))


def pairs(value: str | None, hint: str) -> dict[str, str]:
    """Words `key=value` as pairs, also with commas; raises click.BadParameter."""
    found: dict[str, str] = {}
    parts = (part for word in words(value) for part in COMMA.split(word))
    for word in filter(None, parts):
        key, equals, text = word.partition("=")
        if not equals:
            raise click.BadParameter(f"expected key=value, got {word}", param_hint=hint)
        found[key] = text
    return found


def numbers(value: str | None, hint: str, **defaults: Any) -> dict[str, Any]:
    """Pairs of known keys, each read as its default is; raises click.BadParameter.

    A default that is a type has to be given.
    """
    found: dict[str, Any] = {k: d for k, d in defaults.items() if not callable(d)}
    for key, text in pairs(value, hint).items():
        if key not in defaults:
            known = " ".join(defaults)
            raise click.BadParameter(f"unknown {key}, known: {known}", param_hint=hint)
        default = defaults[key]
        kind = default if callable(default) else type(default)
        try:
            found[key] = SWITCH[text.lower()] if kind is bool else kind(text)
        except (ValueError, KeyError):
            wanted = "on or off" if kind is bool else "a number"
            reason = f"{key} is {text}, expected {wanted}"
            raise click.BadParameter(reason, param_hint=hint) from None
    if missing := [key for key in defaults if key not in found]:
        text = " ".join(missing)
        raise click.BadParameter(f"{text} is missing", param_hint=hint)
    return found
