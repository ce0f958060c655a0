"""A study, validated and cut into batches of runs, which threads of this process or an executor work on."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from fastqueens import __version__
from fastqueens.classroom.rules import Limits, check_limits, check_rule
from fastqueens.classroom.runs import run_many
from fastqueens.classroom.statistics import Tally
from fastqueens.core.board import check_n, check_solvable
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import InputError
from fastqueens.core.integers import LARGEST_SEED, check_limit, check_seed
from fastqueens.core.names import RESTARTING_RULES, STUDY_RULES
from fastqueens.core.threads import Workers, all_cores
from fastqueens.executors.protocols import Executor, Future

# The largest factor from a batch to the next one: the time of the first may include compilation.
_GROWTH = 8
_FIRST_BATCH = 16
_MOST_RUNS_A_BATCH = 1 << 17

# How long a batch should take: long compared with its overhead, short compared with what people wait for.
_SECONDS_A_BATCH = 0.1
_SECONDS_A_BATCH_AWAY = 0.5

# Batches that wait at each worker of an executor, so that it is never idle, and seconds between two polls.
_AHEAD = 3
_PAUSE = 0.1


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


class Batch(NamedTuple):
    """Runs of one cell with consecutive seeds."""

    cell: Cell
    first_seed: int
    runs: int


class Plan(NamedTuple):
    """A validated study: its cells, the first seed, the runs of each cell, and the limits."""

    cells: list[Cell]
    seed: int
    runs: int
    limits: Limits

    def batches(self) -> Iterator[Batch]:
        """Yield the batches, cell by cell. Each is as long as its cell asks for when the batch is yielded."""
        for cell in self.cells:
            begun = 0
            while begun < self.runs:
                batch = Batch(cell, self.seed + begun, min(cell.batch, self.runs - begun))
                begun += batch.runs
                yield batch


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


def run_batch(
    version: str, n: int, rule: str, limits: Limits, first_seed: int, runs: int, stop: Stop | None = None
) -> tuple[Tally, float]:
    """Run a batch and return its sums and the seconds it took. Executors call it in their processes."""
    if version != __version__:
        raise InputError(
            f"a worker has fastqueens {__version__}, and the study is run by {version}: both need the same version"
        )
    begun = time.perf_counter()
    outcomes = run_many(n, STUDY_RULES[rule], range(first_seed, first_seed + runs), limits, stop=stop)
    return Tally.of(outcomes), time.perf_counter() - begun


def run_on_threads(plan: Plan, threads: int, progress: Progress | None, stop: Stop | None) -> None:
    """Run all batches; each thread takes the next one until none is left."""
    work = _Work(plan, _SECONDS_A_BATCH, progress, stop)
    is_over = threading.Event()

    def should_stop() -> bool:
        return is_over.is_set() or work.is_stop_wanted()

    def take_batches(_thread: int) -> None:
        try:
            while (batch := work.take()) is not None:
                work.add(batch, *run_batch(*_arguments(batch), stop=should_stop))
        except BaseException:
            is_over.set()
            raise

    with Workers(threads) as workers:
        try:
            workers.each(take_batches, range(workers.threads))
        finally:
            is_over.set()


def run_on_executor(
    plan: Plan, executor: Executor, workers: int | None, progress: Progress | None, stop: Stop | None
) -> None:
    """Run all batches on an executor: keep a few ahead of each worker, and add up the results in any order."""
    most_pending = _AHEAD * (_workers_of(executor) if workers is None else workers)
    work = _Work(plan, _SECONDS_A_BATCH_AWAY, progress, stop)
    pending: dict[Future, Batch] = {}
    done: queue.SimpleQueue[Future] = queue.SimpleQueue()
    try:
        while True:
            while len(pending) < most_pending and (batch := work.take()) is not None:
                future = executor.submit(run_batch, *_arguments(batch))
                pending[future] = batch
                future.add_done_callback(done.put)
            if not pending:
                return
            # Not result(timeout=...): Dask's fails at times if a result arrives just then (distributed #8514).
            future = _next_done(done, work)
            work.add(pending.pop(future), *future.result())
    finally:
        for future in pending:
            future.cancel()


class _Work:
    """Hands out the batches of a study one by one, and adds up their sums; any thread may call it."""

    def __init__(self, plan: Plan, seconds: float, progress: Progress | None, stop: Stop | None) -> None:
        self._seconds = seconds
        self._callbacks = Callbacks(progress, stop)
        self._stop = stop
        self._lock = threading.Lock()
        self._batches = plan.batches()
        self._done = 0
        self._total = plan.runs * len(plan.cells)
        self.poll()

    def take(self) -> Batch | None:
        """Return the next batch; None if all have begun."""
        with self._lock:
            return next(self._batches, None)

    def add(self, batch: Batch, tally: Tally, seconds: float) -> None:
        """Add the sums of a batch and report the progress; raise :class:`Stopped` if the caller wants to stop."""
        with self._lock:
            batch.cell.add(tally, seconds, self._seconds)
            self._done += batch.runs
            self._callbacks.poll("runs", self._done, self._total)

    def poll(self) -> None:
        """Report the progress; raise :class:`Stopped` if the caller wants to stop."""
        with self._lock:
            self._callbacks.poll("runs", self._done, self._total)

    def is_stop_wanted(self) -> bool:
        """Return whether the caller wants to stop."""
        with self._lock:
            return self._stop is not None and self._stop()


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


def _arguments(batch: Batch) -> tuple[str, int, str, Limits, int, int]:
    """Return the arguments of :func:`run_batch`."""
    return __version__, batch.cell.n, batch.cell.rule, batch.cell.limits, batch.first_seed, batch.runs


def _workers_of(executor: Executor) -> int:
    """Return how many batches an executor runs at a time, as Dask and the pools of the standard library tell."""
    threads_of_each = getattr(executor, "nthreads", None)
    if threads_of_each is not None:
        return int(max(1, sum(threads_of_each().values())))
    size: int = getattr(executor, "_max_workers", all_cores())
    return size


def _next_done(done: queue.SimpleQueue[Future], work: _Work) -> Future:
    """Wait for a batch to end, polling the callbacks, and return its future."""
    while True:
        try:
            return done.get(timeout=_PAUSE)
        except queue.Empty:
            work.poll()
