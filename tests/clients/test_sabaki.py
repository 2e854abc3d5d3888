"""The library by which Sabaki speaks to engines drives every game.

It comes from npm: the folder where it is installed is named by CROSSCUT_SABAKI, or it
is installed into a temporary one. Where that cannot be, these tests are skipped.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from clients.program import EVERY_GAME, PATIENCE, ROOT, SIZES, arguments, rules_of
from games import clicks, open_game

LIBRARY = "@sabaki/gtp@3.0.0"
OLDEST = 18  # node
SCRIPT = Path(__file__).with_name("sabaki.js")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that has the library in its node_modules."""
    if not shutil.which("node"):
        pytest.skip("there is no node")
    version = subprocess.check_output(["node", "--version"], text=True)
    if int(version.strip().removeprefix("v").split(".")[0]) < OLDEST:
        pytest.skip(f"node is older than {OLDEST}")
    if named := os.environ.get("CROSSCUT_SABAKI"):
        if not (Path(named) / "node_modules").is_dir():
            pytest.skip(f"{LIBRARY} is not in CROSSCUT_SABAKI")
        return Path(named)
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("there is no npm")
    folder = tmp_path_factory.mktemp("sabaki")
    options = ["--no-audit", "--no-fund", "--fetch-retries=0", "--prefix", str(folder)]
    install = [npm, "install", *options]
    done = subprocess.run([*install, LIBRARY], capture_output=True, timeout=PATIENCE)
    if done.returncode:
        pytest.skip(f"npm could not install {LIBRARY}")
    return folder


def drive(library: Path, scene: str, width: int, given: list[str]) -> list[str]:
    """The engine's answers in a scene that the script plays."""
    engine = [sys.executable, "-m", "bin", "gtp", *given]
    done = subprocess.run(
        ["node", str(SCRIPT), str(library), scene, str(width), *engine],
        capture_output=True,
        cwd=ROOT,
        text=True,
        timeout=PATIENCE,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@EVERY_GAME
def test_turns(game: str, library: Path) -> None:
    answers = drive(library, "turns", SIZES[game], arguments(game, "--seed", "1"))
    position = rules_of(game).start()
    for answer in answers:
        position = position.play(position.read(answer))
    assert position.winner is not None


@EVERY_GAME
def test_clicks(game: str, library: Path) -> None:
    width = clicks.load(rules_of(game)).layout.width
    given = arguments(game, "--seed", "1", "--steps")
    answers = drive(library, "clicks", width, given)
    assert answers[-1] == "RESIGN"


@EVERY_GAME
def test_abort(game: str, library: Path) -> None:
    rules = open_game(game)
    width = clicks.load(rules).layout.width
    given = ["--game", game, "--seconds", "600", "--seed", "1", "--steps"]
    drive(library, "abort", width, given)
