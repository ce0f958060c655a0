"""Exact search: a solution, the proof that there is none, or the number of solutions, for what is left of a board.

Vocabulary: the m empty columns and the m unused rows are numbered from 0 to m - 1, m at most 64. A domain is a word:
for an empty column the rows, for an unused row the columns, on which a queen may still stand. ``domains[depth]`` holds
those of all columns, then those of all rows, after ``depth`` queens were placed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, ZERO, count_ones, trailing_zeros
from fastqueens.kernels.jit import kernel, part

# What a slice of the search ends with.
UNDER_WAY = 0
FOUND = 1
EXHAUSTED = 2

# Places of ``state``.
DEPTH = 0
NODES = 1
STATE_LENGTH = 2

_NOT_CHOSEN = -1
_MORE_THAN_ALL = np.uint64(65)


class Tree(NamedTuple):
    """Where a search stands.

    attacked : (2 m, m, m) uint64; [v, w, u]: of the domain of variable u, of the same kind as v, what goes when the
        queen of variable v stands on its square w
    domains : (m + 1, 2 m) uint64
    untried : (m + 1,) uint64, at each depth the squares of the chosen variable that were not yet tried
    chosen : (m + 1,) int64, the variable chosen at each depth: a column, or m + a row; -1 where none was yet
    square : (m + 1,) int64, its square that is tried now
    open : (m + 1, 2) uint64, the columns and the rows without a queen
    state : (STATE_LENGTH,) int64
    """

    attacked: np.ndarray
    domains: np.ndarray
    untried: np.ndarray
    chosen: np.ndarray
    square: np.ndarray
    open: np.ndarray
    state: np.ndarray


@kernel
def complete(tree, max_nodes):
    """Search on until a solution is found, all are excluded, or ``max_nodes`` squares have been tried in all.

    Depth first; the next queen goes into the column, or onto the row, with the fewest squares left. Modifies ``tree``.
    Returns FOUND (the solution stands in ``chosen`` and ``square``), EXHAUSTED or UNDER_WAY. O(m) a node.
    """
    m = len(tree.untried) - 1
    state = tree.state
    while state[DEPTH] < m:
        depth = state[DEPTH]
        if tree.chosen[depth] == _NOT_CHOSEN:
            _choose(tree, depth, m)
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
        tree.square[depth] = square
        if _place(tree, depth, m, tree.chosen[depth], square):
            state[DEPTH] = depth + 1
            tree.chosen[depth + 1] = _NOT_CHOSEN
    return FOUND


@part
def _choose(tree, depth, m):
    """Choose the open column or row with the fewest squares."""
    fewest = _MORE_THAN_ALL
    for kind in range(2):
        rest = tree.open[depth, kind]
        while rest != ZERO:
            variable = kind * m + np.int64(trailing_zeros(rest))
            rest &= rest - ONE
            squares = count_ones(tree.domains[depth, variable])
            if squares < fewest:
                fewest = squares
                tree.chosen[depth] = variable
    tree.untried[depth] = tree.domains[depth, tree.chosen[depth]]


@part
def _place(tree, depth, m, variable, square):
    """Place a queen and write what is left into the next depth; False where a column or row has no square left."""
    column = variable if variable < m else square
    row = square if variable < m else variable - m
    tree.open[depth + 1, 0] = tree.open[depth, 0] & ~(ONE << np.uint64(column))
    tree.open[depth + 1, 1] = tree.open[depth, 1] & ~(ONE << np.uint64(row))
    return _narrow(tree, depth, m, 0, column, row) and _narrow(tree, depth, m, 1, row, column)


@part
def _narrow(tree, depth, m, kind, variable, square):
    """Take what a queen attacks out of the domains of the open variables of its kind."""
    rest = tree.open[depth + 1, kind]
    while rest != ZERO:
        other = np.int64(trailing_zeros(rest))
        rest &= rest - ONE
        left = tree.domains[depth, kind * m + other] & ~tree.attacked[kind * m + variable, square, other]
        if left == ZERO:
            return False
        tree.domains[depth + 1, kind * m + other] = left
    return True


@kernel
def count_boards(allowed, stack, first, rows, sums, differences):
    """Count the ways to fill the columns from ``first`` on, one queen each, on squares that are allowed and free.

    allowed : (n,) uint64, the rows of each column that may be used, n at most 32
    stack : (n, 4) uint64, to work in
    rows, sums, differences : uint64, the rows that are taken, and those that a diagonal attacks in column ``first``

    O(n) memory; a few ns for each queen that is placed.
    """
    n = len(allowed)
    if first == n:
        return np.uint64(1)
    last = n - 1
    count = ZERO
    depth = first
    free = allowed[first] & ~(rows | sums | differences)
    while True:
        if depth == last:
            count += count_ones(free)
            free = ZERO
        if free == ZERO:
            if depth == first:
                return count
            depth -= 1
            free, rows, sums, differences = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
            continue
        queen = free & (~free + ONE)
        stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = free ^ queen, rows, sums, differences
        rows |= queen
        sums = (sums | queen) >> ONE
        differences = (differences | queen) << ONE
        depth += 1
        free = allowed[depth] & ~(rows | sums | differences)
