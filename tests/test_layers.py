"""Imports point one way, and the rules come without the compiler.

games <- protocol <- bin. numba and numpy belong to games/kernels and games/search.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ABOVE = {"games": {"protocol", "bin"}, "protocol": {"bin"}}
COMPILED = {"numba", "numpy"}

MODULES = sorted(path for layer in ABOVE for path in (ROOT / layer).rglob("*.py"))
RULES = [
    path
    for path in MODULES
    if path.is_relative_to(ROOT / "games")
    and not any(path.is_relative_to(ROOT / "games" / p) for p in ("kernels", "search"))
]


def name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(nodes: list[ast.AST], deferred: bool) -> Iterator[str]:
    """The packages imported below `nodes`, those inside functions if `deferred`."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield (node.module or "").split(".")[0]
        elif deferred or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports(list(ast.iter_child_nodes(node)), deferred)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_point_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not set(imports([tree], deferred=True)) & ABOVE[layer]


@pytest.mark.parametrize("path", RULES, ids=name)
def test_rules_are_plain_python(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not set(imports([tree], deferred=False)) & COMPILED


@pytest.mark.parametrize("modules", [["games"], [name(path) for path in RULES]])
def test_rules_load_without_the_compiler(modules: list[str]) -> None:
    """Asked of a new process, so that no other test has loaded it."""
    program = f"import sys, {', '.join(modules)}; print({COMPILED} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "set()"
