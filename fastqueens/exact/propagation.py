"""Unit propagation on boards of any size: forced queens and contradictions.

A line is a column or a row. An open square is one that no queen attacks and no constraint forbids. A line with a single
open square forces a queen onto it, and a line without open squares and without a queen is a contradiction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.progress import Callbacks
from fastqueens._run.text import counted
from fastqueens.board import set_bits
from fastqueens.errors import NoSolutionError
from fastqueens.instance import Instance, make_instance
from fastqueens.kernels.propagation import Side, list_last_squares, place_queens

# Columns processed between two calls of the callbacks.
_COLUMNS_A_SLICE = 1 << 16


def check_closed_lines(instance: Instance, callbacks: Callbacks) -> None:
    """Raise :class:`NoSolutionError` if a column or a row without a queen has no open square."""
    if _can_have(0, instance):
        _OpenSquares(instance).list_last_squares(callbacks)


def with_forced_queens(instance: Instance, callbacks: Callbacks) -> Instance:
    """Return an instance with the same solutions, in which all forced queens are fixed.

    Queens are forced until no line has a single open square. Raises :class:`NoSolutionError` if a line has none.
    """
    if not _can_have(1, instance):
        return instance
    board = _OpenSquares(instance)
    while len(squares := board.list_last_squares(callbacks)):
        board.force(squares)
    if not len(board.forced):
        return instance
    return make_instance(
        instance.n,
        np.concatenate([instance.fixed.squares, board.forced]),
        blocked=instance.blocked,
        excluded_sums=instance.excluded_sums,
        excluded_differences=instance.excluded_differences,
    )


def _can_have(squares: int, instance: Instance) -> bool:
    """Return whether a line can have so few open squares: a queen attacks at most three of them, a diagonal has one."""
    lost = 3 * len(instance.fixed) + len(instance.excluded_sums) + len(instance.excluded_differences)
    least = instance.n - squares
    # The blocked squares per line are counted only if necessary, since counting is a pass over all of them.
    return instance.free_columns > 0 and lost + len(instance.blocked) >= least <= lost + instance.most_blocked


class _OpenSquares:
    """The open squares of an instance with its fixed and forced queens."""

    def __init__(self, instance: Instance) -> None:
        n = instance.n
        words = -(-n // 64)
        lines, sums = np.zeros((2, words), np.uint64), np.zeros(2 * words, np.uint64)
        differences = np.zeros((2, 2 * words + 1), np.uint64)
        if n % 64:
            lines[:, -1] = np.uint64(2**64 - (1 << n % 64))
        if instance.has_exclusions:
            set_bits(sums, instance.excluded_sums)
            set_bits(differences[0], 64 * words + instance.excluded_differences)
            set_bits(differences[1], 64 * words - instance.excluded_differences)
        self._instance = instance
        self._side = Side(lines[0], lines[1], sums, differences[0], instance.blocked_index)
        self._transposed = Side(lines[1], lines[0], sums, differences[1], instance.transposed().blocked_index)
        self._place(instance.fixed.squares)
        self.forced = np.empty((0, 2), np.int64)

    def force(self, squares: NDArray[np.int64]) -> None:
        """Place queens on (column, row) pairs, except where another queen attacks them."""
        self.forced = np.concatenate([self.forced, squares[self._place(squares)]])

    def _place(self, squares: NDArray[np.int64]) -> NDArray[np.bool_]:
        is_placed = np.empty(len(squares), np.uint8)
        columns, rows = np.ascontiguousarray(squares.T)
        place_queens(self._side, self._transposed, columns, rows, is_placed)
        return is_placed.view(np.bool_)

    def list_last_squares(self, callbacks: Callbacks) -> NDArray[np.int64]:
        """Return the squares that are the only open ones of their column or row; raise if a line has no open square."""
        columns, rows = np.empty((2, 2 * (self._instance.free_columns - len(self.forced))), np.int64)
        count = 0
        for is_row, side in enumerate((self._side, self._transposed)):
            for first, last in callbacks.slices("constraints", self._instance.n, _COLUMNS_A_SLICE):
                across, along = (rows, columns) if is_row else (columns, rows)
                closed, count = list_last_squares(side, across, along, count, first, last)
                if closed < last:
                    raise self._contradiction(closed, is_row)
        return np.stack([columns[:count], rows[:count]], axis=1)

    def _contradiction(self, closed: int, is_row: int) -> NoSolutionError:
        first_row = self._instance.rows_from
        line = f"row {closed + first_row}" if is_row else f"column {closed}"
        reason = f"the fixed queens attack every square of {line}"
        if self._instance.has_exclusions or len(self.forced):
            reason = f"every square of {line} is attacked, blocked or excluded"
        if len(self.forced):
            column, row = self.forced[0].tolist()
            reason += (
                f" after {counted(len(self.forced), 'forced queen')}; the first one, in column {column}, row "
                f"{row + first_row}, stands on the only open square of its column or row"
            )
        return NoSolutionError(f"no solution exists: {reason}")
