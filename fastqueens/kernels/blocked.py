"""Blocked squares, as a sorted list with a directory: O(1) a look-up for random squares, 24 bytes or less a square.

A square is a word column * 2**32 + row. Cell i of the directory is where the squares of columns i * 2**shift to
(i + 1) * 2**shift - 1 begin; there are about as many cells as squares, so that the size does not depend on n. For each
cell, a word marks row & 63 of all its squares. Most squares that are not blocked are told from it alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO
from fastqueens.kernels.jit import part

_HALF = np.uint64(32)
_WORD = np.uint64(64)


class Blocked(NamedTuple):
    """The blocked squares of a board.

    squares : (k,) uint64, ascending; none if no square is blocked
    directory : (cells + 1,) uint64
    marks : (cells,) uint64
    shift : uint64
    """

    squares: np.ndarray
    directory: np.ndarray
    marks: np.ndarray
    shift: np.uint64


@part
def is_blocked(blocked, column, row):
    """Return whether a square is blocked; O(log of the squares in its cell)."""
    if len(blocked.squares) == 0 or (blocked.marks[column >> blocked.shift] >> (row & SIXTY_THREE)) & ONE == ZERO:
        return False
    square = (column << _HALF) | row
    at = _first_from(blocked, column, square)
    return at < np.uint64(len(blocked.squares)) and blocked.squares[at] == square


@part
def blocked_rows(blocked, column, window):
    """Return the blocked rows of a window of 64 rows in a column, as the bits of a word."""
    rows = ZERO
    if len(blocked.squares) > 0:
        square = (column << _HALF) + (window << SIX)
        end = square + _WORD
        at = _first_from(blocked, column, square)
        while at < np.uint64(len(blocked.squares)) and blocked.squares[at] < end:
            rows |= ONE << (blocked.squares[at] & SIXTY_THREE)
            at += ONE
    return rows


@part
def _first_from(blocked, column, square):
    """Return the index of the first blocked square that is not before ``square``, a square of ``column``."""
    cell = column >> blocked.shift
    low = blocked.directory[cell]
    high = blocked.directory[cell + ONE]
    while low < high:
        middle = (low + high) >> ONE
        if blocked.squares[middle] < square:
            low = middle + ONE
        else:
            high = middle
    return low
