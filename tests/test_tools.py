"""The long runs of tests/tools, small and with a fixed seed."""

import subprocess
import sys
from pathlib import Path

import pytest

from games import GAMES

TOOLS = Path(__file__).parent / "tools"
START = "import click, pyparsing"


def run_tool(name: str, *options: str) -> str:
    """What a tool prints; it must exit with 0."""
    done = subprocess.run(
        [sys.executable, str(TOOLS / name), *options],
        capture_output=True,
        text=True,
        timeout=300,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_selfplay(name: str) -> None:
    """Two engine processes play, a third one accepts every turn, all agree."""
    sizes = GAMES[name].sizes
    size = str(sizes.low + 2 * sizes.step)
    options = ("--size", size, "--games", "2", "--playouts", "40", "--longest", "60")
    last = run_tool("selfplay.py", "--game", name, *options)

    assert last.endswith("every turn accepted, results agree")
    assert last.startswith("2 games") or name == "vaxandis"


def test_search_beats_random() -> None:
    options = ("--size", "7", "--games", "4", "--playouts", "300")
    last = run_tool("selfplay.py", "--game", "flipway", *options, "--against", "random")

    assert last.startswith("4 games, first engine won 4,")


def test_defences() -> None:
    options = ("--game", "flipway", "--size", "2", "--winner", "white")
    last = run_tool("defences.py", *options, "--playouts", "2000")

    assert last == "flipway 2 -, white: every defence beaten, 4 turns chosen"


def test_startup() -> None:
    """Memory without a search stays under 40 MB, as the tool measures it."""
    done = subprocess.run(
        [sys.executable, str(TOOLS / "startup.py"), "--runs", "1"],
        capture_output=True,
        text=True,
        check=True,
    )
    memory = next(line for line in done.stdout.splitlines() if line.startswith("mem"))

    assert float(memory.split()[-2]) < 40


def test_first_answer_takes_at_most_twice_its_libraries() -> None:
    """Processor time of the child, least of several alternating runs."""

    def seconds(arguments: list[str], text: str) -> float:
        resource = pytest.importorskip("resource")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *arguments],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    engine = ["-m", "bin", "gtp", "--game", "flipway", "--seed", "1"]
    pairs = [
        (seconds(["-c", START], ""), seconds(engine, "name\nquit\n")) for _ in range(5)
    ]

    assert min(b for _, b in pairs) <= 2 * min(a for a, _ in pairs)


@pytest.mark.parametrize("mode", [[], ["--steps"]], ids=["turns", "clicks"])
def test_soak(mode: list[str]) -> None:
    """At default sizes: memory growth under 5 MB, 99.9 % of answers under 50 ms."""
    words = run_tool("soak.py", "--commands", "2000", *mode).split()

    assert int(words[2]) > 1000
    assert float(words[words.index("growth") + 1]) < 5
    assert float(words[words.index("%") - 1]) >= 99.9


def test_match_kill() -> None:
    """Runner, announcing runner, engine, guard: each is killed at least once."""
    pytest.importorskip("fcntl")
    options = ("--kills", "5", "--rounds", "20", "--size", "5", "--seed", "3")
    last = run_tool("match_kill.py", *options)

    assert last.startswith("5 kills (")
    assert last.endswith(": same table, 0 orphans, 0 duplicates, verified")


def test_match_slots() -> None:
    pytest.importorskip("fcntl")
    options = ("--rounds", "2", "--playouts", "0", "--rest", "0.1")
    last = run_tool("match_slots.py", *options)

    assert last.startswith("12 games, the same in (1, 2, 8) slots; H0 after 20 pairs")


def test_match_scale() -> None:
    """With little to read most of the time goes into the start of the engines."""
    pytest.importorskip("fcntl")
    sizes = ("--rounds", "20000", "--games", "2000", "--seconds", "60")
    last = run_tool("match_scale.py", *sizes)

    assert last.startswith("2000 games of size 6: ")


def test_match_speed() -> None:
    """It runs; how fast a machine of tests is says nothing."""
    pytest.importorskip("fcntl")
    last = run_tool("match_speed.py", "--runs", "1", "--games", "4", "--report")

    assert last.startswith("--playouts 200: ")
