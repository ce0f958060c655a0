"""The rule min-conflicts: the search of ``solve``, several steps at a time."""

from __future__ import annotations

import numpy as np

from fastqueens.classroom.climbing_kernel import (
    ATTEMPT,
    BEGUN,
    EVALUATIONS,
    MADE,
    RUN,
    STATUS,
    goes_on,
    is_cut,
    steps_left,
)
from fastqueens.jit.decorators import kernel
from fastqueens.solving.min_conflicts_kernel import count_queens, list_conflicts, place_least_conflict, search
from fastqueens.solving.search_kernel import CONFLICTING, PAIRS, UNUSED, forget


@kernel
def min_conflicts(climber, claimed, trace, seeds, outcomes, cursor):
    """Move a random conflicting queen to the best row of its column; see goes_on for the arguments. O(n) a step."""
    state, n = climber.state, len(climber.queens)
    while goes_on(climber, claimed, trace, seeds, outcomes, cursor):
        seed, attempt = seeds[cursor[RUN]], np.uint64(cursor[ATTEMPT])
        if state[MADE] == 0:
            _begin(climber, seed, attempt)
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
def _begin(climber, seed, attempt):
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
