"""The clicks of Flipway: the points that change, in any order.

Most turns are made before all of their points are clicked. Only openings under the
pie rule can be parts of others and so may need the END cell.
"""

from collections.abc import Collection, Iterator, Mapping

from games.clicks import layout
from games.clicks.contract import CONTROLS, Clicked, Picture, edges_of
from games.contract import SWAP, Side, Turn
from games.flipway import Flipway, FlipwayPosition
from games.grids import square
from games.notation import Vertex


class Clicks:
    def __init__(self, rules: Flipway) -> None:
        self.grid = square(rules.size)
        controls = [layout.END, layout.SWAP] if rules.pie else []
        self.layout = layout.square(self.grid.vertices, controls)
        self.end = self.layout.places.get(layout.END)
        self.swap = self.layout.places.get(layout.SWAP)

    def fitting(self, position: FlipwayPosition, clicks: Clicked) -> Iterator[Turn]:
        if not clicks:
            return iter(position.turns())
        if self.swap in clicks:
            return (t for t in position.turns() if t == SWAP and len(clicks) == 1)
        is_ended = clicks[-1] == self.end
        points = set(clicks[:-1] if is_ended else clicks)
        if not points or len(points) < len(clicks) - is_ended:
            return iter(())

        def fits(turn: Turn) -> bool:
            changed = self._points(turn)
            return points == changed if is_ended else points <= changed

        return filter(fits, position.turns())

    def following(
        self, position: FlipwayPosition, clicks: Clicked
    ) -> Collection[Vertex]:
        turns = list(self.fitting(position, clicks))
        found = {vertex for turn in turns for vertex in self._points(turn)}
        found -= set(clicks)
        if SWAP in turns and self.swap and not clicks:
            found.add(self.swap)
        if clicks and self.end and any(self.fitting(position, (*clicks, self.end))):
            found.add(self.end)
        return found

    def rest(self, position: FlipwayPosition, clicks: Clicked, turn: Turn) -> Clicked:
        if turn == SWAP:
            assert self.swap
            return (self.swap,)
        more = tuple(sorted(self._points(turn).difference(clicks)))
        return (*more, self.end) if self.end else more

    def named(self, turn: Turn) -> Collection[Vertex]:
        return self._points(turn) or [self.layout.places[CONTROLS[turn]]]

    def stones(
        self, position: FlipwayPosition, clicks: Clicked
    ) -> Mapping[Vertex, Side]:
        return {}

    def _points(self, turn: Turn) -> set[Vertex]:
        """Those that change; none by `swap`."""
        points = turn if isinstance(turn, tuple) else ()
        return {self.grid.vertices[point] for point in points}

    def picture(self, position: FlipwayPosition) -> Picture:
        stones = {
            vertex: Side(stone - 1)
            for vertex, stone in zip(self.grid.vertices, position.stones, strict=True)
            if stone
        }
        edges = edges_of(position.rules.size, position.exchanged)
        return Picture(stones=stones, edges=edges)
