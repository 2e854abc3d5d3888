"""An engine process, as the stand-ins for other programs start it and hear from it.

gogui, twogtp, gomill, hexgui, benzene
            one module a program, strict where the program is: what it reads
            otherwise than meant, or not at all, is an error here
sabaki.js   drives the real library from npm
"""

import re
import subprocess
import sys
import tempfile
import threading
from io import BufferedReader
from pathlib import Path
from typing import Self

import pytest

from games import GAMES, open_game, variant_of
from games.contract import Rules
from games.variants import write_variant

ROOT = Path(__file__).parents[2]

# Nothing here takes half as long, unless it hangs.
PATIENCE = 120

EVERY_GAME = pytest.mark.parametrize("game", sorted(GAMES))

# Random games are long in Vaxandis.
SIZES = {game: rules.sizes.low + 2 * rules.sizes.step for game, rules in GAMES.items()}
SIZES["vaxandis"] = 2


class Misunderstanding(Exception):
    """The program does not understand the engine, or gives up."""


def rules_of(game: str, size: int | None = None) -> Rules:
    """A small board, with the pie rule if the game can have it."""
    has_pie = any(option.name == "pie" for option in GAMES[game].options)
    return open_game(game, size or SIZES[game], {"pie": "on"} if has_pie else {})


def arguments(game: str, *more: str, size: int | None = None) -> list[str]:
    """The command line of an engine for a short game, of random turns if no others."""
    rules = rules_of(game, size)
    variant = write_variant(variant_of(rules))
    given = ["--game", game, "--size", str(rules.size), "--variant", variant]
    return [*given, *(() if "--playouts" in more else ("--player", "random")), *more]


class Program:
    """A running `crosscut gtp`. Lines are read as they come, up to their LF."""

    def __init__(self, *arguments: str) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - until __exit__
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bin", "gtp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=ROOT,
        )
        assert self.process.stdin
        assert isinstance(self.process.stdout, BufferedReader)
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self._guard = threading.Timer(PATIENCE, self.process.kill)
        self._guard.start()

    def send(self, line: str) -> None:
        self.stdin.write(f"{line}\n".encode())
        self.stdin.flush()

    def line(self) -> str:
        """The next line without its LF; waits for it."""
        data = self.stdout.readline()
        if not data.endswith(b"\n"):
            raise Misunderstanding(f"output ended with {data!r}: {self.said()}")
        return data[:-1].decode()

    def said(self) -> str:
        """All of standard error so far."""
        self._errors.seek(0)
        return self._errors.read().decode()

    def end(self) -> None:
        """Send no more. The engine must end as it should, without another word."""
        self.stdin.close()
        left = self.stdout.read()
        status = self.process.wait(PATIENCE)
        assert (status, left) == (0, b"")
        assert "Traceback" not in self.said()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._guard.cancel()
        self.process.kill()
        self.process.wait(PATIENCE)
        for stream in (self.stdin, self.stdout, self._errors):
            stream.close()


def check_vertex(text: str, width: int) -> None:
    """Columns are letters without I, rows numbers from 1 on."""
    found = re.fullmatch(r"([A-HJ-Z])([1-9][0-9]?)", text)
    if not found or "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(found[1]) >= width:
        raise Misunderstanding(f"no vertex: {text!r}")
    if int(found[2]) > width:
        raise Misunderstanding(f"no vertex: {text!r}")
