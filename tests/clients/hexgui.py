"""A stand-in for HexGui: one engine, sides in strict turn, no passes.

No game of ours can be finished with it: its columns have an I, and it has no word for
most turns. It must come that far without a fault.
"""

import re

from clients.program import Misunderstanding, Program


class Unreadable(Exception):
    """A move that the window cannot show."""


class HexGui:
    def __init__(self, program: Program, width: int) -> None:
        self.program = program
        self.cells: set[str] = set()
        for line in ("name", "version", "hexgui-analyze_commands"):
            self.ask(line)
        self.new_game(width)

    def ask(self, line: str) -> str:
        """Behind anything but `= ` nothing ever happens again."""
        self.program.send(line)
        answer = self.program.line()
        if not answer.startswith("= "):
            raise Misunderstanding(f"{line}: {answer}")
        return "\n".join([answer[2:], *self._rest()])

    def _rest(self) -> list[str]:
        lines = []
        while line := self.program.line():
            lines.append(line)
        return lines

    def new_game(self, width: int) -> None:
        """Which no other command ever tells."""
        self.width = width
        self.moves: list[str] = []
        self.ask(f"boardsize {width} {width}")
        self.ask("showboard")

    def play(self, color: str, cell: str) -> bool:
        """A click. A refusal goes unheard; from then on the boards differ."""
        self.program.send(f"play {color} {cell}")
        answer = self.program.line()
        self._rest()
        self._show(cell)
        return answer.startswith("= ")

    def compute(self, color: str) -> str:
        """Raises Unreadable."""
        cell = self.ask(f"genmove {color}").lower()
        found = re.fullmatch("([a-s])([0-9]{1,2})", cell)
        if not found or not 1 <= int(found[2]) <= self.width or cell in self.moves:
            raise Unreadable(cell)
        self._show(cell)
        return cell

    def undo(self) -> None:
        self.ask("undo")
        self.moves.pop()
        self.ask("showboard")

    def _show(self, cell: str) -> None:
        self.moves.append(cell)
        self.ask("showboard")
