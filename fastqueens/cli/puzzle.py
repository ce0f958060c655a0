"""``fastqueens puzzle``: makes a board with some fixed queens; the others are left to place."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label, in_bold, legend
from fastqueens.core.integers import new_seed
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Boards below this n are drawn.
_DRAWN_BELOW = 33

#: Up to this n the solutions are counted too.
_LARGEST_COUNTED = 12

_FILE_SUFFIXES = (".csv", ".txt")


@click.command(
    short_help="Make a completion puzzle: some queens are fixed.",
    epilog="\b\nExamples:\n  fastqueens puzzle 8 --queens 2 --solvable --seed 1\n"
    "  fastqueens puzzle 20 -o fixed.csv -o puzzle.pdf\n  fastqueens solve 20 --queens-file fixed.csv",
)
@click.argument("n", type=options.whole_number)
@options.number("--queens", metavar="K", help="Number of fixed queens. Default: a quarter of N.")
@options.number("--seed", metavar="SEED", help="Seed; the same seed repeats the puzzle. Default: a random seed.")
@click.option(
    "--solvable", is_flag=True, help="Take the fixed queens from a solution. Otherwise the puzzle may have no solution."
)
@click.option(
    "-o",
    "--output",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="Write the fixed queens as lines COLUMN,ROW (.csv .txt), or draw them (.png .pdf .svg .jpg .webp). May be "
    "repeated.",
)
@options.rows_from
@options.origin
@options.quiet
@click.pass_obj
def puzzle(session: Session, /, **parameters: Any) -> None:
    """Make a completion puzzle: an N x N board with K queens, none of which attacks another.

    The task is to place the other N - K queens.
    """
    request = SimpleNamespace(**parameters)
    _check_files(request.output)
    with progress_and_notes(session.display, quiet=request.quiet):
        import fastqueens

        n = request.n
        seed = new_seed() if request.seed is None else request.seed
        queens = n // 4 if request.queens is None else request.queens
        squares = fastqueens.puzzle(n, queens, seed=seed, solvable=request.solvable, **session.callbacks)
        session.check_stop()
        for path in request.output:
            session.display.report(f"writing {file_label(path)}")
            _write(path, squares, request)
        solutions = _solutions(session, n, squares)
    if request.quiet:
        return
    if n < _DRAWN_BELOW:
        from fastqueens.core.instance import make_instance
        from fastqueens.pictures.text import draw_instance

        drawing = in_bold(draw_instance(make_instance(n, squares), request.origin))
        click.echo(f"\n{drawing}{legend(drawing)}\n")
    click.echo(f"{counted(len(squares), 'fixed queen')} for n = {n:,}, seed {seed}.{solutions}")


def _check_files(paths: tuple[str, ...]) -> None:
    """Raise an error if one of the files cannot be written."""
    from fastqueens.pictures.saving import PICTURE_FORMATS

    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise click.UsageError("-o: the same file is given twice.")
    for path in paths:
        options.check_output(path, (*_FILE_SUFFIXES, *PICTURE_FORMATS))


def _write(path: str, squares: NDArray[np.int64], request: SimpleNamespace) -> None:
    if os.path.splitext(path)[1].lower() in _FILE_SUFFIXES:
        from fastqueens.files.fixed_queens import write_fixed_queens

        write_fixed_queens(path, squares, rows_from=request.rows_from)
        return
    from fastqueens.core.instance import make_instance
    from fastqueens.pictures.boards import instance_picture
    from fastqueens.pictures.saving import save_picture

    instance = make_instance(request.n, squares)
    picture = instance_picture(instance, origin=request.origin, rows_from=request.rows_from)
    save_picture(picture, path, dpi=picture.dpi)


def _solutions(session: Session, n: int, squares: NDArray[np.int64]) -> str:
    """Return how many solutions a small puzzle has, as a sentence."""
    import fastqueens

    if n > _LARGEST_COUNTED:
        return ""
    found = fastqueens.count_solutions(n, squares, stop=session.stop.is_set)
    return f" It has {counted(found, 'solution') if found else 'no solution'}."
