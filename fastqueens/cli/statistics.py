"""``fastqueens statistics``: how the queens of one or many boards are spread, next to the limit shape."""

from __future__ import annotations

import json
import math
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label, say, table_text, wrote
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastqueens.sampling.statistics import Measured, Statistics

#: Averages over all solutions of smaller boards differ from the limit by more than the errors of 1000 samples.
_NEAR_THE_LIMIT = 50

#: With fewer queens in a cell, on average, the distribution is not that of chi-square.
_QUEENS_IN_A_CELL = 5


@click.command(
    short_help="Compare the density of boards with that of random solutions.",
    epilog="\b\nExamples:\n  fastqueens statistics board.npy --plot density.png\n"
    "  fastqueens statistics samples.npz --symmetrise -o statistics.csv\n"
    "  fastqueens sample 100 --count 50 -q | fastqueens statistics -",
)
@click.argument("file", type=options.FILE)
@options.number("-k", "cells", metavar="K", help="Divide boards into K x K cells. Default: 32, or N on smaller boards.")
@click.option("--symmetrise", is_flag=True, help="Average over the eight symmetries of the square.")
@options.number(
    "--reach", metavar="R", help="Count pairs of queens up to R rows and columns apart. Default: 8, or N - 1 if less."
)
@options.file("-o", "--output", help="Write all numbers: .npz or .csv.")
@options.file("--plot", help="Draw the statistics: .png .pdf .svg .jpg .webp.")
@options.rows_from
@options.as_json
@options.quiet
@click.pass_obj
def statistics(session: Session, /, **parameters: Any) -> None:
    """Compare how queens are spread with the limit shape, the density of random solutions on large boards.

    FILE is one board or several: a file of `fastqueens sample`, a text file with a line of rows for each board (- for
    stdin), or an .npz file with the array `boards`, one board in each row. The boards need not be solutions.

    The command prints the density at the corners, at the middles of the edges and in the centre, and how many of the
    longest diagonals have a queen. Chi-square per cell is about 1 or a little less if the density is that of random
    solutions, and larger otherwise. On small boards, random solutions themselves differ from their limit.
    """
    request = SimpleNamespace(**parameters)
    _check_files(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        found = _statistics(session, request)
        if request.output is not None:
            session.display.report(f"writing {file_label(request.output)}")
            found.write(request.output)
        if request.plot is not None:
            from fastqueens.pictures.saving import save_picture

            session.display.report("drawing")
            picture = found.plot()
            session.check_stop()
            session.display.report(f"writing {file_label(request.plot)}")
            save_picture(picture, request.plot)
    if request.as_json:
        click.echo(json.dumps(found.as_dict()))
    if not request.quiet:
        click.echo(_report(found), err=request.as_json)
        for path in (request.output, request.plot):
            if path is not None:
                say(wrote(path), err=request.as_json)


def _check_files(request: SimpleNamespace) -> None:
    """Raise an error if a file cannot be written, or would replace the boards."""
    if request.output is not None:
        from fastqueens.files.statistics import STATISTICS_FORMATS

        options.check_output(request.output, STATISTICS_FORMATS)
        if os.path.realpath(request.output) == os.path.realpath(request.file):
            raise click.UsageError(f"{request.output} is the file with the boards: write to another one.")
    if request.plot is not None:
        check_picture_file(request.plot)


def _statistics(session: Session, request: SimpleNamespace) -> Statistics:
    from fastqueens.sampling.statistics import statistics

    queens = _read(session, request)
    choice = {"k": request.cells, "symmetrised": request.symmetrise, "reach": request.reach}
    return statistics(queens, **choice, **session.callbacks)


def _read(session: Session, request: SimpleNamespace) -> NDArray[np.integer[Any]]:
    """Read one board, or an array of boards."""
    if os.path.splitext(request.file)[1].lower() not in ("", ".txt", ".npz"):
        return boards.read(session, request.file, request.rows_from)
    from fastqueens.files.samples import read_sample_boards

    session.display.report(f"reading {file_label(request.file)}")
    return read_sample_boards(request.file, rows_from=request.rows_from)


def _report(found: Statistics) -> str:
    """Return the figures as a table, and sentences about what they are compared with."""
    several = "" if found.count == 1 else f"{counted(found.count, 'board')} of "
    k, symmetrised = found.k, ", averaged over the symmetries of the square" if found.symmetrised else ""
    rows = [
        ("density at the corners", found.corner),
        ("density at the middles of the edges", found.edge_middle),
        ("density in the centre", found.centre),
        ("share of longest diagonals with a queen", found.longest_diagonals),
    ]
    table = table_text(
        ("", "measured", "limit shape"), [(name, _with_error(value), f"{value.limit:.4f}") for name, value in rows],
        show_edge=False, pad_edge=False,
    )  # fmt: skip
    return (
        f"{several}{counted(found.n, 'queen')} in {k:,} x {counted(k, 'cell')}{symmetrised}.\n{table}"
        "A density of 1 is the even share: one queen in n squares.\n"
        f"Chi-square per cell, compared with the limit shape: {found.chi_square_per_cell:.3f}.\n"
        f"Independent queens, one in each row and column, have {_expected(found)}."
    ) + (
        f"\nRandom solutions of {counted(found.n, 'queen')} themselves differ from the limit shape."
        if found.n < _NEAR_THE_LIMIT
        else ""
    )


def _expected(found: Statistics) -> str:
    """Return the mean of chi-square per cell, with its standard deviation if that is the one of chi-square."""
    mean = f"{found.degrees_of_freedom / found.cells:.2f}"
    if found.symmetrised or found.n * found.count < _QUEENS_IN_A_CELL * found.cells:
        return f"about {mean}"
    return f"{mean} ± {math.sqrt(2 * found.degrees_of_freedom) / found.cells:.2f}"


def _with_error(value: Measured) -> str:
    return f"{value.value:.4f} ± {value.error:.4f}"
