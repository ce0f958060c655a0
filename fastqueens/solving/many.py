"""Many seeded solves of one board size, for statistics: small boards in one compiled call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.arguments import STARTS, check_choice, check_limit, check_seed
from fastqueens.core.board import check_n, check_solvable, row_dtype
from fastqueens.core.instance import make_instance
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.solving import many_kernel
from fastqueens.solving.arrays import empty_bitsets, empty_memory, empty_state
from fastqueens.solving.min_conflicts import empty_lines
from fastqueens.solving.repair_kernel import Pairs
from fastqueens.solving.solver import solve
from fastqueens.solving.task import stagnation_limit

_RUNS_A_SLICE = 64
_BYTES_A_QUEEN = 90


class Outcomes(NamedTuple):
    """The outcome of each run: int64 arrays with one entry for each seed."""

    initial_pairs: NDArray[np.int64]
    pairs: NDArray[np.int64]
    steps: NDArray[np.int64]
    restarts: NDArray[np.int64]

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Which runs ended with a solution; each of these has passed the check of all its lines."""
        return np.equal(self.pairs, 0)


@shows_progress
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
    A run on a small board takes a few microseconds: runs share their memory, and one compiled call makes many. From
    n = 2**18 on, each run is a call of :func:`fastqueens.solve`, which may use all cores. ``progress`` gets the stage
    "runs".

    Examples
    --------
    >>> outcomes = solve_many(8, range(1000))
    >>> bool(outcomes.solved.all())
    True
    """
    n = check_n(n)
    check_solvable(n)
    check_choice(start, "start", STARTS)
    most_steps = check_limit(max_steps, "max_steps")
    most_restarts = check_limit(restarts, "restarts")
    numbers = np.array([check_seed(seed) for seed in seeds], np.uint64)
    callbacks = Callbacks(progress, stop)
    outcomes = np.empty((len(numbers), many_kernel.OUTCOME_LENGTH), np.int64)
    if n >= thresholds.current.tiles:  # solve() places boards of this size in groups
        for at, _ in callbacks.slices("runs", len(numbers), 1):
            result = solve(
                n, seed=int(numbers[at]), start=start, max_steps=max_steps, restarts=restarts, trace=False, stop=stop
            )
            outcomes[at] = [result.initial_pairs, result.pairs, result.steps, len(result.restarts)]
    else:
        check_memory(_BYTES_A_QUEEN * n, f"solving n = {n:,} with many seeds")
        work = _workspace(n)
        run = (STARTS.index(start), numbers, most_steps, most_restarts, stagnation_limit(n), outcomes)
        for first, last in callbacks.slices("runs", len(numbers), _RUNS_A_SLICE):
            refused = many_kernel.solve_batch(work, *run, first, last)
            if refused:
                raise RuntimeError(
                    f"{refused} of the seeds {numbers[first]} to {numbers[last - 1]} ended with a board that is wrong "
                    f"(n = {n}, start = {start!r}): please report this"
                )
    return Outcomes(*outcomes.T.copy())


def _workspace(n: int) -> many_kernel.Workspace:
    """Allocate the arrays that all runs share."""
    return many_kernel.Workspace(
        queens=np.empty(n, row_dtype(n)),
        columns=np.empty(n, np.uint32),
        counts=np.empty(3, np.int64),
        state=empty_state(),
        trace=np.empty((0, 2), np.int64),
        claimed=np.empty(2 * n // 64 + 2, np.uint64),
        bitsets=empty_bitsets(make_instance(n)),
        pairs=Pairs(*(np.empty(n, np.uint32) for _ in range(4))),
        lines=empty_lines(make_instance(n)),
        memory=empty_memory(n, stagnation_limit(n)),
        most_left_over=np.int64(thresholds.current.left_over),
    )
