"""The state one connection owns."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from games import GAMES, open_game, variant_of
from games.contract import Position, Rules, Side, Turn
from games.errors import IllegalMove
from games.search.clock import Clock
from games.search.player import Limits, Player, never
from games.variants import parse_options
from protocol.errors import Refusal


@dataclass(slots=True)
class Session:
    """A game in progress. `history[-1]` is the position on the board.

    Every method that raises leaves the session as it was.
    """

    rules: Rules
    player: Player
    must_stop: Callable[[], bool] = never  # a running search should answer now
    must_hurry: Callable[[], bool] = never  # and not even load
    clock: Clock = field(default_factory=Clock)
    history: list[Position] = field(init=False)
    resigned: Side | None = field(init=False)

    def __post_init__(self) -> None:
        self.clear()

    @property
    def position(self) -> Position:
        return self.history[-1]

    @property
    def winner(self) -> Side | None:
        """Who has won, by the rules or because the other side resigned."""
        return (
            self.resigned.other if self.resigned is not None else self.position.winner
        )

    def clear(self) -> None:
        """Start a new game of the same kind."""
        self.history = [self.rules.start()]
        self.resigned = None
        self.clock.restart()

    def open(self, rules: Rules) -> None:
        """Start a new game of another kind."""
        self.rules = rules
        self.clear()

    def resize(self, size: int) -> None:
        """Raises BadSize."""
        self.open(open_game(self.rules.name, size, variant_of(self.rules)))

    def change_variant(self, chosen: Mapping[str, str]) -> None:
        """Start a new game with other options; raises BadVariant or BadSize."""
        parse_options(self.rules.options, chosen)
        variant = {**variant_of(self.rules), **chosen}
        self.open(open_game(self.rules.name, self.rules.size, variant))

    def choose_game(self, name: str) -> None:
        if name not in GAMES:
            raise Refusal(f"unknown game, known: {' '.join(GAMES)}")
        self.open(open_game(name))

    def check_turn_of(self, side: Side) -> None:
        """Raises IllegalMove unless `side` may make a turn now."""
        if self.winner is not None:
            raise IllegalMove("the game is over", "protocol §4")
        if side is not self.position.to_move:
            raise IllegalMove(
                f"it is {self.position.to_move.word}'s turn", "protocol §4"
            )

    def play(self, side: Side, turn: Turn) -> None:
        self.check_turn_of(side)
        self.history.append(self.position.play(turn))

    def resign(self, side: Side) -> None:
        """End the game, whoever's turn it is."""
        if self.winner is not None:
            raise IllegalMove("the game is over", "protocol §4")
        self.resigned = side

    def undo(self) -> None:
        """Take back a resignation, or else the last turn."""
        if self.resigned is not None:
            self.resigned = None
        elif len(self.history) > 1:
            self.history.pop()
        else:
            raise Refusal("cannot undo: no turn has been made")

    def generate(self, side: Side) -> Turn:
        """Choose a turn for `side`, make it and charge it to the clock."""
        self.check_turn_of(side)
        start = time.monotonic()
        turn = self.player.choose(self.position, self.limits(side))
        self.play(side, turn)
        self.clock.spend(side, time.monotonic() - start)
        return turn

    def limits(self, side: Side) -> Limits:
        """What bounds the next search: settings, clock and signals.

        The default of some seconds a turn gives way to a clock.
        """
        settings = self.player.settings
        allowed = self.clock.budget(side)
        if settings.seconds or math.isinf(allowed):
            allowed = min(allowed, settings.time)
        return Limits(
            playouts=settings.playouts,
            seconds=allowed,
            stop=self.must_stop,
            hurry=self.must_hurry,
        )

    def seed(self, seed: int) -> None:
        """Start the dice anew."""
        self.player = Player(replace(self.player.settings, seed=seed))

    def change_setting(self, name: str, text: str) -> None:
        """Raises BadSetting. A seed starts the dice anew, even the same one."""
        settings = self.player.settings.with_text(name, text)
        if name == "seed":
            self.seed(settings.seed)
        else:
            self.player.settings = settings
