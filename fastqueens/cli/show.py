"""``fastqueens show``: draws a board from a file and counts its conflicts."""

from __future__ import annotations

import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import Session
from fastqueens.cli.wording import drawing, file_label, move_costs_drawing
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from fastqueens.core.board import Queens

#: The number of best moves to name.
_MOST_NAMED = 5


@click.command(
    short_help="Draw a board and count its conflicts.",
    epilog="\b\nExamples:\n  fastqueens show board.txt --origin lower\n  fastqueens show board.txt -o board.png",
)
@click.argument("file", type=options.FILE)
@options.rows_from
@options.origin
@click.option(
    "--move-costs",
    is_flag=True,
    help="Show on each square how many attacking pairs there are after the queen of its column moves there. Q marks "
    "the queens, * the best moves.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE",
    help="Draw a picture (.png .pdf .svg) instead of text: single queens up to N = 400, and their density on larger "
    "boards. With --move-costs, N is at most 40.",
)
@click.option(
    "--mark",
    type=int,
    multiple=True,
    metavar="COLUMN",
    help="Mark the queen of this column, from 0 on, in the picture. May be repeated.",
)
@click.option("--title", metavar="TEXT", type=options.utf8_text, help="Text above the picture.")
@click.option("--dpi", type=click.IntRange(20, 1200), metavar="DOTS", help="Dots per inch of the picture.")
@options.threads
@click.pass_obj
def show(session: Session, /, **parameters: Any) -> None:
    """Draw the board in FILE (- for stdin) and count its conflicts."""
    request = SimpleNamespace(**parameters)
    _check_usage(request)
    columns = shutil.get_terminal_size().columns
    with progress_and_notes(session.display):
        queens = boards.read(session, request.file, request.rows_from)
        if request.output is not None:
            session.display.report(f"drawing {file_label(request.output)}")
            _save(_picture(session, queens, request), request)
        moves = _moves(session, queens) if request.move_costs else None
        pairs, conflicting = _conflicts(session, queens, request.threads)
    if request.output is None:
        click.echo(_board_text(queens, moves, request.origin, columns))
    figures = {"queen": len(queens), "attacking pair": pairs, "conflicting queen": conflicting}
    click.echo(", ".join(counted(number, noun) for noun, number in figures.items()) + ".")
    if moves is not None:
        click.echo(click.wrap_text(_best_moves_sentence(queens, moves, request.rows_from), columns))


class _Moves(NamedTuple):
    """The cost of each move on a board, and the best moves."""

    costs: NDArray[np.int64]
    best: NDArray[np.int64]


def _check_usage(request: SimpleNamespace) -> None:
    """Raise an error if options contradict each other or the picture cannot be written."""
    if request.output is None:
        only_pictures = {"--mark": request.mark or None, "--title": request.title, "--dpi": request.dpi}
        for option, value in only_pictures.items():
            if value is not None:
                raise click.UsageError(f"{option} needs a picture: add -o FILE.")
        return
    if request.mark and request.move_costs:
        raise click.UsageError("--mark and --move-costs: give one of them.")
    check_picture_file(request.output)


def _picture(session: Session, queens: Queens, request: SimpleNamespace) -> Figure:
    from fastqueens.pictures.boards import move_costs_picture, picture

    look = {"origin": request.origin, "rows_from": request.rows_from, "title": request.title}
    if request.move_costs:
        return move_costs_picture(queens, **look)
    return picture(queens, marked=request.mark, **look, **session.callbacks)


def _save(picture: Figure, request: SimpleNamespace) -> None:
    from fastqueens.pictures.saving import save_picture

    save_picture(picture, request.output, dpi=request.dpi or picture.dpi)


def _moves(session: Session, queens: Queens) -> _Moves:
    from fastqueens.classroom.moves import best_moves, move_costs

    session.display.report("costs of moves")
    costs = move_costs(queens)
    return _Moves(costs, best_moves(queens, costs))


def _conflicts(session: Session, queens: Queens, threads: int | None) -> tuple[int, int]:
    """Return the numbers of attacking pairs and conflicting queens."""
    from fastqueens import attacking_pairs, conflicting_queens, is_solution

    work: dict[str, Any] = {"threads": threads, **session.callbacks}
    # For a billion queens this check takes seconds, and counting takes minutes.
    if is_solution(queens, **work):
        return 0, 0
    return attacking_pairs(queens, **work), conflicting_queens(queens, **work)


def _board_text(queens: Queens, moves: _Moves | None, origin: str, columns: int) -> str:
    """Return the drawn board, with the cost on each square if there are moves, or why it is not drawn."""
    from fastqueens.pictures.text import move_costs_width

    if moves is None:
        width = 2 * len(queens) - 1
        if width > columns:
            return f"The board is not drawn: it needs {width:,} columns, and the terminal has {columns}."
        return drawing(queens, origin)
    width = move_costs_width(moves.costs)
    if width > columns:
        return f"The costs are not drawn: they need {width:,} columns, and the terminal has {columns}."
    return move_costs_drawing(moves.costs, queens, moves.best, origin)


def _best_moves_sentence(queens: Queens, moves: _Moves, rows_from: int) -> str:
    """Return a sentence with the best moves."""
    costs, best = moves
    if not len(best):
        return "No move is possible: the board has one row."
    column, row = best[0]
    least = costs[row, column]
    stuck = "Every move raises the cost. " if least > costs[queens[column], column] else ""
    named = [f"column {column} to row {row + rows_from}" for column, row in best[:_MOST_NAMED]]
    if len(best) == 1:
        return f"{stuck}Best move: cost {least:,}, {named[0]}."
    more = f" and {len(best) - _MOST_NAMED:,} more" if len(best) > _MOST_NAMED else ""
    return f"{stuck}Best moves: cost {least:,}, {len(best):,} of them: {', '.join(named)}{more}."
