"""Uniformly random games of any game that has a kernel, compiled."""

from games.kernels.compiled import compiled
from games.kernels.contract import State, copy, play, random_step, winner
from games.kernels.dice import Dice


@compiled
def finish(state: State, dice: Dice, longest: int) -> int:
    """Play random steps to the end of the game, but at most `longest`.

    Returns how many. Modifies `state`.
    """
    steps = 0
    while winner(state) < 0 and steps < longest:
        play(state, random_step(state, dice))
        steps += 1
    return steps


@compiled
def playouts(
    root: State, state: State, dice: Dice, games: int, longest: int
) -> tuple[int, int]:
    """Play `games` random games from `root`: their steps, and Black's wins.

    Nobody wins a game cut after `longest` steps. `state` is scratch of the same shape.
    """
    steps = 0
    wins = 0
    for _ in range(games):
        copy(state, root)
        steps += finish(state, dice, longest)
        wins += winner(state) == 0
    return steps, wins
