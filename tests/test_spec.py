"""spec/ and the code name the same games, paragraphs, commands, sizes and values."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from games import GAMES, clicks, open_game
from games.search.settings import READERS, BadSetting, Settings
from games.variants import Option
from protocol.commands import COMMANDS
from protocol.errors import FIXED_TEXTS
from protocol.inbox import LONGEST_LINE, READ_AHEAD
from tools.converse import open_session, replay

ROOT = Path(__file__).parents[1]
PROTOCOL = (ROOT / "spec" / "protocol.md").read_text(encoding="utf-8")
SOURCES = [
    path
    for layer in ("games", "protocol", "bin")
    for path in (ROOT / layer).rglob("*.py")
]
DOCUMENTS = [*(ROOT / "spec").rglob("*.md"), ROOT / "README.md"]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def spec(game: str) -> str:
    return read(ROOT / "spec" / f"{game}.md")


def headings(text: str) -> list[str]:
    """The numbers of the paragraphs, `3` and `3.1`."""
    return re.findall(r"^##+ (\d+(?:\.\d+)*) ", text, re.M)


def sections(text: str, mark: str) -> dict[str, str]:
    """What stands below each heading, up to the next one of its level or above."""
    parts = re.split(rf"^{mark} (.+)$", text, flags=re.M)
    below = rf"^#{{1,{len(mark)}}} "
    bodies = (re.split(below, body, flags=re.M)[0] for body in parts[2::2])
    return dict(zip(parts[1::2], bodies, strict=True))


def table(text: str) -> list[dict[str, str]]:
    """The rows of the first table that tells defaults."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        head, _, *rows = (
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in block.splitlines()
        )
        if any("default" in cell for cell in head):
            return [dict(zip(head, row, strict=True)) for row in rows]
    return []


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_paragraphs_are_numbered_in_order() -> None:
    for path in (ROOT / "spec").glob("*.md"):
        numbers = [tuple(map(int, n.split("."))) for n in headings(read(path))]
        assert numbers
        assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_cited_paragraphs_of_games_exist(game: str) -> None:
    """Each § in the rules and in the kernel is a paragraph of spec/<game>.md."""
    rules = ROOT / "games" / f"{game}.py"
    kernel = ROOT / "games" / "kernels" / f"{game}.py"
    cited = set(re.findall(r"§(\d+(?:\.\d+)*)", read(rules) + read(kernel)))

    assert cited
    assert cited <= set(headings(spec(game)))


@pytest.mark.parametrize("name", ["protocol", *sorted(GAMES)])
def test_paragraphs_cited_by_name_exist(name: str) -> None:
    """Each `<name> §N`, wherever it stands, in the code and in the documents."""
    one = r"§\d+(?:\.\d+)*"
    named = re.compile(rf"\b{name}(?:\.md)?`? ({one}(?:(?:, | and ){one})*)")
    cited = {
        number
        for path in [*SOURCES, *DOCUMENTS]
        for several in named.findall(read(path))
        for number in re.findall(one, several)
    }

    assert cited
    assert {number.removeprefix("§") for number in cited} <= set(headings(spec(name)))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "spec").glob("*.md")), ids=lambda path: path.stem
)
def test_documents_cite_their_own_paragraphs(path: Path) -> None:
    """A § without a name before it is one of the same document."""
    unnamed = re.sub(rf"\b(?:protocol|{'|'.join(GAMES)}) §[\d.]+", "", read(path))
    cited = re.findall(r"§(\d+(?:\.\d+)*)", unnamed)

    assert set(cited) <= set(headings(read(path)))


def test_every_command_is_described() -> None:
    assert re.findall(r"^### (.+)$", PROTOCOL, re.M) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_usage(name: str) -> None:
    """The description begins with the usage that a syntax error shows."""
    body = sections(PROTOCOL, "###")[name]
    assert body.strip().splitlines()[0] == f"`{COMMANDS[name]}`"


PLAIN, STEPS = re.findall(r"^    crosscut gtp (.*)$", PROTOCOL, re.M)

EXAMPLES = [
    (title.split(" ")[-1].lower(), dedent(block.group()))
    for mark in ("##", "###")
    for title, body in sections(PROTOCOL, mark).items()
    if mark == "###" or title[:2] in ("1 ", "9 ")
    for block in re.finditer(r"^    > .*\n(?:(?:    .*)?\n)*", body, re.M)
]


def bare(text: str) -> list[str]:
    """Lines as an editor leaves them."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


def test_there_are_examples() -> None:
    assert {"purpose", "play", "genmove", "undo", "param_search"} <= dict(
        EXAMPLES
    ).keys()


@pytest.mark.parametrize(("title", "example"), EXAMPLES)
def test_examples_of_the_protocol(title: str, example: str) -> None:
    """They are what the command lines named in §1 and in §9 answer."""
    in_steps = title == "mode" or title.startswith("gogui-rules_")
    got = replay(open_session(STEPS if in_steps else PLAIN), example)

    assert bare(got) == bare(example)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_grids_of_step_mode(game: str) -> None:
    """§9 shows where the control cells of each game lie."""
    told = sections(PROTOCOL, "##")["9 Step mode"].split(f"**{game.capitalize()}.**")[1]
    size = re.findall(r"Size (\d+)", told)[0]
    pie = {"pie": "on"} if hasattr(GAMES[game], "pie") else {}
    layout = clicks.load(open_game(game, int(size), pie)).layout
    rows = re.findall(r"^    +(\d+) +(.*)$", told.split("**")[0], re.M)

    def shown(vertex: tuple[int, int]) -> str:
        control = layout.controls.get(vertex)
        return control.label if control else "." if vertex in layout else "?"

    span = range(layout.width)
    assert {int(row): cells.split() for row, cells in rows} == {
        y + 1: [shown((x, y)) for x in span] for y in span
    }


def test_fixed_words_are_described() -> None:
    body = sections(PROTOCOL, "##")["3 Answers"]
    described = [word.removesuffix(": ") for word in words(body)]

    assert {*FIXED_TEXTS.values(), "unknown command", "syntax error"} <= set(described)
    assert {"cannot undo", "cannot score", "internal error"} <= set(described)


def test_limits_of_lines() -> None:
    body = sections(PROTOCOL, "##")["2 Command lines"]
    assert f"at most {LONGEST_LINE} bytes" in body
    assert f"After {READ_AHEAD:,} waiting lines" in body


def test_settings_table() -> None:
    """Names, ranges and defaults of the player's settings."""
    rows = {words(row["key"])[0]: row for row in table(PROTOCOL)}
    made = Settings()

    assert list(rows) == list(READERS)
    for name, row in rows.items():
        allowed = words(row["values"]) or row["values"].split(" to ")
        for text in allowed:
            assert made.with_text(name, text)
        with pytest.raises(BadSetting, match="allowed: " + "(?: to | )".join(allowed)):
            made.with_text(name, "?")
        if name != "seed":
            assert made.with_text(name, row["default"].strip("`")) == made


@pytest.mark.parametrize("game", sorted(GAMES))
def test_sizes_of_games(game: str) -> None:
    """§1 tells the smallest, the largest and the default size."""
    (board,) = (
        " ".join(body.split())
        for title, body in sections(spec(game), "##").items()
        if title.startswith("1 ")
    )
    told = re.search(r"(\d+) to (\d+)\D{1,30}\bdefault\D{1,5}(\d+)", board)
    sizes = GAMES[game].sizes

    assert told
    assert tuple(map(int, told.groups())) == (sizes.low, sizes.high, sizes.default)
    assert sizes.step == 1 or "even number" in board
    assert GAMES[game].size == sizes.default


@pytest.mark.parametrize(
    ("game", "option"),
    [
        pytest.param(game, option, id=f"{game}-{option.name}")
        for game in sorted(GAMES)
        for option in GAMES[game].options
    ],
)
def test_options_of_games(game: str, option: Option) -> None:
    """The text names every value of every option, and the default as such."""
    text = " ".join(spec(game).split())
    rows = [row for row in table(spec(game)) if f"`{option.name}`" in row.values()]
    default = option.write(option.values[0])
    for word in option.words:
        assert f"`{option.name}={word}`" in text or f"`{word}`" in str(rows)

    as_prose = rf"`{option.name}={default}`,? \(?(?:the )?default"
    in_table = [
        words(cell)[0]
        for row in rows
        for head, cell in row.items()
        if head == "default" or head.endswith("the default first")
    ]
    assert in_table == [default] or re.search(as_prose, text)
