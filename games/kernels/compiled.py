"""The decorators of compiled functions."""

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
    return compile_with(function)


def uncounted(function: Function) -> Function:
    """`compiled`, but with no count kept of who uses an array.

    It may read and write arrays, not make any. Counting takes longer than a short
    function that is called at every step and gets a state of many arrays.
    """
    return compile_with(function, _nrt=False)


def compile_with(function: Function, **options: Any) -> Function:
    made: Any = njit(cache=CACHED, nogil=True, error_model="numpy", **options)
    return cast("Function", made(function))
