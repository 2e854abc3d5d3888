"""Settings of the player as values and as text."""

import math

import pytest

from games.search.settings import READERS, BadSetting, Settings


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        *(("player", text, "random") for text in ("random", "Random", "RANDOM")),
        *(
            ("playouts", "0", 0),
            ("playouts", "0050", 50),
            ("playouts", "2000000000", 2 * 10**9),
        ),
        *(("seconds", "0", 0), ("seconds", "2.5", 2.5), ("seconds", "1e6", 10**6)),
        *(
            ("seconds", ".25", 0.25),
            ("exploration", "100", 100),
            ("exploration", "0", 0),
        ),
        *(("threads", "1", 1), ("threads", "256", 256)),
        *(("tree", "20000", 20_000), ("tree", "200000000", 200_000_000)),
        *(("seed", "0", 0), ("seed", "9223372036854775807", 2**63 - 1)),
    ],
)
def test_reads(name: str, text: str, value: object) -> None:
    made = Settings().with_text(name, text)
    assert getattr(made, name) == value
    assert {n for n in READERS if getattr(made, n) != getattr(Settings(), n)} <= {name}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("player", text) for text in ("", "mctss", "random ", "ｍcts")),
        *(
            (name, text)
            for name in ("playouts", "threads", "tree", "seed")
            for text in (
                "",
                "-1",
                "+1",
                "1.5",
                "1e3",
                "x",
                "1_0",
                "٣",
                "²",
                " 1",
                "9" * 25,
            )
        ),
        *(
            (name, text)
            for name in ("seconds", "exploration")
            for text in ("", "-1", "nan", "inf", "1e9", "x", "1_0", "٣", "0x1")
        ),
        *(("playouts", "2000000001"), ("threads", "0"), ("threads", "257")),
        *(("tree", "19999"), ("tree", "200000001"), ("seed", str(2**63))),
        *(("seconds", "1000000.1"), ("exploration", "100.1")),
    ],
)
def test_refuses(name: str, text: str) -> None:
    with pytest.raises(BadSetting, match=rf"^{name} is '.*', allowed: ") as caught:
        Settings().with_text(name, text)
    assert str(caught.value).isascii()


@pytest.mark.parametrize("name", ["", "x", "Playouts", "é"])
def test_unknown_name(name: str) -> None:
    with pytest.raises(
        BadSetting, match=r"^unknown setting '.*', allowed: player "
    ) as caught:
        Settings().with_text(name, "1")
    assert str(caught.value).endswith(" ".join(READERS))


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        (Settings(), "mcts 0 1 0.3 1 4000000 0"),
        (Settings(playouts=500), "mcts 500 0 0.3 1 4000000 0"),
        (Settings(seconds=0.25, playouts=1), "mcts 1 0.25 0.3 1 4000000 0"),
        (Settings(seconds=123456.75), "mcts 0 123456.75 0.3 1 4000000 0"),
        (Settings(seconds=1_000_000), "mcts 0 1000000 0.3 1 4000000 0"),
        (
            Settings(player="random", exploration=1 / 3, threads=8, seed=2**63 - 1),
            "random 0 1 0.3333333333 8 4000000 9223372036854775807",
        ),
        (
            Settings(playouts=2_000_000_000, tree=200_000_000),
            "mcts 2000000000 0 0.3 1 200000000 0",
        ),
    ],
)
def test_shown(settings: Settings, shown: str) -> None:
    """As `param_search` lists them, and what is shown can be read again."""
    texts = {name: settings.shown(name) for name in READERS}
    assert " ".join(texts.values()) == shown

    made = Settings()
    for name, text in texts.items():
        made = made.with_text(name, text)
    assert [made.shown(name) for name in READERS] == list(texts.values())


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        (Settings(), 1),
        (Settings(playouts=5), math.inf),
        (Settings(seconds=3), 3),
        (Settings(seconds=3, playouts=5), 3),
    ],
)
def test_time_of_a_turn(settings: Settings, seconds: float) -> None:
    assert settings.time == seconds
