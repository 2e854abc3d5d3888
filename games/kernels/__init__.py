"""The rules as compiled loops over arrays, for searching, measuring and counting.

    cache       where the compiled code is kept between processes
    compiled    the decorator of every compiled function
    contract    what a game's kernel provides, and how a loop over games finds it
    dice        random numbers
    flipway     one module a game, the same rules as games/<game>.py
    positions   a position of the readable rules that plays by a kernel

Compiled functions take arrays, trust their arguments and raise nothing: whoever
calls in has checked. Importing anything here but `cache` imports numba, which asks for
its cache folder only then; so that is set before anything else.
"""

import importlib
from types import ModuleType

from games.kernels import cache

cache.prepare()


def load(game: str) -> ModuleType:
    """The kernel of `game`, a module as games/kernels/contract.py describes it."""
    return importlib.import_module(f"games.kernels.{game}")
