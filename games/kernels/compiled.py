"""The decorator of every compiled function."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from games.kernels import cache

CACHED = cache.prepare()

from numba import njit  # noqa: E402 - reads the cache folder when it is imported

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """`function`, compiled on its first call for each set of argument types.

    It runs without the interpreter lock. Division by zero gives inf or nan.
    """
    made: Any = njit(cache=CACHED, nogil=True, error_model="numpy")
    return cast("Function", made(function))
