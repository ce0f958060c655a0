"""Min-conflicts: the starts that are not windowed, and the search that counts the queens on every line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.blocked_kernel import blocked_index
from fastqueens.core import thresholds
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Callbacks
from fastqueens.solving import min_conflicts_kernel, windows_kernel
from fastqueens.solving.arrays import Attempt
from fastqueens.solving.min_conflicts_kernel import Lines
from fastqueens.solving.search_kernel import CONFLICTING, PAIRS, UNUSED

# Passes over the columns in the stage "placement": one places the queens, four belong to :class:`MinConflicts`.
_PASSES = 5

# Starts that ignore attacks.
_PLACE = {"random": windows_kernel.place_random, "permutation": windows_kernel.place_permutation}


def place(attempt: Attempt, start: str, callbacks: Callbacks) -> MinConflicts:
    """Place the queens by a rule that is not "windowed", or take a board that is there; return the search from it."""
    if start == "uniform":
        attempt.queens.fill(len(attempt.queens))  # all columns are empty; MinConflicts fills them
    elif start == "permutation" and len(attempt.instance.fixed):
        _permute_free_rows(attempt, callbacks)
    elif start != "board":
        _place_blindly(attempt, attempt.queens, start, callbacks)
    fixed = attempt.instance.fixed
    attempt.queens[fixed.columns] = fixed.rows
    return MinConflicts(attempt, callbacks)


class MinConflicts:
    """The search from any board. First it counts the queens on every line and fills the empty columns."""

    def __init__(self, attempt: Attempt, callbacks: Callbacks) -> None:
        n = len(attempt.queens)
        self._attempt = attempt
        self._lines = empty_lines(attempt.instance)
        queens, _, state, memory, seed, number, _ = attempt
        size = thresholds.current.placement_slice
        state[[PAIRS, CONFLICTING, UNUSED]] = 0
        for first, last in callbacks.slices("placement", n, size, 1, _PASSES):
            self._lines.rows[first:last] = 0
            self._lines.sums[2 * first : 2 * last] = 0
            self._lines.differences[2 * first : 2 * last] = 0
        instance = attempt.instance
        if instance.has_exclusions:
            self._lines.sums[instance.excluded_sums, 0] = min_conflicts_kernel.FORBIDDEN
            self._lines.differences[instance.excluded_differences + n, 0] = min_conflicts_kernel.FORBIDDEN
        for first, last in callbacks.slices("placement", n, size, 2, _PASSES):
            min_conflicts_kernel.count_queens(queens, self._lines, state, first, last)
        for first, last in callbacks.slices("placement", n, size, 3, _PASSES):
            min_conflicts_kernel.list_conflicts(queens, self._lines, state, first, last)
        for first, last in callbacks.slices("placement", n, size, 4, _PASSES):
            min_conflicts_kernel.place_least_conflict(queens, self._lines, memory, state, seed, number, first, last)

    def advance(self, max_steps: int, stagnation_limit: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make at most ``max_steps`` steps; return a status of solving/search_kernel.py and the steps made."""
        queens, _, state, memory, seed, number, _ = self._attempt
        return min_conflicts_kernel.search(  # type: ignore[no-any-return]
            queens, self._lines, memory, state, trace, seed, number, max_steps, stagnation_limit
        )

    @property
    def conflicting(self) -> int:
        """Return how many queens are in conflict now."""
        return int(self._attempt.state[CONFLICTING])


def empty_lines(instance: Instance) -> Lines:
    """Allocate the counters of all lines. :class:`MinConflicts` initialises them, slice by slice."""
    n = instance.n
    counters = (np.empty((lines, 2), np.uint32) for lines in (n, 2 * n, 2 * n))
    lists = (np.empty(n, np.uint32) for _ in range(4))
    return Lines(*counters, *lists, instance.fixed.marks, blocked_index(instance))


def _place_blindly(attempt: Attempt, queens: Queens, start: str, callbacks: Callbacks) -> None:
    """Fill ``queens`` by a rule that ignores attacks."""
    size = thresholds.current.placement_slice
    for first, last in callbacks.slices("placement", len(queens), size, turns=_PASSES):
        _PLACE[start](queens, attempt.seed, attempt.number, first, last)


def _permute_free_rows(attempt: Attempt, callbacks: Callbacks) -> None:
    """Put the rows without a fixed queen into the columns without one, in random order."""
    queens, fixed = attempt.queens, attempt.instance.fixed
    columns, rows = (np.delete(np.arange(len(queens)), lines) for lines in (fixed.columns, fixed.rows))
    order = np.empty(len(columns), queens.dtype)
    _place_blindly(attempt, order, "permutation", callbacks)
    queens[columns] = rows[order]
