"""Queens that are given, on the bitsets of placement.py: their lines, what they leave to the others, and drawing some.

``columns`` and ``rows`` are int64 arrays, an entry a given queen.
"""

from __future__ import annotations

import numpy as np

from fastqueens.kernels.bits import SIX, ZERO, is_marked, is_set, load_64
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.placement import diagonals_free, difference_offset, mark_lines
from fastqueens.kernels.stream import UNUSED_ROWS, below, stream_key, word


@kernel
def mark_given(bitsets, columns, rows):
    """Mark the lines of the given queens; O(given queens)."""
    for i in range(len(columns)):
        mark_lines(bitsets, np.uint64(columns[i]), np.uint64(rows[i]))


@kernel
def first_closed_column(bitsets, first, last):
    """Find the first of the columns ``first`` to last - 1 that has no queen and no free square; ``last`` for none.

    O(last - first) where there are free squares in most windows of 64 rows, and n / 64 times that at the worst.
    """
    offset = difference_offset(bitsets)
    for column in range(np.uint64(first), np.uint64(last)):
        if is_marked(bitsets.given, column):
            continue
        is_open = False
        for window in range(np.uint64(len(bitsets.rows))):
            row = window << SIX
            taken = (
                bitsets.rows[window]
                | load_64(bitsets.sums, row + column)
                | load_64(bitsets.differences, row + offset - column)
            )
            if ~taken != ZERO:
                is_open = True
                break
        if not is_open:
            return np.int64(column)
    return last


# Rows drawn for a column before the free ones are counted.
_DRAWS = np.uint64(64)


@kernel
def draw_given(bitsets, order, columns, rows, wanted, n, seed, attempt):
    """Put queens into the columns of ``order``, one after the other, each on a row drawn evenly among the free ones.

    order : (n,) int32 or uint32 array of columns
    columns, rows : (wanted,) int64 arrays, written; columns without a free row are passed over

    Modifies the bitsets. Returns how many queens were placed. O(1) a queen while at least some rows are free, O(n) at
    the worst.
    """
    n = np.uint64(n)
    key = stream_key(seed, attempt, UNUSED_ROWS)
    placed = 0
    for i in range(np.uint64(len(order))):
        if placed == wanted:
            break
        column = np.uint64(order[i])
        row = _free_row(bitsets, column, key, i * (_DRAWS + np.uint64(1)), n)
        if row < n:
            mark_lines(bitsets, column, row)
            columns[placed] = column
            rows[placed] = row
            placed += 1
    return placed


@part
def _free_row(bitsets, column, key, first_draw, n):
    """Draw a row whose square no queen attacks; n where there is none."""
    for draw in range(_DRAWS):
        row = below(word(key, first_draw + draw), n)
        if _is_free(bitsets, column, row):
            return row
    free = np.uint64(0)
    for row in range(n):
        free += np.uint64(_is_free(bitsets, column, row))
    if free == ZERO:
        return n
    left = below(word(key, first_draw + _DRAWS), free)
    for row in range(n):
        if _is_free(bitsets, column, row):
            if left == ZERO:
                return row
            left -= np.uint64(1)
    return n


@part
def _is_free(bitsets, column, row):
    return not is_set(bitsets.rows, row) and diagonals_free(bitsets, column, row)
