"""The two local searches, as objects that make steps on the board of one attempt.

:class:`Repair` follows a windowed placement, which leaves conflicts on rows only. :class:`MinConflicts` starts from any
board and counts the queens on every line.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks
from fastqueens.solving import min_conflicts_kernel, repair_kernel
from fastqueens.solving.arrays import Attempt, empty_lines
from fastqueens.solving.search_kernel import CONFLICTING, PAIRS, UNUSED
from fastqueens.solving.windows_kernel import Bitsets

#: Passes over the columns in the stage "placement": one places the queens, four belong to :class:`MinConflicts`.
PASSES = 5

# The counters of all lines.
_LINES_BYTES_A_QUEEN = 56


class Repair:
    """The search after a windowed placement. Every conflict is one pair of queens on a row."""

    def __init__(self, attempt: Attempt, bitsets: Bitsets, pairs: repair_kernel.Pairs) -> None:
        self._attempt = attempt
        self._bitsets = bitsets
        self._pairs = pairs

    def advance(self, max_steps: int, stagnation_limit: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make at most ``max_steps`` steps; return a status of solving/search_kernel.py and the steps made."""
        queens, _, state, memory, seed, number, _ = self._attempt
        return repair_kernel.repair(  # type: ignore[no-any-return]
            queens, self._bitsets, self._pairs, memory, state, trace, seed, number, max_steps, stagnation_limit
        )

    @property
    def conflicting(self) -> int:
        """Return how many queens are in conflict now: two in each pair."""
        return 2 * int(self._attempt.state[PAIRS])


class MinConflicts:
    """The search from any board. First it counts the queens on every line and fills the empty columns."""

    def __init__(self, attempt: Attempt, callbacks: Callbacks) -> None:
        n = len(attempt.queens)
        self._attempt = attempt
        self._lines = empty_lines(attempt.instance)
        queens, _, state, memory, seed, number, _ = attempt
        size = thresholds.current.placement_slice
        state[[PAIRS, CONFLICTING, UNUSED]] = 0
        for first, last in callbacks.slices("placement", n, size, 1, PASSES):
            min_conflicts_kernel.clear_lines(self._lines, first, last)
        instance = attempt.instance
        if instance.has_exclusions:
            self._lines.sums[instance.excluded_sums, 0] = min_conflicts_kernel.FORBIDDEN
            self._lines.differences[instance.excluded_differences + n, 0] = min_conflicts_kernel.FORBIDDEN
        for first, last in callbacks.slices("placement", n, size, 2, PASSES):
            min_conflicts_kernel.count_queens(queens, self._lines, state, first, last)
        for first, last in callbacks.slices("placement", n, size, 3, PASSES):
            min_conflicts_kernel.list_conflicts(queens, self._lines, state, first, last)
        for first, last in callbacks.slices("placement", n, size, 4, PASSES):
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


LocalSearch: TypeAlias = Repair | MinConflicts


def min_conflicts_after_repair(attempt: Attempt, callbacks: Callbacks, *, force: bool) -> MinConflicts:
    """Start min-conflicts on a board that the repair cannot solve.

    Raises
    ------
    NotEnoughMemoryError
        If the counters of all lines do not fit, unless ``force`` is true.
    """
    n = len(attempt.queens)
    if not force:
        check_memory(_LINES_BYTES_A_QUEEN * n, f"counting the queens on every line of n = {n:,}")
    return MinConflicts(attempt, callbacks)
