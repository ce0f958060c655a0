"""``fastqueens show``: draws a board from a file and counts its conflicts."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import Session
from fastqueens.cli.wording import drawing, file_label, move_costs_drawing
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
@click.option("--title", metavar="TEXT", callback=options.utf8_text, help="Text above the picture.")
@click.option("--dpi", type=click.IntRange(20, 1200), metavar="DOTS", help="Dots per inch of the picture.")
@options.threads
@click.pass_obj
def show(
    session: Session,
    file: str,
    rows_from: int,
    origin: str,
    move_costs: bool,
    output: str | None,
    mark: tuple[int, ...],
    title: str | None,
    dpi: int | None,
    threads: int | None,
) -> None:
    """Draw the board in FILE (- for stdin) and count its conflicts."""
    from fastqueens import read_board

    _check_usage(output, move_costs, mark, title, dpi)
    with progress_and_notes(session.display):
        session.display.report(f"reading {file_label(file)}")
        queens = read_board(file, rows_from=rows_from)
        if output is not None:
            session.display.report(f"drawing {file_label(output)}")
            look = {"origin": origin, "rows_from": rows_from, "title": title}
            _save(_picture(session, queens, move_costs, mark, look), output, dpi)
        moves = _Moves(queens, session) if move_costs else None
        pairs, conflicting = _conflicts(session, queens, threads)
    columns = shutil.get_terminal_size().columns
    if output is None:
        click.echo(_board_text(queens, origin, columns) if moves is None else moves.drawing(origin, columns))
    figures = {"queen": len(queens), "attacking pair": pairs, "conflicting queen": conflicting}
    click.echo(", ".join(counted(number, noun) for noun, number in figures.items()) + ".")
    if moves is not None:
        click.echo(click.wrap_text(moves.sentence(rows_from), columns))


def _check_usage(
    output: str | None, move_costs: bool, mark: tuple[int, ...], title: str | None, dpi: int | None
) -> None:
    """Raise an error if options contradict each other or the picture cannot be written."""
    if output is None:
        for option, is_set in {"--mark": bool(mark), "--title": title is not None, "--dpi": dpi is not None}.items():
            if is_set:
                raise click.UsageError(f"{option} needs a picture: add -o FILE.")
        return
    if mark and move_costs:
        raise click.UsageError("--mark and --move-costs: give one of them.")
    check_picture_file(output)


def _picture(
    session: Session, queens: Queens, move_costs: bool, mark: tuple[int, ...], look: dict[str, Any]
) -> Figure:
    from fastqueens.pictures.boards import move_costs_picture
    from fastqueens.pictures.showing import picture

    if move_costs:
        return move_costs_picture(queens, **look)
    return picture(queens, marked=mark, **look, **session.callbacks)


def _save(picture: Figure, path: str, dpi: int | None) -> None:
    from fastqueens.pictures.saving import save_picture

    save_picture(picture, path, dpi=dpi or picture.dpi)


def _conflicts(session: Session, queens: Queens, threads: int | None) -> tuple[int, int]:
    """Return the numbers of attacking pairs and conflicting queens."""
    from fastqueens import attacking_pairs, conflicting_queens, is_solution

    work: dict[str, Any] = {"threads": threads, **session.callbacks}
    # For a billion queens this check takes seconds, and counting takes minutes.
    if is_solution(queens, **work):
        return 0, 0
    return attacking_pairs(queens, **work), conflicting_queens(queens, **work)


def _board_text(queens: Queens, origin: str, columns: int) -> str:
    """Return the drawn board, or why it is not drawn."""
    if 2 * len(queens) - 1 > columns:
        return f"The board is not drawn: it needs {2 * len(queens) - 1:,} columns, and the terminal has {columns}."
    return drawing(queens, origin)


class _Moves:
    """The cost of each move on a board, and the best moves."""

    def __init__(self, queens: Queens, session: Session) -> None:
        from fastqueens.classroom.moves import best_moves, move_costs

        session.display.report("costs of moves")
        self._queens = queens
        self._costs = move_costs(queens)
        self._best = best_moves(queens, self._costs)

    def drawing(self, origin: str, columns: int) -> str:
        """Return the board with the cost on each square, or why it is not drawn."""
        from fastqueens.pictures.text import move_costs_width

        width = move_costs_width(self._costs)
        if width > columns:
            return f"The costs are not drawn: they need {width:,} columns, and the terminal has {columns}."
        return move_costs_drawing(self._costs, self._queens, self._best, origin)

    def sentence(self, rows_from: int) -> str:
        """Return a sentence with the best moves."""
        if not len(self._best):
            return "No move is possible: the board has one row."
        column, row = self._best[0]
        least = self._costs[row, column]
        stuck = "Every move raises the cost. " if least > self._costs[self._queens[column], column] else ""
        named = [f"column {column} to row {row + rows_from}" for column, row in self._best[:_MOST_NAMED]]
        if len(self._best) == 1:
            return f"{stuck}Best move: cost {least:,}, {named[0]}."
        more = f" and {len(self._best) - _MOST_NAMED:,} more" if len(self._best) > _MOST_NAMED else ""
        return f"{stuck}Best moves: cost {least:,}, {len(self._best):,} of them: {', '.join(named)}{more}."
