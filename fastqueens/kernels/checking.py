"""Checking a board: is it a solution, how many attacking pairs, how many conflicting queens.

This module shares no code with the kernels that make boards. The queen of column c on row r is on line
``slope * c + r + offset`` of each kind, computed in 64-bit words: slope 0 for rows, 1 for sum diagonals, 2**64 - 1 with
offset n for difference diagonals. A kernel handles a span of lines and skips the others. So threads can divide the
lines among themselves, and counters need not hold all lines at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO, is_set, prefetch
from fastqueens.kernels.jit import kernel, part

# How many columns ahead to prefetch.
_AHEAD = 16

# How many listed squares ahead to prefetch. The list has as many spare places, so that no test for its end is needed.
LISTED_AHEAD = 24

_HALF = np.uint64(32)
_LOWER_HALF = np.uint64(0xFFFFFFFF)


class Span(NamedTuple):
    """Consecutive lines of one kind: how many, their slope, and the offset that makes the first one line 0 (uint64)."""

    slope: np.uint64
    offset: np.uint64
    lines: np.uint64


@part
def _line(queens, span, column):
    """Return the line of a queen, counted from the first of the span; at least ``span.lines`` if it is outside."""
    return span.slope * np.uint64(column) + np.uint64(queens[column]) + span.offset


@part
def _prefetch_ahead(queens, words, span, column):
    """Prefetch the word that a later column will need."""
    ahead = min(column + _AHEAD, len(queens) - 1)
    prefetch(words, min(_line(queens, span, ahead), span.lines) >> SIX)


@kernel
def first_off_board(queens, n, first, last):
    """Return the first of columns first to last - 1 whose row is below 0 or above n - 1, or last.

    queens : array of integers
    n : uint64, the number of rows

    O(last - first).
    """
    for column in range(first, last):
        if np.uint64(queens[column]) >= n:
            return column
    return last


@kernel
def claim_lines(queens, claimed, span, first, last):
    """Mark the lines of columns first to last - 1; return the first column whose line was marked before, or last.

    claimed : uint64 bitset of the span's lines and one spare word; modified

    Stops at the column it returns. O(last - first).
    """
    for column in range(first, last):
        _prefetch_ahead(queens, claimed, span, column)
        word, bit = _word_and_bit(queens, span, column)
        if claimed[word] & bit != ZERO:
            return column
        claimed[word] |= bit
    return last


@part
def _word_and_bit(queens, span, column):
    """Return where to mark the line of a queen; a line outside the span has no bit, in the spare word."""
    line = _line(queens, span, column)
    # Without a branch, which the processor would often predict wrongly.
    return min(line, span.lines) >> SIX, np.uint64(line < span.lines) << (line & SIXTY_THREE)


@kernel
def is_solution(queens, claimed):
    """Return whether all queens of a small board are on the board and no two of them share a line; O(n).

    claimed : uint64 bitset of 2 n bits and a spare word; modified
    """
    n = np.uint64(len(queens))
    return (
        first_off_board(queens, n, 0, len(queens)) == len(queens)
        and _is_free_of_attacks(queens, claimed, Span(ZERO, ZERO, n))
        and _is_free_of_attacks(queens, claimed, Span(ONE, ZERO, n + n))
        and _is_free_of_attacks(queens, claimed, Span(~ZERO, n, n + n))
    )


@part
def _is_free_of_attacks(queens, claimed, span):
    """Return whether no line of the span holds two queens."""
    claimed[:] = 0
    return claim_lines(queens, claimed, span, 0, len(queens)) == len(queens)


@kernel
def join_claims(claimed, other):
    """Add the marks of ``other`` to ``claimed``; return False if a line is marked in both. O(words)."""
    common = ZERO
    for i in range(len(claimed)):
        common |= claimed[i] & other[i]
        claimed[i] |= other[i]
    return common == ZERO


@kernel
def count_bands(queens, counts, band_bits, first, last):
    """Count the queens of columns first to last - 1 in each band of 2**band_bits rows.

    counts : (bands,) int64 array; added to

    Returns how many queens are on a row below 0 or above n - 1; they count in the last band. O(last - first).
    """
    n = np.uint64(len(queens))
    off_board = 0
    for column in range(first, last):
        row = np.uint64(queens[column])
        off_board += np.int64(row >= n)
        counts[min(row, n - ONE) >> band_bits] += 1
    return off_board


@kernel
def list_by_band(queens, listed, places, band_bits, first, last):
    """List the squares of columns first to last - 1, as column * 2**32 + row, sorted by their band.

    listed : uint64 array; written to
    places : (bands,) int64 array, the index in ``listed`` of each band's next square; modified

    O(last - first).
    """
    for column in range(np.uint64(first), np.uint64(last)):
        row = np.uint64(queens[column])
        band = row >> band_bits
        listed[places[band]] = (column << _HALF) | row
        places[band] += 1


@kernel
def claim_bands(listed, starts, rows, sums, differences, offset, first, last):
    """Mark the lines of all squares in every other band from ``first`` to last - 1; return False if one was marked.

    listed : uint64 array of squares, band j from index starts[j] to starts[j + 1] - 1, and LISTED_AHEAD spare places
    rows, sums, differences : uint64 bitsets of all lines of their kind, differences from ``offset`` on; modified

    O(squares in these bands).
    """
    taken = ZERO
    for band in range(first, last, 2):
        for i in range(np.uint64(starts[band]), np.uint64(starts[band + 1])):
            ahead = listed[i + np.uint64(LISTED_AHEAD)]
            column, row = ahead >> _HALF, ahead & _LOWER_HALF
            prefetch(rows, row >> SIX)
            prefetch(sums, (column + row) >> SIX)
            prefetch(differences, (row + offset - column) >> SIX)
            column, row = listed[i] >> _HALF, listed[i] & _LOWER_HALF
            taken |= _claim(rows, row) | _claim(sums, column + row) | _claim(differences, row + offset - column)
    return taken == ZERO


@part
def _claim(words, line):
    """Mark a line; return 0 if it was not marked before, and its bit otherwise."""
    bit = ONE << (line & SIXTY_THREE)
    word = words[line >> SIX]
    words[line >> SIX] = word | bit
    return word & bit


@kernel
def claim_twice(queens, claimed, twice, span, first, last):
    """Mark the lines of columns first to last - 1 in ``claimed``, and those with a second queen in ``twice``.

    claimed, twice : uint64 bitsets of the span's lines, ``claimed`` with a spare word; modified

    O(last - first).
    """
    for column in range(first, last):
        _prefetch_ahead(queens, claimed, span, column)
        word, bit = _word_and_bit(queens, span, column)
        if claimed[word] & bit != ZERO:
            twice[word] |= bit
        claimed[word] |= bit


@kernel
def count_conflicting(queens, rows, sums, differences, first, last):
    """Return how many queens of columns first to last - 1 are on a marked line.

    rows, sums, differences : uint64 bitsets of all lines of their kind, differences from n on

    O(last - first).
    """
    n = np.uint64(len(queens))
    found = 0
    for column in range(np.uint64(first), np.uint64(last)):
        row = np.uint64(queens[column])
        found += np.int64(is_set(rows, row) or is_set(sums, column + row) or is_set(differences, row + n - column))
    return found


@kernel
def find_on_line(queens, span, line, first, last):
    """Return the first column from first to last - 1 whose queen is on a line of the span, or last; O(last - first)."""
    for column in range(first, last):
        if _line(queens, span, column) == line:
            return column
    return last


@kernel
def count_lines(queens, counters, span, first, last):
    """Count the queens of columns first to last - 1 on the lines of the span; return the attacking pairs they add.

    counters : (span.lines,) uint32 array; added to

    O(last - first).
    """
    pairs = 0
    for column in range(first, last):
        line = _line(queens, span, column)
        if line < span.lines:
            pairs += np.int64(counters[line])
            counters[line] += np.uint32(1)
    return pairs
