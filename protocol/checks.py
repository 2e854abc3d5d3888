"""Before a match: do the engines run? After it: is the journal right?"""

from collections.abc import Iterator
from dataclasses import dataclass

from games.contract import Side
from games.errors import shorten
from protocol.audits import audit
from protocol.channel import Channel, Limits
from protocol.endings import Ending
from protocol.engines import read_engine
from protocol.faults import EngineFault, Interrupted
from protocol.journal import BadJournal, Journal
from protocol.plan import Plan
from protocol.processes import Guard
from protocol.records import BadRecord
from protocol.roster import Roster
from protocol.seats import Seat, seed_for
from protocol.standings import UNREADABLE, BadRecords, Standings
from protocol.watchers import Watchers

LONGEST = 200  # characters of what an engine said


@dataclass(frozen=True, slots=True)
class Check:
    """How one engine did; `problem` is empty if it can play this match."""

    engine: str
    name: str
    version: str
    problem: str


def check_engines(
    plan: Plan, limits: Limits | None = None, run: str = ""
) -> Iterator[Check]:
    """Start each engine, have it at the start of a game, and end it again.

    Referee and observers too. `run` marks the processes; see protocol.processes.
    """
    guard = Guard(run)
    try:
        for name, words in plan.engines.items():
            roster = Roster(guard, limits)
            engine = read_engine([*words, f"name={name}"])
            seat = Seat(Side.BLACK, engine, seed_for(plan.seed, name), roster)
            problem = ""
            try:
                seat.sit_down(plan.rules)
                seat.begin()
            except Ending as ending:
                problem = ending.detail
            except Interrupted:
                problem = "interrupted"
            yield check_of(name, seat.channel, problem)
            roster.close()
        roster = Roster(guard, limits)
        for watcher in Watchers({"seed": plan.seed, **plan.watching}, roster).all:
            problem = ""
            try:
                watcher.begin(plan.rules)
            except EngineFault as fault:
                problem = f"{watcher.name}: {fault}"
            except Interrupted:
                problem = "interrupted"
            yield check_of(watcher.name, watcher.channel, problem)
        roster.close()
    finally:
        guard.close()


def check_of(name: str, channel: Channel | None, problem: str) -> Check:
    if channel is None:
        return Check(name, "", "", problem)
    if problem and (said := channel.stderr.strip()):
        problem += f"; it said: {said.splitlines()[-1][:LONGEST]}"
    return Check(name, channel.name, channel.version, problem)


def verify(journal: Journal) -> Iterator[str]:
    """What is wrong with the games of a match, a line for each that is.

    Every turn is made again by the rules, and all that follows from the plan is
    compared with it. After a line that is damaged nothing more
    is read.
    """
    standings = Standings(journal.plan)
    try:
        for record in journal.records():
            name = record.get("id")
            try:
                standings.add(record)
                audit(journal.plan, journal.run, record)
            except (BadRecord, BadRecords) as error:
                yield f"game {name}: {error}"
            except UNREADABLE as error:
                yield f"game {name}: unreadable: {shorten(repr(error))}"
    except BadJournal as error:
        yield str(error)
    if not journal.ends_whole and not journal.is_running:
        yield "the last line is not complete: damaged, or a game cut off"
