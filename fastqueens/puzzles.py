"""Completion puzzles: some queens of a board, none attacking another; the others are for somebody to place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, Queens, check_n, row_dtype
from fastqueens.engines import empty_bitsets
from fastqueens.kernels.given import draw_given
from fastqueens.kernels.placement import place_permutation
from fastqueens.machine import check_memory
from fastqueens.solver import check_seed, solve

# Boards begun until the wanted number of queens finds room.
_ATTEMPTS = 100

_BYTES_A_QUEEN = 70


def puzzle(n: int, queens: int, *, seed: int, solvable: bool = False) -> NDArray[np.int64]:
    """Make a completion puzzle.

    Parameters
    ----------
    n : int
        Side of the board.
    queens : int
        How many queens are given, from 0 to n.
    seed : int
        From 0 to 2**64 - 1. Same arguments: the same puzzle.
    solvable : bool
        Take the queens from a solution. Otherwise each in turn is put into a random column, on a row drawn evenly among
        those that no earlier one attacks, and there may be no solution: often none from n / 2 queens on for n under 30.

    Returns
    -------
    (queens, 2) int64 array
        Column and row of each given queen, sorted by column.

    Raises
    ------
    InputError
        Where a value is not as described here, and where so many queens found no room.
    NoSolutionError
        Where a solvable puzzle of n = 2 or n = 3 is wanted.

    Examples
    --------
    >>> given = puzzle(8, 2, seed=1, solvable=True)
    >>> solve(8, fixed=given, seed=1).solved
    True
    """
    check_n(n)
    check_seed(seed)
    if isinstance(queens, bool) or not isinstance(queens, (int, np.integer)) or not 0 <= queens <= n:
        raise InputError(f"queens is {queens!r}: from 0 to {n} can be given on a board of {n}")
    check_memory(_BYTES_A_QUEEN * n, f"a puzzle on a board of {n:,}")
    squares = _from_a_solution(n, queens, seed) if solvable else _drawn(n, queens, seed)
    return squares[np.argsort(squares[:, 0])]


def _from_a_solution(n: int, queens: int, seed: int) -> NDArray[np.int64]:
    solution = solve(n, seed=seed, start="random", trace=False).queens
    columns = _order(n, seed, 0)[:queens].astype(np.int64)
    return np.stack([columns, solution[columns].astype(np.int64)], axis=1)


def _drawn(n: int, queens: int, seed: int) -> NDArray[np.int64]:
    most = 0
    for attempt in range(_ATTEMPTS):
        columns, rows = np.empty((2, queens), np.int64)
        order = _order(n, seed, attempt)
        placed = draw_given(empty_bitsets(n), order, columns, rows, queens, n, np.uint64(seed), np.uint64(attempt))
        if placed == queens:
            return np.stack([columns, rows], axis=1)
        most = max(most, placed)
    raise InputError(
        f"queens is {queens}: only {most} found room on a board of {n}, in {_ATTEMPTS} attempts; "
        "ask for fewer, or for a puzzle that is solvable"
    )


def _order(n: int, seed: int, attempt: int) -> Queens:
    """All columns in a random order."""
    order = np.empty(n, row_dtype(n))
    place_permutation(order, np.uint64(seed), np.uint64(attempt), 0, n)
    return order
