"""The clicks of Weft: the unit square, then the lean of the cut where both fit."""

from games.clicks import layout
from games.clicks.contract import Clicked, Ordered, Picture, edges_of
from games.clicks.layout import Control
from games.contract import Side, Turn
from games.grids import square
from games.trapezia import LEANS, lies_flat
from games.weft import Weft, WeftPosition

LEAN_CONTROLS = tuple(map(Control, LEANS))


class Clicks(Ordered[WeftPosition]):
    """With a cell for each lean."""

    def __init__(self, rules: Weft) -> None:
        self.vertices = square(rules.size).vertices
        controls = [*LEAN_CONTROLS, *([layout.SWAP] if rules.pie else [])]
        self.layout = layout.square(self.vertices, controls)
        self.leans = [self.layout.places[control] for control in LEAN_CONTROLS]

    def cells_of(self, turn: Turn) -> Clicked:
        assert isinstance(turn, int)
        place, lean = divmod(turn, 2)
        return self.vertices[place], self.leans[lean]

    def picture(self, position: WeftPosition) -> Picture:
        """A stone on the unit square of each piece with its lean; flat cells tinted."""
        stones, labels = {}, {}
        for piece, owner in enumerate(position.owners):
            if owner:
                vertex = self.vertices[piece // 2]
                stones[vertex] = Side(owner - 1)
                labels[vertex] = LEANS[piece % 2]
        flat = {vertex: "yellow" for vertex in self.vertices if lies_flat(*vertex)}
        edges = edges_of(position.rules.size, position.exchanged)
        return Picture(stones=stones, labels=labels, tints=flat, edges=edges)
