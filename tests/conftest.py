"""Readers for the data files beside the tests.

A table file holds cases separated by lines `== name`; a case is `key: value`
lines, and a key without a value takes the indented lines that follow it. What
stands before the first case is for the reader.
"""

from pathlib import Path
from textwrap import dedent

import pytest

HERE = Path(__file__).parent


def read_cases(path: Path) -> dict[str, dict[str, str]]:
    cases: dict[str, dict[str, str]] = {}
    for block in path.read_text(encoding="utf-8").split("\n== ")[1:]:
        name, _, body = block.partition("\n")
        assert name.strip() not in cases, f"two cases are called {name!r}"
        case = cases[name.strip()] = {}
        key = ""
        for line in body.splitlines():
            if line and not line[0].isspace():
                key, _, value = line.partition(":")
                case[key] = value.strip()
            elif key:
                case[key] += line + "\n"
        for key, value in case.items():
            case[key] = dedent(value.strip("\n"))
    return cases


def read_perft(path: Path) -> list[tuple[int, str, list[int]]]:
    """Size, variant and the numbers of turns at depth 1, 2, ... of a .perft file.

    Its lines are `size variant depth turns`, the depths of one start ascending.
    """
    starts: dict[tuple[int, str], list[int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            size, variant, depth, turns = line.split()
            counts = starts.setdefault((int(size), variant), [])
            counts.append(int(turns))
            assert int(depth) == len(counts), f"depth out of order: {line}"
    return [(size, variant, counts) for (size, variant), counts in starts.items()]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-sessions",
        action="store_true",
        help="write the answers into tests/sessions instead of comparing them",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "having(key): run for the table cases that have this key"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test asking for `case` runs once for each case of tests/tables/<TABLE>.

    Marked `having(key)`, it runs only for the cases that have this key.
    """
    if "case" in metafunc.fixturenames:
        cases = read_cases(HERE / "tables" / metafunc.module.TABLE)
        for mark in metafunc.definition.iter_markers("having"):
            cases = {n: case for n, case in cases.items() if mark.args[0] in case}
        assert cases, f"no case for {metafunc.definition.nodeid}"
        metafunc.parametrize("case", cases.values(), ids=cases.keys())
