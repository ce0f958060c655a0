"""The rules by name, what limits them, and many seeded runs of one of them in compiled calls.

Every run begins on the board of ``start="random"`` for its seed, so that rules can be compared on the same boards.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, check_n, check_solvable, row_dtype
from fastqueens.kernels.batch import OUTCOME_LENGTH
from fastqueens.kernels.climbing import CLIMB_STATE_LENGTH, CURSOR_LENGTH, RUN, Climber, climb_batch
from fastqueens.machine import check_memory
from fastqueens.many import Outcomes, solve_many
from fastqueens.solver import check_limit, check_seed
from fastqueens.watch import Progress, Stop, Watch

#: The rules, and what each does in a step.
RULES = {
    "steepest": "the best of all moves of one queen, as long as it lowers the cost",
    "sideways": "the best of all moves, also where the cost stays the same, but not too often in a row",
    "annealing": "any move of a random queen; one that raises the cost the less often, the later it is",
    "min-conflicts": "a random conflicting queen to the best row of its column",
}

#: Sideways moves in a row after which the rule "sideways" gives up, as in the textbook.
SIDEWAYS_LIMIT = 100

#: Squares looked at in one call of a kernel: some milliseconds, what Ctrl-C waits for.
LOOKS = 1 << 22

#: Where moves are not noted.
NO_MOVES = np.empty((0, 3), np.int64)

# Temperatures between which annealing cools down, and the factors that it may do so by.
_COLDEST = 0.1
_HOTTEST = 10.0
_COOLING = 0.01, 0.999

_BYTES_A_QUEEN = 50
_BYTES_A_RUN = 80


class Limits(NamedTuple):
    """How long a run goes on.

    sideways : moves in a row that keep the cost, for the rule "sideways"
    restarts : new random boards after climbs that are stuck; None for as many as it takes
    temperature, cooling : for the rule "annealing": the first temperature, and the factor from one to the next, down to
        0.1, with n^2 drawn moves at each
    """

    sideways: int = SIDEWAYS_LIMIT
    restarts: int | None = 0
    temperature: float = 1.0
    cooling: float = 0.95


DEFAULT_LIMITS = Limits()


def run_many(
    n: int,
    rule: str,
    seeds: range,
    limits: Limits = DEFAULT_LIMITS,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Outcomes:
    """Run a rule on one board size with each of the seeds; a run does not depend on what else is in the batch.

    Parameters
    ----------
    n : int
        Queens on the board.
    rule : str
        One of :data:`RULES`.
    seeds : range of int
        One run for each.
    limits : Limits
        ``sideways`` is for the rule "sideways" alone.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "runs".

    Returns
    -------
    Outcomes
        ``steps`` are moves made, over all climbs of a run; ``pairs`` is the least cost that any of them ended with.

    Raises
    ------
    InputError
        For a value that cannot be.
    NoSolutionError
        Where restarts are not limited and no solution exists.
    """
    check_rule(rule)
    check_limits(limits)
    check_n(n)
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
    cursor = np.zeros(CURSOR_LENGTH, np.int64)
    watch = Watch(progress, stop)
    most_restarts = check_limit(limits.restarts, "restarts")
    while cursor[RUN] < len(seeds):
        if climb_batch(climber, claimed, NO_MOVES, numbers, most_restarts, outcomes, cursor, LOOKS):
            raise RuntimeError(
                f"one of the seeds {seeds[0]} to {seeds[-1]} ended with a board that is wrong "
                f"(n = {n}, rule = {rule!r}): please report this"
            )
        watch.look("runs", int(cursor[RUN]), len(seeds))
    return Outcomes(*outcomes.T.copy())


def empty_climber(n: int, rule: str, limits: Limits) -> Climber:
    """The arrays of a climb by a rule other than "min-conflicts", not yet written to."""
    odds = _odds(limits) if rule == "annealing" else np.empty((0, 0), np.uint64)
    return Climber(
        queens=np.empty(n, row_dtype(n)),
        rows=np.empty(n, np.int64),
        sums=np.empty(2 * n, np.int64),
        differences=np.empty(2 * n, np.int64),
        state=np.empty(CLIMB_STATE_LENGTH, np.int64),
        sideways_limit=limits.sideways if rule == "sideways" else 0,
        odds=odds,
        level_length=n * n,
    )


def _odds(limits: Limits) -> NDArray[np.uint64]:
    """For each temperature, from 2**64, how often a move that raises the cost by 1, 2, ... is taken: exp(-d / T)."""
    levels = math.floor(math.log(limits.temperature / _COLDEST) / -math.log(limits.cooling)) + 1
    temperatures = [limits.temperature * limits.cooling**level for level in range(levels)]
    # Beyond, the odds are less than one in 2**64.
    rises = range(1, math.ceil(64 * math.log(2) * limits.temperature) + 1)
    return np.array([[int(math.exp(-rise / heat) * 2**64) for rise in rises] for heat in temperatures], np.uint64)


def check_rule(rule: str, rules: Iterable[str] = RULES) -> None:
    """Refuse a rule that there is not, naming the near ones."""
    names = list(rules)
    if rule not in names:
        near = difflib.get_close_matches(rule, names, n=2)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it is one of {', '.join(names)}"
        raise InputError(f"there is no rule {rule!r}: {hint}")


def check_limits(limits: Limits) -> None:
    """Refuse limits that cannot be."""
    check_limit(limits.sideways, "sideways_limit")
    check_limit(limits.restarts, "restarts")
    _check_between("temperature", limits.temperature, _COLDEST, _HOTTEST)
    _check_between("cooling", limits.cooling, *_COOLING)


def _check_between(name: str, value: float, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise InputError(f"{name} is {value!r}: it goes from {least} to {most}")
