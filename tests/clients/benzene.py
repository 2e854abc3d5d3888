"""A stand-in for benzene's referee, twogtp.py: sides in turn until one resigns."""

import os
from collections.abc import Sequence
from pathlib import Path

from clients.program import Misunderstanding, Program

MOST_SAID = 8192  # bytes of standard error that it reads for a command
LONGEST = 1000


class Player(Program):
    """It adds two options to every engine's command."""

    def __init__(self, arguments: Sequence[str], seed: int, log: Path) -> None:
        added = ("--seed", str(seed), "--logfile-name", os.fspath(log))
        super().__init__(*arguments, *added)
        self.log = log
        self._heard = 0

    def ask(self, line: str) -> str:
        self.send(line)
        answer = self.line() + "\n"
        while (more := self.line()) != "":
            answer += more + "\n"
        said = len(self.said())
        if said - self._heard > MOST_SAID:
            raise Misunderstanding(f"{line}: hangs, since nobody reads so much")
        self._heard = said
        if answer[0] != "=":
            raise Misunderstanding(f"{line}: {answer}")
        return answer[2:].strip()


def play_game(
    black: Player, white: Player, width: int, opening: Sequence[str] = ()
) -> tuple[list[str], str]:
    """The moves and the result. Sizes are told, a new game is not."""
    players = [black, white]
    for player in players:
        for line in (f"boardsize {width} {width}", "name", "version"):
            player.ask(line)
    moves: list[str] = []
    for move in opening:
        for player in players:
            player.ask(f"play {'bw'[len(moves) % 2]} {move}")
        moves.append(move)
    while not any("resign" in move for move in moves[-1:]):
        if len(moves) == LONGEST:
            raise Misunderstanding(f"nobody resigns in {LONGEST} moves")
        number = len(moves) % 2
        move = players[number].ask(f"genmove {'bw'[number]}").lower()
        if move == "swap-pieces":
            players.reverse()
        players[1 - number].ask(f"play {'bw'[number]} {move}")
        moves.append(move)
    results = {player.ask("final_score")[:2] for player in players}
    if len(results) > 1:
        raise Misunderstanding(f"the players disagree: {results}")
    return moves, results.pop()
