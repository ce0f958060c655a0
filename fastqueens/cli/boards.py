"""The board that a command works on: from a file, from the command line, or solved for the purpose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label

if TYPE_CHECKING:
    from fastqueens.core.board import Queens
    from fastqueens.solving.result import Result

#: Tells a number of queens from the name of a file.
_NUMBER = re.compile(r"[+-]?\d[\d_]*(\.\d+)?(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)

#: The number of queens if neither N nor a board is given.
DEFAULT_N = 8

file_option = click.option(
    "--file", type=options.FILE, metavar="BOARD", help="Start from the board in this file; - for stdin."
)

board_option = click.option("--board", metavar="ROWS", help='Start from this board: --board "1 3 0 2".')


def check_one_board(file: str | None, board: str | None) -> None:
    """Raise UsageError if both ``--file`` and ``--board`` are given."""
    if file is not None and board is not None:
        raise click.UsageError("--file and --board: give one of them.")


def starting_board(session: Session, file: str | None, board: str | None, rows_from: int) -> Queens | None:
    """Return the board of ``--file`` or ``--board``, or None without these options."""
    from fastqueens.files.boards import parse_board, read_board

    if board is not None:
        return parse_board(board, rows_from=rows_from)
    if file is not None:
        session.display.report(f"reading {file_label(file)}")
        return read_board(file, rows_from=rows_from)
    return None


def parse_n(board_or_n: str) -> int | None:
    """Return the n that BOARD_OR_N means, or None if it names a file."""
    if not _NUMBER.fullmatch(board_or_n):
        return None
    return options.whole_number(click.get_current_context(), click.Argument(["board"]), board_or_n)


def check_seed_of_file(seed: int | None) -> None:
    """Raise UsageError if a seed is given with a board from a file."""
    if seed is not None:
        raise click.UsageError("--seed: the board comes from a file, and only a board that is solved has a seed.")


class ReadOrSolved(NamedTuple):
    """A board, with its result if it was solved and not read from a file."""

    queens: Queens
    result: Result | None = None


def read_or_solve(
    session: Session, board_or_n: str, *, seed: int | None, rows_from: int, threads: int | None, trace: bool = False
) -> ReadOrSolved:
    """Read the board that BOARD_OR_N names, or solve one of that n."""
    import fastqueens

    n = parse_n(board_or_n)
    if n is None:
        check_seed_of_file(seed)
        session.display.report(f"reading {file_label(board_or_n)}")
        return ReadOrSolved(fastqueens.read_board(board_or_n, rows_from=rows_from))
    result = fastqueens.solve(n, seed=seed, trace=trace, threads=threads, **session.callbacks)
    session.check_stop()
    return ReadOrSolved(result.queens, result)
