"""Count the completions of fixed queens on boards of at most 64 queens, up to a limit: to prove that there is one.

The rows on which a queen may stand in a column are the bits of a word, and so are the columns in which one may stand on
a row. Both are called variables, and their words domains: ``domains[depth]`` holds those of all columns, then of all
rows, after ``depth`` queens. No tables are built, so that a search of a few nodes costs little more than its nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, ZERO, count_ones, trailing_zeros
from fastqueens.kernels.jit import kernel, part

#: The largest n.
MOST_QUEENS = 64

# Statuses at the end of a slice.
UNDER_WAY = 0
LIMIT_REACHED = 1
EXHAUSTED = 2

# Indices of ``state``.
DEPTH = 0
NODES = 1
COUNT = 2
STATE_LENGTH = 3

_MORE_THAN_ALL = np.uint64(65)


class Tree(NamedTuple):
    """The state of a count.

    domains : (n + 1, 2 n) uint64
    open : (n + 1, 2) uint64, the columns and the rows without a queen
    untried : (n + 1,) uint64, at each depth the squares of the chosen variable that are not tried yet
    chosen : (n + 1,) int64, the variable chosen at each depth: a column, or n + a row
    state : (STATE_LENGTH,) int64
    """

    domains: np.ndarray
    open: np.ndarray
    untried: np.ndarray
    chosen: np.ndarray
    state: np.ndarray


@kernel
def begin(tree, queens, is_fixed):
    """Begin a count of the solutions that contain some queens of a board.

    queens : (n,) int32
    is_fixed : uint64, a bit for each column whose queen is fixed; no two of them attack each other

    Modifies ``tree``. O(n**2).
    """
    n = len(queens)
    all_lines = ~ZERO >> np.uint64(64 - n)
    tree.state[DEPTH] = 0
    tree.state[NODES] = 0
    tree.state[COUNT] = 0
    used_rows = ZERO
    rest = is_fixed
    while rest != ZERO:
        column = np.int64(trailing_zeros(rest))
        rest &= rest - ONE
        used_rows |= ONE << np.uint64(queens[column])
    tree.open[0, 0] = all_lines & ~is_fixed
    tree.open[0, 1] = all_lines & ~used_rows
    for line in range(n):
        tree.domains[0, line] = tree.open[0, 1]
        tree.domains[0, n + line] = tree.open[0, 0]
    rest = is_fixed
    while rest != ZERO:
        column = np.int64(trailing_zeros(rest))
        rest &= rest - ONE
        row = np.int64(queens[column])
        for line in range(n):
            tree.domains[0, line] &= ~_attacked(column, row, line)
            tree.domains[0, n + line] &= ~_attacked(row, column, line)
    _choose_variable(tree, 0, n)


@kernel
def count_completions(tree, limit, max_nodes):
    """Continue until ``limit`` solutions are found, all are, or ``max_nodes`` squares are tried in all.

    Depth first; the next queen goes into the column, or onto the row, with the fewest squares left. Modifies ``tree``.
    Returns LIMIT_REACHED, EXHAUSTED or UNDER_WAY. O(n) a square.
    """
    n = len(tree.untried) - 1
    state = tree.state
    while True:
        depth = state[DEPTH]
        if tree.open[depth, 0] == ZERO:
            state[COUNT] += 1
            if depth == 0:
                return EXHAUSTED
            state[DEPTH] = depth - 1
            if state[COUNT] == limit:
                return LIMIT_REACHED
            continue
        if tree.untried[depth] == ZERO:
            if depth == 0:
                return EXHAUSTED
            state[DEPTH] = depth - 1
            continue
        if state[NODES] == max_nodes:
            return UNDER_WAY
        state[NODES] += 1
        square = np.int64(trailing_zeros(tree.untried[depth]))
        tree.untried[depth] &= tree.untried[depth] - ONE
        if _place(tree, depth, n, tree.chosen[depth], square):
            state[DEPTH] = depth + 1


@part
def _place(tree, depth, n, variable, square):
    """Place a queen and write the domains of the next depth; return False if a column or row has no square left."""
    column = variable if variable < n else square
    row = square if variable < n else variable - n
    tree.open[depth + 1, 0] = tree.open[depth, 0] & ~(ONE << np.uint64(column))
    tree.open[depth + 1, 1] = tree.open[depth, 1] & ~(ONE << np.uint64(row))
    rest = tree.open[depth + 1, 0]
    while rest != ZERO:
        line = np.int64(trailing_zeros(rest))
        rest &= rest - ONE
        tree.domains[depth + 1, line] = tree.domains[depth, line] & ~_attacked(column, row, line)
    rest = tree.open[depth + 1, 1]
    while rest != ZERO:
        line = np.int64(trailing_zeros(rest))
        rest &= rest - ONE
        tree.domains[depth + 1, n + line] = tree.domains[depth, n + line] & ~_attacked(row, column, line)
    return _choose_variable(tree, depth + 1, n)


@part
def _attacked(column, row, other):
    """Return the rows of column ``other`` that a queen attacks; or the columns of a row, with columns and rows swapped.

    Bits beyond the last row may be set, too.
    """
    bit = ONE << np.uint64(row)
    away = np.uint64(other - column if other > column else column - other)
    return bit | bit << away | bit >> away


@part
def _choose_variable(tree, depth, n):
    """Choose the open column or row with the fewest squares; return False if one has none."""
    fewest = _MORE_THAN_ALL
    for kind in range(2):
        rest = tree.open[depth, kind]
        while rest != ZERO:
            variable = kind * n + np.int64(trailing_zeros(rest))
            rest &= rest - ONE
            squares = count_ones(tree.domains[depth, variable])
            if squares < fewest:
                fewest = squares
                tree.chosen[depth] = variable
    if fewest == _MORE_THAN_ALL:
        return True
    tree.untried[depth] = tree.domains[depth, tree.chosen[depth]]
    return fewest != ZERO
