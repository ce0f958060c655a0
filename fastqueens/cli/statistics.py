"""The command ``statistics``: densities of boards, compared with the limit shape."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import click

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import INPUT, OUTPUT, Group, Report, argument, command, option, output, refuse
from fastqueens.cli.session import Session

#: On smaller boards, averages over all solutions differ from the limit by more than the errors of 1000 samples.
_NEAR_THE_LIMIT = 50

_PANELS = ("all", "density", "limit", "difference", "diagonals")


class _Figures(Group):
    file: str = argument("FILE", INPUT)
    k: int | None = option("-k CELLS", "Cells along each side. Default: 32, or N on smaller boards.")
    symmetrised: bool = option("--symmetrise", "Average over the eight symmetries of the square.")
    reach: int | None = option("--reach DISTANCE", "Most rows and columns between counted pairs. Default: 8.")
    rows_from: int = options.rows_from


class _Output(Report):
    path: str | None = output("Write all numbers to this file (.npz .csv).")
    plot: str | None = option("--plot FILE", "Draw the statistics in this file (.png .pdf .svg .jpg .webp).", OUTPUT)
    what: str = option(
        "--what WHAT",
        "Draw density, limit, difference, diagonals or all (default).",
        click.Choice(_PANELS),
        default="all",
    )
    size: tuple[float, float] | None = options.size
    theme: str = options.theme


@command(
    "fastqueens statistics board.npy --plot density.png\nfastqueens sample 100 --count 50 -q | fastqueens statistics -"
)
def statistics(session: Session, figures: _Figures, output: _Output) -> None:
    """Compare the density of queens with the limit shape, the density of random solutions on large boards.

    FILE (- for stdin) holds one board or several, written by `fastqueens sample` or by other programs. The boards can
    be solutions or not.

    The command prints the density at the corners, at the middles of the edges and in the centre, and the share of the
    longest diagonals that have a queen. If queens are spread as in random solutions, chi-square per cell is about 1 or
    slightly less; otherwise it is larger. On small boards, even random solutions differ from the limit shape.
    """
    if output.plot is None:
        refuse("{} applies to a plot; add --plot FILE", "what", "size", "theme")
    elif output.size is not None:
        inputs.check_plot(output.plot, output.size)
    if output.path is not None and os.path.realpath(output.path) == os.path.realpath(figures.file):
        raise click.UsageError(f"-o must not name the file of the boards, {output.path}")
    read = inputs.read_boards(session, figures.file)
    if output.plot is not None:
        from fastqueens.pictures.density import check_panels

        check_panels(output.what, read.constraints, output.size)
    found = fastqueens.statistics(
        read.queens, k=figures.k, symmetrised=figures.symmetrised, reach=figures.reach, **session.callbacks
    )
    found = replace(found, constraints=read.constraints)
    if output.path is not None:
        session.writing(output.path)
        found.write(output.path)
    if session.as_json:
        session.json(found.as_dict())
    session.say(_report_of_statistics(found, session.width))
    session.wrote(output.path)
    if output.plot is not None:
        look = partial(found.plot, what=output.what, size=output.size, theme=output.theme)
        session.draw(look, output.plot)


def _report_of_statistics(found: fastqueens.Statistics, width: int | None) -> str:
    """Return the figures as a table, followed by sentences that explain them."""
    from fastqueens._run.tables import Table

    several = "" if found.count == 1 else f"{counted(found.count, 'board')} of "
    k, symmetrised = found.k, ", averaged over the symmetries of the square" if found.symmetrised else ""
    rows = [
        ("density at the corners", found.corner),
        ("density at the middles of the edges", found.edge_middle),
        ("density in the centre", found.centre),
        ("share of longest diagonals with a queen", found.longest_diagonals),
    ]
    columns = 2 if found.constraints else 3
    cells = [[name, f"{value.value:.4f} ± {value.error:.4f}", f"{value.limit:.4f}"][:columns] for name, value in rows]
    table = Table([("place", "measured", "limit shape")[:columns]], {"": cells}).text(width)
    begin = (
        f"{several}{counted(found.n, 'queen')} in {k:,} x {counted(k, 'cell')}{symmetrised}.\n\n{table}\n\n"
        "A density of 1 is the average: one queen per n squares.\n"
    )
    if found.constraints:
        return (
            f"{begin}The boards have {found.constraints}.\n"
            "The limit shape is that of boards without constraints, so there is no comparison."
        )
    end = f"\nEven random solutions of {counted(found.n, 'queen')} differ from the limit shape."
    return (
        f"{begin}Chi-square per cell, compared with the limit shape: {found.chi_square_per_cell:.3f}.\n"
        f"Random permutations have about {found.degrees_of_freedom / found.cells:.2f}."
        f"{end if found.n < _NEAR_THE_LIMIT else ''}"
    )
