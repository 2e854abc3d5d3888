"""Many games at once: jobs in, records out.

This is the interface behind which games may also be played elsewhere: `submit`,
`next_done`, `stop`. Here they are played by threads, one a slot, which have little to
do themselves: the engines are processes.
"""

import contextlib
import logging
import os
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Self

from protocol.channel import Limits
from protocol.endings import VOID
from protocol.processes import Guard, processors, run_on, shares
from protocol.referee import play_game
from protocol.roster import Roster

log = logging.getLogger(__name__)

Job = Mapping[str, Any]
Record = dict[str, Any]


class Workers:
    """Slots that play games. A context manager; leaving it ends everything.

    Every job submitted comes back as one record, in the order in which games end.
    A slot keeps its engines running for later games; see protocol.roster.
    """

    def __init__(
        self,
        slots: int,
        run: str = "",
        limits: Limits | None = None,
        cpus: Sequence[Sequence[int]] | None = None,
        wait: float = 0.0,
    ) -> None:
        """`run` marks the engines' processes; see protocol.processes.

        Each slot and its engines keep to the processors that `cpus` has for it, from
        the first on again if there are fewer. Without, each gets its share of all;
        with an empty one, the system chooses (decision 0016). After each game a slot
        rests for `wait` seconds before its next one.
        """
        self._guard = Guard(run)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Record] = queue.SimpleQueue()
        self._submitted = self._delivered = 0
        self._stopping = threading.Event()
        self._wait = wait
        starting = threading.Semaphore(max(os.cpu_count() or 1, 2))
        self._cpus = shares(slots, processors()) if cpus is None else cpus
        self._rosters = [
            Roster(self._guard, limits, starting, slot) for slot in range(slots)
        ]
        self._threads = [
            threading.Thread(target=self._work, args=(number, roster), daemon=True)
            for number, roster in enumerate(self._rosters)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if exception[0] is not None:
            self.stop()
        self.close()

    @property
    def slots(self) -> int:
        return len(self._threads)

    @property
    def open_jobs(self) -> int:
        """How many records `next_done` still owes."""
        return self._submitted - self._delivered

    def submit(self, job: Job) -> None:
        """Have a game played when a slot is free. See protocol.referee."""
        self._submitted += 1
        self._jobs.put(job)

    def next_done(self, timeout: float | None = None) -> Record | None:
        """The record of a game that has ended, waiting for one.

        None if no job is open, or after `timeout` seconds.
        """
        if not self.open_jobs:
            return None
        with contextlib.suppress(queue.Empty):
            record = self._done.get(timeout=timeout)
            self._delivered += 1
            return record
        return None

    def stop(self, now: bool = True) -> None:
        """Begin no more games, and unless `now` is false end those that are running.

        All open jobs come back, those not played to the end with a void record.
        """
        self._stopping.set()
        if now:
            for roster in self._rosters:
                roster.interrupt()

    def close(self) -> None:
        """End the engines; returns when every process is gone."""
        self._stopping.set()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._guard.close()

    def _work(self, number: int, roster: Roster) -> None:
        place: Record = {"worker": number}
        if self._cpus:
            cpus = self._cpus[number % len(self._cpus)]
            if run_on(cpus):
                place["cpus"] = list(cpus)
            else:
                log.warning("slot %d cannot be bound to processors %s", number, cpus)
        rest = 0.0
        while (job := self._jobs.get()) is not None:
            self._stopping.wait(rest)
            rest = self._wait
            if self._stopping.is_set():
                record = void(job, "not begun")
            else:
                log.info("slot %d plays game %s", number, job.get("head", {}).get("id"))
                record = self._play(job, roster)
            self._done.put({**record, **place})
        roster.close()

    def _play(self, job: Job, roster: Roster) -> Record:
        """The record also of a game that could not be played."""
        try:
            return play_game(job, roster)
        except Exception as error:
            log.exception("while playing %.200r", job.get("head"))
            return void(job, f"{type(error).__name__}: {error}")


def void(job: Job, detail: str) -> Record:
    """The record of a game that was not played."""
    result = {"winner": None, "side": None, "score": None, "how": VOID}
    return {
        **job.get("head", {}),
        "players": job.get("players"),
        "turns": [],
        "result": {**result, "detail": detail, "raw": ""},
        "ms": 0.0,
        "start": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
