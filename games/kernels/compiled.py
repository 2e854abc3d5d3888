"""The decorator of every compiled function."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

from games.kernels import cache

CACHED = cache.prepare()

Function = TypeVar("Function", bound=Callable[..., Any])

# Without `_nrt` compiled code counts no references to arrays and cannot allocate any:
# counting those of a state at every call took more time than the rules. The calls
# themselves are what `forceinline` saves.
OPTIONS: Any = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "_nrt": False,
}


def compiled(function: Function) -> Function:
    """`function`, compiled on its first call for each set of argument types.

    It runs without the interpreter lock and allocates nothing. Division by zero
    gives inf or nan.
    """
    made: Any = njit(cache=CACHED, **OPTIONS)
    return cast("Function", made(function))
