"""The search player: what it promises, on boards small enough to know the answer."""

import random
import threading
import time
from typing import Any

import pytest

from games import GAMES, open_game
from games.contract import SWAP, Position, Side
from games.search import uct
from games.search.player import Limits, Player
from games.search.settings import BadSetting, Settings
from games.search.tree import Tree
from games.search.uct import Search
from tools.defences import beaten_line


def after(game: str, size: int, turns: str, **variant: str) -> Position:
    position = open_game(game, size, variant).start()
    for token in turns.split():
        position = position.play(position.read(token))
    return position


def chosen(position: Position, playouts: int, **settings: int) -> str:
    player = Player(Settings(**settings))
    turn = player.choose(position, Limits(playouts=playouts))
    return position.rules.write(turn)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_same_seed_same_turns(name: str) -> None:
    """One thread and a limit of playouts leave nothing open; seeds differ."""
    rules = open_game(name)

    def game(seed: int) -> list[str]:
        player, position, turns = Player(Settings(seed=seed)), rules.start(), []
        while position.winner is None and len(turns) < 6:
            turn = player.choose(position, Limits(playouts=60))
            turns.append(rules.write(turn))
            position = position.play(turn)
        return turns

    assert game(7) == game(7)
    assert len({tuple(game(seed)) for seed in range(4)}) > 1


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("threads", [1, 3])
def test_every_turn_is_legal(name: str, threads: int) -> None:
    """Even with a single playout, also with more threads than playouts."""
    for size in (GAMES[name].sizes.low, GAMES[name].sizes.low + 2):
        player = Player(Settings(seed=1, threads=threads))
        position = open_game(name, size).start()
        turns = 0
        while position.winner is None and turns < 12:
            turn = player.choose(position, Limits(playouts=1))
            assert turn in position.turns()
            position = position.play(turn)
            turns += 1


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("end", ["low", "high"])
def test_both_ends_of_the_sizes(name: str, end: str) -> None:
    """Ten turns or the whole game, also where `swap` is all that White can do."""
    player = Player(Settings(seed=1))
    position = open_game(name, getattr(GAMES[name].sizes, end)).start()
    for _ in range(10):
        if position.winner is not None:
            break
        position = position.play(player.choose(position, Limits(playouts=40)))

    assert position.last is not None


@pytest.mark.parametrize(("size", "winner"), [(2, "white"), (3, "black")])
def test_flipway_beats_every_defence(size: int, winner: str) -> None:
    """From the winning side, each distinct position once."""
    start = open_game("flipway", size).start()
    side = Side[winner.upper()]
    line, turns = beaten_line(start, side, Player(Settings()), playouts=20_000)

    assert line == ()
    assert turns > 3


@pytest.mark.parametrize("seed", range(4))
def test_takes_a_win(seed: int) -> None:
    """Wherever a turn ends a random game, the player makes such a turn."""
    dice = random.Random(seed)
    position = open_game("flipway", 5).start()
    taken = 0
    while position.winner is None:
        wins = {t for t in position.turns() if position.play(t).winner is not None}
        if wins:
            assert Player(Settings()).choose(position, Limits(playouts=400)) in wins
            taken += 1
        position = position.play(dice.choice(position.turns()))

    assert taken


def test_swaps_what_wins() -> None:
    """Four stones in the middle of a small board decide the game."""
    opened = after("flipway", 4, "B2+B3+C2+C3", pie="on")

    assert chosen(opened, 2000) == SWAP


@pytest.mark.parametrize("name", ["wythe", "weft"])
def test_does_not_open_with_what_it_would_swap(name: str) -> None:
    """Answered by itself with all the playouts it had for the opening."""
    start = open_game(name).start()
    for seed in range(6):
        opening = Player(Settings(seed=seed)).choose(start, Limits(playouts=500))

        assert chosen(start.play(opening), 500, seed=seed + 100) != SWAP


@pytest.mark.parametrize(
    ("name", "size", "playouts", "most"),
    [
        ("flipway", 3, 1_000, 0),
        ("flipway", 3, 20_000, 0),
        ("flipway", 4, 1_000, 0),
        ("wythe", 3, 5_000, 0),
        ("weft", 4, 1_000, 0),
        ("vaxandis", 2, 500, 0),
        ("flipway", 8, 2_000, 1),
        ("wythe", 4, 1_000, 1),
        ("wythe", 5, 1_000, 1),
    ],
)
def test_does_not_swap_its_own_opening(
    name: str, size: int, playouts: int, most: int
) -> None:
    """Not where all openings are as good as proven; elsewhere at most once of ten."""
    start = open_game(name, size, {"pie": "on"}).start()
    limits = Limits(playouts=playouts)
    swapped = 0
    for seed in range(10):
        player = Player(Settings(seed=seed))
        opened = start.play(player.choose(start, limits))
        swapped += opened.rules.write(player.choose(opened, limits)) == SWAP

    assert swapped <= most


@pytest.mark.parametrize(("name", "size"), [("wythe", 9), ("flipway", 3)])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("playouts", [100, 1000])
def test_opening_within_the_playouts(
    name: str, size: int, threads: int, playouts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = noted_searches(monkeypatch)
    start = open_game(name, size, {"pie": "on"}).start()
    player = Player(Settings(threads=threads))
    player.choose(start, Limits(playouts=playouts))

    used = sum(search.playouts for search in searches)
    assert used <= playouts + threads
    assert used > 0.9 * playouts or name == "flipway"


def test_opening_when_told_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = noted_searches(monkeypatch)
    start = open_game("wythe", 9).start()
    opening = Player(Settings()).choose(start, Limits(stop=lambda: True))

    assert opening in start.turns()
    assert sum(search.playouts for search in searches) < 100


def test_opening_within_the_time() -> None:
    start = open_game("wythe", 9).start()
    player = Player(Settings())
    player.choose(start, Limits(playouts=32))
    begun = time.perf_counter()
    player.choose(start, Limits(seconds=0.5))

    assert 0.4 < time.perf_counter() - begun < 0.6


def test_search_drop_swap() -> None:
    """Where `swap` is the only answer, keeping the side is a loss."""
    opened = after("flipway", 4, "B2+B3+C2+C3", pie="on")
    search = Search(opened, Settings(threads=2), random.Random(1))
    search.drop_swap()
    search.run(Limits(playouts=500))

    turns = {search.kernel.decode(opened, (), c.step) for c in search.children()}
    assert turns == set(opened.turns()) - {SWAP}

    opened = after("vaxandis", 2, "B2")
    assert opened.turns() == [SWAP]
    search = Search(opened, Settings(), random.Random(1))
    search.drop_swap()

    assert search.proven == Side.BLACK


def noted_searches(monkeypatch: pytest.MonkeyPatch) -> list[Search]:
    """A list that every search planted from now on is added to."""
    searches: list[Search] = []
    plant = Search.__init__

    def note(self: Search, *given: Any) -> None:
        plant(self, *given)
        searches.append(self)

    monkeypatch.setattr(Search, "__init__", note)
    return searches


def test_full_tree() -> None:
    """The search goes on without new nodes once there is no room for them."""
    position = open_game("flipway").start()
    search = Search(position, Settings(tree=20_000), random.Random(1))
    search.run(Limits(playouts=6000))

    assert search.playouts == 6000
    assert search.trees[0].numbers[0] <= 20_000
    assert search.turn() in position.turns()


def test_threads_share_the_playouts() -> None:
    search = Search(open_game("flipway").start(), Settings(threads=3), random.Random(1))
    search.run(Limits(playouts=1000))

    assert search.playouts == 1000
    assert sum(child.visits for child in search.children()) == 1000


def test_one_legal_turn_needs_no_search() -> None:
    position = after("flipway", 2, "A1+B2 A2+B1", pie="on")
    assert len(position.turns()) == 1
    search = Search(position, Settings(), random.Random(1))
    search.run(Limits(playouts=1_000_000))

    assert search.playouts < 1000


def test_stops_within_50_ms() -> None:
    """Told to stop, a search without other limits ends soon, in its own time."""
    position = open_game("flipway").start()
    player = Player(Settings())
    player.choose(position, Limits(playouts=1))
    stop = threading.Event()
    told: list[float] = []

    def tell() -> None:
        stop.set()
        told.append(time.process_time())

    timer = threading.Timer(0.2, tell)
    timer.start()
    turn = player.choose(position, Limits(stop=stop.is_set))
    used = time.process_time() - told[0]
    timer.join()

    assert turn in position.turns()
    assert used < 0.05


def test_hurry_does_not_load_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.search.player._loaded", set())

    def load(rules: object) -> None:
        raise AssertionError("loaded")

    monkeypatch.setattr("games.search.player.load_search", load)
    position = open_game("flipway").start()
    turn = Player(Settings()).choose(position, Limits(hurry=lambda: True))

    assert turn in position.turns()


def test_no_memory_for_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    new_tree = uct.new_tree

    def fail(nodes: int, capacity: int, side: int) -> Tree:
        if nodes == 123_456:
            raise MemoryError
        return new_tree(nodes, capacity, side)

    monkeypatch.setattr(uct, "new_tree", fail)
    settings = Settings(playouts=8, tree=123_456)
    with pytest.raises(BadSetting, match="tree is 123456: not enough memory"):
        Player(settings).choose(after("flipway", 3, ""), Limits(playouts=8))
