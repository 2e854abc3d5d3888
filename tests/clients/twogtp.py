"""A stand-in for gogui-twogtp 1.6: a match of two engines, watched by a third.

It knows no rules. The sides are asked in turn, and a game is over after two passes in
a row or a resignation.
"""

from clients.gogui import ask
from clients.program import Misunderstanding, Program, check_vertex

LONGEST = 4000  # moves, which are clicks and passes; what -maxmoves says


class Match:
    def __init__(self, width: int, black: Program, white: Program, referee: Program):
        self.width = width
        self.players = (black, white)
        self.all = (black, white, referee)
        for program in self.all:
            for line in ("protocol_version", "name", "version", "list_commands"):
                ask(program, line)
            ask(program, "gogui-interrupt")
            self._start(program)
            ask(program, "komi 6.5")

    def _start(self, program: Program) -> None:
        ask(program, f"boardsize {self.width}")
        ask(program, "clear_board")

    def game(self, exchanged: bool = False) -> tuple[list[str], str]:
        """The moves and the result, on which all must agree."""
        for program in self.all:
            ask(program, "cputime")
            self._start(program)
            ask(program, "time_settings 0 1 0")
        moves: list[str] = []
        while moves[-2:] != ["pass", "pass"] and moves[-1:] != ["resign"]:
            if len(moves) == LONGEST:
                raise Misunderstanding(f"no end after {LONGEST} moves")
            number = len(moves) % 2
            mover = self.players[number ^ exchanged]
            move = ask(mover, f"genmove {'bw'[number]}")
            if move not in ("pass", "resign"):
                check_vertex(move, self.width)
            moves.append(move)
            for program in self.all:
                if program is not mover and move != "resign":
                    written = move.upper() if move == "pass" else move
                    ask(program, f"play {'BW'[number]} {written}")
        results = {ask(program, "final_score") for program in self.all}
        if len(results) > 1:
            raise Misunderstanding(f"the players disagree: {results}")
        return moves, results.pop()

    def end(self) -> None:
        for program in self.all:
            assert ask(program, "quit") == ""
            program.end()
