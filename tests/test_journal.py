"""The folder of a match: nothing lost, nothing taken for true that is not."""

import errno
import json
import os
import random
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest

from protocol.journal import GAMES, MANIFEST, BadJournal, Busy, Journal, whole_lines
from protocol.lines import CRC, BadLine, line_of, record_of
from protocol.plan import LATER, BadPlan, Plan
from protocol.strength.sprt import Sprt

DEEP = b"[" * 100_000
ENGINES = [["name=A", "cmd=a"], ["name=B", "cmd=b"]]


def plan(**options: Any) -> Plan:
    engines = options.pop("engines", ENGINES)
    return Plan.of("flipway", engines, **{"size": 4, "seed": 1, **options})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "match"


def fill(folder: Path, games: int) -> None:
    with Journal.begin(folder, plan()) as journal:
        for number in range(games):
            journal.append({"run": journal.run, "n": number, "text": "ä \n \\"})


def numbers(folder: Path) -> list[int]:
    return [record["n"] for record in Journal(folder).records()]


# Lines.


@pytest.mark.parametrize("record", [{"a": 1}, {"a": "é\n", "crc": "x"}, {"": [{}]}])
def test_lines(record: dict[str, Any]) -> None:
    line = line_of(record)

    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert record_of(line) == record
    assert json.loads(line)["crc"] == line[-11:-3].decode()


def test_every_altered_byte_is_noticed() -> None:
    line = line_of({"run": "r", "turns": [["b", "C3", 1.5]]})
    dice = random.Random(1)
    for at in range(len(line)):
        altered = bytearray(line)
        altered[at] ^= 1 << dice.randrange(8)
        with pytest.raises(BadLine, match=r"^the checksum is wrong$"):
            record_of(bytes(altered))


def test_deep_lines() -> None:
    body = b'{"a":' + DEEP
    with pytest.raises(BadLine, match=r"^the line is no record$"):
        record_of(body + CRC % zlib.crc32(body))


# Folders.


def test_records_are_there_again(folder: Path) -> None:
    fill(folder, 3)

    assert numbers(folder) == [0, 1, 2]
    assert Journal(folder).plan == plan()


def test_begin_goes_on(folder: Path) -> None:
    fill(folder, 2)
    fill(folder, 1)

    assert numbers(folder) == [0, 1, 0]


@pytest.mark.parametrize("cut", [1, 2, 10, 30])
def test_a_torn_line_is_cut(folder: Path, cut: int) -> None:
    """Wherever the last line was torn, the ones before stay, and more may follow."""
    fill(folder, 3)
    path = folder / GAMES
    os.truncate(path, path.stat().st_size - cut)

    assert numbers(folder) == [0, 1]
    with Journal.resume(folder) as journal:
        assert list(journal.records())[-1]["n"] == 1
        journal.append({"run": journal.run, "n": 7})
    assert numbers(folder) == [0, 1, 7]


def test_a_single_torn_line(folder: Path) -> None:
    fill(folder, 1)
    os.truncate(folder / GAMES, 5)

    Journal.resume(folder).close()
    assert (folder / GAMES).read_bytes() == b""


def test_whole_lines_of_long_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"line\n" + b"x" * 200_000)

    assert whole_lines(path) == 5


def test_altered_lines_are_found(folder: Path) -> None:
    fill(folder, 3)
    path = folder / GAMES
    data = path.read_bytes()
    at = data.index(b"\n") + 5
    path.write_bytes(data[:at] + b"#" + data[at + 1 :])

    with pytest.raises(BadJournal, match=r"^games.jsonl line 2: the checksum"):
        numbers(folder)


def test_records_of_another_match(folder: Path) -> None:
    fill(folder, 1)
    with open(folder / GAMES, "ab") as file:
        file.write(line_of({"run": "0" * 64}))

    with pytest.raises(BadJournal, match=r"^games.jsonl line 2 is of another match$"):
        numbers(folder)


def test_one_at_a_time(folder: Path) -> None:
    with Journal.begin(folder, plan()):
        assert Journal(folder).is_running
        with pytest.raises(Busy, match=r"another process is running this match$"):
            Journal.resume(folder)
    assert not Journal(folder).is_running
    Journal.resume(folder).close()


@pytest.mark.parametrize(
    ("options", "differ"),
    [
        ({"seed": 2}, "seed differs"),
        ({"size": 5, "noswap": True}, "size, games, noswap differ"),
        ({"engines": ENGINES[::-1]}, "engines differs"),
        ({"engines": [*ENGINES, ["cmd=c"]]}, "engines, tournament differ"),
        ({"sprt": Sprt(elo0=0, elo1=5)}, "rounds, sprt differ"),
    ],
)
def test_another_match_is_there(
    folder: Path, options: dict[str, Any], differ: str
) -> None:
    """Where games are, nothing gives way."""
    fill(folder, 1)
    with pytest.raises(BadJournal, match=rf"/match holds another match: {differ}$"):
        Journal.begin(folder, plan(**options))
    fill(folder, 1)
    assert numbers(folder) == [0, 0]


def test_a_match_without_games_gives_way(folder: Path) -> None:
    """Also one of which the first game was torn; not one that is running."""
    fill(folder, 0)
    (folder / GAMES).write_bytes(line_of({"run": "r"})[:-1])
    with Journal.resume(folder), pytest.raises(Busy):
        Journal.begin(folder, plan(seed=2))
    with Journal.begin(folder, plan(seed=2)) as journal:
        journal.append({"run": journal.run, "n": 5})

    assert Journal(folder).plan == plan(seed=2)
    assert numbers(folder) == [5]
    assert sorted(os.listdir(folder)) == [GAMES, "lock", MANIFEST]


def test_something_else_is_there(folder: Path) -> None:
    """Nothing is added to it."""
    folder.mkdir()
    (folder / "notes.txt").touch()
    with pytest.raises(BadJournal, match=r"is not empty, and holds no match$"):
        Journal.begin(folder, plan())
    for read in (Journal, Journal.resume):
        with pytest.raises(BadJournal, match=r"holds no match$"):
            read(folder)
    assert os.listdir(folder) == ["notes.txt"]
    (folder / "lock").touch()
    with pytest.raises(BadJournal, match=r"is not empty, and holds no match$"):
        Journal.begin(folder, plan())


def test_a_manifest_that_was_not_finished(folder: Path) -> None:
    folder.mkdir()
    (folder / f".{MANIFEST}.new").write_text("{")
    (folder / f".{MANIFEST}.0a1b.new").write_text("{")
    fill(folder, 1)

    assert numbers(folder) == [0]
    assert sorted(os.listdir(folder)) == [GAMES, "lock", MANIFEST]


def begin_together(folder: Path, plans: list[Plan]) -> list[str]:
    """What becomes of so many who begin at the same time; who plays, plays on."""
    barrier = threading.Barrier(len(plans))
    journals: list[Journal] = []
    found: list[str] = []

    def begin(made: Plan) -> None:
        barrier.wait()
        try:
            journals.append(Journal.begin(folder, made))
            found.append(made.run)
        except (Busy, BadJournal, OSError) as error:
            found.append(type(error).__name__)

    threads = [threading.Thread(target=begin, args=(made,)) for made in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for journal in journals:
        assert (journal.folder / MANIFEST).read_bytes() == journal.plan.manifest
        journal.append({"run": journal.run, "n": 1})
        journal.close()
    return found


@pytest.mark.parametrize("seeds", [1, 4])
def test_many_begin_one_match(tmp_path: Path, seeds: int) -> None:
    """One plays, all others hear that it does; whether their plans differ or not."""
    plans = [plan(seed=number % seeds) for number in range(4)]
    for trial in range(30):
        folder = tmp_path / str(trial)
        found = begin_together(folder, plans)
        assert found.count("Busy") == 3, found
        assert numbers(folder) == [1]
        assert Journal(folder).run in found


BEGIN = """
import sys
from protocol.journal import Busy, Journal
from protocol.plan import Plan
engines = [["name=A", "cmd=a"], ["name=B", "cmd=b"]]
plans = [Plan.of("flipway", engines, size=4, seed=seed) for seed in (1, 2)]
print(flush=True)
number = int(sys.argv[2])
for line in sys.stdin:
    journal = None
    try:
        journal = Journal.begin(f"{sys.argv[1]}/{line.strip()}", plans[number % 2])
        print("plays", flush=True)
    except Busy:
        print("busy", flush=True)
    sys.stdin.readline()
    if journal:
        journal.close()
"""


def test_processes_begin_one_match(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(tmp_path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            cwd=Path(__file__).parents[1],
        )
        for number in range(4)
    ]

    def say(text: str) -> None:
        for process in processes:
            assert process.stdin
            process.stdin.write(f"{text}\n")

    def heard() -> list[str]:
        return [process.stdout.readline().strip() for process in processes]  # type: ignore[union-attr]

    heard()
    for trial in range(20):
        say(str(trial))
        assert sorted(heard()) == ["busy", "busy", "busy", "plays"]
        say("on")
    for process in processes:
        process.communicate()
        assert process.returncode == 0


def test_an_altered_manifest(folder: Path) -> None:
    fill(folder, 1)
    path = folder / MANIFEST
    path.write_bytes(path.read_bytes().replace(b'"size": 4', b'"size": 5'))

    with pytest.raises(BadJournal, match=r"is of another match$"):
        numbers(folder)
    path.write_bytes(path.read_bytes().replace(b'"size": 5', b'"size":  5'))
    with pytest.raises(BadJournal, match=r"the manifest is not as it was written$"):
        Journal(folder)


def test_wishes(folder: Path) -> None:
    with Journal.begin(folder, plan()) as journal:
        assert journal.stop_wish == ""
        Journal(folder).ask_to_stop()
        assert journal.stop_wish == "finish"
        Journal(folder).ask_to_stop(now=True)
        assert journal.stop_wish == "now"
    with Journal.resume(folder) as journal:
        assert journal.stop_wish == ""


def test_evidence(folder: Path) -> None:
    with Journal.begin(folder, plan()) as journal:
        journal.keep("1.2", {"A.err": "äh", "gtp.log": "", "../B.err": "no"})

    assert (folder / "abnormal/1.2/A.err").read_text(encoding="utf-8") == "äh"
    assert sorted(os.listdir(folder / "abnormal/1.2")) == ["A.err", "gtp.log"]


def test_evidence_that_cannot_be_written(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Journal.begin(folder, plan()) as journal:
        (folder / "abnormal").touch()
        journal.keep("1.2", {"A.err": "x"})
        journal.keep("1.3", {"A.err": "\udcff"}, "logs")

    assert "what was said in game 1.2 is not kept: " in caplog.text
    assert (folder / "logs/1.3/A.err").read_bytes() == rb"\udcff"


# Disks that are full.


def full(*arguments: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("room", [0, 1, 20])
def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """Half a line is taken back, and what is written later comes after whole ones."""
    write, left = os.write, room

    def some(descriptor: int, data: bytes) -> int:
        nonlocal left
        written = write(descriptor, data[:left]) if left else full()
        left -= written
        return written

    fill(folder, 1)
    with Journal.begin(folder, plan()) as journal:
        with monkeypatch.context() as patch:
            patch.setattr("protocol.journal.os.write", some)
            with pytest.raises(OSError, match="space"):
                journal.append({"run": journal.run, "n": 8})
        assert journal.ends_whole
        with monkeypatch.context() as patch:
            patch.setattr("protocol.journal.os.fsync", full)
            with pytest.raises(OSError, match="space"):
                journal.append({"run": journal.run, "n": 8})
        journal.append({"run": journal.run, "n": 9})

    assert numbers(folder) == [0, 9]


def test_a_disk_that_takes_nothing_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.begin(folder, plan()) as journal:
        with monkeypatch.context() as patch:
            patch.setattr("protocol.journal.os.fsync", full)
            patch.setattr("protocol.journal.os.ftruncate", full)
            with pytest.raises(OSError, match="space"):
                journal.append({"run": journal.run, "n": 1})
        with pytest.raises(OSError, match="descriptor"):
            journal.append({"run": journal.run, "n": 2})


# Plans.


PLANS: list[dict[str, Any]] = [
    {},
    {"rounds": 7, "games": 1, "tournament": "gauntlet", "maxgames": 3},
    {"sprt": Sprt(elo0=0, elo1=5), "on_crash": "void", "maxturns": 9},
    {"openings": ["random:plies=1,count=2"], "variant": "pie=on,setup=checkered"},
    {"resign": {"movecount": 3, "score": 95, "twosided": True}},
    {"noswap": True, "rounds": 2},
    {"games": 1, "rounds": 2},
    {"reverse": True},
    {"openings": ["random:plies=1,count=2,policy=encounter"]},
    {"event": "Spring", "site": "Ühlingen"},
    {"max_void": 0},
]

OLD_RUN = "d4fc2f1446c5d41710526e50c4adc2503fcc44c76980523431fd097b7cc2b4b6"
"""The id of a plan before `max_void` and others were keys of manifests."""


@pytest.mark.parametrize("options", PLANS)
def test_manifests(options: dict[str, Any]) -> None:
    made = plan(**options)
    again = Plan.read(made.manifest)

    assert again.manifest == made.manifest
    assert again.run == made.run
    assert list(again.engines) == ["A", "B"]
    assert again.schedule == made.schedule
    assert again.job("r", again.schedule[1], 1) == made.job("r", made.schedule[1], 1)


def test_all_plans_differ() -> None:
    assert len({plan(**options).run for options in PLANS}) == len(PLANS)


def test_a_plan_without_later_keys_keeps_its_id() -> None:
    """Matches begun by earlier versions go on."""
    assert plan(openings=["random:plies=1,count=2"]).run == OLD_RUN
    names = {name for options in PLANS for name in options}
    assert {*LATER} <= {*names, "opening_policy", "observers", "referee"}


def test_defaults() -> None:
    assert plan().games == 2
    assert plan(noswap=True).games == 1
    assert plan().rounds == 1
    assert plan(sprt=Sprt(elo0=0, elo1=5)).rounds is None
    assert plan(maxgames=10).rounds is None
    assert plan().tournament == "pair"
    assert plan().maxturns == 0
    assert Plan.of("flipway", ENGINES, seed=None).seed >= 0
    assert Plan.of("flipway", [*ENGINES, ["cmd=c"]]).tournament == "roundrobin"


def test_words_for_all_engines() -> None:
    made = plan(each=["nodes=5", "cmd=crosscut gtp"])

    assert made.engines["A"] == ["nodes=5", "cmd=crosscut gtp", "name=A", "cmd=a"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"size": 99}, "unacceptable size 99: 2 to 25"),
        ({"variant": "x=1"}, "unknown option 'x', allowed: setup phase pie"),
        ({"on_crash": "cry"}, "on-crash is cry, allowed: retry loss void"),
        ({"openings": ["random:plies=1"]}, "count is missing"),
        ({"each": ["tc=soon"]}, "tc is 'soon'"),
        ({"each": ["name=A"], "engines": [["cmd=a"], ["cmd=b"]]}, "two engines are"),
        ({"engines": ENGINES[:1]}, "pair needs two engines, got 1"),
        ({"engines": [["name=book", "cmd=a"], ENGINES[1]]}, "no engine may be called"),
        ({"resign": {"movecount": 0, "score": 95.0}}, "resign needs movecount"),
        ({"resign": {"movecount": 3, "score": 5.0}}, "resign needs movecount"),
        ({"maxgames": 1}, "maxgames is 1, and a pair has two games"),
        ({"maxturns": -1}, "maxmoves is -1, expected 0 or more"),
        ({"max_void": -1}, "max-void is -1, expected 0 or more"),
        ({"event": "a\nb"}, "event is 'a\\nb', expected one line"),
        ({"games": 0}, "games is 0, allowed: 1 2"),
        ({"noswap": True, "games": 2}, "noswap needs games 1"),
        ({"each": ["depth=3"]}, "depth needs depthcmd="),
        (
            {"sprt": Sprt(elo0=0, elo1=5), "tournament": "roundrobin"},
            "a sequential test needs two engines",
        ),
        (
            {"sprt": Sprt(elo0=0, elo1=5, model="bayeselo")},
            "the model bayeselo is for games=1, not for pairs",
        ),
        ({"game": "chess"}, "unknown game 'chess'"),
    ],
)
def test_bad_plans(options: dict[str, Any], reason: str) -> None:
    given = {"game": "flipway", "engines": ENGINES, **options}
    with pytest.raises(BadPlan) as caught:
        Plan.of(given.pop("game"), given.pop("engines"), **given)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize("key", ["later", "max_voids"])
def test_unknown_keys_of_a_manifest(key: str) -> None:
    manifest = plan().manifest.replace(b'"seed"', f'"{key}": 1,\n "seed"'.encode(), 1)
    with pytest.raises(BadPlan, match=key):
        Plan.read(manifest)


@pytest.mark.parametrize(
    "manifest",
    [b"", b"{", b"[]", b'{"manifest": 2}', b'{"manifest": 1}', b"null", DEEP],
)
def test_bad_manifests(manifest: bytes) -> None:
    with pytest.raises(BadPlan):
        Plan.read(manifest)
