"""Local search as courses teach it: steepest ascent over all moves within a column, and simulated annealing.

``queens[c]`` is the row of the queen in column c. Counters hold the number of queens on each line. Sources: steepest
ascent with and without sideways moves, and random restarts, follow Russell and Norvig and documents 002 and 003;
annealing follows Kirkpatrick, Gelatt and Vecchi (1983). The caller computes its odds, so that no kernel needs floats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.check import verification_kernel
from fastqueens.jit.decorators import kernel, part
from fastqueens.jit.stream import SEARCH, stream_key, word
from fastqueens.solving import windows_kernel
from fastqueens.solving.many_kernel import FINAL_PAIRS, INITIAL_PAIRS, RESTARTS, STEPS
from fastqueens.solving.search_kernel import DRAWS, PAIRS, SOLVED, STATE_LENGTH, UNDER_WAY, end_step, next_below

# Indices of ``state``, after those of search.py.
SIDEWAYS = STATE_LENGTH  # sideways moves in a row
PROPOSED = STATE_LENGTH + 1  # moves that annealing has drawn
MADE = STATE_LENGTH + 2  # steps of this climb
BEGUN = STATE_LENGTH + 3  # of these, steps before this call
CLIMB_STATE_LENGTH = STATE_LENGTH + 4

# Status at the end of a slice, next to UNDER_WAY and SOLVED.
STUCK = 2

# Indices of ``cursor``.
RUN = 0
IS_BEGUN = 1
ATTEMPT = 2
CURSOR_LENGTH = 3


class Climber(NamedTuple):
    """A board, its counters, and the rule.

    queens : (n,) int32 or uint32
    rows, sums, differences : (n,), (2 n,), (2 n,) int64, queens on each line; differences from n on
    state : (CLIMB_STATE_LENGTH,) int64
    sideways_limit : int64, how many sideways moves in a row are allowed; 0 for plain steepest ascent
    odds : (levels, rises) uint64; at level l, annealing makes a move that raises the cost by d if a random word is
        below odds[l, d - 1]; no levels for steepest ascent
    level_length : int64, moves drawn at each level
    """

    queens: np.ndarray
    rows: np.ndarray
    sums: np.ndarray
    differences: np.ndarray
    state: np.ndarray
    sideways_limit: int
    odds: np.ndarray
    level_length: int


@kernel
def set_up(climber):
    """Count the queens on each line and the attacking pairs before a climb; modifies all arrays but queens. O(n)."""
    n = len(climber.queens)
    climber.rows[:] = 0
    climber.sums[:] = 0
    climber.differences[:] = 0
    climber.state[:] = 0
    for column in range(n):
        climber.state[PAIRS] += _cost(climber, column, np.int64(climber.queens[column]))
        _add_to_lines(climber, column, np.int64(climber.queens[column]), 1)


@part
def _cost(climber, column, row):
    """Return the queens on the three lines of a square; a queen on the square itself counts three times."""
    # Unsigned, so that no access has to test for an index that counts from the end.
    column, row, n = np.uint64(column), np.uint64(row), np.uint64(len(climber.queens))
    return climber.rows[row] + climber.sums[column + row] + climber.differences[row + n - column]


@part
def _add_to_lines(climber, column, row, queens):
    """Add a number of queens, 1 or -1, to the three lines of a square."""
    climber.rows[row] += queens
    climber.sums[column + row] += queens
    climber.differences[row - column + len(climber.queens)] += queens


@part
def _conflicting(climber):
    """Return how many queens attack another; O(n)."""
    conflicting = np.int64(0)
    for column in range(len(climber.queens)):
        if _cost(climber, column, np.int64(climber.queens[column])) > 3:
            conflicting += 1
    return conflicting


@part
def _move(climber, trace, column, row, change):
    """Move the queen of a column, which changes the cost by ``change``, and record the step if ``trace`` has room."""
    own_row = np.int64(climber.queens[column])
    _add_to_lines(climber, column, own_row, -1)
    climber.queens[column] = row
    _add_to_lines(climber, column, row, 1)
    state = climber.state
    state[PAIRS] += change
    if len(trace) > 0:
        end_step(trace, state[MADE] - state[BEGUN], _conflicting(climber), column, own_row, row, state)
    state[MADE] += 1


@kernel
def climb(climber, trace, seed, attempt, budget):
    """Continue a climb until it is solved or stuck, or until it has examined about ``budget`` squares.

    climber : prepared by set_up; modified
    trace : (room, 5) int64 array for the steps of this call, as in a search of solve(), or an empty one; the climb
        pauses when the array is full

    Returns (status, budget left); the status is UNDER_WAY, SOLVED or STUCK. Ties are broken evenly. A step of steepest
    ascent examines n**2 squares, a step of annealing one; a move that is recorded, n more.
    """
    key = stream_key(seed, attempt, SEARCH)
    state = climber.state
    state[BEGUN] = state[MADE]
    while state[PAIRS] > 0:
        made = state[MADE]
        if budget <= 0 or (len(trace) > 0 and made - state[BEGUN] == len(trace)):
            return UNDER_WAY, budget
        if len(climber.odds) == 0:
            budget -= len(climber.queens) ** 2
            can_continue = _steepest_step(climber, trace, key)
        else:
            budget -= 1
            can_continue = _annealing_step(climber, trace, key)
        if not can_continue:
            return STUCK, budget
        if len(trace) > 0:
            budget -= (state[MADE] - made) * len(climber.queens)
    return SOLVED, budget


@part
def _steepest_step(climber, trace, key):
    """Make the best of all moves, drawn evenly from equals; return False if none is good enough."""
    n = len(climber.queens)
    state = climber.state
    # A move has to change the cost by less than this: improve it, or also leave it as it is.
    best = 1 if state[SIDEWAYS] < climber.sideways_limit else 0
    equals = np.uint64(0)
    best_column, best_row = -1, -1
    for column in range(n):
        own_row = np.int64(climber.queens[column])
        own = _cost(climber, column, own_row) - 3
        for row in range(n):
            change = _cost(climber, column, row) - own
            if change <= best and row != own_row:
                if change < best:
                    best = change
                    equals = np.uint64(0)
                elif equals == 0:
                    continue
                equals += np.uint64(1)
                if equals == 1 or next_below(state, key, equals) == 0:
                    best_column, best_row = column, row
    if best_column < 0:
        return False
    state[SIDEWAYS] = state[SIDEWAYS] + 1 if best == 0 else 0
    _move(climber, trace, best_column, best_row, best)
    return True


@part
def _annealing_step(climber, trace, key):
    """Draw a move and make it or not; return False after the last level."""
    state = climber.state
    level = state[PROPOSED] // climber.level_length
    if level == len(climber.odds):
        return False
    state[PROPOSED] += 1
    n = np.uint64(len(climber.queens))
    column = np.int64(next_below(state, key, n))
    row = np.int64(next_below(state, key, n - np.uint64(1)))
    own_row = np.int64(climber.queens[column])
    if row >= own_row:
        row += 1
    change = _cost(climber, column, row) - _cost(climber, column, own_row) + 3
    if change > 0:
        state[DRAWS] += 1
        if change > climber.odds.shape[1] or word(key, np.uint64(state[DRAWS])) >= climber.odds[level, change - 1]:
            return True
    _move(climber, trace, column, row, change)
    return True


@kernel
def climb_batch(climber, claimed, trace, seeds, restarts, outcomes, cursor, budget):
    """Continue many runs, one after the other, each from a random board, until about ``budget`` squares are examined.

    climber : modified
    claimed : uint64 bitset of 2 n bits and a spare word; modified
    trace : (0, 5) int64 array: nothing is recorded
    seeds : (runs,) uint64 array
    restarts : most restarts in a run, each from a new random board after a climb that is stuck
    outcomes : (runs, OUTCOME_LENGTH) int64 array, as in batch.py; modified
    cursor : (CURSOR_LENGTH,) int64 array, zeros at first; modified. cursor[RUN] counts the finished runs

    Returns how many boards the climbs took for solutions and checking.is_solution refused, which should be 0.
    """
    refused = 0
    state = climber.state
    while cursor[RUN] < len(seeds) and budget > 0:
        run = cursor[RUN]
        seed = seeds[run]
        attempt = np.uint64(cursor[ATTEMPT])
        if cursor[IS_BEGUN] == 0:
            windows_kernel.place_random(climber.queens, seed, attempt, 0, len(climber.queens))
            set_up(climber)
            cursor[IS_BEGUN] = 1
            if cursor[ATTEMPT] == 0:
                outcomes[run, INITIAL_PAIRS] = state[PAIRS]
                outcomes[run, FINAL_PAIRS] = state[PAIRS]
                outcomes[run, STEPS] = 0
        status, budget = climb(climber, trace, seed, attempt, budget)
        if status != UNDER_WAY:
            cursor[IS_BEGUN] = 0
            outcomes[run, STEPS] += state[MADE]
            outcomes[run, FINAL_PAIRS] = min(outcomes[run, FINAL_PAIRS], state[PAIRS])
            if status == STUCK and cursor[ATTEMPT] < restarts:
                cursor[ATTEMPT] += 1
            else:
                outcomes[run, RESTARTS] = cursor[ATTEMPT]
                cursor[ATTEMPT] = 0
                cursor[RUN] += 1
                if status == SOLVED and not verification_kernel.is_solution(climber.queens, claimed):
                    refused += 1
    return refused
