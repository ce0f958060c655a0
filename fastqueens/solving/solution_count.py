"""The number of solutions, by backtracking over all of them on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import check_n
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import InputError, NoSolutionError
from fastqueens.core.fixed_queens import Fixed, FixedQueens, fixed_queens
from fastqueens.core.instance import Instance
from fastqueens.core.threads import Workers, checked_threads
from fastqueens.kernels import backtracking
from fastqueens.solving.complete_search import as_words

# The first column to fill, and the rows attacked there along rows, sum and difference diagonals, as words.
_Start = tuple[int, int, int, int]

# The largest board whose solutions are counted: 14,772,512 for n = 16.
_LARGEST_COUNTED = 16


def count_solutions(
    n: int | None = None,
    fixed: Fixed | None = None,
    *,
    instance: Instance | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> int:
    """Count the solutions that contain the fixed queens.

    Parameters
    ----------
    n : int
        From 1 to 16.
    fixed : mapping, pairs or (k, 2) array, optional
        Rows of fixed queens by column; see :func:`fastqueens.solve`.
    threads : int, optional
        By default all cores.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "complete search".

    Returns
    -------
    int
        Mirror images and rotations count separately; 0 if fixed queens attack each other.

    Raises
    ------
    InputError
        If a value is not as described here.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    Without fixed queens, n = 16 takes 1.1 billion nodes and some seconds.

    Examples
    --------
    >>> count_solutions(8), count_solutions(8, {1: 3, 3: 4})
    (92, 2)
    """
    if instance is not None:
        n, fixed = instance.n, instance.fixed
    n = check_n(0 if n is None else n)
    if n > _LARGEST_COUNTED:
        raise InputError(f"n is {n}: solutions are counted up to n = {_LARGEST_COUNTED}")
    try:
        squares = fixed_queens(fixed, n)
    except NoSolutionError:
        return 0
    callbacks = Callbacks(progress, stop)
    allowed = _allowed(n, squares)
    starts = _starts(n, allowed)
    found = 0
    with Workers(checked_threads(threads)) as workers:
        for at in range(0, len(starts), workers.threads):
            found += sum(workers.each(lambda start: _count_from(allowed, start), starts[at : at + workers.threads]))
            callbacks.poll("complete search", min(len(starts), at + workers.threads), len(starts))
    return found


def _allowed(n: int, fixed: FixedQueens) -> NDArray[np.uint64]:
    """Return for each column, as a word, the row of its fixed queen, or the rows that no fixed queen attacks."""
    columns, rows = np.arange(n)[:, None, None], np.arange(n)[:, None]
    attacked = (
        (rows == fixed.rows)
        | (columns + rows == fixed.columns + fixed.rows)
        | (columns - rows == fixed.columns - fixed.rows)
    ).any(axis=-1)
    attacked[fixed.columns] = True
    attacked[fixed.columns, fixed.rows] = False
    return as_words(~attacked)


def _starts(n: int, allowed: NDArray[np.uint64]) -> list[_Start]:
    """List all ways to fill the first two columns: enough work for all threads, and short enough for Ctrl-C."""
    starts: list[_Start] = [(0, 0, 0, 0)]
    for column in range(min(2, n)):
        starts = [
            (column + 1, rows | queen, (sums | queen) >> 1, (differences | queen) << 1)
            for _, rows, sums, differences in starts
            for queen in (1 << row for row in range(n))
            if queen & int(allowed[column]) & ~(rows | sums | differences)
        ]
    return starts


def _count_from(allowed: NDArray[np.uint64], start: _Start) -> int:
    first, *words = start
    stack: NDArray[Any] = np.empty((len(allowed), 4), np.uint64)
    return int(backtracking.count_boards(allowed, stack, first, *map(np.uint64, words)))
