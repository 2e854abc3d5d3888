"""The console commands, as a shell sees them. tests/test_process.py has the engine."""

import json
import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import games
from bin import bench, gtp, match, perft, warm
from bin.cli import SUBCOMMANDS, group, main
from conftest import read_perft
from games import GAMES, open_game, variant_of
from games.contract import Rules
from games.kernels import cache
from games.notation import in_notation_order, legal_tokens
from games.variants import parse_variant
from protocol.session import Session
from tools.converse import open_session

ROOT = Path(__file__).parents[1]
PERFT = {
    game: read_perft(ROOT / "tests" / "tables" / f"{game}.perft") for game in GAMES
}

# Leaves one line on standard error if the compiler was loaded.
TELLING = """
import sys
from bin.cli import main
try:
    main(sys.argv[1:])
finally:
    if {"numba", "numpy"} & set(sys.modules):
        print("loaded", file=sys.stderr)
"""


def invoke(*arguments: str) -> Result:
    """A subcommand in this process; must succeed and be quiet."""
    result = CliRunner().invoke(group, arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result


def process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a process that tells when it loads the compiler."""
    return subprocess.run(
        [sys.executable, "-c", TELLING, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a wrong option is answered with, without its beginning."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    out, err = capsys.readouterr()

    assert (caught.value.code, out) == (2, "")
    assert err.startswith("crosscut: ")
    assert err.index("\n") == len(err) - 1
    return err.removeprefix("crosscut: ").rstrip("\n")


# The group.


def test_version() -> None:
    done = process("--version")
    expected = f"crosscut, version {games.__version__}\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["-h"], *([name, "--help"] for name in SUBCOMMANDS)]
)
def test_help(arguments: list[str]) -> None:
    """Of every subcommand, and without loading the compiler."""
    done = process(*arguments)
    usage = " ".join(["Usage: crosscut", *arguments[:-1]])
    assert done.stdout.startswith(usage)
    assert (done.returncode, done.stderr) == (0, "")


def test_help_names_the_subcommands() -> None:
    text = invoke("--help").stdout
    assert all(f"\n  {name} " in text for name in SUBCOMMANDS)


def test_module_and_console_command_are_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bin", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout == f"crosscut, version {games.__version__}\n"


GTP = ("gtp", "--game", "flipway")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "No such command 'nothing'."),
        (["--nothing"], "No such option '--nothing'."),
        (
            [*GTP, "--size", "99"],
            "Invalid value for --size: unacceptable size: 2 to 25",
        ),
        ([*GTP, "--size", "0"], "Invalid value for --size: unacceptable size: 2 to 25"),
        (
            [*GTP, "--size", "2", "--variant", "setup=checkered2x2"],
            "Invalid value for --size: unacceptable size: "
            "3 to 25 with setup=checkered2x2",
        ),
        (
            [*GTP, "--variant", "pie=maybe"],
            "Invalid value for --variant: pie is 'maybe', allowed: on off",
        ),
        (
            [*GTP, "--variant", "pie"],
            "Invalid value for --variant: expected key=value, got 'pie'",
        ),
        (
            [*GTP, "--variant", "pie=on,pie=on"],
            "Invalid value for --variant: 'pie' is given twice",
        ),
        (
            [*GTP, "--variant", "komi=1"],
            "Invalid value for --variant: unknown option 'komi', "
            "allowed: setup phase pie",
        ),
        (
            [*GTP, "--playouts", "x"],
            "Invalid value for --playouts: playouts is 'x', allowed: 0 to 2000000000",
        ),
        (
            [*GTP, "--seconds", "-1"],
            "Invalid value for --seconds: seconds is '-1', allowed: 0 to 1000000",
        ),
        (
            [*GTP, "--threads", "0"],
            "Invalid value for --threads: threads is '0', allowed: 1 to 256",
        ),
        (
            [*GTP, "--seed", "0.5"],
            "Invalid value for --seed: seed is '0.5', "
            "allowed: 0 to 9223372036854775807",
        ),
        (
            [*GTP, "--player", "best"],
            "Invalid value for --player: player is 'best', allowed: mcts random",
        ),
        (
            [*GTP, "--search", "tree=5"],
            "Invalid value for --search: tree is '5', allowed: 20000 to 200000000",
        ),
        (
            [*GTP, "--search", "depth=5"],
            "Invalid value for --search: unknown setting 'depth', "
            "allowed: player playouts seconds exploration threads tree seed",
        ),
        (
            [*GTP, "--search", "tree"],
            "Invalid value for --search: expected key=value, got 'tree'",
        ),
        (
            [*GTP, "--size", "25", "--variant", "pie=on", "--steps"],
            "Invalid value for --size: unacceptable size: 2 to 24 in step mode with "
            "setup=empty,phase=0,pie=on",
        ),
        (
            ["gtp", "--game", "wythe", "--size", "25", "--steps"],
            "Invalid value for --size: unacceptable size: 2 to 24 in step mode with "
            "pie=on",
        ),
    ],
)
def test_wrong_options(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line that says which option and what is allowed; no seed is drawn."""
    assert refused(capsys, *arguments) == message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gtp"], ["--game", *GAMES]),
        (["gtp", "--game", "go"], ["--game", "'go'", *GAMES]),
        ([*GTP, "--size", "big"], ["--size", "'big'"]),
        ([*GTP, "--size"], ["--size"]),
        ([*GTP, "more"], ["more"]),
        ([*GTP, "--logfile-name", "/no/such/folder/log"], ["--logfile-name", "/no"]),
        (["perft", "--game", "flipway"], ["--depth"]),
        (["perft", "--game", "flipway", "--depth", "0"], ["--depth", "0"]),
        (["perft", "--game", "flipway", "--depth", "x"], ["--depth", "'x'"]),
        (["perft", "--game", "flipway", "--depth", "1", "--size", "1"], ["2 to 25"]),
        (["bench", "--seconds", "0"], ["--seconds", "0"]),
        (["bench", "--seconds", "nan"], ["--seconds", "nan"]),
        (["bench", "--seconds", "x"], ["--seconds", "'x'"]),
        (["bench", "--seconds", "1e9"], ["--seconds", "86400"]),
        (["bench", "--game", "go"], ["--game", "'go'"]),
        (["bench", "--game", "flipway", "--size", "1"], ["--size", "2 to 25"]),
        (["bench", "--search", "tree=5"], ["--search", "20000"]),
        (["warm", "--all"], ["--all"]),
    ],
)
def test_wrong_options_in_the_words_of_click(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused(capsys, *arguments)
    assert all(word in message for word in words), message


# gtp: its options become a session.


@pytest.mark.parametrize("game", sorted(GAMES))
def test_gtp_options(game: str) -> None:
    size = GAMES[game].sizes.low + 2
    options = GAMES[game].options
    variant = ",".join(f"{o.name}={o.write(o.values[-1])}" for o in options) or "-"
    session = open_session(f"--game {game.upper()} --size {size} --variant {variant}")

    assert session.rules == open_game(game, size, parse_variant(variant))
    assert open_session(f"--game {game}").rules == GAMES[game]


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("", "mcts 0 1 0.3 1 4000000 0"),
        ("--playouts 50 --seed 3", "mcts 50 0 0.3 1 4000000 3"),
        ("--seconds 2.5 --threads 2", "mcts 0 2.5 0.3 2 4000000 0"),
        ("--player random", "random 0 1 0.3 1 4000000 0"),
        ("--search playouts=7,exploration=1,tree=50000", "mcts 7 0 1 1 50000 0"),
        ("--search -", "mcts 0 1 0.3 1 4000000 0"),
        # An option of its own name wins over one in --search.
        ("--search playouts=7,seed=1 --playouts 8", "mcts 8 0 0.3 1 4000000 1"),
    ],
)
def test_gtp_settings(options: str, shown: str) -> None:
    settings = open_session(f"--game flipway {options}").player.settings
    names = ["player", "playouts", "seconds", "exploration", "threads", "tree", "seed"]
    assert " ".join(settings.shown(name) for name in names) == shown


def test_gtp_draws_a_seed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If none is given in either way, and says which."""
    started: list[Session] = []
    monkeypatch.setattr(gtp, "end", sys.exit)
    monkeypatch.setattr(gtp, "take_standard_output", lambda: -1)
    monkeypatch.setattr(gtp, "end_with_the_reader", lambda _: None)
    monkeypatch.setattr(gtp, "read_into", lambda *_: None)
    monkeypatch.setattr(gtp, "serve", lambda session, *_: started.append(session))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    for options in ((), ("--seed", "5"), ("--search", "seed=6")):
        with pytest.raises(SystemExit) as caught:
            main([*GTP, *options])
        assert caught.value.code == 0
    drawn, *given = (session.player.settings.seed for session in started)

    assert given == [5, 6]
    assert caplog.messages == [f"seed {drawn}"]


# perft.

# Each game once by its readable rules, all starts of one game by its kernel.
PERFT_CASES = [
    *((game, [], *starts[0]) for game, starts in PERFT.items()),
    *(("flipway", ["--kernel"], *start) for start in PERFT["flipway"]),
]
perft_cases = pytest.mark.parametrize(
    ("game", "kernel", "size", "variant", "counts"), PERFT_CASES
)


@perft_cases
def test_perft(
    game: str, kernel: list[str], size: int, variant: str, counts: list[int]
) -> None:
    """The numbers of the tables, as lines `depth turns`."""
    few = list(takewhile(lambda count: count < 200_000, counts))
    options = ["--game", game, "--size", str(size), "--variant", variant]
    result = invoke("perft", *options, "--depth", str(len(few)), *kernel)

    assert result.stdout == "".join(f"{d} {n}\n" for d, n in enumerate(few, 1))


def test_perft_goes_on_with_zeros() -> None:
    """Finished games contribute nothing, and every depth has its line."""
    result = invoke("perft", "--game", "flipway", "--size", "2", "--depth", "6")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert [int(depth) for depth, _ in lines] == [1, 2, 3, 4, 5, 6]
    assert lines[-1][1] == "0"


@perft_cases
def test_perft_split(
    game: str, kernel: list[str], size: int, variant: str, counts: list[int]
) -> None:
    """Every turn once, in notation order; the counts add up to the whole."""
    options = ["--game", game, "--size", str(size), "--variant", variant]
    start = open_game(game, size, parse_variant(variant)).start()
    for depth in (1, 2):
        result = invoke("perft", *options, "--depth", str(depth), "--split", *kernel)
        lines = [line.split(" ") for line in result.stdout.splitlines()]
        tokens = [token for token, _ in lines]

        assert tokens == in_notation_order(tokens) == legal_tokens(start)
        assert sum(int(count) for _, count in lines) == counts[depth - 1]


def test_perft_without_kernel_loads_no_compiler() -> None:
    done = process("perft", "--game", "flipway", "--size", "3", "--depth", "2")
    assert (done.returncode, done.stderr) == (0, "")


# bench and warm.

KEYS = [
    "game",
    "size",
    "variant",
    "seconds",
    "random_playouts_per_second",
    "random_steps_per_second",
    "steps_per_playout",
    "search_playouts_per_second",
    "signature",
]


def test_bench_json() -> None:
    """One object a line; the signature depends on neither size nor seconds."""
    options = ["bench", "--game", "flipway", "--json", "--seconds"]
    small = invoke(*options, "0.01", "--size", "4", "--search", "tree=50000")
    default = invoke(*options, "1e-9")
    reports = [json.loads(result.stdout) for result in (small, default)]

    for report, result in zip(reports, (small, default), strict=True):
        assert result.stdout.count("\n") == 1
        assert list(report) == KEYS
        assert report["game"] == "flipway"
        assert report["variant"] == "setup=empty,phase=0,pie=off"
        for key in KEYS[4:7]:
            assert report[key] > 0
    assert [report["size"] for report in reports] == [4, 12]
    assert [report["seconds"] for report in reports] == [0.01, 1e-9]
    assert reports[0]["signature"] == reports[1]["signature"]


def test_bench_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heading, then a line for each game."""
    sizes = []

    def measure(rules: Rules, *_: object) -> bench.Report:
        sizes.append((rules.name, rules.size, variant_of(rules).get("pie", "off")))
        return bench.Report(
            game=rules.name,
            size=rules.size,
            variant="-",
            seconds=1.0,
            random_playouts_per_second=1000.4,
            random_steps_per_second=43017.0,
            steps_per_playout=43.0,
            search_playouts_per_second=700.0,
            signature="0123abcd",
        )

    monkeypatch.setattr(bench, "measure", measure)
    heading, *lines = invoke("bench").stdout.splitlines()

    assert heading.split()[:2] == ["game", "size"]
    assert len(lines) == len(GAMES)
    assert "flipway 12  1000  43017  43.00  700  0123abcd" in lines
    assert sizes == [(g, GAMES[g].sizes.default, "off") for g in GAMES]


def test_warm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line a game; caches of other versions go if asked, this one's stays."""
    own, old = tmp_path / "own", tmp_path / "old"
    (old / "below").mkdir(parents=True)
    own.mkdir()
    compiled: list[str] = []
    monkeypatch.setattr(cache, "root", lambda: tmp_path)
    monkeypatch.setattr(cache, "own_folder", lambda: own)
    monkeypatch.setattr(warm, "load_tools", lambda rules: compiled.append(rules.name))
    plain = invoke("warm").stdout
    assert old.exists()
    removed, *lines = invoke("warm", "--clean").stdout.splitlines()

    assert removed == f"removed {old}"
    assert list(tmp_path.iterdir()) == [own]
    assert compiled == [*GAMES, *GAMES]
    for printed in (plain.splitlines(), lines):
        assert [line.split()[0] for line in printed] == list(GAMES)
        assert all(re.fullmatch(r"\w+ \d+\.\d\d s", line) for line in printed)


def test_subcommands_are_modules_with_a_main() -> None:
    assert [gtp.main, match.main, perft.main, bench.main, warm.main] == [
        group.get_command(group.make_context("crosscut", ["-"]), name)
        for name in SUBCOMMANDS
    ]
