"""Sequences of commands, legal and illegal, in every game and both modes.

What the accepted ones amount to is kept here as a list of turns or clicks, which a new
session is then told.
"""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clients.program import EVERY_GAME, SIZES
from protocol.session import Session
from protocol.steps import StepSession
from tools.converse import converse, open_session

MODES = pytest.mark.parametrize("mode", ["", "--steps"], ids=["turns", "clicks"])

# Beside each kind how often it comes; NUMBER chooses where there is a choice.
KINDS = [
    *(["legal"] * 8),
    *(["turn"] * 3),
    *(["pass"] * 2),
    *(["genmove"] * 4),
    *(["undo"] * 2),
    *("several", "resign", "swap", "sequence", "suggest"),
    *("new game", "size", "option", "word", "ask"),
]
COMMANDS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 999)), min_size=1, max_size=40
)
WORDS = [
    *("play b", "play x A1", "play w A0", "play b A1 A1", "play b B2+B2", "genmove"),
    *("genmove x", "undo 1", "gg-undo x", "play b \N{SNOWMAN}", "dance", "7", "0 play"),
    *("play b A1B", "play b -", "play b 1A", "play w I5", "boardsize", "komi x"),
    *("gogui-play_sequence b", "gogui-play_sequence b pass w pass b pass w pass"),
]
QUESTIONS = [
    *("showboard", "legal_moves", "all_legal_moves", "side_to_move", "final_score"),
    *("list_commands", "gogui-rules_legal_moves", "gogui-rules_board", "komi 7"),
    *("gogui-rules_board_gfx", "gogui-rules_final_result", "gomill-explain_last_move"),
    *("gogui-title", "param_game", "cputime", "gogui-play_sequence"),
]


def text_of(session: Session, line: str) -> str:
    return converse(session, line)[2:-2]


def line_of(session: Session, kind: str, number: int) -> str:
    """A command of that kind, which may be legal here or not."""
    on = session.position.to_move.letter
    off = session.position.to_move.other.letter
    color = "bw"[number % 2]
    clicks = text_of(session, "all_legal_moves").split(" ")
    turns = text_of(session, "legal_moves").split(" ")
    names = [option.name for option in session.rules.options] or ["none"]
    return {
        "legal": f"play {on} {clicks[number % len(clicks)]}",
        "turn": f"play {on} {turns[number % len(turns)]}",
        "pass": f"play {off if number % 3 else on} pass",
        "genmove": f"genmove {on if number % 3 else off}",
        "undo": "undo",
        "several": f"gg-undo {number % 6}",
        "resign": f"play {color} resign",
        "swap": ("swap", "swap-pieces", f"play {on} swap")[number % 3],
        "sequence": f"gogui-play_sequence {on} {clicks[0]} {off} pass",
        "suggest": f"reg_genmove {color}",
        "new game": "clear_board",
        "size": f"boardsize {number % 7}",
        "option": f"param_game {names[number % len(names)]} {number % 2}",
        "word": WORDS[number % len(WORDS)],
        "ask": QUESTIONS[number % len(QUESTIONS)],
    }[kind]


Done = list[tuple[str, str]]


def done_after(done: Done, session: Session, line: str, answer: str) -> Done:
    """The turns or clicks to be told after an accepted line; `session` is before it."""
    name, *arguments = line.split(" ")
    answer = answer[2:-2]
    is_kept = session.winner is None or session.in_steps
    if name in ("boardsize", "clear_board") or (name == "param_game" and arguments):
        return []
    if name in ("undo", "gg-undo"):
        count = int(arguments[0]) if arguments else 1
        return done[: len(done) - count]
    if name in ("swap", "swap-pieces"):
        return [*done, (session.position.to_move.letter, "swap")]
    if name == "gogui-play_sequence":
        return [*done, *zip(arguments[::2], arguments[1::2], strict=True)]
    if name == "genmove" and answer != "resign" and is_kept:
        return [*done, (arguments[0], answer)]
    if name == "play" and arguments[1] == "resign" and session.winner is not None:
        return done
    if name == "play" and is_kept:
        return [*done, (arguments[0], arguments[1])]
    return done


def check_frame(answer: str) -> None:
    assert re.fullmatch(r"[=?][0-9]* [^\r]*\n\n", answer)
    assert answer.index("\n\n") == len(answer) - 2
    assert answer[0] == "=" or answer.count("\n") == 2
    assert "internal error" not in answer


def place(session: Session) -> tuple[object, ...]:
    clicks = session.clicks if isinstance(session, StepSession) else ()
    return session.position, session.winner, clicks, len(session.history)


@MODES
@EVERY_GAME
@settings(deadline=None, max_examples=40)
@given(commands=COMMANDS)
def test_sequences(game: str, mode: str, commands: list[tuple[str, int]]) -> None:
    options = f"--game {game} --size {SIZES[game]} --player random --seed 1 {mode}"
    session = open_session(options)
    done: Done = []
    accepted = []
    for kind, number in commands:
        line = line_of(session, kind, number)
        before = open_session(options)
        before.rules, before.history = session.rules, list(session.history)
        answer = converse(session, line)
        check_frame(answer)
        if kind == "legal":
            assert (answer[0] == "=") is (before.winner is None), line
        if answer[0] == "=":
            done = done_after(done, before, line, answer)
            accepted.append(line)
        else:
            assert session.history == before.history, line

    rules = session.rules
    again = open_session(options)
    again.open(rules)
    for color, word in done:
        assert converse(again, f"play {color} {word}") == "= \n\n"
    assert place(again) == place(session)

    told = open_session(options)
    converse(told, "\n".join(accepted))
    assert (told.rules, told.history) == (rules, session.history)
    assert told.player.dice.getstate() == session.player.dice.getstate()
    for line in ("all_legal_moves", "showboard", "gogui-rules_board_gfx"):
        assert converse(told, line) == converse(session, line)
