"""gomill's ringmaster starts every game and comes as far as Go's rules let it."""

import io
from contextlib import ExitStack

import pytest

from clients.gomill import Forfeit, Game, Occupied, read_response
from clients.program import EVERY_GAME, Misunderstanding, Program, arguments, rules_of
from games import clicks


@EVERY_GAME
def test_game(game: str) -> None:
    """Up to the first vertex that comes back; then a bad move is its mover's fault."""
    given = arguments(game, "--steps")
    with ExitStack() as stack:
        black, white = (
            stack.enter_context(Program(*given, "--seed", seed)) for seed in "12"
        )
        width = clicks.load(rules_of(game)).layout.width
        match = Game(width, black, white)
        assert all(text.startswith("Crosscut ") for text in match.descriptions)
        try:
            match.play()
        except Occupied:
            match.players["bw"[len(match.moves) % 2]].do("undo")
        assert match.moves
        for line in ("board", "legal_moves", "side_to_move"):
            answers = {p.do(f"gogui-rules_{line}") for _, p in match.both()}
            assert len(answers) == 1
        check_blame(match)
        match.end()


def check_blame(match: Game) -> None:
    player = match.players["w"]
    for command in ("clear_board", f"boardsize {match.width}"):
        player.do(command)
    legal = player.do("gogui-rules_legal_moves").split(" ")
    for move in ("Z25", "D0", "pass", "nowhere"):
        assert move not in legal
        with pytest.raises(Forfeit, match=r"^b$"):
            match.pass_on("b", move)
    player.do("play b resign")
    with pytest.raises(Forfeit, match=r"^b$"):
        match.pass_on("b", legal[0])
    assert player.do("final_score") == "W+R"


@pytest.mark.parametrize(
    ("sent", "response"),
    [
        ("= \n\n", (False, "")),
        ("\n \n= D4\n\n", (False, "D4")),
        ("=\nfoo bar\nbaz\n\n", (False, "\nfoo bar\nbaz")),
        ("? illegal move\n\n", (True, "illegal move")),
        ("= a\n \nb\n\n", (False, "a\n \nb")),
        ("= D4\r\n\r\n", (False, "D4")),
        ("noise\n= D4\n\n", None),
    ],
)
def test_response(sent: str, response: tuple[bool, str] | None) -> None:
    lines = io.StringIO(sent)
    if response is None:
        with pytest.raises(Misunderstanding):
            read_response(lambda: lines.readline()[:-1])
    else:
        assert read_response(lambda: lines.readline()[:-1]) == response
