"""How soon an engine answers, and how large it is by then.

    python tests/tools/startup.py

Prints, best of several alternating runs: seconds to import click and pyparsing, to
the first answer of `crosscut gtp`, their ratio; the memory after a few commands
that need no search; and, with `crosscut warm` done before, seconds to the first
`genmove` of a process with --playouts 1.
"""

import argparse
import subprocess
import sys
import time

FIRST = "name\nboardsize 9\nplay b C3\nshowboard\nlegal_moves\n"
ENGINE = [sys.executable, "-m", "bin", "gtp", "--game"]


def seconds_of(command: list[str], text: str, answers: int) -> tuple[float, int]:
    """Seconds until so many answers have come, and kilobytes of memory then."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(text)
    process.stdin.flush()
    while answers:
        answers -= process.stdout.readline() == "\n"
    used = time.perf_counter() - start
    memory = resident(process.pid)
    process.communicate("quit\n", timeout=10)
    return used, memory


def resident(pid: int) -> int:
    """Kilobytes of memory of a process; 0 where the system does not say."""
    try:
        with open(f"/proc/{pid}/status") as status:
            words = [line.split() for line in status if line.startswith("VmRSS")]
        return int(words[0][1])
    except OSError:
        return 0


def seconds_to_run(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="flipway")
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    engine = [*ENGINE, options.game]
    imports, first, warm = [], [], []
    memory = 0
    for _ in range(options.runs):
        imports.append(seconds_to_run("import click, pyparsing"))
        first.append(seconds_of(engine, "name\n", 1)[0])
        memory = max(memory, seconds_of(engine, FIRST, 5)[1])
        search = [*engine, "--playouts", "1"]
        warm.append(seconds_of(search, "genmove b\n", 1)[0])
    print(f"import click, pyparsing   {min(imports):.3f} s")
    ratio = min(first) / min(imports)
    print(f"first answer              {min(first):.3f} s, ratio {ratio:.2f}")
    print(f"memory without a search   {memory / 1024:.1f} MB")
    print(f"first genmove, warm cache {min(warm):.3f} s, longest {max(warm):.3f} s")


if __name__ == "__main__":
    main()
