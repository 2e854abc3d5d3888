"""`crosscut perft`: count the sequences of turns."""

from collections.abc import Callable
from typing import Any

import click

from bin import options
from games.contract import Position, Turn
from games.notation import in_notation_order
from games.perft import Countable, perft, split
from games.search.player import load_tools


@click.command(short_help="Count sequences of turns.")
@options.game()
@options.size
@options.variant
@click.option("--depth", type=click.IntRange(min=1), required=True, help="Turns.")
@click.option("--split", "by_turn", is_flag=True, help="Count by first turn instead.")
@click.option("--kernel", is_flag=True, help="Count with the compiled rules.")
def main(
    game: str, size: int | None, variant: str, depth: int, by_turn: bool, kernel: bool
) -> None:
    """Print how many sequences of exactly 1, 2, ... DEPTH turns there are.

    One line `depth turns` each; `swap` and `pass` are turns, and finished games
    contribute nothing deeper. With --split, lines `TURN count` in notation order.
    """
    start = options.rules(game, size, variant).start()
    root: Countable = start
    readable: Callable[[Position, Any], Turn] = as_it_is
    if kernel:
        load_tools(start.rules)
        from games.kernels.positions import KernelPosition, readable

        root = KernelPosition.of(start)
    if by_turn:
        counts = {
            start.rules.write(readable(start, turn)): count
            for turn, count in split(root, depth)
        }
        for token in in_notation_order(counts):
            click.echo(f"{token} {counts[token]}")
    else:
        for number, count in enumerate(perft(root, depth), 1):
            click.echo(f"{number} {count}")


def as_it_is(position: Position, turn: Turn) -> Turn:
    return turn
