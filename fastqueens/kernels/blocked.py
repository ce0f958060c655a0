"""Blocked squares, as a sorted list with a directory: O(1) a look-up for random squares, 40 bytes or less a square.

All of it is one uint64 array ``blocked``, which :func:`blocked_index` makes: each array costs time at every call of a
kernel. It is empty if no square is blocked. It begins with ``shift`` and the number of cells. Cell i stands for the
columns i * 2**shift to (i + 1) * 2**shift - 1. There are about as many cells as squares, so that the size does not
depend on n. Then follow:

- for each cell a word that marks row & 63 of all its squares; it tells most squares that are not blocked;
- the directory: where in the array the squares of each cell begin, and where the last ones end;
- the squares in ascending order, as words column * 2**32 + row.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from fastqueens._jit.decorators import inlined
from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO

_SHIFT = 0
_CELLS = 1
_MARKS = np.uint64(2)

_32 = np.uint64(32)
_64 = np.uint64(64)

_indexes: Any = WeakKeyDictionary()


def blocked_index(instance: Any) -> Any:
    """Return the index of the blocked squares of an instance, made when first needed: a function for drivers."""
    if instance not in _indexes:
        _indexes[instance] = index_of(instance.blocked, instance.n)
    return _indexes[instance]


def index_of(blocked: Any, n: int) -> Any:
    """Return the index of blocked squares, a sorted (k, 2) int64 array, on a board of n."""
    if not len(blocked):
        return np.empty(0, np.uint64)
    columns, rows = blocked.T
    shift = max(0, (n // len(blocked)).bit_length() - 1)
    counts = np.bincount(columns >> shift, minlength=((n - 1) >> shift) + 1)
    marks = np.zeros(len(counts), np.uint64)
    np.bitwise_or.at(marks, columns >> shift, np.uint64(1) << (rows & 63).astype(np.uint64))
    directory = 2 + 2 * len(marks) + 1 + np.concatenate([[0], np.cumsum(counts)])
    squares = (columns << 32) | rows
    return np.concatenate([[shift, len(marks)], marks, directory, squares], dtype=np.uint64, casting="unsafe")


@inlined
def rows_that_may_be_blocked(blocked, column):
    """Return, for any window of 64 rows in a column, the rows that may be blocked; the others are not."""
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
