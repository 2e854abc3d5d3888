"""Observers, the referee, comments: programs that follow a game, and change nothing."""

import contextlib
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_channel import RUDE, wait_until
from test_referee import CROSSCUT, LIMITS, PLAIN, job_of, rude, said

from protocol.channel import Limits
from protocol.checks import check_engines, verify
from protocol.endings import VOID
from protocol.engines import BadEngine, read_watcher
from protocol.journal import Journal
from protocol.match import MatchFailed, mark_of, play_match
from protocol.plan import BadPlan, Plan
from protocol.processes import MARK, Guard, all_processes, sweep
from protocol.records import BadRecord, position_hash, replay
from protocol.referee import play_game
from protocol.reports import report_text, turns_text
from protocol.roster import Roster

TABLE = "watchers.txt"

Record = dict[str, Any]


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    guard = Guard("test")
    yield guard
    guard.close()


def words_of(case: dict[str, str], program: str, more: str) -> list[str]:
    added = shlex.split(case.get(more, ""))
    if case[program] == "plain":
        return [f"cmd={PLAIN}", *added]
    return rude(case[program], *added)


def test_watched_games(case: dict[str, str], guard: Guard) -> None:
    job = job_of(
        words_of(case, "black", "a"),
        words_of(case, "white", "b"),
        opening=case.get("opening", "").split(),
        log=True,
    )
    if "referee" in case:
        job["referee"] = {"R": words_of(case, "referee", "r")}
    if "observer" in case:
        job["observers"] = {"O": words_of(case, "observer", "o")}
    limits = {k: float(case[k]) for k in ("stall", "answer") if k in case}
    roster = Roster(guard, Limits(**{"startup": 20, "quit": 1, "term": 1, **limits}))
    record = play_game(json.loads(json.dumps(job)), roster)
    running = {engine.name for engine in roster.running}
    roster.close()
    assert sweep(guard.mark) == []

    result = record["result"]
    assert (result["how"], result["winner"] or "none") == (case["how"], case["winner"])
    assert re.fullmatch(case.get("detail", ""), result["detail"]), result["detail"]
    if "turns" in case:
        assert [turn[1] for turn in record["turns"]] == case["turns"].split()
    for program, key, fault in (
        ("referee", "referee", "r-fault"),
        ("observer", "observers", "o-fault"),
    ):
        assert (key in record) == (program in case)
        for facts in record.get(key, {}).values():
            assert re.fullmatch(case.get(fault, ""), facts["fault"]), facts["fault"]
    noted = {n: turn[3] for n, turn in enumerate(record["turns"], 1) if turn[3:]}
    lines = (line.split(maxsplit=1) for line in case.get("noted", "").splitlines())
    assert noted == {int(number): json.loads(text) for number, text in lines}
    there = {"A", "B"} | {"R"} & set(record.get("referee", ()))
    there |= set(record.get("observers", ()))
    assert running == there - set(case.get("ended", "").split())
    spoken = iter(said(record))
    for line in case.get("said", "").splitlines():
        assert line in spoken, f"{line} is missing, or not in this place"

    assert json.loads(json.dumps(record)) == record
    assert position_hash(replay(record)) == record["final"]["hash"]


# Whole matches.

ENGINES = [["name=A", f"cmd={PLAIN}"], ["name=B", f"cmd={PLAIN}"]]


def plan(**options: Any) -> Plan:
    engines = options.pop("engines", ENGINES)
    return Plan.of("flipway", engines, **{"size": 4, "seed": 1, "rounds": 5, **options})


@pytest.fixture
def nobody_left(tmp_path: Path) -> Iterator[Path]:
    """A folder; no process of a match there may be left in the end."""
    folder = tmp_path / "match"
    yield folder
    assert sweep(f"{mark_of(Journal(folder))}/") == []


def test_a_foreign_referee_agrees_with_every_game(nobody_left: Path) -> None:
    """Between our engine and another one; and the games are those without it."""
    engines = [["name=A", f"cmd={CROSSCUT} --seed 1"], ENGINES[1]]
    judged = plan(engines=engines, referee=["name=R", f"cmd={PLAIN}"])
    standings = play_match(judged, nobody_left, slots=2)
    records = list(Journal(nobody_left).records())

    assert standings.endings == {"rules": 10}
    assert {record["referee"]["R"]["name"] for record in records} == {"Plain"}
    assert list(verify(Journal(nobody_left))) == []
    alone = nobody_left.with_name("alone")
    play_match(plan(engines=engines), alone)
    assert turns(Journal(alone)) == turns(Journal(nobody_left))


def turns(journal: Journal) -> dict[str, list[str]]:
    return {r["id"]: [turn[1] for turn in r["turns"]] for r in journal.records()}


def test_our_referee_agrees_with_foreign_games(nobody_left: Path) -> None:
    judged = plan(referee=["name=R", f"cmd={CROSSCUT}"])
    assert play_match(judged, nobody_left).endings == {"rules": 10}


@pytest.mark.parametrize("slots", [1, 2, 8])
def test_observers_do_not_depend_on_slots(nobody_left: Path, slots: int) -> None:
    """What they say is written down; what they do wrong is told, and that is all."""
    observers = [
        ["name=V", f"cmd={RUDE} chance=0.48", "valuecmd=chance"],
        ["name=W", f"cmd={RUDE} play:3=crash"],
    ]
    made = plan(observers=observers, rounds=2)
    events: list[Record] = []
    standings = play_match(made, nobody_left, slots=slots, watch=events.append)
    records = {record["id"]: record for record in Journal(nobody_left).records()}

    fault = r"play b \S+: ended with status 3"
    for name, record in records.items():
        values = [turn[3]["o"]["V"] for turn in record["turns"][:-1]]
        assert set(values) == {0.48}
        assert len(record["turns"][-1]) == 3
        assert record["observers"]["V"]["fault"] == ""
        assert re.fullmatch(fault, record["observers"]["W"]["fault"])
        assert (
            nobody_left / "abnormal" / name / "W.err"
        ).read_text() == "out of luck\n"
    told = [event for event in events if event["event"] == "warning"]
    assert {event["id"] for event in told} == set(records)
    assert all(re.fullmatch(f"W: {fault}", event["detail"]) for event in told)
    text = report_text(standings)
    assert re.search(
        rf"^warning: W failed in 4 games, first in .*: {fault}$", text, re.M
    )
    assert "V failed" not in text
    assert list(verify(Journal(nobody_left))) == []


def test_a_dispute_ends_the_match(nobody_left: Path) -> None:
    """After as many attempts as a game has; all that was said is there."""
    made = plan(referee=["name=R", f"cmd={RUDE} play:3=refuse score=B+"])
    reason = r"^game 1.1: turn 3: our rules accept b \S+; referee R: .*refused.*; B acc"
    with pytest.raises(MatchFailed, match=reason):
        play_match(made, nobody_left)

    assert list(Journal(nobody_left).records()) == []
    for attempt in ("1.1", "1.1-2", "1.1-3"):
        files = {path.name for path in (nobody_left / "abnormal" / attempt).iterdir()}
        assert files == {"gtp.log", "A.err", "B.err", "R.err"}


def test_a_dispute_that_does_not_come_back_is_told(nobody_left: Path) -> None:
    """A referee that fails once: it leaves a mark in the folder where it runs."""
    nobody_left.parent.joinpath("once").touch()
    referee = f"{RUDE} score=B+"
    shell = f"rm once 2>&- && exec {referee} play:2=crash || exec {PLAIN}"
    words = ["name=R", f"cmd=sh -c {shlex.quote(shell)}", f"dir={nobody_left.parent}"]
    standings = play_match(plan(referee=words, rounds=1), nobody_left)
    first = next(r for r in Journal(nobody_left).records() if r["id"] == "1.1")

    assert standings.is_complete
    assert first["attempt"] == 2
    assert first["retried"][0]["how"] == VOID
    text = "nobody: 1 replayed after void, first 1.1: turn 2: referee R: play w "
    assert text in report_text(standings)


def test_who_watches_is_checked_before(guard: Guard) -> None:
    made = plan(
        referee=["name=R", f"cmd={RUDE}"],
        observers=[["name=V", f"cmd={PLAIN}"], ["name=W", "cmd=/no/such"]],
    )
    found = {check.engine: check for check in check_engines(made)}

    assert list(found) == ["A", "B", "R", "V", "W"]
    assert (found["V"].name, found["V"].problem) == ("Plain", "")
    assert found["R"].problem == "R: does not know final_score"
    assert found["W"].problem.startswith("W: cannot be started")


def test_what_is_killed_leaves_nobody_behind(tmp_path: Path) -> None:
    """The match is killed while referee and observer have children of their own."""
    command = ["--game", "flipway", "--size", "3", "--srand", "1", "--rounds", "500"]
    command += ["--each", f"cmd={RUDE} genmove=slow", "--engine", "name=A"]
    command += ["args=turns=A1", "--engine", "name=B"]
    command += ["--referee", "name=R", f"cmd={RUDE} score=B+ play:1=fork"]
    command += ["--observer", "name=V", f"cmd={RUDE} play:1=escape"]
    command += ["--progress", "json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bin", "match", *command, "--out", str(tmp_path / "m")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    for line in process.stdout:
        if '"game"' in line:
            break
    mark = mark_of(Journal(tmp_path / "m"))
    there = marked(mark)
    process.kill()
    process.communicate()
    assert len(there) == 6
    assert wait_until(lambda: not marked(mark))


def marked(mark: str) -> list[int]:
    """The processes of a match."""
    if not Path("/proc/self/environ").exists():
        pytest.skip("needs /proc")
    found = []
    for pid in all_processes():
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes():
                found.append(pid)
    return found


# Comments.


def test_a_long_comment_keeps_its_end(nobody_left: Path) -> None:
    """A megabyte on standard error, and the match goes on where it stopped."""
    rude = f"cmd={RUDE} turns=A1 genmove=flood"
    made = plan(engines=[["name=A", rude, "comments=on"], ENGINES[1]], rounds=1)
    play_match(made, nobody_left)
    records = list(Journal(nobody_left).records())
    standings = play_match(made, nobody_left)

    turns = [turn for record in records for turn in record["turns"] if turn[3:]]
    assert {turn[1] for turn in turns} <= {"A1", "resign"}
    assert len(turns) >= 2
    for turn in turns:
        assert turn[3] == {"c": "…" + "x" * 1991 + "\nthe end"}
    assert list(verify(Journal(nobody_left))) == []
    silent = plan(engines=[["name=A", rude], ENGINES[1]], rounds=1)
    without = play_match(silent, nobody_left.with_name("silent"))
    assert standings.endings == without.endings
    assert standings.games == without.games


def test_turns_with_all_that_is_known_of_them() -> None:
    turns = [
        ["b", "C3", "book", {"o": {"V": 0.25}}],
        ["w", "A1", 1500.0, {"v": 0.5, "o": {"V": 0.75, "W": 0.5}, "c": "one\n\n two"}],
        ["b", "resign", 0.4],
    ]
    assert turns_text({"turns": turns}).splitlines() == [
        "   1 b C3  book  V 25.0%",
        "   2 w A1  1.500 s  50.0%  V 75.0%  W 50.0%",
        "     one",
        "",
        "      two",
        "   3 b resign  0.000 s",
    ]


# Plans.


def test_a_plan_without_them_is_what_it_was_before_there_were_any() -> None:
    """Runs of older versions go on: their id is the hash of the manifest."""
    made = Plan.of(
        "flipway", [["name=A", "cmd=a"], ["name=B", "cmd=b"]], size=4, seed=1
    )
    assert made.run == (
        "ee14914d6e3864962acff61a78cf249962d3838409036b360b4b3a82425fd768"
    )


def test_a_plan_with_them_comes_back() -> None:
    made = plan(referee=["cmd=/bin/judge -x"], observers=[["name=V", "cmd=v"]])
    again = Plan.read(made.manifest)
    job = again.job("", again.schedule[0], 1)

    assert again == made
    assert made.run != plan().run
    assert job["referee"] == {"judge": ["cmd=/bin/judge -x"]}
    assert job["observers"] == {"V": ["name=V", "cmd=v"]}
    assert "referee" not in plan().job("", made.schedule[0], 1)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            {"referee": ["name=A", "cmd=r"]},
            "two engines are called A: give each a name=",
        ),
        ({"observers": [["cmd=v"], ["cmd=v"]]}, "two engines are called v"),
        ({"observers": [["cmd=r"]], "referee": ["cmd=r"]}, "two engines are called r"),
        ({"referee": ["name=book", "cmd=r"]}, "no engine may be called book"),
        ({"referee": ["name=R"]}, "an engine needs cmd="),
        (
            {"observers": [["cmd=v", "tc=5"]]},
            "'tc' is not for observers and referees, allowed: name cmd args dir env",
        ),
        ({"referee": ["cmd=v", "comments=on"]}, "'comments' is not for observers"),
        ({"referee": ["cmd=v", "colour=red"]}, "'colour' is not for observers"),
        ({"referee": ["cmd=v", "restart=1"]}, "restart is '1', allowed: on off"),
    ],
)
def test_bad_plans(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadPlan) as caught:
        plan(**options)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    ("found", "changed"),
    [
        (b'"R": [', b'"A": ['),
        (b'"cmd=r"', b'"tc=5"'),
        (b'"referee": {', b'"referee": {"S": ["cmd=s"],'),
    ],
)
def test_bad_manifests(found: bytes, changed: bytes) -> None:
    manifest = plan(referee=["name=R", "cmd=r"]).manifest
    assert found in manifest
    with pytest.raises(BadPlan):
        Plan.read(manifest.replace(found, changed))


def test_a_job_in_which_a_name_is_there_twice(guard: Guard) -> None:
    job = job_of(rude(""), rude(""), observers={"A": rude("")})
    with pytest.raises(BadRecord, match="two names"):
        play_game(job, Roster(guard, LIMITS))


def test_words_of_watchers() -> None:
    words = ["name=V", "cmd=v", "args=-x", "dir=d", "env.K=1", "init=komi 0"]
    words += ["option.playouts=5", "valuecmd=chance", "restart=on", "stderr=e"]
    engine = read_watcher([*words, "proto=gtp"])
    assert engine.init == ("komi 0", "param_search playouts 5")
    with pytest.raises(BadEngine, match="nodes"):
        read_watcher([*words, "nodes=5"])
