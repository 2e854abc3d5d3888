"""A stand-in for gomill's ringmaster 0.8.3: two engines, and Go's rules on top.

No game of ours can be finished with it: a click on a cell that was clicked before is
an occupied point. It must come that far without a fault.
"""

from collections.abc import Callable

from clients.program import Misunderstanding, Program, check_vertex

FIRST = b" \t\r\n=?#"


class Forfeit(Exception):
    """A game is lost; the side is the text."""


class Occupied(Exception):
    """By what this program knows of the rules, a vertex has come back."""


def read_response(line: Callable[[], str]) -> tuple[bool, str]:
    """Whether it is a failure, and the text; lines before it must be blank."""
    lines: list[str] = []
    while (more := line().rstrip("\r")) or not lines:
        if lines or more.strip(" \t"):
            lines.append(more)
    if lines[0][0] not in "=?":
        raise Misunderstanding(f"no response: {lines[0]!r}")
    return lines[0][0] == "?", "\n".join(lines)[1:].strip(" \t")


class Player:
    """One engine. The very first byte that it writes decides whether it is one."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.has_begun = False

    def try_(self, command: str) -> tuple[bool, str]:
        self.program.send(command)
        if not self.has_begun:
            first = self.program.stdout.peek(1)[:1]
            if first not in FIRST:
                raise Misunderstanding(f"begins with {first!r}")
            self.has_begun = True
        return read_response(self.program.line)

    def do(self, command: str) -> str:
        is_failure, text = self.try_(command)
        if is_failure:
            raise Misunderstanding(f"{command}: {text}")
        return text

    def knows(self, command: str) -> bool:
        return self.do(f"known_command {command}") == "true"


class Game:
    def __init__(self, width: int, black: Program, white: Program) -> None:
        self.width = width
        self.players = {"b": Player(black), "w": Player(white)}
        self.moves: list[str] = []
        self.descriptions: list[str] = []
        for player in self.players.values():
            assert player.do("protocol_version") == "2"
            for command in ("name", "version"):
                player.do(command)
            if player.knows("gomill-describe_engine"):
                self.descriptions.append(player.do("gomill-describe_engine"))
            for command in (f"boardsize {width}", "clear_board", "komi 0.0"):
                player.do(command)

    def play(self) -> None:
        """Until two passes; raises Forfeit or Occupied."""
        explains = {c: p.knows("gomill-explain_last_move") for c, p in self.both()}
        while self.moves[-2:] != ["pass", "pass"]:
            color = "bw"[len(self.moves) % 2]
            is_failure, move = self.players[color].try_(f"genmove {color}")
            if is_failure:
                raise Forfeit(color)
            if move == "resign":
                return
            if move != "pass":
                check_vertex(move, self.width)
                if move in self.moves:
                    raise Occupied(move)
            if explains[color]:
                self.players[color].do("gomill-explain_last_move")
            self.moves.append(move)
            self.pass_on(color, move)

    def pass_on(self, color: str, move: str) -> None:
        """Who is blamed for a refusal depends on its very words."""
        other = "w" if color == "b" else "b"
        is_failure, text = self.players[other].try_(f"play {color} {move}")
        if is_failure:
            raise Forfeit(color if text == "illegal move" else other)

    def both(self) -> list[tuple[str, Player]]:
        return list(self.players.items())

    def scores(self) -> set[str]:
        """What the players that know the command say."""
        return {p.do("final_score") for _, p in self.both() if p.knows("final_score")}

    def end(self) -> None:
        for _, player in self.both():
            if player.knows("gomill-cpu_time"):
                float(player.do("gomill-cpu_time"))
            player.do("quit")
            player.program.end()
