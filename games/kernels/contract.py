"""What a game's kernel provides, and how a loop over any game finds it.

A kernel module defines one NamedTuple of small arrays, its state, and:

    state_of(position)          a new state equal to a readable position
    decode(position, begun, step)   a compiled step as a step of the readable rules
    key(state)                  bytes, equal exactly for states with equal futures
    capacity(rules)             the most steps any position can have

and it registers, by `provide`, one compiled function for each name below, which a
generic compiled loop calls with any game's state. numba picks the game's function
by the type of the state while it compiles the loop, so each game gets a loop of
its own and nothing is looked up while it runs.

A game whose random games may last too long for a search gives `cut` and `evaluate`
as well, and for measuring its module has RANDOM_CUT, the steps after which `bench`
cuts a random game. Without these, random games are played to their end.

A step is a number that means the same move in every position where it is legal;
SWAP and PASS are the same in every game.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from games.kernels.compiled import compiled

# Above every other step of every game, within int32.
SWAP = 1 << 24
PASS = SWAP + 1

# More steps than any random game is given.
NEVER = 1 << 62

State = Any
Steps = NDArray[np.int32]


def copy(target: State, source: State) -> None:
    """Make `target` equal to `source`, a state of the same rules."""
    raise NotImplementedError


def legal_steps(state: State, out: Steps) -> int:
    """Write the legal steps to the front of `out`, SWAP last; returns their number."""
    raise NotImplementedError


def random_step(state: State, dice: NDArray[np.uint64]) -> int:
    """A legal step, each with equal chance. The game must not be over."""
    raise NotImplementedError


def play(state: State, step: int) -> None:
    """Make a legal step; modifies `state`."""
    raise NotImplementedError


def winner(state: State) -> int:
    """0 for Black, 1 for White, -1 while the game goes on."""
    raise NotImplementedError


def to_move(state: State) -> int:
    """The side whose step it is, 0 or 1."""
    raise NotImplementedError


def cut(state: State) -> int:
    """After how many random steps from here the search cuts a playout."""
    raise NotImplementedError


def evaluate(state: State) -> float:
    """Black's expected result, from 0 to 1. The game must not be over.

    May use the scratch arrays of `state`.
    """
    raise NotImplementedError


Functions = dict[Callable[..., Any], Callable[..., Any]]


def provide(game: type, functions: Functions) -> None:
    """Register `functions`, from names above to compiled functions, for a state.

    `cut` and `evaluate` may be missing, but only both.
    """
    if cut not in functions and evaluate not in functions:
        functions = {**functions, cut: never_cut, evaluate: not_evaluated}
    for name, function in functions.items():
        overload(name, strict=False)(resolver(game, function))


def resolver(game: type, function: Callable[..., Any]) -> Callable[..., Any]:
    plain = function.py_func  # type: ignore[attr-defined]

    def resolve(state: types.Type, *others: types.Type) -> Callable[..., Any] | None:
        return plain if getattr(state, "instance_class", None) is game else None

    return resolve


@compiled
def never_cut(state: State) -> int:
    return NEVER


@compiled
def not_evaluated(state: State) -> float:
    """Not a number: random games of this game are never cut."""
    return math.nan
