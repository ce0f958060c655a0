"""Algorithms that move one or two queens at a time: steepest ascent, random draws, annealing and min-conflicts.

Steepest ascent, with and without sideways moves, and stochastic hill climbing follow Russell and Norvig; annealing
follows Kirkpatrick, Gelatt and Vecchi (1983). Min-conflicts is the search of ``solve``, several steps at a time.
"""

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import int64, uint64
from fastqueens.kernels.climbing import (
    ATTEMPT,
    BEGUN,
    EVALUATIONS,
    MADE,
    RUN,
    STATUS,
    STUCK,
    WAITED,
    Climber,
    goes_on,
    is_cut,
    key_of,
    make_move,
    steps_left,
)
from fastqueens.kernels.min_conflicts import count_queens, list_conflicts, place_least_conflict, search
from fastqueens.kernels.moves import COLUMN, change, indices, lines_cost, move, random_move
from fastqueens.kernels.plateau import CONFLICTING, DRAWS, PAIRS, UNUSED, forget, next_below
from fastqueens.kernels.stream import word


@kernel
def steepest(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Make the best of all moves, drawn evenly from equals; see goes_on for the arguments. O(moves) per step."""
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
def stochastic(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Make one of all moves that lower the cost, drawn evenly; see goes_on for the arguments. O(moves) per step."""
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        looked, a, row, b, other_row, added = _chosen_move(climber, 0, True)
        if is_cut(climber, cursor, looked):
            continue
        if a < 0:
            climber.state[STATUS] = STUCK
        else:
            make_move(climber, trace, a, row, b, other_row, added)


@inlined
def _chosen_move(climber, best, takes_any):
    """Return the number of moves, and one of least change below ``best`` or, if any is taken, one of all below.

    Its column is -1 for none.
    """
    if climber.moves == COLUMN:  # a constant kind, for which the loop is compiled without branches
        return _chosen_of_kind(climber, COLUMN, best, takes_any)
    return _chosen_of_kind(climber, climber.moves, best, takes_any)


@inlined
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


@inlined
def _draw(climber):
    """Draw a move; return it with its change of the cost. O(1)."""
    a, row, b, other_row = random_move(climber.moves, climber.queens, climber.state, key_of(climber))
    climber.state[EVALUATIONS] += 1
    own = lines_cost(climber, a, np.int64(climber.queens[a])) - 3
    return a, row, b, other_row, change(climber, a, row, b, other_row, own)


@kernel
def first_choice(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Make the first drawn move that lowers the cost; see goes_on for the arguments. O(1) per drawn move."""
    state = climber.state
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        if state[WAITED] == climber.tries:
            state[STATUS] = STUCK
            continue
        a, row, b, other_row, added = _draw(climber)
        state[WAITED] += 1
        if added < 0:
            state[WAITED] = 0
            make_move(climber, trace, a, row, b, other_row, added)


@kernel
def annealing(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Make a drawn move if a word is below its odds; see goes_on for the arguments. O(1) per drawn move."""
    state, odds = climber.state, climber.odds
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        level = (state[EVALUATIONS] - 1) // climber.level_length
        if level == len(odds):
            state[STATUS] = STUCK
            continue
        a, row, b, other_row, added = _draw(climber)
        if added > 0:
            state[DRAWS] += 1
            random = word(key_of(climber), np.uint64(state[DRAWS]))
            if added > odds.shape[1] or random >= odds[level, added - 1]:
                continue
        make_move(climber, trace, a, row, b, other_row, added)


@kernel
def random_walk(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Make every drawn move; see goes_on for the arguments. O(1) per step."""
    state = climber.state
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        if state[MADE] == climber.tries:
            state[STATUS] = STUCK
            continue
        a, row, b, other_row, added = _draw(climber)
        make_move(climber, trace, a, row, b, other_row, added)


@kernel
def random_sampling(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Make no move, so that the next random board follows; see goes_on for the arguments. O(n) per board."""
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        climber.state[STATUS] = STUCK


@kernel
def min_conflicts(
    climber: Climber, claimed: uint64[:], trace: int64[:, :], seeds: uint64[:], outcomes: int64[:, :], cursor: int64[:]
):
    """Move a random conflicting queen to the best row of its column; see goes_on for the arguments. O(n) per step."""
    state, n = climber.state, len(climber.queens)
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        seed, attempt = seeds[cursor[RUN]], np.uint64(cursor[ATTEMPT])
        if state[MADE] == 0:
            _begin_min_conflicts(climber, seed, attempt)
        steps = steps_left(climber, trace, cursor)
        if steps == 0:
            is_cut(climber, cursor, n - 1)
            continue
        rest = trace[state[MADE] - state[BEGUN] :]
        status, made = search(
            climber.queens, climber.lines, climber.memory, state, rest, seed, attempt, steps, climber.sideways_limit
        )
        state[STATUS] = status  # STAGNANT is STUCK
        state[MADE] += made
        state[EVALUATIONS] += made * (n - 1)


@kernel
def _begin_min_conflicts(climber, seed, attempt):
    """Count the queens on every line and list the queens in conflict, with an empty plateau memory."""
    queens, lines, state = climber.queens, climber.lines, climber.state
    n = len(queens)
    forget(climber.memory)
    state[PAIRS] = 0
    state[CONFLICTING] = 0
    state[UNUSED] = 0
    lines.rows[:] = 0
    lines.sums[:] = 0
    lines.differences[:] = 0
    count_queens(queens, lines, state, 0, n)
    list_conflicts(queens, lines, state, 0, n)
    place_least_conflict(queens, lines, climber.memory, state, seed, attempt, 0, n)
