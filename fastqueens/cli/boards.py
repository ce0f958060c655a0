"""The board that several commands can be given: in a file, or on the command line itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: The board of those who name none.
QUEENS_IF_NOTHING_IS_GIVEN = 8

file_option = click.option(
    "--file", type=options.FILE, metavar="BOARD", help="Start from the board in this file, - for stdin."
)

board_option = click.option(
    "--board", metavar="ROWS", help='Start from this board, as in --board "2 7 3 6 0 5 1 4".'
)


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
