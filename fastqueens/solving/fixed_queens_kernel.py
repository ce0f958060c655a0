"""Fixed queens on the bitsets of placement.py: marking their lines, finding closed columns, drawing fixed queens.

``columns`` and ``rows`` are int64 arrays with one entry for each fixed queen.
"""

from __future__ import annotations

import numpy as np

from fastqueens.jit.bits import ONE, SIX, ZERO, count_ones, is_marked, is_set, trailing_zeros
from fastqueens.jit.decorators import kernel, part
from fastqueens.jit.stream import UNUSED_ROWS, below, stream_key, word
from fastqueens.solving.windows_kernel import difference_offset, free_rows, is_open, mark_lines

# Rows drawn for a column before its free rows are counted.
_DRAWS = np.uint64(64)


@kernel
def mark_fixed_queens(bitsets, columns, rows):
    """Mark the lines of the fixed queens; O(fixed queens)."""
    for i in range(len(columns)):
        mark_lines(bitsets, np.uint64(columns[i]), np.uint64(rows[i]))


@kernel
def first_closed_column(bitsets, first, last):
    """Return the first of columns ``first`` to last - 1 without a queen and without a free square, or ``last``.

    O(last - first) if a window of 64 rows with a free square in one column mostly has one in the next; n / 64 times
    that in the worst case.
    """
    windows = np.uint64(len(bitsets.rows))
    window = ZERO
    for column in range(np.uint64(first), np.uint64(last)):
        if is_marked(bitsets.fixed, column):
            continue
        window = _find_open_window(bitsets, column, window)
        if window == windows:
            return np.int64(column)
    return last


@part
def _find_open_window(bitsets, column, start):
    """Return a window with a free square of a column, upwards from ``start`` and around the end; W for none."""
    windows = np.uint64(len(bitsets.rows))
    offset = difference_offset(bitsets)
    for step in range(windows):
        window = start + step
        if window >= windows:
            window -= windows
        if free_rows(bitsets, offset, column, window) != ZERO:
            return window
    return windows


@kernel
def draw_fixed_queens(bitsets, order, columns, rows, placed, seed, attempt, first, last):
    """Place queens in the columns order[first] to order[last - 1], each on a row drawn evenly from its free rows.

    order : (n,) int32 or uint32 array of columns
    columns, rows : int64 arrays, written from index ``placed`` on; columns without a free row are skipped

    Modifies the bitsets. Returns how many queens are placed in all, at most len(columns). O(1) a queen while free rows
    are easy to find, O(n / 64) in the worst case.
    """
    n = np.uint64(len(order))
    key = stream_key(seed, attempt, UNUSED_ROWS)
    for i in range(np.uint64(first), np.uint64(last)):
        if placed == len(columns):
            break
        column = np.uint64(order[i])
        row = _draw_free_row(bitsets, column, key, i * (_DRAWS + ONE), n)
        if row < n:
            mark_lines(bitsets, column, row)
            columns[placed] = column
            rows[placed] = row
            placed += 1
    return placed


@part
def _draw_free_row(bitsets, column, key, first_draw, n):
    """Return a random row of a column whose square is open, or n if there is none."""
    for draw in range(_DRAWS):
        row = below(word(key, first_draw + draw), n)
        if not is_set(bitsets.rows, row) and is_open(bitsets, column, row):
            return row
    windows = np.uint64(len(bitsets.rows))
    offset = difference_offset(bitsets)
    free = ZERO
    for window in range(windows):
        free += count_ones(free_rows(bitsets, offset, column, window))
    skip = below(word(key, first_draw + _DRAWS), free)
    for window in range(windows):
        rows = free_rows(bitsets, offset, column, window)
        if skip < count_ones(rows):
            for _ in range(skip):
                rows &= rows - ONE
            return (window << SIX) + trailing_zeros(rows)
        skip -= count_ones(rows)
    return n
