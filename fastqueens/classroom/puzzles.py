"""Completion puzzles: fixed queens that do not attack each other; the player places the rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.callbacks import Callbacks, Progress, Stop, slices
from fastqueens.core.errors import InputError, Stopped
from fastqueens.core.instance import make_instance
from fastqueens.core.integers import checked_or_new_seed, is_integer
from fastqueens.core.memory import check_memory
from fastqueens.core.wording import counted
from fastqueens.kernels.fixed_queens import draw_fixed_queens
from fastqueens.kernels.placement import place_permutation
from fastqueens.solving.attempt import empty_bitsets
from fastqueens.solving.solver import solve

# Limits of the search for a placement of the wanted queens: attempts, and columns in all attempts together.
_ATTEMPTS = 100
_MOST_COLUMNS = 10**6

# Columns in a slice of about 20 ms, if most of them have free rows.
_SLICE = 1 << 16

#: An attempt that solve() never reaches: an order drawn with the numbers of its first board would favour the first
#: rows.
NOT_OF_SOLVE = 2**64 - 1

_BYTES_A_QUEEN = 70


def puzzle(
    n: int,
    queens: int,
    *,
    seed: int | None = None,
    solvable: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> NDArray[np.int64]:
    """Return the fixed queens of a completion puzzle.

    Parameters
    ----------
    n : int
        Side of the board.
    queens : int
        Number of fixed queens, from 0 to n.
    seed : int, optional
        From 0 to 2**64 - 1. The same arguments make the same puzzle. By default a seed is drawn and logged (logger
        "fastqueens", level INFO).
    solvable : bool
        Take the queens from a solution. Otherwise each queen is put into a random column, on a row drawn evenly among
        those that no earlier queen attacks. Then there may be no solution: with n < 30 and n / 2 queens or more there
        often is none.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "fixed queens".

    Returns
    -------
    (queens, 2) int64 array
        Column and row of each fixed queen, sorted by column.

    Raises
    ------
    InputError
        If a value is not as described here, or no attempt placed all queens.
    NoSolutionError
        If ``solvable`` is true and n is 2 or 3.
    Stopped
        If ``stop`` returned True.

    Examples
    --------
    >>> fixed = puzzle(8, 2, seed=1, solvable=True)
    >>> solve(8, fixed=fixed, seed=1).solved
    True
    """
    n = check_n(n)
    seed = checked_or_new_seed(seed)
    if not is_integer(queens) or not 0 <= queens <= n:
        raise InputError(f"queens is {queens!r}: a board of {n} has from 0 to {n} fixed queens")
    queens = int(queens)
    check_memory(_BYTES_A_QUEEN * n, f"a puzzle on a board of {n:,}")
    callbacks = Callbacks(progress, stop)
    squares = _from_a_solution(n, queens, seed, stop) if solvable else _drawn(n, queens, seed, callbacks)
    return squares[np.argsort(squares[:, 0])]


def _from_a_solution(n: int, queens: int, seed: int, stop: Stop | None) -> NDArray[np.int64]:
    result = solve(n, seed=seed, start="random", trace=False, stop=stop)
    if not result.solved:
        raise Stopped("stopped before there was a solution")
    columns = random_order(n, seed, NOT_OF_SOLVE)[:queens].astype(np.int64)
    return np.stack([columns, result.queens[columns].astype(np.int64)], axis=1)


def _drawn(n: int, queens: int, seed: int, callbacks: Callbacks) -> NDArray[np.int64]:
    attempts = max(1, min(_ATTEMPTS, _MOST_COLUMNS // n))
    most = 0
    for attempt in range(attempts):
        columns, rows = np.empty((2, queens), np.int64)
        bitsets, order = empty_bitsets(make_instance(n)), random_order(n, seed, attempt)
        numbers = np.uint64(seed), np.uint64(attempt)
        placed = 0
        for first, last in slices(n, _SLICE):
            placed = draw_fixed_queens(bitsets, order, columns, rows, placed, *numbers, first, last)
            callbacks.poll("fixed queens", max(most, placed), queens)
            if placed == queens:
                return np.stack([columns, rows], axis=1)
        most = max(most, placed)
    raise InputError(
        f"queens is {queens}: only {most} found room on a board of {n}, in {counted(attempts, 'attempt')}; "
        "ask for fewer, or for a solvable puzzle"
    )


def random_order(n: int, seed: int, attempt: int) -> Queens:
    """Return all columns in random order."""
    order = np.empty(n, row_dtype(n))
    place_permutation(order, np.uint64(seed), np.uint64(attempt), 0, n)
    return order
