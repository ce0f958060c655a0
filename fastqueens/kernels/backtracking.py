"""Complete search by backtracking: a solution, the proof that there is none, or the number of solutions.

The m empty columns and the m unused rows, m at most 64, are numbered from 0 to m - 1 and called variables. The domain
of a variable is a word: the rows on which a queen may stand in an empty column, or the columns in which one may stand
on an unused row. ``domains[depth]`` holds the domains of all columns, then of all rows, after ``depth`` queens.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, ZERO, count_ones, trailing_zeros
from fastqueens.kernels.jit import kernel, part

# Statuses at the end of a slice.
UNDER_WAY = 0
FOUND = 1
EXHAUSTED = 2

# Indices of ``state``.
DEPTH = 0
NODES = 1
STATE_LENGTH = 2

_NOT_CHOSEN = -1
_MORE_THAN_ALL = np.uint64(65)


class Tree(NamedTuple):
    """The state of a search.

    attacked : (2 m, m, m) uint64; [v, w, u] is the part of the domain of variable u, of the same kind as v, that a
        queen on square w of variable v attacks
    domains : (m + 1, 2 m) uint64
    untried : (m + 1,) uint64, at each depth the squares of the chosen variable that are not tried yet
    chosen : (m + 1,) int64, the variable chosen at each depth: a column, or m + a row; -1 before the choice
    square : (m + 1,) int64, the square of that variable being tried
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
    """Continue until a solution is found, there is proved to be none, or ``max_nodes`` squares are tried in all.

    Depth first; the next queen goes into the column, or onto the row, with the fewest squares left. Modifies ``tree``.
    Returns FOUND (the solution is in ``chosen`` and ``square``), EXHAUSTED or UNDER_WAY. O(m) a square.
    """
    m = len(tree.untried) - 1
    state = tree.state
    while state[DEPTH] < m:
        depth = state[DEPTH]
        if tree.chosen[depth] == _NOT_CHOSEN:
            _choose_variable(tree, depth, m)
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
def _choose_variable(tree, depth, m):
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
    """Place a queen and write the domains of the next depth; return False if a column or row has no square left."""
    column = variable if variable < m else square
    row = square if variable < m else variable - m
    tree.open[depth + 1, 0] = tree.open[depth, 0] & ~(ONE << np.uint64(column))
    tree.open[depth + 1, 1] = tree.open[depth, 1] & ~(ONE << np.uint64(row))
    return _narrow_domains(tree, depth, m, 0, column, row) and _narrow_domains(tree, depth, m, 1, row, column)


@part
def _narrow_domains(tree, depth, m, kind, variable, square):
    """Remove the squares a queen attacks from the domains of one kind; return False if a domain becomes empty."""
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
    """Return the number of ways to place a queen in each column from ``first`` on, on allowed and unattacked squares.

    allowed : (n,) uint64, the rows of each column that may be used, n at most 32
    stack : (n, 4) uint64, scratch space
    rows, sums, differences : uint64, the used rows, and the rows that a diagonal attacks in column ``first``

    O(n) memory; a few ns for each queen placed.
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
