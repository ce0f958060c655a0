"""``fastqueens show``: a board from a file, as text or as a picture, its conflicts, and what its moves would cost."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.plot import check_picture_file
from fastqueens.cli.session import Session
from fastqueens.cli.wording import count, drawing, file_label, move_costs_drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fastqueens.board import Queens

#: Moves that are named in a sentence.
_A_HANDFUL = 5


@click.command(
    epilog="\b\nExamples:\n  fastqueens show board.txt --origin lower\n  fastqueens show board.txt -o board.png"
)
@click.argument("file", type=options.FILE)
@options.rows_from
@options.origin
@click.option(
    "--move-costs",
    is_flag=True,
    help="Draw on each square the cost of moving the queen of its column there: how many attacking pairs there are "
    "then. Q marks the queens, * the best moves.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE",
    help="Draw a picture in this file, .png .pdf .svg, instead of text: queen by queen up to 400 of them, how they are "
    "spread beyond; up to 40 with --move-costs.",
)
@click.option(
    "--mark",
    type=int,
    multiple=True,
    metavar="COLUMN",
    help="Mark a queen in the picture. May be given several times. The first column is 0.",
)
@click.option("--title", metavar="TEXT", callback=options.letters, help="What stands above the picture.")
@click.option("--dpi", type=click.IntRange(20, 1200), metavar="DOTS", help="Dots an inch in the picture.")
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
    with commented(session.display):
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
    click.echo(
        f"{count(len(queens), 'queen')}, {count(pairs, 'attacking pair')}, {count(conflicting, 'conflicting queen')}."
    )
    if moves is not None:
        click.echo(click.wrap_text(moves.sentence(rows_from), columns))


def _check_usage(
    output: str | None, move_costs: bool, mark: tuple[int, ...], title: str | None, dpi: int | None
) -> None:
    """Refuse what cannot be meant together, and a picture that could not be written."""
    if output is None:
        given = {"--mark": bool(mark), "--title": title is not None, "--dpi": dpi is not None}
        for option in (option for option, is_given in given.items() if is_given):
            raise click.UsageError(f"{option}: it is for pictures; say with -o where to write one.")
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
    return picture(queens, marked=mark, **look, **session.hooks)


def _save(picture: Figure, path: str, dpi: int | None) -> None:
    from fastqueens.pictures.saving import save_picture

    save_picture(picture, path, dpi=dpi or picture.dpi)


def _conflicts(session: Session, queens: Queens, threads: int | None) -> tuple[int, int]:
    """Attacking pairs and conflicting queens."""
    from fastqueens import attacking_pairs, conflicting_queens, is_solution

    watching: dict[str, Any] = {"threads": threads, **session.hooks}
    # Of a billion queens that takes seconds, and counting minutes.
    if is_solution(queens, **watching):
        return 0, 0
    return attacking_pairs(queens, **watching), conflicting_queens(queens, **watching)


def _board_text(queens: Queens, origin: str, columns: int) -> str:
    """The board, or why it is not drawn."""
    if 2 * len(queens) - 1 > columns:
        return f"The board is not drawn: it needs {2 * len(queens) - 1:,} columns, and there are {columns}."
    return drawing(queens, origin)


class _Moves:
    """The moves of a board: what each of them costs, and which are best."""

    def __init__(self, queens: Queens, session: Session) -> None:
        from fastqueens.classroom.moves import best_moves, move_costs

        session.display.report("costs of moves")
        self._queens = queens
        self._costs = move_costs(queens)
        self._best = best_moves(queens, self._costs)

    def drawing(self, origin: str, columns: int) -> str:
        """The cost on each square, or why it is not drawn."""
        from fastqueens.drawing import move_costs_width

        width = move_costs_width(self._costs)
        if width > columns:
            return f"The costs are not drawn: they need {width:,} columns, and there are {columns}."
        return move_costs_drawing(self._costs, self._queens, self._best, origin)

    def sentence(self, rows_from: int) -> str:
        """Say which moves are best, the first ones by name."""
        if not len(self._best):
            return "No move: the board has one row."
        column, row = self._best[0]
        least = self._costs[row, column]
        stuck = "Every move raises the cost. " if least > self._costs[self._queens[column], column] else ""
        named = [f"column {column} to row {row + rows_from}" for column, row in self._best[:_A_HANDFUL]]
        if len(self._best) == 1:
            return f"{stuck}Best move: cost {least:,}, {named[0]}."
        more = f" and {len(self._best) - _A_HANDFUL:,} more" if len(self._best) > _A_HANDFUL else ""
        return f"{stuck}Best moves: cost {least:,}, {len(self._best):,} of them: {', '.join(named)}{more}."
