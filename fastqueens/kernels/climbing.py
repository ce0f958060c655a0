"""Common parts of the algorithms of the classroom: the board, its counters, and runs one after the other.

``queens[c]`` is the row of the queen in column c. Counters hold the number of queens on each line. An algorithm is a
kernel of a few lines: it makes steps while :func:`goes_on` says so. The caller computes all odds, so that no kernel
needs floats.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint64
from fastqueens.kernels import checking as verification_kernel
from fastqueens.kernels.min_conflicts import Lines
from fastqueens.kernels.moves import NONE, SWAP, lines_cost
from fastqueens.kernels.plateau import BEST_PAIRS, PAIRS, STATE_LENGTH, PlateauMemory, end_step
from fastqueens.kernels.stream import PLACEMENT, SEARCH, below, stream_key, word

# Indices of ``state``, after the ones of kernels/plateau.py. All but the key count within a climb.
KEY = STATE_LENGTH  # of the random words of this climb
STATUS = STATE_LENGTH + 1
MADE = STATE_LENGTH + 2  # steps
BEGUN = STATE_LENGTH + 3  # of these, steps before this call
EVALUATIONS = STATE_LENGTH + 4  # boards whose cost was computed
PAID = STATE_LENGTH + 5  # of these, those taken off the budget
BACKTRACKS = STATE_LENGTH + 6  # queens taken off again
WAITED = STATE_LENGTH + 7  # sideways moves or misses in a row
HALF = STATE_LENGTH + 8  # where the present generation begins in ``boards``
ALIVE = STATE_LENGTH + 9  # boards in it
CLIMB_STATE_LENGTH = STATE_LENGTH + 10

# Statuses of a climb. An algorithm reports STUCK, and SOLVED follows from the cost.
UNDER_WAY = 0
STUCK = 2

# Columns of ``outcomes``.
INITIAL_PAIRS = 0
FINAL_PAIRS = 1
STEPS = 2
RESTARTS = 3
RUN_EVALUATIONS = 4
RUN_BACKTRACKS = 5
OUTCOME_LENGTH = 6

# Indices of ``cursor``. STEPS_BEFORE and EVALUATIONS_BEFORE count the earlier climbs of this run.
RUN = 0
LAST = 1
IS_BEGUN = 2
ATTEMPT = 3
BUDGET = 4
STEPS_BEFORE = 5
EVALUATIONS_BEFORE = 6
REFUSED = 7
HAS_BOARD = 8  # the first climb begins with the board in ``queens``
CURSOR_LENGTH = 9


@bundle
class Climber(NamedTuple):
    """A board, its counters, and the options of an algorithm.

    queens : (n,); n means that a column is empty, in systematic searches only
    rows, sums, differences : (n,), (2 n,), (2 n,), queens on each line; differences from n on
    state : (CLIMB_STATE_LENGTH,)
    moves : a kind of moves
    sideways_limit : the most steps in a row without a lower cost
    tries : the most failed random moves in a row, or generations
    odds : (levels, rises); at level l, annealing makes a move that raises the cost by d if a random word is
        below odds[l, d - 1]. The odds of level 0 also weigh boards by their cost
    level_length : moves drawn at each level
    mutation : a child mutates if a random word is below this
    max_steps, max_evaluations, restarts : limits of a run
    is_systematic : 1 if the first board is empty and its cost the number of empty columns
    boards : (2 k, n), two generations of boards
    keys : (k,)
    picks : (k, 5), the parent of a board, and its move or its other parent
    counts : (n (n - 1) / 2 + 1,), boards of each cost
    removed : (n, n), the depth at which a square was removed from its column's domain, from 1; or 0
    lines, memory : of the search of ``solve``; for other algorithms, their arrays have no entries
    """

    queens: int32[:]
    rows: int64[:]
    sums: int64[:]
    differences: int64[:]
    state: int64[:]
    moves: int64
    sideways_limit: int64
    tries: int64
    odds: uint64[:, :]
    level_length: int64
    mutation: uint64
    max_steps: int64
    max_evaluations: int64
    restarts: int64
    is_systematic: int64
    boards: int32[:, :]
    keys: uint64[:]
    picks: int64[:, :]
    counts: int64[:]
    removed: int64[:, :]
    lines: Lines
    memory: PlateauMemory


@inlined
def _set_up(climber, seed, attempt):
    """Prepare a climb from the board in ``queens``, in O(n); or a systematic search from an empty one, in O(n^2)."""
    state = climber.state
    state[:] = 0
    state[KEY] = np.int64(stream_key(seed, attempt, SEARCH))
    if climber.is_systematic:
        climber.queens[:] = len(climber.queens)
        climber.removed[:] = 0
        climber.picks[0, 0] = NONE
        state[PAIRS] = len(climber.queens)
    else:
        recount(climber)
        state[EVALUATIONS] = 1
    state[BEST_PAIRS] = state[PAIRS]


@inlined
def recount(climber):
    """Count the queens on each line, and the attacking pairs."""
    climber.rows[:] = 0
    climber.sums[:] = 0
    climber.differences[:] = 0
    climber.state[PAIRS] = 0
    for column in range(len(climber.queens)):
        row = np.int64(climber.queens[column])
        climber.state[PAIRS] += lines_cost(climber, column, row)
        _add_to_lines(climber, column, row, 1)


@inlined
def _add_to_lines(climber, column, row, queens):
    """Add a number of queens, 1 or -1, to the three lines of a square."""
    climber.rows[row] += queens
    climber.sums[column + row] += queens
    climber.differences[row - column + len(climber.queens)] += queens


@inlined
def _conflicting(climber):
    """Return the number of queens that attack another; O(n)."""
    conflicting = np.int64(0)
    if climber.is_systematic:
        return conflicting
    for column in range(len(climber.queens)):
        if lines_cost(climber, column, np.int64(climber.queens[column])) > 3:
            conflicting += 1
    return conflicting


@inlined
def make_move(climber, trace, a, row, b, other_row, change):
    """Move one queen or two, which changes the cost by ``change``, and end the step."""
    own_row = np.int64(climber.queens[a])
    _place(climber, a, own_row, row)
    if b != NONE:
        _place(climber, b, np.int64(climber.queens[b]), other_row)
    climber.state[PAIRS] += change
    finish_step(climber, trace, a, own_row, row)


@inlined
def _place(climber, column, row, new_row):
    _add_to_lines(climber, column, row, -1)
    climber.queens[column] = new_row
    _add_to_lines(climber, column, new_row, 1)


@inlined
def finish_step(climber, trace, column, row, new_row):
    """Count a step, and record it if ``trace`` has room: a move, and the board too if it is wide."""
    state = climber.state
    entry = state[MADE] - state[BEGUN]
    end_step(trace, entry, _conflicting(climber) if len(trace) > 0 else 0, column, row, new_row, state)
    if len(trace) > 0 and trace.shape[1] > 5:
        copy(trace[entry, 5:], climber.queens)
    state[MADE] += 1


@inlined
def copy(target, source):
    """Copy an array; NumPy would allocate memory in case the two overlap."""
    for i in range(len(source)):
        target[i] = source[i]


@inlined
def key_of(climber):
    """Return the key of the random words of a climb."""
    return np.uint64(climber.state[KEY])


@kernel
def place_first(queens: int32[:], moves: int64, seed: uint64, attempt: uint64):
    """Place the queens as ``start="random"`` or, if moves swap rows, ``start="permutation"`` does. O(n)."""
    place(queens, moves, stream_key(seed, attempt, PLACEMENT), 0)


@inlined
def place(queens, moves, key, first_word):
    """Place the queens on random rows, or on a random permutation of them if moves swap rows."""
    for column in range(len(queens)):
        random = word(key, np.uint64(first_word + column))
        if moves == SWAP:
            other = below(random, np.uint64(column + 1))
            queens[column] = queens[other]
            queens[other] = column
        else:
            queens[column] = below(random, np.uint64(len(queens)))


@inlined
def goes_on(climber, claimed, trace, seeds, outcomes, cursor):
    """End climbs that are over, begin the next, and return whether the algorithm has to make a step now.

    claimed : uint64 bitset of 2 n bits and a spare word; modified
    trace : (room, 5) or (room, 5 + n) int64 array for the steps of this call, or (0, 5) to record nothing. The
        kernel pauses when it is full and, with a trace, after each begin and end of a climb
    seeds : (runs,) uint64 array
    outcomes : (runs, OUTCOME_LENGTH) int64 array; modified
    cursor : (CURSOR_LENGTH,) int64 array; modified. Runs from cursor[RUN] to cursor[LAST] - 1 are made. The kernel
        pauses when cursor[BUDGET] is spent, of which an evaluation takes 1, and a step takes 1
    """
    state = climber.state
    while cursor[RUN] < cursor[LAST]:
        if cursor[IS_BEGUN] == 0:
            _begin(climber, seeds, outcomes, cursor)
        elif state[PAIRS] > 0 and state[STATUS] == UNDER_WAY and not _is_spent(climber, cursor):
            cursor[BUDGET] -= state[EVALUATIONS] - state[PAID] + 1
            state[PAID] = state[EVALUATIONS]
            return cursor[BUDGET] > 0 and (len(trace) == 0 or state[MADE] - state[BEGUN] < len(trace))
        else:
            _end(climber, claimed, outcomes, cursor)
        if len(trace) > 0:
            return False
    return False


@inlined
def _is_spent(climber, cursor):
    """Return whether a limit ends the run."""
    return cursor[STEPS_BEFORE] + climber.state[MADE] >= climber.max_steps or evaluations_left(climber, cursor) <= 0


@inlined
def evaluations_left(climber, cursor):
    """Return the number of boards that the run can still evaluate."""
    return climber.max_evaluations - cursor[EVALUATIONS_BEFORE] - climber.state[EVALUATIONS]


@inlined
def is_cut(climber, cursor, evaluations):
    """Count evaluations of a step; return whether a limit ends the run among them, so that the step is lost."""
    left = evaluations_left(climber, cursor)
    climber.state[EVALUATIONS] += min(evaluations, left)
    return evaluations > left


@inlined
def steps_left(climber, trace, cursor):
    """Return the number of steps that fit into limits, budget and trace, with n - 1 evaluations each."""
    state, others = climber.state, len(climber.queens) - 1
    steps = min(climber.max_steps - cursor[STEPS_BEFORE] - state[MADE], -(-cursor[BUDGET] // others))
    steps = min(steps, evaluations_left(climber, cursor) // others)
    return min(steps, len(trace) - state[MADE] + state[BEGUN]) if len(trace) > 0 else steps


@inlined
def _begin(climber, seeds, outcomes, cursor):
    """Begin the next climb from a random board, or the first one from a given board."""
    run, attempt = cursor[RUN], np.uint64(cursor[ATTEMPT])
    if attempt > 0 or cursor[HAS_BOARD] == 0:
        place_first(climber.queens, climber.moves, seeds[run], attempt)
    _set_up(climber, seeds[run], attempt)
    cursor[IS_BEGUN] = 1
    if attempt == 0:
        outcomes[run] = 0
        outcomes[run, INITIAL_PAIRS] = climber.state[PAIRS]
        outcomes[run, FINAL_PAIRS] = climber.state[PAIRS]


@inlined
def _end(climber, claimed, outcomes, cursor):
    """Add a climb to its run. Another climb from a new board follows, or the next run."""
    run, state = cursor[RUN], climber.state
    outcomes[run, STEPS] += state[MADE]
    outcomes[run, RUN_EVALUATIONS] += state[EVALUATIONS]
    outcomes[run, RUN_BACKTRACKS] += state[BACKTRACKS]
    outcomes[run, FINAL_PAIRS] = state[PAIRS] if cursor[ATTEMPT] == 0 else min(outcomes[run, FINAL_PAIRS], state[PAIRS])
    is_solved = state[PAIRS] == 0
    cursor[IS_BEGUN] = 0
    if is_solved or _is_spent(climber, cursor) or cursor[ATTEMPT] >= climber.restarts:
        if is_solved and not verification_kernel.is_solution(climber.queens, claimed):
            cursor[REFUSED] += 1
        outcomes[run, RESTARTS] = cursor[ATTEMPT]
        cursor[RUN] += 1
        cursor[ATTEMPT] = 0
    else:
        cursor[ATTEMPT] += 1
    cursor[STEPS_BEFORE] = outcomes[run, STEPS] if cursor[ATTEMPT] > 0 else 0
    cursor[EVALUATIONS_BEFORE] = outcomes[run, RUN_EVALUATIONS] if cursor[ATTEMPT] > 0 else 0
