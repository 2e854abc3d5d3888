"""One game between two engines, every turn checked by the rules.

A job says what to play, a record what came of it: both are dictionaries that survive
JSON. spec/matches.md §5 lists the keys of a job, §6 those of a record.
"""

import math
import socket
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn

import games
from games import variant_of
from games.contract import SWAP, Position, Side, Turn
from games.errors import GameError
from games.variants import write_variant
from protocol.endings import (
    ADJUDICATED,
    ILLEGAL,
    MAXMOVES,
    RESIGN,
    RULES,
    UNUSABLE,
    VOID,
    Ending,
    score_text,
)
from protocol.engines import read_engine
from protocol.faults import Interrupted
from protocol.records import (
    EVERY,
    VERSION,
    BadRecord,
    is_odd,
    may_swap,
    position_hash,
    rules_of,
)
from protocol.roster import Roster
from protocol.seats import Seat, milliseconds, seed_for
from protocol.watchers import Made, Watcher, Watchers

BOOK = "book"  # instead of an engine's name or a time: the turn was given


def play_game(job: Mapping[str, Any], roster: Roster) -> dict[str, Any]:
    """Play the game that `job` describes with the engines of `roster`; its record.

    Whatever engines do ends in a record. Raises BadRecord, BadEngine or GameError for
    a job that describes no game.
    """
    game = Game(job, roster)
    try:
        game.set_up()
        game.open()
        game.play()
    except Ending as ending:
        return game.record(ending)
    except Interrupted:
        return game.record(Ending(VOID, None, "interrupted"))


class Game:
    """A game in progress."""

    def __init__(self, job: Mapping[str, Any], roster: Roster) -> None:
        self.job = job
        self.roster = roster
        self.rules = rules_of(job)
        self.position: Position = self.rules.start()
        self.turns: list[list[Any]] = []
        self.checks: list[list[Any]] = []
        self.swap: dict[str, Any] | None = None
        self.start = datetime.now(UTC)
        self.began = time.monotonic()
        self.seats: dict[Side, Seat] = {}
        for side in Side:
            name = job["players"][side.word]
            engine = read_engine([*job["engines"][name], f"name={name}"])
            self.seats[side] = Seat(side, engine, seed_for(job["seed"], name), roster)
        self.watchers = Watchers(job, roster)
        names = [one.name for one in self.all]
        if len(set(names)) < len(names):
            raise BadRecord("an engine that is there twice needs two names")

    @property
    def all(self) -> list[Seat | Watcher]:
        """Who plays and who watches."""
        return [*self.seats.values(), *self.watchers.all]

    def set_up(self) -> None:
        """Have all of them at the start of this game."""
        seats = self.seats.values()
        self.roster.keep(one.engine for one in self.all)
        for channel in self.roster.running.values():
            channel.forget()
        for seat in seats:
            seat.sit_down(self.rules)
        for seat in seats:
            seat.begin()
        self.watchers.begin(self.rules)

    def open(self) -> None:
        """Make the turns that the job gives; raises GameError if one is illegal."""
        for text in self.job.get("opening", ()):
            letter = self.position.to_move.letter
            token = self.make(self.position.read(text), BOOK)
            for seat in self.seats.values():
                self.tell(seat, f"play {letter} {token}")

    def play(self) -> NoReturn:
        """Ask whose turn it is, until the game is over; raises Ending."""
        longest = self.job.get("maxturns") or math.inf
        while self.position.winner is None:
            if len(self.turns) >= longest:
                raise Ending(MAXMOVES)
            # Colours stay with the engines, so a swap needs no care here.
            seat = self.seats[self.position.to_move]
            other = self.seats[seat.side.other]
            word, seconds = seat.think()
            took, remark = milliseconds(seconds), seat.remark()
            if word.lower() == RESIGN:
                self.turns.append([seat.color, RESIGN, took])
                self.note("c", remark)
                raise Ending(RESIGN, seat.side)
            try:
                token = self.make(self.position.read(word), took)
            except GameError as error:
                view = self.watchers.opinion(f"{seat.color} {word}")
                raise seat.lost(ILLEGAL, f"{error}{view}", word) from None
            self.note("c", remark)
            self.tell(other, f"play {seat.color} {token}")
            self.consider_chances(seat, other)
        raise Ending(RULES, self.position.winner.other)

    def make(self, turn: Turn, took: float | str | None) -> str:
        """Make a turn, which is seen by who watches; returns its token.

        Raises IllegalMove, and Ending if the referee is of another opinion.
        """
        side = self.position.to_move
        after = self.position.play(turn)
        token = self.rules.write(turn)
        self.turns.append([side.letter, token, took])
        maker = BOOK if took == BOOK else self.seats[side].name
        if len(self.turns) == 1 and may_swap(after):
            self.swap = {"taken": False, "by": None, "opening": maker}
        elif len(self.turns) == 2 and self.swap:
            self.swap.update(taken=turn == SWAP, by=maker)
        if len(self.turns) % EVERY == 0:
            self.checks.append([len(self.turns), position_hash(after)])
        self.position = after
        others = [seat for seat in self.seats.values() if seat.name != maker]
        made = Made(len(self.turns), f"{side.letter} {token}", after, others)
        self.note("o", self.watchers.see(made))
        return token

    def note(self, key: str, value: object) -> None:
        """Put something that is no part of the game down with the last turn."""
        turn = self.turns[-1]
        if value in ("", {}):
            return
        if len(turn) == 3:
            turn.append({})
        turn[3][key] = value

    def tell(self, seat: Seat, command: str) -> None:
        """Keep an engine in step, which must accept what the rules accept."""
        try:
            seat.ask(command)
        except Ending as ending:
            ending.detail += self.watchers.agreement
            winner = self.position.winner
            if winner is None:
                raise
            # The rules have decided already; what this engine does wrong only now is
            # noted, and it is started anew.
            self.roster.kill(seat.engine)
            raise Ending(RULES, winner.other, ending.detail, ending.raw) from None

    def consider_chances(self, seat: Seat, other: Seat) -> None:
        """End a game that the engines hold for decided, if the job says so."""
        if not seat.engine.value_command or self.position.winner is not None:
            return
        chance = seat.chance()
        if chance is None:
            seat.chances.clear()
            return
        seat.chances.append(chance)
        self.note("v", chance)
        if rule := self.job.get("resign"):
            count, bound = rule["movecount"], rule["score"] / 100
            last, others = seat.chances[-count:], other.chances[-count:]
            is_lost = len(last) == count and max(last) <= 1 - bound
            is_won = len(others) == count and min(others) >= bound
            if is_lost and (is_won or not rule.get("twosided")):
                raise seat.lost(ADJUDICATED, f"{count} turns at {chance:g} or less", "")

    def record(self, ending: Ending) -> dict[str, Any]:
        """Put down what happened, and end the engines that are of no more use."""
        seats = self.seats.values()
        for seat in seats:
            if seat.side is ending.loser and ending.how in UNUSABLE:
                self.roster.kill(seat.engine)
        for one in self.all:
            if ending.how == VOID:
                self.roster.kill(one.engine)
        self.roster.end(one.engine for one in self.all if one.engine.is_restarted)
        winner = ending.winner
        letter = None if winner is None else winner.letter
        record = {
            "rec": VERSION,
            **self.job.get("head", {}),
            "game": self.rules.name,
            "size": self.rules.size,
            "variant": write_variant(variant_of(self.rules)),
            "players": {seat.side.word: seat.name for seat in seats},
            "opening": sum(turn[2] == BOOK for turn in self.turns),
            "turns": self.turns,
            "swap": self.swap,
            "result": {
                "winner": None if winner is None else self.seats[winner].name,
                "side": letter,
                "score": score_text(ending.how, letter),
                "how": ending.how,
                "detail": ending.detail,
                "raw": ending.raw,
            },
            "final": {
                "ply": len(self.turns) - (ending.how == RESIGN),
                "to_move": self.position.to_move.letter,
                "hash": position_hash(self.position),
            },
            "check": self.checks,
            "clock": {seat.name: seat.clock_facts() for seat in seats},
            "engines": {seat.name: seat.engine_facts() for seat in seats},
            **self.watchers.facts(),
            "seed": self.job["seed"],
            "host": socket.gethostname(),
            "start": self.start.isoformat(timespec="milliseconds"),
            "ms": milliseconds(time.monotonic() - self.began),
            "soft": f"crosscut {games.__version__}",
        }
        if self.job.get("log") or is_odd(record):
            record["evidence"] = self.evidence()
        return record

    def evidence(self) -> dict[str, str]:
        """By file name: what was said, and what each engine said to itself."""
        files, lines = {}, []
        for one in self.all:
            if channel := one.channel:
                files[f"{one.name}.err"] = channel.stderr
                for at, arrow, text in channel.log:
                    lines.append((at, f"{one.name} {arrow} {text}"))
        talk = [f"{at - self.began:.4f} {text}\n" for at, text in sorted(lines)]
        return {"gtp.log": "".join(talk), **files}
