"""What pictures and pages of a board need: its queens counted in cells, listed, and those that one queen attacks.

``queens[c]`` is the row of the queen in column c. These kernels read only the columns from ``first`` to last - 1, and
that of the queen asked about. A cell of level k is a block of 2**k x 2**k squares.

A board may be mapped from a file that another process changes. So a row is never an index before it is compared with n
or with the length of an array.
"""

import numpy as np

from fastqueens.jit.bits import ONE, high_product
from fastqueens.jit.decorators import kernel


@kernel
def bin_queens(queens, squares, sums, differences, shift, factor, first, last):
    """Count the queens of columns first to last - 1 in equal spans of columns, rows and both kinds of diagonals.

    Position p from 0 to n - 1 falls into cell p * cells // n, computed as the upper half of ``(p << shift) * factor``:
    a product is faster than a division, and just as exact here. The position of a diagonal is half its number, so that
    one rule serves all four kinds of spans. A queen off the board counts on row n - 1.

    squares : (cells, cells) int64 array, [row, column]; added to
    sums, differences : (cells,) int64 arrays, by (c + r) // 2 and (r - c + n - 1) // 2; added to
    shift, factor : uint64

    O(last - first).
    """
    n = np.uint64(len(queens))
    for column in range(np.uint64(first), np.uint64(last)):
        row = min(np.uint64(queens[column]), n - ONE)
        squares[high_product(row << shift, factor), high_product(column << shift, factor)] += 1
        sums[high_product(((column + row) >> ONE) << shift, factor)] += 1
        differences[high_product(((row + n - ONE - column) >> ONE) << shift, factor)] += 1


@kernel
def count_window(queens, counts, level, row, first, last):
    """Count the queens of columns first to last - 1 in cells of a level, and return how many were counted.

    counts : (columns, rows) uint32 array of cells, the first one at column ``first`` and ``row``; added to
    level, row : uint64

    Queens above ``row`` or beyond the last cell do not count. O(last - first).
    """
    rows = np.uint64(counts.shape[1])
    begin = np.uint64(first)
    found = 0
    for column in range(begin, np.uint64(last)):
        # For a queen above ``row`` the difference wraps around to a huge number, which is beyond the last cell.
        cell = (np.uint64(queens[column]) - row) >> level
        if cell < rows:
            counts[(column - begin) >> level, cell] += np.uint32(1)
            found += 1
    return found


@kernel
def list_window(queens, listed, row, rows, first, last):
    """List the queens of columns first to last - 1 on ``rows`` rows from ``row`` on, and return how many are listed.

    listed : (most, 2) uint32 array; gets column and row of each queen in rising order of columns, as many as fit
    row, rows : uint64

    O(last - first).
    """
    room = np.uint64(len(listed))
    found = np.uint64(0)
    for column in range(np.uint64(first), np.uint64(last)):
        at = np.uint64(queens[column])
        if at - row < rows and found < room:
            listed[found, 0] = np.uint32(column)
            listed[found, 1] = np.uint32(at)
            found += ONE
    return found


@kernel
def list_attackers(queens, column, listed, counts, first, last):
    """List the queens of columns first to last - 1 that attack the queen of ``column``, and return how many there are.

    listed : uint32 array; gets their columns in rising order, as many as fit
    counts : (3,) int64 array: queens on the row, the sum diagonal and the difference diagonal; added to

    O(last - first).
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
