"""Queens that are given, on the bitsets of placement.py: their lines, what they leave to the others, and drawing some.

``columns`` and ``rows`` are int64 arrays, an entry a given queen.
"""

from __future__ import annotations

import numpy as np

from fastqueens.kernels.bits import ONE, SIX, ZERO, count_ones, is_marked, is_set, load_64, trailing_zeros
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

    O(last - first) where a window of 64 rows that is open for one column mostly is so for the next, and n / 64 times
    that at the worst.
    """
    windows = np.uint64(len(bitsets.rows))
    window = ZERO
    for column in range(np.uint64(first), np.uint64(last)):
        if is_marked(bitsets.given, column):
            continue
        window = _open_window(bitsets, column, window)
        if window == windows:
            return np.int64(column)
    return last


@part
def _open_window(bitsets, column, start):
    """Find a window with a free square for a column, looking upwards from ``start`` and around the end; W for none."""
    windows = np.uint64(len(bitsets.rows))
    for step in range(windows):
        window = start + step
        if window >= windows:
            window -= windows
        if _free_rows(bitsets, column, window) != ZERO:
            return window
    return windows


@part
def _free_rows(bitsets, column, window):
    """The rows of a window of 64 whose squares no queen attacks, as the bits of a word."""
    first_row = window << SIX
    return ~(
        bitsets.rows[window]
        | load_64(bitsets.sums, first_row + column)
        | load_64(bitsets.differences, first_row + difference_offset(bitsets) - column)
    )


# Rows drawn for a column before the free ones are counted.
_DRAWS = np.uint64(64)


@kernel
def draw_given(bitsets, order, columns, rows, placed, seed, attempt, first, last):
    """Put queens into the columns order[first] to order[last - 1], each on a row drawn evenly among the free ones.

    order : (n,) int32 or uint32 array of columns
    columns, rows : int64 arrays, written from ``placed`` on; columns without a free row are passed over

    Modifies the bitsets. Returns how many queens are placed, as many as ``columns`` holds at the most. O(1) a queen
    while rows are easily found, O(n / 64) at the worst.
    """
    n = np.uint64(len(order))
    key = stream_key(seed, attempt, UNUSED_ROWS)
    for i in range(np.uint64(first), np.uint64(last)):
        if placed == len(columns):
            break
        column = np.uint64(order[i])
        row = _free_row(bitsets, column, key, i * (_DRAWS + ONE), n)
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
        if not is_set(bitsets.rows, row) and diagonals_free(bitsets, column, row):
            return row
    windows = np.uint64(len(bitsets.rows))
    free = ZERO
    for window in range(windows):
        free += count_ones(_free_rows(bitsets, column, window))
    skip = below(word(key, first_draw + _DRAWS), free)
    for window in range(windows):
        rows = _free_rows(bitsets, column, window)
        if skip < count_ones(rows):
            for _ in range(skip):
                rows &= rows - ONE
            return (window << SIX) + trailing_zeros(rows)
        skip -= count_ones(rows)
    return n
