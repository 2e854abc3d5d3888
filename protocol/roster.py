"""The engines that one slot keeps running from game to game."""

import logging
import threading
from collections.abc import Iterable

from protocol.channel import Channel, Limits
from protocol.engines import Engine
from protocol.faults import Interrupted
from protocol.processes import Guard

log = logging.getLogger(__name__)

SLOT = "CROSSCUT_SLOT"
MOST_IDLE = 4  # engines of earlier games that stay beside those that play


class Roster:
    """Channels by engine. `interrupt` may be called from any thread.

    `starting` bounds how many engines start at the same time in all rosters that
    share it. Engines find the number of the slot in their environment.
    """

    def __init__(
        self,
        guard: Guard,
        limits: Limits | None = None,
        starting: threading.Semaphore | None = None,
        slot: int = 0,
    ) -> None:
        self.limits = limits or Limits()
        self._guard = guard
        self._environment = {SLOT: str(slot)}
        self._starting = starting or threading.Semaphore()
        self._channels: dict[Engine, Channel] = {}  # the last one used at the end
        self._idle: set[Engine] = set()  # those of earlier games
        self._lock = threading.Lock()
        self._is_stopped = False

    @property
    def running(self) -> dict[Engine, Channel]:
        """The engines that have been started and not ended."""
        return dict(self._channels)

    def channel(self, engine: Engine) -> Channel:
        """The running engine, started first if it is not; raises EngineFault.

        After a fault it is among those that run, unless it cannot be started at all.
        """
        channel = self._channels.get(engine)
        was_idle = engine in self._idle
        self._idle.discard(engine)
        # What an engine does while others play is held against nobody.
        if channel and (channel.has_ended or (was_idle and channel.has_stirred)):
            what = "ended" if channel.has_ended else "wrote something"
            log.warning("%s %s between games: starting it anew", engine.name, what)
            self.kill(engine)
            channel = None
        if channel is None:
            with self._starting:
                channel = self._start(engine)
                log.info("%s is process %d", engine.name, channel.pid)
                channel.greet()
        with self._lock:
            self._channels[engine] = self._channels.pop(engine)
        return channel

    def _start(self, engine: Engine) -> Channel:
        with self._lock:
            if self._is_stopped:
                raise Interrupted
            self._channels[engine] = Channel(
                engine, self._guard, self.limits, self._environment
            )
            return self._channels[engine]

    def keep(self, engines: Iterable[Engine]) -> None:
        """Make room for these: of all others only the last ones used may stay."""
        wanted = set(engines)
        others = [engine for engine in self._channels if engine not in wanted]
        self._idle.update(others)
        self.end(others[: max(len(others) - MOST_IDLE, 0)])

    def end(self, engines: Iterable[Engine]) -> None:
        """Have these quit, all at the same time."""
        leaving = [e for e in engines if e in self._channels]
        for engine in leaving:
            self._channels[engine].quit()
        for engine in leaving:
            self._channels[engine].close()
            self._forget(engine)

    def kill(self, engine: Engine) -> None:
        """End this one at once."""
        if engine in self._channels:
            self._channels[engine].kill()
            self._forget(engine)

    def close(self) -> None:
        """End all."""
        self.end(list(self._channels))

    def interrupt(self) -> None:
        """Have whatever waits for an engine here raise Interrupted, for good."""
        with self._lock:
            self._is_stopped = True
            for channel in self._channels.values():
                channel.interrupt()

    def _forget(self, engine: Engine) -> None:
        log.info("%s has ended", engine.name)
        with self._lock:
            del self._channels[engine]
            self._idle.discard(engine)
