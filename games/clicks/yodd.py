"""The clicks of Yodd: a cell for a stone of the mover's colour, END after one stone.

A click on a colour decides the colour of the next stone. The two stones of a turn
come in any order. Turns are many, so all questions are answered from steps.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from games.clicks import layout
from games.clicks.contract import Clicked, Picture
from games.clicks.layout import Control
from games.contract import PASS, Side, Step, Turn
from games.errors import IllegalMove
from games.grids import hexagon
from games.notation import Vertex
from games.yodd import EMPTY, STOP, Stone, Yodd, YoddPosition

COLOURS = {side: Control(side.letter.upper(), side.word) for side in Side}


@dataclass(frozen=True, slots=True)
class Begun:
    """What clicks amount to: stones, and the colour that was chosen for the next."""

    stones: tuple[Stone, ...] = ()
    colour: Side | None = None
    is_ended: bool = False


class Clicks:
    def __init__(self, rules: Yodd) -> None:
        self.grid = hexagon(rules.size)
        controls = [*COLOURS.values(), layout.END, layout.PASS]
        self.layout = layout.hexagonal(self.grid.vertices, controls)
        places = self.layout.places
        self.end, self.pass_ = places[layout.END], places[layout.PASS]
        self.colours = {side: places[control] for side, control in COLOURS.items()}
        self.sides = {vertex: side for side, vertex in self.colours.items()}

    def fitting(self, position: YoddPosition, clicks: Clicked) -> Iterator[Turn]:
        if not clicks:
            yield from position.turns()
            return
        if clicks == (self.pass_,):
            yield from only_legal(position, PASS)
            return
        begun = self._begun(position, clicks)
        if begun is None:
            return
        if begun.is_ended or len(begun.stones) == 2:
            yield from only_legal(position, tuple(sorted(begun.stones)))
            return
        if begun.stones:
            yield from self._turns_after(position, begun)
            return
        seen = set()
        for first in self._steps(position, begun):
            assert isinstance(first, Stone)
            for turn in self._turns_after(position, Begun((first,))):
                if turn not in seen:
                    seen.add(turn)
                    yield turn

    def following(self, position: YoddPosition, clicks: Clicked) -> Collection[Vertex]:
        begun = self._begun(position, clicks)
        if begun is None or begun.is_ended or len(begun.stones) == 2:
            return ()
        found: set[Vertex] = set()
        for step in self._steps(position, begun):
            if step == PASS:
                found.add(self.pass_)
            elif step == STOP:
                found.add(self.end)
            elif isinstance(step, Stone):
                if begun.colour is None:
                    found.add(self.colours[step.colour])
                if step.colour == self._colour_of(position, begun):
                    found.add(self.grid.vertices[step.cell])
        return found

    def rest(self, position: YoddPosition, clicks: Clicked, turn: Turn) -> Clicked:
        if not isinstance(turn, tuple):
            return (self.pass_,)
        begun = self._begun(position, clicks)
        assert begun is not None
        more: list[Vertex] = []
        stones = [stone for stone in turn if stone not in begun.stones]
        colour = self._colour_of(position, begun)
        if begun.colour is not None:
            first = next(stone for stone in stones if stone.colour == colour)
            stones.remove(first)
            more.append(self.grid.vertices[first.cell])
        for stone in stones:
            if stone.colour != position.to_move:
                more.append(self.colours[stone.colour])
            more.append(self.grid.vertices[stone.cell])
        return (*more, self.end)

    def named(self, turn: Turn) -> Collection[Vertex]:
        stones = turn if isinstance(turn, tuple) else ()
        return [self.grid.vertices[stone.cell] for stone in stones] or [self.pass_]

    def stones(self, position: YoddPosition, clicks: Clicked) -> Mapping[Vertex, Side]:
        begun = self._begun(position, clicks)
        stones = begun.stones if begun else ()
        return {self.grid.vertices[stone.cell]: stone.colour for stone in stones}

    def picture(self, position: YoddPosition) -> Picture:
        stones = {
            vertex: Side(stone - 1)
            for vertex, stone in zip(self.grid.vertices, position.stones, strict=True)
            if stone
        }
        return Picture(stones=stones)

    def _begun(self, position: YoddPosition, clicks: Clicked) -> Begun | None:
        """None if such clicks are never the beginning of a turn."""
        begun = Begun()
        for vertex in clicks:
            if begun.is_ended or len(begun.stones) == 2:
                return None
            if vertex == self.end and begun.stones and begun.colour is None:
                begun = Begun(begun.stones, None, True)
            elif vertex in self.sides and begun.colour is None:
                begun = Begun(begun.stones, self.sides[vertex])
            elif vertex in self.grid.cells:
                cell = self.grid.cells[vertex]
                taken = [stone.cell for stone in begun.stones]
                if position.stones[cell] != EMPTY or cell in taken:
                    return None
                stone = Stone(cell, self._colour_of(position, begun))
                begun = Begun((*begun.stones, stone))
            else:
                return None
        return begun

    def _colour_of(self, position: YoddPosition, begun: Begun) -> Side:
        """The colour of the stone that a click on a cell would place."""
        return position.to_move if begun.colour is None else begun.colour

    def _turns_after(self, position: YoddPosition, begun: Begun) -> Iterator[Turn]:
        """The turns with the one stone that is begun."""
        whole = position.turn(begun.stones)
        if whole is not None:
            yield whole
            return
        for step in self._steps(position, begun):
            turn = position.turn((*begun.stones, step))
            assert turn is not None
            yield turn

    def _steps(self, position: YoddPosition, begun: Begun) -> list[Step]:
        """The steps that may follow, of the chosen colour if one is chosen."""
        steps = position.steps(begun.stones)
        if begun.colour is None:
            return list(steps)
        return [s for s in steps if isinstance(s, Stone) and s.colour == begun.colour]


def only_legal(position: YoddPosition, turn: Turn) -> Iterator[Turn]:
    try:
        position.play(turn)
    except IllegalMove:
        return
    yield turn
