"""The clicks of Wythe: the square of the black bit, then that of the white one."""

from games.clicks import layout
from games.clicks.contract import Clicked, Ordered, Picture
from games.contract import Side, Turn
from games.grids import square
from games.wythe import BLACK, EMPTY, Wythe, WythePosition

SIGNS = {(-1, 0): "<", (0, -1): "v", (0, 1): "^", (1, 0): ">"}


class Clicks(Ordered[WythePosition]):
    """With a cell for the forced pass, which must be clicked too."""

    def __init__(self, rules: Wythe) -> None:
        self.vertices = square(rules.size).vertices
        controls = [layout.PASS, *([layout.SWAP] if rules.pie else [])]
        self.layout = layout.square(self.vertices, controls)

    def cells_of(self, turn: Turn) -> Clicked:
        assert isinstance(turn, tuple)
        return tuple(self.vertices[square] for square in turn)

    def picture(self, position: WythePosition) -> Picture:
        """Tops as stones; heights, with a sign towards the other bit if it shows."""
        stones, labels = {}, {}
        for (x, y), stack in zip(self.vertices, position.stacks, strict=True):
            if stack.top == EMPTY:
                continue
            stones[x, y] = Side.BLACK if stack.top == BLACK else Side.WHITE
            other_x, other_y = self.vertices[stack.other]
            shows = self.vertices[position.stacks[stack.other].other] == (x, y)
            sign = SIGNS[other_x - x, other_y - y] if shows else ""
            labels[x, y] = f"{stack.height}{sign}"
        return Picture(stones=stones, labels=labels)
