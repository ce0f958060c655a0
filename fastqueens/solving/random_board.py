"""A board on which each row is drawn independently."""

from __future__ import annotations

import numpy as np

from fastqueens.core import thresholds
from fastqueens.core.arguments import checked_or_new_seed
from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.solving.windows_kernel import place_random


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
        place_random(queens, *numbers, first, last)
    return queens
