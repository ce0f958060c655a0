"""``fastqueens verify``: is this board a solution, and if not, who attacks whom first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import count, file_label

if TYPE_CHECKING:
    from fastqueens.board import Queens


@click.command(epilog="\b\nExample:\n  fastqueens verify board.npy")
@click.argument("file", type=options.FILE)
@options.rows_from
@options.threads
@options.as_json
@options.quiet
@click.pass_obj
def verify(session: Session, file: str, rows_from: int, threads: int | None, as_json: bool, quiet: bool) -> int:
    """Tell whether the board in FILE (- for stdin) is a solution.

    The exit code is 0 if no queen attacks another. Otherwise it is 1, and the attacking pairs are counted and the first
    is named: that whose right queen is leftmost.
    """
    from fastqueens import attacking_pairs, first_attack, is_solution, read_board

    with commented(session.display, quiet=quiet):
        session.display.report(f"reading {file_label(file)}")
        queens = read_board(file, rows_from=rows_from)
        watching: dict[str, Any] = {"progress": session.display.report, "stop": session.stop.is_set}
        # The quick question first: who attacks whom is found on one thread.
        is_solved = is_solution(queens, threads=threads, **watching)
        attack = None if is_solved else first_attack(queens, **watching)
        pairs = 0 if is_solved else attacking_pairs(queens, threads=threads, **watching)
    squares = [] if attack is None else [(column, int(queens[column]) + rows_from) for column in attack]
    if as_json:
        found = {"n": len(queens), "solved": attack is None, "pairs": pairs, "first_attack": squares or None}
        click.echo(json.dumps(found))
    if not quiet:
        click.echo(_sentence(queens, pairs, squares), err=as_json)
    return SOLVED if attack is None else NOT_SOLVED


def _sentence(queens: Queens, pairs: int, squares: list[tuple[int, int]]) -> str:
    board = count(len(queens), "queen")
    if not squares:
        return f"{click.style('Solved', fg='green')}: {board}, and no two of them share a row or a diagonal."
    (left, row), (right, other_row) = squares
    line = "row" if row == other_row else "diagonal"
    first = "They are" if pairs == 1 else "The first are"
    return (
        f"{click.style('Not solved', fg='red')}: {board} with {count(pairs, 'attacking pair')}.\n"
        f"{first} column {left}, row {row} and column {right}, row {other_row}, on one {line}."
    )
