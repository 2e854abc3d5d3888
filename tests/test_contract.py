"""What games/contract.py promises, checked on every game in GAMES.

A new game is covered by being added there: its sizes and options say what to play.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import isclose, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES
from games.contract import PASS, SWAP, Position, Rules, Side, Step, Turn
from games.errors import BadSize, GameError, IllegalMove, UnreadableMove
from games.notation import COLUMNS, legal_tokens

LENGTH = 30  # turns after which a random game is cut
SAMPLE = 60  # turns of one position that are looked at

# Texts that name a turn in some game, or look as if they did.
WORDS = ("pass", "swap", "swap-pieces", "resign", "A1", "B2+A1", "A1:B2", "A1-A2")


def variants(game: Rules, sizes: Sequence[int]) -> Iterator[Rules]:
    """The rules of `game` at these sizes, with every combination of options."""
    names = [option.name for option in game.options]
    for size in sizes:
        for values in product(*(option.values for option in game.options)):
            try:
                chosen = dict(zip(names, values, strict=True))
                yield replace(game, size=size, **chosen)  # type: ignore[type-var]
            except BadSize:  # one that an option value does not have
                assert size != game.sizes.default


def sizes_of(game: Rules) -> list[int]:
    return list(range(game.sizes.low, game.sizes.high + 1, game.sizes.step))


SMALL, TINY, THIRD, DEFAULT, LARGEST = (
    [rules for game in GAMES.values() for rules in variants(game, chosen(game))]
    for chosen in (
        lambda game: sizes_of(game)[:4],
        lambda game: sizes_of(game)[:2],
        lambda game: sizes_of(game)[2:3],
        lambda game: [game.sizes.default],
        lambda game: [game.sizes.high],
    )
)


def random_game(rules: Rules, seed: int, length: int = LENGTH) -> list[Position]:
    """The positions of a random game, cut after `length` turns."""
    dice = random.Random(f"{rules} {seed}")
    positions = [rules.start()]
    while positions[-1].winner is None and len(positions) <= length:
        positions.append(positions[-1].play(positions[-1].random_turn(dice)))
    return positions


def some(turns: Sequence[Turn]) -> Sequence[Turn]:
    """At most SAMPLE of the turns, spread over all of them."""
    return turns[:: 1 + len(turns) // SAMPLE]


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_start(rules: Rules) -> None:
    start = rules.start()
    assert type(GAMES[rules.name]) is type(rules)
    assert (start.rules, start.to_move, start.last) == (rules, Side.BLACK, None)
    assert (start, hash(start)) == (rules.start(), hash(rules.start()))
    assert (replace(rules), hash(replace(rules))) == (rules, hash(rules))


@pytest.mark.parametrize("rules", SMALL, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_game(rules: Rules, seed: int) -> None:
    for position in random_game(rules, seed):
        check(position)


@pytest.mark.parametrize("rules", DEFAULT, ids=str)
def test_default_size(rules: Rules) -> None:
    for position in random_game(rules, 0, length=1):
        check(position)


@pytest.mark.parametrize("rules", LARGEST, ids=str)
def test_largest_size(rules: Rules) -> None:
    """Without listing turns: there may be hundreds of thousands."""
    positions = random_game(rules, 0, length=6)
    for before, after in pairwise(positions):
        check_diagram(after)
        check_token(before, after.last)


def check(position: Position) -> None:
    turns = position.turns()
    assert len(set(turns)) == len(turns)
    assert (not turns) == (position.winner is not None)
    assert position.margin >= 0
    tokens = legal_tokens(position)
    assert Counter(tokens) == Counter(map(position.rules.write, turns))
    assert len(set(tokens)) == len(tokens)
    assert tokens == sorted(tokens, key=place)
    check_diagram(position)
    for turn in some(turns):
        check_token(position, turn)
    check_play(position, some(turns))


def place(token: str) -> tuple[int, int, str]:
    """In notation order: by column, then row, then the rest; `pass`, `swap` last."""
    if token in (PASS, SWAP):
        return len(COLUMNS), 0, token
    column, row, rest = re.findall(r"^([A-Z])(\d+)(.*)$", token)[0]
    return COLUMNS.index(column), int(row), rest


def check_token(position: Position, turn: Turn | None) -> None:
    """One printable word that means the turn, in either case of its letters."""
    assert turn is not None
    token = position.rules.write(turn)
    assert re.fullmatch(r"[!-~]+", token)
    for text in (token, token.lower(), token.upper()):
        assert position.read(text) == turn


def check_diagram(position: Position) -> None:
    for line in position.diagram().split("\n"):
        assert re.fullmatch(r"[ -~]*[!-~]", line)


def check_play(position: Position, turns: Sequence[Turn]) -> None:
    """Play leaves the position as it was, and `last` is no part of equality."""
    before, diagram = hash(position), position.diagram()
    for turn in turns:
        following = position.play(turn)
        assert (following.rules, following.last) == (position.rules, turn)
        assert following != position
        for same in (position.play(turn), replace(following, last=None)):
            assert (same, hash(same)) == (following, hash(following))
    assert (hash(position), position.diagram()) == (before, diagram)


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_equal_positions_lead_on_alike(rules: Rules) -> None:
    seen: dict[Position, Position] = {}
    queue = [rules.start()]
    while queue and len(seen) < 400:
        position = queue.pop(0)
        first = seen.setdefault(position, position)
        assert (first.winner, first.margin) == (position.winner, position.margin)
        assert set(first.turns()) == set(position.turns())
        if first is position:
            queue += map(position.play, position.turns())
    assert seen


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_play_refuses_what_turns_omits(rules: Rules) -> None:
    """Turns of other moments of play are refused exactly where they are not listed."""
    positions = [p for seed in (3, 4, 5) for p in random_game(rules, seed)]
    pool = {turn for position in positions for turn in some(position.turns())}
    dice = random.Random(str(rules))
    for position in positions:
        legal = set(position.turns())
        for turn in dice.sample(sorted(pool, key=rules.write), min(len(pool), SAMPLE)):
            if turn in legal:
                assert position.play(turn).last == turn
            else:
                with pytest.raises(IllegalMove):
                    position.play(turn)


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_nothing_after_the_end(rules: Rules) -> None:
    *_, before, end = random_game(rules, 6, length=5000)
    assert end.winner is not None
    assert list(end.turns()) == list(end.steps()) == []
    for turn in before.turns():
        with pytest.raises(IllegalMove):
            end.play(turn)
    for text in (*legal_tokens(before), *WORDS):
        assert isinstance(attempt(end, text), GameError)


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_steps(rules: Rules) -> None:
    """Steps make exactly the turns, and random turns are drawn step by step."""
    for seed in range(4):
        for position in random_game(rules, seed, length=8):
            chances: Counter[Turn] = Counter()
            for turn, chance in walk(position) if position.turns() else ():
                chances[turn] += chance
            assert set(chances) == set(position.turns())
            if 0 < len(chances) <= 50:
                check_draws(position, chances)


def walk(
    position: Position, begun: tuple[Step, ...] = (), chance: float = 1
) -> Iterator[tuple[Turn, float]]:
    """Each way to a turn, with the chance of taking it by random steps."""
    steps = position.steps(begun)
    turn = position.turn(begun)
    if turn is not None:
        assert not steps
        yield turn, chance
    else:
        assert steps
        assert len(set(steps)) == len(steps)
        for step in steps:
            yield from walk(position, (*begun, step), chance / len(steps))


def check_draws(position: Position, chances: Counter[Turn]) -> None:
    """Each turn is drawn about as often as its chance says: within five sigma."""
    assert isclose(sum(chances.values()), 1)
    dice, draws = random.Random(1), 30 * len(chances)
    drawn = Counter(position.random_turn(dice) for _ in range(draws))
    assert set(drawn) <= set(chances)
    for turn, chance in chances.items():
        sigma = sqrt(draws * chance * (1 - chance))
        assert abs(drawn[turn] - draws * chance) <= 5 * sigma + 1


def attempt(position: Position, text: str) -> Position | GameError:
    try:
        return position.play(position.read(text))
    except (UnreadableMove, IllegalMove) as error:
        return error


TEXT = st.text() | st.text("ABCDEabcde123 +-:/\\bwrl", max_size=14)


@pytest.mark.parametrize("rules", THIRD, ids=str)
def test_garbage(rules: Rules) -> None:
    """Any text is played or refused in one short line, and nothing else happens."""
    positions = random_game(rules, 7)
    tokens = [*WORDS, *legal_tokens(positions[0]), *legal_tokens(positions[-2])]

    @settings(max_examples=50, deadline=None, derandomize=True)
    @given(st.sampled_from(positions), st.sampled_from(tokens), TEXT, st.integers(0))
    def try_texts(position: Position, token: str, patch: str, at: int) -> None:
        at %= len(token)
        for text in (patch, token, token[:at] + patch + token[at + 1 :]):
            result = attempt(position, text)
            if isinstance(result, GameError):
                assert str(result).isprintable()
                assert len(str(result)) <= 160
            else:
                assert result.last in set(position.turns())

    try_texts()
