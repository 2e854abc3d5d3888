"""The clicks of Vaxandis: the point of a placement, or from where to where."""

from games.clicks import layout
from games.clicks.contract import Clicked, Ordered, Picture
from games.contract import Side, Turn
from games.vaxandis import Vaxandis, VaxandisPosition


class Clicks(Ordered[VaxandisPosition]):
    def __init__(self, rules: Vaxandis) -> None:
        self.grid = rules.grid
        controls = [layout.SWAP] if rules.pie else []
        self.layout = layout.hexagonal(self.grid.vertices, controls)

    def cells_of(self, turn: Turn) -> Clicked:
        assert isinstance(turn, tuple)
        return tuple(self.grid.vertices[point] for point in turn)

    def picture(self, position: VaxandisPosition) -> Picture:
        """Stacks as stones with their heights; frozen ones tinted."""
        stones, labels, frozen = {}, {}, {}
        for point, stack in enumerate(position.stacks):
            if stack == 0:
                continue
            vertex = self.grid.vertices[point]
            stones[vertex] = Side.BLACK if stack > 0 else Side.WHITE
            labels[vertex] = str(abs(stack))
            if position.freezing(point):
                frozen[vertex] = "cyan"
        return Picture(stones=stones, labels=labels, tints=frozen)
