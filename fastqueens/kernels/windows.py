"""First boards: windowed, random, permutation; fixed queens on their bitsets: marking, closed columns, drawing.

The uniform start is in kernels/min_conflicts.py, since it chooses rows as that search does.

``queens[c]`` is the row of the queen in column c; n marks an empty column. The bitsets have one bit for each line: row
r; sum diagonal c + r; difference diagonal r - c + ``64 * len(rows)``. The bits of ``rows`` from n on are always set, so
that no window offers a row beyond the board. The lines of fixed queens and the excluded diagonals are marked before the
placement begins, and the placement skips the columns of fixed queens.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint32, uint64
from fastqueens.kernels import bits
from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO
from fastqueens.kernels.blocked import blocked_rows, is_blocked, rows_that_may_be_blocked
from fastqueens.kernels.stream import PLACEMENT, UNUSED_ROWS, below, stream_key, word

# Rows in a window.
_64 = np.uint64(64)

# Windows tried for a column before it is set aside. Eight set 1.2 % of the columns aside, four 2.2 %; with four, the
# placement of 10**7 queens in windows took a tenth longer, since only one draw in 14 from the unused rows fits.
_WINDOWS = np.uint64(8)

# How many columns ahead to prefetch: 16.4 instead of 22.8 ns per queen when 10**7 queens were placed in this way.
_AHEAD = np.uint64(16)

# Draws from the unused rows for a column that was set aside, before a scan of all of them.
_DRAWS = np.uint64(200)

# Rows drawn for a fixed queen before the free rows of its column are counted.
_DRAWS_OF_FIXED = np.uint64(64)


@bundle
class Bitsets(NamedTuple):
    """Which lines hold a queen or are excluded: arrays of W, 2 W and 2 W + 1 words.

    W is ceil(n / 64); for boards that are placed in groups, 8 ceil(n / 512) + 1.

    fixed : one bit for each column with a fixed queen: W words, or none if there are no fixed queens
    blocked : squares that must stay empty, see kernels/blocked.py
    """

    rows: uint64[:]
    sums: uint64[:]
    differences: uint64[:]
    fixed: uint64[:]
    blocked: uint64[:]


@inlined
def difference_offset(bitsets):
    """Return the number added to r - c: a multiple of 64, so that neighbouring tiles share no word."""
    return np.uint64(len(bitsets.rows)) << SIX


@inlined
def is_open(bitsets, column, row):
    """Return whether a square of an unused row is open: not blocked, and with unmarked diagonals."""
    marks = diagonal_marks(bitsets, difference_offset(bitsets), column, row)
    return marks & ONE == ZERO and not is_blocked(bitsets.blocked, column, row)


@inlined
def diagonal_marks(bitsets, offset, column, row):
    """Return a word whose lowest bit says whether a diagonal of a square is marked.

    offset : difference_offset(bitsets)

    This avoids a branch for each diagonal, which the processor would often predict wrongly.
    """
    sum_, difference = column + row, row + offset - column
    marks = bitsets.sums[sum_ >> SIX] >> (sum_ & SIXTY_THREE)
    return marks | bitsets.differences[difference >> SIX] >> (difference & SIXTY_THREE)


@inlined
def unmarked_rows(bitsets, offset, column, window):
    """Return the rows of a window of 64 on whose squares no line is marked, as the bits of a word.

    offset : difference_offset(bitsets); in a loop over windows, LLVM computes it only once if it is a parameter
    """
    first_row = window << SIX
    return ~(
        bitsets.rows[window]
        | bits.load_64(bitsets.sums, first_row + column)
        | bits.load_64(bitsets.differences, first_row + offset - column)
    )


@inlined
def free_rows(bitsets, offset, column, window):
    """Return the rows of a window of 64 on which a queen can be placed: :func:`unmarked_rows` that are not blocked."""
    return unmarked_rows(bitsets, offset, column, window) & ~blocked_rows(bitsets.blocked, column, window)


@inlined
def mark_lines(bitsets, column, row):
    """Mark the three lines of a square."""
    bits.set_bit(bitsets.rows, row)
    bits.set_bit(bitsets.sums, column + row)
    bits.set_bit(bitsets.differences, row + difference_offset(bitsets) - column)


@kernel
def place_in_one_piece(
    queens: int32[:],
    bitsets: Bitsets,
    columns: uint32[:],
    unused: uint32[:],
    counts: int64[:],
    seed: uint64,
    attempt: uint64,
) -> int64:
    """Place the queens of all columns on open squares, in windows and then on unused rows.

    queens, bitsets : modified, as by :func:`place_windowed`
    columns, unused : (n,); the columns left over and the rows without a queen get to their front
    counts : (3,), see :func:`place_in_unused_rows`

    Returns the number of columns left over. O(n).
    """
    set_aside = place_windowed(queens, bitsets, columns, 0, seed, attempt, 0, len(queens))
    counts[0] = 0
    counts[1] = 0
    counts[2] = list_unused_rows(bitsets, unused, 0, len(bitsets.rows))
    place_in_unused_rows(queens, bitsets, columns, unused, counts, seed, attempt, set_aside)
    return counts[1]


@inlined
def place_windowed(queens, bitsets, set_aside, count, seed, attempt, first, last):
    """Place the queens of columns first to last - 1 on open squares in random windows of 64 rows.

    queens : (n,) int32 or uint32 array; modified
    bitsets : modified
    set_aside : (n,) uint32 array; gets, from index ``count`` on, the columns without a free row in eight windows, which
        have row n
    seed, attempt : uint64

    Returns the new count. O(1) per column, with 1.3 windows on average.
    """
    # Two loops: without blocked squares, a test for them would take a sixth of the time.
    if len(bitsets.blocked) == 0:
        return _place_columns(queens, bitsets, set_aside, count, seed, attempt, first, last, False)
    return _place_columns(queens, bitsets, set_aside, count, seed, attempt, first, last, True)


@inlined
def _place_columns(queens, bitsets, set_aside, count, seed, attempt, first, last, has_blocked):
    """Place the queens of columns first to last - 1; ``has_blocked`` is a constant that the compiler knows."""
    n = np.uint64(len(queens))
    windows = np.uint64(len(bitsets.rows))
    key = stream_key(seed, attempt, PLACEMENT)
    for column in range(np.uint64(first), np.uint64(last)):
        _prefetch_windows(bitsets, column + _AHEAD, key, windows)
        if bits.is_marked(bitsets.fixed, column):
            continue
        row = _place_in_windows(bitsets, column, key, windows, n, has_blocked)
        queens[column] = row
        if row == n:
            set_aside[count] = column
            count += 1
    return count


@inlined
def _prefetch_windows(bitsets, column, key, windows):
    """Prefetch the words of the window that a column will try first."""
    rows = below(word(key, column * _WINDOWS), windows) << SIX
    bits.prefetch(bitsets.rows, rows >> SIX)
    bits.prefetch(bitsets.sums, (rows + column) >> SIX)
    bits.prefetch(bitsets.differences, (rows + difference_offset(bitsets) - column) >> SIX)


@inlined
def _place_in_windows(bitsets, column, key, windows, n, has_blocked):
    """Mark a free square of a column in a random window; return its row, or n.

    has_blocked : whether there are blocked squares, a constant that the compiler knows
    """
    rows_in_window = min(n, _64)
    offset = difference_offset(bitsets)
    for draw in range(_WINDOWS):
        random = word(key, column * _WINDOWS + draw)
        window = below(random, windows)
        free = unmarked_rows(bitsets, offset, column, window)
        if has_blocked and free != ZERO:
            # Rows that could be blocked are left out, and looked up only if no other row is open.
            surely_open = free & ~rows_that_may_be_blocked(bitsets.blocked, column)
            free = surely_open if surely_open != ZERO else free & ~blocked_rows(bitsets.blocked, column, window)
        if free != ZERO:
            # The lowest six bits did not influence the window. Without the scaling, a board of less than 64 rows would
            # favour its row 0.
            row = (window << SIX) + bits.rotated_first_bit(free, ((random & SIXTY_THREE) * rows_in_window) >> SIX)
            mark_lines(bitsets, column, row)
            return row
    return n


@kernel
def list_unused_rows(bitsets: Bitsets, unused: uint32[:], first: int64, last: int64) -> int64:
    """List the rows of words first to last - 1 that hold no queen, and return their number.

    unused : an array with room for them; written from index 0 on

    O(last - first + rows listed).
    """
    found = 0
    for at in range(first, last):
        free = ~bitsets.rows[at]
        while free != ZERO:
            unused[found] = (np.uint64(at) << SIX) + bits.trailing_zeros(free)
            found += 1
            free &= free - ONE
    return found


@kernel
def place_in_unused_rows(
    queens: int32[:],
    bitsets: Bitsets,
    columns: uint32[:],
    unused: uint32[:],
    counts: int64[:],
    seed: uint64,
    attempt: uint64,
    last: int64,
):
    """Place the queens of the listed empty columns on unused rows, if the square is open.

    columns, unused : the empty columns and the rows without a queen
    counts : (3,): columns tried, columns for which no row fits, rows left in ``unused``
    last : stop when this many columns have been tried

    Modifies all arrays; the columns for which no row fits move to the front of ``columns``. About 14 draws per column.
    """
    key = stream_key(seed, attempt, UNUSED_ROWS)
    left_over = counts[1]
    remaining = np.uint64(counts[2])
    for place in range(counts[0], last):
        column = np.uint64(columns[place])
        at = _find_fitting_row(bitsets, unused, remaining, column, key, np.uint64(place) << np.uint64(9))
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


@inlined
def _find_fitting_row(bitsets, unused, remaining, column, key, first_draw):
    """Return an index into ``unused`` whose square in this column is open, or ``remaining`` if there is none."""
    for draw in range(min(_DRAWS, remaining)):
        at = below(word(key, first_draw + draw), remaining)
        if is_open(bitsets, column, np.uint64(unused[at])):
            return at
    start = below(word(key, first_draw + _DRAWS), remaining)
    for step in range(remaining):
        at = start + step
        if at >= remaining:
            at -= remaining
        if is_open(bitsets, column, np.uint64(unused[at])):
            return at
    return remaining


@kernel
def place_random(queens: int32[:], seed: uint64, attempt: uint64, first: int64, last: int64):
    """Place the queens of columns first to last - 1 on independent random rows; O(last - first)."""
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, PLACEMENT)
    for column in range(np.uint64(first), np.uint64(last)):
        queens[column] = below(word(key, column), n)


@kernel
def place_permutation(queens: int32[:], seed: uint64, attempt: uint64, first: int64, last: int64):
    """Continue a shuffle of all rows with columns first to last - 1 (Fisher and Yates, inside out); O(last - first).

    Call it for consecutive slices of columns, from first = 0 to last = n.
    """
    key = stream_key(seed, attempt, PLACEMENT)
    for column in range(np.uint64(first), np.uint64(last)):
        other = below(word(key, column), column + ONE)
        queens[column] = queens[other]
        queens[other] = column


@kernel
def mark_fixed_queens(bitsets: Bitsets, columns: int64[:], rows: int64[:]):
    """Mark the lines of the fixed queens; O(fixed queens)."""
    for i in range(len(columns)):
        mark_lines(bitsets, np.uint64(columns[i]), np.uint64(rows[i]))


@kernel
def draw_fixed_queens(
    bitsets: Bitsets,
    order: int32[:],
    columns: int64[:],
    rows: int64[:],
    placed: int64,
    seed: uint64,
    attempt: uint64,
    first: int64,
    last: int64,
) -> int64:
    """Place queens in the columns order[first] to order[last - 1], each on a row drawn uniformly from its free rows.

    order : (n,), columns
    columns, rows : written from index ``placed`` on; columns without a free row are skipped

    Modifies the bitsets. Returns the total number of placed queens, at most len(columns). O(1) per queen while free
    rows are easy to find, O(n / 64) in the worst case.
    """
    n = np.uint64(len(order))
    key = stream_key(seed, attempt, UNUSED_ROWS)
    for i in range(np.uint64(first), np.uint64(last)):
        if placed == len(columns):
            break
        column = np.uint64(order[i])
        row = _draw_free_row(bitsets, column, key, i * (_DRAWS_OF_FIXED + ONE), n)
        if row < n:
            mark_lines(bitsets, column, row)
            columns[placed] = column
            rows[placed] = row
            placed += 1
    return placed


@inlined
def _draw_free_row(bitsets, column, key, first_draw, n):
    """Return a random row of a column whose square is open, or n if there is none."""
    for draw in range(_DRAWS_OF_FIXED):
        row = below(word(key, first_draw + draw), n)
        if not bits.is_set(bitsets.rows, row) and is_open(bitsets, column, row):
            return row
    windows = np.uint64(len(bitsets.rows))
    offset = difference_offset(bitsets)
    free = ZERO
    for window in range(windows):
        free += bits.count_ones(free_rows(bitsets, offset, column, window))
    skip = below(word(key, first_draw + _DRAWS_OF_FIXED), free)
    for window in range(windows):
        rows = free_rows(bitsets, offset, column, window)
        if skip < bits.count_ones(rows):
            for _ in range(skip):
                rows &= rows - ONE
            return (window << SIX) + bits.trailing_zeros(rows)
        skip -= bits.count_ones(rows)
    return n
