"""Where compiled code is kept, without compiling anything."""

import os
import subprocess
import sys
from hashlib import sha1
from pathlib import Path

import pytest

from games.kernels import cache
from games.search.player import load_compiled

OURS = [
    f"{name}_{sha1(str(cache.GAMES / name).encode()).hexdigest()}"
    for name in ("kernels", "search")
]
OTHERS = ["kernels_1", "search_1", "others_1"]

MODULES = ("kernels.contract", "kernels.flipway", "search.tree", "search.rates")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with our code and somebody else's in it."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    for name in (*OURS, *OTHERS):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").touch()
    return tmp_path


def test_what_cannot_be_loaded_is_compiled_anew(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Once, and only our own code is removed for it."""
    tries = []

    def load() -> None:
        tries.append(sorted(path.name for path in folder.iterdir()))
        if len(tries) == 1:
            raise EOFError

    load_compiled(load)

    assert tries == [sorted((*OURS, *OTHERS)), sorted(OTHERS)]
    assert caplog.messages == ["the cache of compiled code is unusable: compiling anew"]


def test_an_empty_variable_names_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.VARIABLE, "")
    assert cache.prepare.__wrapped__()
    assert os.environ[cache.VARIABLE] == str(cache.own_folder())


def test_what_fails_twice_is_a_fault(folder: Path) -> None:
    def load() -> None:
        raise EOFError

    with pytest.raises(EOFError):
        load_compiled(load)


def test_old_caches_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the one in use."""
    monkeypatch.setattr(cache, "root", lambda: tmp_path)
    current = tmp_path / cache.own_folder().name
    monkeypatch.setattr(cache, "own_folder", lambda: current)
    for path in (current, tmp_path / "old"):
        path.mkdir()

    assert cache.remove_old() == [tmp_path / "old"]
    assert list(tmp_path.iterdir()) == [current]


@pytest.mark.parametrize("first", [*MODULES, "numba"])
def test_the_cache_is_ours_whatever_is_imported_first(first: str) -> None:
    """Else numba would not notice changes of what a compiled function calls."""
    name = first if first == "numba" else f"games.{first}"
    program = f"""
import {name}
import games.search.uct
from games.kernels import cache
from games.kernels.flipway import winner
print(winner._cache.cache_path)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=cache.GAMES.parent,
        env={k: v for k, v in os.environ.items() if k != cache.VARIABLE},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).parent == cache.own_folder()
    assert Path(done.stdout.strip()).name == OURS[0]
