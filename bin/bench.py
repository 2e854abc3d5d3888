"""`crosscut bench`: how fast random games and the search are."""

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

import click

from bin import options
from games import GAMES, open_game, variant_of
from games.contract import Rules
from games.search.player import load_tools
from games.search.settings import Settings
from games.variants import write_variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One game's rates, per second of processor time (of the clock with threads)."""

    game: str
    size: int
    variant: str
    seconds: float
    random_playouts_per_second: float
    random_steps_per_second: float
    steps_per_playout: float
    search_playouts_per_second: float
    signature: str


class Seconds(click.FloatRange):
    """More than no time; click.FloatRange alone takes `nan`."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return seconds


@click.command(short_help="Measure the speed of play.")
@options.game(required=False)
@options.size
@click.option(
    "--seconds",
    type=Seconds(min=0, min_open=True, max=86400),
    default=2.0,
    show_default=True,
    help="How long each of the two rates is measured.",
)
@click.option("--json", "as_json", is_flag=True, help="One object a line, a game each.")
@options.search
def main(
    game: str | None, size: int | None, seconds: float, as_json: bool, search: str
) -> None:
    """Measure random playouts and search playouts, pie off, compilation not counted.

    Rates are per second of the process's own time; with several threads, which share
    it, per second of the clock. The signature comes from fixed searches with default
    settings: it changes exactly when the search behaves differently.
    """
    settings = options.settings(search)
    chosen = [
        without_pie(options.rules(g, size, "-")) for g in ([game] if game else GAMES)
    ]
    if not as_json:
        click.echo("game size  playouts/s  steps/s  steps/playout  search/s  signature")
    for rules in chosen:
        report = measure(rules, settings, seconds)
        if as_json:
            click.echo(json.dumps(asdict(report)))
        else:
            click.echo(
                f"{report.game} {report.size}  {report.random_playouts_per_second:.0f}"
                f"  {report.random_steps_per_second:.0f}"
                f"  {report.steps_per_playout:.2f}"
                f"  {report.search_playouts_per_second:.0f}  {report.signature}"
            )


def without_pie(rules: Rules) -> Rules:
    variant = variant_of(rules)
    if "pie" in variant:
        variant["pie"] = "off"
    return open_game(rules.name, rules.size, variant)


def measure(rules: Rules, settings: Settings, seconds: float) -> Report:
    load_tools(rules)
    from games.search.rates import random_rate, search_rate, signature

    playouts, steps = random_rate(rules, seconds)
    return Report(
        game=rules.name,
        size=rules.size,
        variant=write_variant(variant_of(rules)),
        seconds=seconds,
        random_playouts_per_second=playouts,
        random_steps_per_second=playouts * steps,
        steps_per_playout=steps,
        search_playouts_per_second=search_rate(rules, settings, seconds),
        signature=signature(rules),
    )
