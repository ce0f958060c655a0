"""Blocked squares, as a sorted list with a directory: O(1) per look-up of random squares, at most 40 bytes per square.

All of it is one uint64 array ``blocked``, made by ``Instance.blocked_index``: each array costs time at every call of a
kernel. It is empty if no square is blocked. It begins with ``shift`` and the number of cells. Cell i stands for the
columns i * 2**shift to (i + 1) * 2**shift - 1. There are about as many cells as squares, so that the size does not
depend on n. Then follow:

- for each cell a word that marks row & 63 of all its squares; it tells most squares that are not blocked;
- the directory: where in the array the squares of each cell begin, and where the last ones end;
- the squares in ascending order, as words column * 2**32 + row.
"""

import numpy as np

from fastqueens._jit.decorators import inlined
from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO

_SHIFT = 0
_CELLS = 1
_MARKS = np.uint64(2)

_32 = np.uint64(32)
_64 = np.uint64(64)


@inlined
def rows_that_may_be_blocked(blocked, column):
    """Return, for any window of 64 rows in a column, the rows that could be blocked; all others are not blocked."""
    return blocked[_MARKS + (column >> blocked[_SHIFT])]


@inlined
def is_blocked(blocked, column, row):
    """Return whether a square is blocked; O(log of the squares in its cell)."""
    if len(blocked) == 0 or (rows_that_may_be_blocked(blocked, column) >> (row & SIXTY_THREE)) & ONE == ZERO:
        return False
    square = (column << _32) | row
    at = _first_from(blocked, column, square)
    return at < np.uint64(len(blocked)) and blocked[at] == square


@inlined
def blocked_rows(blocked, column, window):
    """Return the blocked rows of a window of 64 rows in a column, as the bits of a word."""
    rows = ZERO
    if len(blocked) > 0:
        square = (column << _32) + (window << SIX)
        end = square + _64
        at = _first_from(blocked, column, square)
        while at < np.uint64(len(blocked)) and blocked[at] < end:
            rows |= ONE << (blocked[at] & SIXTY_THREE)
            at += ONE
    return rows


@inlined
def _first_from(blocked, column, square):
    """Return the index of the first blocked square that is not before ``square``, a square of ``column``."""
    entry = _MARKS + blocked[_CELLS] + (column >> blocked[_SHIFT])
    low = blocked[entry]
    high = blocked[entry + ONE]
    while low < high:
        middle = (low + high) >> ONE
        if blocked[middle] < square:
            low = middle + ONE
        else:
            high = middle
    return low
