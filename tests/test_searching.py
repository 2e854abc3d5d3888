"""What bounds a search and what stops it, with a stand-in for the search.

It is told what happens meanwhile, so no test waits for anything.
"""

from collections.abc import Callable

import pytest

from games.contract import Position, Turn
from games.search import player as player_module
from games.search.player import Limits, Player
from protocol import session as session_module
from protocol.inbox import Inbox
from protocol.loop import serve
from protocol.session import Session
from tools.converse import answers, converse, open_session

RANDOM = "--game flipway --size 4 --player random --seed 1"
SEARCH = "--game flipway --size 4 --seconds 60 --seed 1"

Search = Callable[[Limits], None]


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> Callable[[Search], None]:
    """Let every search call a function with its limits and then answer at random."""

    def use(search: Search) -> None:
        def choose(self: Player, position: Position, limits: Limits) -> Turn:
            search(limits)
            return position.random_turn(self.dice)

        monkeypatch.setattr(Player, "choose", choose)

    return use


def serve_all(session: Session, inbox: Inbox) -> list[str]:
    written: list[str] = []
    serve(session, inbox, written.append)
    return written


WARNING = "input ended without quit: searches were cut short"


def test_interrupt(
    searching: Callable[[Search], None], caplog: pytest.LogCaptureFixture
) -> None:
    """The search that runs stops, its turn is made, the next search is not stopped."""
    inbox, stopped = Inbox(), []

    def search(limits: Limits) -> None:
        stopped.append(limits.stop())
        if len(stopped) == 1:
            inbox.feed(b"# interrupt\n")
            assert limits.stop()
            assert not limits.hurry()
            inbox.feed(b"2 genmove w\n3 side_to_move\nquit\n")
            assert limits.stop()

    searching(search)
    inbox.feed(b"1 genmove b\n")
    got = serve_all(open_session(SEARCH), inbox)

    assert [answer[:3] for answer in got] == ["=1 ", "=2 ", "=3 ", "= \n"]
    assert got[2] == "=3 black\n\n"
    assert stopped == [False, False]
    assert not caplog.records


def test_input_during_a_search_waits(searching: Callable[[Search], None]) -> None:
    """Nothing but an interrupt stops a search, and all is answered in order."""
    inbox = Inbox()

    def search(limits: Limits) -> None:
        inbox.feed(b"2 undo\n\n# a comment\n3 name\n4 quit\n")
        assert not limits.stop()

    searching(search)
    inbox.feed(b"1 genmove b\n")
    got = serve_all(open_session(SEARCH), inbox)

    assert [answer[:2] for answer in got] == ["=1", "=2", "=3", "=4"]


def test_quit_lets_searches_finish(
    searching: Callable[[Search], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Also when the input has ended meanwhile, and in the lines that wait."""
    inbox = Inbox()
    asked: list[tuple[bool, bool]] = []

    def search(limits: Limits) -> None:
        if not asked:
            inbox.close()
        asked.append((limits.stop(), limits.hurry()))

    searching(search)
    inbox.feed(b"genmove b\ngenmove w\nquit\n")

    assert len(serve_all(open_session(SEARCH), inbox)) == 3
    assert asked == [(False, False)] * 2
    assert not caplog.records


def test_end_of_input_stops_searches(
    searching: Callable[[Search], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Everything is answered, searches at once, and it is said once."""
    inbox, asked = Inbox(), []

    def search(limits: Limits) -> None:
        asked.append((limits.stop(), limits.hurry()))
        if len(asked) == 1:
            inbox.close()
            asked.append((limits.stop(), limits.hurry()))

    searching(search)
    inbox.feed(b"genmove b\ngenmove w\nname\n")
    got = serve_all(open_session(SEARCH), inbox)

    assert [answer[0] for answer in got] == ["="] * 3
    assert asked == [(False, False), (True, True), (True, True)]
    assert caplog.messages == [WARNING]


def test_end_of_input_does_not_load_a_search(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Any legal turn will do, and clocks need no search either."""

    def load(*_: object) -> None:
        raise AssertionError("loaded")

    monkeypatch.setattr(player_module, "_loaded", set())
    monkeypatch.setattr(player_module, "load_search", load)
    sent = b"time_settings 60 0 0\ngenmove b\ngenmove w\nundo\nundo\nundo\n"
    got = answers(open_session(SEARCH), [sent])

    assert [answer[0] for answer in got] == list("=====?")
    assert caplog.messages == [WARNING]


@pytest.mark.parametrize(
    "sent", ["", "name\n", "time_settings 60 0 0\n", "genmove b\n", "genmove b\nquit\n"]
)
def test_end_of_input_without_a_search_is_quiet(
    sent: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert all(a[0] == "=" for a in answers(open_session(RANDOM), [sent.encode()]))
    assert not caplog.records


def test_turns_are_charged_to_the_clock(
    searching: Callable[[Search], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`genmove` takes time, for the side that moves; everything else takes none."""
    now = 1000.0
    budgets = []

    class Time:
        @staticmethod
        def monotonic() -> float:
            return now

    def search(limits: Limits) -> None:
        nonlocal now
        budgets.append(limits.seconds)
        now += 7.0

    monkeypatch.setattr(session_module, "time", Time)
    searching(search)
    session = open_session("--game flipway --size 4 --player random --seed 1")
    converse(session, "time_settings 100 0 0\ngenmove b\ngenmove w\nundo\ngenmove w\n")
    converse(
        session, "legal_moves\nundo\nplay w resign\nundo\nclear_board\ngenmove b\n"
    )

    assert budgets == [5.0, 5.0, 4.65, 5.0]


@pytest.mark.parametrize(
    ("options", "sent", "seconds", "playouts"),
    [
        ("", "", 1.0, 0),
        ("--seconds 3", "", 3.0, 0),
        ("--playouts 50", "", float("inf"), 50),
        ("--playouts 50 --seconds 3", "", 3.0, 50),
        ("", "time_settings 100 0 0", 5.0, 0),
        ("", "time_settings 0 1 0", 1.0, 0),
        ("--seconds 3", "time_settings 100 0 0", 3.0, 0),
        ("--seconds 30", "time_settings 100 0 0", 5.0, 0),
        ("--playouts 50", "time_settings 100 0 0", 5.0, 50),
        ("", "time_left b 40 0", 2.0, 0),
        ("", "time_left w 40 0", 1.0, 0),
        ("", "time_left b 0 0", 0.0, 0),
        ("", "time_left b -2.5 0", 0.0, 0),
        ("--seconds 3", "param_search seconds 0", 1.0, 0),
        ("--playouts 9", "param_search playouts 0", 1.0, 0),
    ],
)
def test_limits(
    options: str,
    sent: str,
    seconds: float,
    playouts: int,
    searching: Callable[[Search], None],
) -> None:
    """Settings and the clock of the side to move bound a search."""
    asked: list[Limits] = []
    searching(asked.append)
    session = open_session(f"--game flipway --player random --seed 1 {options}")
    converse(session, f"{sent}\ngenmove b\n")

    assert [(a.seconds, a.playouts) for a in asked] == [(seconds, playouts)]
