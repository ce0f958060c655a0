"""The arguments and options of ``fastqueens solve``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.fixed_queens import queen_option, queens_file_option
from fastqueens.core.names import STARTS

_OPTIONS: tuple[Callable[..., Any], ...] = (
    click.argument("n", required=False, callback=options.whole_number),
    click.option("-n", "--n", "n_option", metavar="N", callback=options.whole_number, help="Same as the argument N."),
    boards.file_option,
    boards.board_option,
    queen_option,
    queens_file_option,
    options.rows_from,
    click.option(
        "--start",
        type=click.Choice(STARTS),
        default="windowed",
        show_default=True,
        help="How the search places a new board.",
    ),
    click.option(
        "--seed",
        metavar="SEED",
        callback=options.whole_number,
        help="Seed; the same seed repeats the run. Default: a random seed.",
    ),
    click.option(
        "--seeds",
        metavar="LIST",
        callback=options.seeds,
        help="Solve once for each seed, for example 1..100 or 1,5,9, and print a table.",
    ),
    click.option(
        "--max-steps",
        "--maxsteps",
        metavar="STEPS",
        callback=options.whole_number,
        help="Stop after this many steps in total. Default: no limit.",
    ),
    click.option(
        "--restarts",
        metavar="TIMES",
        callback=options.whole_number,
        help="How often a stuck search may restart from a new board. Default: no limit; at most 20 with fixed queens; "
        "0 with --file or --board.",
    ),
    click.option(
        "--max-nodes",
        metavar="SQUARES",
        callback=options.whole_number,
        help="How many squares the complete search may try. It runs if local search fails and at most 64 columns have "
        "no fixed queen. Default: 10 million.",
    ),
    click.option("--count", "counting", is_flag=True, help="Only count the solutions, for N up to 16."),
    click.option(
        "-o",
        "--output",
        type=options.FILE,
        metavar="FILE",
        help="Write the board: .npy .txt .csv .json, or - for text on stdout. A large board is built in its .npy file, "
        "and does not need to fit into memory.",
    ),
    click.option(
        "--trace",
        type=options.FILE,
        metavar="FILE",
        help="Write the number of conflicts after each step: .csv .json .npz.",
    ),
    click.option(
        "--moves",
        is_flag=True,
        help="Also store each move in the trace (.npz), so that fastqueens explore can play it.",
    ),
    click.option(
        "--plot",
        type=options.FILE,
        metavar="FILE",
        help="Plot the number of conflicts after each step: .png .pdf .svg .jpg .webp. With --seeds, up to 20 runs in "
        "one picture.",
    ),
    click.option(
        "--poster",
        type=options.FILE,
        metavar="FILE",
        help="Draw the board as an A1 poster: .png .pdf .svg .jpg .webp. For more options, see fastqueens poster.",
    ),
    options.threads,
    click.option("--force", is_flag=True, help="Start even if there seems to be too little memory."),
    options.as_json,
    options.quiet,
    options.origin,
)


def solve_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the arguments and options of ``solve`` to a function."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


class SolveCommand(click.Command):
    """A command that reports a negative N as such, not as an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, but explain a negative N."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if not error.option_name[1:2].isdigit():
                raise
            number = next(word for word in words if word.startswith(error.option_name))
            raise click.UsageError(f"N is {number}: a board has at least 1 queen.", ctx) from None
