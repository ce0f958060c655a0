"""Unit propagation: columns and rows with at most one open square.

A square is open if no queen attacks it, it is not blocked, and both its diagonals are allowed.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int64, uint8, uint64
from fastqueens.kernels import bits
from fastqueens.kernels.bits import ONE, SIX, ZERO
from fastqueens.kernels.blocked import blocked_rows


@bundle
class Side(NamedTuple):
    """A board of n, seen from its columns, or transposed; arrays of W, W, 2 W and 2 W + 1 words, W = ceil(n/64).

    columns, rows : a bit for each one with a queen, and those beyond n
    sums, differences : a bit for each diagonal c + r, and r - c + 64 W, that holds a queen or is excluded
    blocked : squares that must stay empty, see kernels/blocked.py
    """

    columns: uint64[:]
    rows: uint64[:]
    sums: uint64[:]
    differences: uint64[:]
    blocked: uint64[:]


class Listed(NamedTuple):
    """The first column without any open square, or the one after the last; and the number of all listed squares."""

    closed: int64
    listed: int64


@kernel
def list_last_squares(side: Side, columns: int64[:], rows: int64[:], count: int64, first: int64, last: int64) -> Listed:
    """List the empty columns from ``first`` to last - 1 that have a single open square, and the rows of these squares.

    columns, rows : written from index ``count`` on

    O(last - first) if the windows of 64 rows with open squares of one column mostly have some in the next; n / 64 times
    that in the worst case.
    """
    windows = np.uint64(len(side.rows))
    window, other = ZERO, ZERO
    for column in range(np.uint64(first), np.uint64(last)):
        if bits.is_set(side.columns, column):
            continue
        window = _open_window(side, column, window, windows)
        if window == windows:
            return np.int64(column), count
        squares = _open_rows(side, column, window)
        if squares & (squares - ONE) == ZERO:
            other = _open_window(side, column, other, window)
            if other == windows:
                columns[count] = column
                rows[count] = (window << SIX) + bits.trailing_zeros(squares)
                count += 1
                other = window
    return np.int64(last), count


@inlined
def _open_window(side, column, start, without):
    """Return a window of a column with an open square, upwards from ``start`` and around the end; W if there is none.

    without : a window that is passed over, or W
    """
    windows = np.uint64(len(side.rows))
    for step in range(windows):
        window = start + step
        if window >= windows:
            window -= windows
        if window != without and _open_rows(side, column, window) != ZERO:
            return window
    return windows


@inlined
def _open_rows(side, column, window):
    """Return the open squares of a column in a window of 64 rows, as the bits of a word."""
    first = window << SIX
    marks = side.rows[window] | bits.load_64(side.sums, first + column)
    marks |= bits.load_64(side.differences, first + (np.uint64(len(side.rows)) << SIX) - column)
    return ~(marks | blocked_rows(side.blocked, column, window))


@kernel
def place_queens(side: Side, transposed: Side, columns: int64[:], rows: int64[:], is_placed: uint8[:]):
    """Place queens one after another, except on squares that another queen attacks.

    side, transposed : the board seen from both sides; modified. Both have the same ``sums``.
    columns, rows : (k,)
    is_placed : (k,); set to 0 or 1

    O(k).
    """
    offset = np.uint64(len(side.rows)) << SIX
    for i in range(len(columns)):
        column, row = np.uint64(columns[i]), np.uint64(rows[i])
        sum_, difference = column + row, row + offset - column
        is_placed[i] = not (
            bits.is_set(side.columns, column)
            or bits.is_set(side.rows, row)
            or bits.is_set(side.sums, sum_)
            or bits.is_set(side.differences, difference)
        )
        if is_placed[i]:
            bits.set_bit(side.columns, column)
            bits.set_bit(side.rows, row)
            bits.set_bit(side.sums, sum_)
            bits.set_bit(side.differences, difference)
            bits.set_bit(transposed.differences, column + offset - row)
