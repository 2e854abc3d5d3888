"""`crosscut match` as people and scripts use it."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bin import match as subcommand
from bin.cli import main
from bin.live import Lines, duration, told
from bin.words import long_options, pairs, regroup, words
from protocol.journal import Journal
from protocol.lines import line_of
from protocol.results import elo_text
from protocol.strength.counts import Counts
from protocol.strength.sprt import Sprt

HERE = Path(__file__).parent
PLAIN = shlex.join([sys.executable, "-S", str(HERE / "engines/plain.py")])
RUDE = shlex.join([sys.executable, "-S", str(HERE / "engines/rude.py")])

TWO = ["--engine", "name=A", f"cmd={PLAIN}", "--engine", "name=B", f"cmd={PLAIN}"]
GAME = ["--game", "flipway", "--size", "3", "--srand", "5"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit status, standard output and standard error of `crosscut match`."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["match", *arguments])
        printed = capsys.readouterr()
        status = caught.value.code
        assert isinstance(status, int)
        return status, printed.out, printed.err

    return run


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a match of four games."""
    folder = str(tmp_path_factory.mktemp("match") / "one")
    with pytest.raises(SystemExit) as caught:
        main(["match", *GAME, *TWO, "--rounds", "2", "--out", folder])
    assert caught.value.code == 0
    return folder


# Words.


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("--engine a=1 b='x y' --size 5", ["--engine", "a=1 'b=x y'", "--size", "5"]),
        ("-engine a=1 -size 5", ["--engine", "a=1", "--size", "5"]),
        ("--each --size 5", ["--each", "", "--size", "5"]),
        ("--rules pie=on setup=empty", ["--rules", "pie=on,setup=empty"]),
        ("--rules -", ["--rules", "-"]),
        ("--size=5 -size=5", ["--size=5", "--size=5"]),
        ("--each=a=1 b=2", ["--each", "a=1 b=2"]),
        ("-h -x 3", ["-h", "-x", "3"]),
    ],
)
def test_regroup(given: str, wanted: list[str]) -> None:
    known = ["--engine", "--each", "--size", "--rules"]
    assert regroup(shlex.split(given), known) == wanted


@pytest.mark.parametrize(
    "value", ["cmd=a b", "init=komi 0", "x='\"", "a=\\", "args=-v"]
)
def test_words_survive(value: str) -> None:
    grouped = regroup(["--engine", value, "name=A"], ["--engine"])
    assert words(grouped[1]) == [value, "name=A"]


@pytest.mark.parametrize(
    "value", ["a=1 b0=x,y", "a=1,b0=x,y", "a=1, b0=x,y", "a=1,b0=x,y,"]
)
def test_pairs(value: str) -> None:
    """A comma before the next key, or at an end, is as good as a blank."""
    assert pairs(value, "--sprt") == {"a": "1", "b0": "x,y"}


# A match.


def test_lines(run: Run, tmp_path: Path) -> None:
    """A line a game, how to go on, and the result at the end."""
    folder = str(tmp_path / "a match")
    command = [*GAME, "-each", f"cmd={PLAIN}", "-engine", "name=A", "-engine", "name=B"]
    status, out, _ = run(*command, "-rounds", "2", "-out", folder)
    lines = out.splitlines()

    assert status == 0
    assert f"if it breaks: crosscut match resume '{folder}'" in lines[0]
    assert "seed 5" in lines[0]
    for number, line in enumerate(lines[1:5], 1):
        assert re.fullmatch(
            rf"\[{number}/4\] game [12]\.[12] (A - B|B - A) (1-0|0-1) by rules", line
        )
    assert "A against B" in lines
    assert "2 pairs: " in out


def test_the_same_command_goes_on(run: Run, played: str) -> None:
    """Nothing is played again, and the seed need not be told."""
    command = [*GAME[:4], *TWO, "--rounds", "2", "--out", played]
    status, out, _ = run(*command)

    assert status == 0
    assert "game 1.1" not in out
    assert run("resume", played)[0] == 0
    assert len(list(Journal(played).records())) == 4


def test_another_match_is_there(run: Run, played: str) -> None:
    status, _, err = run(*GAME, *TWO, "--rounds", "3", "--out", played)

    assert status == 1
    assert err == f"crosscut: {played} holds another match: rounds differs\n"


def test_a_corrected_command(run: Run, tmp_path: Path) -> None:
    """A folder in which no game was played is not taken."""
    folder = str(tmp_path / "m")
    wrong = [*GAME, *TWO[:3], "--engine", "name=B", "cmd=/no/such", "--out", folder]
    assert run(*wrong)[0] == 3
    assert run(*GAME, *TWO, "--out", folder)[0] == 0
    assert run("verify", folder)[1] == "2 games verified\n"


def test_colours_and_titles(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    options = ["--noswap", "--reverse", "--rounds", "2", "--event", "Old boys"]
    openings = ["--openings", "random:plies=1,count=2", "policy=encounter"]
    status, out, _ = run(*GAME, *TWO, *options, *openings, "--out", folder)

    assert status == 0
    assert out.count(" B - A ") == 2
    assert "\nOld boys\n" in out
    assert '[Event "Old boys"]\n[Round' in run("report", folder, "--format", "pgn")[1]
    assert run("verify", folder)[1] == "2 games verified\n"
    assert run(*GAME, *TWO, "--repeat", "-repeat", "2", "--out", folder + "2")[0] == 0


def test_logs(run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Odd games keep their place; a word `stderr` of an engine is stronger."""
    folder, own = tmp_path / "m", tmp_path / "own"
    flood = f"cmd={RUDE} genmove=flood"
    match = [*GAME, "--each", flood, "--engine", "name=A"]
    match += ["--engine", "name=B", f"stderr={own}", "--rounds", "1"]
    status, *_ = run(
        *match, "--log", "gtp=all", "engine=true", "level=info", "--out", str(folder)
    )

    assert status == 0
    for text in ("A is process ", "slot 0 plays game 1.2", "B has ended"):
        assert text in caplog.text
    caplog.clear()
    assert {p.name for p in (folder / "logs").iterdir()} == {"1.1", "1.2", "A.err"}
    assert "A > 1 name" in (folder / "logs/1.1/gtp.log").read_text()
    assert "genmove" in (folder / "logs/1.2/gtp.log").read_text()
    for file in (folder / "logs/A.err", own):
        assert file.stat().st_size % ((1 << 20) + 9) == 0
    assert not (folder / "abnormal").exists()
    assert run("verify", str(folder))[0] == 0
    run(*match, "--out", str(tmp_path / "usual"))
    assert caplog.text == ""
    assert not (tmp_path / "usual/logs").exists()


def test_files(run: Run, tmp_path: Path) -> None:
    """The same texts as reports have, at the end of each run, through links."""
    folder, linked = str(tmp_path / "m"), tmp_path / "linked"
    (tmp_path / "link").symlink_to(linked)
    files = ["--pgnresults", str(tmp_path / "link"), "--csv", f"{folder}/table.csv"]
    assert run(*GAME, *TWO, "--out", folder, *files)[0] == 0
    linked.unlink()
    assert run("resume", folder, *files)[0] == 0

    assert linked.read_text() == run("report", folder, "--format", "pgn")[1]
    table = Path(folder, "table.csv").read_bytes().decode()
    assert table.count("\n") == 3
    assert table == run("report", folder, "--format", "csv")[1]
    assert not list(tmp_path.rglob("*.new"))


def test_files_of_a_match_that_fails(run: Run, tmp_path: Path) -> None:
    match = [*GAME, *TWO[:3], "--engine", "name=B", f"cmd={RUDE} genmove=crash"]
    match += ["--max-void", "0", "--csv", str(tmp_path / "c"), "--out"]
    assert run(*match, str(tmp_path / "m"))[0] == 3
    assert (tmp_path / "c").read_text().startswith("player,")


def test_intervals(run: Run, tmp_path: Path) -> None:
    options = ["--rounds", "3", "--scoreinterval", "2", "--ratinginterval", "3"]
    status, out, _ = run(*GAME, *TWO, *options, "--out", str(tmp_path / "m"))
    before = out[: out.index("\nA against B")]

    assert status == 0
    assert [n for n in range(1, 7) if f"\n{n} of 6 games, " in before] == [2, 4, 6]
    assert before.count("A over B: Elo") == 3
    assert before.count("moving first: ") == 3  # once in the report


def test_json(run: Run, tmp_path: Path) -> None:
    options = ["--progress", "json", "--out", str(tmp_path / "m")]
    status, out, _ = run(*GAME, *TWO, *options)
    events = [json.loads(line) for line in out.splitlines()]

    assert status == 0
    assert [e["event"] for e in events] == ["start", "game", "game", "end"]
    assert events[-1] == {
        "event": "end",
        "outcome": "complete",
        "finished": 2,
        "total": 2,
    }


def test_off(run: Run, tmp_path: Path) -> None:
    options = ["--progress", "off", "--out", str(tmp_path / "m")]
    assert run(*GAME, *TWO, *options) == (0, "", "")


def test_tty(run: Run, tmp_path: Path) -> None:
    """The picture is erased line by line, and never wider than the terminal."""
    options = ["--progress", "tty", "--rounds", "3", "--out", str(tmp_path / "m")]
    status, out, _ = run(*GAME, *TWO, *options)

    assert status == 0
    assert re.search(r"\x1b\[\d+A\x1b\[J", out)
    assert "6 of 6 games" in out
    assert "A over B: Elo" in out


def test_sprt(run: Run, tmp_path: Path) -> None:
    """Rude B resigns at once, so A is soon the better one."""
    match = [*GAME, "--engine", "name=A", f"cmd={PLAIN}"]
    match += ["--engine", "name=B", f"cmd={RUDE}"]
    test = ["--sprt", "elo0=0", "elo1=300", "model=logistic", "--exit-verdict"]
    folder = str(tmp_path / "m")
    status, out, _ = run(*match, *test, "--out", folder)

    assert status == 0
    assert "H1 accepted" in out
    match[3], match[match.index("name=A")] = "2", "name=C"
    reverse = ["--engine", "name=A", f"cmd={RUDE}", *match[6:9]]
    status, out, _ = run(*GAME, *reverse, *test, "--out", folder + "2")
    assert status == 10
    undecided = [*match, *test, "--rounds", "1", "--out", folder + "3"]
    assert run(*undecided)[0] == 11


def test_crash(run: Run, tmp_path: Path) -> None:
    """After three attempts the game is lost, and nothing more is begun."""
    folder = tmp_path / "m"
    match = [*GAME, *TWO[:3], "--engine", "name=B", f"cmd={RUDE} genmove=crash"]
    status, out, err = run(*match, "--rounds", "9", "--out", str(folder))
    (record, *_) = Journal(folder).records()

    assert status == 3
    assert out.count("is played again: B: genmove") >= 2
    assert err == f"not finished; go on with: crosscut match resume {folder}\n"
    assert (record["attempt"], record["result"]["how"]) == (3, "crash")
    assert len(list(Journal(folder).records())) <= 2
    err = (folder / f"abnormal/{record['id']}-3/B.err").read_text()
    assert err == "out of luck\n"
    assert run("resume", str(folder), "--recover")[0] == 0
    assert "B lost 18 by crash" in run("report", str(folder))[1]
    assert run("verify", str(folder))[:2] == (0, "18 games verified\n")


def test_engines_that_cannot_run(run: Run, tmp_path: Path) -> None:
    match = [*GAME, *TWO[:3], "--engine", "name=B", "cmd=/no/such"]
    status, _, err = run(*match, "--out", str(tmp_path / "m"))

    assert status == 3
    assert err.startswith("crosscut: B: cannot be started")
    assert list(Journal(tmp_path / "m").records()) == []


def test_who_watches(run: Run, tmp_path: Path) -> None:
    """A referee and two observers; one of them fails."""
    folder = str(tmp_path / "m")
    watching = ["--referee", "name=R", f"cmd={PLAIN}", "--observer", "name=V"]
    watching += [f"cmd={RUDE}", "--observer", "name=W", f"cmd={RUDE} play:2=crash"]
    status, out, _ = run(*GAME, *TWO, *watching, "--out", folder)

    assert status == 0
    warning = r"^game 1\.1, warning: W: play w \S+: ended with status 3$"
    assert re.search(warning, out, re.M)
    assert re.search(r"^warning: W failed in 2 games, first in 1\.[12]: ", out, re.M)
    assert run("verify", folder)[0] == 0
    status, out, _ = run("check", folder)
    assert status == 0
    assert out.splitlines()[2:] == [
        "R: Plain 1, ready",
        "V: Rude , ready",
        "W: Rude , ready",
    ]
    found = json.loads(run("report", folder, "--format", "json")[1])
    assert [(one["name"], one["failed"]) for one in found["watchers"]] == [("W", 2)]


def test_a_referee_that_disagrees(run: Run, tmp_path: Path) -> None:
    """The match fails, and says at which game and turn."""
    folder = tmp_path / "m"
    referee = ["--referee", "name=R", f"cmd={RUDE} play:2=refuse score=B+"]
    options = ["--concurrency", "2", "--progress", "json", "--out", str(folder)]
    status, out, err = run(*GAME, *TWO, *referee, *options)
    failure, hint = err.splitlines()

    assert status == 3
    assert re.fullmatch(
        r"crosscut: game 1\.[12]: turn 2: our rules accept w \S+; referee R: "
        r"play w \S+: refused: I would rather not; [AB] accepts it",
        failure,
    )
    assert hint == f"not finished; go on with: crosscut match resume {folder}"
    assert json.loads(out.splitlines()[-1])["outcome"] == "failed"
    assert list(Journal(folder).records()) == []


def test_what_an_engine_said_before_it_ended(run: Run) -> None:
    """Its last line tells what is wrong with its words."""
    nogame = f"cmd={shlex.quote(sys.executable)} -m bin gtp --game nogame"
    status, out, _ = run("check", *GAME, "--engine", nogame)
    assert status == 3
    assert "; it said: crosscut: Invalid value for '--game': 'nogame'" in out


@pytest.mark.parametrize("option", ["--referee", "--observer"])
def test_who_watches_must_run(run: Run, tmp_path: Path, option: str) -> None:
    watching = [option, "name=R", "cmd=/no/such", "--out", str(tmp_path / "m")]
    status, _, err = run(*GAME, *TWO, *watching)

    assert status == 3
    assert err.startswith("crosscut: R: cannot be started")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "Missing option '--game'."),
        (["--openings"], "--openings needs words, such as random:plies=2"),
        (["--openings", ""], "--openings needs words, such as random:plies=2"),
        (["--openings", "file="], "file is missing"),
        (["--referee", ""], "--referee needs words, such as cmd="),
        (["--concurrency", "100000"], "Invalid value for '--concurrency': 100000 is"),
        (["--use-affinity", "1-0"], "Invalid value for --use-affinity: expected"),
        (["--use-affinity", "0-400000000"], "Invalid value for --use-affinity: exp"),
        (["--use-affinity", "\xb2"], "Invalid value for --use-affinity: expected"),
        (["--startup-ms", "0"], "Invalid value for '--startup-ms': 0 is not in"),
        (["--quit-ms", "-1"], "Invalid value for '--quit-ms': -1 is not in"),
        (["--each", "init=\udcff"], "\"'init=\\udcff'\" is not UTF-8"),
        (["--csv", ""], "Invalid value for --csv: '' is there, and no file"),
        (["--game", "flipway"], "pair needs two engines, got 0"),
        (["--sprt", "elo0=0"], "Invalid value for --sprt: elo1 is missing"),
        (["--sprt", "elo0=0", "elo=1"], "Invalid value for --sprt: unknown elo, known"),
        (["--sprt", "elo0=0", "elo1=x"], "Invalid value for --sprt: elo1 is x"),
        (
            ["--resign", "movecount=3", "score=95", "twosided=maybe"],
            "Invalid value for --resign: twosided is maybe, expected on or off",
        ),
        (["--sprt", "elo0=5", "elo1=0"], "Invalid value for --sprt: elo0 must be"),
        (["--use-affinity", "a"], "Invalid value for --use-affinity: expected shares"),
        (["--sprt", "elo0=0,elo1=x"], "Invalid value for --sprt: elo1 is x"),
        (["--pie", "on", "--game", "yodd"], "--pie on: yodd has no pie"),
        (["--size", "99"], "--size 99: unacceptable size: 2 to 25"),
        (["--game", "weft", "--size", "7"], "--size 7: unacceptable size: 2 to 24, e"),
        (
            ["--log", "gtp=some"],
            "Invalid value for --log: gtp is some, allowed: failed",
        ),
        (["--log", "file=x"], "Invalid value for --log: unknown file, allowed: gtp="),
        (["--csv", "/no/such/x"], "Invalid value for --csv: /no/such/x cannot be"),
        (["--csv", "/"], "Invalid value for --csv: / is there, and no file"),
        (["--repeat", "--games", "1"], "--repeat means --games 2, not --games 1."),
        (["--repeat", "--noswap"], "noswap needs games 1: a pair exchanges"),
        (["--repeat", "3"], "Invalid value for '--repeat': '3' is not '2'."),
        (["--rounds", "0"], "rounds is 0, expected at least 1"),
        (["--openings", "random:plies=1"], "count is missing"),
        (["--each", "colour=red"], "unknown key 'colour', known: "),
        (["--observer", "cmd=x", "nodes=5"], "'nodes' is not for observers and "),
        (["--referee", "name=A", "cmd=x"], "two engines are called A: give each a"),
        (["nonsense"], "No such command 'nonsense'."),
    ],
)
def test_bad_options(run: Run, tmp_path: Path, options: list[str], reason: str) -> None:
    """One line on standard error, and no folder."""
    whole = [] if options[:1] == ["--game"] else TWO if not options else [*GAME, *TWO]
    status, out, err = run(*whole, "--out", str(tmp_path / "m"), *options)

    assert status in (1, 2)
    assert out == ""
    assert err.startswith(f"crosscut: {reason}")
    assert err.count("\n") == 1
    assert not (tmp_path / "m").exists()


def test_files_of_the_match_are_not_for_reports(run: Run, played: str) -> None:
    name = f"{played}/../one/games.jsonl"
    status, _, err = run("resume", played, "--pgnresults", name)
    assert (status, err) == (
        2,
        f"crosscut: Invalid value for --pgnresults: {name} is a file of the match\n",
    )


# Folders.


def test_show(run: Run, played: str) -> None:
    status, out, _ = run("show", played)

    assert status == 0
    assert out.startswith("4 of 4 games, not running\n")
    assert re.search(r"^1 +[AB] ", out, re.M)


def test_show_game(run: Run, played: str) -> None:
    out = run("show", played, "2.1")[1]

    assert out.startswith("game 2.1: A (Black) - B\n")
    assert "\n 3 " in out
    assert run("show", played, "7.1")[2] == "crosscut: there is no game 7.1\n"


def test_show_games_that_are_none(run: Run, played: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(Path(played, "manifest.json").read_bytes())
    record = {**next(Journal(played).records()), "rec": 7}
    (tmp_path / "games.jsonl").write_bytes(line_of(record))

    status, _, err = run("show", str(tmp_path), record["id"])
    assert (status, err) == (1, "crosscut: rec is 7, expected 1\n")


def test_show_comments(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    engines = ["--engine", "name=A", f"cmd={RUDE} turns=A1 genmove=mutter"]
    engines += ["comments=on", "--engine", "name=B", f"cmd={RUDE}"]
    run(*GAME, *engines, "--out", folder)
    out = run("show", folder, "1.1", "--comments")[1]

    head, turn, *comment, resigned = out.split("\n\n 3 ")[0].splitlines()[:6]
    assert head == "game 1.1: A (Black) - B"
    assert re.fullmatch(r"   1 b A1  \d\.\d{3} s", turn)
    assert comment == ["     [1mI say A1 ü", "", "     \\xff really"]
    assert re.fullmatch(r"   2 w resign  \d\.\d{3} s", resigned)


def test_report(run: Run, played: str) -> None:
    out = run("report", played)[1]
    for line in ("A against B", "Elo ", "nElo ", "LOS ", "Black scored ", "endings: "):
        assert re.search(rf"^{line}", out, re.M)
    found = json.loads(run("report", played, "--format", "json")[1])
    assert found["finished"] == found["total"] == 4
    assert found["pairs"][0]["game_cells"] == [
        found["players"][0][key] for key in ("lost", "drawn", "won")
    ]
    assert run("report", played, "--format", "csv")[1].count("\n") == 3
    assert run("report", played, "--format", "games")[1].count("\n") == 5
    assert run("report", played, "--format", "pgn")[1].count("[White ") == 4


def test_verify(run: Run, played: str, tmp_path: Path) -> None:
    assert run("verify", played)[:2] == (0, "4 games verified\n")

    for name in ("manifest.json", "games.jsonl"):
        data = (Path(played) / name).read_bytes()
        (tmp_path / name).write_bytes(data.replace(b'"ms"', b'"mS"', 1))
    status, out, _ = run("verify", str(tmp_path))
    assert (status, out) == (1, "games.jsonl line 1: the checksum is wrong\n")


@pytest.mark.parametrize("at", [0, 700, -2, -1])
def test_verify_finds_one_altered_byte(
    run: Run, played: str, tmp_path: Path, at: int
) -> None:
    """Wherever it is, also the newline at the end."""
    for name in ("manifest.json", "games.jsonl"):
        (tmp_path / name).write_bytes((Path(played) / name).read_bytes())
    data = bytearray((tmp_path / "games.jsonl").read_bytes())
    data[at] ^= 4
    (tmp_path / "games.jsonl").write_bytes(data)

    assert run("verify", str(tmp_path))[0] == 1


def test_verify_says_that_games_are_missing(
    run: Run, played: str, tmp_path: Path
) -> None:
    for name in ("manifest.json", "games.jsonl"):
        (tmp_path / name).write_bytes((Path(played) / name).read_bytes())
    lines = (tmp_path / "games.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "games.jsonl").write_bytes(b"".join(lines[:3]))

    assert run("verify", str(tmp_path))[:2] == (0, "3 of 4 games verified\n")


def test_check(run: Run, played: str) -> None:
    status, out, _ = run("check", played)
    assert status == 0
    assert re.fullmatch(r"A: .*, ready\nB: .*, ready\n", out)

    wrong = ["--engine", "name=C", f"cmd={RUDE} clear_board=crash"]
    status, out, _ = run("check", *GAME, *TWO[:3], *wrong)
    assert status == 3
    assert "C: failed: C: clear_board: ended with status 3" in out


def test_check_of_one_engine(run: Run) -> None:
    """Without an opponent; and a game without pie may be told that it has none."""
    game = ["--game", "yodd", "--size", "2", "--pie", "off"]
    status, out, _ = run("check", *game, "--engine", f"cmd={RUDE}", "name=C")
    assert (status, out) == (0, "C: Rude , ready\n")


def test_compliance(run: Run, played: str) -> None:
    """Of the engines of a match, or of a single one that the options name."""
    status, out, _ = run("check", played, "--compliance")
    assert status == 0
    assert "B: undo missing\nB: genmove ok: " in out
    assert out.splitlines()[-1] == "B: 17 ok, 1 missing"

    one = [*GAME, "--engine", f"cmd={RUDE} plain genmove=illegal", "name=C"]
    status, out, _ = run("check", *one, "--compliance")
    assert status == 3
    assert "C: genmove failed: genmove b: 'Z99': " in out
    assert "C: game skipped: genmove failed" in out
    assert run("check", *one)[:2] == (0, "C: Plain 1, ready\n")


def test_stop_needs_a_runner(run: Run, played: str) -> None:
    status, _, err = run("stop", played)
    assert (status, err) == (
        1,
        f"crosscut: nobody is running {played} on this machine\n",
    )


@pytest.mark.parametrize(
    "name", ["show", "report", "verify", "stop", "resume", "elo", "check"]
)
def test_no_such_folder(run: Run, name: str) -> None:
    assert run(name, "no/such")[::2] == (1, "crosscut: no/such holds no match\n")


# Elo.


@pytest.mark.parametrize("numbers", ["60 40 0", "5 20 40 25 10", "0 0 0"])
def test_elo(run: Run, numbers: str) -> None:
    counts = Counts.written([int(n) for n in numbers.split()])
    status, out, _ = run("elo", *numbers.split())

    assert (status, out) == (0, elo_text(counts) + "\n")


def test_elo_and_sprt(run: Run) -> None:
    out = run("elo", "5", "20", "40", "25", "10", "--sprt", "elo0=0", "elo1=20")[1]

    assert out.startswith("Elo 26.11 +- 34.83\nnElo ")
    assert out == elo_text(Counts((5, 20, 40, 25, 10)), Sprt(elo0=0, elo1=20)) + "\n"
    found = json.loads(run("elo", "60", "40", "0", "--json")[1])
    assert found["cells"] == [40, 0, 60]


def test_elo_of_a_match(run: Run, played: str) -> None:
    out = run("elo", played)[1]
    assert out.startswith("Elo ")
    assert "2 pairs: " in out


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ("1 2", "expected 3 or 5 counts, got 2"),
        ("1 2 x", "expected a folder, or 3 or 5 numbers of games, got 'x'"),
        ("a b c", "expected a folder, or 3 or 5 numbers of games, got 'a'"),
        ("1 2 1_0", "expected a folder, or 3 or 5 numbers of games, got '1_0'"),
        (f"1 2 {'9' * 5000}", "expected a folder, or 3 or 5 numbers of games, got '99"),
        ("1 2 9999999999", "a count is from 0"),
    ],
)
def test_bad_counts(run: Run, numbers: str, reason: str) -> None:
    status, _, err = run("elo", *numbers.split())
    assert status in (1, 2)
    assert err.startswith(f"crosscut: {reason}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("numbers", "first"), [("0 0 0", "no games yet"), ("0 0 0 0 0", "no pairs yet")]
)
def test_elo_of_nothing(run: Run, numbers: str, first: str) -> None:
    out = run("elo", *numbers.split())[1]
    assert out.splitlines()[0] == first
    assert len(out.splitlines()) == 2


# Stopping.


def start(folder: Path, *options: str) -> "subprocess.Popen[str]":
    """An endless match; returns once its first game is over."""
    slow = f"cmd={RUDE} genmove=slow turns=A1,B1+B2"
    command = [*GAME, "--each", slow, "--engine", "name=A", "--engine", "name=B"]
    command += ["--maxgames", "1000", "--progress", "json", "--out", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bin", "match", *command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    for line in process.stdout:
        if '"game"' in line:
            return process
    raise AssertionError(process.communicate()[1])


def end(process: "subprocess.Popen[str]") -> tuple[list[dict[str, Any]], str]:
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    return [json.loads(line) for line in out.splitlines()], err


def test_interrupt(tmp_path: Path) -> None:
    """Once: the running game is finished. The last line tells how to go on."""
    process = start(tmp_path / "m")
    process.send_signal(signal.SIGINT)
    events, err = end(process)

    assert {"event": "stopping", "now": False} in events
    assert err == f"not finished; go on with: crosscut match resume {tmp_path / 'm'}\n"
    assert events[-1]["outcome"] == "stopped"
    assert events[-1]["finished"] == len(list(Journal(tmp_path / "m").records())) > 1


def test_interrupt_twice(tmp_path: Path) -> None:
    """Twice: at once, and the game is as if it had not begun."""
    process = start(tmp_path / "m")
    process.send_signal(signal.SIGINT)
    time.sleep(0.25)
    process.send_signal(signal.SIGINT)
    before = time.monotonic()
    events, _ = end(process)

    assert time.monotonic() - before < 5
    assert events[-1]["outcome"] == "stopped"
    assert events[-1]["finished"] == len(list(Journal(tmp_path / "m").records()))


@pytest.mark.parametrize("options", [[], ["--now"]])
def test_stop(run: Run, tmp_path: Path, options: list[str]) -> None:
    process = start(tmp_path / "m", "--concurrency", "2")
    assert run("show", str(tmp_path / "m"))[1].splitlines()[0].endswith(", running")
    assert run("resume", str(tmp_path / "m"))[2].endswith("is running this match\n")
    assert run("stop", str(tmp_path / "m"), *options)[0] == 0
    events, _ = end(process)

    assert {"event": "stopping", "now": bool(options)} in events
    assert run("show", str(tmp_path / "m"))[1].splitlines()[0].endswith("not running")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_while_engines_are_tried(number: int, tmp_path: Path) -> None:
    silent = f"cmd={RUDE} name=silent"
    command = [*GAME, "--each", silent, "--engine", "name=A", "--engine", "name=B"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bin", "match", *command, "--out", str(tmp_path / "m")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline().startswith("match ")
    time.sleep(0.3)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err == f"not finished; go on with: crosscut match resume {tmp_path / 'm'}\n"


def test_nobody_sees_it_any_more(tmp_path: Path) -> None:
    """The running game is finished, and the last line tells how to go on."""
    process = start(tmp_path / "m")
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    with process.stderr:
        err = process.stderr.read()
    assert process.wait(30) == 130
    assert err == f"not finished; go on with: crosscut match resume {tmp_path / 'm'}\n"
    assert list(Journal(tmp_path / "m").records())


def test_a_report_comes_before_engines_have_ended(tmp_path: Path) -> None:
    slow = f"cmd={RUDE} quit=silent"
    command = [*GAME, "--each", slow, "--engine", "name=A", "--engine", "name=B"]
    command += ["--games", "1", "--quit-ms", "1500", "--out", str(tmp_path / "m")]
    process = subprocess.Popen(
        [sys.executable, "-m", "bin", "match", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout
    assert any(line.startswith("endings: ") for line in process.stdout)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    process.communicate()


def test_a_file_that_cannot_be_written_at_last(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    slow = f"cmd={RUDE} genmove=slow turns=A1"
    command = [*GAME, "--each", slow, "--engine", "name=A", "--engine", "name=B"]
    command += ["--csv", str(tmp_path / "gone" / "t"), "--out", str(tmp_path / "m")]
    threading.Timer(0.5, (tmp_path / "gone").rmdir).start()
    status, out, err = run(*command)
    assert status == 1
    assert "2 of 2 games" in out
    assert "No such file or directory" in err


# Words of the view.


def test_lines_tell_of_repeats_at_once() -> None:
    lines: list[str] = []
    view = Lines(lines.append)
    view({"event": "retry", "id": "1.1", "detail": "A: name: ended with status 3"})
    assert lines == ["game 1.1 is played again: A: name: ended with status 3"]


def test_durations() -> None:
    assert [duration(s) for s in (0, 61, 3661, 48 * 3600)] == [
        "0:00",
        "1:01",
        "1:01:01",
        "2 d 0 h",
    ]


def test_void_games_are_told() -> None:
    event = {
        "event": "game",
        **{"id": "1.1", "black": "A", "white": "B", "score": None, "how": "void"},
        **{"detail": "crash: A", "finished": 1, "total": None},
    }
    assert told(event) == "[1] game 1.1 A - B void by void (crash: A)"


# The document.

SPEC = (HERE.parent / "spec/matches.md").read_text(encoding="utf-8")
COMMAND_LINE = SPEC[SPEC.index("\n## 15 ") : SPEC.index("\n## 16 ")]


def test_options_are_described() -> None:
    """§15 names every option of `crosscut match`, and no other."""
    described = set(re.findall(r"`(--[a-z-]+)", COMMAND_LINE)) - {"--name"}
    own = {"--format", "--now", "--json", "--comments", "--compliance"}  # subcommands

    assert described == set(long_options(subcommand.main)) | own


def test_subcommands_are_described() -> None:
    described = set(re.findall(r"^\| `([a-z]+) ", COMMAND_LINE, re.M))
    assert described == set(subcommand.main.commands)
    assert len(described) == 7


def test_complaints_are_tested() -> None:
    """Each test that the decision names is there."""
    path = HERE.parent / "spec/decisions/0013-what-users-complain-about.md"
    named = set(re.findall(r"`(test_\w+|tools/\w+\.py)`", path.read_text("utf-8")))
    written = "".join(p.read_text("utf-8") for p in HERE.glob("test_*.py"))

    assert len(named) > 30
    for name in named:
        assert f"def {name}(" in written or (HERE / name).is_file(), name


def test_statuses_are_described() -> None:
    described = set(map(int, re.findall(r"^\| (\d+) \|", COMMAND_LINE, re.M)))
    verdicts = set(subcommand.VERDICTS.values())
    assert (
        described
        == {1, 2, subcommand.ENGINES_FAILED, subcommand.INTERRUPTED} | verdicts
    )
