"""One running engine: commands out, answers in, and a limit on everything.

One thread reads each pipe and one waits for the process to end; they hand what they
see to the thread that asks. Commands carry ids, so that every answer is known to
belong to its command. spec/matches.md §4.
"""

import contextlib
import logging
import math
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

from protocol.answers import fault_in, is_noise, readable, text_of
from protocol.engines import Engine
from protocol.faults import BadAnswer, Crash, EngineFault, Interrupted, Refused, Stall
from protocol.processes import Guard, ended, kill_group, terminate_group
from protocol.remarks import Remarks

log = logging.getLogger(__name__)

LONGEST_ANSWER = 1 << 20  # bytes
LONGEST_WAIT = 1e8  # seconds; more would overflow
KEPT_LINES = 20_000  # commands and answers of one game
KEPT_RAW = 2_000  # characters of a bad answer
MOST_WAITING = 256  # pieces of output that nobody has asked for; then it must wait
AFTERMATH = 0.5  # seconds for what a process wrote before it ended to arrive

OUTPUT, CLOSED, ENDED, STOP = range(4)  # kinds of events


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds, for everything that no clock measures."""

    startup: float = 30.0  # from its start to its first answer
    answer: float = 60.0  # any command but a turn
    stall: float = 600.0  # a turn without a clock
    quit: float = 10.0  # from `quit` to its end, before it is told to terminate
    term: float = 2.0  # and then before it is killed


@dataclass(frozen=True, slots=True)
class Answer:
    """The text after `=`, the seconds it took, and how long we let it lie."""

    text: str
    seconds: float
    delay: float


class Channel:
    """An engine in a process of its own.

    `interrupt` may be called from any thread, everything else from one at a time.
    After a fault other than Refused only `kill` makes sense.
    """

    def __init__(
        self,
        engine: Engine,
        guard: Guard,
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the process; raises Crash if that is impossible.

        `environment` is added to ours, before what the engine itself adds.
        """
        self.engine = engine
        self.digest = engine.digest()
        self.limits = limits or Limits()
        self.name = self.version = ""
        self.latency = math.inf  # seconds of the quickest answer so far
        self.prepared: object = None  # for the referee: what it is set up for
        self.takes_fractions = True  # of seconds, as far as is known
        self._guard = guard
        self._known: dict[str, bool] = {}
        self._events: queue.SimpleQueue[tuple[int, float, bytes]] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._gone = threading.Event()  # the process has ended and is cleared away
        self._log: deque[tuple[float, str, str]] = deque(maxlen=KEPT_LINES)
        self._number = 0  # of the last command
        self._last = "start"  # the last command
        self._asked = 0.0  # when
        self._quit_at = 0.0
        self._has_ended = self._has_closed = self._is_stopped = False
        self._over_at = math.inf  # when the first of these was seen
        self._last_words = b""  # written before the end, without being asked
        try:
            self._process = guard.start(
                engine.command,
                engine.directory,
                {**(environment or {}), **dict(engine.environment)},
            )
        except (OSError, ValueError) as error:
            raise Crash(f"cannot be started: {error}") from None
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._input = self._process.stdin.fileno()
        self._in_thread(self._watch)
        self._in_thread(self._read_output, self._process.stdout)
        self._remarks = Remarks(self._process.stderr, engine.stderr)
        self._in_thread(self._remarks.read)

    @property
    def stderr(self) -> str:
        """The end of what it wrote to standard error."""
        return self._remarks.end

    def remarks(self) -> str:
        """What it has written there since this was asked last. See Remarks."""
        return self._remarks.news()

    @property
    def log(self) -> list[tuple[float, str, str]]:
        """Time, `>` or `<`, text of the commands and answers since `forget`."""
        return list(self._log)

    @property
    def pid(self) -> int:
        """The process, and its process group."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """How the process ended; negative for a signal, None while it runs."""
        return self._process.returncode

    @property
    def has_ended(self) -> bool:
        return self._gone.is_set()

    @property
    def has_stirred(self) -> bool:
        """Whether it did anything since its last answer, be it only to end."""
        return not self._events.empty()

    def forget(self) -> None:
        """Begin the log anew."""
        self._log.clear()

    def greet(self) -> None:
        """Learn who it is and send the commands of its `init`."""
        self.name = self._learn("name", self.limits.startup)
        self.version = self._learn("version", self.limits.answer)
        for command in self.engine.init:
            self.ask(command)

    def knows(self, command: str) -> bool:
        """What it says to `known_command`, asked once."""
        if command not in self._known:
            answer = self._learn(f"known_command {command}", self.limits.answer)
            self._known[command] = answer.lower() == "true"
        return self._known[command]

    def ask(self, command: str, limit: float | None = None) -> Answer:
        """The answer to `command`; raises EngineFault or Interrupted.

        The time runs from writing the end of the command to reading the end of the
        answer. `limit` is seconds, without it those for any command.
        """
        if self._is_stopped or self._quit_at:
            raise Interrupted
        if not self._events.empty():
            self._check_silence()
        self._number += 1
        self._last = command
        line = f"{self._number} {command}"
        written = f"{line}\n".encode()
        self._asked = time.monotonic()
        with contextlib.suppress(OSError):  # an event says what became of it
            os.write(self._input, written)
        self._note_line(self._asked, ">", line)
        limit = self.limits.answer if limit is None else min(limit, LONGEST_WAIT)
        data, arrived = self._collect(self._asked + limit)
        delay = time.monotonic() - arrived
        answer = readable(data)
        self._note_line(arrived, "<", answer)
        if wrong := fault_in(answer, self._number):
            raise self._fault(*wrong, answer)
        elapsed = arrived - self._asked
        self.latency = min(self.latency, elapsed)
        return Answer(text_of(answer), elapsed, delay)

    def interrupt(self) -> None:
        """Have `ask` raise Interrupted, now and from now on, and `close` be quick."""
        self._is_stopped = True
        self._events.put((STOP, 0.0, b""))
        if self._quit_at and not self._gone.is_set():
            kill_group(self.pid)

    def quit(self, say: bool = True, close: bool = True) -> None:
        """Ask it to end, by a word and by the end of its input; see `close`."""
        if not self._quit_at:
            self._quit_at = time.monotonic()
            if say:
                with contextlib.suppress(OSError):
                    os.write(self._input, f"{self._number + 1} quit\n".encode())
            if close:
                assert self._process.stdin
                self._process.stdin.close()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended after so many seconds at most."""
        return self._gone.wait(seconds)

    def skip(self, numbers: int) -> None:
        """Leave out numbers of commands."""
        self._number += numbers

    def close(self) -> None:
        """End the engine and all it has started, politely if it lets us."""
        self.quit()
        if not self._is_stopped:
            left = self._quit_at + self.limits.quit - time.monotonic()
            if not self._gone.wait(max(left, 0.0)):
                terminate_group(self.pid)
                self._gone.wait(self.limits.term)
        self.kill()

    def kill(self) -> None:
        """End the engine and all it has started, at once."""
        self._quit_at = self._quit_at or time.monotonic()
        if not self._gone.is_set():
            kill_group(self.pid)
        for thread in self._threads:
            # A process that left the group may still hold the pipes open.
            thread.join(AFTERMATH)
        assert self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    # The side that asks.

    def _learn(self, command: str, limit: float) -> str:
        try:
            return self.ask(command, limit).text
        except Refused:
            return ""

    def _check_silence(self) -> None:
        """Whatever came since the last answer came without being asked for.

        If the process ends behind it, that is the fault, and this its last words.
        """
        data, patience = b"", 0.0
        with contextlib.suppress(queue.Empty):
            while not self._has_ended:
                kind, at, piece = self._events.get(timeout=patience)
                self._note(kind, at)
                data += piece
                if data.strip():
                    patience = AFTERMATH
        if data.strip():
            if math.isinf(self._over_at):
                raise self._fault(BadAnswer, "wrote without being asked", data)
            self._last_words = data

    def _collect(self, deadline: float) -> tuple[bytes, float]:
        """The answer without its empty line, and when it was complete."""
        data = b""
        while not (self._has_ended and self._has_closed):
            deadline = min(deadline, self._over_at + AFTERMATH)
            try:
                timeout = max(deadline - time.monotonic(), 0.0)
                kind, at, piece = self._events.get(timeout=timeout)
            except queue.Empty:
                break
            self._note(kind, at)
            if at > deadline:
                break
            data = (data + piece).replace(b"\r", b"").lstrip(b"\n")
            end = data.find(b"\n\n")
            if end >= 0:
                if data[end:].strip():
                    raise self._fault(BadAnswer, "answered twice", data)
                return data[:end], at
            if len(data) > LONGEST_ANSWER:
                break
            if is_noise(data):
                # It may be a last word, of a process that is ending.
                deadline = min(deadline, at + AFTERMATH)
        raise self._no_answer(data)

    def _note(self, kind: int, at: float) -> None:
        if kind == STOP:
            raise Interrupted
        if kind != OUTPUT:
            self._has_ended |= kind == ENDED
            self._has_closed |= kind == CLOSED
            self._over_at = min(self._over_at, at)

    def _no_answer(self, data: bytes) -> EngineFault:
        """What to call it when an answer did not come, or only a part."""
        data = self._last_words + data
        if self._has_ended:
            # The watching thread has seen the status before it said so.
            return self._fault(Crash, ended(self.status), data)
        if self._has_closed:
            return self._fault(Crash, "closed its output", data)
        if len(data) > LONGEST_ANSWER:
            reason = f"answered more than {LONGEST_ANSWER} bytes"
            return self._fault(BadAnswer, reason, data)
        if is_noise(data):
            return self._fault(BadAnswer, "wrote no answer", data)
        waited = f"{time.monotonic() - self._asked:.3g} s"
        if data:
            return self._fault(BadAnswer, f"did not end its answer in {waited}", data)
        return self._fault(Stall, f"did not answer in {waited}", data)

    def _note_line(self, at: float, arrow: str, text: str) -> None:
        self._log.append((at, arrow, text))
        log.debug("%s %s %s", self.engine.name, arrow, text)

    def _fault(
        self, kind: type[EngineFault], what: str, raw: bytes | str
    ) -> EngineFault:
        if isinstance(raw, bytes):
            raw = readable(raw)
            self._note_line(time.monotonic(), "<", raw)
        return kind(f"{self._last}: {what}", raw[:KEPT_RAW])

    # The threads.

    def _in_thread(self, run: Callable[..., None], *arguments: object) -> None:
        name = f"{self.engine.name} {run.__name__}"
        thread = threading.Thread(target=run, args=arguments, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _watch(self) -> None:
        """Wait for the process to end; nobody it started may stay behind."""
        self._process.wait()
        kill_group(self.pid)
        self._guard.release(self.pid)
        self._gone.set()
        self._events.put((ENDED, time.monotonic(), b""))

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            while data := os.read(stream.fileno(), 1 << 16):
                self._events.put((OUTPUT, time.monotonic(), data))
                while self._events.qsize() > MOST_WAITING and not self._gone.is_set():
                    time.sleep(0.01)
        self._events.put((CLOSED, time.monotonic(), b""))
