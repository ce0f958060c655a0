"""Many seeded runs of rules, in compiled calls without their moves; a study is cut into batches of them.

Every run begins on the board of ``start="random"`` for its seed, so that rules can be compared on the same boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from fastqueens.classroom.climbing import DEFAULT_LIMITS, LOOKS, Limits, check_limits, check_rule, empty_climber
from fastqueens.classroom.climbing_kernel import CURSOR_LENGTH, RUN, climb_batch
from fastqueens.core.arguments import LARGEST_SEED, RESTARTING_RULES, STUDY_RULES, check_limit, check_seed
from fastqueens.core.board import check_n, check_solvable
from fastqueens.core.errors import InputError
from fastqueens.core.executors import Executor, Task, run_tasks
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop
from fastqueens.jit import clock
from fastqueens.solving.many import Outcomes, solve_many
from fastqueens.solving.many_kernel import OUTCOME_LENGTH

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
        One of :data:`fastqueens.core.arguments.RULES`.
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
    no_trace = np.empty((0, 5), np.int64)
    cursor = np.zeros(CURSOR_LENGTH, np.int64)
    callbacks = Callbacks(progress, stop)
    most_restarts = check_limit(limits.restarts, "restarts")
    while cursor[RUN] < len(seeds):
        if climb_batch(climber, claimed, no_trace, numbers, most_restarts, outcomes, cursor, LOOKS):
            raise RuntimeError(
                f"one of the seeds {seeds[0]} to {seeds[-1]} ended with a board that is wrong "
                f"(n = {n}, rule = {rule!r}): please report this"
            )
        callbacks.poll("runs", int(cursor[RUN]), len(seeds))
    return Outcomes(*outcomes.T.copy())


# The largest factor from a batch to the next one: the time of the first may include compilation.
_GROWTH = 8
_FIRST_BATCH = 16
_MOST_RUNS_A_BATCH = 1 << 17

# How long a batch should take: long compared with its overhead, short compared with what people wait for.
_SECONDS_A_BATCH = 0.1
_SECONDS_A_BATCH_AWAY = 0.5


@dataclass
class Tally:
    """Sums over many runs of one rule on one board size.

    Attributes
    ----------
    initial_cost : int
        Attacking pairs of the first boards, over all runs.
    restarts : int
        Restarts, over all runs.
    solved, failed : Counter
        For each number of steps, how many runs took it: runs that ended with a solution, and the other runs.
    """

    initial_cost: int = 0
    restarts: int = 0
    solved: Counter[int] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, outcomes: Outcomes) -> Tally:
        """Return the sums over the outcomes of some runs."""
        initial_cost, restarts = int(outcomes.initial_pairs.sum()), int(outcomes.restarts.sum())
        solved, failed = (Counter(outcomes.steps[which].tolist()) for which in (outcomes.solved, ~outcomes.solved))
        return cls(initial_cost, restarts, solved, failed)

    def add(self, other: Tally) -> None:
        """Add the sums of other runs."""
        self.initial_cost += other.initial_cost
        self.restarts += other.restarts
        self.solved.update(other.solved)
        self.failed.update(other.failed)

    @property
    def runs(self) -> int:
        """Number of runs."""
        return self.solved.total() + self.failed.total()


@dataclass
class Cell:
    """One rule on one board size: the sums so far, and the number of runs for its next batch."""

    n: int
    rule: str
    limits: Limits
    tally: Tally = field(default_factory=Tally)
    batch: int = _FIRST_BATCH

    def add(self, tally: Tally, seconds: float, wanted_seconds: float) -> None:
        """Add the sums of a batch, and make the next batch so long that it takes the wanted time."""
        self.tally.add(tally)
        fitting = int(tally.runs * wanted_seconds / max(seconds, 1e-9))
        self.batch = max(1, min(fitting, self.batch * _GROWTH, _MOST_RUNS_A_BATCH))


class Plan(NamedTuple):
    """A validated study: its cells, the first seed, the runs of each cell, and the limits."""

    cells: list[Cell]
    seed: int
    runs: int
    limits: Limits

    def batches(self) -> Iterator[tuple[Cell, int, int]]:
        """Yield for each batch its cell, the first of its consecutive seeds, and its runs.

        A batch is as long as its cell asks for when it is yielded.
        """
        for cell in self.cells:
            begun = 0
            while begun < self.runs:
                runs = min(cell.batch, self.runs - begun)
                yield cell, self.seed + begun, runs
                begun += runs


def plan_study(
    n: int | Iterable[int], rules: str | Iterable[str], runs: int, seed: int, sideways_limit: int, restarts: int | None
) -> Plan:
    """Validate the arguments of :func:`fastqueens.study`; see there for parameters and errors."""
    limits = check_limits(Limits(sideways=sideways_limit, restarts=restarts))
    runs, seed = _checked_seeds(runs, seed)
    names = _checked_rules(rules)
    cells = [
        Cell(size, name, limits if name in RESTARTING_RULES else limits._replace(restarts=0))
        for size in _checked_sizes(n)
        for name in names
    ]
    for cell in cells:
        if cell.limits.restarts is None or cell.rule == "min-conflicts":
            check_solvable(cell.n)
    return Plan(cells, seed, runs, limits)


def run_plan(
    plan: Plan, threads: int | None, executor: Executor | None, progress: Progress | None, stop: Stop | None
) -> None:
    """Run all batches on threads or on an executor, and add up their sums in any order."""
    callbacks = Callbacks(progress, stop)
    seconds = _SECONDS_A_BATCH if executor is None else _SECONDS_A_BATCH_AWAY
    done, total = 0, plan.runs * len(plan.cells)

    def poll() -> None:
        callbacks.poll("runs", done, total)

    def add(cell: Cell, result: tuple[Tally, float]) -> None:
        nonlocal done
        cell.add(*result, seconds)
        done += result[0].runs

    tasks = (
        Task(run_batch, (cell.n, cell.rule, cell.limits, first_seed, runs), partial(add, cell))
        for cell, first_seed, runs in plan.batches()
    )
    run_tasks(tasks, poll, threads=threads, executor=executor)


def run_batch(
    n: int, rule: str, limits: Limits, first_seed: int, runs: int, stop: Stop | None = None
) -> tuple[Tally, float]:
    """Run a batch and return its sums and the seconds it took. Executors call it in their processes."""
    begun = clock.seconds()
    outcomes = run_many(n, STUDY_RULES[rule], range(first_seed, first_seed + runs), limits, stop=stop)
    return Tally.of(outcomes), clock.seconds() - begun


def _checked_sizes(n: int | Iterable[int]) -> list[int]:
    sizes = list(dict.fromkeys(check_n(size) for size in (n if isinstance(n, Iterable) else [n])))
    if not sizes:
        raise InputError("n is empty: at least one board size is needed")
    return sizes


def _checked_rules(rules: str | Iterable[str]) -> list[str]:
    names = list(dict.fromkeys([rules] if isinstance(rules, str) else rules))
    for name in names:
        check_rule(name, STUDY_RULES)
    if not names:
        raise InputError(f"rules is empty: at least one of {', '.join(STUDY_RULES)} is needed")
    return names


def _checked_seeds(runs: int, seed: int) -> tuple[int, int]:
    """Return the number of runs and the first seed as Python integers."""
    if runs is None or check_limit(runs, "runs") < 1:
        raise InputError(f"runs is {runs}: at least 1 is needed")
    runs, seed = int(runs), check_seed(seed)
    if seed + runs - 1 > LARGEST_SEED:
        raise InputError(
            f"seed is {seed}: the last of {runs:,} runs would have {seed + runs - 1}, and seeds go to {LARGEST_SEED}"
        )
    return runs, seed
