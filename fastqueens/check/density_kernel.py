"""The queens of a board, counted in cells: what pictures of its density need.

``queens[c]`` is the row of the queen in column c. The kernel reads only the columns from ``first`` to last - 1. A board
can be mapped from a file that another process changes, so a row is compared with n before it becomes an index.
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
