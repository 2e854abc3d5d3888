"""What goes over the wire, byte by byte, and bugs survived."""

import logging
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.commands import COMMANDS
from protocol.commands.entry import NOTHING, Entry
from protocol.inbox import LONGEST_LINE, Inbox
from protocol.loop import serve
from protocol.response import success
from protocol.session import Session
from tools.converse import answers, converse, open_session

RANDOM = "--game flipway --size 4 --player random --seed 1"


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        # The blank behind the sign is always there, an id stands before it.
        ("clear_board\n", "= \n\n"),
        ("12 clear_board\n", "=12 \n\n"),
        ("name\n", "= Crosscut\n\n"),
        ("0012 name\n", "=0012 Crosscut\n\n"),
        (
            "3 param_game\n",
            "=3 [list/empty/checkered/checkered2x2] setup empty\n"
            "[list/0/1] phase 0\n[bool] pie 0\n\n",
        ),
        (
            "boardsize 2\nshowboard\n",
            "= \n\n= \nflipway 2 setup=empty,phase=0,pie=off\n"
            "    A  B\n 2  .  .  2\n 1  .  .  1\n    A  B\n"
            "X black joins top and bottom, O white left and right\nblack to move\n\n",
        ),
        # Errors are one line and begin with fixed words.
        ("dance\n", "? unknown command: 'dance'\n\n"),
        (
            "4 play b B2+Z9\n",
            "?4 illegal move: expected a point from A1 to D4, got 'Z9' "
            "(flipway §9)\n\n",
        ),
        ("boardsize 99\n", "? unacceptable size: 2 to 25\n\n"),
        ("undo\n", "? cannot undo: no turn has been made\n\n"),
        ("final_score\n", "? cannot score: the game is not over\n\n"),
        ("play b\n", "? syntax error: expected play COLOR TURN\n\n"),
        # Answers come in order, whatever is sent at once.
        (
            "name\nprotocol_version\n9 undo\nknown_command name\n",
            "= Crosscut\n\n= 2\n\n?9 cannot undo: no turn has been made\n\n= true\n\n",
        ),
        # Clean-up of lines; what is empty then has no answer.
        ("\n  \n\t\n# nothing\n\r\n\0\n", ""),
        ("name\r\n1 name\r\n", "= Crosscut\n\n=1 Crosscut\n\n"),
        ("\t1\tname\t\n", "=1 Crosscut\n\n"),
        ("na\0me\x07 # why not\n", "= Crosscut\n\n"),
        ("PLAY b B2\n", "? unknown command: 'PLAY'\n\n"),
        ("play B b2\nplay WHITE RESIGN\n", "= \n\n= \n\n"),
        ("\ufeffname\n", "= Crosscut\n\n"),
        # An interrupt has no answer.
        ("# interrupt\nname\n", "= Crosscut\n\n"),
        ("gogui-interrupt\n", "= \n\n"),
        # The end: nothing is answered after `quit`, a last line need not end.
        ("", ""),
        ("name", "= Crosscut\n\n"),
        ("5 quit\nname\n", "=5 \n\n"),
        ("quit 1\nname\n", "? syntax error: expected quit\n\n= Crosscut\n\n"),
        # What everyone asks first.
        ("protocol_version\n", "= 2\n\n"),
        ("known_command genmove\n", "= true\n\n"),
        ("known_command Genmove\n", "= false\n\n"),
        # HexGui and benzene send two numbers, Sabaki komi first.
        ("komi 6.5\nboardsize 11 11\nclear_board\n", "= \n\n" * 3),
        # Turns stand alone.
        ("7 genmove b\n", "=7 B1\n\n"),
    ],
)
def test_bytes(sent: str, received: str) -> None:
    assert "".join(answers(open_session(RANDOM), [sent.encode()])) == received


def test_an_empty_line_never_stands_in_an_answer() -> None:
    """A blank takes its place."""
    assert success("1", "\n\na\n\n\nb \n\n") == "=1 \n \na\n \n \nb\n\n"


@pytest.mark.parametrize("line", ["x" * (1 << 20), "12 name #" + "x" * (1 << 20)])
def test_a_line_of_a_megabyte(line: str) -> None:
    """One answer, and the lines around it have theirs."""
    id_ = "12" if line.startswith("12") else ""
    assert converse(open_session(RANDOM), f"name\n{line}\n7 name\n") == (
        "= Crosscut\n\n"
        f"?{id_} syntax error: a line has at most {LONGEST_LINE} bytes\n\n"
        "=7 Crosscut\n\n"
    )


def test_a_comment_of_a_megabyte() -> None:
    sent = "#" + "x" * (1 << 20) + "\nname\n"
    assert converse(open_session(RANDOM), sent) == "= Crosscut\n\n"


def test_a_bug_is_survived(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is answered, logged with its traceback, and the session goes on."""

    def fails(session: Session) -> str:
        return str(1 / 0)

    monkeypatch.setitem(COMMANDS, "undo", Entry("undo", NOTHING, fails))
    session = open_session(RANDOM)
    got = converse(session, "play b B2\n3 undo\nundo\nside_to_move\n")

    assert got == "= \n\n?3 internal error\n\n? internal error\n\n= white\n\n"
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2
    assert "while answering '3 undo'" in caplog.text
    assert "ZeroDivisionError: division by zero" in caplog.text


@pytest.mark.parametrize("answered", [0, 2])
def test_nobody_reads_any_more(answered: int) -> None:
    """The loop ends at the first answer that cannot be written."""
    written: list[str] = []

    def write(text: str) -> None:
        if len(written) == answered:
            raise BrokenPipeError
        written.append(text)

    session, inbox = open_session(RANDOM), Inbox()
    inbox.feed(b"name\n" * 2 + b"play b B2\n" + b"play w resign\n" * 9)
    serve(session, inbox, write)

    assert written == ["= Crosscut\n\n"] * answered
    assert session.resigned is None


# Noise. What is a command line is decided here in another way than in the inbox.


def command_lines(data: bytes) -> list[str]:
    """The lines that must have an answer, cleaned up."""
    found = []
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    for line in text.split("\n"):
        line = "".join(
            c for c in line if c == "\t" or not ("\0" <= c < " " or c == "\x7f")
        )
        line = re.sub(r"#.*", "", line)
        words = re.findall(r"[^ \t]+", line)
        if words:
            found.append(" ".join(words))
        if words[-1:] == ["quit"] and (
            len(words) == 1 or re.fullmatch(r"[0-9]+ quit", found[-1])
        ):
            break
    return found


PIECES = [
    *(
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "undo",
        "swap",
        "showboard",
    ),
    *("legal_moves", "final_score", "set_game", "param_game", "param_search", "quit"),
    *(
        "set_random_seed",
        "time_settings",
        "time_left",
        "known_command",
        "list_commands",
    ),
    *("b", "w", "A1", "B2", "C3:D4", "A1+A2+B1", "swap", "pass", "resign", "pie", "on"),
    *("setup", "checkered", "flipway", "seed", "2", "3", "4", "0.5", "-1", "# x", "é"),
]
GOOD = [
    *("play b A1", "play w B2:C3", "genmove b", "genmove w", "undo", "play b resign"),
    *("play b A5", "play w pass", "play b B2", "gg-undo 2", "reg_genmove w"),
    *("gogui-play_sequence b A1 w pass b A2", "gogui-rules_board_gfx", "boardsize 5"),
    *("boardsize 3", "param_game pie on", "swap", "set_random_seed 3", "showboard"),
    *("genmove b\ngenmove w", "time_settings 60 0 0", "time_left b 5 0", "legal_moves"),
]
LINES = (
    st.sampled_from(GOOD)
    | st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join)
    | st.text(max_size=6)
).map(str.encode) | st.binary(max_size=12)
INPUT = st.lists(
    st.tuples(LINES, st.sampled_from([b"\n", b"\r\n", b" # x\n", b"\n\n"])), max_size=25
).map(lambda pairs: b"".join(part for pair in pairs for part in pair))


def state(session: Session) -> tuple[object, ...]:
    return (
        session.rules,
        session.history,
        session.player.settings,
        session.player.dice.getstate(),
        (session.clock.main, session.clock.period, session.clock.stones),
    )


@pytest.mark.parametrize(
    "options", [RANDOM, f"{RANDOM} --variant pie=on --steps"], ids=["turns", "steps"]
)
@settings(deadline=None)
@given(data=INPUT, sizes=st.lists(st.integers(1, 40), min_size=1))
def test_noise(options: str, data: bytes, sizes: list[int]) -> None:
    """One well-framed answer a line, no bug, and refused lines leave no trace."""
    chunks, at = [], 0
    for size in sizes * len(data):
        chunks.append(data[at : at + size])
        at += size
    session = open_session(options)
    got = answers(session, chunks)
    lines = command_lines(data)

    assert len(got) == len(lines)
    for line, answer in zip(lines, got, strict=True):
        (id_,) = re.findall(r"^(?:[0-9]+(?= |$))?", line)
        assert re.fullmatch(rf"[=?]{id_} [^\r]*\n\n", answer)
        assert answer.index("\n\n") == len(answer) - 2
        assert "internal error" not in answer
        assert answer.startswith("=") or answer.count("\n") == 2

    again = open_session(options)
    accepted = [
        line for line, answer in zip(lines, got, strict=True) if answer[0] == "="
    ]
    converse(again, "\n".join(accepted))
    assert state(session) == state(again)
