"""The arguments and options of ``fastqueens solve``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.fixed_queens import queen_option, queens_file_option
from fastqueens.core.names import STARTS

_OPTIONS: tuple[Callable[..., Any], ...] = (
    click.argument("n", required=False, type=options.whole_number),
    options.number("-n", "--n", "n_option", metavar="N", help="Same as the argument N."),
    boards.file_option,
    boards.board_option,
    queen_option,
    queens_file_option,
    options.rows_from,
    click.option(
        "--start", type=click.Choice(STARTS), default="windowed", show_default=True, help="How to place a board."
    ),
    options.number("--seed", metavar="SEED", help="Repeats a run. Default: a random seed."),
    click.option(
        "--seeds", metavar="LIST", type=options.seeds, help="Solve for many seeds, as a table: 1..100 or 1,5,9."
    ),
    options.number(
        "--max-steps", "--maxsteps", metavar="STEPS", help="Give up after this many steps in all. Default: no limit."
    ),
    options.number(
        "--restarts",
        metavar="TIMES",
        help="How often a stuck search may restart from a new board. Default: until solved, but at most 20 times with "
        "fixed queens, and never from --file or --board.",
    ),
    options.number(
        "--max-nodes",
        metavar="SQUARES",
        help="If fixed queens leave at most 64 columns and local search does not fill them, a complete search tries at "
        "most this many squares. Default: 10 million.",
    ),
    click.option("--count", "counting", is_flag=True, help="Only count the solutions, for N up to 16."),
    click.option(
        "-o",
        "--output",
        type=options.FILE,
        metavar="FILE",
        help="Write the board: .npy .txt .csv .json, or - for text on stdout. A large board is built in its .npy file "
        "and need not fit into memory.",
    ),
    click.option(
        "--trace", type=options.FILE, metavar="FILE", help="Write the conflicts after each step: .csv .json .npz."
    ),
    click.option(
        "--moves", is_flag=True, help="Store each move in the trace too (.npz), for fastqueens explore to play."
    ),
    click.option(
        "--plot",
        type=options.FILE,
        metavar="FILE",
        help="Plot the conflicts after each step: .png .pdf .svg .jpg .webp. With --seeds, up to 20 runs over each "
        "other.",
    ),
    click.option(
        "--poster",
        type=options.FILE,
        metavar="FILE",
        help="Draw the board as an A1 poster: .png .pdf .svg .jpg .webp. fastqueens poster has more options.",
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
