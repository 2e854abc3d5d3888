"""The rules of the game for GoGui, in step mode only. spec/protocol.md §9."""

from collections.abc import Iterable, Mapping

from games.contract import Side
from games.notation import Vertex, write_vertex
from protocol.commands.board import side_to_move, status
from protocol.commands.entry import NOTHING, Entry, in_steps
from protocol.steps import StepSession

FEW = 12  # next clicks, which are marked then

STONES = {Side.BLACK: "X", Side.WHITE: "O", None: "."}
OFF = "gray"  # of a cell that cannot be clicked


def game_id(session: StepSession) -> str:
    """The name of the game."""
    return session.rules.name.capitalize()


def board_size(session: StepSession) -> str:
    """How wide the grid is, and whether it is hexagonal."""
    layout = session.board.layout
    return f"{layout.width} hex" if layout.is_hexagonal else str(layout.width)


def board(session: StepSession) -> str:
    """The stones, row by row from the top; `?` where the grid has no cell."""
    layout = session.board.layout
    stones = session.board.picture(session.position).stones

    def cell(vertex: Vertex) -> str:
        return STONES[stones.get(vertex)] if vertex in layout else "?"

    span = range(layout.width)
    return "\n".join(" ".join(cell((x, y)) for x in span) for y in reversed(span))


def board_gfx(session: StepSession) -> str:
    """What the stones do not show, and where the clicks are, as drawing commands."""
    layout, last = session.board.layout, session.position.last
    picture = session.board.picture(session.position)
    following = session.legal_clicks()
    tints = {
        (x, y): OFF
        for x in range(layout.width)
        for y in range(layout.width)
        if (x, y) not in layout.cells
        if not layout.is_hexagonal or (x, y) in layout
    }
    labels = {}
    for vertex, control in layout.controls.items():
        labels[vertex] = control.label
        if vertex in following:
            tints[vertex] = control.colour
    for vertex, side in session.board.stones(session.position, session.clicks).items():
        labels[vertex] = side.letter.upper()
    labels.update(picture.labels)
    tints.update(picture.tints)
    labelled = (
        f"{write_vertex(*vertex)} {labels[vertex]}" for vertex in sorted(labels)
    )
    rows = [
        *((side.word.upper(), vertices_of(side, picture.edges)) for side in Side),
        *((f"COLOR {t}", vertices_of(t, tints)) for t in sorted(set(tints.values()))),
        ("LABEL", " ".join(labelled)),
        ("SQUARE", vertices(session.board.named(last) if last is not None else ())),
        ("CIRCLE", vertices(session.clicks)),
        ("TRIANGLE", vertices(following if len(following) <= FEW else ())),
    ]
    return "\n".join(f"{drawing} {where}" for drawing, where in rows if where)


def legal_moves(session: StepSession) -> str:
    """What can be clicked next; nothing once the game is over."""
    return vertices(session.legal_clicks())


def final_result(session: StepSession) -> str:
    """How the game has ended, in words, or whose turn it is."""
    return status(session)


def captured_count(session: StepSession) -> str:
    """None: these games have no prisoners."""
    return "0 0"


def vertices(several: Iterable[Vertex]) -> str:
    return " ".join(write_vertex(*vertex) for vertex in sorted(several))


def vertices_of(value: object, values: Mapping[Vertex, object]) -> str:
    return vertices(vertex for vertex, found in values.items() if found == value)


TABLE = tuple(
    Entry(f"gogui-rules_{name}", NOTHING, handler, in_steps)
    for name, handler in (
        ("game_id", game_id),
        ("board_size", board_size),
        ("board", board),
        ("board_gfx", board_gfx),
        ("legal_moves", legal_moves),
        ("side_to_move", side_to_move),
        ("final_result", final_result),
        ("captured_count", captured_count),
    )
)
