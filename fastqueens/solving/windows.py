"""First boards: every start places all queens and returns the local search that continues from there."""

from __future__ import annotations

import numpy as np

from fastqueens.core import thresholds
from fastqueens.core.board import Queens
from fastqueens.core.progress import Callbacks, slices
from fastqueens.core.threads import Workers
from fastqueens.solving import repair_kernel, windows_kernel
from fastqueens.solving.arrays import Attempt, Rest
from fastqueens.solving.local_search import PASSES, LocalSearch, MinConflicts, Repair, min_conflicts_after_repair
from fastqueens.solving.windows_kernel import Bitsets

# Starts that ignore attacks.
_PLACE = {"random": windows_kernel.place_random, "permutation": windows_kernel.place_permutation}


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
    if start == "uniform":
        attempt.queens.fill(len(attempt.queens))  # all columns are empty; MinConflicts fills them
    elif start == "permutation" and len(attempt.instance.fixed):
        _permute_free_rows(attempt, callbacks)
    elif start != "board":
        _place_blindly(attempt, attempt.queens, start, callbacks)
    fixed = attempt.instance.fixed
    attempt.queens[fixed.columns] = fixed.rows
    return MinConflicts(attempt, callbacks)


def _place_blindly(attempt: Attempt, queens: Queens, start: str, callbacks: Callbacks) -> None:
    """Fill ``queens`` by a rule that ignores attacks."""
    size = thresholds.current.placement_slice
    for first, last in callbacks.slices("placement", len(queens), size, turns=PASSES):
        _PLACE[start](queens, attempt.seed, attempt.number, first, last)


def _permute_free_rows(attempt: Attempt, callbacks: Callbacks) -> None:
    """Put the rows without a fixed queen into the columns without one, in random order."""
    queens = attempt.queens
    columns, rows = attempt.instance.fixed.columns_and_rows_left(len(queens))
    order = np.empty(len(columns), queens.dtype)
    _place_blindly(attempt, order, "permutation", callbacks)
    queens[columns] = rows[order]


def _place_in_windows(
    attempt: Attempt, bitsets: Bitsets, workers: Workers, callbacks: Callbacks, force: bool
) -> LocalSearch:
    """Place most queens in windows, the next ones in unused rows, and the last dozens on rows of other queens."""
    queens, _, state, memory, seed, number, instance = attempt
    n, fixed = instance.n, instance.fixed
    if n < thresholds.current.tiles:
        rest = _place_in_one_piece(attempt, bitsets, callbacks)
    else:
        from fastqueens.solving import tiles  # only large boards need it

        cut = tiles.cut_of(n)
        rest = tiles.TilePlacement(queens, bitsets, seed, number, cut, fixed).place(workers, callbacks)
    queens[fixed.columns] = fixed.rows

    counts = np.array([0, 0, len(rest.unused)])
    for _, last in slices(len(rest.columns), max(1, thresholds.current.placement_slice >> 4)):
        windows_kernel.place_in_unused_rows(queens, bitsets, rest.columns, rest.unused, counts, seed, number, last)
        callbacks.poll("placement", n, n)
    callbacks.poll("placement", n, n)

    left_over = rest.columns[: counts[1]].copy()
    if len(left_over) <= thresholds.current.left_over:
        empty = (np.empty(len(left_over), np.uint32) for _ in range(3))
        pairs = repair_kernel.Pairs(*empty, rest.unused[: len(left_over)].copy())
        placed = repair_kernel.place_left_over(queens, bitsets, pairs, memory, left_over, state, seed, number)
        if placed == len(left_over):
            return Repair(attempt, bitsets, pairs)
    return min_conflicts_after_repair(attempt, callbacks.without_progress(), force=force)


def _place_in_one_piece(attempt: Attempt, bitsets: Bitsets, callbacks: Callbacks) -> Rest:
    """Place the columns from left to right."""
    queens, _, _, _, seed, number, _ = attempt
    n = len(queens)
    columns = np.empty(n, np.uint32)
    count = 0
    for first, last in callbacks.slices("placement", n, thresholds.current.placement_slice):
        count = windows_kernel.place_windowed(queens, bitsets, columns, count, seed, number, first, last)
    unused = np.empty(count, np.uint32)
    windows_kernel.list_unused_rows(bitsets, unused, 0, len(bitsets.rows))
    return Rest(columns[:count], unused)
