"""What a match knows of an engine before it runs: the words after `--engine`.

    name=A cmd="crosscut gtp --game flipway" tc=5:00+3 init="komi 0"

spec/matches.md §2 lists the keys.
"""

import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.errors import shorten
from protocol.controls import BadControl, Control, Untimed, read_control

NAME = re.compile(r"[^\s/\\,=]{1,64}")
CONTROLS = ("tc", "st", "can", "byo")
WATCHING = (  # the keys for programs that do not play
    *("name", "cmd", "args", "dir", "env", "init", "option", "valuecmd"),
    *("restart", "stderr", "proto"),
)
UNTIMED = Untimed()
PLAYOUTS = "param_search playouts {n}"


class BadEngine(ValueError):
    """The words describe no engine; the message says which one is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """How to start one engine and what it is allowed. Times are seconds."""

    name: str
    command: tuple[str, ...]
    directory: str = ""  # to start it in; empty for the current one
    environment: tuple[tuple[str, str], ...] = ()  # added to ours
    init: tuple[str, ...] = ()  # commands that must succeed when it has started
    control: Control = UNTIMED
    margin: float = 0.0  # how late a turn may come
    playouts: int = 0  # a turn; 0 says nothing about them
    playouts_command: str = PLAYOUTS  # with {n} for the number
    depth: int = 0  # turns to look ahead; 0 says nothing about them
    depth_command: str = ""  # with {n} for the number
    value_command: str = ""  # asked after its turns for its chance of winning
    is_restarted: bool = False  # for every game
    stderr: str = ""  # file to append its standard error to
    comments: bool = False  # what it writes there is kept with its turns

    @property
    def budget(self) -> list[str]:
        """The commands that tell it how much it may do in a turn."""
        told = (
            (self.playouts, self.playouts_command),
            (self.depth, self.depth_command),
        )
        return [command.replace("{n}", str(n)) for n, command in told if n]

    def digest(self) -> str:
        """SHA-256 of the files that the command names, "" where there are none.

        The program comes first, then each word that is a file.
        """
        program = shutil.which(self.command[0])
        words = [program or "", *self.command[1:]]
        paths = (os.path.join(self.directory, word) for word in words if word)
        hashes = [
            digest_of(path, status.st_mtime_ns, status.st_size)
            for path in paths
            if os.path.isfile(path) and (status := os.stat(path))
        ]
        if len(hashes) < 2:
            return "".join(hashes)
        return hashlib.sha256("".join(hashes).encode()).hexdigest()


@cache
def digest_of(path: str, changed: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_engine(words: Sequence[str]) -> Engine:
    """The engine that `key=value` words describe; raises BadEngine.

    A key given again replaces what it was, but `init`, `env.*` and `option.*` add.

    >>> read_engine(["cmd=crosscut gtp --game weft", "name=A", "nodes=100"]).playouts
    100
    """
    return _read_engine(tuple(words))


def read_watcher(words: Sequence[str]) -> Engine:
    """The same of a program that is never asked for a turn."""
    for word in words:
        if (key := word.partition("=")[0]).partition(".")[0] not in WATCHING:
            allowed = " ".join(WATCHING)
            reason = f"{shorten(key)} is not for observers and referees"
            raise BadEngine(f"{reason}, allowed: {allowed}")
    return read_engine(words)


@cache
def _read_engine(words: tuple[str, ...]) -> Engine:
    found: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise BadEngine(f"expected key=value, got {shorten(word)}")
        try:
            take(found, key, value)
        except BadControl as error:
            raise BadEngine(str(error)) from None
    command = tuple(found.pop("cmd", ())) + tuple(found.pop("args", ()))
    if not command:
        raise BadEngine("an engine needs cmd=")
    if found.get("depth") and "depth_command" not in found:
        # Unlike playouts, there is no command for it that engines share.
        raise BadEngine("depth needs depthcmd=, a command with {n}")
    found.setdefault("name", os.path.basename(command[0]))
    return Engine(command=command, **found)


def take(found: dict[str, Any], key: str, value: str) -> None:
    """Read one word into the fields of an Engine."""
    family, _, name = key.partition(".")
    if family == "env" and name:
        found["environment"] = (*found.get("environment", ()), (name, value))
    elif family == "option" and name:
        command = f"param_search {name} {line(key, value)}"
        found["init"] = (*found.get("init", ()), command)
    elif key == "init":
        found["init"] = (*found.get("init", ()), *lines_of(value))
    elif key in CONTROLS:
        found["control"] = read_control(key, value)
    elif key == "proto":  # there is only one
        if value != "gtp":
            raise BadEngine(f"proto is {shorten(value)}, allowed: gtp")
    elif key in READERS:
        field, read = READERS[key]
        found[field] = read(key, value)
    else:
        known = " ".join(
            (*READERS, *CONTROLS, "proto", "init", "env.NAME", "option.NAME")
        )
        raise BadEngine(f"unknown key {shorten(key)}, known: {known}")


def lines_of(value: str) -> Iterable[str]:
    return (line.strip() for line in value.splitlines() if line.strip())


def text(key: str, value: str) -> str:
    return value


def line(key: str, value: str) -> str:
    if value.isprintable():
        return value
    raise BadEngine(f"{key} is {shorten(value)}, expected one line")


def label(key: str, value: str) -> str:
    if NAME.fullmatch(value) and value.isprintable():
        return value
    raise BadEngine(f"{key} is {shorten(value)}, expected a word without / \\ , =")


def split(key: str, value: str) -> list[str]:
    try:
        return shlex.split(value)
    except ValueError as error:
        raise BadEngine(f"{key} is {shorten(value)}: {error}") from None


def whole(key: str, value: str) -> int:
    if value.isascii() and value.isdigit() and len(value) < 13:
        return int(value)
    raise BadEngine(f"{key} is {shorten(value)}, expected a whole number")


def milliseconds(key: str, value: str) -> float:
    return whole(key, value) / 1000


def switch(key: str, value: str) -> bool:
    if value in ("on", "off"):
        return value == "on"
    raise BadEngine(f"{key} is {shorten(value)}, allowed: on off")


def template(key: str, value: str) -> str:
    if "{n}" in value and value.isprintable():
        return value
    raise BadEngine(f"{key} is {shorten(value)}, expected a command with {{n}}")


READERS: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "name": ("name", label),
    "cmd": ("cmd", split),
    "args": ("args", split),
    "dir": ("directory", text),
    "nodes": ("playouts", whole),
    "nodescmd": ("playouts_command", template),
    "depth": ("depth", whole),
    "depthcmd": ("depth_command", template),
    "timemargin": ("margin", milliseconds),
    "valuecmd": ("value_command", line),
    "restart": ("is_restarted", switch),
    "stderr": ("stderr", text),
    "comments": ("comments", switch),
}
"""For each key the field it fills and how; `cmd` and `args` make the command."""
