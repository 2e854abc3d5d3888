"""One engine: faults told apart, limits kept, nobody left behind."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol import faults
from protocol.channel import Channel, Limits
from protocol.engines import BadEngine, Engine, read_engine
from protocol.processes import MARK, Guard, sweep

TABLE = "channel.txt"
HERE = Path(__file__).parent
RUDE = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(HERE / 'engines/rude.py'))}"
LIMITS = Limits(startup=20, answer=20, stall=20, quit=0.3, term=0.2)

Start = Callable[..., Channel]


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    guard = Guard("test")
    yield guard
    guard.close()


@pytest.fixture
def start(guard: Guard) -> Iterator[Start]:
    """Starts rude engines; all of them must be gone in the end."""
    running = []

    def start(words: str, *more: str, limits: Limits = LIMITS) -> Channel:
        engine = read_engine([f"cmd={RUDE} {words}", *more])
        running.append(Channel(engine, guard, limits))
        return running[-1]

    yield start
    for channel in running:
        channel.close()
        assert wait_until(lambda channel=channel: is_gone(channel))  # type: ignore[misc]


def is_gone(channel: Channel) -> bool:
    """Whether no process is left in its group."""
    return not any(group == channel.pid for group, _ in processes().values())


def is_running(pid: int) -> bool:
    return pid in processes()


def processes() -> dict[int, tuple[int, str]]:
    """Process group and state of every process, but of those that only wait."""
    done = subprocess.run(
        ["ps", "-A", "-o", "pid=,pgid=,stat="],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = (line.split() for line in done.stdout.splitlines())
    return {int(p): (int(group), s) for p, group, s in rows if not s.startswith("Z")}


def wait_until(holds: Callable[[], bool]) -> bool:
    """Whether it came to hold within some seconds."""
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def test_answers_and_faults(
    case: dict[str, str], start: Start, guard: Guard, tmp_path: Path
) -> None:
    def play() -> str:
        if "command" in case:
            Channel(read_engine([f"cmd={case['command']}"]), guard)
        file = tmp_path / "stderr"
        channel = start(case["engine"], f"stderr={file}")
        channels.append(channel)
        channel.greet()
        channel.ask("clear_board")
        return channel.ask("genmove b", float(case.get("limit", 20))).text

    channels: list[Channel] = []
    if "answer" in case:
        assert play() == case["answer"]
        return
    with pytest.raises(faults.EngineFault) as caught:
        play()
    assert type(caught.value).__name__ == case["fault"]
    assert re.fullmatch(case["says"], str(caught.value))
    if "raw" in case:
        assert caught.value.raw.strip() == case["raw"]
    if "stderr" in case:
        channels[0].kill()
        assert channels[0].stderr.strip() == case["stderr"]
        assert (tmp_path / "stderr").read_text().strip() == case["stderr"]


def test_a_program_that_is_no_engine_is_found_out_at_once(guard: Guard) -> None:
    channel = Channel(read_engine(["cmd=cat"]), guard)
    began = time.monotonic()
    with pytest.raises(faults.BadAnswer, match="name: wrote no answer"):
        channel.greet()
    channel.close()
    assert time.monotonic() - began < 5


def test_a_second_answer_that_comes_later_is_found(start: Start) -> None:
    channel = start("turns=C3 genmove=later")
    assert channel.ask("genmove b").text == "C3"
    time.sleep(0.3)
    with pytest.raises(faults.BadAnswer, match="wrote without being asked"):
        channel.ask("clear_board")


def test_a_second_answer_is_not_taken_for_the_next(start: Start) -> None:
    channel = start("turns=C3 genmove=stale")
    channel.ask("genmove b")
    with pytest.raises(faults.BadAnswer, match="answered as number 1, not as 2"):
        channel.ask("clear_board")


def test_the_end_of_standard_error_is_kept(start: Start) -> None:
    channel = start("turns=C3 genmove=flood")
    channel.ask("genmove b")
    channel.kill()
    assert len(channel.stderr) == 1 << 16
    assert channel.stderr.endswith("x\nthe end\n")


def test_times_begin_with_the_command_and_end_with_the_answer(start: Start) -> None:
    channel = start("turns=C3 genmove=slow")
    time.sleep(0.5)
    thought = channel.ask("genmove b").seconds
    assert thought >= 0.3
    assert channel.latency == thought
    simple = channel.ask("name")
    assert simple.delay > 0
    assert channel.latency == simple.seconds < thought


def test_the_log_has_what_was_said(start: Start) -> None:
    channel = start("turns=C3 name=noise")
    channel.ask("clear_board")
    channel.forget()
    channel.ask("genmove b")
    with pytest.raises(faults.BadAnswer):
        channel.greet()
    said = [(arrow, text) for _, arrow, text in channel.log]
    assert said[:3] == [(">", "2 genmove b"), ("<", "=2 C3"), (">", "3 name")]
    assert said[3] == ("<", "thinking...\n=3 Rude")


def test_init_and_known_command(start: Start) -> None:
    channel = start("play=refuse", "init=komi 0", "option.playouts=5")
    channel.greet()
    assert channel.name == "Rude"
    assert channel.knows("param_search")
    assert not channel.knows("fly")
    assert [text for _, arrow, text in channel.log if arrow == ">"][2:4] == [
        "3 komi 0",
        "4 param_search playouts 5",
    ]
    refusing = start("play=refuse", "init=play b A1")
    with pytest.raises(faults.Refused):
        refusing.greet()


def test_directory_and_environment(guard: Guard, tmp_path: Path) -> None:
    program = "import os; print(os.getcwd(), os.environ['A'], os.environ['B'])"
    command = shlex.join([sys.executable, "-c", program])
    engine = read_engine([f"cmd={command}", f"dir={tmp_path}", "env.A=1", "env.B=x=y"])
    for pause in (0.0, 0.5):  # so that it has ended before it is asked
        channel = Channel(engine, guard)
        time.sleep(pause)
        with pytest.raises(faults.EngineFault) as caught:
            channel.ask("name")
        channel.close()
        assert caught.value.raw.split() == [str(tmp_path.resolve()), "1", "x=y"]


@pytest.mark.parametrize("words", ["stubborn", "quit=silent", "stubborn quit=fork"])
def test_engines_that_do_not_end_are_killed(start: Start, words: str) -> None:
    channel = start(words)
    channel.greet()
    began = time.monotonic()
    channel.close()
    assert 0.3 <= time.monotonic() - began < Limits().quit
    assert wait_until(lambda: is_gone(channel))
    assert channel.status == -(signal.SIGKILL if "stub" in words else signal.SIGTERM)


def test_the_status_at_the_end_is_known(start: Start) -> None:
    polite, rude = start(""), start("quit=crash")
    polite.greet()
    rude.greet()
    for channel in (polite, rude):
        channel.close()
    assert (polite.status, rude.status) == (0, 3)


def test_an_interrupt_ends_waiting(start: Start) -> None:
    channel = start("genmove=silent stubborn", limits=Limits())
    channel.greet()
    threading.Timer(0.2, channel.interrupt).start()
    began = time.monotonic()
    with pytest.raises(faults.Interrupted):
        channel.ask("genmove b")
    with pytest.raises(faults.Interrupted):
        channel.ask("name")
    channel.close()
    assert time.monotonic() - began < Limits().quit
    assert wait_until(lambda: is_gone(channel))


def test_an_interrupt_ends_the_wait_for_the_end(start: Start) -> None:
    channel = start("stubborn", limits=Limits())
    channel.greet()
    threading.Timer(0.2, channel.interrupt).start()
    began = time.monotonic()
    channel.close()
    assert time.monotonic() - began < Limits().quit
    assert wait_until(lambda: is_gone(channel))


def test_what_left_its_group_ends_with_the_guard(start: Start) -> None:
    guard = Guard("other")
    engine = read_engine([f"cmd={RUDE} name=escape"])
    channel = Channel(engine, guard, LIMITS)
    child = int(channel.ask("name").text)
    channel.close()
    assert is_running(child)
    guard.close()
    assert wait_until(lambda: not is_running(child))


def test_a_guard_that_was_killed_is_replaced(start: Start) -> None:
    guard = Guard("other")
    first, second = (
        Channel(read_engine([f"cmd={RUDE} stubborn"]), guard) for _ in range(2)
    )
    first.greet()
    killed = guard.pid
    os.kill(killed, signal.SIGKILL)
    assert wait_until(lambda: guard.pid != killed)  # though nothing else happens
    third = Channel(read_engine([f"cmd={RUDE} stubborn"]), guard)
    third.greet()
    guard.close()
    for channel in (first, second, third):
        assert wait_until(lambda channel=channel: is_gone(channel))  # type: ignore[misc]
        channel.kill()


RUNNER = """
import json, os, sys, time
from protocol.channel import Channel
from protocol.engines import read_engine
from protocol.processes import Guard
guard = Guard(sys.argv[1])
channels = [Channel(read_engine([word]), guard) for word in sys.argv[2:]]
for channel in channels:
    channel.greet()
child = int(channels[0].ask("clear_board").text)
print(json.dumps([guard.pid, child, *[channel.pid for channel in channels]]))
sys.stdout.flush()
time.sleep(3600)
"""


def run_runner(run: str) -> tuple["subprocess.Popen[str]", list[int]]:
    """A runner in a process of its own; and the guard, its engines, a child of one."""
    engine = f"cmd={RUDE} stubborn clear_board=escape"
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER, run, engine, engine],
        cwd=HERE.parent,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert runner.stdout
    pids = json.loads(runner.stdout.readline())
    assert all(map(is_running, pids))
    return runner, pids


def end_runner(runner: "subprocess.Popen[str]") -> None:
    runner.kill()
    runner.wait()
    assert runner.stdout
    runner.stdout.close()


def test_no_engine_outlives_a_runner_that_is_killed() -> None:
    runner, pids = run_runner("killed")
    end_runner(runner)
    assert wait_until(lambda: not any(map(is_running, pids)))


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_what_a_killed_guard_leaves_is_swept_up_by_its_mark() -> None:
    runner, (guard, *pids) = run_runner("swept")
    os.kill(guard, signal.SIGKILL)
    end_runner(runner)
    time.sleep(0.3)
    assert all(map(is_running, pids))
    assert sweep("swep/") == []
    assert sorted(sweep("swept/")) == sorted(pids)
    assert wait_until(lambda: not any(map(is_running, pids)))
    assert sweep("swept/") == []


def test_the_mark_is_not_inherited_from_an_outer_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(MARK, "outer/1")
    guard = Guard("inner")
    channel = Channel(read_engine([f"cmd={RUDE}"]), guard, LIMITS)
    channel.greet()
    assert sweep("outer/") == []
    channel.close()
    guard.close()
    assert channel.status == 0


def test_engine_words() -> None:
    words = ["name=A", "cmd=x -y 'a b'", "args=-z", "nodes=5", "tc=5:00+3", "nodes=7"]
    words += [
        "depth=4",
        "depthcmd=depth {n}",
        "timemargin=20",
        "restart=on",
        "proto=gtp",
        "dir=d",
        "stderr=e",
    ]
    engine = read_engine(words)
    assert engine == Engine(
        name="A",
        command=("x", "-y", "a b", "-z"),
        directory="d",
        control=engine.control,
        margin=0.02,
        playouts=7,
        depth=4,
        depth_command="depth {n}",
        is_restarted=True,
        stderr="e",
    )
    assert engine.budget == ["param_search playouts 7", "depth 4"]
    assert read_engine(["cmd=x", "depthcmd=depth {n}", "depth=0"]).budget == []
    assert str(engine.control) == "tc=300+3"
    assert read_engine(["cmd=/usr/bin/prog"]).name == "prog"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["name=A"], "an engine needs cmd="),
        (["cmd"], "expected key=value, got 'cmd'"),
        (["cmd=x", "speed=3"], "unknown key 'speed', known: name cmd args"),
        (["cmd='x"], "No closing quotation"),
        (["cmd=x", "name=a/b"], "expected a word without"),
        (["cmd=x", "nodes=many"], "nodes is 'many', expected a whole number"),
        (["cmd=x", "restart=1"], "restart is '1', allowed: on off"),
        (["cmd=x", "proto=uci"], "proto is 'uci', allowed: gtp"),
        (["cmd=x", "nodescmd=visits"], "expected a command with {n}"),
        (["cmd=x", "depthcmd=visits"], "expected a command with {n}"),
        (["cmd=x", "depth=5"], "depth needs depthcmd=, a command with {n}"),
        (["cmd=x", "tc=soon"], "tc is 'soon', expected e.g. 5:00"),
        (["cmd=x", "option.a=b\nquit"], "expected one line"),
    ],
)
def test_engine_words_refused(words: list[str], text: str) -> None:
    with pytest.raises(BadEngine) as caught:
        read_engine(words)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_digest_covers_the_program_and_its_files(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text("1")
    engine = read_engine([f"cmd={sys.executable} engine.py", f"dir={tmp_path}"])
    alone = read_engine([f"cmd={sys.executable} other.py", f"dir={tmp_path}"])
    first = engine.digest()
    assert len(first) == len(alone.digest()) == 64
    script.write_text("22")
    assert engine.digest() not in (first, alone.digest())
    assert read_engine(["cmd=/no/such/program"]).digest() == ""
