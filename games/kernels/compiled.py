"""The decorator of every compiled function, and word of a compilation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from games.kernels import cache

CACHED = cache.prepare()

# numba reads the cache folder when it is imported.
from numba import njit  # noqa: E402
from numba.core import event  # noqa: E402

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """`function`, compiled on its first call for each set of argument types.

    It runs without the interpreter lock. Division by zero gives inf or nan.
    """
    made: Any = njit(cache=CACHED, nogil=True, error_model="numpy")
    return cast("Function", made(function))


@contextmanager
def announced(say: Callable[[], None]) -> Iterator[None]:
    """Call `say`, once, before anything is compiled that is not in the cache."""

    class Announcer(event.Listener):
        said = False

        def on_start(self, event: object) -> None:
            if not self.said:
                self.said = True
                say()

        def on_end(self, event: object) -> None:
            pass

    with event.install_listener("numba:compile", Announcer()):
        yield
