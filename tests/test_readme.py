"""Every `crosscut` command of the README runs."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from games import GAMES
from games.kernels import cache

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
SHELL = "".join(text for kind, text in BLOCKS if kind == "sh").replace("\\\n", "")
LINES = SHELL.splitlines()
MATCHES = [line for line in LINES if line.startswith("crosscut match ")]
PROGRAM = next(text for kind, text in BLOCKS if kind == "python")
COMMANDS = [
    line
    for line in LINES
    if line.startswith(("crosscut ", "printf ")) and line not in MATCHES
]
CONVERSATION = next(text for kind, text in BLOCKS if not kind)


def run(command: str, text: str = "quit\n") -> str:
    """What a command line of the README prints; pipes from printf are played here."""
    if " | " in command:
        printf, command = command.split(" | ")
        text = shlex.split(printf)[1].encode().decode("unicode_escape")
    words = shlex.split(command)
    assert words[0].endswith("crosscut")
    done = subprocess.run(
        [sys.executable, "-m", "bin", *words[1:]],
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_commands() -> None:
    assert {shlex.split(c.split(" | ")[-1])[1] for c in COMMANDS} == {
        "gtp",
        "perft",
        "bench",
        "warm",
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It exits with 0 and says something."""
    if "--clean" in command:  # the user's own caches are not for tests to remove
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache.own_folder()))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert run(command)


def smaller(text: str, home: Path) -> str:
    """A match of the README with two pairs, with engines that are there, in `home`."""
    program = f"{sys.executable} -m bin gtp"
    text = re.sub(r"nodes=\d+", "nodes=5", text.replace("crosscut gtp", program))
    text = text.replace("count=50", "count=2").replace("matches/", f"{home}/")
    return re.sub(r"rounds([ =])50", r"rounds\g<1>2", text)


def test_matches(tmp_path: Path) -> None:
    """One after the other: they go on with the same match."""
    printed = [run(smaller(command, tmp_path)) for command in MATCHES]

    assert "4 of 4 games" in printed[0]
    assert "games verified" in printed[-2]
    assert printed[-1].startswith("Elo 70.44 ")


def test_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(smaller(PROGRAM, tmp_path), {})
    printed = capsys.readouterr().out

    assert printed.count("'event': 'game'") == 4
    assert "4 of 4 games" in printed


def test_first_command() -> None:
    """What follows the installation opens a game and shows it."""
    first = next(line for line in LINES if ".venv/bin/crosscut" in line)
    printed = run(first.split(" && ")[-1])

    assert re.match(r"= [A-M][0-9]+\n\n= \nflipway 12 ", printed)


def test_conversation() -> None:
    command = next(c for c in COMMANDS if "--size 5" in c)
    answers = run(command, CONVERSATION).split("\n\n")[:-1]

    assert len(answers) == len(CONVERSATION.splitlines())
    assert [a[0] for a in answers] == list("==?=====")
    assert answers[2] == "? illegal move: C3 is taken (flipway §3)"


BOARDS = re.findall(
    r"```sh\n(printf [^\n]*)\n```\n\n```text\n(.*?)\n```", README, re.DOTALL
)


def test_there_is_a_board_of_every_game() -> None:
    assert [board.split()[0] for _, board in BOARDS] == list(GAMES)


@pytest.mark.parametrize(("command", "board"), BOARDS)
def test_board(command: str, board: str) -> None:
    """The picture is what `showboard` answers."""
    answers = run(command).split("\n\n")[:-1]

    assert answers[-2] == f"= \n{board}"
    assert all(answer.startswith("= ") for answer in answers)
