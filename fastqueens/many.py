"""Many seeded solves of one small board size in one compiled call: what statistics are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import check_n, check_solvable, row_dtype
from fastqueens.engines import empty_bitsets, empty_lines, empty_memory, empty_state
from fastqueens.kernels import batch
from fastqueens.kernels.repair import Pairs
from fastqueens.machine import check_memory
from fastqueens.solver import STARTS, check_limit, check_seed, check_start, patience
from fastqueens.watch import Progress, Stop, Watch

_RUNS_A_SLICE = 64
_BYTES_A_QUEEN = 90


class Outcomes(NamedTuple):
    """What came of each run: int64 arrays, one entry a seed."""

    initial_pairs: NDArray[np.int64]
    pairs: NDArray[np.int64]
    steps: NDArray[np.int64]
    restarts: NDArray[np.int64]

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Which runs ended with a solution; each has passed the check of all its lines."""
        return np.equal(self.pairs, 0)


def solve_many(
    n: int,
    seeds: Iterable[int],
    *,
    start: str = "windowed",
    max_steps: int | None = None,
    restarts: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Outcomes:
    """Solve one board size with each of the seeds, without keeping boards or traces.

    Every run is the one that :func:`fastqueens.solve` makes with this seed; see there for the parameters and errors.
    On a small board a run costs a few microseconds. ``progress`` gets the stage "runs".

    Examples
    --------
    >>> outcomes = solve_many(8, range(1000))
    >>> bool(outcomes.solved.all())
    True
    """
    check_n(n)
    check_solvable(n)
    check_start(start)
    check_memory(_BYTES_A_QUEEN * n, f"solving n = {n:,} with many seeds")
    numbers = np.array([check_seed(seed) for seed in seeds], np.uint64)
    outcomes = np.empty((len(numbers), batch.OUTCOME_LENGTH), np.int64)
    most_steps = check_limit(max_steps, "max_steps")
    most_restarts = check_limit(restarts, "restarts")
    desk = _desk(n)
    for first, last in Watch(progress, stop).slices("runs", len(numbers), _RUNS_A_SLICE):
        refused = batch.solve_batch(
            desk, STARTS.index(start), numbers, most_steps, most_restarts, patience(n), outcomes, first, last
        )
        if refused:
            raise RuntimeError(
                f"{refused} of the seeds {numbers[first]} to {numbers[last - 1]} ended with a board that is wrong "
                f"(n = {n}, start = {start!r}): please report this"
            )
    return Outcomes(*outcomes.T.copy())


def _desk(n: int) -> batch.Desk:
    return batch.Desk(
        queens=np.empty(n, row_dtype(n)),
        columns=np.empty(n, np.uint32),
        counts=np.empty(3, np.int64),
        state=empty_state(),
        trace=np.empty((0, 2), np.int64),
        claimed=np.empty(2 * n // 64 + 2, np.uint64),
        bitsets=empty_bitsets(n),
        pairs=Pairs(*(np.empty(n, np.uint32) for _ in range(4))),
        lines=empty_lines(n),
        memory=empty_memory(n, patience(n)),
    )
