"""An engine that is being tried, and the game in which it is. See compliance.py."""

import random

from games.contract import SWAP, Position, Rules, Turn
from games.errors import GameError, shorten
from protocol.channel import Channel, Limits
from protocol.endings import RESIGN
from protocol.engines import Engine
from protocol.processes import Guard
from protocol.seats import WORD, prepare


class Wrong(Exception):
    """The engine answered, but not as it should."""


class Resigned(Exception):
    """The engine gave up, which it always may."""


class Examination:
    """An engine that is being tried, and where the game stands."""

    def __init__(
        self, engine: Engine, rules: Rules, guard: Guard, limits: Limits
    ) -> None:
        self.engine = engine
        self.rules = rules
        self.limits = limits
        self.position: Position = rules.start()
        self.dice = random.Random(f"compliance {rules.name}")
        self._guard = guard
        self._channel: Channel | None = None

    def end(self, now: bool = False) -> str:
        """Have the engine end; what it wrote to its standard error."""
        channel, self._channel = self._channel, None
        if not channel:
            return ""
        if now:
            channel.kill()
        else:
            channel.close()
        return channel.stderr.strip()

    # What steps do with the engine.

    def start(self) -> Channel:
        self._channel = Channel(self.engine, self._guard, self.limits)
        return self._channel

    def running(self) -> Channel:
        """The engine, started and greeted anew if a step has ended it."""
        if self._channel is None:
            self.start().greet()
        assert self._channel
        return self._channel

    def new_game(self, rules: Rules | None = None) -> Channel:
        """The engine at the start of a game of the match, or of another one."""
        rules = rules or self.rules
        channel = self.running()
        prepare(channel, rules)
        channel.ask("clear_board")
        self.position = rules.start()
        return channel

    def draw(self) -> Turn:
        """Any legal turn but a swap."""
        while (turn := self.position.random_turn(self.dice)) == SWAP:
            pass
        return turn

    def play(self, turn: Turn) -> str:
        """Have the engine make a legal turn; its token."""
        token = self.position.rules.write(turn)
        self.running().ask(f"play {self.position.to_move.letter} {token}")
        self.position = self.position.play(turn)
        return token

    def genmove(self, limit: float | None = None) -> float:
        """Have it make a turn of its own, which must be legal; the seconds it took."""
        color = self.position.to_move.letter
        answer = self.running().ask(f"genmove {color}", limit or self.limits.stall)
        word = answer.text
        if word.lower() == RESIGN:
            raise Resigned
        if not WORD.fullmatch(word):
            raise Wrong(f"genmove {color}: {shorten(word)}: a turn is one word")
        try:
            self.position = self.position.play(self.position.read(word))
        except GameError as error:
            raise Wrong(f"genmove {color}: {shorten(word)}: {error}") from None
        return answer.seconds
