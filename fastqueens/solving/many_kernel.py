"""Many runs on small boards in one call, each the same as :func:`fastqueens.solve` makes with that seed.

``solve()`` calls the same kernels in the same order from Python (solving/windows.py, solving/min_conflicts.py): it has
to poll its callbacks between slices, while a run of a few microseconds leaves no time for calls from Python.
"""

from typing import NamedTuple

import numpy as np

from fastqueens.check import verification_kernel
from fastqueens.jit.bits import ONE
from fastqueens.jit.decorators import kernel
from fastqueens.solving import min_conflicts_kernel, repair_kernel, windows_kernel
from fastqueens.solving.min_conflicts_kernel import Lines
from fastqueens.solving.repair_kernel import NEEDS_MIN_CONFLICTS, Pairs
from fastqueens.solving.search_kernel import BEST_PAIRS, CONFLICTING, PAIRS, STAGNANT, UNUSED, Memory, forget
from fastqueens.solving.windows_kernel import Bitsets

# Starts, in the order of core.arguments.STARTS; the last one is "permutation".
WINDOWED = 0
UNIFORM = 1
RANDOM = 2

# Columns of ``outcomes``.
INITIAL_PAIRS = 0
FINAL_PAIRS = 1
STEPS = 2
RESTARTS = 3
OUTCOME_LENGTH = 4


class Workspace(NamedTuple):
    """The arrays that all runs of a batch work on, one after the other.

    queens : (n,) int32 or uint32
    columns, counts : (n,) uint32 and (3,) int64, as in windows_kernel.place_in_unused_rows
    state, trace : see search_kernel.py; the trace is an empty (0, 2) int64 array
    claimed : as in verification_kernel.is_solution
    bitsets, pairs, lines, memory : see the kernel files of these classes
    most_left_over : int64; if a windowed placement leaves more columns than this, min-conflicts follows at once
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
    most_left_over: np.int64


@kernel
def solve_batch(work, start, seeds, max_steps, restarts, stagnation_limit, outcomes, first, last):
    """Make the runs of seeds first to last - 1, and write the outcome of each into ``outcomes``.

    work : a Workspace; all its arrays are modified
    seeds : (runs,) uint64 array
    outcomes : (runs, OUTCOME_LENGTH) int64 array; FINAL_PAIRS is that of the best attempt

    Returns how many boards the search took for solutions and verification_kernel.is_solution refused: it should be 0.
    An attempt costs O(n) and the steps of its search.
    """
    refused = 0
    for i in range(first, last):
        outcomes[i, FINAL_PAIRS] = np.int64(0x7FFFFFFFFFFFFFFF)
        outcomes[i, STEPS] = 0
        attempt = 0
        while True:
            is_repairable = _place(work, start, seeds[i], np.uint64(attempt))
            work.state[BEST_PAIRS] = work.state[PAIRS]
            if attempt == 0:
                outcomes[i, INITIAL_PAIRS] = work.state[PAIRS]
            steps_left = max_steps - outcomes[i, STEPS]
            status, steps = _search(work, is_repairable, seeds[i], np.uint64(attempt), steps_left, stagnation_limit)
            outcomes[i, STEPS] += steps
            outcomes[i, FINAL_PAIRS] = min(outcomes[i, FINAL_PAIRS], work.state[PAIRS])
            if status != STAGNANT or attempt == restarts or outcomes[i, STEPS] == max_steps:
                break
            attempt += 1
        outcomes[i, RESTARTS] = attempt
        if outcomes[i, FINAL_PAIRS] == 0 and not verification_kernel.is_solution(work.queens, work.claimed):
            refused += 1
    return refused


@kernel
def _place(work, start, seed, attempt):
    """Make the first board of an attempt; return whether the repair can search from it, or only min-conflicts."""
    queens = work.queens
    n = len(queens)
    work.state[:] = 0
    forget(work.memory)
    if start == WINDOWED:
        left_over = _place_windowed(work, seed, attempt)
        if left_over <= work.most_left_over and left_over == repair_kernel.place_left_over(
            queens, work.bitsets, work.pairs, work.memory, work.columns[:left_over], work.state, seed, attempt
        ):
            return True
    elif start == UNIFORM:
        queens[:] = n
    elif start == RANDOM:
        windows_kernel.place_random(queens, seed, attempt, 0, n)
    else:
        windows_kernel.place_permutation(queens, seed, attempt, 0, n)
    _start_min_conflicts(work, seed, attempt)
    return False


@kernel
def _place_windowed(work, seed, attempt):
    """Place queens on unattacked squares, and return how many columns are left over, at the front of ``columns``."""
    queens, bitsets, columns, counts = work.queens, work.bitsets, work.columns, work.counts
    n = len(queens)
    bitsets.rows[:] = 0
    bitsets.sums[:] = 0
    bitsets.differences[:] = 0
    if n % 64 != 0:
        bitsets.rows[len(bitsets.rows) - 1] = ~((ONE << np.uint64(n % 64)) - ONE)
    return windows_kernel.place_in_one_piece(queens, bitsets, columns, work.pairs.unused, counts, seed, attempt)


@kernel
def _start_min_conflicts(work, seed, attempt):
    """Count the queens on every line, and then place the queens of the empty columns."""
    queens, lines, state = work.queens, work.lines, work.state
    n = len(queens)
    state[PAIRS] = 0
    state[CONFLICTING] = 0
    state[UNUSED] = 0
    lines.rows[:] = 0
    lines.sums[:] = 0
    lines.differences[:] = 0
    min_conflicts_kernel.count_queens(queens, lines, state, 0, n)
    min_conflicts_kernel.list_conflicts(queens, lines, state, 0, n)
    min_conflicts_kernel.place_least_conflict(queens, lines, work.memory, state, seed, attempt, 0, n)


@kernel
def _search(work, is_repairable, seed, attempt, max_steps, stagnation_limit):
    """Search until solved, stagnant, or out of steps."""
    queens, memory, state, trace = work.queens, work.memory, work.state, work.trace
    made = 0
    if is_repairable:
        status, made = repair_kernel.repair(
            queens, work.bitsets, work.pairs, memory, state, trace, seed, attempt, max_steps, stagnation_limit
        )
        if status != NEEDS_MIN_CONFLICTS:
            return status, made
        _start_min_conflicts(work, seed, attempt)
    status, more = min_conflicts_kernel.search(
        queens, work.lines, memory, state, trace, seed, attempt, max_steps - made, stagnation_limit
    )
    return status, made + more
