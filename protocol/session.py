"""The state one connection owns."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from games import GAMES, open_game, variant_of
from games.contract import PASS, Position, Rules, Side, Turn
from games.errors import IllegalMove
from games.notation import Vertex, legal_tokens
from games.search.clock import Clock
from games.search.player import Limits, Player, never
from games.variants import parse_options
from protocol.errors import CommandError, Refusal

RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a game has come to: what one `undo` goes back to.

    `clicks` are those of a turn that is not complete (§9).
    """

    position: Position
    resigned: Side | None = None
    clicks: tuple[Vertex, ...] = ()


@dataclass(slots=True)
class Session:
    """A game in progress, spoken of in turns. `history[-1]` is where it has come to.

    Every method that raises leaves the session as it was.
    """

    in_steps: ClassVar[bool] = False  # whether it is spoken of in clicks instead

    rules: Rules
    player: Player
    is_interrupted: Callable[[], bool] = never  # a running search should answer now
    is_unattended: Callable[[], bool] = never  # nobody waits for a good answer
    was_cut_short: bool = field(default=False, init=False)  # a search, for that
    komi: float = field(default=0.0, init=False)  # what a client said; without effect
    clock: Clock = field(default_factory=Clock)
    history: list[Moment] = field(init=False)
    explanation: str = field(default="", init=False)  # of the last chosen turn

    def __post_init__(self) -> None:
        self.clear()

    @property
    def position(self) -> Position:
        return self.history[-1].position

    @property
    def resigned(self) -> Side | None:
        return self.history[-1].resigned

    @property
    def winner(self) -> Side | None:
        """Who has won, by the rules or because the other side resigned."""
        return (
            self.resigned.other if self.resigned is not None else self.position.winner
        )

    @property
    def sizes(self) -> str:
        """Those that `resize` takes, in words."""
        return str(self.rules.sizes)

    def clear(self) -> None:
        """Start a new game of the same kind."""
        self.history = [Moment(self.rules.start())]
        self.explanation = ""
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
        self.history.append(Moment(self.position.play(turn)))

    def enter(self, side: Side, word: str) -> None:
        """Make the turn that `word` names. After the end the winner may pass."""
        if self.winner is side and word.lower() == PASS:
            return
        self.check_turn_of(side)
        self.play(side, self.position.read(word))

    def resign(self, side: Side) -> None:
        """End the game, whoever's turn it is; a game already lost stays so."""
        if self.winner is None:
            self.history.append(replace(self.history[-1], resigned=side))
        elif self.winner is side:
            raise IllegalMove("the game is over", "protocol §4")

    def undo(self, count: int = 1) -> None:
        """Take back what was done last, all of it or nothing."""
        if count >= len(self.history):
            done = len(self.history) - 1
            reason = (
                f"only {done} can be taken back" if done else "no turn has been made"
            )
            raise Refusal(reason, "cannot undo")
        del self.history[len(self.history) - count :]

    def generate(self, side: Side) -> str:
        """Choose a turn for `side`, make it and write it.

        After the end, say only who has lost and won.
        """
        if self.winner is not None:
            return self.word_of_end(side)
        start = time.monotonic()
        turn = self.think(side, self.player)
        self.play(side, turn)
        self.charge(side, turn, time.monotonic() - start)
        return self.rules.write(turn)

    def suggest(self, side: Side) -> str:
        """What `generate` would answer with fresh dice; nothing is made."""
        if self.winner is not None:
            return self.word_of_end(side)
        return self.rules.write(self.think(side, Player(self.player.settings)))

    def word_of_end(self, side: Side) -> str:
        """What a side says that is asked for a turn once the game is over."""
        return PASS if self.winner is side else RESIGN

    def charge(self, side: Side, turn: Turn, used: float) -> None:
        """Count the seconds in which `turn` was chosen."""
        self.clock.spend(side, used)
        self.explanation = f"{self.rules.write(turn)} after {used:.2f} s"

    def think(self, side: Side, player: Player) -> Turn:
        """The turn that `player` chooses for `side`."""
        self.check_turn_of(side)
        return player.choose(self.position, self.limits(side))

    def legal_tokens(self) -> list[str]:
        """The legal turns, in notation order; none once the game is over."""
        return [] if self.winner is not None else legal_tokens(self.position)

    def remarks(self) -> list[str]:
        """What people should know beside the diagram of the position."""
        return []

    def reason(self, error: CommandError) -> str:
        """What is answered after `?`."""
        return str(error)

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
            stop=lambda: self.is_interrupted() or self._hurries(),
            hurry=self._hurries,
        )

    def _hurries(self) -> bool:
        """Whether the search that asks is to be cut short, which is noted."""
        if not self.is_unattended():
            return False
        self.was_cut_short = True
        return True

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
