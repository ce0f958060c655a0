"""Rules that look at all moves: steepest ascent, with and without sideways moves, and stochastic hill climbing.

They follow Russell and Norvig.
"""

from __future__ import annotations

import numpy as np

from fastqueens.classroom.climbing_kernel import STATUS, STUCK, WAITED, goes_on, is_cut, key_of, make_move
from fastqueens.classroom.moves_kernel import COLUMN, change, indices, lines_cost, move
from fastqueens.jit.decorators import kernel, part
from fastqueens.solving.search_kernel import next_below


@kernel
def steepest(climber, claimed, trace, seeds, outcomes, cursor):
    """Make the best of all moves, drawn evenly from equals; see goes_on for the arguments. O(moves) a step."""
    state = climber.state
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        # A move has to change the cost by less than this: improve it, or also leave it as it is.
        allowed = 1 if state[WAITED] < climber.sideways_limit else 0
        looked, a, row, b, other_row, added = _chosen_move(climber, allowed, False)
        if is_cut(climber, cursor, looked):
            continue
        if a < 0:
            state[STATUS] = STUCK
        else:
            state[WAITED] = state[WAITED] + 1 if added == 0 else 0
            make_move(climber, trace, a, row, b, other_row, added)


@kernel
def stochastic(climber, claimed, trace, seeds, outcomes, cursor):
    """Make one of all moves that lower the cost, drawn evenly; see goes_on for the arguments. O(moves) a step."""
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        looked, a, row, b, other_row, added = _chosen_move(climber, 0, True)
        if is_cut(climber, cursor, looked):
            continue
        if a < 0:
            climber.state[STATUS] = STUCK
        else:
            make_move(climber, trace, a, row, b, other_row, added)


@part
def _chosen_move(climber, best, takes_any):
    """Return how many moves there are, and one of least change below ``best`` or, if any is taken, one of all below.

    Its column is -1 for none.
    """
    if climber.moves == COLUMN:  # a constant kind, for which the loop is compiled without branches
        return _chosen_of_kind(climber, COLUMN, best, takes_any)
    return _chosen_of_kind(climber, climber.moves, best, takes_any)


@part
def _chosen_of_kind(climber, kind, best, takes_any):
    queens, n = climber.queens, len(climber.queens)
    key = key_of(climber)
    equals, looked = np.uint64(0), 0
    best_a, best_row, best_b, best_other_row, best_change = -1, -1, -1, -1, 0
    for a in range(n):
        own = lines_cost(climber, a, np.int64(queens[a])) - 3
        first, last = indices(kind, n, a)
        for i in range(first, last):
            row, b, other_row = move(kind, queens, a, i)
            if row < 0 or row >= n:
                continue
            looked += 1
            added = change(climber, a, row, b, other_row, own)
            # A change that is equal to the bound itself, before there is a move, is not good enough.
            if added > best or (added == best and (equals == 0 or takes_any)):
                continue
            if added < best and not takes_any:
                best = added
                equals = np.uint64(0)
            equals += np.uint64(1)
            if equals == 1 or next_below(climber.state, key, equals) == 0:
                best_a, best_row, best_b, best_other_row, best_change = a, row, b, other_row, added
    return looked, best_a, best_row, best_b, best_other_row, best_change
