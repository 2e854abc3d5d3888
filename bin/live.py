"""How a running match is shown: redrawn on a terminal, as lines, as JSON, not at all.

Each way is called with the events of spec/matches.md §14.
"""

import json
import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from protocol.match import Match
from protocol.reports import table_text
from protocol.results import counts_text
from protocol.standings import Standings
from protocol.strength.elo import estimate

Event = Mapping[str, Any]

REDRAW = 0.5  # seconds from one picture to the next at least
SHOWN = 5  # last endings
LINES_EVERY = 10.0  # seconds from one line about the state to the next at least


def write_nowhere() -> None:
    """Have standard output lead nowhere, and what it still holds go there."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


class View:
    """Sees events; `match` is there from the first one on."""

    match: Match

    def __init__(
        self,
        write: Callable[[str], None] = click.echo,
        *,
        scores: int = 0,
        ratings: int = 0,
    ) -> None:
        """Where there are lines: scores and ratings after every so many games.

        With 0, scores come as one line from time to time, and ratings do not.
        """
        self.write = write
        self.scores, self.ratings = scores, ratings
        self.began = time.monotonic()
        self.next_state = self.began + LINES_EVERY

    def __call__(self, event: Event) -> None:
        """Show it, or do not."""

    def see(self, event: Event) -> None:
        """Show it."""
        with self._heard():
            self(event)

    def tell(self, text: str) -> None:
        """Write something that is no event."""
        with self._heard():
            self.write(text)

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """If nobody can see what is written any more, the match is to stop."""
        try:
            yield
        except OSError:
            write_nowhere()
            self.match.stop()

    def games(self) -> int:
        """Finished in this run."""
        return len(self.match.standings.finished) - self.match.resumed

    def rate(self) -> float:
        """Games a second."""
        return self.games() / max(time.monotonic() - self.began, 1e-9)


class Json(View):
    """One object a line."""

    def __call__(self, event: Event) -> None:
        if event["event"] != "tick":
            self.write(json.dumps(event))


class Lines(View):
    """A line for each game, and now and then how the match stands."""

    def __call__(self, event: Event) -> None:
        text = told(event)
        if text:
            self.write(text)
        if event["event"] != "game":
            return
        done, standings = event["finished"], self.match.standings
        if self.scores:
            if done % self.scores == 0:
                self.write("\n".join([*table(standings), state(self)]))
        elif time.monotonic() >= self.next_state:
            self.next_state = time.monotonic() + LINES_EVERY
            self.write(state(self))
        if self.ratings and done % self.ratings == 0:
            self.write(table_text(standings))


class Live(View):
    """A picture at the bottom of the terminal, drawn over and over."""

    def __init__(
        self, write: Callable[[str], None] = click.echo, **intervals: int
    ) -> None:
        super().__init__(write, **intervals)
        self.height = 0
        self.next_picture = 0.0
        self.last: deque[str] = deque(maxlen=SHOWN)
        self.since: dict[str, float] = {}

    def __call__(self, event: Event) -> None:
        kind = event["event"]
        if kind in ("game", "retry", "warning"):
            self.last.append(told(event))
        elif text := told(event):
            self.erase()
            self.write(text)
        now = time.monotonic()
        if now >= self.next_picture or kind == "end":
            self.next_picture = now + REDRAW
            self.draw()

    def erase(self) -> None:
        if self.height:
            click.echo(f"\x1b[{self.height}A\x1b[J", nl=False, color=True)
            self.height = 0

    def draw(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        lines = [line[:width] for line in self.picture()]
        self.erase()
        self.write("\n".join(lines))
        self.height = len(lines)

    def picture(self) -> list[str]:
        standings = self.match.standings
        lines = ["", *table(standings), "", state(self)]
        if playing := self.match.playing:
            shown = (f"{j['head']['id']} {versus(j['players'])}" for j in playing)
            lines.append("playing " + ", ".join(shown))
        return [*lines, *self.last]


def versus(players: Mapping[str, str]) -> str:
    return f"{players['black']} - {players['white']}"


def told(event: Event) -> str:
    """An event in words; empty for those that say nothing to people."""
    kind = event["event"]
    if kind == "game":
        of = f"/{event['total']}" if event["total"] is not None else ""
        result = event["score"] or "void"
        reason = f" ({event['detail']})" if event["detail"] else ""
        return (
            f"[{event['finished']}{of}] game {event['id']} {versus(event)} "
            f"{result} by {event['how']}{reason}"
        )
    if kind == "retry":
        return f"game {event['id']} is played again: {event['detail']}"
    if kind == "warning":
        return f"game {event['id']}, warning: {event['detail']}"
    if kind == "verdict":
        return f"{event['verdict']} accepted, LLR {event['llr']:.2f}"
    if kind == "stopping":
        return "stopping" if event["now"] else "stopping after the games now running"
    return ""


def state(view: View) -> str:
    """How far it is, how fast, how long it will take."""
    standings = view.match.standings
    done, total = len(standings.finished), standings.total
    text = f"{done} games" if total is None else f"{done} of {total} games"
    rate = view.rate()
    text += f", {rate:.3g} a second"
    if rate and total is not None and done < total:
        text += f", {duration((total - done) / rate)} left"
    if run := standings.test:
        low, high = run.test.bounds
        text += f", LLR {run.llr:.2f} [{low:.2f}, {high:.2f}]"
    return text


def table(standings: Standings) -> list[str]:
    """The players by their share of points."""
    rows = []
    for name in standings.plan.engines:
        counts = standings.games_of(name)
        share = counts.score if counts.units else 0.0
        rows.append((share, name, counts))
    width = max(len(name) for _, name, _ in rows)
    lines = [
        f"{name:{width}}  {share:6.1%}  {counts_text(counts)}"
        for share, name, counts in sorted(rows, key=lambda row: -row[0])
    ]
    if len(rows) == 2:
        first, second = standings.plan.engines
        if found := estimate(standings.counts(first, second)):
            lines.append(
                f"{first} over {second}: Elo {found.elo:z.1f} +- {found.elo_error:.1f},"
                f" LOS {100 * found.los:.1f} %"
            )
    return lines


def duration(seconds: float) -> str:
    """
    >>> duration(59), duration(3700), duration(200000)
    ('0:59', '1:01:40', '2 d 7 h')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


VIEWS: Mapping[str, type[View]] = {
    "tty": Live,
    "lines": Lines,
    "json": Json,
    "off": View,
}
