"""Does an engine keep to the protocol as far as matches need it? spec/matches.md §16.

A list of steps, each tried by itself. After a fault the engine is started anew, and
steps that need one that failed are not tried, so the limits of the channel bound
how long it all takes.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.contract import SWAP, Rules
from games.errors import GameError, shorten
from protocol.channel import Channel, Limits
from protocol.controls import Untimed, choose_command, spend
from protocol.endings import RESIGN
from protocol.engines import Engine
from protocol.examination import Examination, Resigned, Wrong
from protocol.faults import BadAnswer, Crash, EngineFault, Refused, Stall, WrongNumber
from protocol.openings import smaller
from protocol.processes import Guard
from protocol.records import may_swap
from protocol.seats import prepare, tell_time

OK, MISSING, FAILED, SKIPPED = "ok", "missing", "failed", "skipped"

NECESSARY = ("clear_board", "play", "genmove")
ASKED_FOR = (
    *("set_game", "param_game", "boardsize", "set_random_seed", "time_settings"),
    *("kata-time_settings", "kgs-time_settings", "time_left", "undo"),
)
UNKNOWN = "crosscut-no_such_command"
SKIPPED_NUMBERS = 1000
SEVERAL = 4  # turns
LONGEST_REMARK = 100  # characters
LONGEST_GAME = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Step:
    """What became of a step; `detail` is one line, or empty."""

    name: str
    state: str
    detail: str = ""


class Missing(Exception):
    """The engine need not have this, and has not."""


Try = Callable[[Examination], str]


def examine(
    engine: Engine, rules: Rules, guard: Guard, limits: Limits | None = None
) -> Iterator[Step]:
    """Try all steps with this engine, in this game; it has ended when this does."""
    examination = Examination(engine, rules, guard, limits or Limits())
    states: dict[str, str] = {}
    pointless = without_point(engine, rules)
    try:
        for name, try_it, needs in STEPS:
            if name in pointless:
                continue
            lacking = [n for n in needs if states.get(n) in (FAILED, SKIPPED)]
            if lacking:
                step = Step(name, SKIPPED, f"{lacking[0]} {states[lacking[0]]}")
            else:
                step = taken(examination, name, try_it)
            states[name] = step.state
            yield step
    except BaseException:  # who interrupts this does not want to wait
        examination.end(now=True)
        raise
    examination.end()


def without_point(engine: Engine, rules: Rules) -> set[str]:
    """The steps for which this match has no use."""
    start = rules.start()
    used = {
        "init": bool(engine.init),
        "swap": may_swap(start.play(start.turns()[0])),
        "clock": not isinstance(engine.control, Untimed),
    }
    return {name for name, is_used in used.items() if not is_used}


def taken(at: Examination, name: str, try_it: Try) -> Step:
    try:
        remark = " ".join(try_it(at).split())
        return Step(name, OK, remark[:LONGEST_REMARK])
    except Missing as missing:
        return Step(name, MISSING, str(missing))
    except (Wrong, Refused) as wrong:
        return Step(name, FAILED, str(wrong))
    except EngineFault as fault:
        stderr = at.end(now=True)
        reason = str(fault)
        if isinstance(fault, BadAnswer):
            reason += f", wrote {shorten(fault.raw)}"
        elif isinstance(fault, Crash) and stderr:
            reason += f", last said {shorten(stderr.splitlines()[-1])}"
        return Step(name, FAILED, reason)


# The steps. Each returns a remark, or raises.


def starts(at: Examination) -> str:
    channel = at.start()
    try:
        return f"{channel.ask('name', at.limits.startup).seconds:.2g} s"
    except Refused:
        return ""
    except WrongNumber:
        at.end(now=True)  # the next step tells
        return ""


def echoes_ids(at: Examination) -> str:
    channel = at.running()
    channel.skip(SKIPPED_NUMBERS)
    goes_on(channel)
    return ""


def goes_on(channel: Channel) -> None:
    with contextlib.suppress(Refused):
        channel.ask("name")


def text_of(at: Examination, command: str) -> str:
    """The answer to a command that an engine may refuse."""
    try:
        return at.running().ask(command).text
    except Refused:
        raise Missing from None


def has_name(at: Examination) -> str:
    return text_of(at, "name")


def has_version(at: Examination) -> str:
    return text_of(at, "version")


def takes_init(at: Examination) -> str:
    for command in at.engine.init:
        at.running().ask(command)
    return ""


def has_protocol_version(at: Examination) -> str:
    if (found := text_of(at, "protocol_version")) != "2":
        raise Wrong(f"{shorten(found)}, expected 2")
    return ""


def knows_commands(at: Examination) -> str:
    for command in (UNKNOWN, *NECESSARY):
        expected = "false" if command == UNKNOWN else "true"
        found = text_of(at, f"known_command {command}")
        if found.lower() != expected:
            raise Wrong(f"{command}: {shorten(found)}, expected {expected}")
    return ""


def lists_commands(at: Examination) -> str:
    listed = text_of(at, "list_commands").split()
    if lacking := [command for command in NECESSARY if command not in listed]:
        raise Wrong(f"{lacking[0]} is not listed")
    channel = at.running()
    for command in ASKED_FOR:
        if channel.knows(NECESSARY[0]) and channel.knows(command) != (
            command in listed
        ):
            there = "listed" if command in listed else "not listed"
            raise Wrong(f"{command} is {there}, and known_command says otherwise")
    return f"{len(listed)} commands"


def refuses_unknown(at: Examination) -> str:
    try:
        at.running().ask(UNKNOWN)
    except Refused:
        goes_on(at.running())
        return ""
    raise Wrong(f"{UNKNOWN} was answered as if there were such a command")


def takes_game(at: Examination) -> str:
    channel = at.running()
    prepare(channel, at.rules)
    if not channel.knows("boardsize"):
        raise Missing(f"it must be started for {at.rules.name} {at.rules.size}")
    return f"{at.rules.name} {at.rules.size}"


def clears_board(at: Examination) -> str:
    for _ in range(2):
        at.new_game()
    return ""


def takes_seed(at: Examination) -> str:
    if not at.running().knows("set_random_seed"):
        raise Missing
    at.running().ask("set_random_seed 1")
    return ""


def takes_turns(at: Examination) -> str:
    at.new_game()
    played: list[str] = []
    while at.position.winner is None and len(played) < SEVERAL:
        played.append(at.play(at.draw()))
    return " ".join(played)


def refuses_illegal(at: Examination) -> str:
    channel = at.new_game()
    taken = at.play(at.draw())
    if at.position.winner is not None:
        return "the first turn wins"
    color, tried = at.position.to_move.letter, []
    for text in (taken, "Z99"):
        try:
            at.position.play(at.position.read(text))
        except GameError:
            tried.append(text)
    for text in tried:
        try:
            channel.ask(f"play {color} {text}")
        except Refused:
            continue
        raise Wrong(f"play {color} {text} is illegal, and was accepted")
    at.play(at.draw())  # nothing has changed
    return " ".join(tried)


def takes_back(at: Examination) -> str:
    channel = at.new_game()
    if not channel.knows("undo"):
        raise Missing
    before, turn = at.position, at.draw()
    at.play(turn)
    channel.ask("undo")
    at.position = before
    at.play(turn)
    return ""


def swaps(at: Examination) -> str:
    channel = at.new_game()
    at.play(at.draw())
    channel.ask(f"play {at.position.to_move.letter} {SWAP}")
    at.position = at.position.play(SWAP)
    if at.position.winner is None:
        at.play(at.draw())
    return ""


def makes_turns(at: Examination) -> str:
    """One for each colour."""
    at.new_game()
    made: list[str] = []
    try:
        while at.position.winner is None and len(made) < 2:
            at.genmove()
            assert at.position.last is not None
            made.append(at.rules.write(at.position.last))
    except Resigned:
        made.append(RESIGN)
    return " ".join(made)


def plays_a_game(at: Examination) -> str:
    """On a small board, if it takes one."""
    rules = smaller(at.rules) if at.running().knows("boardsize") else at.rules
    try:
        at.new_game(rules)
    except Refused:
        at.new_game(rules := at.rules)
    turns, end = 0, time.monotonic() + LONGEST_GAME
    result = "not to its end"
    try:
        while at.position.winner is None and time.monotonic() < end:
            at.genmove()
            turns += 1
        if at.position.winner is not None:
            result = f"{at.position.winner.word} wins"
    except Resigned:
        result = f"{at.position.to_move.word} resigns"
    return f"{turns} turns of {rules.name} {rules.size}, {result}"


def heeds_clock(at: Examination) -> str:
    control, margin = at.engine.control, at.engine.margin
    channel = at.new_game()
    command = choose_command(control, channel.knows)
    color, left = at.position.to_move.letter, control.full()
    if command:
        channel.ask(command)
    if command and channel.knows("time_left"):
        tell_time(channel, control, color, left, command)
    limit = control.allowance(left) + margin
    try:
        took = at.genmove(limit)
    except Resigned:
        took = 0.0
    except Stall:
        raise Wrong(f"genmove {color}: not within {limit:.4g} s") from None
    later = spend(control, left, took, margin)
    if later is None:
        raise Wrong(f"genmove {color}: took {took:.3f} s of {limit:.4g}")
    if command and channel.knows("time_left"):
        tell_time(channel, control, color, later, command)
    if not command:
        raise Missing(f"it is told nothing of {control}")
    return command


def quits(at: Examination) -> str:
    return ends(at, say=True)


def ends_with_input(at: Examination) -> str:
    return ends(at, say=False)


def ends(at: Examination, say: bool) -> str:
    """By the word `quit` alone, or by the end of its input alone."""
    channel = at.running()
    began = time.monotonic()
    channel.quit(say=say, close=not say)
    has_ended = channel.wait(at.limits.quit)
    took, status = time.monotonic() - began, channel.status
    at.end()
    if not has_ended:
        raise Wrong(f"still there after {took:.3g} s")
    return f"{took:.2g} s" + (f", status {status}" if status else "")


BASIS = ("start", "ids", "name", "version", "init", "known_command")
BOARD = (*BASIS, "boardsize", "clear_board")
STEPS: tuple[tuple[str, Try, tuple[str, ...]], ...] = (
    ("start", starts, ()),
    ("ids", echoes_ids, BASIS[:1]),
    ("name", has_name, BASIS[:2]),
    ("version", has_version, BASIS[:3]),
    ("init", takes_init, BASIS[:4]),
    ("protocol_version", has_protocol_version, BASIS[:5]),
    ("known_command", knows_commands, BASIS[:5]),
    ("list_commands", lists_commands, BASIS),
    ("unknown command", refuses_unknown, BASIS),
    ("boardsize", takes_game, BASIS),
    ("clear_board", clears_board, BOARD[:-1]),
    ("set_random_seed", takes_seed, BASIS),
    ("play", takes_turns, BOARD),
    ("illegal play", refuses_illegal, (*BOARD, "play")),
    ("swap", swaps, (*BOARD, "play")),
    ("undo", takes_back, (*BOARD, "play")),
    ("genmove", makes_turns, BOARD),
    ("game", plays_a_game, (*BOARD, "genmove")),
    ("clock", heeds_clock, (*BOARD, "genmove")),
    ("quit", quits, BASIS[:5]),
    ("end of input", ends_with_input, BASIS[:5]),
)
"""Name, what is tried, and the steps that must not have failed before."""
