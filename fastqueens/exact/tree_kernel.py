"""Complete search by backtracking: a solution, the proof that there is none, or the number of solutions.

The m columns and the m rows without a fixed queen are the lines. Column i is line i and row i is line w + i; w is 16,
32 or 64, and at least m. The domain of a line is a word of w bits: the rows on which a queen may stand in a column, or
the columns in which one may stand on a row. The domains of all lines are 2 w neighbouring words, so that few vector
instructions place a queen. A line that does not exist has one square forever.

A line with one square left gets its queen at once. Otherwise the search chooses a line with few squares, which attack
many others, and tries its squares one by one, beginning at a random one. In ascending order, queens gather at one edge:
with n = 60 and two fixed queens, the search would then try 74 squares or many millions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.jit.bits import (
    ONE,
    ZERO,
    clear_bit,
    copy,
    examine_lines,
    first_bit,
    least_line,
    narrow_lines,
    ones,
    rotated_first_bit,
    set_bit,
    trailing_zeros,
)
from fastqueens.jit.decorators import kernel, part
from fastqueens.jit.stream import below

# Statuses at the end of a slice.
UNDER_WAY = 0
FOUND = 1
EXHAUSTED = 2

# Indices of ``state``.
LEVEL = 0
NODES = 1
SOLUTIONS = 2
SHARE = 3
OFFSET = 4
STATE_LENGTH = 5

#: All work of a search; parts have shares of it.
WHOLE = 1 << 60

#: What is tried at level 0 instead of the squares of a line: to place no queen.
NO_LINE = -1

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

_CLOSED = np.uint64(2**64 - 2)
_COMPLETE = np.uint64(2**64 - 1)


class Tree(NamedTuple):
    """The state of a search.

    keep : (m * m + 1, 2 w) words; row c m + r has the bits that a queen in column c on row r leaves in the domains,
        the last row all bits
    keys : (1, 2 w) words, the line, and 2 w times a number that is lower for lines to be preferred
    domains : (m + 2, 2 w) words, the domains at each level, first those of the instance
    settled : (m + 2, 2) uint64, the columns and the rows whose queens are placed
    line : (m + 2,) int64, the line chosen at each level; NO_LINE at level 0
    untried : (m + 2,) uint64, the squares of that line that are not tried yet; 1 at level 0 before the search
    state : (STATE_LENGTH,) int64
    """

    keep: np.ndarray
    keys: np.ndarray
    domains: np.ndarray
    settled: np.ndarray
    line: np.ndarray
    untried: np.ndarray
    state: np.ndarray


@kernel
def begin_with(tree, squares):
    """Begin again, with queens on these squares (column * m + row), none of which attacks another.

    squares : (k,) int64

    Modifies ``tree``, except for level 0. O(m) a queen.
    """
    m = len(tree.domains) - 2
    columns, rows = tree.settled[0, 0], tree.settled[0, 1]
    narrow_lines(tree.domains, 1, 0, tree.keep, m * m)
    for square in squares:
        narrow_lines(tree.domains, 1, 1, tree.keep, square)
        columns |= ONE << np.uint64(square // m)
        rows |= ONE << np.uint64(square % m)
    tree.settled[1, 0], tree.settled[1, 1] = columns, rows
    tree.line[1] = NO_LINE
    tree.untried[0], tree.untried[1] = ZERO, ONE
    tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS] = 1, 0, 0


@kernel
def search(tree, max_nodes, wanted, places):
    """Continue until ``wanted`` solutions are found in all, all are, or ``max_nodes`` squares are tried in all.

    places : (k, m) uint16; set to the row of each column, for each of the first k solutions found in this call

    Depth first. Modifies ``tree``. Returns FOUND (the last solution is in the domains of level ``state[LEVEL] + 1``),
    EXHAUSTED or UNDER_WAY. The next call continues. About 15 ns a square for m at most 32.
    """
    w = np.int64(tree.domains.shape[1] >> 1)
    m = np.int64(len(tree.domains) - 2)
    level, nodes, solutions = tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS]
    first = solutions
    status = EXHAUSTED
    while level >= 0:
        rest = tree.untried[level]
        if rest == ZERO:
            level -= 1
            continue
        if nodes == max_nodes:
            status = UNDER_WAY
            break
        nodes += 1
        place = rotated_first_bit(rest, below(mixed(nodes + tree.state[OFFSET]), np.uint64(m)))
        tree.untried[level] = rest & ~(ONE << place)
        key = _enter(tree, level, w, m, tree.line[level], np.int64(place))
        if key == _CLOSED:
            continue
        if key == _COMPLETE:
            if solutions - first < len(places):
                for column in range(m):
                    places[solutions - first, column] = trailing_zeros(np.uint64(tree.domains[level + 1, column]))
            solutions += 1
            if solutions == wanted:
                status = FOUND
                break
            continue
        level += 1
        line = np.int64(key) & (2 * w - 1)
        tree.line[level] = line
        tree.untried[level] = np.uint64(tree.domains[level, line])
    tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS] = level, nodes, solutions
    return status


@part
def _enter(tree, level, w, m, line, place):
    """Place a queen on a line, and all that follow, at the next level; return the key of the line to choose there."""
    to = level + 1
    columns, rows = tree.settled[level, 0], tree.settled[level, 1]
    square = m * m
    if line != NO_LINE:
        column, row = (line, place) if line < w else (place, line - w)
        square = column * m + row
        columns |= ONE << np.uint64(column)
        rows |= ONE << np.uint64(row)
    narrow_lines(tree.domains, to, level, tree.keep, square)
    while True:
        is_closed, few_columns, few_rows = examine_lines(tree.domains, to)
        if is_closed != ZERO:
            return _CLOSED
        few_columns &= ~columns
        few_rows &= ~rows
        if few_columns | few_rows == ZERO:
            break
        while few_columns != ZERO:
            column = np.int64(trailing_zeros(few_columns))
            word = np.uint64(tree.domains[to, column])
            if word == ZERO:
                return _CLOSED
            row = np.int64(trailing_zeros(word))
            narrow_lines(tree.domains, to, to, tree.keep, column * m + row)
            few_columns &= few_columns - ONE
            columns |= ONE << np.uint64(column)
            few_rows &= ~(ONE << np.uint64(row))
            rows |= ONE << np.uint64(row)
        while few_rows != ZERO:
            row = np.int64(trailing_zeros(few_rows))
            word = np.uint64(tree.domains[to, w + row])
            if word == ZERO:
                return _CLOSED
            column = np.int64(trailing_zeros(word))
            narrow_lines(tree.domains, to, to, tree.keep, column * m + row)
            few_rows &= few_rows - ONE
            rows |= ONE << np.uint64(row)
            columns |= ONE << np.uint64(column)
    tree.settled[to, 0] = columns
    tree.settled[to, 1] = rows
    return least_line(tree.domains, to, tree.keys)


@part
def mixed(number):
    """Return 64 well mixed bits: Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4)."""
    return np.uint64(number) * _GOLDEN


# For trees of both kinds, with bitsets as arrays of words; here of one: domains (m + 2, 2 w, 1), untried (m + 2, 1)


@kernel
def left(tree):
    """Return how much of :data:`WHOLE` is left to do, if the squares of a line are equally much work. O(m)."""
    share = tree.state[SHARE]
    total = 0
    for level in range(tree.state[LEVEL] + 1):
        share = _share_of_square(tree, level, share)
        total += share * ones(tree.untried[level])
    return total


@kernel
def split(tree, other):
    """Move the work that comes last, about half of all that is left, to ``other``; return whether there was enough.

    Moves the untried squares of the first level that has any, or half of them if no other level has any. ``other`` is
    a tree with the same tables, which may hold anything. O(m) words.
    """
    last = tree.state[LEVEL]
    level = 0
    while level <= last and first_bit(tree.untried[level]) < 0:
        level += 1
    next_level = level + 1
    while next_level <= last and first_bit(tree.untried[next_level]) < 0:
        next_level += 1
    if level > last:
        return False
    copy(tree.untried[level], other.untried[0])
    tree.untried[level] = ZERO
    if next_level > last:
        for _ in range((ones(other.untried[0]) + 1) >> 1):
            place = np.uint64(first_bit(other.untried[0]))
            clear_bit(other.untried[0], place)
            set_bit(tree.untried[level], place)
    for line in range(tree.domains.shape[1]):
        copy(tree.domains[level, line], other.domains[0, line])
    copy(tree.settled[level], other.settled[0])
    other.line[0] = tree.line[level]
    other.state[:] = 0
    other.state[OFFSET] = tree.state[OFFSET]
    share = tree.state[SHARE]
    for above in range(level):
        share = _share_of_square(tree, above, share)
    other.state[SHARE] = share
    return first_bit(other.untried[0]) >= 0


@part
def _share_of_square(tree, level, share):
    """Return the share of a square of the line chosen at a level, from the share of that level."""
    line = tree.line[level]
    return share if line == NO_LINE else share // ones(tree.domains[level, line])
