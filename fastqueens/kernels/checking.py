"""Checking a board: is it a solution, how many attacking pairs, how many conflicting queens.

Shares no line with the kernels that make boards. The queen of column c on row r stands on line
``slope * c + r + offset`` of its kind, in the arithmetic of 64-bit words: slope 0 for rows, 1 for sum diagonals,
2**64 - 1 with offset n for difference diagonals.
"""

from __future__ import annotations

import numpy as np

from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO, prefetch
from fastqueens.kernels.jit import kernel

_AHEAD = 16


@kernel
def claim_lines(queens, claimed, slope, offset, first, last):
    """Mark the lines of columns first to last - 1, and give the first column whose line was marked before, or last.

    claimed : uint64 bitset, one bit a line; modified. O(last - first); stops at the column it gives back.
    """
    end = len(queens) - 1
    for column in range(first, last):
        ahead = min(column + _AHEAD, end)
        prefetch(claimed, (slope * np.uint64(ahead) + np.uint64(queens[ahead]) + offset) >> SIX)
        line = slope * np.uint64(column) + np.uint64(queens[column]) + offset
        bit = ONE << (line & SIXTY_THREE)
        if claimed[line >> SIX] & bit != ZERO:
            return column
        claimed[line >> SIX] |= bit
    return last


@kernel
def find_on_line(queens, slope, offset, line, first, last):
    """Give the first column from first to last - 1 whose queen stands on a line, or last; O(last - first)."""
    for column in range(first, last):
        if slope * np.uint64(column) + np.uint64(queens[column]) + offset == line:
            return column
    return last


@kernel
def count_lines(queens, counters, first_line, slope, offset, first, last):
    """Count the queens of columns first to last - 1 on the lines from first_line on, as many as there are counters.

    counters : uint32 array; modified. Returns the attacking pairs that these queens add. O(last - first).
    """
    lines = np.uint64(len(counters))
    pairs = 0
    for column in range(first, last):
        line = slope * np.uint64(column) + np.uint64(queens[column]) + offset - first_line
        if line < lines:
            pairs += np.int64(counters[line])
            counters[line] += np.uint32(1)
    return pairs


@kernel
def mark_conflicting(queens, counters, marked, first_line, slope, offset, first, last):
    """Mark the queens of columns first to last - 1 that share one of the counted lines; O(last - first).

    marked : uint64 bitset, one bit a column; modified. Returns how many were not marked before.
    """
    lines = np.uint64(len(counters))
    found = 0
    for column in range(first, last):
        line = slope * np.uint64(column) + np.uint64(queens[column]) + offset - first_line
        if line < lines and counters[line] > 1:
            bit = ONE << (np.uint64(column) & SIXTY_THREE)
            word = np.uint64(column) >> SIX
            if marked[word] & bit == ZERO:
                marked[word] |= bit
                found += 1
    return found
