"""Densities: exact counts of the queens of a board in square cells and along both kinds of diagonals.

The counts are made in slices of columns, so that a board mapped from a file is never in memory as a whole.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer
from fastqueens._run.progress import Callbacks, Progress, Stop
from fastqueens.board import Board, as_queens
from fastqueens.kernels.densities import bin_queens

#: The most cells per side. They take 134 MB, and not even the largest paper could show more.
MOST_CELLS = 4096

_SLICE = 1 << 22


class Bins(NamedTuple):
    """The queens of a board of n, counted in cells x cells cells. The counts of each array add up to n.

    squares : [i, j] counts the queens with ``row * cells // n == i`` and ``column * cells // n == j``
    sums : [i] counts the queens with ``(column + row) // 2 * cells // n == i``
    differences : [i] counts the queens with ``(row - column + n - 1) // 2 * cells // n == i``
    """

    n: int
    squares: NDArray[np.int64]
    sums: NDArray[np.int64]
    differences: NDArray[np.int64]

    @property
    def cells(self) -> int:
        """The number of cells per side."""
        return len(self.sums)

    @property
    def widths(self) -> NDArray[np.int64]:
        """The number of rows or columns in each cell; two cells differ by at most one."""
        return np.diff(cell_edges(self.cells, self.n))

    def density(self) -> NDArray[np.float64]:
        """Return a (cells, cells) array: the queens in each cell, divided by the average of one queen per n squares."""
        widths = self.widths.astype(np.float64)
        return self.squares / (np.outer(widths, widths) / self.n)

    def diagonals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the queens per line in each span of sum and of difference diagonals; at most 1 on a solution."""
        lines = 2 * self.widths
        lines[-1] -= 1  # a board has 2 n - 1 diagonals
        return self.sums / lines, self.differences / lines


def bin_board(
    queens: Board, cells: int | None = None, *, progress: Progress | None = None, stop: Stop | None = None
) -> Bins:
    """Count the queens of a board in cells x cells cells, by default with 50 queens per cell.

    This takes O(n + cells^2) time and 8 cells^2 bytes in addition to the board. A mapped file stays on disk.

    >>> bin_board([1, 3, 0, 2], cells=2).squares
    array([[1, 1],
           [1, 1]])
    """
    board = as_queens(queens)
    n = len(board)
    most = min(n, MOST_CELLS)
    cells = cells_for(n, 50, 400) if cells is None else check_integer(cells, "cells", 1, most, f"on a board of {n:,} ")
    squares = np.zeros((cells, cells), np.int64)
    sums, differences = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    shift, factor = cell_multiplier(cells, n)
    for first, last in Callbacks(progress, stop).slices("density", n, _SLICE):
        bin_queens(board, squares, sums, differences, shift, factor, first, last)
    return Bins(n, squares, sums, differences)


def cells_for(n: int, queens_a_cell: int, most: int = MOST_CELLS) -> int:
    """Return the number of cells per side with about ``queens_a_cell`` queens each: 8 to ``most``, and at most n.

    >>> cells_for(1_000_000, 100), cells_for(5, 100), cells_for(10**9, 100, most=400)
    (100, 5, 400)
    """
    return min(n, most, max(8, isqrt(n // queens_a_cell)))


def cell_edges(cells: int, n: int) -> NDArray[np.int64]:
    """Return the first position of each cell, and n at the end. Position p, from 0 to n - 1, is in cell p * cells // n.

    >>> cell_edges(4, 10)
    array([ 0,  3,  5,  8, 10])
    """
    return -(-np.arange(cells + 1, dtype=np.int64) * n // cells)


def cell_multiplier(cells: int, n: int) -> tuple[np.uint64, np.uint64]:
    """Return the shift and the factor with which kernels compute the cell of a position; see kernels/densities.py.

    The factor is rounded up by less than one, which moves position p by less than p / 2**(64 - shift) cells. This error
    is harmless because it is below 1 / n, the least distance from p * cells / n up to the next whole number: n**2 <
    2**(64 - shift) in both cases.
    """
    # With a shift of 1 the factor fits even if cells is n. The largest boards need all 64 bits, and n exceeds cells.
    shift = 1 if n < 2**31 else 0
    return np.uint64(shift), np.uint64((cells << (64 - shift)) // n + 1)
