"""The tables of a complete search: free squares and attacks among the lines without a fixed queen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.check.blocked_kernel import is_blocked
from fastqueens.jit.bits import ONE, SIXTY_THREE, ZERO, count_ones, is_set, ones, set_bit, trailing_zeros
from fastqueens.jit.decorators import kernel, part


class Given(NamedTuple):
    """What an instance excludes; all int64, as in :class:`fastqueens.core.instance.Instance`, but for ``blocked``.

    blocked : uint64, see blocked.py
    """

    fixed_columns: np.ndarray
    fixed_rows: np.ndarray
    blocked: np.ndarray
    excluded_sums: np.ndarray
    excluded_differences: np.ndarray


@kernel
def free_squares(given, n, used, lines, free):
    """List the lines without a fixed queen and, of each column, the rows on which a queen may stand.

    used : (3, n // 32 + 1) uint64, zeros: scratch space for used rows, sum and difference diagonals
    lines : (2, m) int64; set to the columns and the rows, ascending
    free : (2, w, W) words, zeros; set to the rows of each column and the columns of each row, as bits

    O(n + k + m * m * log k) for k queens, squares and diagonals.
    """
    rows, sums, differences = used[0], used[1], used[2]
    shift = np.int64(n - 1)
    column = 0
    m = 0
    for k in range(len(given.fixed_columns)):
        while column < given.fixed_columns[k]:
            lines[0, m] = column
            m += 1
            column += 1
        column += 1
        set_bit(rows, np.uint64(given.fixed_rows[k]))
        set_bit(sums, np.uint64(given.fixed_columns[k] + given.fixed_rows[k]))
        set_bit(differences, np.uint64(given.fixed_rows[k] - given.fixed_columns[k] + shift))
    while column < n:
        lines[0, m] = column
        m += 1
        column += 1
    m = 0
    for row in range(n):
        if not is_set(rows, np.uint64(row)):
            lines[1, m] = row
            m += 1
    for k in range(len(given.excluded_sums)):
        set_bit(sums, np.uint64(given.excluded_sums[k]))
    for k in range(len(given.excluded_differences)):
        set_bit(differences, np.uint64(given.excluded_differences[k] + shift))
    for i in range(m):
        for j in range(m):
            c, r = lines[0, i], lines[1, j]
            if is_set(sums, np.uint64(c + r)) or is_set(differences, np.uint64(r - c + shift)):
                continue
            if not is_blocked(given.blocked, np.uint64(c), np.uint64(r)):
                free[0, i, j >> 6] |= ONE << (np.uint64(j) & SIXTY_THREE)
                free[1, j, i >> 6] |= ONE << (np.uint64(i) & SIXTY_THREE)


@kernel
def attack_tables(lines, keep):
    """Write the row of ``keep`` of each square: what a queen there leaves in the domains.

    lines : (2, m) int64, columns and rows, ascending
    keep : (m * m + 1, 2 w) words, set to all ones; see :class:`fastqueens.exact.tree_kernel.Tree`

    O(m**3).
    """
    m = lines.shape[1]
    w = keep.shape[1] >> 1
    for c in range(m):
        for r in range(m):
            here = c * m + r
            column_bit, row_bit = ONE << np.uint64(c), ONE << np.uint64(r)
            for line in range(m):
                keep[here, line] = ~row_bit
                keep[here, w + line] = ~column_bit
            keep[here, c] = row_bit
            keep[here, w + r] = column_bit
    for left in range(m):
        for right in range(left + 1, m):
            away = lines[0, right] - lines[0, left]
            above = 0
            for below in range(m):
                while above < m and lines[1, above] - lines[1, below] < away:
                    above += 1
                if above == m:
                    break
                if lines[1, above] - lines[1, below] == away:
                    _let_attack(keep, m, w, left, below, right, above)
                    _let_attack(keep, m, w, left, above, right, below)


@part
def _let_attack(keep, m, w, c, r, other_c, other_r):
    """Let the queens on two squares attack each other along a diagonal."""
    here, there = c * m + r, other_c * m + other_r
    keep[here, other_c] &= ~(ONE << np.uint64(other_r))
    keep[here, w + other_r] &= ~(ONE << np.uint64(other_c))
    keep[there, c] &= ~(ONE << np.uint64(r))
    keep[there, w + r] &= ~(ONE << np.uint64(c))


@kernel
def line_keys(keep, domains, spread, keys):
    """Write what the search adds to the number of squares of a line, times 32, to choose one.

    The number is 0 for the line whose squares attack most free squares on average, and ``spread`` for the one whose
    squares attack fewest.

    keep : (m * m + 1, 2 w) words
    domains : (2 w, 1) words, the free squares of each line
    keys : (2 w,) int64, set to that number

    O(m**3).
    """
    w = keep.shape[1] >> 1
    m = _root(keep.shape[0])
    for c in range(m):
        rest = np.uint64(domains[c, 0])
        while rest != ZERO:
            r = np.int64(trailing_zeros(rest))
            rest &= rest - ONE
            attacked = ZERO
            for column in range(m):
                attacked += count_ones(np.uint64(domains[column, 0]) & ~np.uint64(keep[c * m + r, column]))
            keys[c] += np.int64(attacked)
            keys[w + r] += np.int64(attacked)
    spread_keys(domains, m, spread, keys)


@part
def spread_keys(domains, m, spread, keys):
    """Turn the squares that those of a line attack, in all, into the numbers of :func:`line_keys`.

    domains : (2 w, W) words
    keys : (2 w,) int64
    """
    w = len(keys) >> 1
    least = np.int64(1) << np.int64(62)
    most = np.int64(0)
    for kind in range(2):
        for at in range(kind * w, kind * w + m):
            keys[at] = (keys[at] << 10) // max(1, ones(domains[at]))
            least = min(least, keys[at])
            most = max(most, keys[at])
    for kind in range(2):
        for at in range(kind * w, kind * w + m):
            keys[at] = spread * (most - keys[at]) // max(1, most - least)


@part
def _root(squares):
    """Return m for m * m + 1 squares."""
    m = 0
    while m * m + 1 < squares:
        m += 1
    return m
