"""Wythe against tables/wythe.txt, tables/wythe.perft and a slow second set of rules."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from games import open_game
from games.contract import PASS, SWAP, Side, Turn
from games.errors import BadSize, GameError, IllegalMove, UnreadableMove
from games.grids import square
from games.kernels.positions import KernelPosition
from games.notation import legal_tokens
from games.perft import perft
from games.variants import parse_variant
from games.wythe import BLACK, WHITE, Wythe, WythePosition, pairs

TABLE = "wythe.txt"
HERE = Path(__file__).parent
SPEC = HERE.parent / "spec" / "wythe.md"


# Tables.


def played(rules: Wythe, moves: str) -> WythePosition:
    position = rules.start()
    for text in moves.split():
        position = position.play(position.read(text))
    return position


def answer(position: WythePosition, text: str) -> str:
    """What a player hears who plays `text`."""
    try:
        position.play(position.read(text))
    except GameError as refusal:
        return str(refusal)
    return "played"


def answers(position: WythePosition, lines: str) -> str:
    moves = [line.partition(": ")[0] for line in lines.splitlines()]
    return "\n".join(f"{move}: {answer(position, move)}" for move in moves)


def same(position: WythePosition, moves: str) -> bool:
    other = played(position.rules, moves)
    return position == other and hash(position) == hash(other)


SHOWN: dict[str, Callable[[WythePosition, str], str]] = {
    "diagram": lambda position, _: position.diagram(),
    "turns": lambda position, _: " ".join(legal_tokens(position)),
    "to move": lambda position, _: position.to_move.word,
    "winner": lambda position, _: (
        "none" if position.winner is None else position.winner.word
    ),
    "margin": lambda position, _: str(position.margin),
    "scores": lambda position, _: " ".join(map(str, position.scores)),
    "answers": answers,
    "equals": lambda position, moves: moves if same(position, moves) else "no",
    "differs from": lambda position, moves: "no" if same(position, moves) else moves,
}


def test_case(case: dict[str, str]) -> None:
    """After the moves everything is as the table says."""
    rules = open_game("wythe", int(case["size"]), parse_variant(case["variant"]))
    assert isinstance(rules, Wythe)
    position = played(rules, case["moves"])

    asked = {key: case[key] for key in case if key not in ("size", "variant", "moves")}
    assert {key: SHOWN[key](position, asked[key]) for key in asked} == asked


def perft_counts() -> dict[str, list[int]]:
    """The numbers at depth 1, 2, ... by size and variant."""
    counts: dict[str, list[int]] = {}
    for line in (HERE / "tables" / "wythe.perft").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            size, variant, depth, turns = line.split()
            row = counts.setdefault(f"{size} {variant}", [])
            row.append(int(turns))
            assert len(row) == int(depth)
    return counts


@pytest.mark.parametrize("start", perft_counts())
def test_perft(start: str) -> None:
    """There are exactly the known numbers of sequences of turns."""
    size, variant = start.split()
    counts = perft_counts()[start]
    position = open_game("wythe", int(size), parse_variant(variant)).start()

    assert list(perft(position, len(counts))) == counts
    assert list(perft(KernelPosition.of(position), len(counts))) == counts


def test_spec_shows_boards_of_the_table() -> None:
    """Each board drawn in spec/wythe.md is that of a case."""
    table = (HERE / "tables" / TABLE).read_text("utf-8")
    boards = re.findall(r"(?:^ {4}.+\n)+", SPEC.read_text("utf-8"), re.MULTILINE)

    assert len(boards) == 3
    assert [board for board in boards if board not in table] == []


# Notation.


@pytest.mark.parametrize("size", [2, 9, 25])
def test_notation_round_trip(size: int) -> None:
    """What is written is read as the same turn, in either case of letters."""
    position = Wythe(size).start()
    turns: list[Turn] = [*pairs(size), PASS, SWAP]

    tokens = [position.rules.write(turn) for turn in turns]
    assert [position.read(token) for token in tokens] == turns
    assert [position.read(token.swapcase()) for token in tokens] == turns
    assert len(pairs(size)) == 4 * size * (size - 1)


def test_swap_pieces_is_swap() -> None:
    """The other engines' word is accepted and never written."""
    assert Wythe().start().read("swap-pieces") == SWAP


PLACEMENT = "the squares of the black and the white bit such as D4-D5, or pass or swap"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", PLACEMENT),
        ("D4", PLACEMENT),
        ("D4-", PLACEMENT),
        ("D4-D5-D6", PLACEMENT),
        ("D4+D5", PLACEMENT),
        ("D4 D5", PLACEMENT),
        ("H1-I1", PLACEMENT),
        ("A0-A1", PLACEMENT),
        ("passe", PLACEMENT),
        ("D4-D4", "two different squares"),
    ],
)
def test_unreadable(text: str, expected: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        Wythe().start().read(text)

    assert str(caught.value) == f"expected {expected}, got {text!r} (wythe §2)"


@pytest.mark.parametrize(("text", "bad"), [("J9-K9", "K9"), ("a10-A9", "a10")])
def test_off_the_board(text: str, bad: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        Wythe().start().read(text)

    expected = f"expected a square from A1 to J9, got {bad!r} (wythe §2)"
    assert str(caught.value) == expected


@pytest.mark.parametrize("size", [0, 1, 26])
def test_sizes(size: int) -> None:
    with pytest.raises(BadSize, match="2 to 25"):
        Wythe(size)


def test_defaults() -> None:
    """A game is 9 by 9 with the pie rule if nothing else is asked for."""
    assert open_game("wythe") == Wythe(9, pie=True)


# The rules once more, from the players' text: whole stacks, nothing remembered.

Square = tuple[int, int]


class SlowWythe:
    """One game. Players 0 and 1 are first and second; a swap changes their seats."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stacks: dict[Square, list[tuple[str, int]]] = {
            (x, y): [] for x in range(size) for y in range(size)
        }
        self.seats = ["black", "white"]
        self.pieces = 0
        self.player = 0
        self.last_to_place = 0

    def fault(self, black: Square, white: Square) -> str | None:
        """The paragraph that two adjacent squares offend against."""
        on_black, on_white = self.stacks[black], self.stacks[white]
        if len(on_black) != len(on_white):
            return "wythe §3.1"
        for stack, colour in ((on_black, "black"), (on_white, "white")):
            if stack and stack[-1][0] == colour:
                return "wythe §3.2"
        self.lay(black, white)
        visible = {stack[-1][1] for stack in self.stacks.values() if stack}
        hidden = len(visible) < self.pieces
        self.pieces -= 1
        on_black.pop()
        on_white.pop()
        return "wythe §3.3" if hidden else None

    def lay(self, black: Square, white: Square) -> None:
        self.stacks[black].append(("black", self.pieces))
        self.stacks[white].append(("white", self.pieces))
        self.pieces += 1

    def adjacent(self) -> Iterator[tuple[Square, Square]]:
        for a in self.stacks:
            for b in self.stacks:
                if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1:
                    yield a, b

    def place(self, black: Square, white: Square) -> None:
        self.lay(black, white)
        self.last_to_place = self.player
        self.player = 1 - self.player

    def swap(self) -> None:
        self.seats.reverse()
        self.player = 1 - self.player

    def group_sizes(self, colour: str) -> list[int]:
        groups = [
            {place}
            for place, stack in self.stacks.items()
            if stack and stack[-1][0] == colour
        ]
        for a, b in self.adjacent():
            meeting = [group for group in groups if a in group or b in group]
            if len(meeting) == 2 and all({a, b} & group for group in meeting):
                groups = [group for group in groups if group not in meeting]
                groups.append(meeting[0] | meeting[1])
        return [len(group) for group in groups]

    def score(self, player: int) -> int:
        own = self.group_sizes(self.seats[player])
        foreign = self.group_sizes(self.seats[1 - player])
        for size in range(self.size**2, 0, -1):
            if own.count(size) > foreign.count(size):
                return size
        return 0

    def winner(self) -> int:
        scores = self.score(0), self.score(1)
        if scores == (0, 0):
            return 1 - self.last_to_place
        return scores.index(max(scores))


SEEDS = [
    (size, seed)
    for size, games in ((2, 40), (3, 60), (4, 30), (5, 12))
    for seed in range(games)
]


@pytest.mark.parametrize(("size", "seed"), SEEDS)
def test_random_game_by_slow_rules(size: int, seed: int) -> None:
    """Both see the same tops, heights, refusals and scores all along; §2 to §8."""
    dice = random.Random(seed)
    position = Wythe(size).start()
    slow = SlowWythe(size)
    cells = square(size).cells
    adjacent = list(slow.adjacent())

    def own_view(black: Square, white: Square) -> tuple[int, int]:
        """The engine's placement: after a swap its colours are the other way round."""
        pair = cells[black], cells[white]
        return pair if slow.seats[0] == "black" else (pair[1], pair[0])

    while PASS not in position.turns():
        faults = {own_view(*pair): slow.fault(*pair) for pair in adjacent}
        legal = {pair for pair, fault in faults.items() if fault is None}
        assert set(position.turns()) - {SWAP} == legal
        for pair, fault in faults.items():
            if fault is not None:
                with pytest.raises(IllegalMove) as caught:
                    position.play(pair)
                assert caught.value.rule == fault
        for place, bits in slow.stacks.items():
            stack = position.stacks[cells[place]]
            colours = {slow.seats[0]: BLACK, slow.seats[1]: WHITE}
            top = colours[bits[-1][0]] if bits else 0
            assert (stack.height, stack.top) == (len(bits), top)
        assert position.scores == (slow.score(0), slow.score(1))
        assert position.to_move == slow.player

        if SWAP in position.turns() and seed % 2:
            position = position.play(SWAP)
            slow.swap()
        else:
            black, white = dice.choice(
                [pair for pair in adjacent if own_view(*pair) in legal]
            )
            position = position.play(own_view(black, white))
            slow.place(black, white)

    position = position.play(PASS).play(PASS)
    assert position.winner == slow.winner()
    assert position.margin == abs(slow.score(0) - slow.score(1))


# What holds in every game.


def random_game(size: int, seed: int) -> list[WythePosition]:
    dice = random.Random(seed)
    positions = [Wythe(size).start()]
    while positions[-1].turns():
        positions.append(positions[-1].play(positions[-1].random_turn(dice)))
    return positions


ANY_SIZE = [(size, seed) for size in (2, 3, 4, 6, 9) for seed in range(10)] + [(25, 0)]


@pytest.mark.parametrize(("size", "seed"), ANY_SIZE)
def test_end(size: int, seed: int) -> None:
    """§4, §5: a game ends with two passes and has no others; then nothing goes."""
    positions = random_game(size, seed)
    turns = [position.last for position in positions[1:]]

    assert turns[-2:] == [PASS, PASS]
    assert PASS not in turns[:-2]
    assert [position.winner for position in positions[:-1]] == [None] * len(turns)
    assert positions[-1].winner is not None
    assert [answer(positions[-1], text) for text in ("A1-A2", "pass", "swap")] == [
        "the game is over (wythe §5)"
    ] * 3


@pytest.mark.parametrize(("size", "seed"), ANY_SIZE)
def test_scores(size: int, seed: int) -> None:
    """§6, §7: scores are equal only at 0; the margin is their difference."""
    positions = random_game(size, seed)

    for position in positions:
        black, white = position.scores
        assert black != white or black == 0
    assert {position.margin for position in positions[:-1]} == {0}
    assert positions[-1].margin == abs(black - white)


@pytest.mark.parametrize(("size", "seed"), ANY_SIZE)
def test_consequences(size: int, seed: int) -> None:
    """§9: pieces, heights and places are as few as the text says."""
    positions = random_game(size, seed)
    turns = [position.last for position in positions]
    placements = [frozenset(turn) for turn in turns if isinstance(turn, tuple)]

    assert len(placements) <= size * size
    assert max(Counter(placements).values()) == 1
    for near, stack in zip(square(size).neighbours, positions[-1].stacks, strict=True):
        assert stack.height <= len(near)
    for before, after in pairwise(positions):
        for place in range(size * size):
            if not before._shows_all(place) and after.last != SWAP:
                assert before.stacks[place] == after.stacks[place]


@pytest.mark.parametrize("seed", range(40))
def test_swap_plays_on_as_the_exchanged_game(seed: int) -> None:
    """§8: as if the opening had been the other way round, Black to move instead."""
    dice = random.Random(seed)
    size = 2 + seed % 4
    black, white = dice.choice(pairs(size))
    opened = Wythe(size).start().play((black, white))
    swapped = opened.play(SWAP)
    plain = Wythe(size, pie=False).start().play((white, black))
    while swapped.turns():
        assert swapped.stacks == plain.stacks
        assert swapped.turns() == plain.turns()
        assert swapped.to_move is plain.to_move.other
        assert swapped.scores == plain.scores
        turn = swapped.random_turn(dice)
        swapped, plain = swapped.play(turn), plain.play(turn)

    assert swapped.winner is not None
    same_winner = swapped.winner is plain.winner
    assert same_winner == (swapped.scores != (0, 0))


def test_swap_taken_back() -> None:
    """§8: the position before the swap is as it was, and the swap is there again."""
    opened = played(Wythe(3), "B2-B3")
    opened.play(SWAP)

    assert opened == played(Wythe(3), "B2-B3")
    assert SWAP in opened.turns()
    assert opened.to_move is Side.WHITE


# Equality.


def continuations(size: int) -> dict[WythePosition, set[int]]:
    """Every position of a size with the numbers of the game trees below it.

    Positions that compare equal share a row. Trees have the same number if the same
    turns lead to the same boards, winners and margins at the end.
    """
    numbers: dict[object, int] = {}
    seen: dict[object, int] = {}
    rows: dict[WythePosition, set[int]] = {}

    def number(position: WythePosition) -> int:
        moment = position.stacks, position.to_move, position.passes
        if moment not in seen:
            result = tuple(s.top for s in position.stacks), position.winner
            below = [(turn, number(position.play(turn))) for turn in position.turns()]
            tree = tuple(below) or (*result, position.margin)
            seen[moment] = numbers.setdefault((position.to_move, tree), len(numbers))
            rows.setdefault(position, set()).add(seen[moment])
        return seen[moment]

    number(Wythe(size).start())
    return rows


@pytest.mark.parametrize("size", [2, 3])
def test_equal_positions_go_on_alike(size: int) -> None:
    """Each row of equal positions has one tree; size 3 has thousands of positions."""
    rows = continuations(size)

    assert {len(trees) for trees in rows.values()} == {1}


def test_positions_that_go_on_alike_are_equal() -> None:
    """On the smallest board no tree belongs to two unequal positions."""
    rows = continuations(2)

    assert max(Counter(tree for trees in rows.values() for tree in trees).values()) == 1


def test_equality_with_other_things() -> None:
    """The rules belong to a position; nothing else is one."""
    start = Wythe(3).start()

    assert start != Wythe(3, pie=False).start()
    assert start != "A1"
