"""Systematic searches of constraint satisfaction: columns are variables, rows are values.

An assignment puts a queen on a square that no queen attacks; a backtrack takes a queen off again. Rows are tried in
ascending order. The cost of a board is the number of its empty columns.
"""

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import int64, uint64
from fastqueens.kernels.climbing import (
    BACKTRACKS,
    EVALUATIONS,
    STATUS,
    STUCK,
    Climber,
    evaluations_left,
    finish_step,
    goes_on,
)
from fastqueens.kernels.moves import NONE, attack
from fastqueens.kernels.plateau import PAIRS

# Assigned columns in order are at the front of ``picks``: (column, first row that is left to try).


@kernel
def backtracking(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Assign columns from left to right; see goes_on for the arguments. O(n) per tested square."""
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        _assign(climber, trace, cursor, False, False)


@kernel
def forward_checking(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Remove attacked squares from later columns; see goes_on for the arguments. O(n^2) per step."""
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        _assign(climber, trace, cursor, True, False)


@kernel
def mrv(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Forward checking that assigns the column with the fewest rows left; see goes_on for the arguments."""
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        _assign(climber, trace, cursor, True, True)


@inlined
def _assign(climber, trace, cursor, looks_ahead, picks_least):
    """Make the next assignment, or take off the last queen if its successor has no row. Without any queen, stop."""
    queens, state, n = climber.queens, climber.state, len(climber.queens)
    depth = n - state[PAIRS]
    column, first = _next_column(climber, depth, picks_least)
    for row in range(first, n):
        if looks_ahead:
            is_free = climber.removed[column, row] == 0
        elif evaluations_left(climber, cursor) == 0:
            return
        else:
            state[EVALUATIONS] += 1
            is_free = True
            for other in range(column):
                is_free = is_free and attack(other, np.int64(queens[other]), column, row) == 0
        if is_free:
            queens[column] = row
            climber.picks[depth, 0] = column
            climber.picks[depth, 1] = row + 1
            state[PAIRS] -= 1
            finish_step(climber, trace, column, n, row)
            if looks_ahead and not _remove_attacked(climber, cursor, column, row, depth + 1):
                _take_off(climber, depth)
            elif depth + 1 < n:
                climber.picks[depth + 1, 0] = NONE
            return
    if depth == 0:
        state[STATUS] = STUCK
    else:
        _take_off(climber, depth - 1)


@inlined
def _next_column(climber, depth, picks_least):
    """Return the column to assign at this depth, and the first row to try."""
    queens, n = climber.queens, len(climber.queens)
    if climber.picks[depth, 0] != NONE:
        return climber.picks[depth, 0], climber.picks[depth, 1]
    best, least = depth, n + 1
    if picks_least:
        for column in range(n):
            if queens[column] == n:
                left = 0
                for row in range(n):
                    left += climber.removed[column, row] == 0
                if left < least:
                    best, least = column, left
    return best, 0


@inlined
def _remove_attacked(climber, cursor, column, row, depth):
    """Remove the rows that a new queen attacks from empty columns; return whether each of them has a row left.

    When no more squares can be tested, the run ends with the new queen.
    """
    queens, n = climber.queens, len(climber.queens)
    for other in range(n):
        if queens[other] == n:
            left = 0
            for other_row in range(n):
                if climber.removed[other, other_row] == 0:
                    if evaluations_left(climber, cursor) == 0:
                        return True
                    climber.state[EVALUATIONS] += 1
                    if attack(column, row, other, other_row):
                        climber.removed[other, other_row] = depth
                    else:
                        left += 1
            if left == 0:
                return False
    return True


@inlined
def _take_off(climber, depth):
    """Take off the queen that was assigned at this depth, and restore the squares that it removed."""
    state, n = climber.state, len(climber.queens)
    column = climber.picks[depth, 0]
    climber.queens[column] = n
    state[PAIRS] += 1
    state[BACKTRACKS] += 1
    for other in range(climber.removed.shape[0]):
        for row in range(n):
            if climber.removed[other, row] == depth + 1:
                climber.removed[other, row] = 0
