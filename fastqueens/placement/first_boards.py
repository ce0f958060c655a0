"""First boards, and the searches from them: the repair of windowed boards, and min-conflicts from all others."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import thresholds
from fastqueens._run.arguments import checked_or_new_seed
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens._run.threads import Workers
from fastqueens.board import Queens, check_n, row_dtype
from fastqueens.instance import Instance
from fastqueens.kernels import min_conflicts as min_conflicts_kernel
from fastqueens.kernels import repair as repair_kernel
from fastqueens.kernels import windows as windows_kernel
from fastqueens.kernels.blocked import blocked_index
from fastqueens.kernels.min_conflicts import Lines
from fastqueens.kernels.plateau import CONFLICTING, PAIRS, UNUSED
from fastqueens.kernels.windows import Bitsets
from fastqueens.placement.arrays import Attempt

# The counters of all lines.
_LINES_BYTES_A_QUEEN = 56

# Passes over the columns in the stage "placement": one places the queens, four belong to :class:`MinConflicts`.
_PASSES = 5

# Starts that ignore attacks.
_PLACE = {"random": windows_kernel.place_random, "permutation": windows_kernel.place_permutation}


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
        """Make at most ``max_steps`` steps; return their status and how many were made."""
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
        """Make at most ``max_steps`` steps; return their status and how many were made."""
        queens, _, state, memory, seed, number, _ = self._attempt
        return min_conflicts_kernel.search(  # type: ignore[no-any-return]
            queens, self._lines, memory, state, trace, seed, number, max_steps, stagnation_limit
        )

    @property
    def conflicting(self) -> int:
        """Return how many queens are in conflict now."""
        return int(self._attempt.state[CONFLICTING])


LocalSearch: TypeAlias = Repair | MinConflicts


def place(attempt: Attempt, start: str, workers: Workers, callbacks: Callbacks, *, force: bool = False) -> LocalSearch:
    """Place the queens of an attempt by the rule ``start``, or take the "board" there; return the search from it.

    Raises NotEnoughMemoryError if a windowed placement leaves a board that needs counters of all lines and these do
    not fit, unless ``force`` is true.
    """
    if attempt.bitsets is not None:
        return _place_in_windows(attempt, attempt.bitsets, workers, callbacks, force)
    queens, fixed = attempt.queens, attempt.instance.fixed
    if start == "uniform":
        queens.fill(len(queens))  # all columns are empty; MinConflicts fills them
    elif start == "permutation" and len(fixed):
        _permute_free_rows(attempt, callbacks)
    elif start != "board":
        _place_blindly(attempt, queens, start, callbacks)
    queens[fixed.columns] = fixed.rows
    return MinConflicts(attempt, callbacks)


def min_conflicts_after_repair(attempt: Attempt, callbacks: Callbacks, *, force: bool) -> MinConflicts:
    """Start min-conflicts on a board that the repair cannot solve, if the counters of all lines fit into memory."""
    n = len(attempt.queens)
    if not force:
        check_memory(_LINES_BYTES_A_QUEEN * n, f"counting the queens on every line of n = {n:,}")
    return MinConflicts(attempt, callbacks)


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


def _place_in_windows(
    attempt: Attempt, bitsets: Bitsets, workers: Workers, callbacks: Callbacks, force: bool
) -> LocalSearch:
    """Place most queens in windows, the next ones in unused rows, and the last dozens on rows of other queens."""
    queens, _, state, memory, seed, number, instance = attempt
    n, fixed = instance.n, instance.fixed
    counts = np.zeros(3, np.int64)
    if n < thresholds.current.groups:
        columns, unused = np.empty((2, n), np.uint32)
        windows_kernel.place_in_one_piece(queens, bitsets, columns, unused, counts, seed, number)
    else:
        from fastqueens.placement import tiles  # only large boards need it

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
