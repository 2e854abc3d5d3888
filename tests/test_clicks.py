"""Boards of clicks and step mode, on every game in GAMES."""

import logging
import random
import re
from collections.abc import Sequence
from itertools import product

import pytest

from games import GAMES, clicks, open_game
from games.clicks.contract import Board, Clicked
from games.clicks.layout import WIDEST
from games.contract import Position, Rules, Side, Turn
from games.errors import BadSize
from games.notation import Vertex, read_vertex, write_vertex
from games.search.player import Limits, Player
from games.search.settings import Settings
from games.variants import Option
from protocol.session import Moment, Session
from protocol.steps import StepSession
from tools.converse import converse

LENGTH = 40  # turns after which a random game is cut

EVERY_GAME = pytest.mark.parametrize("game", sorted(GAMES))


def kinds(sizes: int) -> list[Rules]:
    """The first sizes of each game, with each value of its options."""
    found = []
    for name, game in GAMES.items():
        variants = [{}, *others(game.options)]
        for step, variant in product(range(sizes), variants):
            try:
                size = game.sizes.low + step * game.sizes.step
                found.append(open_game(name, size, variant))
            except BadSize:
                continue
    return found


def others(options: Sequence[Option]) -> list[dict[str, str]]:
    """All values but the defaults, one by one."""
    return [
        {option.name: option.write(value)}
        for option in options
        for value in option.values[1:]
    ]


def ask(session: Session, line: str) -> str:
    """The text of an accepted command's answer."""
    answer = converse(session, line)
    assert answer.startswith("= "), (line, answer)
    return answer[2:-2]


def player(seed: int = 1) -> Player:
    return Player(Settings(player="random", seed=seed))


def opened(game: str, size: int | None = None, **variant: str) -> StepSession:
    return StepSession(open_game(game, size, variant), player())


def legal(session: Session) -> list[str]:
    return ask(session, "gogui-rules_legal_moves").split()


def random_position(rules: Rules, dice: random.Random, length: int) -> Position:
    position = rules.start()
    for _ in range(length):
        if position.winner is None:
            position = position.play(position.random_turn(dice))
    return position


# Boards of clicks.


@pytest.mark.parametrize("rules", kinds(99), ids=str)
def test_layout(rules: Rules) -> None:
    """Cells and controls are apart; what is taken out is symmetric."""
    try:
        layout = clicks.load(rules).layout
    except BadSize as error:
        largest = int(re.findall(r"\d+ to (\d+)", str(error))[0])
        assert largest < rules.size
        assert largest + rules.sizes.step == rules.size == WIDEST
        return
    grid = set(product(range(layout.width), repeat=2))
    parts = [layout.cells, set(layout.controls), layout.spare]

    assert layout.width <= WIDEST
    assert sum(map(len, parts)) == len(set().union(*parts))
    assert set().union(*parts) <= grid
    assert {v for v in grid if v in layout} == set().union(*parts)
    if layout.is_hexagonal:
        assert all((y, x) in layout for x, y in grid if (x, y) in layout)
    labels = [control.label for control in layout.controls.values()]
    assert len(set(labels)) == len(labels)


def leaves(
    board: Board, position: Position, clicked: Clicked, vertices: Sequence[Vertex]
) -> set[Turn]:
    """The turns that can be clicked from here; checks all that is met on the way."""
    fitting = list(board.fitting(position, clicked))
    assert len(set(fitting)) == len(fitting)
    if clicked and len(fitting) == 1:
        return set(fitting)
    following = set(board.following(position, clicked))
    found: set[Turn] = set()
    for vertex in vertices:
        more = (*clicked, vertex)
        fits = next(board.fitting(position, more), None) is not None
        assert fits is (vertex in following), more
        assert not fits or vertex not in clicked[-1:], "repeated"
        if fits:
            found |= leaves(board, position, more, vertices)
    assert found == set(fitting)
    return found


@pytest.mark.parametrize("rules", kinds(2), ids=str)
def test_every_turn_can_be_clicked(rules: Rules) -> None:
    """And nothing else, in every order that the board takes."""
    board, dice = clicks.load(rules), random.Random(str(rules))
    vertices = list(product(range(board.layout.width + 1), repeat=2))
    for length in range(6):
        position = random_position(rules, dice, length)
        if position.winner is None:
            assert leaves(board, position, (), vertices) == set(position.turns())


@pytest.mark.parametrize("rules", kinds(3), ids=str)
def test_rest(rules: Rules) -> None:
    """The clicks that are left make the turn, from each beginning that fits it."""
    board, dice = clicks.load(rules), random.Random(str(rules))
    for length in range(8):
        position = random_position(rules, dice, length)
        for turn in dice.sample(position.turns(), min(len(position.turns()), 9)):
            clicked: Clicked = ()
            while not clicked or len(list(board.fitting(position, clicked))) > 1:
                path = (*clicked, *board.rest(position, clicked, turn))
                assert make(board, position, path) == turn
                choices = [
                    vertex
                    for vertex in sorted(board.following(position, clicked))
                    if turn in board.fitting(position, (*clicked, vertex))
                ]
                clicked += (dice.choice(choices),)


def make(board: Board, position: Position, path: Clicked) -> Turn:
    """The turn that a path makes, maybe before its end."""
    for count in range(1, len(path) + 1):
        turns = list(board.fitting(position, path[:count]))
        assert turns
        if len(turns) == 1:
            return turns[0]
    pytest.fail(f"no turn is made by {path}")


@pytest.mark.parametrize("rules", kinds(3), ids=str)
def test_picture(rules: Rules) -> None:
    """All that is drawn lies on the board, and stones lie where turns were made."""
    board, dice = clicks.load(rules), random.Random(str(rules))
    for length in range(6):
        position = random_position(rules, dice, length)
        picture = board.picture(position)
        for drawn in (picture.stones, picture.labels, picture.tints, picture.edges):
            assert set(drawn) <= board.layout.cells
        assert set(picture.labels) <= set(picture.stones)
        if position.last is not None:
            named = set(board.named(position.last))
            assert named
            assert named <= board.layout.cells or len(named) == 1
            assert named <= board.layout.cells | set(board.layout.controls)


# Step mode.


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", kinds(3), ids=str)
def test_random_clicks(rules: Rules, seed: int) -> None:
    """Each click that is offered is taken once, and the turns are those of turn mode.

    The sides that are not on turn pass now and then.
    """
    dice = random.Random(f"{rules} {seed}")
    session, turns = StepSession(rules, player()), Session(rules, player())
    offers, sent = [legal(session)], []
    while offers[-1] and len(turns.history) < LENGTH:
        side = Side[ask(session, "gogui-rules_side_to_move").upper()]
        before = session.position
        line = f"play {side.letter} {dice.choice(offers[-1])}"
        if dice.random() < 0.2:
            line = f"play {side.other.letter} pass"
        assert ask(session, line) == ""
        offers.append(legal(session))
        sent.append(line)
        moment = session.history[-1]
        if "pass" not in line:
            assert converse(session, line).startswith("? illegal move\n")
            assert session.history[-1] is moment
        if session.position is not before:
            turns.enter(side, rules.write(session.position.last))
        assert turns.position == session.position
        turns_left = ask(session, "legal_moves").split()
        assert set(turns_left) <= set(ask(turns, "legal_moves").split())
        assert bool(turns_left) is (turns.winner is None)
        assert ask(session, "showboard").startswith(ask(turns, "showboard"))
    if turns.winner is not None:
        assert ask(session, "final_score") == ask(turns, "final_score")
        assert offers[-1] == []
    check_undo(session, offers, sent, dice)


def check_undo(
    session: StepSession, offers: list[list[str]], sent: list[str], dice: random.Random
) -> None:
    """Any number of clicks can be taken back, and made again to the same board."""
    shown = [ask(session, f"gogui-rules_{name}") for name in ("board", "board_gfx")]
    done = len(sent)
    for _ in range(5):
        count = dice.randint(1, len(sent))
        for line in dice.choice([[f"gg-undo {count}"], ["undo"] * count]):
            ask(session, line)
        assert legal(session) == offers[done - count]
        ask(session, "gogui-play_sequence " + sequence(sent[done - count :]))
        assert legal(session) == offers[-1]
    ask(session, "clear_board")
    assert legal(session) == offers[0]
    for line in sent:
        ask(session, line)
    assert shown == [
        ask(session, f"gogui-rules_{name}") for name in ("board", "board_gfx")
    ]
    for offer in offers[-2::-1]:
        ask(session, "undo")
        assert legal(session) == offer
    assert converse(session, "undo") == "? cannot undo\n\n"


def sequence(lines: list[str]) -> str:
    return " ".join(line.removeprefix("play ") for line in lines)


@EVERY_GAME
def test_genmove(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is chosen once and clicked one by one, with passes between the clicks."""
    session, chosen = opened(game), []
    choose = Player.choose

    def count(
        self: Player, position: Position, limits: Limits, among: Sequence[Turn] = ()
    ) -> Turn:
        chosen.append((position, choose(self, position, limits, among)))
        return chosen[-1][1]

    monkeypatch.setattr(Player, "choose", count)
    ask(session, "time_settings 0 900 25")
    for number in range(12):
        side = session.position.to_move
        before = session.position
        while session.position is before:
            assert ask(session, f"genmove {side.other.letter}") == "pass"
            offered = legal(session)
            assert ask(session, f"genmove {side.letter}") in offered
        position, turn = chosen[number]
        assert position is before
        assert len(chosen) == number + 1
        assert session.position == before.play(turn)
        left = session.clock.left[side]
        assert left
        assert left[1] == 25 - number // 2 - 1
        written = session.rules.write(turn)
        assert ask(session, "gomill-explain_last_move").startswith(f"{written} after ")


@EVERY_GAME
def test_a_plan_outlives_a_replay(game: str) -> None:
    """Undo, passes and starting over do not change what the next click is."""
    dice = random.Random(game)
    for seed in range(20):
        session = opened(game, GAMES[game].sizes.default, **pie_of(game))
        session.seed(seed)
        first = ask(session, "genmove b")
        if not session.clicks:
            continue
        for line in dice.choice(
            [
                ["clear_board", f"play b {first}"],
                ["play w pass", "undo"],
                ["undo", f"play b {first}", "genmove w"],
            ]
        ):
            ask(session, line)
        plan = session.plan
        assert plan
        assert ask(session, "reg_genmove b") == write_vertex(*plan.path[1])
        assert ask(session, "genmove b") == write_vertex(*plan.path[1])
        ask(session, f"set_random_seed {seed}")
        assert session.plan is None


def pie_of(game: str) -> dict[str, str]:
    names = [option.name for option in GAMES[game].options]
    return {"pie": "on"} if "pie" in names else {}


@EVERY_GAME
def test_genmove_goes_on_with_clicks(game: str) -> None:
    dice, begun = random.Random(game), 0
    for _ in range(30):
        session = opened(game, GAMES[game].sizes.low + 2, **pie_of(game))
        for _ in range(dice.randrange(6)):
            side = session.position.to_move
            ask(session, f"genmove {side.letter}")
        if session.winner is not None:
            continue
        side = session.position.to_move.letter
        ask(session, f"play {side} {dice.choice(legal(session))}")
        if not session.clicks:
            continue
        begun += 1
        clicked, before = session.clicks, session.position
        suggested = ask(session, f"reg_genmove {side}")
        assert suggested in legal(session)
        fitting = list(session.board.fitting(before, clicked))
        while session.position is before:
            assert ask(session, f"genmove {side}")
        assert session.position.last in fitting
    assert begun > 2


def test_search_goes_on_with_clicks() -> None:
    """Of the turns that are left it finds one that does not lose at once."""
    found = 0
    for seed in range(150):
        dice = random.Random(seed)
        rules = open_game("flipway", 4, {})
        session = StepSession(rules, Player(Settings(playouts=1000, seed=1)))
        position = random_position(rules, dice, 3 + seed % 5)
        if position.winner is not None:
            continue
        session.history.append(Moment(position))
        side = position.to_move
        ask(session, f"play {side.letter} {dice.choice(legal(session))}")
        fitting = list(session.board.fitting(position, session.clicks))
        good = [turn for turn in fitting if not loses_at_once(position, turn)]
        if not session.clicks or not good or len(good) == len(fitting):
            continue
        found += 1
        while session.position is position:
            ask(session, f"genmove {side.letter}")
        assert session.position.last in good
    assert found > 5


def loses_at_once(position: Position, turn: Turn) -> bool:
    after = position.play(turn)
    rival = position.to_move.other
    return any(after.play(answer).winner is rival for answer in after.turns())


@EVERY_GAME
@pytest.mark.parametrize("winner", Side)
def test_after_the_end(game: str, winner: Side) -> None:
    """The loser resigns, the winner passes; what is stored is one undo each."""
    session = opened(game, GAMES[game].sizes.low + 2)
    loser, count = winner.other.letter, len(session.history)
    ask(session, f"play {loser} resign")
    assert legal(session) == []
    for line, answer, stored in (
        (f"genmove {loser}", "resign", 0),
        (f"genmove {winner.letter}", "pass", 1),
        (f"reg_genmove {winner.letter}", "pass", 0),
        (f"play {winner.letter} pass", "", 1),
        (f"play {loser} pass", "", 1),
        (f"play {loser} resign", "", 0),
    ):
        count += stored
        assert ask(session, line) == answer
        assert len(session.history) == count + 1
        assert ask(session, "final_score") == f"{winner.letter.upper()}+R"
    for line in (f"play {loser} A1", f"play {winner.letter} resign"):
        assert converse(session, line) == "? illegal move\n\n"
    ask(session, f"gg-undo {count}")
    assert ask(session, "gogui-rules_side_to_move") == "black"
    assert session.winner is None
    assert legal(session)


@EVERY_GAME
def test_passes(game: str) -> None:
    """Of the side not on turn, as often as it is asked; never of the one on turn."""
    session = opened(game)
    ask(session, f"play b {legal(session)[0]}")
    off = session.position.to_move.other.letter
    on = session.position.to_move.letter
    moment = session.history[-1]
    for line in (f"genmove {off}", f"play {off} PASS", f"genmove {off}"):
        assert ask(session, line) == ("pass" if "gen" in line else "")
        assert session.history[-1] is moment
    assert ask(session, f"reg_genmove {off}") == "pass"
    assert len(session.history) == 5
    for line in (f"play {on} pass", f"play {off} {legal(session)[0]}"):
        assert converse(session, line) == "? illegal move\n\n"
    assert "pass" not in legal(session)


def test_whole_turns() -> None:
    """They are taken back by one undo, and not read while clicks are pending."""
    session = opened("wythe", 4)
    ask(session, "play b B2-B3")
    ask(session, "play w swap-pieces")
    ask(session, "play b C2")
    assert ask(session, "legal_moves") == "C2-C1 C2-C3 C2-D2"
    for line in ("play b C1-D1", "swap", "play b pass", "play w pass", "undo"):
        accepted = line in ("play w pass", "undo")
        assert converse(session, line).startswith("=") is accepted
    assert len(session.history) == 4
    ask(session, "gg-undo 3")
    assert session.history == session.history[:1]


@EVERY_GAME
def test_boardsize(game: str) -> None:
    """Only the side of the grid, and that starts a new game."""
    session = opened(game)
    width = int(ask(session, "gogui-rules_board_size").split()[0])
    ask(session, f"play b {legal(session)[0]}")
    for number in range(28):
        for line in (
            f"boardsize {number}",
            f"boardsize {number} {number}",
            f"rectangular_boardsize {number} {number}",
        ):
            if number != width:
                assert converse(session, line) == "? unacceptable size\n\n"
    assert len(session.history) == 2
    for line in (f"boardsize {width} {width + 1}", f"boardsize {width + 1} {width}"):
        assert converse(session, line) == "? unacceptable size\n\n"
    assert ask(session, f"boardsize {width}") == ""
    assert len(session.history) == 1
    assert session.rules == GAMES[game]


def test_too_wide() -> None:
    """A grid of more than 25 is refused by every way there is; nothing changes then."""
    session = opened("flipway", 25)
    ask(session, "play b A1")
    history = list(session.history)
    assert converse(session, "param_game pie on") == "? unacceptable size\n\n"
    assert session.history == history
    assert session.board.layout.width == 25
    with pytest.raises(BadSize, match=r"^2 to 24 in step mode with .*pie=on$"):
        opened("wythe", 25)


def test_reasons_go_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    session = opened("flipway", 4)
    for line, answer, reason in (
        ("dance", "unknown command", "unknown command: 'dance'"),
        ("undo", "cannot undo", "cannot undo: no turn has been made"),
        ("final_score", "cannot score", "cannot score: the game is not over"),
        ("boardsize 9", "unacceptable size", "the grid of flipway 4 is 4"),
        ("play w A1", "illegal move", "it is black's turn"),
        ("play b Z9", "illegal move", "no turn begins with a click on Z9"),
        ("play b A1:B2", "illegal move", "2x2"),
        ("play b AA1", "illegal move", "expected a turn, got 'AA1' (protocol §5)"),
    ):
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            assert converse(session, line) == f"? {answer}\n\n"
        assert reason in caplog.text or reason == "2x2"
    caplog.clear()
    for line in ("play", "set_game x", "param_game x 1"):
        assert len(converse(session, line)) > len("? illegal move\n\n")
    assert caplog.text == ""


PRIMITIVES = "BLACK|WHITE|COLOR|LABEL|SQUARE|CIRCLE|TRIANGLE"


@pytest.mark.parametrize("rules", kinds(3), ids=str)
def test_board_and_gfx(rules: Rules) -> None:
    """In the forms that GoGui reads."""
    session, dice = StepSession(rules, player()), random.Random(str(rules))
    head = ask(session, "gogui-rules_board_size").split()
    width = int(head[0])
    assert head[1:] in ([], ["hex"])
    while (offered := legal(session)) and len(session.history) < LENGTH:
        rows = ask(session, "gogui-rules_board").split("\n")
        assert [len(row.split(" ")) for row in rows] == [width] * width
        assert set("".join(rows)) <= set("XO.? ")
        for vertex in map(read_vertex, offered):
            assert vertex
            assert rows[width - 1 - vertex[1]].split(" ")[vertex[0]] != "?"
        for line in ask(session, "gogui-rules_board_gfx").split("\n"):
            check_gfx(line, width) if line else None
        side = session.position.to_move.letter
        ask(session, f"play {side} {dice.choice(offered)}")
    assert ask(session, "gogui-rules_captured_count") == "0 0"
    assert ask(session, "gogui-rules_game_id") == rules.name.capitalize()
    assert ask(session, "gogui-rules_final_result").endswith(
        ("to move", ask(session, "final_score") if not offered else "to move")
    )


def check_gfx(line: str, width: int) -> None:
    word, *rest = line.split(" ")
    assert re.fullmatch(PRIMITIVES, word)
    if word == "COLOR":
        assert re.fullmatch("black|white|gray|green|yellow|cyan", rest.pop(0))
    if word == "LABEL":
        assert all(1 <= len(label) <= 5 for label in rest[1::2])
        rest = rest[::2]
    vertices = [read_vertex(text) for text in rest]
    assert rest
    assert all(vertex and max(vertex) < width for vertex in vertices)


@EVERY_GAME
def test_commands_of_step_mode(game: str) -> None:
    listed = ask(opened(game), "list_commands").split("\n")
    assert {name for name in listed if name.startswith("gogui-rules_")} == {
        f"gogui-rules_{name}"
        for name in (
            *("game_id", "board_size", "board", "board_gfx", "legal_moves"),
            *("side_to_move", "final_result", "captured_count"),
        )
    }
    assert ask(opened(game), "known_command gogui-rules_board") == "true"


@EVERY_GAME
def test_set_game(game: str) -> None:
    """The new game has its own grid."""
    session = opened("weft", 4)
    ask(session, f"set_game {game}")
    assert ask(session, "all_legal_moves") == ask(session, "gogui-rules_legal_moves")
    assert session.board.layout == clicks.load(GAMES[game]).layout


def test_end_is_no_click_without_a_point() -> None:
    session = opened("flipway", 3, pie="on")
    end, swap = "A4", "B4"
    ask(session, f"gogui-play_sequence b B1 b {end}")
    assert end not in legal(session)
    assert swap in legal(session)
    assert converse(session, f"play w {end}") == "? illegal move\n\n"
    ask(session, f"play w {swap}")
    assert f"SQUARE {swap}" in ask(session, "gogui-rules_board_gfx")


@EVERY_GAME
def test_menus_offer_what_there_is(game: str) -> None:
    rules = GAMES[game]
    has_pie = any(option.name == "pie" for option in rules.options)
    for session in (Session(rules, player()), opened(game)):
        rows = ask(session, "gogui-analyze_commands").split("\n")
        assert ("param/Game options/param_game" in rows) is bool(rules.options)
        assert ("none/Swap/swap" in rows) is (has_pie and not session.in_steps)
        known = ask(session, "known_command swap-pieces")
        assert known == ("true" if has_pie else "false")
