"""The rules as compiled loops over arrays, for the search and `bench` only.

    cache       where the compiled code is kept between processes
    compiled    the decorator of every compiled function
    contract    what a game's kernel provides, and how a loop over games finds it
    dice        random numbers
    flipway     one module a game, the same rules as games/<game>.py

Compiled functions take arrays, trust their arguments and raise nothing: whoever
calls in has checked. Importing anything here but `cache` imports numba.
"""

import importlib
from types import ModuleType


def load(game: str) -> ModuleType:
    """The kernel of `game`, a module as games/kernels/contract.py describes it."""
    return importlib.import_module(f"games.kernels.{game}")
