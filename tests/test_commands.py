"""Every command on every game, and what a refusal leaves unchanged: everything."""

import random
import re

import pytest

import games
from games import GAMES, open_game, variant_of
from games.contract import Side
from games.notation import in_notation_order, legal_tokens
from games.search.clock import Clock
from games.search.player import Player
from games.search.settings import Settings
from protocol.commands import COMMANDS
from protocol.commands.entry import NOTHING
from protocol.session import Moment, Session
from tools.converse import converse

GAMES_BY_NAME = pytest.mark.parametrize("game", sorted(GAMES))


def start(game: str = "flipway", size: int | None = None, **variant: str) -> Session:
    settings = Settings(player="random", seed=1)
    return Session(open_game(game, size, variant), Player(settings))


def unusual(game: str) -> dict[str, str]:
    """Every switch of the game where it is not by default."""
    switches = (option for option in GAMES[game].options if option.is_switch)
    return {option.name: option.write(option.values[-1]) for option in switches}


def ask(session: Session, *lines: str) -> str:
    """The text of the last answer; the ones before must not be refusals."""
    *before, last = (converse(session, line) for line in lines)
    assert all(answer.startswith("=") for answer in before), before
    assert last.endswith("\n\n")
    return last[:-2].removeprefix("= ")


def snapshot(session: Session) -> tuple[object, ...]:
    """Everything that a command may change."""
    clock = session.clock
    return (
        session.rules,
        tuple(session.history),
        tuple(moment.position.last for moment in session.history),
        session.player.settings,
        session.player.dice.getstate(),
        (clock.main, clock.period, clock.stones, dict(clock.left)),
    )


REFUSED = [
    *("dance", "", "5", "5 5", "Name", "é", "12 é"),
    *(f"{name} x y z u v" for name in COMMANDS),
    *(f"{name} é" for name in COMMANDS if name != "known_command"),
    *("set_game", "set_game go", "set_game Flipway2"),
    *("boardsize", "boardsize x", "boardsize 0", "boardsize 99", "boardsize 4 5"),
    *("boardsize 5 4", "boardsize 5 5 5", "boardsize -5", "boardsize 5.0"),
    *("komi", "komi x", "komi nan"),
    *("play", "play b", "play b foo", "play x A1", "play b A1 A2", "play b Z25"),
    *("play b A1+A1", "play w Z25", "play b +", "play b A1:", "play b ½", "genmove"),
    *("genmove x", "genmove b b", "undo 1", "swap w"),
    *("param_game pie", "param_game x 1", "param_game pie x", "param_game pie on on"),
    *("param_search threads", "param_search x 1", "param_search threads 0"),
    *("param_search playouts -1", "param_search seconds nan", "param_search tree 1"),
    *("param_search seed x", "param_search player x", "set_random_seed"),
    *("set_random_seed x", "set_random_seed -1", f"set_random_seed {2**63}"),
    *("time_settings", "time_settings 1", "time_settings 1 1", "time_settings x 1 1"),
    *("time_settings 1 1 -1", "time_settings 1 1 1.5", "time_settings 1 1 1 1"),
    *(
        "time_left",
        "time_left b",
        "time_left b 1",
        "time_left x 1 1",
        "time_left b 1 x",
    ),
]

# Reached by playing the lines, and what is refused there besides.
STATES = {
    "at the start": ([], ["undo", "final_score", "swap", "play w A1", "genmove w"]),
    "in the game": (
        ["time_left b 60 0", "genmove b", "genmove w"],
        ["final_score", "play w A1", "genmove w", "swap", "play w swap"],
    ),
    "after a resignation": (
        ["genmove b", "play b resign"],
        [*(f"play {c} {t}" for c in "bw" for t in ("A1", "swap")), "play w resign"],
    ),
    "after the end": (
        ["time_settings 0 1 0", *["genmove b", "genmove w"] * 400, "play b resign"],
        ["swap", *(f"play {c} {t}" for c in "bw" for t in ("A1", "swap"))],
    ),
}


@pytest.mark.parametrize("where", STATES)
@GAMES_BY_NAME
def test_a_refusal_changes_nothing(game: str, where: str) -> None:
    sent, more = STATES[where]
    session = start(game, GAMES[game].sizes.low + 2)
    for line in sent:
        converse(session, line)
    before = snapshot(session)
    for line in [*REFUSED, *more]:
        answer = converse(session, line)
        assert re.match(r"\?(\d+)? ", answer) or not line, line
        assert snapshot(session) == before, line


@GAMES_BY_NAME
def test_asking_changes_nothing(game: str) -> None:
    session = start(game, GAMES[game].sizes.low + 2)
    converse(session, "genmove b\n")
    before = snapshot(session)
    lines = [
        *(name for name, entry in COMMANDS.items() if entry.usage is NOTHING),
        *("param_game", "param_search", "komi 7", "known_command x"),
        *("gogui-version 1.6.0", "reg_genmove w", "gg-undo 0", "gogui-play_sequence"),
    ]
    others = {"quit", "swap", "swap-pieces", "undo", "clear_board", "final_score"}
    for line in lines:
        if line in others or line.startswith("gogui-rules_"):
            continue
        assert converse(session, line).startswith("= ")
        assert snapshot(session) == before, line


def test_every_command_is_listed_and_known() -> None:
    listed = ask(start(), "list_commands").split("\n")
    rules = [name for name in COMMANDS if name.startswith("gogui-rules_")]
    assert listed == [name for name in COMMANDS if name not in rules]
    for name in listed:
        assert ask(start(), f"known_command {name}") == "true"
    for name in rules:
        assert ask(start(), f"known_command {name}") == "false"
        assert ask(start(), name) == f"? unknown command: '{name}'"
    for name in ("", "x", "PLAY", "play2", "é", "?"):
        assert ask(start(), f"known_command {name}") != "true"


@pytest.mark.parametrize("name", COMMANDS)
def test_entry(name: str) -> None:
    """Names are words, and every handler says what it does."""
    entry = COMMANDS[name]
    assert re.fullmatch(r"[a-z_-]+", name)
    assert entry.handler.__doc__
    assert str(entry).split(" ")[0] == name


def test_about() -> None:
    session = start()
    assert ask(session, "protocol_version") == "2"
    assert ask(session, "name") == "Crosscut"
    assert ask(session, "version") == games.__version__
    assert len(games.__version__) <= 32
    assert ask(session, "gogui-interrupt") == ""
    assert re.fullmatch(r"\d+\.\d\d", ask(session, "cputime"))
    assert float(ask(session, "cputime")) <= float(ask(session, "cputime"))


@pytest.mark.parametrize("number", ["0", "6.5", "-3", "+7.50", ".5", "5.", "1e3"])
def test_komi(number: str) -> None:
    assert ask(start(), f"komi {number}") == ""


@GAMES_BY_NAME
def test_set_game(game: str) -> None:
    """Its defaults, whatever was chosen before; also by a name in capitals."""
    session = start("flipway", 3, pie="on")
    assert ask(session, "play b B2", f"set_game {game.upper()}") == ""
    assert session.rules == GAMES[game]
    assert session.history == [Moment(GAMES[game].start())]
    assert ask(session, "list_games") == "\n".join(GAMES)
    assert ask(session, "set_game go") == f"? unknown game, known: {' '.join(GAMES)}"


@GAMES_BY_NAME
def test_boardsize(game: str) -> None:
    """Exactly the sizes of the game, with one number or two; options stay."""
    session = start(game, None, **unusual(game))
    chosen = variant_of(session.rules)
    sizes = GAMES[game].sizes
    for size in range(30):
        for line in (f"boardsize {size}", f"boardsize {size} {size}"):
            converse(session, "genmove b")
            before = session.rules.size
            got = ask(session, line)
            assert got == ("" if size in sizes else f"? unacceptable size: {sizes}")
            assert session.rules.size == (size if size in sizes else before)
            assert variant_of(session.rules) == chosen
            assert (len(session.history) == 1) is (size in sizes)


@GAMES_BY_NAME
def test_clear_board(game: str) -> None:
    """Size, options, settings and clock times stay; turns and their time go."""
    session = start(game, GAMES[game].sizes.default + 2, **unusual(game))
    rules, settings = session.rules, session.player.settings
    fresh = ask(session, "showboard")
    lines = ["time_settings 60 10 2", "genmove b", "genmove w", "time_left b 5 1"]
    ask(session, *lines, "play b resign", "clear_board")

    assert ask(session, "showboard") == fresh
    assert (session.rules, session.player.settings) == (rules, settings)
    assert session.clock.left == dict.fromkeys(Side, (60.0, 0))
    assert ask(session, "undo").startswith("? cannot undo")


@GAMES_BY_NAME
@pytest.mark.parametrize("seed", range(3))
def test_random_game(game: str, seed: int) -> None:
    """At every turn the commands agree with the rules; undo leads all the way back."""
    dice = random.Random(seed)
    session = start(game, GAMES[game].sizes.low + 2)
    boards = [ask(session, "showboard")]
    while session.position.winner is None and len(boards) < 60:
        tokens = ask(session, "legal_moves").split(" ")
        assert tokens == in_notation_order(tokens) == legal_tokens(session.position)
        side = session.position.to_move
        assert ask(session, "side_to_move") == side.word
        assert ask(session, "final_score").startswith("? cannot score")
        token = dice.choice(tokens)
        line = "swap" if token == "swap" and seed else f"play {side.letter} {token}"
        assert ask(session, line) == ""
        boards.append(ask(session, "showboard"))
        assert "" not in boards[-1].split("\n")[1:]

    winner = session.position.winner
    if winner is not None:
        margin = session.position.margin
        assert ask(session, "legal_moves") == ""
        result = f"{winner.letter.upper()}+{margin or ''}"
        assert ask(session, "final_score") == result
        assert boards[-1].endswith(f"\n{winner.word} wins: {result}")
        assert ask(session, f"genmove {winner.letter}") == "pass"
        assert ask(session, f"genmove {winner.other.letter}") == "resign"
    while len(boards) > 1:
        assert ask(session, "showboard") == boards.pop()
        assert ask(session, "undo") == ""
    assert ask(session, "showboard") == boards[0]
    assert ask(session, "undo") == "? cannot undo: no turn has been made"


@GAMES_BY_NAME
@pytest.mark.parametrize("loser", Side)
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_resign(game: str, loser: Side, turns: int) -> None:
    """Either side, at any time; one undo takes it back and nothing else."""
    session = start(game)
    for number in range(turns):
        ask(session, f"genmove {'bw'[number % 2]}")
    before = snapshot(session)
    result = f"{loser.other.letter.upper()}+R"

    assert ask(session, f"play {loser.letter} resign") == ""
    assert ask(session, "final_score") == result
    assert ask(session, "legal_moves") == ""
    assert ask(session, "showboard").endswith(f"\n{loser.other.word} wins: {result}")
    assert ask(session, f"genmove {loser.letter}") == "resign"
    assert ask(session, f"genmove {loser.other.letter}") == "pass"
    assert ask(session, f"play {loser.other.letter} PASS") == ""
    refused = ask(session, f"play {loser.letter} pass")
    assert refused == "? illegal move: the game is over (protocol §4)"
    assert ask(session, "undo") == ""
    assert snapshot(session) == before


@GAMES_BY_NAME
def test_swap(game: str) -> None:
    """All three spellings, where the game has it, and one undo for each."""
    session = start(game)
    if "pie" not in variant_of(session.rules):
        assert ask(session, "genmove b", "swap").startswith("? illegal move: ")
        return
    ask(session, "param_game pie on", "genmove b")
    before = snapshot(session)
    assert ask(session, "legal_moves").endswith(" swap")
    boards = set()
    for line in ("swap", "play w swap", "play WHITE Swap", "play w swap-pieces"):
        assert ask(session, line) == ""
        assert ask(session, "side_to_move") == "black"
        assert ask(session, "swap").startswith("? illegal move: ")
        boards.add(ask(session, "showboard"))
        assert ask(session, "undo") == ""
        assert snapshot(session) == before
    assert len(boards) == 1

    ask(session, "param_game pie off", "genmove b")
    assert "swap" not in ask(session, "legal_moves")
    assert ask(session, "swap").startswith("? illegal move: ")


@GAMES_BY_NAME
def test_param_game(game: str) -> None:
    """What it lists can be set again, every value of every option, in any case."""
    session = start(game)
    listed = ask(session, "param_game")
    assert len(listed.split("\n")) == max(len(GAMES[game].options), 1)
    for option in GAMES[game].options:
        texts = ["on", "OFF", "0", "1"] if option.is_switch else [*option.words]
        for text in texts:
            ask(session, "genmove b")
            assert ask(session, f"param_game {option.name} {text}") == ""
            value = getattr(session.rules, option.name)
            assert value == option.parse(text)
            shown = int(value) if option.is_switch else value
            lines = ask(session, "param_game").split("\n")
            (line,) = (line for line in lines if line.split(" ")[1] == option.name)
            kind = "bool" if option.is_switch else f"list/{'/'.join(option.words)}"
            assert line == f"[{kind}] {option.name} {shown}"
            assert len(session.history) == 1


def test_param_search_keeps_the_game() -> None:
    session = start("flipway", 4)
    ask(session, "genmove b", "param_search playouts 30", "param_search seed 9")
    assert session.player.settings == Settings(player="random", playouts=30, seed=9)
    assert len(session.history) == 2


@pytest.mark.parametrize("seed", [0, 7, 2**63 - 1])
@pytest.mark.parametrize("command", ["set_random_seed", "param_search seed"])
def test_seed_and_new_game_are_a_fresh_start(command: str, seed: int) -> None:
    """Whatever was drawn before, and in either order."""
    settings = Settings(player="random", seed=seed)
    fresh = Session(open_game("flipway", 5), Player(settings))
    used = start("flipway", 5)
    ask(used, "genmove b", "genmove w", f"{command} {seed}", "clear_board")
    again = start("flipway", 5)
    ask(again, "genmove b", "clear_board", f"{command} {seed}")
    played = [
        [ask(session, f"genmove {color}") for color in "bwbw"]
        for session in (fresh, used, again)
    ]
    assert played[0] == played[1] == played[2]
    assert fresh.player.settings == used.player.settings


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("time_settings 0 1 0", Clock()),
        ("time_settings 600 0 0", Clock(600, 0, 0)),
        ("time_settings 1e3 30.5 25", Clock(1000, 30.5, 25)),
        ("time_settings -1 30 25", Clock(-1, 30, 25)),
    ],
)
def test_time_settings(line: str, clock: Clock) -> None:
    session = start()
    assert ask(session, "time_left b 3 0", line) == ""
    assert session.clock == clock


@pytest.mark.parametrize(
    ("line", "side", "left"),
    [
        ("time_left b 57 0", Side.BLACK, (57, 0)),
        ("time_left WHITE 29.5 10", Side.WHITE, (29.5, 10)),
        ("time_left white -0.3 0", Side.WHITE, (-0.3, 0)),
    ],
)
def test_time_left(line: str, side: Side, left: tuple[float, int]) -> None:
    session = start()
    assert ask(session, "time_settings 100 0 0", line) == ""
    assert session.clock.left == {side: left, side.other: (100, 0)}


@pytest.mark.parametrize(
    ("line", "loaded"),
    [("time_settings 600 0 0", 1), ("time_settings 0 1 0", 0), ("time_left b 9 0", 0)],
)
def test_a_limit_loads_the_search(
    line: str, loaded: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And if that goes wrong, nothing is set."""
    asked = []

    def load(self: Player, rules: object, hurry: object) -> None:
        asked.append(rules)
        raise OSError("no disk")

    monkeypatch.setattr(Player, "load", load)
    session = start()
    before = snapshot(session)
    answer = ask(session, line)

    assert asked == [session.rules] * loaded
    assert (answer == "? internal error") is bool(loaded)
    assert (snapshot(session) == before) is bool(loaded or "0 1 0" in line)
