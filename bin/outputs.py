"""What a match writes besides its results: `--log`, `--pgnresults` and `--csv`."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

import click

from bin.words import SWITCH, pairs
from protocol.exports import games_pgn, players_csv
from protocol.journal import GAMES, LOCK, MANIFEST, STOP, Journal, put
from protocol.reports import read_standings

LEVELS = {
    "trace": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "err": logging.ERROR,
    "fatal": logging.CRITICAL,
}
LOG: dict[str, dict[str, int]] = {
    "gtp": {"failed": False, "all": True},
    "engine": {**SWITCH},
    "level": LEVELS,
}
OWN = (MANIFEST, GAMES, LOCK, STOP)  # files that are no place for anything else


def logs_of(value: str | None) -> dict[str, bool]:
    """The logs that `--log` asks for, as `open_match` knows them; sets the level.

    Raises click.BadParameter.
    """
    found = {"gtp": 0, "engine": 0, "level": LEVELS["warn"]}
    for key, text in pairs(value, "--log").items():
        if key not in LOG or text not in LOG[key]:
            allowed = " ".join(LOG[key] if key in LOG else (f"{k}=" for k in LOG))
            reason = f"{key} is {text}" if key in LOG else f"unknown {key}"
            raise click.BadParameter(
                f"{reason}, allowed: {allowed}", param_hint="--log"
            )
        found[key] = LOG[key][text]
    logging.getLogger("protocol").setLevel(found["level"])
    return {"log_games": bool(found["gtp"]), "log_engines": bool(found["engine"])}


class Files:
    """The files for rating programs and tables, written when a match stops."""

    def __init__(self, folder: str, pgn: str | None, csv: str | None) -> None:
        """Raises click.BadParameter for a name where no file can be written.

        `folder` is that of the match, which need not exist yet.
        """
        self.pgn = self.csv = None
        self.problem = ""  # why one of them could not be written
        if pgn is not None:
            self.pgn = place(folder, pgn, "--pgnresults")
        if csv is not None:
            self.csv = place(folder, csv, "--csv")

    @contextmanager
    def written(self, journal: Journal) -> Iterator[None]:
        """Write them at the end, whatever that is like; see `problem` then."""
        try:
            yield
        finally:
            try:
                if self.pgn:
                    text = games_pgn(journal.plan, journal.records())
                    put(self.pgn, text.encode())
                if self.csv:
                    put(self.csv, players_csv(read_standings(journal)).encode())
            except OSError as error:
                self.problem = str(error)


def place(folder: str, name: str, option: str) -> Path:
    """Where the file is, through links; raises click.BadParameter."""
    path = Path(os.path.realpath(name))
    reason = ""
    if path.parent == Path(os.path.realpath(folder)):
        # The match makes this folder, and keeps its own files there.
        reason = "is a file of the match" if path.name in OWN else ""
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        reason = f"cannot be written: no such folder, or not ours: {path.parent}"
    if path.exists() and not path.is_file():
        reason = "is there, and no file"
    if reason:
        raise click.BadParameter(f"{name or quote(name)} {reason}", param_hint=option)
    return path
