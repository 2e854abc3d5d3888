"""Flipway against tables/flipway.txt, tables/flipway.perft and slow_flipway."""

import random
from functools import cache
from itertools import combinations, product
from pathlib import Path
from textwrap import dedent

import pytest
from slow_flipway import SlowFlipway
from slow_flipway import Turn as SlowTurn

from conftest import read_perft
from games import open_game
from games.contract import SWAP, Turn
from games.errors import BadSize, GameError, IllegalMove, UnreadableMove
from games.flipway import SYMBOLS, FlipwayPosition, areas
from games.notation import legal_tokens
from games.perft import perft
from games.variants import parse_variant

TABLE = "flipway.txt"
PERFT = read_perft(Path(__file__).parent / "tables" / "flipway.perft")


def start(size: int, variant: str = "-") -> FlipwayPosition:
    position = open_game("flipway", size, parse_variant(variant)).start()
    assert isinstance(position, FlipwayPosition)
    return position


def play(position: FlipwayPosition, *tokens: str) -> FlipwayPosition:
    for token in tokens:
        position = position.play(position.read(token))
    return position


def reach(case: dict[str, str]) -> FlipwayPosition:
    opening = start(int(case["size"]), case.get("variant", "-"))
    return play(opening, *case["moves"].split())


def arrows(block: str) -> list[list[str]]:
    """The two sides of each line `text -> text`."""
    return [line.split(" -> ") for line in block.splitlines()]


def test_position(case: dict[str, str]) -> None:
    """Playing the moves gives the diagram, the winner and the side to move."""
    position = reach(case)

    winner = "none" if position.winner is None else position.winner.word
    assert (dedent(position.diagram()), winner) == (case["board"], case["winner"])
    assert position.to_move == len(case["moves"].split()) % 2


@pytest.mark.having("legal")
def test_legal(case: dict[str, str]) -> None:
    assert " ".join(legal_tokens(reach(case))) == case["legal"]


@pytest.mark.having("reads")
def test_reads(case: dict[str, str]) -> None:
    position = reach(case)
    for text, token in arrows(case["reads"]):
        assert position.rules.write(position.read(text)) == token


@pytest.mark.having("refused")
def test_refused(case: dict[str, str]) -> None:
    position = reach(case)
    for text, message in arrows(case["refused"]):
        with pytest.raises(GameError) as caught:
            play(position, text)
        assert str(caught.value) == message
        if isinstance(caught.value, IllegalMove):
            assert message.endswith(f" ({caught.value.rule})")


@pytest.mark.parametrize(("size", "variant", "counts"), PERFT)
def test_perft(size: int, variant: str, counts: list[int]) -> None:
    assert list(perft(start(size, variant), len(counts))) == counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (text, "points such as C3+D4, or an area such as C3:D4")
        for text in (
            *("", "+", ":", "A1+", "+A1", "A1++B2", "A1:", ":B2", "A1:B2:", "A1:B2+C3"),
            *("A", "1", "1A", "A0", "A01", "A-1", "A1 ", " A1", "A1\n", "A1,B2", "AA1"),
            *("I1", "A100", "Ａ1", "A¹", "A١", "pass", "resign", "swap ", "swap+A1"),
        )
    ]
    + [(text, "each point once") for text in ("A1+A1", "A1+B2+a1", "b2+B2+A1+A2")]
    + [
        (text, "opposite corners of a 2x2 area")
        for text in ("A1:A1", "A1:A2", "A1:B1", "A1:C3", "A1:C2", "A1:B2:A1", "A1:D2")
    ],
)
def test_unreadable(text: str, expected: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        start(4).read(text)
    assert str(caught.value) == f"expected {expected}, got {text!a} (flipway §9)"


def test_any_order_and_any_case() -> None:
    for order in product(["a1", "A1", "b2", "B2", "c3", "C3"], repeat=3):
        if len({word.upper() for word in order}) == 3:
            assert start(3).read("+".join(order)) == (0, 4, 8)


@pytest.mark.parametrize("size", [2, 3, 4, 25])
def test_area_form(size: int) -> None:
    """Both diagonals, from either end, name the drop into the area."""
    opening = start(size)
    for area in areas(size):
        names = [opening.rules.write((point,)) for point in area]
        for near, far in ((0, 3), (3, 0), (1, 2), (2, 1)):
            assert opening.read(f"{names[near]}:{names[far]}") == area


@pytest.mark.parametrize("phase", ["0", "1"])
def test_blocks_need_size_3(phase: str) -> None:
    with pytest.raises(BadSize, match=r"^3 to 25 with setup=checkered2x2$"):
        start(2, f"setup=checkered2x2,phase={phase}")


@pytest.mark.parametrize(("setup", "side"), [("checkered", 1), ("checkered2x2", 2)])
@pytest.mark.parametrize("size", [3, 4, 5, 8, 25])
def test_full_start(setup: str, side: int, size: int) -> None:
    """Blocks from A1 alternate both ways, and the phases are negatives."""
    first, second = (start(size, f"setup={setup},phase={p}").stones for p in "01")
    for column, row in product(range(size), repeat=2):
        odd = (column // side % 2) != (row // side % 2)
        point = column * size + row
        pair = SYMBOLS[first[point]] + SYMBOLS[second[point]]
        assert pair == ("OX" if odd else "XO")


def test_phase_means_nothing_on_the_empty_board() -> None:
    first, second = (start(4, f"setup=empty,phase={p}") for p in "01")
    assert first.stones == second.stones == bytes(16)


VARIANTS = [
    f"setup={setup},pie={pie}"
    for setup in (
        "empty",
        *("checkered,phase=0", "checkered,phase=1"),
        *("checkered2x2,phase=0", "checkered2x2,phase=1"),
    )
    for pie in ("off", "on")
]
STARTS = [
    (size, variant)
    for size in range(2, 7)
    for variant in VARIANTS
    if size > 2 or "2x2" not in variant
]


def undecided(position: FlipwayPosition) -> list[Turn]:
    """The turns that do not win at once."""
    return [t for t in position.turns() if position.play(t).winner is None]


def test_openings_that_win() -> None:
    """They exist on the smallest boards only."""
    sizes = {
        size
        for size, variant in STARTS
        if len(undecided(start(size, variant))) < len(start(size, variant).turns())
    }
    assert sizes == {2, 3, 4}


@pytest.mark.parametrize(
    ("size", "variant"),
    [pie for pie in STARTS if "pie=on" in pie[1] and undecided(start(*pie))],
)
def test_swap_mirrors_the_game(size: int, variant: str) -> None:
    """What follows a swap is the unswapped game with the colours exchanged."""
    dice = random.Random(f"{size} {variant}")
    opening = start(size, variant)
    for turn in undecided(opening):
        straight = opening.play(turn)
        swapped = straight.play(SWAP)
        while turns := set(straight.turns()) - {SWAP}:
            assert set(swapped.turns()) == turns
            assert swapped.to_move is straight.to_move.other
            assert exchanged(swapped.stones) == straight.stones
            turn = dice.choice(sorted(turns))
            straight, swapped = straight.play(turn), swapped.play(turn)
        assert straight.winner is not None
        assert swapped.winner is straight.winner.other


def exchanged(stones: bytes) -> bytes:
    return stones.translate(bytes.maketrans(b"\1\2", b"\2\1"))


@pytest.mark.parametrize(("size", "variant"), STARTS)
def test_against_slow_rules(size: int, variant: str) -> None:
    """In random games: the legal turns, what play refuses, and the result."""
    dice = random.Random(f"{size} {variant}")
    for _ in range(30):
        position = start(size, variant)
        rules = position.rules
        slow = SlowFlipway(size, rules.setup, int(rules.phase), rules.pie)
        while slow.winner is None:
            legal = {as_turn(turn, size) for turn in slow.legal()}
            assert set(position.turns()) == legal
            assert position.to_move == slow.player
            for turn in set(dice.choices(candidates(size), k=20)) - legal:
                with pytest.raises(IllegalMove):
                    position.play(turn)
            choice = dice.choice(sorted(slow.legal(), key=str))
            slow.play(choice)
            position = position.play(as_turn(choice, size))
            assert position.stones == as_stones(slow)
            assert position.winner == slow.winner
        assert not position.turns()


def as_turn(turn: SlowTurn, size: int) -> Turn:
    if isinstance(turn, str):
        return turn
    return tuple(sorted(column * size + row for column, row in turn))


def as_stones(slow: SlowFlipway) -> bytes:
    """The stones by their owners, which is how a swap shows on our board."""
    stones = bytearray(slow.size * slow.size)
    for (column, row), colour in slow.stones.items():
        stones[column * slow.size + row] = 1 + slow.seats.index(colour)
    return bytes(stones)


@cache
def candidates(size: int) -> list[Turn]:
    """Turns that a confused player might try: parts of areas, pairs, and swap."""
    parts = {
        part
        for area in areas(size)
        for count in range(1, 5)
        for part in combinations(area, count)
    }
    pairs = set(combinations(range(size * size), 2))
    return [*sorted(parts | pairs), *([SWAP] * size)]
