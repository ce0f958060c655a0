"""``fastqueens puzzle``: some queens of a board; the others are for somebody to place."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import Session
from fastqueens.cli.wording import count, file_label, in_bold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Boards below this n are drawn.
_LARGEST_DRAWN = 33

#: Up to this n the solutions are counted in passing.
_LARGEST_COUNTED = 12

_FILE_SUFFIXES = (".csv", ".txt")


@click.command(
    short_help="Make a completion puzzle: some queens are given.",
    epilog="\b\nExamples:\n  fastqueens puzzle 8 --queens 2 --solvable --seed 1\n"
    "  fastqueens puzzle 20 -o given.csv -o puzzle.pdf\n  fastqueens solve 20 --queens-file given.csv",
)
@click.argument("n", callback=options.whole_number)
@click.option(
    "--queens",
    metavar="K",
    callback=options.whole_number,
    help="How many are given. A quarter of N if not given.",
)
@click.option(
    "--seed", metavar="SEED", callback=options.whole_number, help="Repeats a puzzle. One is drawn if none is given."
)
@click.option("--solvable", is_flag=True, help="Take the queens from a solution; otherwise there may be none.")
@click.option(
    "-o",
    "--output",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="Write the given queens, .csv or .txt with lines COLUMN,ROW, or draw them: .png .pdf .svg .jpg .webp. May be "
    "given several times.",
)
@options.rows_from
@options.origin
@options.quiet
@click.pass_obj
def puzzle(
    session: Session,
    n: int,
    queens: int | None,
    seed: int | None,
    solvable: bool,
    output: tuple[str, ...],
    rows_from: int,
    origin: str,
    quiet: bool,
) -> None:
    """Make a completion puzzle: K queens on a board of N, none attacking another; N - K are to be placed."""
    _check_files(output)
    with commented(session.display, quiet=quiet):
        import fastqueens

        seed = secrets.randbelow(10**9) if seed is None else seed
        queens = n // 4 if queens is None else queens
        squares = fastqueens.puzzle(n, queens, seed=seed, solvable=solvable, **session.hooks)
        session.check_stop()
        for path in output:
            session.display.report(f"writing {file_label(path)}")
            _write(path, n, squares, rows_from, origin)
        solutions = _solutions(session, n, squares)
    if quiet:
        return
    if n < _LARGEST_DRAWN:
        from fastqueens.drawing import draw_given

        click.echo(f"\n{in_bold(draw_given(n, squares, origin))}\n")
    click.echo(f"{count(len(squares), 'given queen')} for n = {n:,}, seed {seed}.{solutions}")


def _check_files(paths: tuple[str, ...]) -> None:
    """Find out before the work what cannot be written after it."""
    from fastqueens.pictures.saving import PICTURE_FORMATS
    from fastqueens.wholefile import check_target, checked_suffix

    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise click.UsageError("-o: a file is named twice.")
    for path in paths:
        checked_suffix(path, (*_FILE_SUFFIXES, *PICTURE_FORMATS))
        check_target(path)


def _is_a_list(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in _FILE_SUFFIXES


def _write(path: str, n: int, squares: NDArray[np.int64], rows_from: int, origin: str) -> None:
    if _is_a_list(path):
        from fastqueens.givenfile import write_given

        write_given(path, squares, rows_from=rows_from)
        return
    from fastqueens.pictures.boards import given_picture
    from fastqueens.pictures.saving import save_picture

    picture = given_picture(n, squares, origin=origin, rows_from=rows_from)
    save_picture(picture, path, dpi=picture.dpi)


def _solutions(session: Session, n: int, squares: NDArray[np.int64]) -> str:
    """How many solutions a small puzzle has, as a sentence."""
    import fastqueens

    if n > _LARGEST_COUNTED:
        return ""
    found = fastqueens.count_solutions(n, squares, stop=session.stop.is_set)
    return f" It has {count(found, 'solution') if found else 'no solution'}."
