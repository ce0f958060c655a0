"""The two local searches, as objects that make steps on the board of one attempt.

:class:`Repair` follows a windowed placement, which leaves conflicts on rows only. :class:`MinConflicts` starts from any
board and counts the queens on every line.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.memory import check_memory
from fastqueens.kernels import line_counts, minconflicts, repair
from fastqueens.kernels.placement import Bitsets
from fastqueens.kernels.search import CONFLICTING, PAIRS, UNUSED
from fastqueens.solving.attempt import Attempt, empty_lines

#: Passes over the columns in the stage "placement": one places the queens, four belong to :class:`MinConflicts`.
PASSES = 5

# The counters of all lines.
_LINES_BYTES_A_QUEEN = 56


class Repair:
    """The search after a windowed placement. Every conflict is one pair of queens on a row."""

    def __init__(self, attempt: Attempt, bitsets: Bitsets, pairs: repair.Pairs) -> None:
        self._attempt = attempt
        self._bitsets = bitsets
        self._pairs = pairs

    def advance(self, max_steps: int, stagnation_limit: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make at most ``max_steps`` steps; return a status of kernels/search.py and the steps made."""
        queens, _, state, memory, seed, number, _ = self._attempt
        return repair.repair(  # type: ignore[no-any-return]
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
            line_counts.clear_lines(self._lines, first, last)
        instance = attempt.instance
        if instance.has_exclusions:
            self._lines.sums[instance.excluded_sums, 0] = line_counts.FORBIDDEN
            self._lines.differences[instance.excluded_differences + n, 0] = line_counts.FORBIDDEN
        for first, last in callbacks.slices("placement", n, size, 2, PASSES):
            line_counts.count_queens(queens, self._lines, state, first, last)
        for first, last in callbacks.slices("placement", n, size, 3, PASSES):
            line_counts.list_conflicts(queens, self._lines, state, first, last)
        for first, last in callbacks.slices("placement", n, size, 4, PASSES):
            minconflicts.place_least_conflict(queens, self._lines, memory, state, seed, number, first, last)

    def advance(self, max_steps: int, stagnation_limit: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make at most ``max_steps`` steps; return a status of kernels/search.py and the steps made."""
        queens, _, state, memory, seed, number, _ = self._attempt
        return minconflicts.search(  # type: ignore[no-any-return]
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
