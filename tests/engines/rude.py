"""An engine that misbehaves on request, and plays the turns that it is given.

    python rude.py turns=C3,D4+D5 genmove:2=crash quit=silent

`turns=` are its answers to `genmove`, from the first one again in each game; then it
resigns. `COMMAND=DEED` does something unexpected at a command, `COMMAND:N=DEED` only
the Nth time. `chance=` and `score=` are its answers to `chance` and `final_score`; it
knows `final_score` only with the latter. `stubborn` ignores the end of input, `quit`
and SIGTERM, `loner` knows no command beyond the necessary ones, `deaf` ignores the end
of input only. The deeds are the functions below.

With `plain` the answers are those of plain.py, which plays Flipway; `claims=a,b` are
commands that it then says it knows.
"""

import os
import signal
import sys
import time
from typing import Any

PLAIN: dict[str, Any] = {}  # its game and dice

NECESSARY = "name version protocol_version known_command clear_board play genmove quit"
OTHERS = "boardsize set_random_seed param_game param_search time_settings time_left"
MORE = "kata-time_settings kgs-time_settings chance set_game"


def write(text: str) -> None:
    os.write(1, text.encode("utf-8", "surrogateescape"))


def silent(number: str, text: str) -> None:
    time.sleep(3600)


def slow(number: str, text: str) -> None:
    time.sleep(0.3)
    write(f"={number} {text}\n\n")


def slower(number: str, text: str) -> None:
    time.sleep(0.7)
    write(f"={number} {text}\n\n")


def crash(number: str, text: str) -> None:
    os.write(2, b"out of luck\n")
    os._exit(3)


def segfault(number: str, text: str) -> None:
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(3600)


def half(number: str, text: str) -> None:
    write(f"={number} C")
    os._exit(3)


def last_word(number: str, text: str) -> None:
    """A whole answer, and the end."""
    write(f"={number} {text}\n\n")
    os._exit(0)


def twice(number: str, text: str) -> None:
    write(f"={number} {text}\n\n={number} {text}\n\n")


def later(number: str, text: str) -> None:
    """A second answer that comes by itself."""
    write(f"={number} {text}\n\n")
    time.sleep(0.1)
    write(f"={number} {text}\n\n")


def stale(number: str, text: str) -> None:
    """The same answer to the next command."""
    write(f"={number} {text}\n\n")
    os.read(0, 65536)
    write(f"={number} {text}\n\n")


def unended(number: str, text: str) -> None:
    write(f"={number} {text}\n")
    time.sleep(3600)


def noise(number: str, text: str) -> None:
    write(f"thinking...\n={number} {text}\n\n")


def echo(number: str, text: str) -> None:
    """The command, as a program does that only copies its input."""
    write(f"{number} genmove b\n")
    time.sleep(3600)


def farewell(number: str, text: str) -> None:
    write("Sorry\n")
    time.sleep(0.1)
    os._exit(3)


def empty_lines(number: str, text: str) -> None:
    write("\r\n\n")
    time.sleep(0.6)
    write(f"={number} {text}\n\n")


def unnumbered(number: str, text: str) -> None:
    write(f"= {text}\n\n")


def misnumbered(number: str, text: str) -> None:
    write(f"={int(number) + 5} {text}\n\n")


def glued(number: str, text: str) -> None:
    write(f"={number}{text}\n\n")


def endless(number: str, text: str) -> None:
    while True:
        write("=" * 4096)


def blank(number: str, text: str) -> None:
    """Carriage returns and empty lines around the answer: nothing wrong."""
    write(f"\r\n\n={number} {text}\r\n\r\n\n")


def bytewise(number: str, text: str) -> None:
    """In pieces: nothing wrong."""
    for letter in f"={number} {text}\n\n":
        write(letter)
        time.sleep(0.002)


def empty(number: str, text: str) -> None:
    write(f"={number} \n\n")


def binary(number: str, text: str) -> None:
    write(f"={number} \udcff\n\n")


def flood(number: str, text: str) -> None:
    os.write(2, b"x" * (1 << 20) + b"\nthe end\n")
    write(f"={number} {text}\n\n")


def mutter(number: str, text: str) -> None:
    """Something about its answer, with what terminals and UTF-8 would stumble over."""
    os.write(2, f"\x1b[1mI say\t{text} ü\r\n\n".encode() + b"\xff really\n")
    write(f"={number} {text}\n\n")


def afterthought(number: str, text: str) -> None:
    write(f"={number} {text}\n\n")
    time.sleep(0.4)
    os.write(2, f"I said {text}\n".encode())


def close(number: str, text: str) -> None:
    os.close(1)
    time.sleep(3600)


def refuse(number: str, text: str) -> None:
    write(f"?{number} I would rather not\n\n")


def whole(number: str, text: str) -> None:
    """Knows whole seconds only, as the Go Text Protocol has it."""
    write(f"={number} \n\n" if text.isdigit() else f"?{number} syntax error\n\n")


def last_words(number: str, text: str) -> None:
    """An answer, then a line that was not asked for, then the end."""
    write(f"={number} {text}\n\n")
    time.sleep(0.1)
    write("out of memory\n")
    time.sleep(0.2)
    os._exit(3)


def agree(number: str, text: str) -> None:
    write(f"={number} \n\n")


def illegal(number: str, text: str) -> None:
    write(f"={number} Z99\n\n")


def talkative(number: str, text: str) -> None:
    write(f"={number} my turn is {text}\n\n")


def spoil(number: str, text: str) -> None:
    """Refuse, but not without a change."""
    PLAIN["game"].open(PLAIN["game"].size)
    write(f"?{number} illegal move\n\n")


def child(alone: bool = False) -> int:
    import subprocess  # takes as long as all the rest

    command = [sys.executable, "-S", "-c", "import time; time.sleep(3600)"]
    return subprocess.Popen(command, start_new_session=alone).pid


def fork(number: str, text: str) -> None:
    """A child that keeps our pipes."""
    child()
    write(f"={number} {text}\n\n")


def forkcrash(number: str, text: str) -> None:
    """A child that keeps our pipes while we are gone."""
    child()
    os._exit(3)


def escape(number: str, text: str) -> None:
    """A child that leaves our process group, and says where it is."""
    write(f"={number} {child(alone=True)}\n\n")


def main() -> None:
    options = dict(word.partition("=")[::2] for word in sys.argv[1:])
    turns = [turn for turn in options.get("turns", "").split(",") if turn]
    known = f"{NECESSARY} {'' if 'loner' in options else OTHERS + ' ' + MORE}".split()
    known += ["final_score"] * ("score" in options)
    if "stubborn" in options:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "plain" in options:
        import random

        import plain

        PLAIN.update(
            game=plain.Game(int(options.get("size", 12))), dice=random.Random(1)
        )
        claims = options.get("claims", "").split(",")
        plain.KNOWN += [claim for claim in claims if claim]
    if "start" in options:
        globals()[options["start"]]("", "")
    counts: dict[str, int] = {}
    left = list(turns)
    rest = b""
    while True:
        while b"\n" not in rest:
            data = os.read(0, 65536)
            if not data:
                if "stubborn" not in options and "deaf" not in options:
                    return
                time.sleep(3600)
            rest += data
        line, _, rest = rest.partition(b"\n")
        number, name, *words = line.decode().split()
        counts[name] = counts.get(name, 0) + 1
        sign, text = "=", ""
        if PLAIN:
            try:
                text = plain.answer(PLAIN["game"], PLAIN["dice"], name, words)
            except ValueError as error:
                sign, text = "?", str(error)
        elif name == "known_command":
            text = "true" if words[0] in known else "false"
        elif name == "clear_board":
            left = list(turns)
        elif name == "genmove":
            text = left.pop(0) if left else "resign"
        elif name == "name":
            text = "Rude"
        elif name == "chance":
            text = options["chance"]
        elif name == "final_score":
            text = options["score"]
        elif name == "time_left":
            text = words[1]
        deed = options.get(name) or options.get(f"{name}:{counts[name]}")
        if deed and name != "chance":
            globals()[deed](number, text)
        else:
            write(f"{sign}{number} {text}\n\n")
        if name == "quit" and "stubborn" not in options:
            return


if __name__ == "__main__":
    main()
