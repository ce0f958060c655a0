"""Hill climbing as courses teach it: each step looks at all moves of one queen in its column; and annealing beside it.

``queens[c]`` is the row of the queen in column c. Counters say how many queens stand on each line. Sources: steepest
ascent with and without sideways moves, and random restarts, after Russell and Norvig and documents 002 and 003;
annealing after Kirkpatrick, Gelatt and Vecchi (1983), its odds made up before, so that no kernel holds a float.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels import checking, placement
from fastqueens.kernels.batch import FINAL_PAIRS, INITIAL_PAIRS, RESTARTS, STEPS
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.search import DRAWS, PAIRS, SOLVED, STATE_LENGTH, UNDER_WAY, next_below
from fastqueens.kernels.stream import SEARCH, stream_key, word

# Places in ``state``, behind those of search.py.
SIDEWAYS = STATE_LENGTH  # sideways moves in a row
PROPOSED = STATE_LENGTH + 1  # moves that annealing has drawn
MADE = STATE_LENGTH + 2  # steps of this climb
CLIMB_STATE_LENGTH = STATE_LENGTH + 3

# What a climb ends with, beside UNDER_WAY and SOLVED.
STUCK = 2

# Places in ``cursor``.
RUN = 0
IS_BEGUN = 1
ATTEMPT = 2
CURSOR_LENGTH = 3

# Columns of ``moves``.
COLUMN = 0
ROW = 1
COST = 2


class Climber(NamedTuple):
    """A board and what is counted on it, and the rule.

    queens : (n,) int32 or uint32
    rows, sums, differences : (n,), (2 n,), (2 n,) int64, queens on each line; differences from n on
    state : (CLIMB_STATE_LENGTH,) int64
    sideways_limit : int64, sideways moves in a row that are allowed; 0 for plain steepest ascent
    odds : (levels, deltas) uint64: a move that raises the cost by d is taken at level l if a random word is below
        odds[l, d - 1]. No levels for the two rules that climb.
    level_length : int64, moves that are drawn at each level
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
    """Count the queens on each line, and the attacking pairs, at the beginning of a climb; O(n)."""
    n = len(climber.queens)
    climber.rows[:] = 0
    climber.sums[:] = 0
    climber.differences[:] = 0
    climber.state[:] = 0
    for column in range(n):
        climber.state[PAIRS] += _cost(climber, column, np.int64(climber.queens[column]))
        _count(climber, column, np.int64(climber.queens[column]), 1)


@part
def _cost(climber, column, row):
    """Queens on the three lines of a square, one that stands there counted three times."""
    # Unsigned, so that no access asks whether its index counts from the end.
    column, row, n = np.uint64(column), np.uint64(row), np.uint64(len(climber.queens))
    return climber.rows[row] + climber.sums[column + row] + climber.differences[row + n - column]


@part
def _count(climber, column, row, by):
    climber.rows[row] += by
    climber.sums[column + row] += by
    climber.differences[row - column + len(climber.queens)] += by


@part
def _move(climber, moves, column, row, change):
    """Move the queen of a column, which changes the cost, and note the move where there is room for notes."""
    _count(climber, column, np.int64(climber.queens[column]), -1)
    climber.queens[column] = row
    _count(climber, column, row, 1)
    state = climber.state
    state[PAIRS] += change
    if len(moves) > 0:
        moves[state[MADE] % len(moves), COLUMN] = column
        moves[state[MADE] % len(moves), ROW] = row
        moves[state[MADE] % len(moves), COST] = state[PAIRS]
    state[MADE] += 1


@kernel
def climb(climber, moves, seed, attempt, looks):
    """Climb on until solved or stuck, or until about ``looks`` squares have been looked at.

    climber : set up; modified
    moves : (room, 3) int64 array for column, row and cost of each move: move i of the climb goes to i modulo ``room``,
        and where that is full, the climb pauses. Of no length where moves are not wanted.

    Returns (status, looks left): UNDER_WAY, SOLVED or STUCK. Ties are broken evenly. A step of steepest ascent takes
    n^2 looks.
    """
    key = stream_key(seed, attempt, SEARCH)
    begun = climber.state[MADE]
    while climber.state[PAIRS] > 0:
        is_full = climber.state[MADE] > begun and len(moves) > 0 and climber.state[MADE] % len(moves) == 0
        if looks <= 0 or is_full:
            return UNDER_WAY, looks
        if len(climber.odds) == 0:
            looks -= len(climber.queens) ** 2
            goes_on = _steepest_step(climber, moves, key)
        else:
            looks -= 1
            goes_on = _annealing_step(climber, moves, key)
        if not goes_on:
            return STUCK, looks
    return SOLVED, looks


@part
def _steepest_step(climber, moves, key):
    """Make the best of all moves, drawn evenly among equals; False where none is good enough."""
    n = len(climber.queens)
    state = climber.state
    # Moves that change the cost by less than this come into question: only better ones, or equal ones too.
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
    _move(climber, moves, best_column, best_row, best)
    return True


@part
def _annealing_step(climber, moves, key):
    """Draw a move and take it or not; False when the last level is through."""
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
    _move(climber, moves, column, row, change)
    return True


@kernel
def climb_batch(climber, claimed, moves, seeds, restarts, outcomes, cursor, looks):
    """Go on with many runs, one after the other, each from a random board, until about ``looks`` squares are looked at.

    claimed : uint64 bitset of 2 n bits and a spare word
    moves : (0, 3) int64 array, for no notes
    seeds : (runs,) uint64 array
    restarts : new random boards in a run at the most, each after a climb that is stuck
    outcomes : (runs, OUTCOME_LENGTH) int64 array, as in batch.py
    cursor : (CURSOR_LENGTH,) int64 array, zeros at first; cursor[RUN] counts the runs that are done

    Returns the number of runs that claim a solution which the check of checking.py refuses: 0.
    """
    refused = 0
    state = climber.state
    while cursor[RUN] < len(seeds) and looks > 0:
        run = cursor[RUN]
        seed = seeds[run]
        attempt = np.uint64(cursor[ATTEMPT])
        if cursor[IS_BEGUN] == 0:
            placement.place_random(climber.queens, seed, attempt, 0, len(climber.queens))
            set_up(climber)
            cursor[IS_BEGUN] = 1
            if cursor[ATTEMPT] == 0:
                outcomes[run, INITIAL_PAIRS] = state[PAIRS]
                outcomes[run, FINAL_PAIRS] = state[PAIRS]
                outcomes[run, STEPS] = 0
        status, looks = climb(climber, moves, seed, attempt, looks)
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
                if status == SOLVED and not checking.is_solution(climber.queens, claimed):
                    refused += 1
    return refused
