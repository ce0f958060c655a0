"""``fastqueens verify``: checks whether a board is a solution that holds the fixed queens."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastqueens.core.board import Queens


@click.command(
    short_help="Check whether a board is a solution.",
    epilog="\b\nExamples:\n  fastqueens verify board.npy\n  fastqueens verify answer.txt --queens-file fixed.csv",
)
@click.argument("file", type=options.FILE)
@boards.queen_option
@boards.queens_file_option
@options.rows_from
@options.threads
@options.as_json
@options.quiet
@click.pass_obj
def verify(session: Session, /, **parameters: Any) -> int:
    """Check whether the board in FILE (- for stdin) is a solution and holds all fixed queens.

    The exit code is 0 if no queen attacks another and no fixed queen is missing, otherwise 1. In that case, the command
    prints the number of attacking pairs, and names the first pair from the left: the one whose right queen is leftmost.
    It also prints the number of missing fixed queens, and names the leftmost.
    """
    from fastqueens import attacking_pairs, first_attack, is_solution

    request = SimpleNamespace(**parameters)
    if request.file == request.queens_file == "-":
        raise click.UsageError("FILE and --queens-file cannot both be read from stdin.")
    with progress_and_notes(session.display, quiet=request.quiet):
        queens = boards.read(session, request.file, request.rows_from)
        fixed = boards.fixed_squares(session, len(queens), request)
        # The quick check first: first_attack uses one thread.
        is_solved = is_solution(queens, threads=request.threads, **session.callbacks)
        attack = None if is_solved else first_attack(queens, **session.callbacks)
        pairs = 0 if is_solved else attacking_pairs(queens, threads=request.threads, **session.callbacks)
    squares = [] if attack is None else [(column, int(queens[column]) + request.rows_from) for column in attack]
    missing = [] if fixed is None else _missing(queens, fixed.squares, request.rows_from)
    is_right = attack is None and not missing
    if request.as_json:
        verdict = {
            "n": len(queens),
            "solved": is_right,
            "pairs": pairs,
            "first_attack": squares or None,
            "missing_queens": len(missing),
            "first_missing": missing[0] if missing else None,
        }
        click.echo(json.dumps(verdict))
    if not request.quiet:
        click.echo(_sentence(queens, pairs, squares), err=request.as_json)
        if fixed is not None:
            click.echo(_fixed_sentence(len(fixed), missing), err=request.as_json)
    return SOLVED if is_right else NOT_SOLVED


def _missing(queens: Queens, fixed: NDArray[np.int64], rows_from: int) -> list[list[int]]:
    """Return the squares of the fixed queens that are missing."""
    missing = fixed[queens[fixed[:, 0]] != fixed[:, 1]]
    missing[:, 1] += rows_from
    return missing.tolist()  # type: ignore[no-any-return]


def _fixed_sentence(n_fixed: int, missing: list[list[int]]) -> str:
    if not missing:
        return f"{counted(n_fixed, 'fixed queen')}: none is missing."
    column, row = missing[0]
    first = "" if len(missing) == 1 else "the first "
    return (
        f"{click.style('Missing', fg='red')}: {len(missing):,} of {counted(n_fixed, 'fixed queen')}, "
        f"{first}in column {column}, row {row}."
    )


def _sentence(queens: Queens, pairs: int, squares: list[tuple[int, int]]) -> str:
    board = counted(len(queens), "queen")
    if not squares:
        return f"{click.style('Solved', fg='green')}: {board}, and no two of them share a row or a diagonal."
    (left, row), (right, other_row) = squares
    line = "row" if row == other_row else "diagonal"
    first = "They are" if pairs == 1 else "The first are"
    return (
        f"{click.style('Not solved', fg='red')}: {board} with {counted(pairs, 'attacking pair')}.\n"
        f"{first} column {left}, row {row} and column {right}, row {other_row}, on one {line}."
    )
