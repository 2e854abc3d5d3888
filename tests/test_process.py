"""`crosscut gtp` as a process of its own, as front ends and referees run it."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

import pytest

from games import GAMES

ROOT = Path(__file__).parents[1]
ENGINE = [sys.executable, "-m", "bin", "gtp", "--game", "flipway"]
RANDOM = ["--size", "4", "--player", "random", "--seed", "1"]
CUT_SHORT = "crosscut: input ended without quit: searches were cut short\n"

# Nothing here takes half as long, unless it hangs.
PATIENCE = 120

# Runs the real command and at its end tells on standard error what it has imported.
TELLING = """
import sys
from bin import cli, gtp
def end(status, end=gtp.end):
    print("loaded:", *sorted({"numba", "numpy"} & set(sys.modules)), file=sys.stderr)
    end(status)
gtp.end = end
cli.main(sys.argv[1:])
"""

posix = pytest.mark.skipif(os.name != "posix", reason="signals and shells of POSIX")


@pytest.fixture(scope="module")
def warm() -> None:
    """Have the search in the cache, so that it is loaded and not compiled."""
    done = run("--size", "2", "--playouts", "1", sent="genmove b\nquit\n")
    assert done.returncode == 0


needs_search = pytest.mark.usefixtures("warm")


def run(
    *arguments: str,
    sent: bytes | str,
    command: list[str] = ENGINE,
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """The engine with all its input at once, which then ends."""
    data = sent.encode() if isinstance(sent, str) else sent
    done = subprocess.run(
        [*command, *arguments],
        input=data,
        capture_output=True,
        cwd=ROOT,
        env=env,
        timeout=PATIENCE,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


class Engine:
    """A running engine that is talked to line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*ENGINE, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.stderr = self.process.stderr
        self._guard = threading.Timer(PATIENCE, self.process.kill)
        self._guard.start()

    def send(self, text: str) -> None:
        os.write(self.stdin.fileno(), text.encode())

    def answer(self) -> str:
        lines = []
        while (line := self.stdout.readline()) not in (b"\n", b""):
            lines.append(line.decode())
        assert line, "no answer"
        return "".join(lines)

    def ask(self, line: str) -> str:
        self.send(f"{line}\n")
        answer = self.answer()
        assert answer.startswith("= "), answer
        return answer[2:].rstrip("\n")

    def end(self) -> tuple[int, str, str]:
        """Exit status and what is left on standard output and standard error."""
        left = self.stdout.read().decode() if not self.stdout.closed else ""
        said = self.stderr.read().decode()
        return self.process.wait(PATIENCE), left, said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._guard.cancel()
        self.process.kill()
        self.process.wait(PATIENCE)
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()


@pytest.fixture
def engine() -> Iterator[Engine]:
    """An engine that plays at random."""
    with Engine(*RANDOM) as started:
        yield started


@pytest.fixture
def thinker(warm: None) -> Iterator[Engine]:
    """An engine in the middle of a search of ten minutes."""
    with Engine("--size", "6", "--seconds", "600", "--seed", "1") as started:
        started.ask("time_settings 1000000 0 0")  # loads the search
        started.send("7 genmove b\n")
        time.sleep(0.3)
        yield started


def test_conversation(engine: Engine) -> None:
    """Each answer comes while the input stays open."""
    assert engine.ask("name") == "Crosscut"
    assert re.fullmatch(r"[A-D][1-4]", engine.ask("genmove b"))
    assert "(X)" in engine.ask("showboard")
    engine.send("17 play b A1\n")
    answer = "?17 illegal move: it is white's turn (protocol §4)\n"
    assert engine.answer() == answer
    engine.send("quit\n")
    assert engine.end() == (0, "= \n\n", "")


def test_everything_at_once() -> None:
    """Thousands of lines without waiting for an answer."""
    count = 3000
    sent = "".join(f"{n} known_command name\r\n" for n in range(count)) + "quit\n"
    done = run(*RANDOM, sent=sent)

    expected = "".join(f"={n} true\n\n" for n in range(count)) + "= \n\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


def test_end_of_input_without_a_search() -> None:
    done = run(*RANDOM, sent="genmove b\nname")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "= B1\n\n= Crosscut\n\n"


@needs_search
def test_quit_has_everything_answered_in_full() -> None:
    """All at once and one by one, the same searches have the same turns."""
    options = ["--size", "4", "--playouts", "300", "--seed", "3"]
    done = run(*options, sent="genmove b\ngenmove w\ngenmove b\nquit\n")
    with Engine(*options) as engine:
        tokens = [engine.ask(f"genmove {color}") for color in "bwb"]

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(f"= {token}\n\n" for token in tokens) + "= \n\n"


def test_end_of_input_during_a_search(thinker: Engine) -> None:
    """It answers, as do the lines that wait, and says once that it hurried."""
    thinker.send("8 genmove w\n9 genmove b\n10 side_to_move\n11 legal_moves")
    thinker.stdin.close()
    status, left, said = thinker.end()

    answers = left.split("\n\n")
    assert [a.split(" ")[0] for a in answers] == ["=7", "=8", "=9", "=10", "=11", ""]
    assert answers[3] == "=10 white"
    assert (status, said) == (0, CUT_SHORT)


@needs_search
def test_end_of_input_behind_a_short_search() -> None:
    """It is not said to be cut short when it has done all it should."""
    with Engine("--size", "6", "--playouts", "20", "--seed", "1") as engine:
        engine.ask("time_settings 1000000 0 0")  # loads the search
        engine.send("genmove b\n")
        engine.stdin.close()
        status, left, said = engine.end()

    assert re.fullmatch(r"= [A-F][1-6]\n\n", left)
    assert (status, said) == (0, "")


def test_interrupt(thinker: Engine) -> None:
    """The search of ten minutes answers with a legal turn, which is made."""
    thinker.send("# interrupt\n")
    answer = thinker.answer()
    assert re.fullmatch(r"=7 [A-F][1-6]\n", answer)
    assert thinker.ask("side_to_move") == "white"
    assert thinker.ask("undo") == ""
    assert answer[3:-1] in thinker.ask("legal_moves").split(" ")
    thinker.send("quit\n")
    assert thinker.end() == (0, "= \n\n", "")


def test_nobody_reads_any_more(engine: Engine) -> None:
    """The engine ends although more input may come."""
    engine.ask("name")
    engine.stdout.close()
    with suppress(BrokenPipeError):  # it may have ended already
        engine.send("name\n")
    status, _, said = engine.end()

    assert (status, said) == (0, "")


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_when_idle(number: int, engine: Engine) -> None:
    engine.ask("name")
    engine.process.send_signal(number)
    assert engine.end() == (128 + number, "", "")


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_during_a_search(number: int, thinker: Engine) -> None:
    thinker.process.send_signal(number)
    assert thinker.end() == (128 + number, "", "")


@posix
def test_closed_output_ends_a_search(thinker: Engine) -> None:
    """Nobody reads any more, though the input stays open."""
    thinker.stdout.close()
    assert thinker.end() == (0, "", "")


full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")


@full
def test_nobody_hears_the_standard_error() -> None:
    """The seed that was drawn cannot be told."""
    shell = ["sh", "-c", 'exec "$0" "$@" 2>/dev/full', *ENGINE]
    done = run("--size", "4", sent="name\nquit\n", command=shell)
    assert (done.returncode, done.stdout) == (0, "= Crosscut\n\n= \n\n")


@full
@pytest.mark.parametrize("command", ["--help", "perft --game flipway --depth 1"])
def test_what_is_printed_finds_no_room(command: str) -> None:
    shell = ["sh", "-c", 'exec "$0" "$@" >/dev/full', sys.executable, "-m", "bin"]
    done = run(*command.split(), sent="", command=shell)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("crosscut: ")


@posix
@pytest.mark.parametrize("command", ["--version", "match elo 1 2 3", "perft"])
def test_nowhere_to_print(command: str) -> None:
    words = "perft --game flipway --size 2 --depth 1" if command == "perft" else command
    shell = ["sh", "-c", 'exec "$0" "$@" >&-', sys.executable, "-m", "bin"]
    done = run(*words.split(), sent="", command=shell)
    assert (done.returncode, done.stderr) == (0, "")


@posix
def test_interrupts_while_compiling(tmp_path: Path) -> None:
    """Nothing is said, and nothing goes on."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bin", "warm"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr
    assert process.stderr.readline().startswith(b"crosscut: compiling")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == 128 + signal.SIGINT


@posix
@pytest.mark.parametrize(
    ("redirection", "answers"),
    [("<&-", ""), (">&-", ""), ("2>&-", "= Crosscut\n\n"), ("<&- >&- 2>&-", "")],
)
def test_closed_descriptors(redirection: str, answers: str) -> None:
    """Whatever is missing at the start, nothing goes where it does not belong."""
    shell = ["sh", "-c", f'exec "$0" "$@" {redirection}', *ENGINE]
    done = run(*RANDOM, sent="name\n", command=shell)
    assert (done.returncode, done.stdout, done.stderr) == (0, answers, "")


@posix
def test_cache_that_cannot_be_written() -> None:
    """It is said once, and the search is compiled for this process alone."""
    nowhere = {"XDG_CACHE_HOME": "/dev/null/x", "HOME": "/dev/null/x"}
    env = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | nowhere
    options = ["--size", "2", "--playouts", "20", "--seed", "1"]
    done = run(*options, sent="genmove b\ngenmove w\nquit\n", env=env)

    assert re.fullmatch(r"= [AB][12]\n\n= [AB12+]+\n\n= \n\n", done.stdout)
    warning, compiling = done.stderr.splitlines()
    assert re.fullmatch(
        r"crosscut: cannot write /dev/null/x\S+ \(.+\): compiling without cache",
        warning,
    )
    assert compiling.startswith("crosscut: compiling the search for flipway")
    assert done.returncode == 0


@posix
@pytest.mark.parametrize("line", ["time_settings 60 0 0", "genmove b"])
def test_nothing_is_compiled_for_nobody(line: str, tmp_path: Path) -> None:
    """When the input ends right behind a line, any legal turn will do."""
    places = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    env = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | places
    done = run("--seed", "1", sent=f"{line}\n", env=env)

    assert re.fullmatch(r"= ([A-M]\d+)?\n\n", done.stdout)
    assert done.stderr == (CUT_SHORT if line == "genmove b" else "")


GAME = "genmove b\ngenmove w\ngenmove b\n"


@needs_search
@pytest.mark.parametrize(
    "options", [["--player", "random"], ["--playouts", "100"]], ids=lambda o: o[1]
)
def test_seed(options: list[str]) -> None:
    """Equal seeds, equal turns, however the seed was given."""
    common = ["--size", "5", *options]
    (given,) = {run(*common, "--seed", "9", sent=f"{GAME}quit\n").stdout for _ in "12"}
    later = f"{GAME}set_random_seed 9\nclear_board\n{GAME}quit\n"

    assert given.startswith("= ")
    assert run(*common, "--search", "seed=9", sent=f"{GAME}quit\n").stdout == given
    assert run(*common, "--seed", "1", sent=later).stdout.endswith(
        f"= \n\n= \n\n{given}"
    )


def test_a_seed_is_drawn_and_told() -> None:
    """Otherwise seeds differ; with the seed that was told, the game comes again."""
    common = ["--size", "9", "--player", "random"]
    drawn = [run(*common, sent=GAME) for _ in range(2)]
    seeds = [re.fullmatch(r"crosscut: seed (\d+)\n", done.stderr) for done in drawn]
    assert seeds[0]
    assert seeds[1]
    assert seeds[0][1] != seeds[1][1]

    again = run(*common, "--seed", seeds[0][1], sent=GAME)
    assert (again.stdout, again.stderr) == (drawn[0].stdout, "")


LIGHT = "name\nboardsize 5\nplay b C3\nplay w resign\nundo\nshowboard\nlegal_moves\n"


def test_the_compiler_is_not_loaded() -> None:
    """Nor for anything but a search; the random player needs none."""
    telling = [sys.executable, "-c", TELLING, *ENGINE[3:]]
    more = "param_search\nparam_game pie on\nset_random_seed 3\ntime_settings 0 1 0\n"
    for options in ([], ["--player", "random"]):
        sent = f"{LIGHT}{more}" + ("genmove b\n" if options else "") + "quit\n"
        done = run("--seed", "1", *options, sent=sent, command=telling)
        assert done.stdout.count("= ") == sent.count("\n")
        assert (done.returncode, done.stderr) == (0, "loaded:\n")


@pytest.mark.parametrize("game", GAMES)
def test_the_compiler_is_not_loaded_for_the_rules(game: str) -> None:
    """Front ends start several processes that are asked for the rules only."""
    sent = (
        "list_commands\nclear_board\ngogui-rules_game_id\ngogui-rules_board_size\n"
        "gogui-rules_board\ngogui-rules_board_gfx\ngogui-rules_legal_moves\n"
        "gogui-rules_side_to_move\nplay b A1\nundo\nquit\n"
    )
    command = [sys.executable, "-c", TELLING, "gtp", "--game", game, "--steps"]
    done = run("--seed", "1", sent=sent, command=command)
    assert done.stderr == "loaded:\n"
    assert f"= {game.capitalize()}\n\n" in done.stdout


def test_log_file(tmp_path: Path) -> None:
    """As benzene's referee asks for it; a conversation is added to what is there."""
    log = tmp_path / "log"
    log.write_text("before\n")
    sent = "boardsize 5 5\n7 play b A1\nplay b a1 # again\nplay w resign\nquit\n"
    done = run("--steps", "--seed", "7", "--logfile-name", str(log), sent=sent)
    assert log.read_text() == (
        "before\n> boardsize 5 5\n? unacceptable size\n\n> 7 play b A1\n=7 \n\n"
        "> play b a1\n? illegal move\n\n> play w resign\n= \n\n> quit\n= \n\n"
    )
    assert done.returncode == 0


@needs_search
@pytest.mark.parametrize("line", ["genmove b", "time_settings 10 0 0"])
def test_a_search_loads_the_compiler(line: str) -> None:
    """Which shows that the test above would notice."""
    telling = [sys.executable, "-c", TELLING, *ENGINE[3:]]
    options = ["--seed", "1", "--playouts", "1"]
    done = run(*options, sent=f"{line}\nquit\n", command=telling)
    assert done.stderr == "loaded: numba numpy\n"


def test_nothing_but_answers_on_standard_output() -> None:
    """What others print, also from below Python, goes to standard error."""
    noisy = """
import os, subprocess, sys
from bin.cli import main
from games.flipway import FlipwayPosition
quiet = FlipwayPosition.random_turn
def random_turn(position, dice):
    print("print")
    sys.stdout.flush()
    os.write(1, b"write\\n")
    subprocess.run([sys.executable, "-c", "print('child')"], stdin=subprocess.DEVNULL)
    return quiet(position, dice)
FlipwayPosition.random_turn = random_turn
main(sys.argv[1:])
"""
    command = [sys.executable, "-c", noisy, *ENGINE[3:]]
    done = run(*RANDOM, sent="genmove b\nname\nquit\n", command=command)

    assert done.stdout == "= B1\n\n= Crosscut\n\n= \n\n"
    assert done.stderr.splitlines() == ["print", "write", "child"]


def test_binary_noise() -> None:
    noise = bytes(range(256)) * 40
    done = run(*RANDOM, sent=b"\n".join([b"play b B2", noise, b"7 name", b"5 quit"]))
    *answers, name, quit_, rest = done.stdout.split("\n\n")

    assert (done.returncode, done.stderr) == (0, "")
    assert answers[0] == "= "
    assert all(answer.startswith("? ") for answer in answers[1:])
    assert (name, quit_, rest) == ("=7 Crosscut", "=5 ", "")


@needs_search
def test_five_starts_at_once() -> None:
    """GoGui starts four; each has its answers."""
    options = ["--size", "3", "--playouts", "1", "--seed"]
    with ExitStack() as stack:
        engines = [stack.enter_context(Engine(*options, str(n))) for n in range(5)]
        for engine in engines:
            engine.send("name\ngenmove b\nquit\n")
        ends = [engine.end() for engine in engines]

    for status, answers, said in ends:
        assert re.fullmatch(r"= Crosscut\n\n= [ABC][123]\n\n= \n\n", answers)
        assert (status, said) == (0, "")
