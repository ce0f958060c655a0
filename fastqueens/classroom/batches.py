"""Many seeded runs of rules, in compiled calls without their moves; a study is cut into batches of them.

Every run begins on the board of ``start="random"`` for its seed, so that rules can be compared on the same boards.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.classroom import climbing_kernel
from fastqueens.classroom.climbing import LOOKS, LOOKS_IN_TIME, kernel_of, most_steps, searched, time_is_up
from fastqueens.classroom.limits import DEFAULT_LIMITS, Limits, check_limits, empty_climber, restarts_of
from fastqueens.classroom.rules import RULES, check_rule
from fastqueens.core.arguments import LARGEST_SEED, NO_LIMIT, check_limit, check_seed
from fastqueens.core.board import check_n, check_solvable
from fastqueens.core.errors import InputError
from fastqueens.core.executors import Executor, Task, run_tasks
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop
from fastqueens.jit.decorators import clock
from fastqueens.solving.many import solve_many

_BYTES_A_QUEEN = 50
_BYTES_A_RUN = 120


class Runs(NamedTuple):
    """The outcome of each run: int64 arrays with one entry for each seed, and its seconds.

    ``steps``, ``evaluations`` and ``backtracks`` are those of all climbs of a run; ``pairs`` is the least cost that any
    of them ended with. ``seconds`` are those of the processor: the mean of all runs, unless each was timed by itself.
    """

    initial_pairs: NDArray[np.int64]
    pairs: NDArray[np.int64]
    steps: NDArray[np.int64]
    restarts: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    backtracks: NDArray[np.int64]
    seconds: NDArray[np.float64]

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Which runs ended with a solution; each of these has passed the check of all its lines."""
        return np.equal(self.pairs, 0)


def run_many(
    n: int,
    rule: str,
    seeds: range,
    limits: Limits = DEFAULT_LIMITS,
    *,
    moves: str = "column",
    timed: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Runs:
    """Run a rule on one board size with each of the seeds; a run does not depend on the other runs of the batch.

    Parameters
    ----------
    n : int
        Side of the board and number of queens.
    rule, moves : str
        One of :data:`fastqueens.classroom.rules.RULES`, and a kind of moves.
    seeds : range of int
        One run for each.
    limits : Limits
        Each rule uses some of them.
    timed : bool
        Time each run by itself, which costs some microseconds; always done with a limit of time.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "runs".

    Raises
    ------
    InputError
        If a value is not as described here.
    NoSolutionError
        If restarts are not limited and no solution exists.
    """
    row = check_rule(rule, moves)
    limits = check_limits(limits)
    n = check_n(n)
    if row.is_seeded and restarts_of(rule, limits, n) is None:
        check_solvable(n)
    for seed in (*seeds[:1], *seeds[-1:]):
        check_seed(seed)
    callbacks = Callbacks(progress, stop)
    timed = timed or limits.time_limit is not None
    if not row.is_seeded and len(seeds) > 1:
        one = run_many(n, rule, seeds[:1], limits, timed=timed, stop=stop)
        callbacks.poll("runs", len(seeds), len(seeds))
        return Runs(*(np.repeat(values, len(seeds)) for values in one))  # type: ignore[arg-type]
    check_memory(_BYTES_A_QUEEN * n + _BYTES_A_RUN * len(seeds), f"{len(seeds):,} runs on n = {n:,}")
    if not row.kernel:
        return _min_conflicts(n, seeds, limits, timed, progress, stop)
    return _run(n, rule, moves, seeds, limits, timed, callbacks)


def _run(n: int, rule: str, moves: str, seeds: range, limits: Limits, timed: bool, callbacks: Callbacks) -> Runs:
    """Run a rule by its kernel, in slices."""
    climber, run = empty_climber(n, rule, moves, limits), kernel_of(rule)
    numbers, seconds = np.array(seeds, np.uint64), np.zeros(len(seeds))
    outcomes = np.empty((len(seeds), climbing_kernel.OUTCOME_LENGTH), np.int64)
    claimed = np.empty(2 * n // 64 + 2, np.uint64)
    no_trace = np.empty((0, 5), np.int64)
    cursor = np.zeros(climbing_kernel.CURSOR_LENGTH, np.int64)
    is_late = time_is_up(limits)
    run(climber, claimed, no_trace, numbers, outcomes, cursor)  # makes no run, but is compiled before time is taken
    while (first := int(cursor[climbing_kernel.RUN])) < len(seeds):
        if timed and seconds[first] == 0:
            is_late = time_is_up(limits)
        cursor[climbing_kernel.LAST] = first + 1 if timed else len(seeds)
        cursor[climbing_kernel.BUDGET] = LOOKS if limits.time_limit is None else LOOKS_IN_TIME
        begun = time.thread_time()
        run(climber, claimed, no_trace, numbers, outcomes, cursor)
        now = int(cursor[climbing_kernel.RUN])
        seconds[first if timed else slice(None)] += (time.thread_time() - begun) / (1 if timed else len(seeds))
        if now == first and is_late():
            cursor[climbing_kernel.STEPS_BEFORE] = NO_LIMIT  # which ends the run
        if cursor[climbing_kernel.REFUSED]:
            raise RuntimeError(
                f"one of the seeds {seeds[0]} to {seeds[-1]} ended with a board that is wrong "
                f"(n = {n}, rule = {rule!r}): please report this"
            )
        callbacks.poll("runs", now, len(seeds))
    return Runs(*outcomes.T.copy(), seconds)  # type: ignore[call-arg]


def _min_conflicts(
    n: int, seeds: range, limits: Limits, timed: bool, progress: Progress | None, stop: Stop | None
) -> Runs:
    """Search as ``solve_many`` does from random boards, or one by one to time each."""
    callbacks, restarts = Callbacks(progress, stop), restarts_of("min-conflicts", limits, n)
    if not timed:
        solve_many(n, seeds[:1], start="random", max_steps=0)  # is compiled before time is taken
        begun = time.thread_time()
        many = solve_many(
            n, seeds, start="random", restarts=restarts, max_steps=most_steps(n, limits), progress=progress, stop=stop
        )
        figures = np.array(many)
        seconds = np.full(len(seeds), (time.thread_time() - begun) / max(1, len(seeds)))
    else:
        figures, seconds = np.empty((4, len(seeds)), np.int64), np.empty(len(seeds))
        searched(n, limits._replace(max_steps=0), 0, stop, trace=False)
        for at, seed in enumerate(seeds):
            begun = time.thread_time()
            one = searched(n, limits, seed, stop, trace=False)
            seconds[at] = time.thread_time() - begun
            figures[:, at] = one.initial_pairs, one.pairs, one.steps, one.attempts - 1
            callbacks.poll("runs", at + 1, len(seeds))
    steps, restarted = figures[2], figures[3]
    evaluations = (n - 1) * steps + restarted + 1
    return Runs(*figures, evaluations, np.zeros_like(steps), seconds)  # type: ignore[call-arg]


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
    seconds : float
        Of all runs; not compared.
    costs, evaluations, backtracks : Counter
        For each final cost, number of evaluations, and number of backtracks: how many runs have it.
    solved, failed : Counter
        For each number of steps, how many runs took it: runs that ended with a solution, and the other runs.
    """

    initial_cost: int = 0
    restarts: int = 0
    seconds: float = field(default=0.0, compare=False)
    costs: Counter[int] = field(default_factory=Counter)
    evaluations: Counter[int] = field(default_factory=Counter)
    backtracks: Counter[int] = field(default_factory=Counter)
    solved: Counter[int] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, runs: Runs) -> Tally:
        """Return the sums over some runs."""
        sums = int(runs.initial_pairs.sum()), int(runs.restarts.sum()), float(runs.seconds.sum())
        kept = runs.pairs, runs.evaluations, runs.backtracks, runs.steps[runs.solved], runs.steps[~runs.solved]
        return cls(*sums, *(Counter(values.tolist()) for values in kept))

    def add(self, other: Tally) -> None:
        """Add the sums of other runs."""
        for entry in dataclasses.fields(self):
            mine, more = getattr(self, entry.name), getattr(other, entry.name)
            if isinstance(mine, Counter):
                mine.update(more)
            else:
                setattr(self, entry.name, mine + more)

    @property
    def runs(self) -> int:
        """Number of runs."""
        return self.solved.total() + self.failed.total()


@dataclass
class Cell:
    """One rule on one board size: the sums so far, the runs if they are kept, and the length of its next batch."""

    n: int
    rule: str
    moves: str
    limits: Limits
    tally: Tally = field(default_factory=Tally)
    batch: int = _FIRST_BATCH
    kept: dict[int, Runs] = field(default_factory=dict)

    def add(self, tally: Tally, seconds: float, wanted_seconds: float) -> None:
        """Add the sums of a batch, and make the next batch so long that it takes the wanted time."""
        self.tally.add(tally)
        fitting = int(tally.runs * wanted_seconds / max(seconds, 1e-9))
        self.batch = max(1, min(fitting, self.batch * _GROWTH, _MOST_RUNS_A_BATCH))


class Plan(NamedTuple):
    """A validated study: its cells, the first seed, the runs of each cell, the limits, and whether runs are kept."""

    cells: list[Cell]
    seed: int
    runs: int
    limits: Limits
    keeps_runs: bool = False

    def batches(self) -> Iterator[tuple[Cell, int, int]]:
        """Yield for each batch its cell, the first of its consecutive seeds, and its runs.

        A batch is as long as its cell asks for when it is yielded; a systematic search is made once.
        """
        for cell in self.cells:
            begun = 0
            while begun < self.runs:
                left = self.runs - begun
                runs = min(cell.batch, left) if RULES[cell.rule].is_seeded else left
                yield cell, self.seed + begun, runs
                begun += runs


def plan_study(
    n: int | Iterable[int],
    rules: str | Iterable[str],
    runs: int,
    seed: int,
    sideways_limit: int | None = None,
    restarts: int | None = None,
    moves: str = "column",
    limits: Limits = DEFAULT_LIMITS,
    keep_runs: bool = False,
) -> Plan:
    """Validate the arguments of :func:`fastqueens.study`; see there for parameters and errors."""
    if sideways_limit is not None:
        limits = limits._replace(sideways=sideways_limit)
    if restarts is not None:
        limits = limits._replace(restarts=restarts)
    limits = check_limits(limits)
    runs, seed = _checked_seeds(runs, seed)
    names = _checked_rules(rules, moves)
    cells = [
        Cell(size, name, moves, limits if RULES[name].restarts is None else limits._replace(restarts="auto"))
        for size in _checked_sizes(n)
        for name in names
    ]
    for cell in cells:
        row = RULES[cell.rule]
        if not row.kernel or (row.is_seeded and restarts_of(cell.rule, cell.limits, cell.n) is None):
            check_solvable(cell.n)
    return Plan(cells, seed, runs, limits, keep_runs)


def run_plan(
    plan: Plan, threads: int | None, executor: Executor | None, progress: Progress | None, stop: Stop | None
) -> None:
    """Run all batches on threads or on an executor, and add up their sums in any order."""
    callbacks = Callbacks(progress, stop)
    seconds = _SECONDS_A_BATCH if executor is None else _SECONDS_A_BATCH_AWAY
    done, total = 0, plan.runs * len(plan.cells)

    def poll() -> None:
        callbacks.poll("runs", done, total)

    def add(cell: Cell, first_seed: int, result: tuple[Tally, float, Runs | None]) -> None:
        nonlocal done
        tally, taken, runs = result
        cell.add(tally, taken, seconds)
        if runs is not None:
            cell.kept[first_seed] = runs
        done += tally.runs

    tasks = (
        Task(
            run_batch,
            (cell.n, cell.rule, cell.moves, cell.limits, plan.keeps_runs, first_seed, runs),
            partial(add, cell, first_seed),
        )
        for cell, first_seed, runs in plan.batches()
    )
    run_tasks(tasks, poll, threads=threads, executor=executor)


def run_batch(
    n: int,
    rule: str,
    moves: str,
    limits: Limits,
    keeps_runs: bool,
    first_seed: int,
    runs: int,
    stop: Stop | None = None,
) -> tuple[Tally, float, Runs | None]:
    """Run a batch and return its sums, the seconds it took, and its runs if they are kept and timed one by one.

    Executors call it in their processes.
    """
    begun = clock.seconds()
    made = run_many(n, rule, range(first_seed, first_seed + runs), limits, moves=moves, timed=keeps_runs, stop=stop)
    return Tally.of(made), clock.seconds() - begun, made if keeps_runs else None


def _checked_sizes(n: int | Iterable[int]) -> list[int]:
    sizes = list(dict.fromkeys(check_n(size) for size in (n if isinstance(n, Iterable) else [n])))
    if not sizes:
        raise InputError("n is empty: at least one board size is needed")
    return sizes


def _checked_rules(rules: str | Iterable[str], moves: str) -> list[str]:
    names = list(dict.fromkeys([rules] if isinstance(rules, str) else rules))
    for name in names:
        check_rule(name, moves)
    if not names:
        raise InputError(f"rules is empty: at least one of {', '.join(RULES)} is needed")
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
