"""First boards: windowed ones with the repair that follows, and random ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.arguments import checked_or_new_seed
from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens.core.threads import Workers
from fastqueens.solving import repair_kernel, windows_kernel
from fastqueens.solving.arrays import Attempt
from fastqueens.solving.search_kernel import PAIRS
from fastqueens.solving.windows_kernel import Bitsets

if TYPE_CHECKING:
    from fastqueens.solving.min_conflicts import MinConflicts

# The counters of all lines.
_LINES_BYTES_A_QUEEN = 56


@shows_progress
def random_board(
    n: int, seed: int | None = None, *, progress: Progress | None = None, stop: Stop | None = None
) -> Queens:
    """Return a uniformly random board: each queen's row is drawn independently.

    It is the first board of ``solve(n, seed=seed, start="random")``. On large boards, about 7 n / 6
    pairs of queens attack each other.

    Parameters
    ----------
    n : int
        Side of the board and number of queens.
    seed : int, optional
        From 0 to 2**64 - 1. The same n and seed give the same board on every machine. By default a seed is drawn and
        logged (logger "fastqueens", level INFO).
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "placement".

    Returns
    -------
    (n,) array of int32, or of uint32 from n = 2**31 on
        The row of the queen in each column.

    Raises
    ------
    InputError
        If a value is not as described here.
    NotEnoughMemoryError
        If the board does not fit: 4 bytes a queen.
    Stopped
        If ``stop`` returned True.

    Examples
    --------
    >>> random_board(8, seed=1)
    array([1, 0, 4, 7, 7, 3, 1, 7], dtype=int32)
    """
    n = check_n(n)
    numbers = np.uint64(checked_or_new_seed(seed)), np.uint64(0)
    dtype = np.dtype(row_dtype(n))
    check_memory(n * dtype.itemsize, f"a board of {n:,}")
    queens = np.empty(n, dtype)
    for first, last in Callbacks(progress, stop).slices("placement", n, thresholds.current.placement_slice):
        windows_kernel.place_random(queens, *numbers, first, last)
    return queens


class Repair:
    """The search after a windowed placement. Every conflict is one pair of queens on a row."""

    def __init__(self, attempt: Attempt, bitsets: Bitsets, pairs: repair_kernel.Pairs) -> None:
        self._attempt = attempt
        self._bitsets = bitsets
        self._pairs = pairs

    def advance(self, max_steps: int, stagnation_limit: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make at most ``max_steps`` steps; return a status of search_kernel.py or repair_kernel.py, and the steps."""
        queens, _, state, memory, seed, number, _ = self._attempt
        return repair_kernel.repair(  # type: ignore[no-any-return]
            queens, self._bitsets, self._pairs, memory, state, trace, seed, number, max_steps, stagnation_limit
        )

    @property
    def conflicting(self) -> int:
        """Return how many queens are in conflict now: two in each pair."""
        return 2 * int(self._attempt.state[PAIRS])


LocalSearch: TypeAlias = "Repair | MinConflicts"


def place(attempt: Attempt, start: str, workers: Workers, callbacks: Callbacks, *, force: bool = False) -> LocalSearch:
    """Place the queens of an attempt by the rule ``start`` and return the search from this board.

    Parameters
    ----------
    attempt : Attempt
        Its board gets filled, or is the first board already if ``start`` is "board".
    start : str
        One of :data:`fastqueens.core.arguments.STARTS`, or "board".
    workers, callbacks
        Threads for the tiles of large boards; progress and stop.
    force : bool
        Start min-conflicts even if there seems to be too little memory for the counters of all lines.

    Raises
    ------
    NotEnoughMemoryError
        If a windowed placement leaves a board that needs counters of all lines and these do not fit.
    """
    if attempt.bitsets is not None:
        return _place_in_windows(attempt, attempt.bitsets, workers, callbacks, force)
    from fastqueens.solving import min_conflicts  # only boards that are not windowed need it

    return min_conflicts.place(attempt, start, callbacks)


def min_conflicts_after_repair(attempt: Attempt, callbacks: Callbacks, *, force: bool) -> MinConflicts:
    """Start min-conflicts on a board that the repair cannot solve.

    Raises
    ------
    NotEnoughMemoryError
        If the counters of all lines do not fit, unless ``force`` is true.
    """
    from fastqueens.solving.min_conflicts import MinConflicts

    n = len(attempt.queens)
    if not force:
        check_memory(_LINES_BYTES_A_QUEEN * n, f"counting the queens on every line of n = {n:,}")
    return MinConflicts(attempt, callbacks)


def _place_in_windows(
    attempt: Attempt, bitsets: Bitsets, workers: Workers, callbacks: Callbacks, force: bool
) -> LocalSearch:
    """Place most queens in windows, the next ones in unused rows, and the last dozens on rows of other queens."""
    queens, _, state, memory, seed, number, instance = attempt
    n, fixed = instance.n, instance.fixed
    counts = np.zeros(3, np.int64)
    if n < thresholds.current.tiles:
        columns, unused = np.empty((2, n), np.uint32)
        windows_kernel.place_in_one_piece(queens, bitsets, columns, unused, counts, seed, number)
    else:
        from fastqueens.solving import tiles  # only large boards need it

        placement = tiles.TilePlacement(queens, bitsets, seed, number, tiles.cut_of(n), fixed)
        columns, unused = placement.place(workers, callbacks)
        counts[2] = len(unused)
        for _, last in slices(len(columns), max(1, thresholds.current.placement_slice >> 4)):
            windows_kernel.place_in_unused_rows(queens, bitsets, columns, unused, counts, seed, number, last)
            callbacks.poll("placement", n, n)
    callbacks.poll("placement", n, n)
    queens[fixed.columns] = fixed.rows

    left_over = columns[: counts[1]].copy()
    if len(left_over) <= thresholds.current.left_over:
        empty = (np.empty(len(left_over), np.uint32) for _ in range(3))
        pairs = repair_kernel.Pairs(*empty, unused[: len(left_over)].copy())
        placed = repair_kernel.place_left_over(queens, bitsets, pairs, memory, left_over, state, seed, number)
        if placed == len(left_over):
            return Repair(attempt, bitsets, pairs)
    return min_conflicts_after_repair(attempt, callbacks.without_progress(), force=force)
