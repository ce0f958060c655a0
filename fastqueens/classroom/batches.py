"""The batches of a study at work: on threads of this process, or on an executor."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from fastqueens import __version__
from fastqueens.classroom.plan import Batch, Plan
from fastqueens.classroom.rules import Limits
from fastqueens.classroom.runs import run_many
from fastqueens.classroom.statistics import Tally
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import InputError
from fastqueens.core.names import STUDY_RULES
from fastqueens.core.threads import Workers, all_cores

# How long a batch should take: long compared with its overhead, short compared with what people wait for.
_SECONDS_A_BATCH = 0.1
_SECONDS_A_BATCH_AWAY = 0.5

# Batches that wait at each worker of an executor, so that it is never idle, and seconds between two polls.
_AHEAD = 3
_PAUSE = 0.1


class Future(Protocol):
    """The result of a call that may still be running, as in ``concurrent.futures``."""

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> None:
        """Call a function, in any thread, as soon as the call has ended."""

    def result(self) -> Any:
        """Return the result, or raise the exception of the call."""

    def cancel(self) -> Any:
        """Skip the call if it has not begun."""


class Executor(Protocol):
    """Something that calls functions elsewhere: a pool of ``concurrent.futures``, a ``dask.distributed.Client``."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future:
        """Begin a call."""


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
    pending: dict[int, tuple[Batch, Future]] = {}
    done: queue.SimpleQueue[int] = queue.SimpleQueue()
    numbers = itertools.count()
    try:
        while True:
            while len(pending) < most_pending and (batch := work.take()) is not None:
                number = next(numbers)
                pending[number] = batch, executor.submit(run_batch, *_arguments(batch))
                pending[number][1].add_done_callback(partial(_note, done, number))
            if not pending:
                return
            # Not result(timeout=...): Dask's fails at times if a result arrives just then (distributed #8514).
            number = _next_done(done, work)
            batch, future = pending[number]
            tally, seconds = future.result()
            del pending[number]
            work.add(batch, tally, seconds)
    finally:
        for _, future in pending.values():
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


def _note(done: queue.SimpleQueue[int], number: int, _future: Future) -> None:
    done.put(number)


def _next_done(done: queue.SimpleQueue[int], work: _Work) -> int:
    """Wait for a batch to end, polling the callbacks, and return its number."""
    while True:
        try:
            return done.get(timeout=_PAUSE)
        except queue.Empty:
            work.poll()
