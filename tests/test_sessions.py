"""Whole conversations: tests/sessions/*.txt, replayed and compared as text.

The first line of a file is a comment with the options of `crosscut gtp`.
`pytest --rewrite-sessions` writes the answers anew; read the difference.
"""

from pathlib import Path

import pytest

from tools.converse import open_session, replay

FILES = sorted((Path(__file__).parent / "sessions").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_session(path: Path, pytestconfig: pytest.Config) -> None:
    expected = path.read_text(encoding="utf-8")
    arguments = expected.splitlines()[0].removeprefix("#")
    got = replay(open_session(arguments), expected)

    if pytestconfig.getoption("--rewrite-sessions"):
        path.write_text(got, encoding="utf-8", newline="\n")
    assert got == path.read_text(encoding="utf-8")
