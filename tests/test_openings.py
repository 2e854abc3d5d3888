"""Openings from files and at random, and the symmetries that make them alike."""

import json
import random
import re
from pathlib import Path

import pytest

from games import GAMES, open_game
from games.contract import SWAP
from protocol.openings import (
    BadOpening,
    Source,
    draw,
    drawn,
    key_of,
    legal,
    read_openings,
    read_source,
    symmetries,
)

# Maps of the board that leave the game as it is. Flipway: not a quarter turn, which
# exchanges the edges. Weft: reflections only where the middle is a block.
MAPS = [
    ("flipway", 4, "-", 4),
    ("flipway", 5, "setup=checkered", 4),
    ("flipway", 9, "-", 4),
    ("wythe", 5, "-", 8),
    ("wythe", 6, "-", 8),
    ("weft", 6, "-", 4),
    ("weft", 8, "-", 2),
    ("yodd", 3, "-", 12),
    ("yodd", 4, "-", 12),
]


@pytest.mark.parametrize(("game", "size", "variant", "maps"), MAPS)
def test_symmetries(game: str, size: int, variant: str, maps: int) -> None:
    chosen = {} if variant == "-" else dict([variant.split("=")])
    rules = open_game(game, size, chosen)
    found = symmetries(rules)
    tokens = [rules.write(turn) for turn in rules.start().turns()]

    assert len(found) == maps
    assert any(all(mapped(token) == token for token in tokens) for mapped in found)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_random_openings(game: str) -> None:
    """Legal, none over, none with swap; no two alike under any symmetry."""
    sizes = GAMES[game].sizes
    rules = open_game(game, sizes.low + 2 * sizes.step)
    found = Source(plies=2, count=15).openings(rules, seed=1)
    maps = symmetries(rules)

    assert [legal(rules, opening) for opening in found] == found
    assert all(len(opening) == 2 and SWAP not in opening for opening in found)
    assert len({key_of(rules, opening, maps) for opening in found}) == 15


def test_seed() -> None:
    rules = open_game("flipway", 6)
    source = Source(plies=3, count=5)

    assert source.openings(rules, 1) == source.openings(rules, 1)
    assert source.openings(rules, 1) != source.openings(rules, 2)


def test_first_turns_of_flipway() -> None:
    """Of nine points three differ, and one turn of four reflections."""
    rules = open_game("flipway", 3)
    found = drawn(rules, 1, 4, random.Random(1))
    points = sorted(opening[0] for opening in found)

    assert len(points) == 4
    assert "B2" in points
    with pytest.raises(
        BadOpening, match=r"^found only 4 different openings of 1 turns"
    ):
        drawn(rules, 1, 5, random.Random(1))


def test_no_opening_is_over() -> None:
    rules = open_game("flipway", 2)
    dice = random.Random(1)
    assert all(draw(rules, 20, dice) is None for _ in range(20))


FILE = """
# two openings, and one more
C3 D4
["A1", "b2+c2"]

{"turns": ["A3"], "name": "third"}
"""


def test_lines_of_a_file() -> None:
    wanted = [["C3", "D4"], ["A1", "b2+c2"], ["A3"]]
    found = dict(read_openings(FILE.splitlines()))

    assert list(found.values()) == wanted
    assert all(opening[0] in FILE.splitlines()[n - 1] for n, opening in found.items())


def test_records_are_openings() -> None:
    record = {"turns": [["b", "C3", "book"], ["w", "D4+D5", 12.5]]}
    assert list(read_openings([json.dumps(record)])) == [(1, ["C3", "D4+D5"])]


@pytest.mark.parametrize(
    "line", ["[" * 100_000, "[1]", '{"a": 1}', "[", "3]", '{"turns": "C3"}']
)
def test_bad_lines(line: str) -> None:
    bad = line if line[0] in "[{" else f"[{line}"
    with pytest.raises(BadOpening, match=r"^line 1: no list of turns"):
        list(read_openings([bad]))


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "some, openings.txt"
    path.write_text("".join(f"{c}{r}\n" for c in "ABC" for r in "123"))
    return str(path)


def test_file(file: str) -> None:
    rules = open_game("flipway", 3)
    found = read_source([f"file={file},start=2,count=3"]).openings(rules, 1)

    assert found == [["A2"], ["A3"], ["B1"]]


def test_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("\ufeffA1\nB2\n", encoding="utf-8")
    source = Source(file=str(tmp_path / "f"))

    assert source.openings(open_game("flipway", 3), 1) == [["A1"], ["B2"]]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A1 Z9", "opening 'A1 Z9': "),
        ("[1]", "no list of turns"),
        ("[" * 100_000, "no list of turns"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, line: str, reason: str) -> None:
    """The line of the file, whatever was skipped or shuffled."""
    path = tmp_path / "f"
    path.write_text(f"# none\n\nA1\n{line}\n")
    source = Source(file=str(path), order="random")
    with pytest.raises(BadOpening, match=f"^{re.escape(str(path))} line 4: {reason}"):
        source.openings(open_game("flipway", 3), 1)


def test_file_in_random_order(file: str) -> None:
    rules = open_game("flipway", 3)
    source = read_source([f"file={file}", "order=random"])
    found = source.openings(rules, 1)

    assert found == source.openings(rules, 1)
    assert sorted(found) == Source(file=file).openings(rules, 1) != found


def test_plies_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("c3 D4+D3+C4 A1")
    source = Source(file=str(tmp_path / "f"), plies=2)

    assert source.openings(open_game("flipway", 6), 1) == [["C3", "C4+D3+D4"]]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("random:plies=2", "count is missing"),
        ("random:count=2,plies=x", "plies is 'x', allowed: 1 to 1000000"),
        (
            "random:count=2,order=random",
            "expected plies count policy, got 'order=random'",
        ),
        ("order=random", "file is missing"),
        ("file=a,order=last", "order is 'last', allowed: sequential random"),
        ("file=a,policy=all", "policy is 'all', allowed: round encounter"),
        ("file=a,start=0", "start is '0', allowed: 1 to 1000000"),
        (
            "openings.txt",
            "expected file order start plies count policy, got 'openings.txt'",
        ),
    ],
)
def test_bad_sources(words: str, reason: str) -> None:
    with pytest.raises(BadOpening) as caught:
        read_source([words])
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("C3 C3", "opening 'C3 C3': C3 is taken (flipway §3)"),
        ("x", "opening 'x': expected points"),
        ("A1 A1:B2", "opening 'A1 A2+B1+B2': the game is over"),
    ],
)
def test_openings_against_the_rules(text: str, reason: str) -> None:
    rules = open_game("flipway", 2 if "over" in reason else 4)
    with pytest.raises(BadOpening) as caught:
        legal(rules, text.split())
    assert str(caught.value).startswith(reason)


def test_no_file() -> None:
    with pytest.raises(BadOpening, match=r"^cannot read /no/such: "):
        Source(file="/no/such").openings(open_game("flipway"), 1)


def test_nothing_from_there_on(file: str) -> None:
    with pytest.raises(BadOpening, match=r"has no opening from 10 on$"):
        Source(file=file, start=10).openings(open_game("flipway", 3), 1)
