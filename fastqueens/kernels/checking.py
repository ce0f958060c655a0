"""Checking a board: is it a solution, how many attacking pairs, how many conflicting queens.

Shares no line with the kernels that make boards. The queen of column c on row r stands on line
``slope * c + r + offset`` of its kind, in the arithmetic of 64-bit words: slope 0 for rows, 1 for sum diagonals,
2**64 - 1 with offset n for difference diagonals. A kernel looks at a span of lines and passes over the others, so
that threads can share the lines, and counters need not hold all of them at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO, is_set, prefetch
from fastqueens.kernels.jit import kernel, part

_AHEAD = 16

# How many listed squares ahead, which needs no test for the end of the list.
LISTED_AHEAD = 24

_HALF = np.uint64(32)
_LOWER_HALF = np.uint64(0xFFFFFFFF)


class Span(NamedTuple):
    """``lines`` lines of one kind (all uint64): counted from ``offset`` on, which holds the first line of the span."""

    slope: np.uint64
    offset: np.uint64
    lines: np.uint64


@part
def _line(queens, span, column):
    """The line of a queen, counted from the first one of the span; ``lines`` or more where it is outside."""
    return span.slope * np.uint64(column) + np.uint64(queens[column]) + span.offset


@part
def _ask_ahead(queens, words, span, column):
    """Ask for the memory of the bit that a later column will need."""
    ahead = min(column + _AHEAD, len(queens) - 1)
    prefetch(words, min(_line(queens, span, ahead), span.lines) >> SIX)


@kernel
def claim_lines(queens, claimed, span, first, last):
    """Mark the lines of columns first to last - 1, and give the first column whose line was marked before, or last.

    claimed : uint64 bitset of the span's lines and one spare word; modified

    O(last - first); stops at the column it gives back.
    """
    for column in range(first, last):
        _ask_ahead(queens, claimed, span, column)
        line = _line(queens, span, column)
        # Without a branch, which nobody could predict: lines outside of the span mark nothing, in the spare word.
        word = min(line, span.lines) >> SIX
        bit = np.uint64(line < span.lines) << (line & SIXTY_THREE)
        if claimed[word] & bit != ZERO:
            return column
        claimed[word] |= bit
    return last


@kernel
def is_solution(queens, claimed):
    """Tell whether no two queens of a small board share a line.

    claimed : uint64 bitset of 2 n bits and a spare word; modified
    """
    n = np.uint64(len(queens))
    return (
        _has_no_clash(queens, claimed, Span(ZERO, ZERO, n))
        and _has_no_clash(queens, claimed, Span(ONE, ZERO, n + n))
        and _has_no_clash(queens, claimed, Span(~ZERO, n, n + n))
    )


@part
def _has_no_clash(queens, claimed, span):
    claimed[:] = 0
    return claim_lines(queens, claimed, span, 0, len(queens)) == len(queens)


@kernel
def join_claims(claimed, other):
    """Add the marks of ``other`` to ``claimed``; False where a line is marked in both. O(words)."""
    common = ZERO
    for i in range(len(claimed)):
        common |= claimed[i] & other[i]
        claimed[i] |= other[i]
    return common == ZERO


@kernel
def count_bands(queens, counts, band_bits, first, last):
    """Count the queens of columns first to last - 1 in each band of 2**band_bits rows; adds to counts (int64)."""
    for column in range(first, last):
        counts[np.uint64(queens[column]) >> band_bits] += 1


@kernel
def list_by_band(queens, listed, places, band_bits, first, last):
    """Write the squares of columns first to last - 1, as column * 2**32 + row, into ``listed``, sorted by their band.

    places : int64 array, where the next square of each band goes; moved on
    """
    for column in range(np.uint64(first), np.uint64(last)):
        row = np.uint64(queens[column])
        band = row >> band_bits
        listed[places[band]] = (column << _HALF) | row
        places[band] += 1


@kernel
def claim_bands(listed, starts, rows, sums, differences, offset, first, last):
    """Mark the lines of the squares in every other band from ``first`` to last - 1; False where one was marked before.

    listed : uint64 array of squares, band j from place starts[j] to starts[j + 1] - 1, and LISTED_AHEAD places more
    rows, sums, differences : uint64 bitsets of all lines of their kind, differences from ``offset`` on; modified
    """
    met = ZERO
    for band in range(first, last, 2):
        for i in range(np.uint64(starts[band]), np.uint64(starts[band + 1])):
            ahead = listed[i + np.uint64(LISTED_AHEAD)]
            column, row = ahead >> _HALF, ahead & _LOWER_HALF
            prefetch(rows, row >> SIX)
            prefetch(sums, (column + row) >> SIX)
            prefetch(differences, (row + offset - column) >> SIX)
            column, row = listed[i] >> _HALF, listed[i] & _LOWER_HALF
            met |= _claim(rows, row) | _claim(sums, column + row) | _claim(differences, row + offset - column)
    return met == ZERO


@part
def _claim(words, line):
    """Mark a line; not zero where it was marked before."""
    bit = ONE << (line & SIXTY_THREE)
    word = words[line >> SIX]
    words[line >> SIX] = word | bit
    return word & bit


@kernel
def claim_twice(queens, claimed, twice, span, first, last):
    """Mark the lines of columns first to last - 1 in ``claimed``, and those that hold a second queen in ``twice``.

    Both are uint64 bitsets of the span's lines, ``claimed`` with a spare word; modified. O(last - first).
    """
    for column in range(first, last):
        _ask_ahead(queens, claimed, span, column)
        line = _line(queens, span, column)
        word = min(line, span.lines) >> SIX
        bit = np.uint64(line < span.lines) << (line & SIXTY_THREE)
        if claimed[word] & bit != ZERO:
            twice[word] |= bit
        claimed[word] |= bit


@kernel
def count_conflicting(queens, rows, sums, differences, first, last):
    """Count the queens of columns first to last - 1 on a line that is marked in one of three bitsets of all lines."""
    n = np.uint64(len(queens))
    found = 0
    for column in range(np.uint64(first), np.uint64(last)):
        row = np.uint64(queens[column])
        found += np.int64(
            is_set(rows, row) or is_set(sums, column + row) or is_set(differences, row + n - column)
        )
    return found


@kernel
def find_on_line(queens, span, line, first, last):
    """Give the first column from first to last - 1 whose queen stands on a line, or last; O(last - first)."""
    for column in range(first, last):
        if _line(queens, span, column) == line:
            return column
    return last


@kernel
def count_lines(queens, counters, span, first, last):
    """Count the queens of columns first to last - 1 on the lines of the span.

    counters : uint32 array, one a line; modified. Returns the attacking pairs that these queens add. O(last - first).
    """
    pairs = 0
    for column in range(first, last):
        line = _line(queens, span, column)
        if line < span.lines:
            pairs += np.int64(counters[line])
            counters[line] += np.uint32(1)
    return pairs
