"""Every game of a schedule follows from its number."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from protocol.schedule import BadSchedule, Schedule, seed_of

NAMES = ["A", "B", "C", "D"]


def schedule(**options: Any) -> Schedule:
    return Schedule(**{"players": NAMES, "form": "roundrobin", **options})


def met(made: Schedule) -> Counter[tuple[str, str]]:
    """How often each was Black against each."""
    games = (made[n] for n in range(len(made)))
    return Counter((game.black, game.white) for game in games)


def test_round_robin() -> None:
    """All meet all, as Black and as White, in every round."""
    made = schedule(rounds=3)
    counted = met(made)

    assert len(made) == 36
    for a, b in combinations(NAMES, 2):
        assert counted[a, b] == counted[b, a] == 3


@pytest.mark.parametrize("seeds", [1, 2, 3])
def test_gauntlet(seeds: int) -> None:
    """The first ones meet all others, and nobody else meets anybody."""
    counted = met(schedule(form="gauntlet", seeds=seeds))
    wanted = {(a, b) for a in NAMES[:seeds] for b in NAMES[seeds:]}

    assert set(counted) == wanted | {(b, a) for a, b in wanted}


def test_pair() -> None:
    made = schedule(players=NAMES[:2], form="pair", rounds=2)
    games = [made[n] for n in range(4)]

    assert [game.id for game in games] == ["1.1", "1.2", "2.1", "2.2"]
    assert [game.black for game in games] == ["A", "B", "A", "B"]
    assert [game.opponent for game in games] == ["B"] * 4
    assert [game.unit for game in games] == [0, 0, 1, 1]


def test_both_games_of_a_pair_have_one_opening() -> None:
    made = schedule(rounds=5, openings=3)
    for n in range(0, len(made), 2):
        first, second = made[n], made[n + 1]
        assert (first.black, first.white) == (second.white, second.black)
        assert first.opening == second.opening == first.round % 3
        assert first.unit == second.unit


def test_single_games_change_colours_from_round_to_round() -> None:
    made = schedule(rounds=2, games=1)
    counted = met(made)

    assert len(made) == 12
    assert set(counted.values()) == {1}
    assert made[0].first == made[6].first == "A"
    assert made[6].black == "B"


COLOURS = [
    # games, noswap, reverse: who is Black in four games of A and B
    (2, False, False, "ABAB"),
    (2, False, True, "BABA"),
    (1, False, False, "ABAB"),
    (1, False, True, "BABA"),
    (1, True, False, "AAAA"),
    (1, True, True, "BBBB"),
]


@pytest.mark.parametrize(("games", "noswap", "reverse", "black"), COLOURS)
def test_colours(games: int, noswap: bool, reverse: bool, black: str) -> None:
    options = {"games": games, "noswap": noswap, "reverse": reverse}
    made = schedule(players=NAMES[:2], form="pair", rounds=4, **options)
    fixtures = [made[n] for n in range(4)]

    assert "".join(game.black for game in fixtures) == black
    assert {game.first for game in fixtures} == {"A"}
    assert {game.opponent for game in fixtures} == {"B"}


@pytest.mark.parametrize(
    ("policy", "books"), [("round", [0] * 6 + [1] * 6), ("encounter", [0, 1, 2, 3] * 3)]
)
def test_which_games_share_an_opening(policy: str, books: list[int]) -> None:
    """Both games of a pair always do."""
    made = schedule(rounds=2, openings=4, policy=policy)
    found = [made[n].opening for n in range(len(made))]

    assert found[::2] == found[1::2] == books


def test_all_ids_and_seeds_differ() -> None:
    made = schedule(rounds=200)
    games = [made[n] for n in range(len(made))]

    assert len({game.id for game in games}) == len(games)
    assert len({game.seed for game in games}) == len(games)
    assert all(0 <= game.seed < 2**53 for game in games)
    assert games[5].seed == seed_of(made.seed, 5) != seed_of(made.seed + 1, 5)


def test_games_do_not_depend_on_how_many_there_are() -> None:
    """A match may be made longer, and keeps what it has."""
    short, endless = schedule(rounds=2), schedule(rounds=None)
    assert [short[n] for n in range(len(short))] == [endless[n] for n in range(24)]
    assert endless[10**12].round == 10**12 // 12


@pytest.mark.parametrize(("maxgames", "games"), [(1, 0), (7, 6), (8, 8), (99, 36)])
def test_most_games(maxgames: int, games: int) -> None:
    """Never half a pair."""
    assert len(schedule(rounds=3, maxgames=maxgames)) == games


@pytest.mark.parametrize("seq", [-1, 12])
def test_no_such_game(seq: int) -> None:
    with pytest.raises(IndexError):
        schedule(rounds=1)[seq]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"form": "swiss"}, "tournament is swiss, allowed: pair roundrobin gauntlet"),
        ({"form": "pair"}, "pair needs two engines, got 4"),
        ({"players": ["A"]}, "roundrobin needs two engines or more, got 1"),
        ({"form": "gauntlet", "seeds": 4}, "seeds is 4, allowed: 1 to 3"),
        ({"games": 3}, "games is 3, allowed: 1 2"),
        ({"rounds": 0}, "rounds is 0, expected at least 1"),
        ({"maxgames": 0}, "maxgames is 0, expected at least 1"),
        ({"policy": "all"}, "policy is all, allowed: round encounter"),
        (
            {"noswap": True},
            "noswap needs games 1: a pair exchanges the colours",
        ),
    ],
)
def test_bad_schedules(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadSchedule) as caught:
        schedule(**options)
    assert str(caught.value) == reason
