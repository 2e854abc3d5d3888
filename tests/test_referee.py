"""One game: every kind of ending, swaps, what engines are told, records, slots."""

import copy
import json
import os
import re
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import pytest
from test_channel import HERE, RUDE, is_running, wait_until

from protocol.channel import Limits
from protocol.endings import ENDINGS
from protocol.engines import CONTROLS, READERS
from protocol.processes import Guard, processors, shares
from protocol.records import BadRecord, position_hash, position_text, replay, rules_of
from protocol.referee import play_game
from protocol.roster import Roster
from protocol.workers import Workers

TABLE = "referee.txt"
CROSSCUT = f"{shlex.quote(sys.executable)} -m bin gtp --game flipway --player random"
PLAIN = shlex.join([sys.executable, "-S", str(HERE / "engines/plain.py")])
LIMITS = Limits(startup=20, answer=20, stall=20, quit=1, term=1)

Record = dict[str, Any]


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    guard = Guard("test")
    yield guard
    guard.close()


@pytest.fixture
def roster(guard: Guard) -> Iterator[Roster]:
    roster = Roster(guard, LIMITS)
    yield roster
    pids = [channel.pid for channel in roster.running.values()]
    roster.close()
    assert not roster.running
    assert wait_until(lambda: not any(map(is_running, pids)))


def rude(words: str, *more: str) -> list[str]:
    return [f"cmd={RUDE} {words}" if words != "none" else "cmd=/no/such", *more]


def job_of(a: list[str], b: list[str], **more: Any) -> dict[str, Any]:
    """A game of Flipway on a board of 3 between A, black, and B."""
    return {
        "head": {"id": "g"},
        "game": "flipway",
        "size": 3,
        "variant": {},
        "players": {"black": "A", "white": "B"},
        "engines": {"A": a, "B": b},
        "seed": 1,
        "log": True,
        **more,
    }


def said(record: Record) -> list[str]:
    """The log without times and numbers."""
    lines = record["evidence"]["gtp.log"].splitlines()
    pattern = re.compile(r"[0-9.-]+ (\S+ [<>]) [=?]?[0-9]+ ?(.*)")
    return [f"{m[1]} {m[2]}" for line in lines if (m := pattern.fullmatch(line))]


def test_endings(case: dict[str, str], guard: Guard) -> None:
    job = job_of(
        rude(case["black"], *shlex.split(case.get("a", ""))),
        rude(case["white"], *shlex.split(case.get("b", ""))),
        opening=case.get("opening", "").split(),
        maxturns=int(case.get("maxturns", 0)),
    )
    job["variant"] = dict([case["variant"].split("=")]) if "variant" in case else {}
    if "resign" in case:
        pairs = (word.split("=") for word in case["resign"].split())
        job["resign"] = {key: int(value) for key, value in pairs}
    limits = {k: float(case[k]) for k in ("stall", "answer") if k in case}
    roster = Roster(guard, Limits(**{"startup": 20, "quit": 1, "term": 1, **limits}))
    record = play_game(json.loads(json.dumps(job)), roster)
    running = {engine.name for engine in roster.running}
    pids = [channel.pid for channel in roster.running.values()]
    roster.close()

    result = record["result"]
    assert (result["how"], result["winner"] or "none") == (case["how"], case["winner"])
    assert re.fullmatch(case.get("detail", result["detail"]), result["detail"])
    if "raw" in case:
        assert result["raw"] == case["raw"]
    if "turns" in case:
        assert [turn[1] for turn in record["turns"]] == case["turns"].split()
    if "book" in case:
        assert record["opening"] == int(case["book"])
    swap = record["swap"]
    if "swap" in case:
        opening, by, taken = case["swap"].split()
        assert (swap["opening"], swap["by"] or "-") == (opening, by)
        assert swap["taken"] == (taken == "yes")
    else:
        assert swap is None
    if "stderr" in case:
        assert record["evidence"]["B.err"].strip() == case["stderr"]
    assert running == {"A", "B"} - set(case.get("ended", "").split())
    lines = iter(said(record))
    for line in case.get("said", "").splitlines():
        assert line in lines, f"{line} is missing, or not in this place"

    assert json.loads(json.dumps(record)) == record
    assert position_hash(replay(record)) == record["final"]["hash"]
    assert wait_until(lambda: not any(map(is_running, pids)))


def test_the_table_has_every_ending() -> None:
    lines = (HERE / "tables" / TABLE).read_text(encoding="utf-8").splitlines()
    assert {f"how: {how}" for how in ENDINGS if how != "void"} <= set(lines)


def test_a_game_that_is_interrupted_is_void(roster: Roster) -> None:
    job = job_of(rude("turns=C1"), rude("genmove=silent stubborn"))
    threading.Timer(0.5, roster.interrupt).start()
    record = play_game(job, roster)
    result = record["result"]
    assert (result["how"], result["winner"], result["score"]) == ("void", None, None)
    assert not roster.running
    replay(record)
    assert play_game(job, roster)["turns"] == []


def test_engines_go_on_to_the_next_game(roster: Roster) -> None:
    job = job_of(rude("turns=C1"), rude("clear_board:2=crash"))
    first = play_game(job, roster)
    pids = {engine.name: channel.pid for engine, channel in roster.running.items()}
    second = play_game(job, roster)
    assert second["result"]["how"] == "crash"
    third = play_game(job, roster)
    later = {engine.name: channel.pid for engine, channel in roster.running.items()}
    assert pids["A"] == later["A"]
    assert pids["B"] != later["B"]
    assert first["turns"][0][:2] == third["turns"][0][:2] == ["b", "C1"]
    told = said(third)
    assert "B > boardsize 3" in told
    assert [line for line in told if line.startswith("A >")][:3] == [
        "A > set_random_seed 823017359",
        "A > clear_board",
        "A > genmove b",
    ]


def test_whole_seconds_for_those_who_know_no_others(roster: Roster) -> None:
    a = rude("turns=C1 time_left=whole genmove=slow", "tc=5:00")
    record = play_game(job_of(a, rude("turns=A1+A2+B1+B2")), roster)
    told = [line for line in said(record) if line.startswith("A > time_left")]
    assert record["result"]["how"] == "resign"
    assert told[0] == "A > time_left b 300 0"
    assert told[1].startswith("A > time_left b 299.")
    assert told[2:] == ["A > time_left b 299 0"]

    record = play_game(job_of(a, rude("turns=A1+A2+B1+B2")), roster)
    told = [line for line in said(record) if line.startswith("A > time_left")]
    assert told == ["A > time_left b 300 0", "A > time_left b 299 0"]


@pytest.mark.parametrize("deed", ["slow", "silent"])
def test_a_fallen_flag_leaves_nothing(deed: str, roster: Roster) -> None:
    a = rude(f"turns=C1 genmove:2={deed}", "tc=0.2")
    record = play_game(job_of(a, rude("turns=A1+A2+B1+B2")), roster)
    clock = record["clock"]["A"]
    assert record["result"]["how"] == "time"
    assert clock["left_ms"] == 0
    assert clock["used_ms"] >= 200


def test_an_engine_that_ended_between_games_is_started_anew(
    roster: Roster, caplog: pytest.LogCaptureFixture
) -> None:
    job = job_of(rude("turns=C1"), rude(""))
    first = play_game(job, roster)
    channels = {engine.name: channel for engine, channel in roster.running.items()}
    os.kill(channels["A"].pid, signal.SIGKILL)
    assert wait_until(lambda: channels["A"].has_ended)
    second = play_game(job, roster)
    assert first["result"] == second["result"]
    assert "A ended between games" in caplog.text


def test_engines_change_colours_and_keep_their_seeds(roster: Roster) -> None:
    job = job_of(rude("turns=C1"), rude("turns=A1"))
    first = play_game(job, roster)
    job["players"] = {"black": "B", "white": "A"}
    second = play_game(job, roster)
    assert second["turns"][0][1] == "A1"
    assert first["engines"]["A"]["seed"] == second["engines"]["A"]["seed"]
    assert first["engines"]["A"]["seed"] != first["engines"]["B"]["seed"]


def test_an_engine_is_set_up_anew_for_another_game(roster: Roster) -> None:
    job = job_of(rude(""), rude(""))
    play_game(job, roster)
    record = play_game({**job, "variant": {"pie": "on"}, "size": 4}, roster)
    lines = said(record)
    assert lines.index("A > param_game pie on") < lines.index("A > boardsize 4")


def test_engines_that_must_be_restarted_are(roster: Roster) -> None:
    job = job_of(rude(""), rude("", "restart=on"))
    play_game(job, roster)
    assert [engine.name for engine in roster.running] == ["A"]


def play_against(roster: Roster, other: str, **engines: list[str]) -> Record:
    """A game of A against the other one; all are the same but for their names."""
    words = {name: rude("") for name in ("A", other)} | engines
    players = {"black": "A", "white": other}
    return play_game({**job_of([], []), "engines": words, "players": players}, roster)


def pids_of(roster: Roster) -> dict[str, int]:
    return {engine.name: channel.pid for engine, channel in roster.running.items()}


def test_engines_stay_for_later_games(roster: Roster) -> None:
    """Those used last, and they hear nothing while others play."""
    for other in "BCDEF":
        play_against(roster, other)
    first = pids_of(roster)
    b = next(c for engine, c in roster.running.items() if engine.name == "B")
    numbers = []
    for _ in range(2):
        b.ask("name")
        numbers.append(int(b.log[-2][2].split()[0]))
        play_against(roster, "C")
    assert numbers[1] == numbers[0] + 1
    assert set(first) == set("ABCDEF")
    assert pids_of(roster) == first
    play_against(roster, "G")  # B has waited for longest
    assert set(pids_of(roster)) == set("ACDEFG")
    assert not is_running(first["B"])
    play_against(roster, "B")
    assert set(pids_of(roster)) == set("ABCEFG")


@pytest.mark.parametrize("deed", ["last_word", "later"])
def test_what_idle_engines_do_costs_no_game(
    roster: Roster, caplog: pytest.LogCaptureFixture, deed: str
) -> None:
    """They are started anew."""
    b = rude(f"clear_board={deed}")
    before = play_against(roster, "B", B=b)
    pid = pids_of(roster).get("B")
    play_against(roster, "C")
    time.sleep(0.3)
    after = play_against(roster, "B", B=b)
    assert before["result"] == after["result"]
    assert pids_of(roster)["B"] != pid
    assert "between games: starting it anew" in caplog.text


def test_the_record_says_what_engines_and_clocks_were(roster: Roster) -> None:
    job = job_of(rude("turns=C1 genmove=slow", "tc=1:00:00+2"), rude("genmove=slow"))
    record = play_game(job, roster)
    a, b = record["clock"]["A"], record["clock"]["B"]
    assert (a["limit"], b["limit"]) == ("tc=3600+2", "tc=inf")
    assert a["announced"] == "kata-time_settings fischer 3600 2"
    assert a["used_ms"] == record["turns"][0][2] >= 300
    assert a["left_ms"] == pytest.approx(3602000 - a["used_ms"], abs=0.2)
    assert b["left_ms"] is None
    assert a["latency_ms"] < 300
    engine = record["engines"]["A"]
    assert (engine["name"], engine["version"]) == ("Rude", "")
    assert len(engine["sha256"]) == 64
    assert "genmove=slow" in engine["cmd"]
    assert record["id"] == "g"
    assert record["ms"] >= 600


def test_a_log_is_kept_of_odd_games_only(roster: Roster) -> None:
    usual = play_game(job_of(rude(""), rude(""), log=False), roster)
    odd = play_game(job_of(rude("turns=Z1"), rude(""), log=False), roster)
    assert "evidence" not in usual
    assert set(odd["evidence"]) == {"gtp.log", "A.err", "B.err"}


JOB_FAULTS = r"go|2 to 25|maybe|unknown key|C1 is taken|two names"


@pytest.mark.parametrize(
    "change",
    [
        {"game": "go"},
        {"size": 99},
        {"variant": {"pie": "maybe"}},
        {"engines": {"A": ["x=1"], "B": ["cmd=x"]}},
        {"opening": ["C1", "C1"]},
        {"players": {"black": "A", "white": "A"}},
    ],
)
def test_a_job_that_describes_no_game(roster: Roster, change: Record) -> None:
    job = job_of(rude(""), rude(""))
    with pytest.raises(ValueError, match=JOB_FAULTS):
        play_game({**job, **change}, roster)


def test_positions_are_written_as_showboard_shows_them() -> None:
    position = rules_of({"game": "flipway", "size": 2, "variant": "pie=on"}).start()
    position = position.play(position.read("A1")).play("swap")
    assert position_text(position).splitlines() == [
        "flipway 2 setup=empty,phase=0,pie=on",
        *position.diagram().splitlines(),
        "black to move",
    ]
    assert position_hash(position).startswith("sha256:")


@pytest.fixture(scope="module")
def records(guard: Guard) -> Iterator[list[Record]]:
    """Games between Crosscut and an engine that shares nothing with it."""
    a, b = [f"cmd={CROSSCUT} --seed 1"], [f"cmd={PLAIN}"]
    roster = Roster(guard, LIMITS)
    jobs = [job_of(a, b, size=5, seed=seed) for seed in range(12)]
    for job in jobs[::2]:
        job["players"] = {"black": "B", "white": "A"}
    yield [play_game(job, roster) for job in jobs]
    roster.close()


def test_a_foreign_engine_plays(records: list[Record]) -> None:
    assert {record["result"]["how"] for record in records} == {"rules"}
    assert {record["result"]["detail"] for record in records} == {""}
    assert {record["result"]["winner"] for record in records} == {"A", "B"}
    assert {record["engines"]["B"]["name"] for record in records} == {"Plain"}
    for record in records:
        assert replay(record).winner is not None


def test_the_same_seed_gives_the_same_game(records: list[Record], guard: Guard) -> None:
    a, b = [f"cmd={CROSSCUT} --seed 7"], [f"cmd={PLAIN}"]
    roster = Roster(guard, LIMITS)
    again = play_game(job_of(a, b, size=5, seed=11), roster)
    roster.close()
    assert [t[:2] for t in again["turns"]] == [t[:2] for t in records[11]["turns"]]
    assert again["final"] == records[11]["final"]


def alter(path: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        *keys, last = path.split(".")
        for key in keys:
            record = record[int(key)] if isinstance(record, list) else record[key]
        record[int(last) if isinstance(record, list) else last] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        ("turns.0.0", "w", "turn 1 is not w's"),
        ("turns.1.1", "A1", "turn 2"),
        ("turns.1.1", "x", "turn 2"),
        ("turns", [], "number of turns"),
        ("final.ply", 3, "number of turns"),
        ("final.to_move", "x", "number of turns"),
        ("final.hash", "sha256:0", "last position"),
        ("check", [[20, "sha256:0"]], "another one"),
        ("swap", {"taken": False}, "no swap was offered"),
        ("result.how", "boredom", "no game ends"),
        ("result.how", "resign", "resign"),
        ("result.how", "time", "by the rules"),
        ("result.how", "void", "do not belong together|with the winner"),
        ("result.winner", None, "do not belong together"),
        ("result.winner", "C", "do not belong together"),
        ("result.score", "1/2-1/2", "do not belong together"),
        ("players.black", "C", "do not belong together"),
        ("size", 4, "turn|position"),
        ("size", 99, "2 to 25"),
        ("variant", "pie=on", "swap was offered"),
        ("game", "go", "unknown or missing"),
    ],
)
def test_an_altered_record_is_found_out(
    records: list[Record], path: str, value: Any, text: str
) -> None:
    record = copy.deepcopy(
        next(r for r in records if r["result"]["side"] == "b" and not r["check"])
    )
    replay(record)
    alter(path, value)(record)
    with pytest.raises(BadRecord, match=text):
        replay(record)


def test_positions_are_checked_every_twenty_turns(roster: Roster) -> None:
    a = b = [f"cmd={CROSSCUT} --seed 1"]
    record = play_game(job_of(a, b, size=9), roster)
    assert [number for number, _ in record["check"]] == list(
        range(20, len(record["turns"]) + 1, 20)
    )
    replay(record)
    record["check"][0][1] = "sha256:0"
    with pytest.raises(BadRecord, match="after turn 20"):
        replay(record)


# Workers.


def jobs(count: int, a: list[str], b: list[str]) -> list[dict[str, Any]]:
    made = [job_of(a, b, size=5, seed=seed, log=False) for seed in range(count)]
    for number, job in enumerate(made):
        job["head"] = {"id": number}
    return made


def play_all(workers: Workers, played: list[dict[str, Any]]) -> dict[int, Record]:
    for job in played:
        workers.submit(job)
    records = []
    while record := workers.next_done():
        records.append(record)
    assert workers.open_jobs == 0
    return {record["id"]: record for record in records}


def test_slots_do_not_change_games() -> None:
    made = jobs(6, [f"cmd={CROSSCUT} --seed 1"], [f"cmd={PLAIN}"])
    found = []
    for slots in (1, 2):
        with Workers(slots, limits=LIMITS) as workers:
            records = play_all(workers, made)
            assert workers.next_done(timeout=0) is None
        assert {r["worker"] for r in records.values()} <= set(range(slots))
        found.append(
            [[turn[:2] for turn in records[number]["turns"]] for number in range(6)]
        )
    assert found[0] == found[1]


def test_stopping_is_prompt_and_every_job_comes_back() -> None:
    made = jobs(5, rude("turns=C1"), rude("genmove=silent stubborn"))
    with Workers(2) as workers:
        for job in made:
            workers.submit(job)
        assert workers.next_done(timeout=0.5) is None
        began = time.monotonic()
        workers.stop()
        records = play_all(workers, [])
    assert time.monotonic() - began < Limits().quit
    assert {record["result"]["how"] for record in records.values()} == {"void"}
    assert set(records) == set(range(5))


def test_a_slot_rests_between_games_and_not_after_them() -> None:
    made = jobs(3, rude(""), rude(""))
    with Workers(1, limits=LIMITS, wait=0.4) as workers:
        began = time.monotonic()
        records = play_all(workers, made[:2])
        assert time.monotonic() - began >= 0.4
        began = time.monotonic()
        workers.submit(made[2])
        workers.stop(now=False)
        records |= play_all(workers, [])
    assert time.monotonic() - began < 0.4
    hows = [records[number]["result"]["how"] for number in range(3)]
    assert hows == ["resign", "resign", "void"]


def test_stopping_can_wait_for_running_games() -> None:
    made = jobs(4, rude("turns=C1"), rude("genmove=slower"))
    with Workers(1, limits=LIMITS) as workers:
        for job in made:
            workers.submit(job)
        assert workers.next_done(timeout=0.4) is None
        workers.stop(now=False)
        records = play_all(workers, [])
    hows = [records[number]["result"]["how"] for number in range(4)]
    assert hows == ["resign", "void", "void", "void"]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs affinity")
def test_slots_keep_to_their_processor_and_tell_their_number() -> None:
    cpu = max(os.sched_getaffinity(0))
    program = "import os; print(os.sched_getaffinity(0), os.environ['CROSSCUT_SLOT'])"
    a = [f"cmd={shlex.join([sys.executable, '-c', program])}"]
    with Workers(1, limits=LIMITS, cpus=[[cpu]]) as workers:
        (record,) = play_all(workers, jobs(1, a, rude(""))).values()
    assert record["result"]["raw"].split() == [f"{{{cpu}}}", "0"]
    assert record["cpus"] == [cpu]


@pytest.mark.skipif(len(processors()) < 2, reason="needs two processors")
def test_slots_have_shares_of_the_processors() -> None:
    with Workers(2, limits=LIMITS) as workers:
        records = play_all(workers, jobs(6, rude("turns=C1"), rude("genmove=resign")))
        found = {record["worker"]: record["cpus"] for record in records.values()}
    assert found.items() <= dict(enumerate(shares(2, processors()))).items()
    assert [cpu for share in shares(2, processors()) for cpu in share] == processors()
    with Workers(2, limits=LIMITS, cpus=()) as workers:
        records = play_all(workers, jobs(2, rude("turns=C1"), rude("genmove=resign")))
    assert not any("cpus" in record for record in records.values())


def test_a_job_that_cannot_be_played_comes_back_as_void(
    caplog: pytest.LogCaptureFixture,
) -> None:
    job = {**jobs(1, rude(""), rude(""))[0], "game": "go"}
    with Workers(1, limits=LIMITS) as workers:
        (record,) = play_all(workers, [job]).values()
    assert record["result"]["how"] == "void"
    assert "go" in record["result"]["detail"]
    assert "while playing" in caplog.text


def test_leaving_by_an_error_stops_the_games() -> None:
    def fail() -> None:
        with Workers(1) as workers:
            workers.submit(jobs(1, rude("genmove=silent stubborn"), rude(""))[0])
            assert workers.next_done(timeout=0.3) is None
            raise ZeroDivisionError

    began = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        fail()
    assert time.monotonic() - began < Limits().quit


# The text.

SPEC = (HERE.parent / "spec" / "matches.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> set[str]:
    """The words in backticks in the first column of the tables of one section."""
    section = SPEC.partition(f"\n## {heading}")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows
    return {word for row in rows for word in re.findall("`(.*?)`", row.split("|")[1])}


def test_the_text_names_the_keys_of_engines() -> None:
    more = {"init", "env.NAME", "option.NAME", "proto"}
    assert first_cells("2 Engines") == {*READERS, *CONTROLS, *more}


def test_the_text_names_the_endings() -> None:
    assert first_cells("4 ") == set(ENDINGS)


def test_the_text_names_the_keys_of_jobs_and_records(roster: Roster) -> None:
    job = job_of(rude(""), rude(""), opening=[], maxturns=0, resign=None)
    job |= {"observers": {"O": rude("")}, "referee": {"R": rude("score=B+")}}
    record = play_game(job, roster)
    keys = {*record, "worker", "cpus"} - set(job["head"])
    assert first_cells("5 Jobs") == set(job)
    assert first_cells("6 Records") - {"head"} == keys


def test_the_text_names_the_limits_and_the_hash_of_showboard(roster: Roster) -> None:
    limits, text = Limits(), " ".join(SPEC.split())
    for number in (limits.startup, limits.answer, limits.stall):
        assert f" {number:.0f} for " in text
    assert f"input, {limits.quit:.0f} seconds later SIGTERM, {limits.term:.0f}" in text
    job = job_of([f"cmd={CROSSCUT} --seed 1"], rude("turns="), size=3)
    record = play_game(job, roster)
    board = next(iter(roster.running.values())).ask("showboard").text
    assert f"sha256:{sha256(board.encode()).hexdigest()}" == record["final"]["hash"]
