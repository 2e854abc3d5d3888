"""Bytes to lines, what ends a search, and reading ahead."""

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import inbox as module
from protocol.inbox import LONGEST_LINE, Inbox, Line, read_into


def fed(*chunks: bytes) -> Inbox:
    inbox = Inbox()
    for chunk in chunks:
        inbox.feed(chunk)
    return inbox


def rest(inbox: Inbox) -> Iterator[Line]:
    """The lines still there, after the end of input."""
    inbox.close()
    while line := inbox.take():
        yield line


def texts(data: bytes) -> list[str]:
    return [line.text for line in rest(fed(data))]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n\n \n\t\n\r\n\0\n", []),
        (b"# nothing\n  # nothing\n", []),
        (b"name\nundo\n", ["name", "undo"]),
        (b"name", ["name"]),
        (b"name\r\nundo\r\n", ["name", "undo"]),
        (b"name\rundo\n", ["nameundo"]),
        (b"  play\tb\t C3 \n", ["play b  C3"]),
        (b"un\0d\x1bo\x7f\n", ["undo"]),
        (b"undo#one\nundo # two # three\n", ["undo", "undo"]),
        (b"\xef\xbb\xbfname\n", ["name"]),
        (b"undo\n\xef\xbb\xbfname\n", ["undo", "\ufeffname"]),
        (b"n\xc3\xa4me \xff\n", ["näme \ufffd"]),
        (b"a\x0bb\x0cc\xc2\x85d\n", ["abc\x85d"]),
    ],
)
def test_lines(data: bytes, lines: list[str]) -> None:
    assert texts(data) == lines


def test_lines_are_numbered_from_1() -> None:
    lines = rest(fed(b"name\n\n# interrupt\n# nothing\nundo\n"))
    assert list(lines) == [Line(1, "name"), Line(2, "undo")]


BYTES = st.lists(
    st.sampled_from(
        [b"\n", b"\r\n", b" ", b"name", b"play b A1", b"#", b"# interrupt", b"\0", b"7"]
    )
    | st.binary(max_size=4)
).map(b"".join)


@settings(deadline=None)
@given(BYTES, st.lists(st.integers(0, 60)))
def test_chunks_do_not_matter(data: bytes, cuts: list[int]) -> None:
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    chunks = [data[a:b] for a, b in pairwise(places)]
    assert list(rest(fed(*chunks))) == list(rest(fed(data)))


@pytest.mark.parametrize("chunk", [1000, LONGEST_LINE, 4 * LONGEST_LINE])
@pytest.mark.parametrize(
    ("line", "is_too_long"),
    [
        (b"x" * LONGEST_LINE, False),
        (b"x" * (LONGEST_LINE + 1), True),
        (b"x" * (1 << 20), True),
        (b"undo #" + b" " * LONGEST_LINE, True),
    ],
)
def test_long_lines(line: bytes, is_too_long: bool, chunk: int) -> None:
    """They are cut off, and the lines around them stay as they are."""
    data = b"name\n" + line + b"\nundo\n"
    chunks = [data[at : at + chunk] for at in range(0, len(data), chunk)]
    name, long, undo = rest(fed(*chunks))

    assert (name, undo) == (Line(1, "name"), Line(3, "undo"))
    assert long.is_too_long is is_too_long
    assert len(long.text) <= LONGEST_LINE


@pytest.mark.parametrize("start", [b"#", b" ", b"# interrupt"])
def test_long_lines_with_nothing_in_them(start: bytes) -> None:
    data = start + b" " * LONGEST_LINE
    assert list(rest(fed(data, b" \nundo\n"))) == [Line(1, "undo")]


@pytest.mark.parametrize("blank", [b" ", b"\t", b"\0"])
@pytest.mark.parametrize("chunk", [1 << 16, 1 << 20])
def test_blanks_before_a_command(blank: bytes, chunk: int) -> None:
    data = b"1 name\n" + blank * (LONGEST_LINE + 9) + b"2 name\n3 name\n"
    chunks = [data[at : at + chunk] for at in range(0, len(data), chunk)]
    assert [line.text for line in rest(fed(*chunks))] == ["1 name", "2 name", "3 name"]


def test_a_long_last_line() -> None:
    (line,) = rest(fed(b"x" * (1 << 20)))
    assert line.is_too_long


@pytest.mark.parametrize("text", [b"# interrupt", b" # interrupt\r", b"\t# interrupt "])
def test_interrupt(text: bytes) -> None:
    """It stops the search of the line taken last, not those of lines after it."""
    inbox = fed(b"genmove b\n")
    inbox.take()
    assert not inbox.is_interrupted()

    inbox.feed(text + b"\ngenmove w\n")
    assert inbox.is_interrupted()
    assert inbox.take() == Line(2, "genmove w")
    assert not inbox.is_interrupted()


def test_interrupt_of_lines_that_wait() -> None:
    inbox = fed(b"genmove b\ngenmove w\n# interrupt\ngenmove b\n")
    stopped = []
    for _ in range(3):
        inbox.take()
        stopped.append(inbox.is_interrupted())
    assert stopped == [True, True, False]


@pytest.mark.parametrize(
    "text",
    [b"interrupt", b"#interrupt", b"# Interrupt", b"# interrupt!", b"x # interrupt"],
)
def test_no_interrupt(text: bytes) -> None:
    inbox = fed(b"genmove b\n")
    inbox.take()
    inbox.feed(text + b"\n")
    assert not inbox.is_interrupted()


@pytest.mark.parametrize(
    ("data", "is_unattended"),
    [
        (b"", True),
        (b"genmove b\n", True),
        (b"quit\n", False),
        (b"quit", False),
        (b"genmove b\n 12\tquit # bye\r\nname\n", False),
        (b"q\0uit\n", False),
        (b"quit now\n", True),
        (b"QUIT\n", True),
        (b"# quit\n", True),
        (b"known_command quit\n", True),
        (b"quit\xc2\xa0\n", True),
        (b"quit #" + b"x" * LONGEST_LINE + b"\n", True),
    ],
)
def test_end_of_input(data: bytes, is_unattended: bool) -> None:
    inbox = fed(data)
    assert not inbox.is_unattended()
    inbox.close()
    assert inbox.is_unattended() is is_unattended


def reading(*chunks: bytes, then: Exception | None = None) -> Callable[[], bytes]:
    waiting = list(chunks)

    def read() -> bytes:
        if waiting:
            return waiting.pop(0)
        if then:
            raise then
        return b""

    return read


@pytest.mark.parametrize("then", [None, OSError("gone")])
def test_reading_thread(then: Exception | None) -> None:
    inbox = Inbox()
    thread = read_into(inbox, reading(b"na", b"me\nun", b"do", then=then))
    taken = [inbox.take(), inbox.take(), inbox.take()]
    thread.join(10)

    assert taken == [Line(1, "name"), Line(2, "undo"), None]
    assert thread.daemon
    assert inbox.is_unattended()


def test_take_waits() -> None:
    inbox = Inbox()
    threading.Timer(0.05, inbox.feed, [b"name\n"]).start()
    assert inbox.take() == Line(1, "name")


@pytest.mark.parametrize(
    ("name", "value"), [("READ_AHEAD", 3), ("READ_AHEAD_SIZE", 3 * len("name"))]
)
def test_reading_waits_for_answers(
    name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only so much is read ahead; no line is lost, and none comes twice."""
    limit, count = 3, 200
    monkeypatch.setattr(module, name, value)
    inbox = Inbox()
    taken: list[Line | None] = []
    ahead: list[int] = []

    def read() -> bytes:
        ahead.append(len(ahead) - len(taken))
        return b"name\n" if len(ahead) <= count else b""

    thread = read_into(inbox, read)
    for _ in range(count + 1):
        taken.append(inbox.take())
    thread.join(10)

    assert taken == [*(Line(n + 1, "name") for n in range(count)), None]
    # One more may be in the reader's hand, one taken but not yet counted.
    assert max(ahead) <= limit + 2
