"""``fastqueens verify``: checks whether a board is a solution that holds the fixed queens."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.instances import check_instance_options, instance_of, instance_options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import say
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastqueens.core.board import Queens
    from fastqueens.core.instance import Instance


#: The kinds of constraints a board may break, and the beginning of the sentence about each.
_BROKEN = {"missing": "Missing", "blocked": "On a blocked square", "excluded": "On an excluded diagonal"}
_NOTHING_BROKEN: dict[str, list[list[int]]] = {name: [] for name in _BROKEN}


@click.command(
    short_help="Check whether a board is a solution.",
    epilog="\b\nExamples:\n  fastqueens verify board.npy\n  fastqueens verify answer.txt --queens-file fixed.csv",
)
@click.argument("file", type=options.FILE)
@instance_options
@options.rows_from
@options.threads
@options.as_json
@options.quiet
@click.pass_obj
def verify(session: Session, /, **parameters: Any) -> int:
    """Check whether the board in FILE (- for stdin) is a solution, also of an instance.

    The exit code is 0 if no queen attacks another, no fixed queen is missing, and no queen is on a blocked square or an
    excluded diagonal; otherwise 1. In that case, the command prints the number of attacking pairs, and names the first
    pair from the left: the one whose right queen is leftmost. It also prints how many queens break each constraint, and
    names the leftmost.
    """
    from fastqueens import attacking_pairs, first_attack, is_solution

    request = SimpleNamespace(**parameters)
    check_instance_options(request, {"FILE": request.file})
    with progress_and_notes(session.display, quiet=request.quiet):
        queens = boards.read(session, request.file, request.rows_from)
        instance = instance_of(session, len(queens), request)
        # The quick check first: first_attack uses one thread.
        is_solved = is_solution(queens, threads=request.threads, **session.callbacks)
        attack = None if is_solved else first_attack(queens, **session.callbacks)
        pairs = 0 if is_solved else attacking_pairs(queens, threads=request.threads, **session.callbacks)
    squares = [] if attack is None else [(column, int(queens[column]) + request.rows_from) for column in attack]
    broken = {} if instance is None else _broken(queens, instance, request.rows_from)
    is_right = attack is None and not any(broken.values())
    if request.as_json:
        verdict: dict[str, Any] = {
            "n": len(queens),
            "solved": is_right,
            "pairs": pairs,
            "first_attack": squares or None,
        }
        for name, squares_of in broken.items() if broken else _NOTHING_BROKEN.items():
            verdict[f"{name}_queens"] = len(squares_of)
            verdict[f"first_{name}"] = squares_of[0] if squares_of else None
        click.echo(json.dumps(verdict))
    if not request.quiet:
        say(_sentence(queens, pairs, squares, is_right=is_right), err=request.as_json)
        if instance is not None:
            say("\n".join(_constraint_sentences(instance, broken)), err=request.as_json)
    return SOLVED if is_right else NOT_SOLVED


def _broken(queens: Queens, instance: Instance, rows_from: int) -> dict[str, list[list[int]]]:
    """Return the squares of the queens that break each kind of constraint; of missing ones, where they belong."""
    from fastqueens.check.violations import violations

    found = violations(queens, instance)
    fixed = instance.fixed.squares
    missing = fixed[(queens[fixed[:, 0]] != fixed[:, 1])]

    def squares(columns: NDArray[np.int64]) -> list[list[int]]:
        return [[int(column), int(queens[column]) + rows_from] for column in columns]

    return {
        "missing": [[column, row + rows_from] for column, row in missing.tolist()],
        "blocked": squares(found.blocked),
        "excluded": squares(found.excluded),
    }


def _constraint_sentences(instance: Instance, broken: dict[str, list[list[int]]]) -> list[str]:
    """Return a sentence for each kind of constraint that is broken, or one for all if none is."""
    if not any(broken.values()):
        return [f"It respects {instance.constraints}."]
    return [
        f"{click.style(_BROKEN[name], fg='red')}: "
        f"{_of_fixed(len(squares), instance) if name == 'missing' else counted(len(squares), 'queen')}, "
        f"{'' if len(squares) == 1 else 'the first '}in column {squares[0][0]}, row {squares[0][1]}."
        for name, squares in broken.items()
        if squares
    ]


def _of_fixed(missing: int, instance: Instance) -> str:
    return f"{missing:,} of {counted(len(instance.fixed), 'fixed queen')}"


def _sentence(queens: Queens, pairs: int, squares: list[tuple[int, int]], *, is_right: bool) -> str:
    board = counted(len(queens), "queen")
    if is_right:
        return f"{click.style('Solved', fg='green')}: {board}, and no two of them share a row or a diagonal."
    if not squares:
        return f"{click.style('Not solved', fg='red')}: {board}; no two of them share a row or a diagonal."
    (left, row), (right, other_row) = squares
    line = "row" if row == other_row else "diagonal"
    first = "They are" if pairs == 1 else "The first are"
    return (
        f"{click.style('Not solved', fg='red')}: {board} with {counted(pairs, 'attacking pair')}.\n"
        f"{first} column {left}, row {row} and column {right}, row {other_row}, on one {line}."
    )
