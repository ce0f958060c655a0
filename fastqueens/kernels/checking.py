"""Checking a board: is it a solution, attacking pairs, conflicting queens; and the density of its queens.

This module shares no logic with the kernels that make boards. The queen of column c on row r is on line
``slope * c + r + offset`` of each kind, computed in 64-bit words: slope 0 for rows, 1 for sum diagonals, 2**64 - 1 with
offset n for difference diagonals. Most kernels handle a span of lines and skip the others. Threads can therefore divide
the lines among themselves, and counters need not hold all lines at once.

A board can be mapped from a file that another process changes. A row is therefore never an index before it is compared
with n or with the lines of the span.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint32, uint64
from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO, is_set, prefetch

# How many columns ahead to prefetch.
_AHEAD = np.uint64(64)


@bundle
class Span(NamedTuple):
    """Consecutive lines of one kind: their number, their slope, and the offset that makes the first one line 0."""

    slope: uint64
    offset: uint64
    lines: uint64


@inlined
def _line(queens, span, column):
    """Return the line of a queen, counted from the first of the span; at least ``span.lines`` if it is outside."""
    return span.slope * np.uint64(column) + np.uint64(queens[column]) + span.offset


@inlined
def _prefetch_ahead(queens, words, span, column):
    """Prefetch the word that a later column will need."""
    ahead = min(np.uint64(column) + _AHEAD, np.uint64(len(queens)) - ONE)
    prefetch(words, min(_line(queens, span, ahead), span.lines) >> SIX)


@kernel
def claim_lines(queens: int32[:], claimed: uint64[:], span: Span, first: int64, last: int64) -> int64:
    """Mark the lines of columns first to last - 1; return the first column whose line was marked before, or last.

    claimed : bitset of the span's lines and one spare word; modified

    Stops at the column it returns. O(last - first).
    """
    for column in range(first, last):
        _prefetch_ahead(queens, claimed, span, column)
        word, bit = _word_and_bit(queens, span, column)
        if claimed[word] & bit != ZERO:
            return column
        claimed[word] |= bit
    return last


@inlined
def _word_and_bit(queens, span, column):
    """Return where to mark the line of a queen; a line outside the span has no bit, in the spare word."""
    line = _line(queens, span, column)
    # Without a branch, which the processor would often predict wrongly.
    return min(line, span.lines) >> SIX, np.uint64(line < span.lines) << (line & SIXTY_THREE)


@kernel
def is_solution(queens: int32[:], claimed: uint64[:]) -> bool:
    """Return whether all queens of a small board are on the board and no two of them share a line; O(n).

    claimed : bitset of 2 n bits and a spare word; modified
    """
    n = np.uint64(len(queens))
    return (
        _has_rows_on_board(queens, n)
        and _is_free_of_attacks(queens, claimed, Span(ZERO, ZERO, n))
        and _is_free_of_attacks(queens, claimed, Span(ONE, ZERO, n + n))
        and _is_free_of_attacks(queens, claimed, Span(~ZERO, n, n + n))
    )


@inlined
def _has_rows_on_board(queens, n):
    """Return whether all rows are from 0 to n - 1."""
    for column in range(len(queens)):
        if np.uint64(queens[column]) >= n:
            return False
    return True


@inlined
def _is_free_of_attacks(queens, claimed, span):
    """Return whether no line of the span holds two queens."""
    claimed[:] = 0
    return claim_lines(queens, claimed, span, 0, len(queens)) == len(queens)


@kernel
def claim_all_lines(
    queens: int32[:], rows: uint64[:], sums: uint64[:], differences: uint64[:], first: int64, last: int64
) -> bool:
    """Mark the rows and diagonals of columns first to last - 1; return whether none was marked before.

    rows, sums, differences : bitsets of all lines of their kind, differences from n on; modified. Lines of an
        empty bitset are not marked.

    Returns False also if a queen is on a row below 0 or above n - 1. O(last - first).
    """
    n = np.uint64(len(queens))
    end = np.uint64(last)
    taken = ZERO
    for column in range(np.uint64(first), end):
        ahead = min(column + _AHEAD, end - ONE)
        row_ahead, row = np.uint64(queens[ahead]), np.uint64(queens[column])
        taken |= np.uint64(row >= n)
        row = min(row, n - ONE)
        if len(rows) > 0:
            prefetch(rows, row_ahead >> SIX)
            taken |= _claim(rows, row)
        if len(sums) > 0:
            prefetch(sums, (ahead + row_ahead) >> SIX)
            taken |= _claim(sums, column + row)
        if len(differences) > 0:
            prefetch(differences, (row_ahead + n - ahead) >> SIX)
            taken |= _claim(differences, row + n - column)
    return taken == ZERO


@inlined
def _claim(words, line):
    """Mark a line; return 0 if it was not marked before, and its bit otherwise."""
    bit = ONE << (line & SIXTY_THREE)
    word = words[line >> SIX]
    words[line >> SIX] = word | bit
    return word & bit


@kernel
def have_common_lines(claimed: uint64[:], other: uint64[:], first: int64, last: int64) -> bool:
    """Return whether a line is marked in words first to last - 1 of two bitsets; O(last - first)."""
    common = ZERO
    for i in range(first, last):
        common |= claimed[i] & other[i]
    return common != ZERO


@kernel
def claim_twice(queens: int32[:], claimed: uint64[:], twice: uint64[:], span: Span, first: int64, last: int64):
    """Mark the lines of columns first to last - 1 in ``claimed``, and those with a second queen in ``twice``.

    claimed, twice : bitsets of the span's lines, ``claimed`` with a spare word; modified

    O(last - first).
    """
    for column in range(first, last):
        _prefetch_ahead(queens, claimed, span, column)
        word, bit = _word_and_bit(queens, span, column)
        if claimed[word] & bit != ZERO:
            twice[word] |= bit
        claimed[word] |= bit


@kernel
def count_conflicting(
    queens: int32[:], rows: uint64[:], sums: uint64[:], differences: uint64[:], first: int64, last: int64
) -> int64:
    """Return the number of queens of columns first to last - 1 that are on a marked line.

    rows, sums, differences : bitsets of all lines of their kind, differences from n on

    A queen off the board counts as if it were on row n - 1. O(last - first).
    """
    n = np.uint64(len(queens))
    found = 0
    for column in range(np.uint64(first), np.uint64(last)):
        row = min(np.uint64(queens[column]), n - ONE)
        found += np.int64(is_set(rows, row) or is_set(sums, column + row) or is_set(differences, row + n - column))
    return found


@kernel
def count_lines(queens: int32[:], counters: uint32[:], span: Span, first: int64, last: int64) -> int64:
    """Count the queens of columns first to last - 1 on the lines of the span; return the attacking pairs they add.

    counters : (span.lines,); added to

    O(last - first).
    """
    pairs = 0
    for column in range(first, last):
        line = _line(queens, span, column)
        if line < span.lines:
            pairs += np.int64(counters[line])
            counters[line] += np.uint32(1)
    return pairs
