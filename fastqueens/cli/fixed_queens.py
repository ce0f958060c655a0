"""Fixed queens on the command line: ``--queen`` and ``--queens-file``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label

if TYPE_CHECKING:
    from fastqueens.core.fixed_queens import FixedQueens

queen_option = click.option(
    "--queen",
    "queen",
    multiple=True,
    metavar="COLUMN,ROW",
    help="A queen must stand here. May be repeated.",
)

queens_file_option = click.option(
    "--queens-file",
    type=options.FILE,
    metavar="FILE",
    help="Queens must stand on the squares in this file, one COLUMN,ROW a line; - for stdin.",
)


def fixed_squares(
    session: Session, n: int, queen: tuple[str, ...], queens_file: str | None, rows_from: int
) -> FixedQueens | None:
    """Return the fixed queens of both options, or None without these options; errors count rows as the user does."""
    if not queen and queens_file is None:
        return None
    import numpy as np

    from fastqueens.core.fixed_queens import fixed_queens
    from fastqueens.files.fixed_queens import parse_square, read_fixed_queens

    squares = np.array([parse_square(text, rows_from=rows_from) for text in queen], np.int64).reshape(-1, 2)
    if queens_file is not None:
        session.display.report(f"reading {file_label(queens_file)}")
        squares = np.concatenate([squares, read_fixed_queens(queens_file, n, rows_from=rows_from)])
    return fixed_queens(squares, n, rows_from=rows_from)
