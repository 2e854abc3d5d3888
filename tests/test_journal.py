"""The folder of a match: nothing lost, nothing taken for true that is not."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from protocol.journal import (
    GAMES,
    MANIFEST,
    BadJournal,
    Busy,
    Journal,
    line_of,
    record_of,
    whole_lines,
)
from protocol.plan import LATER, BadPlan, Plan
from protocol.strength.sprt import Sprt

ENGINES = [["name=A", "cmd=a"], ["name=B", "cmd=b"]]


def plan(**options: Any) -> Plan:
    return Plan.of("flipway", ENGINES, **{"size": 4, "seed": 1, **options})


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
        with pytest.raises(BadJournal, match=r"^the checksum is wrong$"):
            record_of(bytes(altered))


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


def test_another_match_is_there(folder: Path) -> None:
    fill(folder, 1)
    with pytest.raises(BadJournal, match=r"holds another match$"):
        Journal.begin(folder, plan(seed=2))


def test_something_else_is_there(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").touch()
    with pytest.raises(BadJournal, match=r"is not empty, and holds no match$"):
        Journal.begin(folder, plan())
    with pytest.raises(BadJournal, match=r"holds no match$"):
        Journal(folder)


def test_a_manifest_that_was_not_finished(folder: Path) -> None:
    folder.mkdir()
    (folder / f".{MANIFEST}.new").write_text("{")
    fill(folder, 1)

    assert numbers(folder) == [0]


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
    "manifest", [b"", b"{", b"[]", b'{"manifest": 2}', b'{"manifest": 1}', b"null"]
)
def test_bad_manifests(manifest: bytes) -> None:
    with pytest.raises(BadPlan):
        Plan.read(manifest)
