"""The board that several commands can be given: in a file, on the command line itself, or solved for the purpose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label

if TYPE_CHECKING:
    from fastqueens.board import Queens
    from fastqueens.result import Result

#: What is a number of queens and no name of a file.
_A_NUMBER = re.compile(r"[+-]?\d[\d_]*(\.\d+)?(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)

#: The board of those who name none.
QUEENS_IF_NOTHING_IS_GIVEN = 8

file_option = click.option(
    "--file", type=options.FILE, metavar="BOARD", help="Start from the board in this file, - for stdin."
)

board_option = click.option("--board", metavar="ROWS", help='Start from this board, as in --board "2 7 3 6 0 5 1 4".')


def check_one_board(file: str | None, board: str | None) -> None:
    """Refuse two boards."""
    if file is not None and board is not None:
        raise click.UsageError("--file and --board: give one of them.")


def given_board(session: Session, file: str | None, board: str | None, rows_from: int) -> Queens | None:
    """Read the board that was given; None where there is none."""
    from fastqueens.boardfile import parse_board, read_board

    if board is not None:
        return parse_board(board, rows_from=rows_from)
    if file is not None:
        session.display.report(f"reading {file_label(file)}")
        return read_board(file, rows_from=rows_from)
    return None


def asked_size(board: str) -> int | None:
    """The n that BOARD_OR_N means; None where it is a file."""
    if not _A_NUMBER.fullmatch(board):
        return None
    return options.whole_number(click.get_current_context(), click.Argument(["board"]), board)


class FoundBoard(NamedTuple):
    """A board, and how it was solved where it does not come from a file."""

    queens: Queens
    result: Result | None = None


def board_or_solved(
    session: Session, board: str, *, seed: int | None, rows_from: int, threads: int | None, trace: bool = False
) -> FoundBoard:
    """Read the board that BOARD_OR_N means, or solve one."""
    import fastqueens

    n = asked_size(board)
    if n is None:
        if seed is not None:
            raise click.UsageError("--seed: the board comes from a file; a seed is for a board that is solved.")
        session.display.report(f"reading {file_label(board)}")
        return FoundBoard(fastqueens.read_board(board, rows_from=rows_from))
    result = fastqueens.solve(n, seed=seed, trace=trace, threads=threads, **session.hooks)
    session.check_stop()
    return FoundBoard(result.queens, result)
