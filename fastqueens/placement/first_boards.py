"""The first board of an attempt: windowed, uniform, random, or a permutation."""

from __future__ import annotations

from typing import Final, SupportsIndex

import numpy as np

from fastqueens._run.arguments import checked_or_new_seed
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens._run.threads import Workers
from fastqueens.board import Queens, check_n, row_dtype
from fastqueens.kernels import repair as repair_kernel
from fastqueens.kernels import windows as windows_kernel
from fastqueens.kernels.repair import Pairs
from fastqueens.kernels.windows import Bitsets
from fastqueens.placement.arrays import Attempt

#: Passes over the columns in the stage "placement": one places the queens; in four, min-conflicts counts the queens on
#: all lines and fills empty columns.
PASSES = 5

#: Columns that are placed between two calls of the callbacks, which takes about 20 ms.
PLACEMENT_SLICE: Final = 1 << 18

# Starts that ignore attacks.
_PLACE = {"random": windows_kernel.place_random, "permutation": windows_kernel.place_permutation}


@shows_progress
def random_board(
    n: SupportsIndex,
    seed: SupportsIndex | None = None,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Queens:
    """Return a board on which each queen stands on a random row of its column.

    This is the first board of ``solve(n, seed=seed, start="random")``. On large boards, about 7 n / 6 pairs of queens
    attack each other.

    Parameters
    ----------
    n : int
        Side of the board and number of queens.
    seed : int, optional
        Seed from 0 to 2**64 - 1. The same n and seed give the same board on any machine. By default, a seed is drawn.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    (n,) array of int32, or of uint32 from n = 2**31 on
        The row of the queen in each column.

    Raises
    ------
    InputError
        If an argument is invalid.
    NotEnoughMemoryError
        If the board does not fit into memory; it takes 4 bytes per queen.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    solve : Start a search from a random board.
    attacking_pairs : Count the attacking pairs.

    Examples
    --------
    >>> random_board(8, seed=1)
    array([1, 0, 4, 7, 7, 3, 1, 7], dtype=int32)
    """
    n = check_n(n)
    seed = np.uint64(checked_or_new_seed(seed))
    dtype = np.dtype(row_dtype(n))
    check_memory(n * dtype.itemsize, f"a board of {n:,}")
    queens = np.empty(n, dtype)
    for first, last in Callbacks.until(time_limit, progress, stop).slices("placement", n, PLACEMENT_SLICE):
        windows_kernel.place_random(queens, seed, np.uint64(0), first, last)
    return queens


def place(attempt: Attempt, start: str, workers: Workers, callbacks: Callbacks) -> Pairs | None:
    """Place the queens of an attempt by the rule ``start``; the rule "board" keeps them.

    Returns the attacking pairs of a windowed board, with which the repair begins. None means that the queens on all
    lines have to be counted first; empty columns have row n until then, as all columns have from "uniform".
    """
    if attempt.bitsets is not None:
        return _place_in_windows(attempt, attempt.bitsets, workers, callbacks)
    queens, fixed = attempt.queens, attempt.instance.fixed
    if start == "uniform":
        queens.fill(len(queens))
    elif start == "permutation" and len(fixed):
        _permute_free_rows(attempt, callbacks)
    elif start != "board":
        _place_blindly(attempt, queens, start, callbacks)
    queens[fixed.columns] = fixed.rows
    return None


def _place_blindly(attempt: Attempt, queens: Queens, start: str, callbacks: Callbacks) -> None:
    """Fill ``queens`` by a rule that ignores attacks."""
    for first, last in callbacks.slices("placement", len(queens), PLACEMENT_SLICE, turns=PASSES):
        _PLACE[start](queens, attempt.seed, attempt.number, first, last)


def _permute_free_rows(attempt: Attempt, callbacks: Callbacks) -> None:
    """Put the rows without a fixed queen into the columns without one, in random order."""
    queens, fixed = attempt.queens, attempt.instance.fixed
    columns, rows = (np.delete(np.arange(len(queens)), lines) for lines in (fixed.columns, fixed.rows))
    order = np.empty(len(columns), queens.dtype)
    _place_blindly(attempt, order, "permutation", callbacks)
    queens[columns] = rows[order]


def _place_in_windows(attempt: Attempt, bitsets: Bitsets, workers: Workers, callbacks: Callbacks) -> Pairs | None:
    """Place most queens in windows, the next ones in unused rows, and the last dozens on rows of other queens."""
    queens, seed, number, fixed = attempt.queens, attempt.seed, attempt.number, attempt.instance.fixed
    n = len(queens)
    counts = np.zeros(3, np.int64)
    if n < attempt.thresholds.groups:
        columns, unused = np.empty((2, n), np.uint32)
        windows_kernel.place_in_one_piece(queens, bitsets, columns, unused, counts, seed, number)
    else:
        from fastqueens.placement import tiles  # only large boards need it

        rest = tiles.TilePlacement(attempt, tiles.cut_of(n, attempt.thresholds)).place(workers, callbacks)
        columns, unused = rest.columns, rest.unused
        counts[2] = len(unused)
        for _, last in slices(len(columns), max(1, PLACEMENT_SLICE >> 4)):
            windows_kernel.place_in_unused_rows(queens, bitsets, columns, unused, counts, seed, number, last)
            callbacks.poll("placement", n, n)
    callbacks.poll("placement", n, n)
    queens[fixed.columns] = fixed.rows

    left_over = columns[: counts[1]].copy()
    if len(left_over) > attempt.thresholds.left_over:
        return None
    first, second, rows = (np.empty(len(left_over), np.uint32) for _ in range(3))
    pairs = Pairs(first, second, rows, unused[: len(left_over)].copy())
    placed = repair_kernel.place_left_over(
        queens, bitsets, pairs, attempt.plateau, left_over, attempt.state, seed, number
    )
    return pairs if placed == len(left_over) else None
