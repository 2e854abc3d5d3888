"""Step mode: one click a command. spec/protocol.md §9.

A turn is clicked on the board that games.clicks makes for the game. Every click is a
moment of the history, and so is every `pass` of the side that is not on turn.

Methods of Session are called by its name: in a dataclass with slots, `super()` without
arguments knows only the class as it was before it got them.
"""

import logging
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import ClassVar

from games import clicks
from games.clicks.contract import Board
from games.contract import PASS, Position, Rules, Side, Turn
from games.errors import BadSize, IllegalMove
from games.notation import Vertex, in_notation_order, read_vertex, write_vertex
from games.search.player import Player
from protocol.errors import CommandError
from protocol.session import Moment, Session

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """The clicks of the turn that was chosen in a position."""

    position: Position
    path: tuple[Vertex, ...]


@dataclass(slots=True)
class StepSession(Session):
    """A game in progress, spoken of in clicks.

    Raises BadSize if the grid of the game is too wide.
    """

    in_steps: ClassVar[bool] = True

    board: Board = field(init=False)
    plan: Plan | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.open(self.rules)

    @property
    def clicks(self) -> tuple[Vertex, ...]:
        """Those of the turn that is not complete."""
        return self.history[-1].clicks

    @property
    def sizes(self) -> str:
        rules, width = self.rules, self.board.layout.width
        return f"the grid of {rules.name} {rules.size} is {width} wide"

    def open(self, rules: Rules) -> None:
        self.board = clicks.load(rules)
        Session.open(self, rules)

    def resize(self, size: int) -> None:
        """Start a new game. The grid is as wide as it is."""
        if size != self.board.layout.width:
            raise BadSize(self.sizes)
        self.clear()

    def enter(self, side: Side, word: str) -> None:
        """Make a click, a pass of the side not on turn, or a turn if none is begun."""
        vertex = read_vertex(word)
        if word.lower() == PASS:
            self.pass_by(side)
        elif vertex is not None:
            self.click(side, vertex)
        else:
            Session.enter(self, side, word)

    def play(self, side: Side, turn: Turn) -> None:
        self.check_turn_of(side)
        if self.clicks:
            raise IllegalMove("another turn is begun by clicks", "protocol §9")
        Session.play(self, side, turn)

    def click(self, side: Side, vertex: Vertex) -> None:
        """Go on with a turn, and make it once it is the only one that fits."""
        self.check_turn_of(side)
        position, clicked = self.position, (*self.clicks, vertex)
        fitting = self.board.fitting(position, clicked)
        turn = next(fitting, None)
        if turn is None:
            raise IllegalMove(self._why_not(vertex), "protocol §9")
        if next(fitting, None) is None:
            self.history.append(Moment(position.play(turn)))
        else:
            self.history.append(Moment(position, None, clicked))

    def pass_by(self, side: Side) -> None:
        """Note that the side that is not on turn leaves it to the other."""
        if self.winner is None and side is self.position.to_move:
            raise IllegalMove("pass is for the side not on turn", "protocol §9")
        self.history.append(self.history[-1])

    def generate(self, side: Side) -> str:
        """Make a click. The turn is chosen with its first one and then kept."""
        word = self._word_off_turn(side)
        if word is not None:
            if word == PASS:
                self.pass_by(side)
            return word
        planned = self._planned()
        if planned is not None:
            self.click(side, planned)
            return write_vertex(*planned)
        start = time.monotonic()
        turn = self.think(side, self.player)
        path = self._path(turn)
        plan = Plan(self.position, path)
        vertex = path[len(self.clicks)]
        self.click(side, vertex)
        self.plan = plan
        self.charge(side, turn, time.monotonic() - start)
        return write_vertex(*vertex)

    def suggest(self, side: Side) -> str:
        word = self._word_off_turn(side)
        if word is not None:
            return word
        vertex = self._planned()
        if vertex is None:
            turn = self.think(side, Player(self.player.settings))
            vertex = self._path(turn)[len(self.clicks)]
        return write_vertex(*vertex)

    def think(self, side: Side, player: Player) -> Turn:
        if not self.clicks:
            return Session.think(self, side, player)
        self.check_turn_of(side)
        turns = list(self.board.fitting(self.position, self.clicks))
        return player.choose(self.position, self.limits(side), turns)

    def seed(self, seed: int) -> None:
        self.plan = None
        Session.seed(self, seed)

    def legal_clicks(self) -> Collection[Vertex]:
        if self.winner is not None:
            return ()
        return self.board.following(self.position, self.clicks)

    def legal_tokens(self) -> list[str]:
        """The legal turns that the clicks fit."""
        if self.winner is not None or not self.clicks:
            return Session.legal_tokens(self)
        turns = self.board.fitting(self.position, self.clicks)
        return in_notation_order(map(self.rules.write, turns))

    def remarks(self) -> list[str]:
        controls = self.board.layout.controls
        beside = [f"{write_vertex(*v)} {c.label}" for v, c in controls.items()]
        found = [f"to click beside the board: {', '.join(beside)}"] if beside else []
        if self.clicks:
            found.append(f"clicks so far: {self._written()}")
        return found

    def reason(self, error: CommandError) -> str:
        """The fixed words alone, for clients that compare the whole text."""
        if not error.fixed:
            return str(error)
        log.warning("%s", error)
        return error.fixed

    def _word_off_turn(self, side: Side) -> str | None:
        """What `genmove` answers for a side that has no click to make."""
        if self.winner is not None:
            return self.word_of_end(side)
        return None if side is self.position.to_move else PASS

    def _planned(self) -> Vertex | None:
        """The next click of the plan, if all clicks so far are of it."""
        begun = self.clicks
        if not begun or self.plan is None or self.plan.position != self.position:
            return None
        path = self.plan.path
        return path[len(begun)] if path[: len(begun)] == begun else None

    def _path(self, turn: Turn) -> tuple[Vertex, ...]:
        """All clicks of a turn that fits the clicks so far."""
        rest = self.board.rest(self.position, self.clicks, turn)
        return (*self.clicks, *rest)

    def _why_not(self, vertex: Vertex) -> str:
        name = write_vertex(*vertex)
        if not self.clicks:
            return f"no turn begins with a click on {name}"
        return f"no turn goes on with a click on {name} after {self._written()}"

    def _written(self) -> str:
        controls = self.board.layout.controls
        labels = {vertex: f" {control.label}" for vertex, control in controls.items()}
        return ", ".join(write_vertex(*v) + labels.get(v, "") for v in self.clicks)
