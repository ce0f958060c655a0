"""Which constraints of an instance a board breaks: fixed queens, blocked squares, excluded diagonals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Board, Queens, as_queens
from fastqueens.core.callbacks import slices
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance

# Columns looked at together, in plain NumPy.
_SLICE = 1 << 20


class BrokenConstraints(NamedTuple):
    """The constraints that a board breaks, as int64 arrays of columns, ascending.

    Attributes
    ----------
    missing : columns whose fixed queen is not on its square
    on_blocked_squares : columns whose queen is on a blocked square
    on_excluded_sums, on_excluded_differences : columns whose queen is on an excluded diagonal
    """

    missing: NDArray[np.int64]
    on_blocked_squares: NDArray[np.int64]
    on_excluded_sums: NDArray[np.int64]
    on_excluded_differences: NDArray[np.int64]


def broken_constraints(queens: Board, instance: Instance) -> BrokenConstraints:
    """Find the queens that break a constraint of an instance.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    instance : Instance

    Raises
    ------
    InputError
        If a value is not a row of the board, or the instance has another n.

    Notes
    -----
    O(n log d + b) time for d excluded diagonals and b blocked squares.

    Examples
    --------
    >>> from fastqueens import make_instance
    >>> instance = make_instance(4, {0: 2}, blocked=[(1, 3)], excluded_sums=[2])
    >>> [columns.tolist() for columns in broken_constraints([1, 3, 0, 2], instance)]
    [[0], [1], [2], []]
    """
    board = as_queens(queens)
    check_size(instance, board)
    sums, differences = [], []
    for first, last in slices(len(board), _SLICE):
        columns, rows = np.arange(first, last), board[first:last].astype(np.int64)
        sums.append(columns[np.isin(columns + rows, instance.excluded_sums)])
        differences.append(columns[np.isin(rows - columns, instance.excluded_differences)])
    return BrokenConstraints(
        columns_of_missing_queens(board, instance),
        columns_on_blocked_squares(board, instance),
        np.concatenate(sums),
        np.concatenate(differences),
    )


def columns_of_missing_queens(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the columns whose fixed queen is not on its square, for a board of the right size."""
    columns, rows = instance.fixed.columns, instance.fixed.rows
    found: NDArray[np.int64] = columns[queens[columns] != rows]
    return found


def columns_on_blocked_squares(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the columns whose queen is on a blocked square, for a board of the right size."""
    columns, rows = instance.blocked.T
    found: NDArray[np.int64] = columns[queens[columns] == rows]
    return found


def check_size(instance: Instance, queens: Queens) -> None:
    """Raise :class:`InputError` if an instance has another n than a board."""
    if instance.n != len(queens):
        raise InputError(f"the instance has n = {instance.n}, and the board has {len(queens)} queens")
