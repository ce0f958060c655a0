"""Many seeded runs of one rule in compiled calls, without their moves.

Every run begins on the board of ``start="random"`` for its seed, so that rules can be compared on the same boards.
"""

from __future__ import annotations

import numpy as np

from fastqueens.classroom.rules import DEFAULT_LIMITS, Limits, check_limits, check_rule
from fastqueens.classroom.searches import LOOKS, empty_climber
from fastqueens.core.board import check_n, check_solvable
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.integers import check_limit, check_seed
from fastqueens.core.memory import check_memory
from fastqueens.kernels.batch import OUTCOME_LENGTH
from fastqueens.kernels.climbing import CURSOR_LENGTH, RUN, climb_batch
from fastqueens.solving.many import Outcomes, solve_many

_BYTES_A_QUEEN = 50
_BYTES_A_RUN = 80


def run_many(
    n: int,
    rule: str,
    seeds: range,
    limits: Limits = DEFAULT_LIMITS,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Outcomes:
    """Run a rule on one board size with each of the seeds; a run does not depend on the other runs of the batch.

    Parameters
    ----------
    n : int
        Side of the board and number of queens.
    rule : str
        One of :data:`fastqueens.core.names.RULES`.
    seeds : range of int
        One run for each.
    limits : Limits
        ``sideways`` applies to the rule "sideways" only.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "runs".

    Returns
    -------
    Outcomes
        ``steps`` are moves made, over all climbs of a run; ``pairs`` is the least cost that any of them ended with.

    Raises
    ------
    InputError
        If a value is not as described here.
    NoSolutionError
        If restarts are not limited and no solution exists.
    """
    check_rule(rule)
    limits = check_limits(limits)
    n = check_n(n)
    if limits.restarts is None:
        check_solvable(n)
    for seed in (*seeds[:1], *seeds[-1:]):
        check_seed(seed)
    if rule == "min-conflicts":
        return solve_many(n, seeds, start="random", restarts=limits.restarts, progress=progress, stop=stop)
    check_memory(_BYTES_A_QUEEN * n + _BYTES_A_RUN * len(seeds), f"{len(seeds):,} runs on n = {n:,}")
    numbers = np.array(seeds, np.uint64)
    outcomes = np.empty((len(seeds), OUTCOME_LENGTH), np.int64)
    climber = empty_climber(n, rule, limits)
    claimed = np.empty(2 * n // 64 + 2, np.uint64)
    no_moves = np.empty((0, 3), np.int64)
    cursor = np.zeros(CURSOR_LENGTH, np.int64)
    callbacks = Callbacks(progress, stop)
    most_restarts = check_limit(limits.restarts, "restarts")
    while cursor[RUN] < len(seeds):
        if climb_batch(climber, claimed, no_moves, numbers, most_restarts, outcomes, cursor, LOOKS):
            raise RuntimeError(
                f"one of the seeds {seeds[0]} to {seeds[-1]} ended with a board that is wrong "
                f"(n = {n}, rule = {rule!r}): please report this"
            )
        callbacks.poll("runs", int(cursor[RUN]), len(seeds))
    return Outcomes(*outcomes.T.copy())
