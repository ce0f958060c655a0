"""Making a first board: windowed, random, permutation.

The uniform start stands in minconflicts.py, beside the search it shares its choice of rows with.

``queens[c]`` is the row of the queen in column c, and n marks a column that is still empty. The bitsets hold a
bit a line: row r; sum diagonal c + r; difference diagonal r - c + ``64 * len(rows)``. Bits of ``rows`` from n on
are set from the beginning, so that no window ever offers a row that does not exist. Queens that were given stand in
``queens`` and on their lines before the placement begins, and their columns, marked in ``given``, are passed over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import (
    ONE,
    SIX,
    SIXTY_THREE,
    ZERO,
    is_marked,
    is_set,
    load_64,
    prefetch,
    rotated_first_bit,
    set_bit,
    trailing_zeros,
)
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.stream import PLACEMENT, UNUSED_ROWS, below, stream_key, word

# Rows in a window.
_WORD = np.uint64(64)

# Windows tried for a column before it is set aside, as 1.2 % of the columns are: with four windows 2.2 % are, and the
# placement of 10**7 queens takes a tenth longer, since a draw from the unused rows fits once in 14 times only.
_WINDOWS = np.uint64(8)

# How many columns ahead memory is asked for: 22.8 to 16.4 ns a queen at n = 10**7.
AHEAD = np.uint64(16)

# Draws from the unused rows for a column that was set aside, before all of them are walked through.
_DRAWS = np.uint64(200)


class Bitsets(NamedTuple):
    """Which lines hold a queen: uint64 arrays of W, 2 W and 2 W + 1 words, W = ceil(n / 64).

    given : a bit a column, whether its queen was given: W words, or none where no queen was
    """

    rows: np.ndarray
    sums: np.ndarray
    differences: np.ndarray
    given: np.ndarray


@part
def difference_offset(bitsets):
    """What is added to r - c: a multiple of 64, so that neighbouring tiles share no word."""
    return np.uint64(len(bitsets.rows)) << SIX


@part
def diagonals_free(bitsets, column, row):
    """Tell whether neither diagonal of a square holds a queen."""
    return not (
        is_set(bitsets.sums, column + row) or is_set(bitsets.differences, row + difference_offset(bitsets) - column)
    )


@part
def mark_lines(bitsets, column, row):
    """Mark the three lines of a square."""
    set_bit(bitsets.rows, row)
    set_bit(bitsets.sums, column + row)
    set_bit(bitsets.differences, row + difference_offset(bitsets) - column)


@kernel
def place_windowed(queens, bitsets, set_aside, count, seed, attempt, first, last):
    """Place the queens of columns first to last - 1 on squares without conflict, from windows of 64 rows.

    Modifies queens (n, int32 or uint32) and bitsets. Columns that find no row in eight windows are left with row n and
    written into ``set_aside`` (n, uint32) from place ``count`` on; returns the new count. O(1) a column, 1.3 windows
    on average. seed and attempt are uint64.
    """
    n = np.uint64(len(queens))
    windows = np.uint64(len(bitsets.rows))
    key = stream_key(seed, attempt, PLACEMENT)
    for column in range(np.uint64(first), np.uint64(last)):
        prefetch_windows(bitsets, column + AHEAD, key, ZERO, windows)
        if is_marked(bitsets.given, column):
            continue
        row = place_in_windows(bitsets, column, key, ZERO, windows, n)
        queens[column] = row
        if row == n:
            set_aside[count] = column
            count += 1
    return count


@part
def prefetch_windows(bitsets, column, key, first_window, windows):
    """Ask for the memory of the window that a column will try first."""
    rows = (first_window + below(word(key, column * _WINDOWS), windows)) << SIX
    prefetch(bitsets.rows, rows >> SIX)
    prefetch(bitsets.sums, (rows + column) >> SIX)
    prefetch(bitsets.differences, (rows + difference_offset(bitsets) - column) >> SIX)


@part
def place_in_windows(bitsets, column, key, first_window, windows, n):
    """Mark a square for a column in one of ``windows`` windows from ``first_window`` on; its row, or n for none."""
    rows_in_window = min(n, _WORD)
    offset = difference_offset(bitsets)
    for draw in range(_WINDOWS):
        random = word(key, column * _WINDOWS + draw)
        window = first_window + below(random, windows)
        first_row = window << SIX
        free = ~(
            bitsets.rows[window]
            | load_64(bitsets.sums, first_row + column)
            | load_64(bitsets.differences, first_row + offset - column)
        )
        if free != ZERO:
            # The lowest six bits of the word had no say in the window; scaled, a board of less than 64 rows does
            # not favour its row 0.
            row = first_row + rotated_first_bit(free, ((random & SIXTY_THREE) * rows_in_window) >> SIX)
            mark_lines(bitsets, column, row)
            return row
    return n


@kernel
def list_unused_rows(bitsets, unused, first, last):
    """Write the rows of words first to last - 1 that hold no queen into ``unused``, and return how many; O(words)."""
    found = 0
    for at in range(first, last):
        free = ~bitsets.rows[at]
        while free != ZERO:
            unused[found] = (np.uint64(at) << SIX) + trailing_zeros(free)
            found += 1
            free &= free - ONE
    return found


@kernel
def place_in_unused_rows(queens, bitsets, columns, unused, counts, seed, attempt, last):
    """Give each of the listed empty columns an unused row without conflict, where random draws or a walk find one.

    columns, unused : uint32 arrays, the columns still empty and the rows without a queen
    counts : (3,) int64 array: columns looked at, columns that no row fits, rows left in ``unused``
    last : stop when this many columns have been looked at

    Modifies all arrays; the columns that no row fits move to the front of ``columns``. About 14 draws a column.
    """
    key = stream_key(seed, attempt, UNUSED_ROWS)
    left_over = counts[1]
    remaining = np.uint64(counts[2])
    for place in range(counts[0], last):
        column = np.uint64(columns[place])
        at = _fitting_row(bitsets, unused, remaining, column, key, np.uint64(place) << np.uint64(9))
        if at < remaining:
            queens[column] = unused[at]
            mark_lines(bitsets, column, np.uint64(unused[at]))
            remaining -= ONE
            unused[at] = unused[remaining]
        else:
            columns[left_over] = column
            left_over += 1
    counts[0] = last
    counts[1] = left_over
    counts[2] = remaining


@part
def _fitting_row(bitsets, unused, remaining, column, key, first_draw):
    """Find a place in ``unused`` whose row costs the column no conflict, or ``remaining`` where there is none."""
    for draw in range(min(_DRAWS, remaining)):
        at = below(word(key, first_draw + draw), remaining)
        if diagonals_free(bitsets, column, np.uint64(unused[at])):
            return at
    start = below(word(key, first_draw + _DRAWS), remaining)
    for step in range(remaining):
        at = start + step
        if at >= remaining:
            at -= remaining
        if diagonals_free(bitsets, column, np.uint64(unused[at])):
            return at
    return remaining


@kernel
def place_random(queens, seed, attempt, first, last):
    """Put the queens of columns first to last - 1 on rows drawn independently of each other; O(last - first)."""
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, PLACEMENT)
    for column in range(np.uint64(first), np.uint64(last)):
        queens[column] = below(word(key, column), n)


@kernel
def place_permutation(queens, seed, attempt, first, last):
    """Go on with a shuffle of all rows (Fisher and Yates, inside out) from column first to last - 1; O(last - first).

    Called with first = 0, then on from where it was left, until last = n.
    """
    key = stream_key(seed, attempt, PLACEMENT)
    for column in range(np.uint64(first), np.uint64(last)):
        other = below(word(key, column), column + ONE)
        queens[column] = queens[other]
        queens[other] = column
