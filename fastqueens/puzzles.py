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
from fastqueens.watch import Progress, Stop, Stopped, Watch, slices

# Boards begun until the wanted number of queens finds room: so many, and columns looked at in all of them.
_ATTEMPTS = 100
_MOST_COLUMNS = 10**6

# Columns in a slice of some 20 ms, where their rows are found at once.
_SLICE = 1 << 16

# An attempt that solve() never comes to: an order drawn from the words of its first board would favour the first rows.
_NOT_OF_SOLVE = 2**64 - 1

_BYTES_A_QUEEN = 70


def puzzle(
    n: int,
    queens: int,
    *,
    seed: int,
    solvable: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> NDArray[np.int64]:
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
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "given queens".

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
    Stopped
        Where ``stop`` said so.

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
    watch = Watch(progress, stop)
    squares = _from_a_solution(n, queens, seed, stop) if solvable else _drawn(n, queens, seed, watch)
    return squares[np.argsort(squares[:, 0])]


def _from_a_solution(n: int, queens: int, seed: int, stop: Stop | None) -> NDArray[np.int64]:
    result = solve(n, seed=seed, start="random", trace=False, stop=stop)
    if not result.solved:
        raise Stopped("stopped before there was a solution")
    columns = _order(n, seed, _NOT_OF_SOLVE)[:queens].astype(np.int64)
    return np.stack([columns, result.queens[columns].astype(np.int64)], axis=1)


def _drawn(n: int, queens: int, seed: int, watch: Watch) -> NDArray[np.int64]:
    attempts = max(1, min(_ATTEMPTS, _MOST_COLUMNS // n))
    most = 0
    for attempt in range(attempts):
        columns, rows = np.empty((2, queens), np.int64)
        bitsets, order = empty_bitsets(n), _order(n, seed, attempt)
        numbers = np.uint64(seed), np.uint64(attempt)
        placed = 0
        for first, last in slices(n, _SLICE):
            placed = draw_given(bitsets, order, columns, rows, placed, *numbers, first, last)
            watch.look("given queens", max(most, placed), queens)
            if placed == queens:
                return np.stack([columns, rows], axis=1)
        most = max(most, placed)
    raise InputError(
        f"queens is {queens}: only {most} found room on a board of {n}, in {attempts} attempts; "
        "ask for fewer, or for a puzzle that is solvable"
    )


def _order(n: int, seed: int, attempt: int) -> Queens:
    """All columns in a random order."""
    order = np.empty(n, row_dtype(n))
    place_permutation(order, np.uint64(seed), np.uint64(attempt), 0, n)
    return order
