"""``fastqueens solve --count``: how many solutions a board has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from fastqueens.cli.session import NO_SOLUTION, SOLVED, Session
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.core.fixed_queens import FixedQueens


def count_solutions(
    session: Session, n: int, squares: FixedQueens | None, threads: int | None, *, as_json: bool, quiet: bool
) -> int:
    """Print how many solutions there are, and return the exit code."""
    import fastqueens

    solutions = fastqueens.count_solutions(n, squares, threads=threads, **session.callbacks)
    session.display.clear()
    n_fixed = 0 if squares is None else len(squares)
    if as_json:
        click.echo(json.dumps({"n": n, "fixed_queens": n_fixed, "solutions": solutions}))
    elif quiet:
        click.echo(solutions)
    else:
        condition = f" with {counted(n_fixed, 'fixed queen')}" if n_fixed else ""
        click.echo(f"{counted(solutions, 'solution')} for n = {n}{condition}.")
    return SOLVED if solutions else NO_SOLUTION
