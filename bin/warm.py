"""`crosscut warm`: compile ahead."""

import time

import click

from games import GAMES
from games.search.player import load_tools


@click.command(short_help="Compile every game ahead.")
@click.option("--clean", is_flag=True, help="Remove the caches of other versions.")
def main(clean: bool) -> None:
    """Compile every game's search now, so that no game waits for it.

    The compiled code is kept in the user's cache folder, or where NUMBA_CACHE_DIR
    says.
    """
    from games.kernels import cache

    if clean:
        for folder in cache.remove_old():
            click.echo(f"removed {folder}")
    for rules in GAMES.values():
        start = time.perf_counter()
        load_tools(rules)
        click.echo(f"{rules.name} {time.perf_counter() - start:.2f} s")
