"""Many whole runs in one call: the orchestration of solver.py and engines.py for small boards, compiled.

Run i of a batch is the run that :func:`fastqueens.solve` makes with the same seed, step for step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels import checking, minconflicts, placement, repair
from fastqueens.kernels.jit import kernel
from fastqueens.kernels.minconflicts import Lines
from fastqueens.kernels.placement import Bitsets
from fastqueens.kernels.plateau import Memory, forget
from fastqueens.kernels.repair import HAND_OVER, Pairs
from fastqueens.kernels.search import (
    BEST_PAIRS,
    CONFLICTING,
    PAIRS,
    STAGNANT,
    UNUSED,
)

WINDOWED = 0
UNIFORM = 1
RANDOM = 2
PERMUTATION = 3

# Columns of ``outcomes``.
INITIAL_PAIRS = 0
FINAL_PAIRS = 1
STEPS = 2
RESTARTS = 3
OUTCOME_LENGTH = 4

_ONE = np.uint64(1)


class Desk(NamedTuple):
    """The arrays that all runs of a batch work on, one after the other.

    queens (n), columns (n) and counts (3) as in placement.py, state as in search.py, trace (0, 2) for none,
    claimed as in checking.is_solution.
    """

    queens: np.ndarray
    columns: np.ndarray
    counts: np.ndarray
    state: np.ndarray
    trace: np.ndarray
    claimed: np.ndarray
    bitsets: Bitsets
    pairs: Pairs
    lines: Lines
    memory: Memory


@kernel
def solve_batch(desk, start, seeds, max_steps, restarts, patience, outcomes, first, last):
    """Make the runs of seeds first to last - 1, and write what came of each into ``outcomes``.

    desk : the working arrays, all modified
    seeds : (runs,) uint64 array
    outcomes : (runs, OUTCOME_LENGTH) int64 array; FINAL_PAIRS is that of the best attempt

    Returns the number of runs that claim a solution which the check of checking.py refuses: 0.
    """
    refused = 0
    for i in range(first, last):
        outcomes[i, FINAL_PAIRS] = np.int64(0x7FFFFFFFFFFFFFFF)
        outcomes[i, STEPS] = 0
        number = 0
        while True:
            exact = _make_board(desk, start, seeds[i], np.uint64(number))
            desk.state[BEST_PAIRS] = desk.state[PAIRS]
            if number == 0:
                outcomes[i, INITIAL_PAIRS] = desk.state[PAIRS]
            status, steps = _search(desk, exact, seeds[i], np.uint64(number), max_steps - outcomes[i, STEPS], patience)
            outcomes[i, STEPS] += steps
            outcomes[i, FINAL_PAIRS] = min(outcomes[i, FINAL_PAIRS], desk.state[PAIRS])
            if status != STAGNANT or number == restarts or outcomes[i, STEPS] == max_steps:
                break
            number += 1
        outcomes[i, RESTARTS] = number
        if outcomes[i, FINAL_PAIRS] == 0 and not checking.is_solution(desk.queens, desk.claimed):
            refused += 1
    return refused


@kernel
def _make_board(desk, start, seed, number):
    """Make the first board of an attempt; True where the exact search has to go on from it."""
    n = len(desk.queens)
    desk.state[:] = 0
    forget(desk.memory)
    if start == WINDOWED:
        return not _place_windowed(desk, seed, number)
    if start == UNIFORM:
        desk.queens[:] = n
    elif start == RANDOM:
        placement.place_random(desk.queens, seed, number, 0, n)
    else:
        placement.place_permutation(desk.queens, seed, number, 0, n)
    _enter(desk, seed, number)
    return True


@kernel
def _place_windowed(desk, seed, number):
    """Place and give left-over columns their rows; False where one finds none."""
    queens, bitsets, counts = desk.queens, desk.bitsets, desk.counts
    n = len(queens)
    bitsets.rows[:] = 0
    bitsets.sums[:] = 0
    bitsets.differences[:] = 0
    if n % 64 != 0:
        bitsets.rows[len(bitsets.rows) - 1] = ~((_ONE << np.uint64(n % 64)) - _ONE)
    set_aside = placement.place_windowed(queens, bitsets, desk.columns, 0, seed, number, 0, n)
    counts[0] = 0
    counts[1] = 0
    counts[2] = placement.list_unused_rows(bitsets, desk.pairs.unused, 0, len(bitsets.rows))
    placement.place_in_unused_rows(
        queens, bitsets, desk.columns, desk.pairs.unused, counts, seed, number, set_aside
    )
    left_over = counts[1]
    placed = repair.place_left_over(
        queens, bitsets, desk.pairs, desk.memory, desk.columns[:left_over], desk.state, seed, number
    )
    if placed < left_over:
        _enter(desk, seed, number)
        return False
    return True


@kernel
def _enter(desk, seed, number):
    """Enter a board into the lines of the exact search, and place the columns that are empty."""
    queens, lines, state = desk.queens, desk.lines, desk.state
    n = len(queens)
    state[PAIRS] = 0
    state[CONFLICTING] = 0
    state[UNUSED] = 0
    minconflicts.clear_lines(lines, 0, n)
    minconflicts.count_queens(queens, lines, state, 0, n)
    minconflicts.list_conflicts(queens, lines, state, 0, n)
    minconflicts.place_least_conflict(queens, lines, desk.memory, state, seed, number, 0, n)


@kernel
def _search(desk, exact, seed, number, max_steps, patience):
    """Search until solved, stagnant, or out of steps."""
    made = 0
    if not exact:
        queens, bitsets, memory, state, trace = desk.queens, desk.bitsets, desk.memory, desk.state, desk.trace
        status, made = repair.repair(
            queens, bitsets, desk.pairs, memory, state, trace, seed, number, max_steps, patience
        )
        if status != HAND_OVER:
            return status, made
        _enter(desk, seed, number)
    status, more = minconflicts.search(
        desk.queens, desk.lines, desk.memory, desk.state, desk.trace, seed, number, max_steps - made, patience
    )
    return status, made + more
