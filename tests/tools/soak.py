"""A long session of random commands, most of them legal.

    python tests/tools/soak.py --commands 100000
    python tests/tools/soak.py --commands 100000 --game yodd --size 6 --steps

One session in this process answers them all, at default sizes; without --game it
changes the game now and then. The player is random. Every command must have one
answer, and none may be an internal error. Prints by how much the memory has grown
since a tenth of the commands, the share of answers that took less than 50 ms of
processor time, and which commands took longer. Not in that share are searches and the
lists of all turns in Yodd.
"""

import argparse
import gc
import logging
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from games import GAMES
from games.notation import write_vertex
from protocol.session import Session
from protocol.steps import StepSession
from tools.converse import converse, open_session
from tools.startup import resident

SLOW = 0.05  # seconds of processor time
SEARCHES = {"genmove", "reg_genmove"}
LISTS = {"legal_moves", "all_legal_moves"}

COMMON = ["showboard", "side_to_move", "final_score", "undo", "gg-undo 2", "swap"]
RARE = [
    *("name", "version", "protocol_version", "list_commands", "list_games", "komi 7.5"),
    *("known_command play", "legal_moves", "all_legal_moves", "cputime", "gg-undo 30"),
    *("param_game", "param_search", "param_search playouts 5", "set_random_seed 3"),
    *("param_search exploration 0.5", "time_settings 0 1 0", "time_left b 5 0"),
    *(
        "gogui-title",
        "gogui-analyze_commands",
        "gomill-explain_last_move",
        "clear_board",
    ),
    *(
        "gomill-describe_engine",
        "gogui-interrupt",
        "gogui-version 1.6.0",
        "swap-pieces",
    ),
    *("boardsize 99", "boardsize x", "boardsize 5 6", "set_game go", "param_game x y"),
    *("gogui-play_sequence b A1 w A1", "reg_genmove b", "reg_genmove w", "play b Z26"),
    *("gogui-rules_captured_count", "gogui-rules_final_result", "gogui-rules_game_id"),
    *("play b resign", "play w resign", "play b pass", "play w pass", "genmove x"),
]
BOARDS = [f"gogui-rules_{n}" for n in ("legal_moves", "board", "board_gfx")]
NOISE = "abAB019 +-:/\\bw\t\0\r\x7f\N{SNOWMAN}"
LONGEST = 300  # turns or clicks, after which a new game begins


def command(session: Session, dice: random.Random) -> str:
    """One line, of which most are turns or clicks that can be made."""
    is_over = session.winner is not None and dice.random() < 0.5
    if is_over or len(session.history) > LONGEST:
        return "clear_board"
    chance = dice.random()
    if chance < 0.6:
        return good(session, dice)
    if chance < 0.75:
        return dice.choice(COMMON)
    if chance < 0.85:
        return dice.choice(BOARDS)
    if chance < 0.95:
        return dice.choice(RARE)
    noise = "".join(dice.choices(NOISE, k=dice.randint(1, 30)))
    return f"{dice.choice(['play b ', '12 ', 'x', 'play '])}{noise}x"


def good(session: Session, dice: random.Random) -> str:
    """A turn or a click that `play` takes, or `genmove`."""
    letter = session.position.to_move.letter
    if session.winner is not None or dice.random() < 0.2:
        return f"genmove {letter}"
    if isinstance(session, StepSession):
        vertex = dice.choice(sorted(session.legal_clicks()))
        return f"play {letter} {write_vertex(*vertex)}"
    turn = session.position.random_turn(dice)
    return f"play {letter} {session.rules.write(turn)}"


def is_timed(session: Session, line: str) -> bool:
    name = line.split(" ")[0]
    return name not in SEARCHES and (name not in LISTS or session.rules.name != "yodd")


class Soak:
    """What has been seen so far; it takes no more memory the longer it goes on."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.accepted = 0
        self.timed = 0
        self.slow: Counter[str] = Counter()
        self.slowest: dict[str, float] = {}

    def send(self, line: str) -> None:
        """Raises AssertionError if the answer is not exactly one."""
        game, timed = self.session.rules.name, is_timed(self.session, line)
        start = time.process_time()
        answer = converse(self.session, line)
        used = time.process_time() - start
        assert answer[:1] in ("=", "?"), (line, answer)
        assert answer.index("\n\n") == len(answer) - 2, (line, answer)
        assert "internal error" not in answer, line
        self.accepted += answer[0] == "="
        self.timed += timed
        if timed and used > SLOW:
            name = f"{game} {line.split(' ')[0]}"
            self.slow[name] += 1
            self.slowest[name] = max(used, self.slowest.get(name, 0))

    def memory(self) -> int:
        """Kilobytes, when no game is in progress; 0 where the system does not say."""
        converse(self.session, "clear_board")
        gc.collect()
        return resident(os.getpid())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commands", type=int, default=100_000)
    parser.add_argument("--game", choices=list(GAMES), help="one game only")
    parser.add_argument("--size", type=int, help="of that game")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.WARNING)  # reasons that step mode has for people
    given = f"--game {options.game or 'flipway'} --player random --seed {options.seed}"
    given += f" --size {options.size}" if options.game and options.size else ""
    soak = Soak(open_session(f"{given} --steps" if options.steps else given))
    dice = random.Random(options.seed)
    games = [options.game] if options.game else list(GAMES)
    warm = options.commands // 10
    stretch = max(1, warm // (2 * len(games)))  # commands to one game
    before = 0
    for number in range(options.commands):
        if len(games) > 1 and number % stretch == 0:
            soak.send(f"set_game {games[number // stretch % len(games)]}")
        if number == warm:
            before = soak.memory()
        soak.send(command(soak.session, dice))
    growth = (soak.memory() - before) / 1024
    for name, count in soak.slow.most_common(9):
        print(f"slow: {name}, {count} times, {soak.slowest[name]:.3f} s at most")
    share = 100 - 100 * soak.slow.total() / soak.timed
    print(
        f"{options.commands} commands, {soak.accepted} accepted, "
        f"memory growth {growth:.1f} MB, {share:.3f} % under {1000 * SLOW:.0f} ms"
    )


if __name__ == "__main__":
    main()
