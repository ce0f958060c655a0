"""``fastqueens show``: a board from a file, drawn as text, and its conflicts."""

from __future__ import annotations

import shutil

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import Session
from fastqueens.cli.wording import count, drawing, file_label


@click.command(epilog="\b\nExample:\n  fastqueens show board.txt --origin lower")
@click.argument("file", type=options.FILE)
@options.rows_from
@options.origin
@options.threads
@click.pass_obj
def show(session: Session, file: str, rows_from: int, origin: str, threads: int | None) -> None:
    """Draw the board in FILE (- for stdin) and count its conflicts."""
    from fastqueens import attacking_pairs, conflicting_queens, read_board

    with commented(session.display):
        session.display.report(f"reading {file_label(file)}")
        queens = read_board(file, rows_from=rows_from)
        pairs, conflicting = (
            ask(queens, threads=threads, progress=session.display.report, stop=session.stop.is_set)
            for ask in (attacking_pairs, conflicting_queens)
        )
    columns = shutil.get_terminal_size().columns
    if 2 * len(queens) - 1 <= columns:
        click.echo(drawing(queens, origin))
    else:
        click.echo(f"The board is not drawn: it needs {2 * len(queens) - 1:,} columns, and there are {columns}.")
    click.echo(
        f"{count(len(queens), 'queen')}, {count(pairs, 'attacking pair')}, {count(conflicting, 'conflicting queen')}."
    )
