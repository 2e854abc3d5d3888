"""A stand-in for GoGui 1.6.

It starts the engine four times: one process plays, one knows the rules. Whatever is
clicked, the one that knows the rules is told the whole game, several times.
"""

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Self

from clients.program import Misunderstanding, Program, check_vertex

RULES = ("game_id", "legal_moves", "side_to_move")  # without these it is Go
TYPES = {"none", "string", "hstring", "param", "plist", "gfx"}


@dataclass(frozen=True)
class Reply:
    is_success: bool
    text: str


def read_reply(line: Callable[[], str]) -> Reply:
    """The text begins behind the first blank there is, on whichever line it is."""
    first = line()
    if not first.startswith(("=", "?")):
        raise Misunderstanding(f"a dialog warns of {first!r}")
    lines = [first]
    while more := line():
        lines.append(more)
    whole = "\n".join(lines)
    if "\r" in whole:
        raise Misunderstanding(f"a line is split: {whole!r}")
    _, blank, text = whole.partition(" ")
    return Reply(whole[0] == "=", text if blank else whole[1:])


def ask(program: Program, line: str) -> str:
    program.send(line)
    reply = read_reply(program.line)
    if not reply.is_success:
        raise Misunderstanding(f"{line}: {reply.text}")
    return reply.text


Move = tuple[str, str]  # colour as GoGui writes it, vertex


class GoGui:
    def __init__(self, *arguments: str) -> None:
        self.moves: list[Move] = []
        self.sent: list[Move] = []  # what the player knows of them
        with ExitStack() as stack:
            self.player, first, self.ruler, unused = (
                stack.enter_context(Program(*arguments)) for _ in range(4)
            )
            self.others = [first, unused]
            self.commands = self._attach(self.player)
            for ruler in (first, self.ruler):
                self._meet(ruler)
            self._set_up()
            self._stack = stack.pop_all()

    def _attach(self, player: Program) -> set[str]:
        for line in ("name", "protocol_version", "version"):
            assert "\n" not in ask(player, line)
        commands = set(ask(player, "list_commands").split("\n"))
        if missing := {f"gogui-rules_{name}" for name in RULES} - commands:
            raise Misunderstanding(f"takes it for Go without {missing}")
        assert ask(player, "gogui-interrupt") == ""
        return commands

    def _meet(self, ruler: Program) -> None:
        """No size is ever told to the process that knows the rules."""
        ask(ruler, "list_commands")
        ask(ruler, "gogui-interrupt")
        self.game = ask(ruler, "gogui-rules_game_id")
        assert re.fullmatch("[A-Z][a-z]+", self.game)
        width, *shape = ask(ruler, "gogui-rules_board_size").split(" ")
        assert shape in ([], ["hex"])
        self.width = int(width)
        for line in ("board_gfx", "board", "legal_moves", "side_to_move"):
            ask(ruler, f"gogui-rules_{line}")
        ask(ruler, "clear_board")

    def _set_up(self) -> None:
        player = self.player
        for line in (f"boardsize {self.width}", "clear_board", "komi 6.5"):
            assert ask(player, line) == ""
        assert ask(player, "gogui-rules_game_id") == self.game
        ask(player, "gogui-version 1.6.0")
        for row in ask(player, "gogui-analyze_commands").split("\n"):
            type_, label, command = row.split("/")
            assert type_ in TYPES
            assert label
            assert command in self.commands
            if type_ == "param":
                self._dialog(command)
        for line in (f"boardsize {self.width}", "clear_board"):
            assert ask(player, line) == ""

    def _dialog(self, command: str) -> None:
        """Fields that can be shown."""
        for line in filter(None, ask(self.player, command).split("\n")):
            assert re.fullmatch(r"\[(bool|string|list(/[^/ ]+)+)\] [^ ]+ [^ ]+", line)

    # Of the board, as the ruler sees it.

    def legal(self) -> list[str]:
        """Exactly nothing once the game is over; two blanks would not be nothing."""
        text = ask(self.ruler, "gogui-rules_legal_moves")
        for vertex in (found := text.split(" ") if text else []):
            check_vertex(vertex, self.width)
        return found

    def to_move(self) -> str:
        return ask(self.ruler, "gogui-rules_side_to_move")[0].upper()

    def board(self, program: Program | None = None) -> str:
        return ask(program or self.ruler, "gogui-rules_board")

    def _replay(self) -> None:
        for line in ("clear_board", *(f"play {c} {v}" for c, v in self.moves)):
            ask(self.ruler, line)

    def _show(self, repeats: int) -> None:
        """The ruler is told the game, the last move again, and the game."""
        self._replay()
        board = self.board()
        asked = ("board_size", "captured_count", "side_to_move")
        before = [ask(self.ruler, f"gogui-rules_{name}") for name in asked]
        assert re.fullmatch("[0-9]+ [0-9]+", before[1])
        for _ in range(repeats if self.moves else 0):
            self.ruler.send("play {} {}".format(*self.moves[-1]))
            read_reply(self.ruler.line)
        self._replay()
        ask(self.ruler, "gogui-rules_board_gfx")
        assert self.legal() == self.legal()
        after = [ask(self.ruler, f"gogui-rules_{name}") for name in asked]
        assert (self.board(), after) == (board, before)

    # What somebody does.

    def click(self, vertex: str) -> None:
        text = ask(self.ruler, "gogui-rules_legal_moves")
        if not re.search(rf"\b{vertex}\b", text):
            raise Misunderstanding(f"a dialog says that {vertex} is illegal")
        self.moves.append((self.to_move(), vertex))
        self._show(1)

    def back(self, count: int) -> None:
        """The player hears of it when it is asked for a move."""
        del self.moves[len(self.moves) - count :]
        self._show(0)

    def compute(self) -> None:
        """Let the computer play until the other side is on turn."""
        color = self.to_move()
        while self.legal() and self.to_move() == color:
            self.synchronize()
            self.add_computed(color, ask(self.player, f"genmove {color.lower()}"))

    def synchronize(self) -> None:
        same = 0
        for ours, known in zip(self.moves, self.sent, strict=False):
            if ours != known:
                break
            same += 1
        if undone := len(self.sent) - same:
            ask(self.player, f"gg-undo {undone}" if undone > 1 else "undo")
        new = self.moves[same:]
        if len(new) > 1:
            ask(self.player, f"gogui-play_sequence {' '.join(map(' '.join, new))}")
        elif new:
            ask(self.player, "play {} {}".format(*new[0]))
        self.sent = list(self.moves)

    def add_computed(self, color: str, answer: str) -> None:
        if answer not in self.legal():
            raise Misunderstanding(f"a dialog tells of {answer!r}")
        self.moves.append((color, answer))
        self.sent.append((color, answer))
        self._show(2)
        assert self.board(self.player) == self.board()

    def detach(self) -> None:
        """Only the player is told; the input of the others just ends."""
        assert ask(self.player, "quit") == ""
        for program in (self.player, self.ruler, *self.others):
            program.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
