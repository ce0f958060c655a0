"""``fastqueens show``: a board from a file, drawn as text, its conflicts, and what its moves would cost."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import Session
from fastqueens.cli.wording import count, drawing, file_label, move_costs_drawing

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: Moves that are named in a sentence.
_A_HANDFUL = 5


@click.command(epilog="\b\nExample:\n  fastqueens show board.txt --origin lower")
@click.argument("file", type=options.FILE)
@options.rows_from
@options.origin
@click.option(
    "--move-costs",
    is_flag=True,
    help="Draw on each square the cost of moving the queen of its column there: how many attacking pairs there are "
    "then. Q marks the queens, * the best moves.",
)
@options.threads
@click.pass_obj
def show(session: Session, file: str, rows_from: int, origin: str, move_costs: bool, threads: int | None) -> None:
    """Draw the board in FILE (- for stdin) and count its conflicts."""
    from fastqueens import attacking_pairs, conflicting_queens, read_board

    with commented(session.display):
        session.display.report(f"reading {file_label(file)}")
        queens = read_board(file, rows_from=rows_from)
        moves = _Moves(queens, session) if move_costs else None
        pairs, conflicting = (
            ask(queens, threads=threads, progress=session.display.report, stop=session.stop.is_set)
            for ask in (attacking_pairs, conflicting_queens)
        )
    columns = shutil.get_terminal_size().columns
    if moves is not None:
        click.echo(moves.drawing(origin, columns))
    elif 2 * len(queens) - 1 <= columns:
        click.echo(drawing(queens, origin))
    else:
        click.echo(f"The board is not drawn: it needs {2 * len(queens) - 1:,} columns, and there are {columns}.")
    click.echo(
        f"{count(len(queens), 'queen')}, {count(pairs, 'attacking pair')}, {count(conflicting, 'conflicting queen')}."
    )
    if moves is not None:
        click.echo(click.wrap_text(moves.sentence(rows_from), columns))


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
