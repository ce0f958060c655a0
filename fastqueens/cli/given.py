"""Given queens on the command line, and how many boards they leave."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.session import NO_SOLUTION, SOLVED, Session
from fastqueens.cli.wording import count, file_label

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

queen_option = click.option(
    "--queen",
    "queen",
    multiple=True,
    metavar="COLUMN,ROW",
    help="A queen must stand here. May be given several times.",
)

queens_file_option = click.option(
    "--queens-file",
    type=options.FILE,
    metavar="GIVEN",
    help="Queens must stand on the squares in this file, a line COLUMN,ROW each; - for stdin.",
)


def given_squares(
    session: Session, n: int, queen: tuple[str, ...], queens_file: str | None, rows_from: int, *, to_solve: bool = False
) -> NDArray[np.int64] | None:
    """The given queens of both options, None where there are none; errors count the rows as the user does.

    ``to_solve``: those of :func:`fastqueens.solve` too, which counts them from 0.
    """
    if not queen and queens_file is None:
        return None
    import numpy as np

    from fastqueens.given import given_queens
    from fastqueens.givenfile import parse_square, read_given

    squares = np.array([parse_square(text, rows_from=rows_from) for text in queen], np.int64).reshape(-1, 2)
    if queens_file is not None:
        session.display.report(f"reading {file_label(queens_file)}")
        squares = np.concatenate([squares, read_given(queens_file, n, rows_from=rows_from)])
    given = given_queens(squares, n, rows_from=rows_from)
    if to_solve and rows_from:
        from fastqueens.exact import check_open
        from fastqueens.watch import Watch

        check_open(n, given, Watch(session.display.report, session.stop.is_set), rows_from=rows_from)
    return np.stack([given.columns, given.rows], axis=1)


def count_solutions(
    session: Session, n: int, squares: NDArray[np.int64] | None, threads: int | None, *, as_json: bool, quiet: bool
) -> int:
    """Say how many solutions there are; the exit code."""
    import fastqueens

    found = fastqueens.count_solutions(n, squares, threads=threads, **session.hooks)
    session.display.clear()
    given = 0 if squares is None else len(squares)
    if as_json:
        click.echo(json.dumps({"n": n, "given_queens": given, "solutions": found}))
    elif quiet:
        click.echo(found)
    else:
        beside = f" with {count(given, 'given queen')}" if given else ""
        click.echo(f"{count(found, 'solution')} for n = {n}{beside}.")
    return SOLVED if found else NO_SOLUTION
