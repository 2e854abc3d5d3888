"""Where compiled code is kept, so that a new process need not compile again.

numba notices only changes to the file of the very function it compiles, not to
what that function calls. So the folder is named by a digest of all compiled
sources: an edit anywhere starts an empty cache, and old ones are left behind
until `remove_old`. A folder that the user set in NUMBA_CACHE_DIR is used instead.
"""

import contextlib
import hashlib
import logging
import os
import shutil
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs

log = logging.getLogger(__name__)

GAMES = Path(__file__).parents[1]
VARIABLE = "NUMBA_CACHE_DIR"


def root() -> Path:
    """The folder that holds one cache for each version of the sources."""
    return Path(platformdirs.user_cache_dir("crosscut", appauthor=False))


@cache
def own_folder() -> Path:
    # numba keeps apart what is installed in different places.
    where = f"{version('numba')} {sys.version} {GAMES}"
    digest = hashlib.sha256(where.encode())
    for folder in ("kernels", "search"):
        for path in sorted((GAMES / folder).glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return root() / digest.hexdigest()[:16]


@cache
def prepare() -> bool:
    """Point numba at the cache; whether it can be written.

    Must run before the first function is compiled. Says once on standard error if it
    cannot.
    """
    folder = Path(os.environ.get(VARIABLE) or own_folder())
    os.environ[VARIABLE] = str(folder)
    if numba := sys.modules.get("numba"):  # it has read the environment already
        numba.config.CACHE_DIR = str(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as error:
        reason = error.strerror or error
        log.warning("cannot write %s (%s): compiling without cache", folder, reason)
        return False


def marker(game: str) -> Path:
    """A file that exists once everything for a game has been compiled."""
    return Path(os.environ[VARIABLE]) / f"{own_folder().name}.{game}"


def has(game: str) -> bool:
    """Whether the search for `game` need not be compiled any more."""
    return prepare() and marker(game).exists()


def note(game: str) -> None:
    """Note that the search for `game` has been compiled."""
    with contextlib.suppress(OSError):
        if prepare():
            marker(game).touch()


def discard() -> None:
    """Remove what numba keeps of our sources, in whatever folder that is.

    numba names the folders inside by the folder of the source and a digest of its path.
    """
    for name in ("kernels", "search"):
        digest = hashlib.sha1(str(GAMES / name).encode()).hexdigest()
        folder = Path(os.environ[VARIABLE]) / f"{name}_{digest}"
        shutil.rmtree(folder, ignore_errors=True)


def remove_old() -> list[Path]:
    """Remove the caches of other versions of the sources; returns their folders."""
    folders = root().glob("*") if root().is_dir() else ()
    old = [path for path in folders if path.is_dir() and path != own_folder()]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return old
