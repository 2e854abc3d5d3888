"""A match: the games of a schedule, played, judged and written down.

    plan = Plan.of("flipway", [["name=A", "cmd=..."], ["name=B", "cmd=..."]], size=6)
    standings = play_match(plan, "runs/first", slots=2)

`Match` is the same in parts. It knows nothing of processes: games are played behind
`submit`, `next_done` and `stop`. spec/matches.md §9 to §13.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from protocol.channel import Limits
from protocol.endings import ABNORMAL, CRASH, VOID, voided
from protocol.journal import ABNORMAL as ABNORMAL_GAMES
from protocol.journal import LOGS, Journal
from protocol.plan import Plan
from protocol.processes import sweep
from protocol.records import is_odd, watchers_of
from protocol.standings import Standings
from protocol.workers import Workers

LEAD = 8  # games a slot that a test lets be played ahead of an unfinished one
PATIENCE = 0.2  # seconds between looks at the wishes of others

Record = dict[str, Any]
Event = Mapping[str, Any]
Watch = Callable[[Event], None]

# Why a match ended.
COMPLETE, STOPPED, FAILED = "complete", "stopped", "failed"


class MatchFailed(Exception):
    """A game cannot be played, and that is no engine's doing."""


class Backend(Protocol):
    """Where games are played. Every job comes back as one record, in any order."""

    @property
    def slots(self) -> int:
        """How many games run at the same time."""
        ...

    @property
    def open_jobs(self) -> int:
        """How many records are still owed."""
        ...

    def submit(self, job: Mapping[str, Any]) -> None: ...

    def next_done(self, timeout: float | None = None) -> Record | None:
        """A record, waiting for it; None if no job is open or after `timeout`."""
        ...

    def stop(self, now: bool = True) -> None:
        """Begin no more games, and end those that are running if `now`."""
        ...


def nothing(event: Event) -> None:
    """For those who do not watch."""


class Match:
    """A match between its first and its last game, in a folder that is locked.

    `stop` may be called from anywhere, also from a signal's handler; everything else
    from one thread.
    """

    def __init__(
        self,
        journal: Journal,
        backend: Backend,
        watch: Watch = nothing,
        *,
        recover: bool = False,
        strict: bool = False,
        log_games: bool = False,
        log_engines: bool = False,
    ) -> None:
        """Takes up what the journal has; raises BadJournal or BadRecords.

        Without `recover` a game lost by a crash, and with `strict` any ending that
        is not by the rules of the game, is the last one. The logs are those of
        spec/matches.md §12.
        """
        self.journal = journal
        self.plan: Plan = journal.plan
        self.standings = Standings(self.plan)
        for record in journal.summaries():
            self.standings.add(record)
        self.resumed = len(self.standings.finished)
        self.running: dict[str, Record] = {}  # jobs by id, as they were submitted
        self._backend = backend
        self._watch = watch
        self._log_games, self._log_engines = log_games, log_engines
        if log_engines:
            (journal.folder / LOGS).mkdir(exist_ok=True)
        self._fatal = ABNORMAL if strict else () if recover else (CRASH,)
        self._retried: dict[str, list[Record]] = {}
        self._wish = ""  # as in the journal
        self._outcome = COMPLETE
        self._is_closing = False  # no game is begun any more
        self._jobs = self._make_jobs()
        self._next: Record | None = None  # a job that has to wait

    def stop(self, now: bool = False) -> None:
        """Begin no more games; end those that are running if `now`."""
        self._wish = "now" if now else self._wish or "finish"

    def run(self) -> str:
        """Play; returns COMPLETE, STOPPED or FAILED, as events say in detail.

        Raises MatchFailed, with everything written down until then.
        """
        self._watch({"event": "start", "run": self.journal.run, **self._progress()})
        while True:
            self._heed()
            while self._backend.open_jobs < self.window and self._submit_next():
                pass
            record = self._backend.next_done(PATIENCE)
            if record is not None:
                self._take(record)
            elif self._backend.open_jobs:
                self._watch({"event": "tick"})
            else:
                break
        if self._outcome == STOPPED and self.standings.is_complete:
            self._outcome = COMPLETE
        self._tell_end()
        return self._outcome

    def _tell_end(self) -> None:
        self._watch({"event": "end", "outcome": self._outcome, **self._progress()})

    @property
    def playing(self) -> list[Record]:
        """The jobs of the games that run now; others may wait behind them."""
        return list(self.running.values())[: self._backend.slots]

    @property
    def window(self) -> int:
        """How many games are with the backend at most: none shall wait for us."""
        return 2 * self._backend.slots

    def _make_jobs(self) -> Iterator[Record]:
        """All that are left, in the order of the schedule."""
        finished, schedule = self.standings.finished, self.standings.schedule
        for seq in range(finished.first_missing(), len(schedule)):
            if seq not in finished:
                yield self._logged(self.plan.job(self.journal.run, schedule[seq], 1))

    def _logged(self, job: Record) -> Record:
        """The job with what is to be kept of it."""
        if self._log_games:
            job["log"] = True
        if self._log_engines:
            folder = self.journal.folder.resolve() / LOGS
            for name, words in job["engines"].items():
                # An engine's own words come later, and count.
                job["engines"][name] = [f"stderr={folder / name}.err", *words]
        return job

    def _submit_next(self) -> bool:
        """False if there is none."""
        if self._is_closing or self.standings.verdict:
            return False
        if self._next is None:
            self._next = next(self._jobs, None)
        if self._next is None or self._is_ahead(self._next):
            return False
        self._submit(self._next)
        self._next = None
        return True

    def _is_ahead(self, job: Record) -> bool:
        """Whether the test should first hear of the games before this one.

        What is played far ahead of an unfinished game may be played for nothing.
        """
        if not self.standings.test:
            return False
        lead: int = job["head"]["seq"] - self.standings.finished.first_missing()
        return lead >= LEAD * self._backend.slots

    def _submit(self, job: Record) -> None:
        self.running[job["head"]["id"]] = job
        self._backend.submit(job)

    def _heed(self) -> None:
        """Do what others wish."""
        wish = self._wish or self.journal.stop_wish
        if wish and self._outcome == COMPLETE:
            self._watch({"event": "stopping", "now": wish == "now"})
            self._close(STOPPED)
        if wish == "now" and self.running:
            self._backend.stop(now=True)

    def _close(self, outcome: str) -> None:
        self._outcome = outcome
        self._is_closing = True
        self._backend.stop(now=False)

    # What came back.

    def _take(self, record: Record) -> None:
        job = self.running.pop(record["id"])
        evidence = record.pop("evidence", {})
        how, attempt = record["result"]["how"], record["attempt"]
        if how == VOID and self._is_closing:
            return  # it will be played when the match goes on
        # A game that is void, though nobody wants to stop, was spoilt by ourselves.
        is_spoilt = how == VOID
        may_retry = is_spoilt or (how == CRASH and self.plan.on_crash == "retry")
        if may_retry and (self._is_closing or attempt <= self.plan.max_void):
            self._keep_evidence(record, evidence)
            if not self._is_closing:
                self._retry(job, record)
            return
        if is_spoilt:
            self._keep_evidence(record, evidence)
            self._close(FAILED)
            self._backend.stop(now=True)
            self._tell_end()
            raise MatchFailed(f"game {record['id']}: {record['result']['detail']}")
        if how == CRASH and self.plan.on_crash == "void":
            record["result"] = voided(record["result"])
        record["retried"] = self._retried.pop(record["id"], [])
        self._keep(record, evidence)
        if how in self._fatal:
            self._close(FAILED)

    def _retry(self, job: Record, record: Record) -> None:
        """Once more, with the same id and the same seed."""
        result, players = record["result"], record["players"]
        loser = {"b": players["white"], "w": players["black"]}.get(result["side"], "")
        self._retried.setdefault(record["id"], []).append(
            {"how": result["how"], "player": loser, "detail": result["detail"]}
        )
        self._watch({"event": "retry", "id": record["id"], **result})
        self._submit({**job, "head": {**job["head"], "attempt": record["attempt"] + 1}})

    def _keep_evidence(self, record: Record, evidence: Mapping[str, str]) -> None:
        if evidence:
            name, attempt = record["id"], record["attempt"]
            name = name if attempt == 1 else f"{name}-{attempt}"
            under = ABNORMAL_GAMES if is_odd(record) else LOGS
            self.journal.keep(name, evidence, under)

    def _keep(self, record: Record, evidence: Mapping[str, str]) -> None:
        had = self.standings.verdict
        self.journal.append(record)
        self.standings.add(record)
        self._keep_evidence(record, evidence)
        for name, facts in watchers_of(record).items():
            if facts["fault"]:
                detail = f"{name}: {facts['fault']}"
                self._watch({"event": "warning", "id": record["id"], "detail": detail})
        self._watch({"event": "game", **brief(record), **self._progress()})
        if self.standings.verdict and not had:
            assert self.standings.test
            self._watch(
                {
                    "event": "verdict",
                    "verdict": self.standings.verdict,
                    "llr": self.standings.test.llr,
                }
            )
            self._close(self._outcome)

    def _progress(self) -> Record:
        return {"finished": len(self.standings.finished), "total": self.standings.total}


def brief(record: Mapping[str, Any]) -> Record:
    """A record as it is announced."""
    result = record["result"]
    return {
        "id": record["id"],
        "black": record["players"]["black"],
        "white": record["players"]["white"],
        "winner": result["winner"],
        "score": result["score"],
        "how": result["how"],
        "detail": result["detail"],
        "turns": len(record["turns"]),
        "ms": record["ms"],
        "attempt": record["attempt"],
    }


def mark_of(journal: Journal) -> str:
    """By what the engines of this run in this folder are known."""
    folder = os.path.realpath(journal.folder)
    return f"{journal.run[:16]}-{hashlib.sha256(folder.encode()).hexdigest()[:16]}"


@contextmanager
def open_match(
    folder: str | os.PathLike[str],
    plan: Plan | None = None,
    *,
    slots: int = 1,
    watch: Watch = nothing,
    recover: bool = False,
    strict: bool = False,
    limits: Limits | None = None,
    cpus: Sequence[Sequence[int]] | None = None,
    wait: float = 0.0,
    log_games: bool = False,
    log_engines: bool = False,
) -> Iterator[Match]:
    """A match ready to `run` on this machine; without a plan, the one that is there.

    Raises BadJournal if the folder holds something else, Busy if another process
    plays there.
    """
    begin = Journal.begin(folder, plan) if plan else Journal.resume(folder)
    with begin as journal:
        sweep(f"{mark_of(journal)}/")
        with Workers(slots, mark_of(journal), limits, cpus, wait) as workers:
            yield Match(
                journal,
                workers,
                watch,
                recover=recover,
                strict=strict,
                log_games=log_games,
                log_engines=log_engines,
            )


def play_match(plan: Plan, folder: str | os.PathLike[str], **options: Any) -> Standings:
    """Play the match, or what is left of it, in this folder; its results.

    The options are those of `open_match`. Raises BadJournal, Busy, MatchFailed.
    """
    with open_match(folder, plan, **options) as match:
        match.run()
        return match.standings
