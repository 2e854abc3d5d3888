"""The engines that one slot keeps running from game to game."""

import threading
from collections.abc import Iterable

from protocol.channel import Channel, Limits
from protocol.engines import Engine
from protocol.faults import Interrupted
from protocol.processes import Guard

SLOT = "CROSSCUT_SLOT"


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
        self._channels: dict[Engine, Channel] = {}
        self._lock = threading.Lock()
        self._is_stopped = False

    @property
    def running(self) -> dict[Engine, Channel]:
        """The engines that have been started and not ended."""
        return dict(self._channels)

    def channel(self, engine: Engine) -> Channel:
        """The running engine, started now if it is not; raises Crash, Interrupted.

        One that has just been started still waits for `greet`.
        """
        with self._lock:
            if self._is_stopped:
                raise Interrupted
            if engine not in self._channels:
                self._channels[engine] = Channel(
                    engine, self._guard, self.limits, self._environment
                )
            return self._channels[engine]

    def greet(self, channel: Channel) -> None:
        """See that it is ready; raises EngineFault or Interrupted."""
        if not channel.is_ready:
            with self._starting:
                channel.greet()

    def keep(self, engines: Iterable[Engine]) -> None:
        """End all others."""
        wanted = set(engines)
        self.end(engine for engine in list(self._channels) if engine not in wanted)

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
        with self._lock:
            del self._channels[engine]
