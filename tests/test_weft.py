"""Weft against tables/weft.txt, tables/weft.perft and spec/weft.md."""

import random
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from games import open_game
from games.contract import SWAP, Side
from games.errors import BadSize, GameError, UnreadableMove
from games.kernels import weft as kernel
from games.kernels.dice import dice as kernel_dice
from games.kernels.positions import KernelPosition, readable
from games.notation import legal_tokens
from games.perft import perft
from games.trapezia import (
    ALONG_SIDE,
    AT_POINT,
    Piece,
    Pieces,
    contacts,
    lies_on,
    outline,
    pieces,
)
from games.variants import parse_variant
from games.weft import Weft, WeftPosition

TABLE = "weft.txt"
HERE = Path(__file__).parent
COUNTS = [
    line.split()
    for line in (HERE / "tables" / "weft.perft")
    .read_text(encoding="utf-8")
    .splitlines()
    if not line.startswith("#")
]
SPEC = (HERE.parent / "spec" / "weft.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(
    r"^On size (\d+) after `([^`]*)`:\n\n```\n(.*?)\n```", SPEC, re.M | re.S
)


def after(moves: str, size: int = 4, variant: str = "-") -> WeftPosition:
    position = open_game("weft", size, parse_variant(variant)).start()
    assert isinstance(position, WeftPosition)
    for text in moves.split():
        position = position.play(position.read(text))
    return position


def refusal(position: WeftPosition, text: str) -> str:
    with pytest.raises(GameError) as caught:
        position.play(position.read(text))
    return str(caught.value)


def test_position(case: dict[str, str]) -> None:
    """All that a case says of its position is so, and it says something."""
    position = after(case["moves"], int(case["size"]), case.get("variant", "-"))
    found = {
        "board": position.diagram(),
        "to move": position.to_move.word,
        "winner": "none" if position.winner is None else position.winner.word,
        "turns": " ".join(legal_tokens(position)),
        "refused": "\n".join(
            f"{text}: {refusal(position, text)}"
            for line in case.get("refused", "").splitlines()
            for text in [line.partition(":")[0]]
        ),
    }
    said = {
        key: " ".join(case[key].split()) if key == "turns" else case[key]
        for key in found
        if key in case
    }
    assert said
    assert {key: found[key] for key in said} == said


@pytest.mark.parametrize(("size", "moves", "board"), EXAMPLES)
def test_examples_of_the_rules_text(size: str, moves: str, board: str) -> None:
    assert after(moves, int(size)).diagram() == board


def test_rules_text_has_examples() -> None:
    assert len(EXAMPLES) == 5


def test_table_of_the_rules_text() -> None:
    """§4.3 lists all that is edge or point adjacent to C3/, and what is not."""
    rows = re.findall(r"^\| [A-D].*?\|(.*)\|(.*)\|(.*)\|$", SPEC, re.M)
    edge, point, apart = (
        re.findall(r"`(.*?)`", " ".join(c)) for c in zip(*rows, strict=True)
    )
    rules, board = Weft(4), pieces(4)
    piece = rules.start().read("C3/")
    assert sorted(edge) == [rules.write(p) for p in board.edge_adjacent[piece]]
    assert sorted(point) == [rules.write(p) for p, _ in board.point_adjacent[piece]]
    assert sorted(apart) == ["B4/", "D2/", "D2\\"]


@pytest.mark.parametrize(("size", "variant", "depth", "count"), COUNTS)
def test_perft(size: str, variant: str, depth: str, count: str) -> None:
    rules = open_game("weft", int(size), parse_variant(variant))
    assert list(perft(rules.start(), int(depth)))[-1] == int(count)


def test_lower_left_cells_lie_flat() -> None:
    r"""§1: beside A1/ the square B1 takes only /, above it A2 takes both leans."""
    beside = [t for t in legal_tokens(after("A1/")) if t[:2] in ("A2", "B1")]
    assert beside == ["A2/", "A2\\", "B1/"]


# Text.


@pytest.mark.parametrize("size", range(2, 25, 2))
def test_every_piece_is_read_as_written(size: int) -> None:
    rules, start = Weft(size), Weft(size).start()
    every = range(2 * size * size)
    tokens = [rules.write(piece) for piece in every]
    letters = [t.replace("/", "r").replace("\\", "l") for t in tokens]
    assert tokens == legal_tokens(start)
    for texts in (tokens, letters, map(str.lower, tokens), map(str.upper, letters)):
        assert [start.read(text) for text in texts] == list(every)


@pytest.mark.parametrize("text", ["swap", "SWAP", "swap-pieces"])
def test_swap_is_read(text: str) -> None:
    assert Weft(4).start().read(text) == SWAP
    assert Weft(4).write(SWAP) == "swap"


@pytest.mark.parametrize(
    "text",
    ["", "/", "A", "A1", "A12", "A1|", "A1//", "I1/", "A0/", "1A/", "pass", "A1/ "],
)
def test_unreadable(text: str) -> None:
    with pytest.raises(UnreadableMove, match="expected a square and a lean"):
        Weft(12).start().read(text)


@pytest.mark.parametrize("size", [0, 1, 3, 11, 25, 26])
def test_sizes(size: int) -> None:
    with pytest.raises(BadSize, match=r"^2 to 24, even$"):
        Weft(size)
    assert open_game("weft") == Weft(12, pie=True)


# Positions as values.


def test_equality_is_about_what_can_follow() -> None:
    one, two = after("A1/ D4/ B1/ C4/"), after("B1/ C4/ A1/ D4/")
    assert one.last != two.last
    assert (one, hash(one)) == (two, hash(two))
    assert one != after("A1/ D4/ B1/")
    assert one != after("A1/ D4/ B1/ C4/", variant="pie=off")
    assert after("A1/ swap C1/") != after("C1/ A1/")


def test_play_leaves_its_position_alone() -> None:
    position = after("A1/ B2/")
    before = position.diagram()
    position.play(position.read("C3/"))
    assert position.diagram() == before


# The pie rule.


@pytest.mark.parametrize("seed", range(12))
def test_swap_exchanges_the_colours_of_all_that_follows(seed: int) -> None:
    """After a swap the game is the one without it, with the colours exchanged."""
    dice = random.Random(seed)
    kept = Weft(2 + 2 * (seed % 4)).start()
    kept = kept.play(dice.choice(kept.turns()))
    swapped = kept.play(SWAP)
    while kept.winner is None:
        assert kept.to_move is swapped.to_move.other
        turns = [turn for turn in kept.turns() if turn != SWAP]
        assert list(swapped.turns()) == turns
        turn = dice.choice(turns)
        kept, swapped = kept.play(turn), swapped.play(turn)
        assert swapped.winner is (None if kept.winner is None else kept.winner.other)
        exchange = str.maketrans("XO", "OX")
        rows = slice(1, kept.rules.size + 1)
        assert (
            kept.diagram().translate(exchange).splitlines()[rows]
            == (swapped.diagram().splitlines()[rows])
        )


@pytest.mark.parametrize("variant", ["pie=on", "pie=off"])
def test_swap_is_offered_once(variant: str) -> None:
    """Only as White's first turn, and only with the pie rule."""
    dice = random.Random(5)
    position, offered = after("", 6, variant), []
    while position.winner is None:
        turns = [turn for turn in position.turns() if turn != SWAP]
        offered.append(len(turns) < len(position.turns()))
        position = position.play(dice.choice(turns))
    assert offered == [variant == "pie=on" and k == 1 for k in range(len(offered))]


# The compiled rules; tests/test_kernels.py compares them step by step.


@pytest.mark.parametrize(("size", "variant", "depth", "count"), COUNTS)
def test_perft_of_the_kernel(size: str, variant: str, depth: str, count: str) -> None:
    rules = open_game("weft", int(size), parse_variant(variant))
    root = KernelPosition.of(rules.start())
    assert list(perft(root, int(depth)))[-1] == int(count)


@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_copies_of_the_kernel_play_on(size: int) -> None:
    """A game in which every state is a copy of the one before, with a turn played."""
    dice = random.Random(size)
    position = Weft(size).start()
    compiled = KernelPosition.of(position)
    while position.winner is None:
        turns = {readable(position, turn): turn for turn in compiled.turns()}
        assert turns.keys() == set(position.turns())
        turn = dice.choice(position.turns())
        position, compiled = position.play(turn), compiled.play(turns[turn])
        assert compiled == KernelPosition.of(position)
    assert not compiled.turns()


@pytest.mark.parametrize("moves", ["A1/", "C3/ B3l"])
def test_random_steps_of_the_kernel_are_drawn_evenly(moves: str) -> None:
    """Also swap, and where not all pieces with room are allowed (§5)."""
    position = after(moves)
    state, source = kernel.state_of(position), kernel_dice(1)
    drawn = Counter(kernel.random_step(state, source) for _ in range(30_000))
    turns = {kernel.decode(position, (), step): n for step, n in drawn.items()}
    assert turns.keys() == set(position.turns())
    assert max(abs(n - 30_000 / len(turns)) for n in turns.values()) < 150


# The geometry.


def numbered(size: int) -> list[Piece]:
    """The pieces of a board by their numbers."""
    return list(product(range(size), range(size), (0, 1)))


@pytest.mark.parametrize("short", [Fraction(1, 3), Fraction(9, 10), Fraction(1, 100)])
def test_the_lengths_of_the_trapezium_do_not_matter(short: Fraction) -> None:
    assert contacts(short) == contacts(Fraction(1, 2))


def test_point_adjacent_pieces_are_linked_at_their_point() -> None:
    """§4.2: a corner of both, where every piece that links them has a corner or side.

    Those are the two other places at that point, with one possible lean or two.
    """
    size = 8
    board, outlines = pieces(size), [outline(p) for p in numbered(size)]
    for piece, near in enumerate(board.point_adjacent):
        for other, links in near:
            (point,) = set(outlines[piece]) & set(outlines[other])
            assert all(lies_on(point, outlines[link]) for link in links)
            assert len({link // 2 for link in links}) == 2
            assert len(links) in (2, 4)


def test_numbers_of_adjacent_pieces() -> None:
    """What a piece meets on a board without edges."""
    met = [list(found.values()) for found in contacts().values()]
    counts = {(m.count(ALONG_SIDE), m.count(AT_POINT)) for m in met}
    assert counts == {(9, 3), (10, 3)}


@pytest.mark.parametrize("size", range(2, 13, 2))
def test_edges_are_touched_along_a_side(size: int) -> None:
    """§6: by every piece that has as much as a corner there."""
    board, touched = pieces(size), []
    for axis, border in ((1, 0), (1, size), (0, 0), (0, size)):
        corners = [
            [corner[axis] for corner in outline(piece)].count(border)
            for piece in numbered(size)
        ]
        touched.append({piece for piece, count in enumerate(corners) if count == 2})
        assert set(corners) == {0, 2}
    assert touched == [*board.bottom_top, *board.left_right]


@pytest.mark.parametrize("size", [4, 8, 24])
def test_a_quarter_turn_exchanges_the_edges(size: int) -> None:
    """§1: of a board with an even number of blocks per side."""
    board = pieces(size)

    def turned(piece: int) -> int:
        square, lean = divmod(piece, 2)
        column, row = divmod(square, size)
        return ((size - 1 - row) * size + column) * 2 + 1 - lean

    for piece in range(2 * size * size):
        assert {turned(p) for p in board.edge_adjacent[piece]} == set(
            board.edge_adjacent[turned(piece)]
        )
        assert {turned(p) for p, _ in board.point_adjacent[piece]} == {
            p for p, _ in board.point_adjacent[turned(piece)]
        }
    (bottom, top), (left, right) = board.bottom_top, board.left_right
    edges = [{turned(p) for p in edge} for edge in (bottom, right, top, left)]
    assert edges == [right, top, left, bottom]


# Full boards.


@pytest.mark.parametrize("size", range(2, 17, 2))
def test_full_boards_have_one_winner(size: int) -> None:
    """§6: whoever places, both sides always can, and one of them joins its edges."""
    dice = random.Random(size)
    for share in (0.5, 0.5, 0.5, 0.3, 0.8):
        position, winners = Weft(size, pie=False).start(), set()
        for _ in range(size * size):
            side = Side(dice.random() < share)
            position = replace(position, to_move=side, winner=None)
            assert replace(position, to_move=side.other).turns()
            position = position.play(dice.choice(position.turns()))
            winners |= {position.winner} - {None}
        assert len(winners) == 1


def test_all_full_boards_of_size_4() -> None:
    """§6: each that obeys §5 has exactly one winner.

    For every choice of leans all 65,536 ways to colour the pieces at once: bit n of a
    mask stands for the colouring in which square k is white if bit k of n is 1.
    """
    board = pieces(4)
    every = (1 << (1 << 16)) - 1
    is_white = [every // ((1 << (1 << k)) + 1) << (1 << k) for k in range(16)]
    partners = [board.rivals[2 * square] // 2 for square in range(16)]
    cells = [pair for pair in enumerate(partners) if pair[0] < pair[1]]
    won = [0, 0]
    for leans in product((0, 1), repeat=8):
        white = {
            2 * square + lean: is_white[square]
            for cell, lean in zip(cells, leans, strict=True)
            for square in cell
        }
        black = {piece: every ^ mask for piece, mask in white.items()}
        allowed = every & ~unlinked(board, white) & ~unlinked(board, black)
        for_black = allowed & joining(board, black, board.bottom_top)
        for_white = allowed & joining(board, white, board.left_right)
        assert for_black ^ for_white == for_black | for_white == allowed
        won[Side.BLACK] += for_black.bit_count()
        won[Side.WHITE] += for_white.bit_count()
    assert won == [5_670_000, 5_670_000]


def unlinked(board: Pieces, own: dict[int, int]) -> int:
    """The colourings with point adjacent own pieces and none edge adjacent to both."""
    found = 0
    for piece, mask in own.items():
        for other, links in board.point_adjacent[piece]:
            linked = 0
            for link in links:
                linked |= own.get(link, 0)
            found |= mask & own.get(other, 0) & ~linked
    return found


def joining(
    board: Pieces, own: dict[int, int], edges: tuple[frozenset[int], frozenset[int]]
) -> int:
    """The colourings with a chain of own pieces that touches both edges."""
    low, high = edges
    reached: dict[int, int] = {}
    following = {piece: own[piece] for piece in own if piece in low}
    while following != reached:
        reached, following = following, dict(following)
        for piece, mask in reached.items():
            for near in board.edge_adjacent[piece]:
                if near in own:
                    following[near] = following.get(near, 0) | mask & own[near]
    found = 0
    for piece in reached.keys() & high:
        found |= reached[piece]
    return found
