"""Yodd against tables/yodd.txt, tables/yodd.perft and a slow program of its own."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from conftest import read_perft
from games import open_game, variant_of
from games.contract import PASS, Position, Side, Step, Turn
from games.errors import BadSize, BadVariant, GameError, IllegalMove, UnreadableMove
from games.grids import hexagon
from games.kernels import yodd as kernel
from games.kernels.dice import dice as kernel_dice
from games.kernels.positions import KernelPosition, readable
from games.notation import legal_tokens
from games.perft import perft
from games.variants import parse_variant, write_variant
from games.yodd import STOP, Stone, Yodd, YoddPosition

TABLE = "yodd.txt"
PERFT = read_perft(Path(__file__).parent / "tables" / "yodd.perft")


def after(size: int, moves: str) -> YoddPosition:
    position = Yodd(size).start()
    for text in moves.split():
        position = position.play(position.read(text))
    return position


def random_game(size: int, dice: Random) -> Iterator[YoddPosition]:
    """The positions of a random game, the finished one last."""
    position = Yodd(size).start()
    yield position
    while position.winner is None:
        position = position.play(position.random_turn(dice))
        yield position


# The table.


def show_result(position: Position) -> str:
    if position.winner is None:
        return "none"
    return f"{position.winner.word} by {position.margin}"


def show_refusal(position: Position, text: str) -> str:
    try:
        position.play(position.read(text))
    except GameError as refusal:
        return str(refusal)
    return "played"


def show_each(ask: Callable[[Position, str], str]) -> Callable[[Position, str], str]:
    """`ask` about the word before the colon of every line."""

    def answer(position: Position, block: str) -> str:
        words = [line.partition(":")[0] for line in block.splitlines()]
        return "\n".join(f"{word}: {ask(position, word)}" for word in words)

    return answer


SHOW: dict[str, Callable[[Position, str], str]] = {
    "board": lambda position, _: position.diagram(),
    "result": lambda position, _: show_result(position),
    "turns": lambda position, _: str(len(position.turns())),
    "legal": lambda position, _: " ".join(legal_tokens(position)),
    "reads": show_each(
        lambda position, text: position.rules.write(position.read(text))
    ),
    "refused": show_each(show_refusal),
}


def test_table(case: dict[str, str]) -> None:
    """Every line of a case says what the position says."""
    position = after(int(case["size"]), case["moves"])
    stated = {key: text for key, text in case.items() if key not in ("size", "moves")}

    assert stated
    assert {key: SHOW[key](position, text) for key, text in stated.items()} == stated


# Perft.


@pytest.mark.parametrize(("size", "variant", "counts"), PERFT)
def test_perft(size: int, variant: str, counts: list[int]) -> None:
    """As many sequences of turns as counted elsewhere, by either rules."""
    start = open_game("yodd", size, parse_variant(variant)).start()

    assert list(perft(start, len(counts))) == counts
    assert list(perft(KernelPosition.of(start), len(counts))) == counts


# A slow program, straight from the rules text. A cell is its vertex, a board a
# dictionary from cells to colour letters.

Cells = dict[tuple[int, int], str]


def slow_cells(size: int) -> set[tuple[int, int]]:
    """The cells at most `size` - 1 cells away from the middle one."""
    board = {(size - 1, size - 1)}
    for _ in range(size - 1):
        board |= {
            (x + dx, y + dy)
            for x, y in board
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if touch((0, 0), (dx, dy))
        }
    return board


def touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two cells lie a distance of 1 apart on the page."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    return dx * dx - dx * dy + dy * dy == 1


def slow_groups(board: Cells, colour: str) -> int:
    left = {cell for cell, stone in board.items() if stone == colour}
    groups = 0
    while left:
        groups += 1
        edge = {left.pop()}
        while edge:
            edge = {cell for cell in left if any(touch(cell, other) for other in edge)}
            left -= edge
    return groups


def slow_turns(
    size: int, board: Cells, first: bool
) -> Iterator[tuple[frozenset[tuple[tuple[int, int], str]], Cells]]:
    """Every turn but a pass, as the set of its stones, with the board after it."""
    stones = [(c, colour) for c in slow_cells(size) - board.keys() for colour in "bw"]
    for number in (1,) if first else (1, 2):
        for placed in combinations(stones, number):
            following = board | dict(placed)
            if len(following) == len(board) + number:
                groups = slow_groups(following, "b") + slow_groups(following, "w")
                if groups % 2 == 1:
                    yield frozenset(placed), following


def as_slow_board(position: YoddPosition) -> Cells:
    vertices = hexagon(position.rules.size).vertices
    return {vertices[c]: " bw"[s] for c, s in enumerate(position.stones) if s}


def as_slow_turn(
    position: YoddPosition, turn: Turn
) -> frozenset[tuple[tuple[int, int], str]]:
    vertices = hexagon(position.rules.size).vertices
    assert isinstance(turn, tuple)
    return frozenset((vertices[cell], colour.letter) for cell, colour in turn)


@pytest.mark.parametrize(("size", "games"), [(1, 6), (2, 30), (3, 4), (4, 1)])
def test_slow_program_agrees(size: int, games: int) -> None:
    """On turns, boards, ends and winners, all through random games."""
    dice = Random(size)
    for _ in range(games):
        board: Cells = {}
        passes = 0
        position = Yodd(size).start()
        for number in range(2 * len(slow_cells(size)) + 2):
            if passes == 2:
                break
            assert (position.winner, position.margin) == (None, 0)
            expected = dict(slow_turns(size, board, first=number == 0))
            turns = [turn for turn in position.turns() if turn != PASS]
            assert len(turns) == len(expected)
            assert {as_slow_turn(position, turn) for turn in turns} == expected.keys()
            assert (PASS in position.turns()) == (number > 0)

            turn = position.random_turn(dice)
            position = position.play(turn)
            if turn == PASS:
                passes += 1
            else:
                passes = 0
                board = expected[as_slow_turn(position, turn)]
            assert as_slow_board(position) == board
            assert position.to_move is Side((number + 1) % 2)
        black, white = slow_groups(board, "b"), slow_groups(board, "w")
        assert passes == 2
        assert position.winner is (Side.BLACK if black < white else Side.WHITE)
        assert position.margin == abs(black - white)
        assert position.turns() == position.steps() == ()


@pytest.mark.parametrize("size", [5, 6, 13])
def test_groups_stay_odd(size: int) -> None:
    """After every turn, so the fewer groups have one owner."""
    for position in random_game(size, Random(size)):
        board = as_slow_board(position)
        black, white = slow_groups(board, "b"), slow_groups(board, "w")
        assert (black + white) % 2 == (1 if board else 0)
        if position.winner is not None:
            assert position.winner is (Side.BLACK if black < white else Side.WHITE)
            assert position.margin == abs(black - white)


@pytest.mark.parametrize("size", [5, 6])
def test_listed_turns_are_those_that_play(size: int) -> None:
    """Listing adds up changes, playing counts groups; both say the same."""
    dice = Random(size)
    for position in list(random_game(size, dice))[1:-1:3]:
        listed = set(position.turns())
        empty = [cell for cell, stone in enumerate(position.stones) if not stone]
        stones = [Stone(cell, colour) for cell in empty for colour in Side]
        pairs = [pair for pair in combinations(stones, 2) if pair[0][0] != pair[1][0]]
        for turn in dice.sample(pairs, min(len(pairs), 300)):
            assert (show_refusal(position, Yodd(size).write(turn)) == "played") == (
                turn in listed
            )


# What the rules text says about two shapes.


def touching(position: YoddPosition, cell: int, colour: Side) -> set[int]:
    """The groups of a colour next to a cell, each by its lowest cell."""
    near = hexagon(position.rules.size).neighbours
    found = set()
    for start in near[cell]:
        if position.stones[start] == 1 + colour:
            group, edge = set[int](), {start}
            while edge:
                group |= edge
                edge = {
                    other
                    for member in edge
                    for other in near[member]
                    if position.stones[other] == 1 + colour and other not in group
                }
            found.add(min(group))
    return found


@pytest.mark.parametrize("size", [3, 4])
def test_two_empty_cells_are_not_bridged_in_one_turn(size: int) -> None:
    """§3.3: not by two stones between the groups that touch no third one."""
    dice = Random(size)
    near = hexagon(size).neighbours
    met = 0
    for _ in range(20):
        for position in random_game(size, dice):
            if position.winner is not None:
                break
            turns = set(position.turns())
            empty = [cell for cell, stone in enumerate(position.stones) if not stone]
            for one, other in combinations(empty, 2):
                for colour in Side if other in near[one] else ():
                    here = touching(position, one, colour)
                    there = touching(position, other, colour)
                    if len(here) == len(there) == 1 and here != there:
                        met += 1
                        bridge = (Stone(one, colour), Stone(other, colour))
                        assert bridge not in turns
    assert met > 100


@pytest.mark.parametrize("size", [4])
def test_diamond_is_cut_past_an_odd_number_of_groups(size: int) -> None:
    """§3.3: the enemy may take both inner cells of a diamond in one turn just if
    the number of enemy groups that touch them is odd."""
    dice = Random(size)
    near = [set(cells) for cells in hexagon(size).neighbours]
    met = Counter[bool]()
    for _ in range(20):
        for position in random_game(size, dice):
            if position.winner is not None:
                break
            turns = set(position.turns())
            for one, other in combinations(range(len(near)), 2):
                inner = sorted(near[one] & near[other])
                stone = position.stones[one]
                if (
                    other in near[one]
                    or len(inner) != 2
                    or not stone == position.stones[other] != 0
                    or any(position.stones[cell] for cell in inner)
                ):
                    continue
                enemy = Side(stone - 1).other
                groups = set.union(*(touching(position, c, enemy) for c in inner))
                cut = tuple(Stone(cell, enemy) for cell in inner)
                assert (cut in turns) == (len(groups) % 2 == 1)
                met[cut in turns] += 1
    assert min(met[False], met[True]) > 20


# Steps.


def complete(
    position: YoddPosition, begun: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], float]]:
    """Every way to think up a turn, with its probability when steps are random."""
    if position.turn(begun) is not None:
        yield begun, 1.0
        return
    steps = position.steps(begun)
    assert len(set(steps)) == len(steps) > 0
    for step in steps:
        for whole, chance in complete(position, (*begun, step)):
            yield whole, chance / len(steps)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_steps_lead_to_every_turn(size: int) -> None:
    """A single stone or pass in one way, two stones in both orders."""
    for position in random_game(size, Random(size)):
        if position.winner is None:
            ways = Counter(position.turn(steps) for steps, _ in complete(position))
            assert ways == {
                turn: len(turn) if isinstance(turn, tuple) else 1
                for turn in position.turns()
            }


def test_steps_of_a_turn() -> None:
    start = Yodd(1).start()
    black = Stone(0, Side.BLACK)
    assert start.turn(()) is None
    assert start.steps((black,)) == ()
    assert start.turn((black,)) == (black,)

    later = after(2, "B2b")
    white = Stone(6, Side.WHITE)
    assert later.turn((white,)) is None
    assert STOP not in later.steps((white,))
    assert later.turn((white, Stone(0, Side.WHITE))) == (Stone(0, Side.WHITE), white)
    joined = Stone(6, Side.BLACK)
    assert STOP in later.steps((joined,))
    assert later.turn((joined, STOP)) == (joined,)
    assert later.turn((PASS,)) == PASS
    assert later.steps((PASS,)) == ()


@pytest.mark.parametrize("moves", ["", "B2b", "B2b A1b+C3b", "A1b C2b+B3b B2w+A2b"])
def test_random_turns_are_uniform_by_step(moves: str) -> None:
    position = after(2, moves)
    chances: dict[Turn | None, float] = {}
    for steps, chance in complete(position):
        turn = position.turn(steps)
        chances[turn] = chances.get(turn, 0) + chance
    draws = 20_000
    dice = Random(1)
    drawn = Counter(position.random_turn(dice) for _ in range(draws))

    assert drawn.keys() <= chances.keys()
    for turn, chance in chances.items():
        deviation = (draws * chance * (1 - chance)) ** 0.5
        assert abs(drawn[turn] - draws * chance) <= 5 * deviation


# The compiled rules; tests/test_kernels.py compares them step by step.


@pytest.mark.parametrize("size", [1, 2, 3])
def test_copies_of_the_kernel_play_on(size: int) -> None:
    """A game in which every state is a copy of the one before, with a turn played."""
    dice = Random(size)
    position = Yodd(size).start()
    compiled = KernelPosition.of(position)
    while position.winner is None:
        turns = {readable(position, turn): turn for turn in compiled.turns()}
        assert turns.keys() == set(position.turns())
        turn = dice.choice(position.turns())
        position, compiled = position.play(turn), compiled.play(turns[turn])
        assert compiled == KernelPosition.of(position)
    assert not compiled.turns()


@pytest.mark.parametrize(
    ("moves", "refused"),
    [("", 0), ("A2w", 0), ("A2w A1w+B1w", 1), ("B3b A1b+A2b C3b", 3)],
)
def test_steps_of_the_kernel_are_drawn_evenly(moves: str, refused: int) -> None:
    """The first and the second of a turn, also where not all stones may begin it."""
    position = after(2, moves)
    start = kernel.state_of(position)
    first = check_draws(position, (), start)
    if moves:
        fitting = 2 * position.stones.count(0)
        assert len(first) == fitting + 1 - refused
    for code, step in first.items():
        if moves and step != PASS:
            begun = kernel.state_of(position)
            kernel.play(begun, code)
            check_draws(position, (step,), begun)


def check_draws(
    position: YoddPosition, begun: tuple[Step, ...], state: kernel.YoddState
) -> dict[int, Step]:
    """That all steps here are drawn, each within five deviations; returns them."""
    draws = 3_000
    source = kernel_dice(1)
    drawn = Counter(kernel.random_step(state, source) for _ in range(draws))
    steps = {code: kernel.decode(position, begun, code) for code in drawn}
    expected = draws / len(steps)

    assert set(steps.values()) == set(position.steps(begun))
    assert all(abs(n - expected) <= 5 * expected**0.5 for n in drawn.values())
    return steps


def test_what_one_stone_changes_for_another() -> None:
    """Whether k of a like-coloured stone (§3.3) is odd, as before or not.

    C3 and E3 have three groups in common, which hardly ever comes up at random.
    """
    three = after(4, "D3b D5b+C1b C4b+E5b F4b+F5b B1b+D1b B2b+E2b")
    met = Counter[tuple[int, bool]]()
    for position in (three, *random_game(4, Random(1))):
        state = kernel.state_of(position)
        for one, other in permutations(fitting(state), 2):
            first, second = stone_of(position, one), stone_of(position, other)
            if first.colour is second.colour and first.cell != second.cell:
                here, there = touching(position, *first), touching(position, *second)
                board = bytearray(position.stones)
                board[first.cell] = 1 + first.colour
                then = touching(replace(position, stones=bytes(board)), *second)
                changes = (len(then) - len(there)) % 2 == 1
                assert kernel.changes(state, one, other) == changes
                met[len(here & there), changes] += 1
    assert met.keys() == {(0, False), (0, True), (1, False), (2, True), (3, False)}


def fitting(state: kernel.YoddState) -> list[int]:
    return [int(code) for code in state.order[: state.numbers[kernel.COUNT]]]


def stone_of(position: YoddPosition, code: int) -> Stone:
    stone = kernel.decode(position, (), code)
    assert isinstance(stone, Stone)
    return stone


@pytest.mark.parametrize("size", [1, 2, 7, 13])
def test_no_position_has_more_steps_than_the_capacity(size: int) -> None:
    """The empty board has two for every cell, the next one a pass as well."""
    rules = Yodd(size)
    start = kernel.state_of(rules.start())
    out = np.empty(kernel.capacity(rules), np.int32)

    assert kernel.legal_steps(start, out) == len(out) - 1
    kernel.play(start, int(out[0]))
    assert kernel.legal_steps(start, out) <= len(out) - 2


# Values.


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("A1b A2b", "A2b A1b", True),
        ("A1b A2b B1b B2b", "B2b B1b A1b A2b", True),
        ("A1b A2b B2b", "A1b A2b+B2b pass", False),
        ("A1b A2b B1b", "A1b A2b+B1b", False),
        ("A1b pass", "A1b", False),
        ("A1b A2b", "A1b A2w+C3w", False),
    ],
)
def test_equal_positions(one: str, other: str, equal: bool) -> None:
    """Stones, side and the pass before count; the way there does not."""
    assert (after(2, one) == after(2, other)) is equal
    assert not equal or hash(after(2, one)) == hash(after(2, other))


def test_playing_changes_nothing() -> None:
    position = after(3, "A3b D3b+C1w")
    before = position.diagram()
    position.play(position.read("B3b"))

    assert (position, position.diagram()) == (after(3, "A3b D3b+C1w"), before)
    assert position.last == position.read("C1w+D3b")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "C4",
        "4Cb",
        "C4r",
        "C4bb",
        "bC4",
        "C4b+",
        "+C4b",
        "C4b++D7w",
        "C4b,D7w",
        "C4b D7w",
        "C4b-D7w",
        "C0b",
        "C04b",
        "C4ｂ",
        "b",
        "+",
        "pass+C4b",
        "resign",
    ],
)
def test_unreadable(text: str) -> None:
    """What is no turn on any board is answered with examples of turns."""
    with pytest.raises(UnreadableMove) as caught:
        after(6, "C4b").read(text)

    expected = "expected stones such as C4b or C4b+D7w, or pass, got "
    assert str(caught.value) == f"{expected}{text!a} (yodd §6)"


def test_refusals_name_their_paragraph() -> None:
    with pytest.raises(IllegalMove) as caught:
        Yodd(3).start().play(PASS)

    assert caught.value.rule == "yodd §3.2"


@pytest.mark.parametrize("size", [1, 2, 6, 10])
def test_turns_are_written_and_read_back(size: int) -> None:
    position = Yodd(size).start()
    position = position.play(position.random_turn(Random(size)))
    turns = position.turns()
    tokens = [position.rules.write(turn) for turn in turns]

    assert len(set(tokens)) == len(tokens)
    assert [position.read(token) for token in tokens] == list(turns)


def test_sizes_and_options() -> None:
    assert open_game("yodd") == Yodd(6)
    assert [len(Yodd(size).start().stones) for size in (1, 6, 13)] == [1, 91, 469]
    assert write_variant(variant_of(Yodd())) == "-"
    with pytest.raises(BadVariant, match="unknown option 'pie', allowed: none"):
        open_game("yodd", 6, {"pie": "on"})


@pytest.mark.parametrize("size", [-1, 0, 14])
def test_sizes_refused(size: int) -> None:
    with pytest.raises(BadSize, match="1 to 13"):
        Yodd(size)
