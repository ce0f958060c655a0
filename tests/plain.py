"""Checks of whole boards in plain NumPy, for boards too large for tests/naive.py, without the package."""

import numpy as np


def fault(queens, n, fixed=None):
    """Return the reason why a board is not a solution of n with these fixed queens, or None."""
    queens = np.asarray(queens)
    if queens.shape != (n,) or queens.dtype.kind not in "iu":
        return f"an array of {queens.dtype}, shape {queens.shape}"
    if int(queens.min()) < 0 or int(queens.max()) >= n:
        return f"rows from {queens.min()} to {queens.max()}"
    for kind, line_of in (
        ("row", lambda rows, columns: rows),
        ("sum diagonal", lambda rows, columns: rows + columns),
        ("difference diagonal", lambda rows, columns: rows - columns + n),
    ):
        taken = np.zeros(2 * n, bool)
        for first in range(0, n, 1 << 22):
            rows = queens[first : first + (1 << 22)].astype(np.int64)
            taken[line_of(rows, np.arange(first, first + len(rows)))] = True
        if np.count_nonzero(taken) != n:
            return f"{n - np.count_nonzero(taken)} queens share a {kind}"
    moved = [column for column, row in dict(fixed or {}).items() if queens[column] != row]
    return f"the fixed queen of column {moved[0]} was moved" if moved else None


def assert_solution(queens, n, fixed=None):
    """Fail unless a board is a solution of n with these fixed queens."""
    found = fault(queens, n, fixed)
    assert found is None, f"n = {n}: {found}"


def broken(queens, instance):
    """Count the queens that break a constraint of an instance: fixed, blocked, sum diagonals, difference diagonals."""
    queens = np.asarray(queens).astype(np.int64)
    columns = np.arange(len(queens))
    blocked = np.zeros((0, 2), np.int64) if not len(instance.blocked) else instance.blocked
    return (
        sum(int(queens[column]) != row for column, row in instance.fixed.squares.tolist()),
        sum(int(queens[column]) == row for column, row in blocked.tolist()),
        len(set((columns + queens).tolist()) & set(instance.excluded_sums.tolist())),
        len(set((queens - columns).tolist()) & set(instance.excluded_differences.tolist())),
    )


def some_of(queens, share, seed):
    """Return a random share of a board's queens, always with the first and the last, as {column: row}."""
    chosen = np.random.default_rng(seed).random(len(queens)) < share
    chosen[[0, -1]] = True
    return {column: int(queens[column]) for column in np.flatnonzero(chosen).tolist()}
