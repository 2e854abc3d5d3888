"""gogui-twogtp plays matches of every game."""

import re
from contextlib import ExitStack

from clients.gogui import ask
from clients.program import EVERY_GAME, SIZES, Program, arguments, rules_of
from clients.twogtp import Match
from games import clicks

ROUNDS = 6
LARGER = {"vaxandis": 3}


@EVERY_GAME
def test_match(game: str) -> None:
    """With a small search. Every game ends, and two passes come only at its end."""
    with ExitStack() as stack:
        size = LARGER.get(game, SIZES[game])
        given = arguments(game, "--playouts", "50", "--steps", size=size)
        programs = [
            stack.enter_context(Program(*given, "--seed", seed)) for seed in "123"
        ]
        width = clicks.load(rules_of(game, size)).layout.width
        match = Match(width, *programs)
        for number in range(ROUNDS):
            moves, result = match.game(exchanged=bool(number % 2))
            assert re.fullmatch(r"[BW]\+[0-9]*", result)
            assert ask(programs[2], "gogui-rules_legal_moves") == ""
            if moves[-1] == "resign":
                assert result[0] == "WB"[len(moves) % 2 == 0]
        match.end()
