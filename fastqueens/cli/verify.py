"""``fastqueens verify``: is this board a solution, and do the given queens stand on it; if not, what is wrong first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from fastqueens.cli import options
from fastqueens.cli.given import given_squares, queen_option, queens_file_option
from fastqueens.cli.notes import commented
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import count, file_label

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastqueens.board import Queens


@click.command(
    epilog="\b\nExamples:\n  fastqueens verify board.npy\n  fastqueens verify answer.txt --queens-file puzzle.csv"
)
@click.argument("file", type=options.FILE)
@queen_option
@queens_file_option
@options.rows_from
@options.threads
@options.as_json
@options.quiet
@click.pass_obj
def verify(
    session: Session,
    file: str,
    queen: tuple[str, ...],
    queens_file: str | None,
    rows_from: int,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Tell whether the board in FILE (- for stdin) is a solution, on which the given queens stand if there are any.

    The exit code is 0 if no queen attacks another and no given one is missing. Otherwise it is 1, the attacking pairs
    are counted and the first is named: that whose right queen is leftmost. Of missing queens the leftmost is named.
    """
    from fastqueens import attacking_pairs, first_attack, is_solution, read_board

    if file == queens_file == "-":
        raise click.UsageError("FILE and --queens-file: stdin cannot carry both.")
    with commented(session.display, quiet=quiet):
        session.display.report(f"reading {file_label(file)}")
        queens = read_board(file, rows_from=rows_from)
        given = given_squares(session, len(queens), queen, queens_file, rows_from)
        # The quick question first: who attacks whom is found on one thread.
        is_solved = is_solution(queens, threads=threads, **session.hooks)
        attack = None if is_solved else first_attack(queens, **session.hooks)
        pairs = 0 if is_solved else attacking_pairs(queens, threads=threads, **session.hooks)
    squares = [] if attack is None else [(column, int(queens[column]) + rows_from) for column in attack]
    missing = [] if given is None else _missing(queens, given, rows_from)
    if as_json:
        found = {
            "n": len(queens),
            "solved": attack is None and not missing,
            "pairs": pairs,
            "first_attack": squares or None,
            "missing_queens": len(missing),
            "first_missing": missing[0] if missing else None,
        }
        click.echo(json.dumps(found))
    if not quiet:
        click.echo(_sentence(queens, pairs, squares), err=as_json)
        if given is not None:
            click.echo(_given_sentence(len(given), missing), err=as_json)
    return SOLVED if attack is None and not missing else NOT_SOLVED


def _missing(queens: Queens, given: NDArray[np.int64], rows_from: int) -> list[list[int]]:
    """Those of the given squares on which no queen stands."""
    missing = given[queens[given[:, 0]] != given[:, 1]]
    missing[:, 1] += rows_from
    return missing.tolist()  # type: ignore[no-any-return]


def _given_sentence(given: int, missing: list[list[int]]) -> str:
    if not missing:
        return f"{count(given, 'given queen')}: none is missing."
    column, row = missing[0]
    first = "it" if len(missing) == 1 else "the first"
    return (
        f"{click.style('Not as given', fg='red')}: {len(missing):,} of {count(given, 'given queen')} "
        f"{'is' if len(missing) == 1 else 'are'} missing, {first} in column {column}, row {row}."
    )


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
