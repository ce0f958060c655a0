"""Looking at a part of a board: its queens in cells, its queens one by one, and who shares a line with a queen.

``queens[c]`` is the row of the queen in column c. A window is a span of columns and a span of rows; a cell of level k
is a square of 2**k x 2**k squares. All of it reads the columns of the window and no others.
"""

from __future__ import annotations

import numpy as np

from fastqueens.kernels.bits import ONE
from fastqueens.kernels.jit import kernel


@kernel
def count_window(queens, counts, level, row, first, last):
    """Count the queens of columns first to last - 1, from ``row`` on, in cells of a level; O(last - first).

    counts : (columns, rows) uint32 array of cells, the first one at column ``first`` and ``row``; added to
    level, row : uint64

    Queens above ``row`` or beyond the last cell are left out. Gives back how many were counted.
    """
    rows = np.uint64(counts.shape[1])
    begin = np.uint64(first)
    found = 0
    for column in range(begin, np.uint64(last)):
        # Above the first row this is a huge number, and so beyond the last cell.
        cell = (np.uint64(queens[column]) - row) >> level
        if cell < rows:
            counts[(column - begin) >> level, cell] += np.uint32(1)
            found += 1
    return found


@kernel
def list_window(queens, listed, row, rows, first, last):
    """List the queens of columns first to last - 1 on ``rows`` rows from ``row`` on; O(last - first).

    listed : (most, 2) uint32 array; column and row of each queen are written into it, columns rising
    row, rows : uint64

    Gives back how many are listed; there is room for all of them.
    """
    found = np.uint64(0)
    for column in range(np.uint64(first), np.uint64(last)):
        at = np.uint64(queens[column])
        if at - row < rows:
            listed[found, 0] = np.uint32(column)
            listed[found, 1] = np.uint32(at)
            found += ONE
    return found


@kernel
def list_attackers(queens, column, listed, counts, first, last):
    """Find the queens of columns first to last - 1 that share a line with the queen of ``column``; O(last - first).

    listed : uint32 array; the columns of as many of them as it holds are written into it, rising
    counts : (3,) int64 array, those on the row, on the sum diagonal and on the difference diagonal; added to
    """
    own = np.uint64(column)
    row = np.uint64(queens[own])
    room = len(listed)
    found = 0
    for other in range(np.uint64(first), np.uint64(last)):
        at = np.uint64(queens[other])
        on_row, on_sum, on_difference = at == row, at + other == row + own, at - other == row - own
        if (on_row or on_sum or on_difference) and other != own:
            counts[0] += np.int64(on_row)
            counts[1] += np.int64(on_sum)
            counts[2] += np.int64(on_difference)
            if found < room:
                listed[found] = np.uint32(other)
            found += 1
    return found
