"""The options of `crosscut match` that say what to play, and how."""

import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from bin.live import VIEWS
from bin.options import pairs_of
from bin.words import numbers, words
from games import GAMES, open_game
from games.errors import BadSize, GameError
from games.variants import parse_variant
from protocol.channel import Limits
from protocol.journal import BadJournal, Journal
from protocol.plan import ON_CRASH, BadPlan, Plan
from protocol.processes import processors
from protocol.schedule import FORMATS
from protocol.strength.sprt import Sprt

Command = TypeVar("Command", bound=Callable[..., Any])


def all_of(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    def decorate(function: Command) -> Command:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


KEYS = "KEY=VALUE ..."
MOST_SLOTS = 1000

plan_options = all_of(
    click.option(
        "--game", type=click.Choice(list(GAMES), case_sensitive=False), help="Game."
    ),
    click.option("--size", type=int, help="Board size; each game has a default."),
    click.option(
        "--variant",
        "--rules",
        default="-",
        metavar="K=V,...",
        help="Options of the game.",
    ),
    click.option(
        "--pie",
        type=click.Choice(["on", "off", "rules"]),
        default="rules",
        help="The pie rule; `rules`: as the variant has it.",
    ),
    click.option(
        "--engine", "engines", multiple=True, metavar=KEYS, help="One engine."
    ),
    click.option("--each", metavar=KEYS, help="Words for all engines, before theirs."),
    click.option(
        "--search",
        default="-",
        metavar="K=V,...",
        help="Settings of all players: the same as --each option.K=V.",
    ),
    click.option(
        "--observer",
        "observers",
        multiple=True,
        metavar=KEYS,
        help="A program that sees every turn.",
    ),
    click.option("--referee", metavar=KEYS, help="A program that judges every game."),
    click.option("--tournament", type=click.Choice(FORMATS), help="Who plays whom."),
    click.option("--seeds", type=int, default=1, help="First engines of a gauntlet."),
    click.option("--rounds", type=int, help="Times that all meet."),
    click.option("--games", type=int, help="2: pairs; 1: single games."),
    click.option(
        "--repeat",
        is_flag=False,
        flag_value="2",
        metavar="[2]",
        type=click.Choice(["2"]),
        help="Two games with each opening: pairs, as they are without it.",
    ),
    click.option(
        "--noswap", is_flag=True, help="The first-named is always Black; no pairs."
    ),
    click.option("--reverse", is_flag=True, help="All colours the other way round."),
    click.option("--maxgames", type=int, help="Games at most."),
    click.option(
        "--openings",
        metavar="SOURCE",
        help="file=F,... or random:plies=2,count=50.",
    ),
    click.option("--srand", type=int, help="Seed of everything; else one is drawn."),
    click.option(
        "--sprt", metavar=KEYS, help="elo0= elo1= alpha= beta= model=: stop when sure."
    ),
    click.option("--maxmoves", type=int, help="Turns of a game at most; 0: no limit."),
    click.option(
        "--resign", metavar=KEYS, help="movecount= score= twosided=: adjudicate."
    ),
    click.option(
        "--on-crash",
        type=click.Choice(ON_CRASH),
        default="retry",
        help="What a crash makes of a game.",
    ),
    click.option(
        "--max-void", type=int, default=2, help="Repeats of a game that crashed."
    ),
    click.option("--event", default="", help="What the match is called in reports."),
    click.option("--site", default="", help="Where it is played."),
)

limit_options = all_of(
    click.option(
        "--startup-ms", type=click.IntRange(1), help="For an engine's first answer."
    ),
    click.option(
        "--ping-ms", type=click.IntRange(1), help="For other answers, but turns."
    ),
    click.option(
        "--stall-ms", type=click.IntRange(1), help="For turns where no clock runs."
    ),
    click.option(
        "--quit-ms",
        type=click.IntRange(0),
        help="For the end, before engines are killed.",
    ),
)

run_options = all_of(
    click.option(
        "--concurrency",
        type=click.IntRange(1, MOST_SLOTS),
        default=1,
        help="Games side by side.",
    ),
    click.option(
        "--use-affinity",
        is_flag=False,
        flag_value="all",
        default="shares",
        show_default=True,
        metavar="[CPUS]",
        help="Where games run; off; or one processor each: all, or such as 0,2,4-7.",
    ),
    click.option(
        "--progress",
        type=click.Choice(list(VIEWS)),
        help="How to show it; tty on a terminal, else lines.",
    ),
    click.option("--recover", is_flag=True, help="Go on after crashes."),
    click.option(
        "--strict", is_flag=True, help="Stop at whatever an engine does wrong."
    ),
    click.option(
        "--wait", type=click.IntRange(0), default=0, help="Ms between games of a slot."
    ),
    click.option(
        "--scoreinterval",
        type=click.IntRange(0),
        default=0,
        help="Games from one table of scores to the next, in lines; 0: by time.",
    ),
    click.option(
        "--ratinginterval",
        type=click.IntRange(0),
        default=0,
        help="Games from one table of ratings to the next, in lines; 0: none.",
    ),
    click.option(
        "--log", metavar=KEYS, help="gtp=failed|all engine=true|false level=."
    ),
    click.option("--pgnresults", metavar="FILE", help="Heads for rating programs."),
    click.option("--csv", metavar="FILE", help="A row a player."),
    click.option(
        "--exit-verdict", is_flag=True, help="Status 0: H1, 10: H0, 11: undecided."
    ),
    limit_options,
)


def plan_of(**options: Any) -> Plan:
    """The match that the options describe; raises BadPlan and click.BadParameter."""
    if not options["game"]:
        raise click.UsageError("Missing option '--game'.")
    game, size, pie = GAMES[options["game"]], options["size"], options["pie"]
    try:
        open_game(game.name, size)
    except BadSize as error:
        raise click.UsageError(f"--size {size}: unacceptable size: {error}") from None
    variant = options["variant"]
    if any(option.name == "pie" for option in game.options):
        try:
            variant = parse_variant(variant) | ({"pie": pie} if pie != "rules" else {})
        except GameError as error:
            raise BadPlan(str(error)) from None
    elif pie == "on":
        raise click.UsageError(f"--pie on: {game.name} has no pie")
    seed = options["srand"]
    out = options.get("out")
    if seed is None and out and os.path.isdir(out):
        try:  # the same command once more goes on with the match
            seed = Journal(out).plan.seed
        except BadJournal:
            seed = None
    for name, sort in (("openings", "random:plies=2,count=50"), ("referee", "cmd=...")):
        if options[name] is not None and not any(words(options[name])):
            raise click.UsageError(f"--{name} needs words, such as {sort}")
    resign = None
    if options["resign"] is not None:
        resign = numbers(
            options["resign"], "--resign", movecount=int, score=float, twosided=False
        )
    games = options["games"]
    if options["repeat"]:
        if games not in (None, 2):
            raise click.UsageError(f"--repeat means --games 2, not --games {games}.")
        games = 2
    return Plan.of(
        game.name,
        [words(engine) for engine in options["engines"]],
        each=[*words(options["each"]), *settings_of(options["search"])],
        size=size,
        variant=variant,
        tournament=options["tournament"],
        seeds=options["seeds"],
        rounds=options["rounds"],
        games=games,
        noswap=options["noswap"],
        reverse=options["reverse"],
        maxgames=options["maxgames"],
        openings=words(options["openings"]),
        seed=seed,
        maxturns=options["maxmoves"],
        resign=resign,
        on_crash=options["on_crash"],
        max_void=options["max_void"],
        event=options["event"],
        site=options["site"],
        sprt=sprt_of(options["sprt"]),
        observers=[words(observer) for observer in options["observers"]],
        referee=words(options["referee"]),
    )


def settings_of(search: str) -> list[str]:
    """As words of engines, which may know other settings than our players.

    >>> settings_of("playouts=50,exploration=0.5")
    ['option.playouts=50', 'option.exploration=0.5']
    """
    return [f"option.{name}={value}" for name, value in pairs_of(search).items()]


def sprt_of(value: str | None) -> Sprt | None:
    if value is None:
        return None
    defaults = {"alpha": 0.05, "beta": 0.05, "model": "normalized"}
    found = numbers(value, "--sprt", elo0=float, elo1=float, **defaults)
    try:
        return Sprt(**found)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--sprt") from None


def limits_of(**options: Any) -> Limits:
    given = {
        field: options[option] / 1000
        for field, option in (
            ("startup", "startup_ms"),
            ("answer", "ping_ms"),
            ("stall", "stall_ms"),
            ("quit", "quit_ms"),
        )
        if options[option] is not None
    }
    return Limits(**given)


def cpus_of(value: str) -> list[list[int]] | None:
    """As protocol.workers wants them.

    >>> cpus_of("0,4-6"), cpus_of("off"), cpus_of("shares")
    ([[0], [4], [5], [6]], [], None)
    """
    if value == "shares":
        return None
    if value == "off":
        return []
    if value == "all":
        return [[cpu] for cpu in processors()]
    found: list[int] = []
    for part in value.strip("[]").split(","):
        span = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part)
        cpus = range(int(span[1]), int(span[2] or span[1]) + 1) if span else ()
        if not cpus:
            reason = f"expected shares, off, all or such as 0,2,4-7, got {value}"
            raise click.BadParameter(reason, param_hint="--use-affinity")
        found += cpus
    return [[cpu] for cpu in found]
