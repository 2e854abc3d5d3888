"""The coordinator: what is begun, repeated, written down; when it ends.

Most games here are not played but thought out by a backend of its own.
"""

import random
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from protocol import lines
from protocol.checks import check_engines, verify
from protocol.endings import CRASH, ILLEGAL, RULES, TIME, VOID, score_text
from protocol.exports import (
    distinct_games,
    games_csv,
    games_pgn,
    players_csv,
    report_record,
)
from protocol.journal import GAMES, Journal
from protocol.lines import line_of, summary_of
from protocol.match import (
    COMPLETE,
    FAILED,
    LEAD,
    STOPPED,
    Match,
    MatchFailed,
    play_match,
)
from protocol.plan import Plan
from protocol.reports import read_standings, report_text
from protocol.standings import BadRecords, Numbers, Standings
from protocol.strength.sprt import Sprt

HERE = Path(__file__).parent
PLAIN = shlex.join([sys.executable, "-S", str(HERE / "engines/plain.py")])
RUDE = shlex.join([sys.executable, "-S", str(HERE / "engines/rude.py")])
ENGINES = [["name=A", f"cmd={PLAIN}"], ["name=B", f"cmd={PLAIN}"]]

Record = dict[str, Any]
Outcome = tuple[str, str | None]  # how, and the side that won


def plan(**options: Any) -> Plan:
    engines = options.pop("engines", ENGINES)
    return Plan.of(
        "flipway", engines, **{"size": 3, "seed": 1, "rounds": 10, **options}
    )


def chance(job: Mapping[str, Any]) -> Outcome:
    """A won game for either side, as the seed has it; A is the stronger one."""
    first = random.Random(job["seed"]).random() < 0.8
    winner = "A" if first else "B"
    return RULES, "b" if job["players"]["black"] == winner else "w"


class Thinker:
    """A backend that ends the games it has in any order."""

    def __init__(
        self,
        outcome: Callable[[Mapping[str, Any]], Outcome] = chance,
        slots: int = 1,
        seed: int = 0,
    ) -> None:
        self.slots = slots
        self.outcome = outcome
        self.dice = random.Random(seed)
        self.jobs: list[Mapping[str, Any]] = []
        self.most = 0
        self.asked: list[tuple[str, int]] = []  # id and attempt
        self.stops: list[bool] = []
        self.before_next: Callable[[], None] = lambda: None

    @property
    def open_jobs(self) -> int:
        return len(self.jobs)

    def submit(self, job: Mapping[str, Any]) -> None:
        self.jobs.append(job)
        self.asked.append((job["head"]["id"], job["head"]["attempt"]))
        self.most = max(self.most, len(self.jobs))

    def next_done(self, timeout: float | None = None) -> Record | None:
        self.before_next()
        if not self.jobs:
            return None
        job = self.jobs.pop(self.dice.randrange(len(self.jobs)))
        how, side = (VOID, None) if any(self.stops) else self.outcome(job)
        return record_of(job, how, side)

    def stop(self, now: bool = True) -> None:
        self.stops.append(now)


def record_of(job: Mapping[str, Any], how: str, side: str | None) -> Record:
    players = job["players"]
    winner = {"b": players["black"], "w": players["white"], None: None}[side]
    score = score_text(how, side)
    result = {"winner": winner, "side": side, "score": score, "how": how}
    return {
        **job["head"],
        "players": players,
        "turns": [["b", "C3", 1.0]],
        "swap": {"taken": job["seed"] % 4 == 0, "opening": "book", "by": "A"},
        "result": {**result, "detail": f"by {how}", "raw": ""},
        "ms": 2.0,
        "start": "",
        "evidence": {"gtp.log": "so"},
    }


def play(folder: Path, made: Plan, backend: Thinker, **options: Any) -> Match:
    with Journal.begin(folder, made) as journal:
        match = Match(journal, backend, **options)
        match.run()
        return match


def table(folder: Path) -> Mapping[str, object]:
    return report_record(read_standings(Journal(folder)))


def ids(folder: Path) -> list[str]:
    return [record["id"] for record in Journal(folder).records()]


# The course of a match.


@pytest.mark.parametrize("slots", [1, 2, 8])
def test_all_games_once(tmp_path: Path, slots: int) -> None:
    """Whatever the order in which they end, the table is the same."""
    backend = Thinker(slots=slots, seed=slots)
    play(tmp_path / "one", plan(), Thinker())
    match = play(tmp_path / "many", plan(), backend)

    assert sorted(ids(tmp_path / "many")) == sorted(ids(tmp_path / "one"))
    assert len(set(ids(tmp_path / "many"))) == 20
    assert table(tmp_path / "many") == table(tmp_path / "one")
    assert report_record(match.standings) == table(tmp_path / "many")
    assert backend.most == 2 * slots
    assert not backend.stops


def test_events(tmp_path: Path) -> None:
    events: list[Mapping[str, Any]] = []
    play(tmp_path, plan(rounds=2), Thinker(), watch=events.append)

    assert [event["event"] for event in events] == ["start", *["game"] * 4, "end"]
    assert [event["finished"] for event in events] == [0, 1, 2, 3, 4, 4]
    assert {event["total"] for event in events} == {4}
    assert events[-1]["outcome"] == COMPLETE
    assert {"id", "black", "white", "winner", "how", "score"} <= events[1].keys()


def test_announced_games_are_written(tmp_path: Path) -> None:
    """A game is in the journal before anybody hears of it."""

    def watch(event: Mapping[str, Any]) -> None:
        if event["event"] == "game":
            assert event["id"] in ids(tmp_path)

    play(tmp_path, plan(), Thinker(slots=3), watch=watch)
    assert len(ids(tmp_path)) == 20


@pytest.mark.parametrize("stop_after", range(1, 15, 3))
def test_going_on(tmp_path: Path, stop_after: int) -> None:
    """Stopped after any number of games: the same table in the end."""
    play(tmp_path / "whole", plan(), Thinker(slots=2))
    folder = tmp_path / "parts"
    with Journal.begin(folder, plan()) as journal:
        backend = Thinker(slots=2, seed=3)
        match = Match(journal, backend)

        def look() -> None:
            if len(match.standings.finished) >= stop_after:
                match.stop()

        backend.before_next = look
        assert match.run() == STOPPED
        played = len(match.standings.finished)
        assert stop_after <= played <= stop_after + 4
    again = play(folder, plan(), Thinker(slots=2, seed=4))

    assert again.resumed == played
    assert table(folder) == table(tmp_path / "whole")
    assert len(ids(folder)) == 20


def test_going_on_with_several_players(tmp_path: Path) -> None:
    """In a round robin, cut into pieces of whatever length."""
    made = plan(engines=[*ENGINES, ["name=A-vs-B", "cmd=c"]], rounds=3)
    play(tmp_path / "whole", made, Thinker())
    folder = tmp_path / "parts"
    for seed in range(50):
        with Journal.begin(folder, made) as journal:
            backend = Thinker(seed=seed)
            match = Match(journal, backend)
            if match.standings.is_complete:
                break
            backend.before_next = match.stop
            match.run()

    assert seed > 3
    assert table(folder) == table(tmp_path / "whole")
    assert sorted(ids(folder)) == sorted(ids(tmp_path / "whole"))


def test_stop_now(tmp_path: Path) -> None:
    """What is void because of that is not written, and played later."""
    with Journal.begin(tmp_path, plan()) as journal:
        backend = Thinker(slots=2)
        match = Match(journal, backend)
        backend.before_next = lambda: match.stop(now=True)
        assert match.run() == STOPPED
        assert backend.stops[:2] == [False, True]
        assert ids(tmp_path) != []
    assert play(tmp_path, plan(), Thinker()).standings.is_complete


def test_wish_from_elsewhere(tmp_path: Path) -> None:
    backend = Thinker()
    backend.before_next = lambda: Journal(tmp_path).ask_to_stop()
    match = play(tmp_path, plan(), backend)

    assert 0 < len(match.standings.finished) < 20
    assert backend.stops == [False]


def test_a_stop_at_the_very_end_changes_nothing(tmp_path: Path) -> None:
    with Journal.begin(tmp_path, plan(rounds=1)) as journal:
        match = Match(journal, Thinker())
        match.stop()
        match.stop(now=True)
        assert match.run() == STOPPED
    with Journal.begin(tmp_path, plan(rounds=1)) as journal:
        match = Match(journal, Thinker())
        assert match.run() == COMPLETE
        match.stop()
        assert match.run() == COMPLETE


# Crashes.


def crashing(times: int, seq: int = 3, how: str = CRASH) -> Thinker:
    """A backend under which one game ends badly so many times."""
    left = times

    def outcome(job: Mapping[str, Any]) -> Outcome:
        nonlocal left
        if job["head"]["seq"] == seq and left:
            left -= 1
            return how, None if how == VOID else "b"
        return chance(job)

    return Thinker(outcome)


@pytest.mark.parametrize("times", [1, 2])
def test_retry(tmp_path: Path, times: int) -> None:
    """The same game again, and the same table as if nothing had been."""
    play(tmp_path / "calm", plan(), Thinker())
    backend = crashing(times)
    match = play(tmp_path / "odd", plan(), backend)
    (record,) = (r for r in Journal(tmp_path / "odd").records() if r["id"] == "2.2")

    assert [n for name, n in backend.asked if name == "2.2"] == [1, 2, 3][: times + 1]
    assert record["attempt"] == times + 1
    assert (
        record["retried"]
        == [{"how": CRASH, "player": "A", "detail": "by crash"}] * times
    )
    assert match.standings.replayed == {("A", CRASH): times}
    expected = {
        **table(tmp_path / "calm"),
        "replayed": table(tmp_path / "odd")["replayed"],
    }
    assert table(tmp_path / "odd") == expected
    assert (tmp_path / "odd/abnormal/2.2/gtp.log").read_text() == "so"


def test_at_most_twice_again(tmp_path: Path) -> None:
    """Then it is lost, and the last game unless `recover`."""
    match = play(tmp_path / "a", plan(), crashing(3))
    assert not match.standings.is_complete
    assert match.standings.losses["A", CRASH] == 1

    match = play(tmp_path / "b", plan(), crashing(3), recover=True)
    assert match.standings.is_complete
    assert sum(match.standings.games_of("A").cells) == 20


@pytest.mark.parametrize("most", [0, 1, 5])
def test_max_void(tmp_path: Path, most: int) -> None:
    """So many repeats, of crashes and of spoilt games."""
    backend = crashing(99)
    match = play(tmp_path / "a", plan(max_void=most), backend, recover=True)
    assert [n for name, n in backend.asked if name == "2.2"] == [*range(1, most + 2)]
    assert match.standings.losses["A", CRASH] == 1
    with pytest.raises(MatchFailed):
        play(tmp_path / "b", plan(max_void=most), crashing(most + 1, how=VOID))


def test_on_crash_loss(tmp_path: Path) -> None:
    backend = crashing(1)
    match = play(tmp_path, plan(on_crash="loss"), backend, recover=True)

    assert match.standings.losses["A", CRASH] == 1
    assert {attempt for _, attempt in backend.asked} == {1}


def test_on_crash_void(tmp_path: Path) -> None:
    """It counts for nobody, nor does its pair, and it is not played again."""
    match = play(tmp_path, plan(on_crash="void"), crashing(1), recover=True)
    (record,) = (r for r in Journal(tmp_path).records() if r["id"] == "2.2")

    assert match.standings.is_complete
    assert record["result"]["how"] == VOID
    assert record["result"]["detail"] == "crash: by crash"
    assert match.standings.games_of("A").units == 19
    assert match.standings.counts("A", "B").units == 9
    assert match.standings.endings[VOID] == 1


def test_failed_matches_go_on(tmp_path: Path) -> None:
    with Journal.begin(tmp_path, plan()) as journal:
        assert Match(journal, crashing(3)).run() == FAILED
    with Journal.begin(tmp_path, plan()) as journal:
        assert Match(journal, Thinker()).run() == COMPLETE


@pytest.mark.parametrize("how", [TIME, ILLEGAL])
def test_strict(tmp_path: Path, how: str) -> None:
    with Journal.begin(tmp_path / "a", plan()) as journal:
        assert Match(journal, crashing(1, how=how), strict=True).run() == FAILED
    with Journal.begin(tmp_path / "b", plan()) as journal:
        assert Match(journal, crashing(1, how=how)).run() == COMPLETE


def test_spoilt_games(tmp_path: Path) -> None:
    """A game that is void for no reason is tried again, but not for ever."""
    assert play(tmp_path / "a", plan(), crashing(2, how=VOID)).standings.is_complete
    with pytest.raises(MatchFailed, match=r"^game 2.2: by void$"):
        play(tmp_path / "b", plan(), crashing(3, how=VOID))


@pytest.mark.parametrize("how", [TIME, CRASH])
def test_evidence_that_cannot_be_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    """Neither the game nor the match is lost by it, nor is an attempt."""
    Journal.begin(tmp_path, plan()).close()
    tmp_path.joinpath("abnormal").touch()
    match = play(tmp_path, plan(), crashing(1, how=how))

    assert match.standings.is_complete
    assert len(ids(tmp_path)) == 20
    assert "what was said in game 2.2 is not kept: " in caplog.text


def test_games_are_written_before_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(journal: Journal, name: str, *rest: object) -> None:
        assert name in ids(tmp_path)

    monkeypatch.setattr(Journal, "keep", keep)
    play(tmp_path, plan(), crashing(1, how=TIME))


# The sequential test.


SPRT = {"sprt": Sprt(elo0=0, elo1=100), "rounds": None}


def test_verdict_does_not_depend_on_slots(tmp_path: Path) -> None:
    """Nor on the order in which games end; later games are kept, and not counted."""
    found = []
    for slots in (1, 2, 8, 50):
        folder = tmp_path / str(slots)
        match = play(folder, plan(**SPRT), Thinker(slots=slots, seed=slots))
        test = read_standings(Journal(folder)).test
        assert test
        found.append((test.verdict, test.llr, test.counts))
        assert match.standings.is_complete
        assert len(set(ids(folder))) == len(ids(folder))

    assert found == found[:1] * 4
    assert found[0][0] == "H1"


@pytest.mark.parametrize("slots", [1, 4])
def test_no_game_is_far_ahead_of_the_test(tmp_path: Path, slots: int) -> None:
    """While the first game goes on, others wait, or they may be played for nothing."""

    class Slow(Thinker):
        """Its first game ends when no other one runs."""

        def next_done(self, timeout: float | None = None) -> Record | None:
            if len(self.jobs) > 1:
                self.jobs.append(self.jobs.pop(0))  # the first one to the end
                first, self.jobs = self.jobs[-1:], self.jobs[:-1]
                record = super().next_done(timeout)
                self.jobs = first + self.jobs
                return record
            return super().next_done(timeout)

    backend = Slow(slots=slots)
    ends: list[str] = []

    def watch(event: Mapping[str, Any]) -> None:
        if event["event"] == "game":
            ends.append(event["id"])

    play(tmp_path, plan(**SPRT), backend, watch=watch)
    assert ends.index("1.1") == LEAD * slots - 1


def test_a_verdict_is_the_end(tmp_path: Path) -> None:
    """Going on begins no game."""
    play(tmp_path, plan(**SPRT), Thinker())
    games = len(ids(tmp_path))
    backend = Thinker()
    events: list[Mapping[str, Any]] = []
    play(tmp_path, plan(**SPRT), backend, watch=events.append)

    assert backend.asked == []
    assert len(ids(tmp_path)) == games
    assert events[-1]["outcome"] == COMPLETE


def test_single_games(tmp_path: Path) -> None:
    match = play(tmp_path, plan(games=1, **SPRT), Thinker(slots=3))

    assert match.standings.verdict == "H1"
    assert len(match.standings.counts("A", "B").cells) == 3


# What the records add up to.


def test_standings() -> None:
    """By hand: A and B win both games of a pair, then one each, then a draw."""
    made = plan(rounds=3)
    standings = Standings(made)
    sides = ["b", "w", "b", "b", None, "w"]
    for seq, side in enumerate(sides):
        how = "maxmoves" if side is None else RULES
        job = made.job("", made.schedule[seq], 1)
        standings.add(record_of(job, how, side))

    assert standings.games_between("A", "B").cells == (1, 1, 4)
    assert standings.counts("A", "B").cells == (0, 0, 1, 1, 1)
    assert standings.counts("B", "A").cells == (1, 1, 1, 0, 0)
    assert standings.first_player.hits == 3.5
    assert standings.games_of("B").score == pytest.approx(1.5 / 6)


def test_surprise() -> None:
    """A cycle says that all are equal, and nobody's own games fit."""
    made = plan(engines=[*ENGINES, ["name=C", "cmd=c"]], rounds=50)
    standings = Standings(made)
    beats = {("A", "B"), ("B", "C"), ("C", "A")}
    for seq in range(len(made.schedule)):
        fixture = made.schedule[seq]
        side = "b" if (fixture.black, fixture.white) in beats else "w"
        standings.add(record_of(made.job("", fixture, 1), RULES, side))
    found = standings.surprise(standings.ratings(), "A", "B")

    assert found.got == 1
    assert found.expected == pytest.approx(0.5)
    assert found.deviations == pytest.approx(10)
    assert report_text(standings).count("+10.0 standard deviations") == 2


def test_without_an_exchange_of_colours() -> None:
    """The ratings say what Black won, and do not divide it between two causes."""
    made = plan(noswap=True, rounds=100)
    standings = Standings(made)
    for seq in range(100):
        side = "b" if seq % 4 else "w"
        standings.add(record_of(made.job("", made.schedule[seq], 1), RULES, side))
    ratings = standings.ratings()

    assert standings.counts("A", "B").cells == (25, 0, 75)
    assert ratings.advantage is None
    assert ratings.difference("A", "B")[0] == pytest.approx(190.85, abs=0.01)
    assert "moving first" not in report_text(standings)
    assert report_record(standings)["ratings"]["advantage"] is None  # type: ignore[index]


def test_titles(tmp_path: Path) -> None:
    made = plan(rounds=1, event='The "first"', site="Here \\ there")
    match = play(tmp_path, made, Thinker())
    heads = games_pgn(made, Journal(tmp_path).records()).split("\n\n")[0]

    assert report_text(match.standings).splitlines()[0] == 'The "first", Here \\ there'
    assert heads.splitlines()[:2] == [
        r'[Event "The \"first\""]',
        r'[Site "Here \\ there"]',
    ]


def test_half_pairs() -> None:
    made = plan()
    standings = Standings(made)
    standings.add(record_of(made.job("", made.schedule[1], 1), RULES, "b"))

    assert standings.half_units == 1
    assert standings.counts("A", "B").units == 0
    assert "1 of them in unfinished pairs" in report_text(standings)


def test_games_that_do_not_belong() -> None:
    made = plan()
    standings = Standings(made)
    record = record_of(made.job("", made.schedule[1], 1), RULES, "b")
    standings.add(record)
    with pytest.raises(BadRecords, match=r"^game 1.2 is there twice$"):
        standings.add(record)
    with pytest.raises(BadRecords, match=r"^game 9.9 is not as it was scheduled$"):
        standings.add({**record, "id": "9.9", "seq": 2})
    with pytest.raises(BadRecords, match=r"^there is no game number 99$"):
        standings.add({**record, "seq": 99})


WORDS = ('],["b","', '["w",', ',"book"', ']],"swap":null', "\\", ',"final":{', '"', "[")


def said(dice: random.Random, number: int, given: int) -> list[Any]:
    """A turn with whatever may be known of it."""
    took = "book" if number < given else dice.random()
    turn = ["bw"[number % 2], dice.choice(["A1/", "b\\", "C1+C2"]), took]
    text = "".join(dice.choices(WORDS, k=3))
    more = {"c": text, "v": 0.5, "o": {"swap": 1.0, "turns": 0.5, "final": 0.1}}
    keys = dice.sample(sorted(more), dice.randrange(4))
    return [*turn, {key: more[key] for key in keys}] if keys else turn


@pytest.mark.parametrize("seed", range(5))
def test_summaries_are_as_good_as_records(tmp_path: Path, seed: int) -> None:
    """Whatever was said, and whatever programs are called."""
    dice = random.Random(seed)
    made = plan(engines=[["name=swap", "cmd=a"], ["name=clock", "cmd=b"]], rounds=50)
    clock = {"used_ms": 1.5, "delay_ms": 0.5}
    whole, counted = Standings(made), Standings(made)
    for seq in range(100):
        job = made.job("", made.schedule[seq], 1)
        record = record_of(job, RULES, dice.choice("bw"))
        given, number = dice.randrange(4), dice.randrange(30)
        record["turns"] = [said(dice, n, given) for n in range(number)]
        record |= {
            **{"final": {"ply": 3, "hash": ""}, "check": [[20, ""]]},
            "clock": dict.fromkeys(made.engines, clock),
            "engines": {"swap": {"version": "1", "sha256": '],"x":'}},
        }
        line = line_of(record)
        summary = summary_of(line)
        whole.add(lines.record_of(line))
        counted.add(summary)
        assert ("turns" in summary) == (number == 0)
        assert {**record, "turns": 0} | {"counted": 0} == {
            **{"final": record["final"], "check": record["check"]},
            **summary,
            **{"turns": 0, "counted": 0},
        }

    assert report_record(counted) == report_record(whole)
    assert whole.turns > 1000


def test_other_records_have_summaries() -> None:
    """In another order of keys, they are the records."""
    record = {"swap": None, "turns": [["b", "A1", 1.0]], "clock": {}}
    assert summary_of(line_of(record)) == record


def test_numbers() -> None:
    dice = random.Random(1)
    drawn = [dice.randrange(100) for _ in range(150)]
    numbers = Numbers()
    for number in drawn:
        numbers.add(number)

    assert len(numbers) == len(set(drawn))
    assert [n for n in range(120) if n in numbers] == sorted(set(drawn))
    assert numbers.first_missing() == min(set(range(101)) - set(drawn))


def test_no_games_yet() -> None:
    standings = Standings(plan(**SPRT))
    for text in (report_text(standings), players_csv(standings)):
        assert "nan" not in text.lower()
    assert report_record(standings)["total"] is None


# Real games.


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of three players."""
    folder: Path = tmp_path_factory.mktemp("match")
    engines = [*ENGINES, ["name=C", f"cmd={PLAIN}"]]
    made = plan(engines=engines, rounds=2, openings=["random:plies=1,count=2"])
    play_match(made, folder, slots=2)
    return folder


def test_reports(real: Path) -> None:
    journal = Journal(real)
    standings = read_standings(journal)
    text = report_text(standings)

    assert standings.is_complete
    assert text.count(" against ") == 3
    assert text.count("2 pairs: ") == 3
    assert "12 of 12 games" in text
    assert len(games_csv(journal.records()).splitlines()) == 13
    assert players_csv(standings).splitlines()[0].startswith("player,elo,elo_error,")
    assert games_pgn(journal.plan, journal.records()).count("[Result ") == 12
    assert 1 < distinct_games(journal.records()) <= 12


def test_verify(real: Path) -> None:
    assert list(verify(Journal(real))) == []


VOIDED = {"how": VOID, "player": "", "detail": ""}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rec": 2}, "rec is 2, expected 1"),
        ({"rec": None}, "rec is null, expected 1"),
        ({"pair": 99}, "pair is 99, expected 2"),
        ({"round": 1}, "round is 1, expected 0"),
        ({"round": False}, "round is false, expected 0"),
        ({"book": 1}, "book is 1, expected 0"),
        ({"attempt": 0}, "attempt is 0, expected 1"),
        ({"attempt": 2}, "attempt is 2, expected 1"),
        ({"attempt": 4, "retried": [VOIDED] * 3}, "attempt is 4, of 3"),
        ({"attempt": 2, "retried": [{**VOIDED, "how": TIME}]}, "no game is played"),
        ({"attempt": 2, "retried": [{**VOIDED, "player": "A"}]}, "no game is played"),
        ({"seed": 5}, "seed is 5, expected "),
        ({"size": 4}, "size is 4, expected 3"),
        ({"variant": "pie=on"}, "variant is "),
        ({"opening": 0}, "it does not begin with its opening"),
        ({"players": {"black": "A", "white": "A"}}, "is not as it was scheduled"),
        ({"final": None}, "unreadable"),
        ({"turns": 5}, "unreadable"),
        ({"turns": [["b", "Z9", "book"]]}, "it does not begin with its opening"),
        ({"swap": {"taken": True, "opening": "A", "by": "B"}}, "no swap was offered"),
        ({"clock": {}}, "names of clock is "),
        ({"engines": {}}, "names of engines is "),
        ({"observers": {"X": {}}}, "game 3.2 is unreadable: "),
        ({"ms": -1}, "ms is no time"),
    ],
)
def test_verify_finds(real: Path, tmp_path: Path, change: Record, problem: str) -> None:
    """Also what somebody has written with a right checksum."""
    records = sorted(Journal(real).records(), key=lambda record: int(record["seq"]))
    records[5] |= change
    (found,) = verify_again(real, tmp_path, records)

    assert found.startswith(f"game {records[5]['id']}")
    assert problem in found


def verify_again(folder: Path, copy: Path, records: list[Record]) -> list[str]:
    """What is wrong with a match of which these were the records."""
    (copy / GAMES).write_bytes(b"".join(map(line_of, records)))
    (copy / "manifest.json").write_bytes((folder / "manifest.json").read_bytes())
    return list(verify(Journal(copy)))


@pytest.mark.parametrize(
    ("keys", "value", "problem"),
    [
        (("result", "how"), VOID, "void"),
        (("result", "how"), "maxmoves", "maxmoves with the winner"),
        (("turns", 1), ["w", "A1", 1.0, {"c": 5}], "what is said of turn 2"),
        (("turns", 1, 2), None, "what is said of turn 2 cannot be"),
        (("turns", 1, 2), -1, "what is said of turn 2 cannot be"),
        (("turns", 1, 2), True, "what is said of turn 2 cannot be"),
        (("turns", 1, 2), 1e6, "used_ms of "),
        (("turns", 1, 2), "book", "it does not begin with its opening"),
        (("turns", 0, 2), 1.0, "it does not begin with its opening"),
        (("clock", "A", "limit"), "tc=1", 'limit of A is "tc=1", expected "tc=inf"'),
        (("clock", "A", "margin_ms"), 5.0, "margin_ms of A"),
        (("clock", "A", "used_ms"), 1e6, "used_ms of A does not fit the turns"),
        (("clock", "A", "used_ms"), None, "used_ms of A is no time"),
        (("clock", "A", "delay_ms"), "1", "is unreadable"),
        (("clock", "A", "left_ms"), -1, "left_ms of A is no time"),
        (("engines", "A", "seed"), 1, "seed of A is "),
        (("engines", "A", "cmd"), "x", "cmd of A is "),
    ],
)
def test_verify_finds_inside(
    real: Path, tmp_path: Path, keys: tuple[Any, ...], value: object, problem: str
) -> None:
    records = list(Journal(real).records())
    (record,) = (r for r in records if r["id"] == "1.1")
    *path, last = keys
    for key in path:
        record = record[key]
    record[last] = value
    problems = verify_again(real, tmp_path, records)

    assert problems
    assert problem in problems[0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"swap": {}}, "swap is {}, expected "),
        ({"swap": []}, "swap is [], expected "),
        ({"swap": None}, "swap was offered"),
    ],
)
def test_verify_finds_a_swap_that_is_none(
    tmp_path: Path, change: Record, problem: str
) -> None:
    made = plan(variant="pie=on", rounds=1)
    play_match(made, tmp_path / "match")
    records = list(Journal(tmp_path / "match").records())
    records[0] |= change
    (found,) = verify_again(tmp_path / "match", tmp_path, records)

    assert problem in found


def test_verify_knows_the_first_records(real: Path, tmp_path: Path) -> None:
    """They had no depth."""
    records = list(Journal(real).records())
    for record in records:
        for facts in record["engines"].values():
            del facts["depth"]
    assert verify_again(real, tmp_path, records) == []


def test_verify_finds_another_winner(real: Path, tmp_path: Path) -> None:
    records = list(Journal(real).records())
    result, players = records[0]["result"], records[0]["players"]
    is_black = result["side"] == "b"
    result["winner"] = players["white" if is_black else "black"]
    result |= {"side": "w", "score": "0-1"} if is_black else {"side": "b"}
    result["score"] = score_text(RULES, result["side"])
    (found,) = verify_again(real, tmp_path, records)

    assert " has won; the record says rules, " in found


def test_verify_finds_void_games_that_were_won(real: Path, tmp_path: Path) -> None:
    records = list(Journal(real).records())
    records[0]["result"] |= {"winner": None, "side": None, "score": None, "how": VOID}
    (found,) = verify_again(real, tmp_path, records)

    assert found.endswith(": void, and won by the rules")


@pytest.mark.parametrize("on_crash", ["loss", "void", "retry"])
@pytest.mark.parametrize(
    "words",
    [
        *("genmove=crash", "play=crash", "clear_board=crash", "loner"),
        *("genmove=noise", "genmove=illegal", "genmove=slow st=0.1"),
    ],
)
def test_verify_accepts_all_endings(tmp_path: Path, on_crash: str, words: str) -> None:
    """And no other loser of such a game."""
    rude, *more = words.split()
    engines = [["name=A", f"cmd={RUDE} {rude}", *more], ENGINES[1]]
    openings = ["random:plies=2,count=2"]
    made = plan(engines=engines, rounds=2, on_crash=on_crash, openings=openings)
    play_match(made, tmp_path / "m", recover=True)
    assert list(verify(Journal(tmp_path / "m"))) == []

    records = list(Journal(tmp_path / "m").records())
    lost = [record for record in records if record["result"]["winner"] == "B"]
    for record in lost:
        result, players = record["result"], record["players"]
        side = "b" if players["black"] == "A" else "w"
        score = score_text(result["how"], side)
        result |= {"winner": "A", "side": side, "score": score}
    (tmp_path / "copy").mkdir()
    assert len(lost) == (0 if "crash" in words and on_crash == "void" else 4)
    assert len(verify_again(tmp_path / "m", tmp_path / "copy", records)) == len(lost)


def test_verify_looks_at_chances(tmp_path: Path) -> None:
    """Of a game that was adjudicated, by which both players agree."""
    engines = [
        ["name=A", f"cmd={RUDE} turns=C3 chance=0.9", "valuecmd=chance"],
        ["name=B", f"cmd={RUDE} turns=A1+A2+B1+B2 chance=0.1", "valuecmd=chance"],
    ]
    rule = {"movecount": 1, "score": 80.0, "twosided": True}
    folder = tmp_path / "m"
    play_match(
        plan(engines=engines, size=5, rounds=1, noswap=True, resign=rule), folder
    )
    (record,) = Journal(folder).records()

    assert record["result"]["how"] == "adjudicated"
    assert list(verify(Journal(folder))) == []
    for turn in record["turns"]:
        said = turn.pop()
        (found,) = verify_again(folder, tmp_path, [record])
        assert found == "game 1.1: adjudicated against the chances of the last turns"
        turn.append({**said, "v": 0.5})
        assert verify_again(folder, tmp_path, [record]) == [found]
        turn[3] = said


def test_verify_counts_turns(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    play_match(plan(size=6, rounds=1, maxturns=4), folder)
    assert list(verify(Journal(folder))) == []
    first, second = Journal(folder).records()
    assert (first["result"]["how"], first["final"]["ply"]) == ("maxmoves", 4)

    second["result"]["how"] = "maxmoves"
    first["result"] |= {"how": TIME, "side": "b", "score": "1-0"}
    first["result"] |= {"winner": first["players"]["black"], "detail": ""}
    (found,) = verify_again(folder, tmp_path, [first, second])
    assert "detail does not begin with the loser's name" in found


def test_verify_finds_every_altered_byte(real: Path, tmp_path: Path) -> None:
    data = (real / GAMES).read_bytes()
    (tmp_path / "manifest.json").write_bytes((real / "manifest.json").read_bytes())
    dice = random.Random(1)
    for _ in range(40):
        altered = bytearray(data)
        at = dice.randrange(len(data) - 1)
        altered[at] ^= 1 << dice.randrange(8)
        (tmp_path / GAMES).write_bytes(altered)
        assert list(verify(Journal(tmp_path))), f"byte {at}"


def test_check_engines() -> None:
    engines = [["name=A", f"cmd={PLAIN}"], ["name=B", "cmd=/no/such"]]
    good, bad = check_engines(plan(engines=engines))

    assert (good.engine, good.problem) == ("A", "")
    assert good.name
    assert bad.problem.startswith("B: cannot be started")


@pytest.mark.parametrize("seed", [-7, 3_000_000_000, 10**32])
def test_engines_get_seeds_as_in_games(seed: int) -> None:
    """Small ones, whatever that of the match is."""
    ours = f"cmd={sys.executable} -m bin gtp --game flipway"
    made = plan(
        engines=[["name=A", ours], ["name=B", f"cmd={PLAIN}"]],
        observers=[["name=C", ours]],
        seed=seed,
    )
    assert [check.problem for check in check_engines(made)] == [""] * 3
