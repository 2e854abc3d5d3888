"""What a match is: all that its results depend on, as a value and as its manifest.

spec/matches.md §9. How many games run side by side, or where, is no part of it.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from games import open_game, variant_of
from games.contract import Rules
from games.errors import BadSize, GameError, shorten
from games.variants import parse_variant, write_variant
from protocol.engines import BadEngine, read_engine, read_watcher
from protocol.openings import BadOpening, read_source
from protocol.referee import BOOK
from protocol.schedule import BadSchedule, Fixture, Schedule
from protocol.strength.sprt import Sprt

VERSION = 1  # of the manifest
ON_CRASH = ("retry", "loss", "void")
LATER = (
    *("noswap", "reverse", "opening_policy", "event", "site"),
    *("max_void", "observers", "referee"),
)
"""Keys that manifests have only where they are not as they ever were: a plan without
them keeps the bytes, and so the id, that it had before there were such keys."""


class BadPlan(ValueError):
    """This is no match; the message is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A match. Make one with `Plan.of`, which checks everything."""

    game: str
    size: int
    variant: str  # with all options
    engines: Mapping[str, Sequence[str]]  # by name, words of spec/matches.md §2
    tournament: str = "pair"
    seeds: int = 1
    rounds: int | None = 1
    games: int = 2
    maxgames: int | None = None
    openings: Sequence[Sequence[str]] = field(default_factory=list, repr=False)
    opening_source: str = ""
    seed: int = 0
    maxturns: int = 0
    resign: Mapping[str, Any] | None = None
    on_crash: str = "retry"
    sprt: Sprt | None = None
    observers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    referee: Mapping[str, Sequence[str]] = field(default_factory=dict)  # or one
    noswap: bool = False
    reverse: bool = False
    opening_policy: str = "round"
    event: str = ""
    site: str = ""
    max_void: int = 2  # repeats of a game that crashed or was spoilt

    @classmethod
    def of(
        cls,
        game: str,
        engines: Sequence[Sequence[str]],
        *,
        size: int | None = None,
        variant: Mapping[str, str] | str = "-",
        each: Sequence[str] = (),
        tournament: str | None = None,
        rounds: int | None = None,
        games: int | None = None,
        noswap: bool = False,
        openings: Sequence[str] = (),
        seed: int | None = None,
        maxturns: int | None = None,
        sprt: Sprt | None = None,
        observers: Sequence[Sequence[str]] = (),
        referee: Sequence[str] = (),
        **others: Any,
    ) -> Self:
        """Check it all; raises BadPlan.

        An engine is a list of `key=value` words, which come after those of `each`;
        observers and the referee are such lists as well, to which `each` is not added.
        The tournament is a pair or a round robin by the number of engines; a seed is
        drawn; there is one round, or with a sequential test no bound of them. Games
        come in pairs, unless `noswap` leaves no colours to exchange.
        `openings` are the words of `read_source`.
        """
        try:
            if isinstance(variant, str):
                variant = parse_variant(variant)
            rules = open_game(game, size, variant)
            named = [read_engine([*each, *words]).name for words in engines]
            words = [[*each, *words] for words in engines]
            observing = [(read_watcher(words).name, list(words)) for words in observers]
            judging = [(read_watcher(referee).name, list(referee))] if referee else []
            check_names([*named, *(name for name, _ in observing + judging)])
            if seed is None:
                seed = secrets.randbelow(2**31)
            if maxturns is None:
                maxturns = rules.match_turns
            if rounds is None and sprt is None and not others.get("maxgames"):
                rounds = 1
            plan = cls(
                game=rules.name,
                size=rules.size,
                variant=write_variant(variant_of(rules)),
                engines=dict(zip(named, words, strict=True)),
                tournament=tournament or ("roundrobin" if len(named) > 2 else "pair"),
                rounds=rounds,
                games=games if games is not None else 1 if noswap else 2,
                noswap=noswap,
                seed=seed,
                maxturns=maxturns,
                sprt=sprt,
                observers=dict(observing),
                referee=dict(judging),
                **others,
            )
            if openings:
                source = read_source(openings)
                made = source.openings(rules, seed)
                plan = replace(
                    plan,
                    openings=made,
                    opening_source=" ".join(openings),
                    opening_policy=source.policy,
                )
        except KeyError as error:
            raise BadPlan(f"unknown game {error}") from None
        except BadSize as error:
            raise BadPlan(f"unacceptable size {size}: {error}") from None
        except (GameError, BadEngine, BadOpening) as error:
            raise BadPlan(str(error)) from None
        return plan.checked()

    def checked(self) -> Self:
        """Raises BadPlan for what the parts by themselves cannot know."""
        try:
            games = len(self.schedule)
        except BadSchedule as error:
            raise BadPlan(str(error)) from None
        if not games:
            raise BadPlan("maxgames is 1, and a pair has two games")
        check_names([*self.engines, *self.observers, *self.referee])
        if len(self.referee) > 1:
            raise BadPlan("there is more than one referee")
        if self.on_crash not in ON_CRASH:
            allowed = " ".join(ON_CRASH)
            raise BadPlan(f"on-crash is {self.on_crash}, allowed: {allowed}")
        if self.sprt and self.tournament != "pair":
            raise BadPlan("a sequential test needs two engines")
        if self.sprt and self.sprt.model == "bayeselo" and self.games == 2:
            raise BadPlan("the model bayeselo is for games=1, not for pairs")
        if self.resign:
            count, score = self.resign["movecount"], self.resign["score"]
            if count < 1 or not 50 <= score <= 100:
                raise BadPlan("resign needs movecount from 1 and score 50 to 100")
        for name, number in (("maxmoves", self.maxturns), ("max-void", self.max_void)):
            if number < 0:
                raise BadPlan(f"{name} is {number}, expected 0 or more")
        for name, text in (("event", self.event), ("site", self.site)):
            if not text.isprintable():
                raise BadPlan(f"{name} is {shorten(text)}, expected one line")
        return self

    @property
    def rules(self) -> Rules:
        return open_game(self.game, self.size, parse_variant(self.variant))

    @property
    def schedule(self) -> Schedule:
        return Schedule(
            players=list(self.engines),
            form=self.tournament,
            seeds=self.seeds,
            rounds=self.rounds,
            games=self.games,
            maxgames=self.maxgames,
            openings=len(self.openings),
            policy=self.opening_policy,
            noswap=self.noswap,
            reverse=self.reverse,
            seed=self.seed,
        )

    def job(self, run: str, fixture: Fixture, attempt: int) -> dict[str, Any]:
        """What the referee needs to play this game; see spec/matches.md §5."""
        job: dict[str, Any] = {
            "head": {
                "run": run,
                "id": fixture.id,
                "seq": fixture.seq,
                "pair": fixture.unit,
                "round": fixture.round,
                "attempt": attempt,
                "book": fixture.opening,
            },
            "game": self.game,
            "size": self.size,
            "variant": self.variant,
            "players": {"black": fixture.black, "white": fixture.white},
            "engines": {
                name: list(self.engines[name])
                for name in (fixture.black, fixture.white)
            },
            "seed": fixture.seed,
            "maxturns": self.maxturns,
        }
        if fixture.opening is not None:
            job["opening"] = list(self.openings[fixture.opening])
        if self.resign:
            job["resign"] = dict(self.resign)
        return job | self.watching

    @property
    def watching(self) -> dict[str, dict[str, list[str]]]:
        """The keys of a job for those who follow games without playing."""
        both = {"observers": self.observers, "referee": self.referee}
        return {
            key: {name: list(words) for name, words in watchers.items()}
            for key, watchers in both.items()
            if watchers
        }

    # The manifest.

    @property
    def manifest(self) -> bytes:
        """The plan as JSON; the same bytes for equal plans."""
        made = {"manifest": VERSION, **asdict(self)}
        for key in LATER:
            if made[key] in (Plan.__dataclass_fields__[key].default, {}):
                del made[key]
        return (json.dumps(made, indent=1) + "\n").encode()

    @property
    def run(self) -> str:
        """The id of the run: the SHA-256 of the manifest."""
        return hashlib.sha256(self.manifest).hexdigest()

    def differences(self, other: "Plan") -> list[str]:
        """The keys that another plan has otherwise, in the order of manifests."""
        here, there = asdict(self), asdict(other)
        # Order counts: engines are numbered by it.
        return [key for key in here if json.dumps(here[key]) != json.dumps(there[key])]

    @classmethod
    def read(cls, manifest: bytes) -> Self:
        """Raises BadPlan."""
        try:
            found = json.loads(manifest)
            if found.pop("manifest") != VERSION:
                raise BadPlan("the manifest is of another version")
            if found["sprt"]:
                found["sprt"] = Sprt(**found["sprt"])
            plan = cls(**found)
            for name, words in plan.engines.items():
                read_engine([*words, f"name={name}"])
            for name, words in {**plan.observers, **plan.referee}.items():
                read_watcher([*words, f"name={name}"])
            assert plan.rules  # or else it raises
            return plan.checked()
        except BadPlan:
            raise
        except RecursionError:
            raise BadPlan("the manifest is unreadable: nested too deeply") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadPlan(f"the manifest is unreadable: {error}") from None


def check_names(names: Sequence[str]) -> None:
    """Raises BadPlan unless they tell all programs of a match apart."""
    if BOOK in names:
        raise BadPlan(f"no engine may be called {BOOK}")
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadPlan(f"two engines are called {twice[0]}: give each a name=")
