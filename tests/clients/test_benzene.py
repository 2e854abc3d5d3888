"""benzene's referee plays whole games of every game, in turns and in clicks."""

from pathlib import Path

import pytest

from clients.benzene import Player, play_game
from clients.program import EVERY_GAME, arguments, rules_of
from games import clicks


@pytest.mark.parametrize("more", [[], ["--steps"]], ids=["turns", "clicks"])
@EVERY_GAME
def test_games(game: str, more: list[str], tmp_path: Path) -> None:
    """The loser resigns in the end; the log tells all that was said."""
    given = arguments(game, "--seed", "3", *more)
    rules = rules_of(game)
    width = clicks.load(rules).layout.width if more else rules.size
    with (
        Player(given, 1, tmp_path / "black.log") as black,
        Player(given, 2, tmp_path / "white.log") as white,
    ):
        assert black.ask("param_search").endswith("seed 1")
        for _ in range(2):
            moves, result = play_game(black, white, width)
            assert moves[-1] == "resign"
            assert result == ("W+" if len(moves) % 2 else "B+")
            again, _ = play_game(black, white, width, moves[:1])
            assert again[0] == moves[0]
        for player in (black, white):
            player.ask("quit")
            player.end()
    log = (tmp_path / "black.log").read_text(encoding="utf-8")
    assert log.count("> boardsize ") == 4
    assert log.startswith("> param_search\n= [list/mcts/random] player random\n")
    assert log.endswith("> quit\n= \n\n")
