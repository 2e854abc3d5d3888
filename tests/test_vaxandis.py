"""Vaxandis against its tables, the examples of its spec, and an oracle.

The oracle says the rules once more in sets and distances, without a grid, rays or
signs, and plays random games against the real thing.
"""

import random
import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from conftest import read_cases, read_perft
from games import kernels
from games.contract import SWAP, Side
from games.errors import GameError, IllegalMove
from games.kernels.positions import KernelPosition
from games.notation import COLUMNS, legal_tokens
from games.perft import perft
from games.variants import parse_variant
from games.vaxandis import Vaxandis, VaxandisPosition
from tools.kernel_check import compare_game

HERE = Path(__file__).parent
SPEC = HERE.parent / "spec" / "vaxandis.md"
CASES = read_cases(HERE / "tables" / "vaxandis.txt")
COUNTS = [
    line.split()
    for line in (HERE / "tables" / "vaxandis.perft").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
READINGS = list(product(("path", "landing"), ("grow", "absorb")))
VARIANTS = [
    {"pie": pie, "touch": touch, "merge": merge}
    for pie, (touch, merge) in product(("on", "off"), READINGS)
]


def start(size: int, variant: dict[str, str]) -> VaxandisPosition:
    options = {**variant, "pie": variant.get("pie", "on") == "on"}
    return Vaxandis(size, **options).start()


def follow(position: VaxandisPosition, turns: str) -> VaxandisPosition:
    for text in turns.split():
        position = position.play(position.read(text))
    return position


def check(case: dict[str, str]) -> None:
    """The case holds in every variant that agrees with its `variant` line."""
    named = parse_variant(case.get("variant", "-"))
    for variant in VARIANTS:
        if not named.items() <= variant.items():
            continue
        position = follow(start(int(case["size"]), variant), case["turns"])
        if "board" in case:
            winner = "none" if position.winner is None else position.winner.word
            expected = (case.get("winner", "none"), case["board"])
            assert (winner, position.diagram()) == expected
        if "refused" in case:
            with pytest.raises(GameError) as caught:
                position.play(position.read(case["refused"]))
            assert str(caught.value) == case["says"]
            if isinstance(caught.value, IllegalMove):
                assert case["says"].endswith(f"({caught.value.rule})")


@pytest.mark.parametrize("name", CASES)
def test_table(name: str) -> None:
    """Playing the turns gives the diagram and the winner; some turns are refused."""
    assert CASES[name].keys() & {"board", "refused"}
    check(CASES[name])


def test_examples_of_the_spec(tmp_path: Path) -> None:
    """Every diagram in spec/vaxandis.md is where its turns lead."""
    blocks = re.findall(r"^```\n(.*?)^```$", SPEC.read_text("utf-8"), re.M | re.S)
    file = tmp_path / "examples.txt"
    file.write_text("\n" + "".join(blocks))
    examples = read_cases(file)
    assert len(examples) == len(blocks) > 10
    for case in examples.values():
        assert "board" in case
        check(case)


@pytest.mark.parametrize(("size", "variant", "depth", "turns"), COUNTS)
def test_perft(size: str, variant: str, depth: str, turns: str) -> None:
    """There are exactly the known numbers of sequences of turns."""
    position = start(int(size), parse_variant(variant))
    assert list(perft(position, int(depth)))[-1] == int(turns)


@pytest.mark.parametrize(
    ("touch", "merge", "turns"),
    [
        ("path", "grow", 725),
        ("path", "absorb", 1470),
        ("landing", "grow", 698),
        ("landing", "absorb", 1505),
    ],
)
def test_perft_tells_the_readings_apart(touch: str, merge: str, turns: int) -> None:
    """§10: three more turns after a position, here and in the spec."""
    position = follow(
        start(3, {"pie": "off", "touch": touch, "merge": merge}),
        "E3 C2 D4 B3 D4-D2 C5 E5 C5-C1 E5-E4",
    )
    assert list(perft(position, 3))[-1] == turns
    assert list(perft(KernelPosition.of(position), 3))[-1] == turns
    assert f"| `{touch}` | `{merge}` | {turns} |" in SPEC.read_text("utf-8")


# The oracle. A point is (column, row); stacks maps points to (side, height).

Point = tuple[int, int]
Stacks = dict[Point, tuple[Side, int]]


def distance(a: Point, b: Point) -> int:
    dx, dy = b[0] - a[0], b[1] - a[1]
    return max(abs(dx), abs(dy), abs(dx - dy))


@cache
def board(size: int) -> frozenset[Point]:
    centre = (size - 1, size - 1)
    span = range(2 * size - 1)
    return frozenset(p for p in product(span, span) if distance(p, centre) < size)


@cache
def line(size: int, a: Point, b: Point) -> tuple[Point, ...]:
    """The points from a, without it, to b; () if they are not in one line.

    Two points are in one line when only one shortest path joins them.
    """
    length = distance(a, b)
    path = [p for p in board(size) if distance(a, p) + distance(p, b) == length]
    if len(path) != length + 1:
        return ()
    return tuple(sorted(path, key=lambda p: distance(a, p))[1:])


def name(point: Point) -> str:
    return f"{COLUMNS[point[0]]}{point[1] + 1}"


class Oracle:
    def __init__(self, size: int, variant: dict[str, str]) -> None:
        self.size, self.variant = size, variant
        self.stacks: Stacks = {}
        self.played = 0

    @property
    def mover(self) -> Side:
        return Side(self.played % 2)

    def friends(self, apart: Point) -> set[Point]:
        own = {p for p, (side, _) in self.stacks.items() if side is self.mover}
        return own - {apart}

    def is_frozen(self, point: Point) -> bool:
        side, height = self.stacks[point]
        return any(
            distance(point, p) == 1 and other is not side and tall > height
            for p, (other, tall) in self.stacks.items()
        )

    def met(self, start: Point, way: tuple[Point, ...], touch: str) -> set[Point]:
        """Friends jumped over or touched."""
        friends = self.friends(start)
        entered = [p for p in way if p not in self.stacks]
        if touch == "landing":
            entered = [way[-1]]
        touched = {f for f in friends for p in entered if distance(f, p) == 1}
        return touched | (friends & set(way))

    def may_move(self, start: Point, landing: Point) -> bool:
        way = line(self.size, start, landing)
        height = self.stacks[start][1]
        return (
            bool(way)
            and landing not in self.stacks
            and not self.is_frozen(start)
            and all(self.stacks[p][1] <= height for p in way if p in self.stacks)
            and bool(self.met(start, way, "landing"))
        )

    def turns(self) -> dict[str, tuple[Point, ...]]:
        """The legal turns by their tokens; the swap has no points."""
        found: dict[str, tuple[Point, ...]] = {}
        for point in board(self.size):
            if all(distance(point, p) > 1 for p in self.stacks):
                found[name(point)] = (point,)
        for start in self.friends(apart=(-1, -1)):
            for landing in board(self.size):
                if self.may_move(start, landing):
                    found[f"{name(start)}-{name(landing)}"] = (start, landing)
        if self.variant["pie"] == "on" and self.played == 1:
            found[SWAP] = ()
        return found

    def group(self, point: Point, apart: Point) -> frozenset[Point]:
        """The group of `point` without the stack `apart`."""
        height = self.stacks[point][1]
        alike = {f for f in self.friends(apart) if self.stacks[f][1] == height}
        group = {point}
        while more := {
            f for f in alike - group if any(distance(f, g) == 1 for g in group)
        }:
            group |= more
        return frozenset(group)

    def after(self, turn: tuple[Point, ...]) -> Stacks:
        """The stacks after a legal turn."""
        if not turn:
            return {p: (side.other, h) for p, (side, h) in self.stacks.items()}
        if len(turn) == 1:
            return {**self.stacks, turn[0]: (self.mover, 1)}
        start, landing = turn
        way = line(self.size, start, landing)
        after = dict(self.stacks)
        after[landing] = (self.mover, after.pop(start)[1] + 1)
        met = self.met(start, way, self.variant["touch"])
        for group in {self.group(point, start) for point in met}:
            (height,) = {self.stacks[point][1] for point in group}
            joined = height == after[landing][1] and any(
                distance(point, landing) == 1 for point in group
            )
            if not (joined and self.variant["merge"] == "absorb"):
                after.update(dict.fromkeys(group, (self.mover, height + 1)))
        return after


def stacks_of(position: VaxandisPosition) -> Stacks:
    return {
        vertex: (Side.BLACK if stack > 0 else Side.WHITE, abs(stack))
        for vertex, stack in zip(
            position.rules.grid.vertices, position.stacks, strict=True
        )
        if stack
    }


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: "-".join(v.values()))
@pytest.mark.parametrize(
    ("size", "games", "length"), [(1, 1, 9), (2, 9, 9), (3, 5, 60), (4, 2, 60)]
)
def test_oracle(size: int, games: int, length: int, variant: dict[str, str]) -> None:
    """Along random games the legal turns, what they lead to and the end agree."""
    for seed in range(games):
        dice = random.Random(seed)
        oracle, position = Oracle(size, variant), start(size, variant)
        for _ in range(length):
            turns = oracle.turns()
            assert set(legal_tokens(position)) == turns.keys()
            assert position.to_move is oracle.mover
            assert position.winner is (None if turns else oracle.mover.other)
            if not turns:
                break
            for text in dice.sample(sorted(turns), min(8, len(turns))):
                after = position.play(position.read(text))
                assert stacks_of(after) == oracle.after(turns[text])
            oracle.stacks = oracle.after(turns[text])
            oracle.played += 1
            position = after


@pytest.mark.parametrize("touch", ["path", "landing"])
def test_all_other_turns_are_refused(touch: str) -> None:
    """`play` refuses exactly what `turns` does not list."""
    dice = random.Random(5)
    position = start(3, {"pie": "on", "touch": touch})
    points = range(len(position.stacks))
    every = {(p,) for p in points} | set(product(points, points)) | {SWAP}
    for _ in range(40):
        legal = set(position.turns())
        assert legal < every
        for turn in every - legal:
            with pytest.raises(IllegalMove):
                position.play(turn)
        position = position.play(dice.choice(sorted(legal - {SWAP})))


@pytest.mark.parametrize("size", [3, 5])
def test_no_position_repeats(size: int) -> None:
    """§8: positions along a game are all different."""
    for variant in VARIANTS[:4]:
        dice = random.Random(size)
        position = start(size, variant)
        seen = {position}
        for turns in range(2, 302):
            if position.winner is not None:
                break
            position = position.play(position.random_turn(dice))
            seen.add(position)
            assert len(seen) == turns


def test_a_game_need_not_end() -> None:
    """§8: the two pairs rise for ever."""
    for variant in VARIANTS:
        position = follow(start(3, variant), "A1 E5 C1 C5 C1-B1 C5-D5")
        for lap in range(1, 51):
            position = follow(position, "B1-B2 D5-D4 B2-B1 D4-D5")
            heights = sorted(stack for stack in position.stacks if stack)
            assert heights == [-2 - 2 * lap] * 2 + [2 + 2 * lap] * 2


@pytest.mark.parametrize(("touch", "merge"), READINGS)
def test_swap(touch: str, merge: str) -> None:
    """Playing on after it is playing on with the colours exchanged."""
    dice = random.Random(touch + merge)
    variant = {"touch": touch, "merge": merge}
    first = follow(start(3, variant), "B2")
    swapped, kept = first.play(SWAP), follow(start(3, {**variant, "pie": "off"}), "B2")
    assert first == follow(start(3, variant), "B2")
    for _ in range(60):
        assert swapped.to_move is kept.to_move.other
        assert swapped.stacks == tuple(-stack for stack in kept.stacks)
        assert swapped.turns() == kept.turns()
        if kept.winner is not None:
            assert swapped.winner is kept.winner.other
            break
        turn = kept.random_turn(dice)
        swapped, kept = swapped.play(turn), kept.play(turn)


def test_equality_is_about_what_may_follow() -> None:
    """The way to a position does not count, heights and the side to move do."""
    base = start(3, {})
    one, other = follow(base, "A1 E5 C1"), follow(base, "C1 E5 A1")
    assert one == other
    assert hash(one) == hash(other)
    assert one.last != other.last
    low, high = follow(one, "C5 C1-B1"), follow(one, "C5 C1-B1 C5-D5 B1-B2 D5-D4 B2-B1")
    assert low != high
    assert VaxandisPosition(one.rules, one.stacks, Side.BLACK) != one


@pytest.mark.parametrize("size", range(1, 14))
def test_every_turn_can_be_written_and_read(size: int) -> None:
    position = start(size, {})
    points = range(len(position.stacks))
    for turn in [SWAP, *((p,) for p in points), *((p, points[-1]) for p in points)]:
        token = position.rules.write(turn)
        assert position.read(token) == position.read(token.lower()) == turn
    assert position.read("swap-pieces") == SWAP


def test_diagram_makes_room_for_high_stacks() -> None:
    """Heights have no limit; columns stay in line."""
    stacks = (1000, -1001, 7, 0, 0, -6, -8)
    position = VaxandisPosition(Vaxandis(2), stacks, last=(1,))
    assert position.diagram().splitlines()[1:4] == [
        "   3       A       .       O8      3",
        "       2    (O1001)    .      O6*      2",
        "           1     X1000*    X7      C       1",
    ]


# The kernel.

PERFT = read_perft(HERE / "tables" / "vaxandis.perft")

# Low, beyond 16 bits, and near the largest a kernel can hold.
BASES = (1, 1000, 40_000, 2_000_000_000)


def tall_position(rules: Vaxandis, dice: random.Random) -> VaxandisPosition:
    """Stacks anywhere, of few heights around one of BASES, so that groups form."""
    base, share = dice.choice(BASES), dice.uniform(0.1, 0.8)
    stacks = tuple(
        dice.choice((1, -1)) * (base + dice.randrange(3))
        if dice.random() < share
        else 0
        for _ in rules.grid.vertices
    )
    return VaxandisPosition(rules, stacks, dice.choice(list(Side)))


def mirrored(position: VaxandisPosition) -> VaxandisPosition:
    """The same with the colours exchanged."""
    stacks = tuple(-stack for stack in position.stacks)
    return VaxandisPosition(position.rules, stacks, position.to_move.other)


@pytest.mark.parametrize(("size", "variant", "counts"), PERFT)
def test_perft_of_the_kernel(size: int, variant: str, counts: list[int]) -> None:
    root = KernelPosition.of(start(size, parse_variant(variant)))
    assert list(perft(root, len(counts))) == counts


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: "-".join(v.values()))
def test_kernel_from_constructed_positions(variant: dict[str, str]) -> None:
    """Heights over 1,000 change nothing: the kernel goes along with the rules."""
    dice = random.Random(7)
    for size in (2, 3, 4):
        for _ in range(4):
            position = tall_position(start(size, variant).rules, dice)
            assert compare_game(position.rules, dice, 25, position) > 0


@pytest.mark.parametrize("size", [1, 2, 3, 5, 13])
def test_capacity(size: int) -> None:
    """No position has more steps; the largest board stays below 20,000."""
    kernel, dice = kernels.load("vaxandis"), random.Random(size)
    rules = start(size, {}).rules
    for _ in range(1 if size == 13 else 8):
        assert len(tall_position(rules, dice).turns()) <= kernel.capacity(rules)
    assert kernel.capacity(rules) < 20_000


def test_evaluation() -> None:
    """§11: within (0, 1), fair to both colours, and it tells positions apart."""
    kernel, dice = kernels.load("vaxandis"), random.Random(3)
    values = []
    for _ in range(60):
        position = tall_position(start(4, {}).rules, dice)
        value = kernel.evaluate(kernel.state_of(position))
        other = kernel.evaluate(kernel.state_of(mirrored(position)))
        assert 0 < value < 1
        assert value + other == pytest.approx(1)
        values.append(round(value, 3))
    assert len(set(values)) > 40


def test_evaluation_by_hand() -> None:
    """§11: (1 + movements)(1 + stacks above all enemies), as a share."""
    kernel = kernels.load("vaxandis")
    state = kernel.state_of(follow(start(3, {"pie": "off"}), "A1 E5 C1 C5 C1-B1 C5-D5"))
    before = kernel.evaluate(state)
    assert before == pytest.approx(0.5)  # two like pairs in opposite corners
    state = kernel.state_of(
        follow(start(3, {"pie": "off"}), "A1 E5 C1 C5 C1-B1 C5-D5 B1-B2")
    )
    assert kernel.evaluate(state) > 0.5  # both black stacks are higher now


def test_random_games_are_cut() -> None:
    from games.kernels.dice import dice
    from games.search.randomgames import finish

    kernel = kernels.load("vaxandis")
    state = kernel.state_of(start(5, {"pie": "off"}))
    assert finish(state, dice(1), 40) == 40
    assert kernel.winner(state) == -1
