"""The kinds of moves: the moves of a board, a random move, and the change in cost from a move.

The moves of a board are numbered by a column, whose queen moves, and an index. A move is a new row for the queen of the
column and, if two queens move, another column with its new row; otherwise this other column is -1.
"""

import numpy as np

from fastqueens._jit.decorators import inlined
from fastqueens.kernels.plateau import next_below

# Kinds of moves, in the order of algorithms.MOVES.
COLUMN = 0
STEP = 1
SWAP = 2
TWO = 3

#: The column of the other queen, if only one moves.
NONE = -1


@inlined
def column(queens, a, i):
    """Move a queen to another row of its column; i goes from 0 to n - 2."""
    return _skip(i, np.int64(queens[a])), NONE, 0


@inlined
def step(queens, a, i):
    """Move a queen up or down by one square; i is 0 or 1, and the row can be off the board."""
    return np.int64(queens[a]) - 1 + 2 * i, NONE, 0


@inlined
def swap(queens, a, i):
    """Exchange the rows of two queens; i goes from 0 to n - 2."""
    b = _skip(i, a)
    return np.int64(queens[b]), b, np.int64(queens[a])


@inlined
def two(queens, a, i):
    """Move two queens, each to another row of its column; i goes from 0 to (n - 1)**3 - 1."""
    rows = len(queens) - 1
    b = _skip(i // (rows * rows), a)
    return _skip(i // rows % rows, np.int64(queens[a])), b, _skip(i % rows, np.int64(queens[b]))


@inlined
def _skip(i, left_out):
    """Return number i of 0, 1, 2, ... without one of them."""
    return i + 1 if i >= left_out else i


@inlined
def move(kind, queens, a, i):
    """Return move i of column a."""
    if kind == COLUMN:
        return column(queens, a, i)
    if kind == STEP:
        return step(queens, a, i)
    if kind == SWAP:
        return swap(queens, a, i)
    return two(queens, a, i)


@inlined
def indices(kind, n, a):
    """Return the first index of a column and the one after the last.

    From the first on, every two queens occur once; from 0 on, once for each of them.
    """
    if kind == COLUMN:
        return 0, n - 1
    if kind == STEP:
        return 0, 2
    if kind == SWAP:
        return a, n - 1
    return a * (n - 1) ** 2, (n - 1) ** 3


@inlined
def random_move(kind, queens, state, key):
    """Draw one of all moves: a column, a row, another column, and its row; all are equally likely."""
    n = len(queens)
    while True:
        a = np.int64(next_below(state, key, np.uint64(n)))
        row, b, other_row = move(kind, queens, a, np.int64(next_below(state, key, np.uint64(indices(kind, n, a)[1]))))
        if 0 <= row < n:
            return a, row, b, other_row


@inlined
def lines_cost(climber, column, row):
    """Return the queens on the three lines of a square; a queen on the square itself counts three times."""
    # Unsigned, so that no access has to test for an index that counts from the end.
    column, row, n = np.uint64(column), np.uint64(row), np.uint64(len(climber.queens))
    return climber.rows[row] + climber.sums[column + row] + climber.differences[row + n - column]


@inlined
def change(climber, a, row, b, other_row, own):
    """Return what a move adds to the cost; ``own`` are the queens that the queen of column a attacks now."""
    added = lines_cost(climber, a, row) - own
    if b == NONE:
        return added
    own_row, old_row = np.int64(climber.queens[a]), np.int64(climber.queens[b])
    added += lines_cost(climber, b, other_row) - lines_cost(climber, b, old_row) + 3
    added += attack(a, row, b, other_row) + attack(a, own_row, b, old_row)
    return added - attack(a, row, b, old_row) - attack(a, own_row, b, other_row)


@inlined
def attack(column, row, other_column, other_row):
    """Return 1 if two squares of different columns are on one line, otherwise 0."""
    apart = abs(row - other_row)
    return np.int64(apart == 0 or apart == abs(column - other_column))
