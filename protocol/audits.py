"""Whether a record is one that a match with this plan can have written.

protocol.records checks what a game says of itself; here it is held against the plan.
"""

import json
import shlex
from collections.abc import Mapping
from typing import Any

from games.contract import SWAP
from protocol.controls import Untimed
from protocol.endings import (
    ADJUDICATED,
    CRASH,
    ILLEGAL,
    MAXMOVES,
    PROTOCOL,
    STALL,
    TIME,
    VOID,
)
from protocol.engines import read_engine
from protocol.plan import Plan
from protocol.records import VERSION, BadRecord, replay, turns_of
from protocol.referee import BOOK
from protocol.seats import milliseconds, seed_for

Record = Mapping[str, Any]
Job = Mapping[str, Any]

BEFORE_ANY_TURN = (CRASH, STALL, PROTOCOL, VOID)  # may also end an opening
BLAMED = (TIME, ILLEGAL, CRASH, STALL, PROTOCOL, ADJUDICATED)
CLOCK_TIMES = ("used_ms", "left_ms", "latency_ms", "delay_ms")
LONGEST = 100  # characters of a value in a message
ROUNDING = 0.1  # milliseconds that a time may be off


def audit(plan: Plan, run: str, record: Record) -> None:
    """Raises BadRecord at the first contradiction to the plan or the rules.

    A record without what it should have raises LookupError, TypeError or others.
    """
    fixture = plan.schedule[record["seq"]]
    job = plan.job(run, fixture, len(record["retried"]) + 1)
    planned = {
        "rec": VERSION,
        **job["head"],
        **{key: job[key] for key in ("game", "size", "variant", "players", "seed")},
    }
    for key, value in planned.items():
        check_same(key, record.get(key), value)
    check_attempts(plan, record)
    check_turns(plan, job, record)
    position = replay(record)
    check_swap(record)
    if record["result"]["how"] == VOID and position.winner is not None:
        raise BadRecord("void, and won by the rules")
    check_ending(plan, record)
    check_programs(job, record)
    check_clocks(job, record)


def check_same(key: str, found: object, expected: object) -> None:
    """As in JSON, where 1, 1.0 and true are three things."""
    texts = [json.dumps(value, sort_keys=True) for value in (found, expected)]
    if texts[0] != texts[1]:
        raise BadRecord(f"{key} is {texts[0][:LONGEST]}, expected {texts[1][:LONGEST]}")


def check_attempts(plan: Plan, record: Record) -> None:
    if record["attempt"] > plan.max_void + 1:
        raise BadRecord(f"attempt is {record['attempt']}, of {plan.max_void + 1}")
    for one in record["retried"]:
        is_crash = one["how"] == CRASH and plan.on_crash == "retry"
        who = [*record["players"].values()] if is_crash else [""]
        if one["how"] not in (CRASH, VOID) or one["player"] not in who:
            raise BadRecord(f"no game is played again after {str(one)[:LONGEST]}")


def check_turns(plan: Plan, job: Job, record: Record) -> None:
    """The opening, and what is said of each turn; not the turns themselves."""
    turns, wanted, given = record["turns"], job.get("opening", []), record["opening"]
    is_cut = given < len(wanted)
    if (
        [turn[1] for turn in turns[:given]] != wanted[:given]
        or [turn[2] == BOOK for turn in turns] != [n < given for n in range(len(turns))]
        or (is_cut and len(turns) > given)
        or (is_cut and record["result"]["how"] not in BEFORE_ANY_TURN)
    ):
        raise BadRecord("it does not begin with its opening")
    watching = {*plan.observers, *plan.referee}
    for number, (_, _, took, *more) in enumerate(turns, 1):
        said = more[0] if more else {}
        chances = [*said.get("o", {}).values(), said.get("v", 0)]
        if (
            (took != BOOK and not is_time(took))
            or len(more) > 1
            or not {*said} <= {"c", "o", "v"}
            or not {*said.get("o", {})} <= watching
            or not all(0 <= chance <= 1 for chance in chances)
            or not isinstance(said.get("c", ""), str)
        ):
            raise BadRecord(f"what is said of turn {number} cannot be")


def is_time(value: object) -> bool:
    return type(value) in (int, float) and value >= 0  # type: ignore[operator]


def check_swap(record: Record) -> None:
    """Who made the first turn and who the second; the rest is checked by `replay`."""
    swap = record["swap"]
    if swap is not None:
        players = {"b": record["players"]["black"], "w": record["players"]["white"]}
        made = record["turns"][: len(turns_of(record))]
        makers = [BOOK if turn[2] == BOOK else players[turn[0]] for turn in made]
        first, second, *_ = [*makers, None, None]
        taken = [token for _, token in turns_of(record)][1:2] == [SWAP]
        expected = {"taken": taken, "by": second, "opening": first}
        check_same("swap", swap, expected)


def check_ending(plan: Plan, record: Record) -> None:
    """What must be true before a game can end like this."""
    result, players = record["result"], record["players"]
    how, side, detail = result["how"], result["side"], result["detail"]
    if (how == VOID and plan.on_crash != "void") or (
        how == CRASH and plan.on_crash == "void"
    ):
        raise BadRecord(f"{how}, though on-crash is {plan.on_crash}")
    blames: list[str] = []
    if how == VOID:
        blames = [f"{CRASH}: {name}: " for name in players.values()]
    elif how in BLAMED:
        blames = [f"{players['white' if side == 'b' else 'black']}: "]
    if blames and not detail.startswith(tuple(blames)):
        raise BadRecord(f"{how}, and detail does not begin with the loser's name")
    turns, last = record["final"]["ply"], plan.maxturns
    if how in (TIME, ILLEGAL) and side == record["final"]["to_move"]:
        raise BadRecord(f"lost by {how}, and the other side was to move")
    if how == MAXMOVES and not 0 < last <= turns:
        raise BadRecord(f"{how} after {turns} turns, expected {last or 'never'}")
    if last and turns > max(last, record["opening"]):
        raise BadRecord(f"{turns} turns, where {last} are the most")
    if how == ADJUDICATED:
        check_chances(plan, record, side)


def check_chances(plan: Plan, record: Record, winner: str) -> None:
    """Of a game that was adjudicated: both saw it as the plan asks for."""
    if not plan.resign:
        raise BadRecord("adjudicated, and the plan has no resign")
    count, bound = plan.resign["movecount"], plan.resign["score"] / 100
    chances: dict[str, list[float]] = {"b": [], "w": []}
    for letter, _, took, *more in record["turns"]:
        if took == BOOK:
            continue
        if more and "v" in more[0]:
            chances[letter].append(more[0]["v"])
        else:
            chances[letter].clear()
    won, lost = chances.pop(winner)[-count:], chances.popitem()[1][-count:]
    is_lost = len(lost) == count and max(lost) <= 1 - bound
    is_won = len(won) == count and min(won) >= bound
    if not is_lost or (plan.resign.get("twosided") and not is_won):
        raise BadRecord("adjudicated against the chances of the last turns")


def check_programs(job: Job, record: Record) -> None:
    """What tells programs from others, as far as the plan says it."""
    for key in ("engines", "observers", "referee"):
        found, planned = record.get(key, {}), job.get(key, {})
        check_same(f"names of {key}", sorted(found), sorted(planned))
        for name, words in planned.items():
            engine = read_engine([*words, f"name={name}"])
            facts = {
                "cmd": shlex.join(engine.command),
                "init": list(engine.init),
                "playouts": engine.playouts,
                "depth": engine.depth,
                "seed": seed_for(job["seed"], name),
            }
            for fact, value in facts.items():
                # Records of the first versions know no depth, which was none then.
                told = (
                    found[name].get(fact, 0) if fact == "depth" else found[name][fact]
                )
                check_same(f"{fact} of {name}", told, value)


def check_clocks(job: Job, record: Record) -> None:
    """Whose they are, of which control, and that they fit the times of the turns."""
    clocks, players = record["clock"], record["players"]
    check_same("names of clock", sorted(clocks), sorted(players.values()))
    how, side = record["result"]["how"], record["result"]["side"]
    for letter, name in (("b", players["black"]), ("w", players["white"])):
        clock = clocks[name]
        engine = read_engine([*job["engines"][name], f"name={name}"])
        check_same(f"limit of {name}", clock["limit"], str(engine.control))
        margin = milliseconds(engine.margin)
        check_same(f"margin_ms of {name}", clock["margin_ms"], margin)
        for key in CLOCK_TIMES:
            value = clock[key]
            if not is_time(value) and (value is not None or key == "used_ms"):
                raise BadRecord(f"{key} of {name} is no time")
        if how == TIME and side != letter and isinstance(engine.control, Untimed):
            raise BadRecord(f"{name} lost by time and has no clock")
        took = [t[2] for t in record["turns"] if t[0] == letter and t[2] != BOOK]
        surplus = clock["used_ms"] - sum(took)
        # A turn that came too late or was none has its time, and is not there.
        is_last_missing = how in (TIME, ILLEGAL) and side != letter
        slack = ROUNDING * (len(took) + 1)
        if surplus < -slack or (surplus > slack and not is_last_missing):
            raise BadRecord(f"used_ms of {name} does not fit the turns")
    if not is_time(record["ms"]):
        raise BadRecord("ms is no time")
