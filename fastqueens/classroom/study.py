"""Studies: many seeded runs of several rules on several board sizes, on all cores or on a cluster, and the statistics.

Run k has seed S + k, for every rule and size, and depends on nothing else. So a run alone is the run in the study, all
rules begin on the same boards, and the figures are the same on any number of threads and machines.
"""

from __future__ import annotations

import itertools
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from platform import python_version
from typing import Any, NamedTuple, Protocol

import numpy as np

from fastqueens import __version__
from fastqueens.board import InputError, check_n, check_solvable
from fastqueens.classroom.rules import SIDEWAYS_LIMIT, Limits, check_limits, check_rule, run_many
from fastqueens.classroom.tally import Tally, load_statistics, mean, standard_deviation, wilson_interval
from fastqueens.solver import check_limit, check_seed
from fastqueens.watch import Progress, Stop, Watch
from fastqueens.workers import Workers, all_cores, checked_threads

#: The rule that each rule of a study is made of. Those named after restarts begin again with a new board when stuck.
STUDY_RULES = {
    "steepest": "steepest",
    "sideways": "sideways",
    "restart": "steepest",
    "restart-sideways": "sideways",
    "min-conflicts": "min-conflicts",
    "annealing": "annealing",
}

_RESTARTING = ("restart", "restart-sideways")

# What a batch should take: long beside the handing out, short beside what people wait for.
_SECONDS_A_BATCH = 0.1
_SECONDS_A_BATCH_AWAY = 0.5

# A batch is at most so many times longer than the one before: the first may have compiled.
_GROWTH = 8
_FIRST_BATCH = 16
_MOST_RUNS_A_BATCH = 1 << 17

# Batches that wait at each worker of an executor, so that it never waits itself, and seconds between two looks.
_AHEAD = 3
_PAUSE = 0.1

_LARGEST_SEED = int(np.iinfo(np.uint64).max)


class Future(Protocol):
    """A result that will come, as in ``concurrent.futures``."""

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> None:
        """Have a function called, in any thread, when the result is there."""

    def result(self) -> Any:
        """Give the result that is there, or raise what the call has raised."""

    def cancel(self) -> Any:
        """Leave the call out if it has not begun."""


class Executor(Protocol):
    """Something that calls functions elsewhere: a pool of ``concurrent.futures``, a ``dask.distributed.Client``."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future:
        """Begin a call."""


class Published(NamedTuple):
    """What somebody else has found at n = 8; None for what is not said.

    restarts : new boards over all ``runs``
    """

    source: str
    runs: int | None
    success_rate: float
    solved_steps_mean: float
    failed_steps_mean: float | None = None
    restarts: int | None = None


_DOCUMENT = "document 003"
_TEXTBOOK = "textbook"  # Russell and Norvig, Artificial Intelligence: A Modern Approach
_PUBLISHED_N = 8
_PUBLISHED = {
    "steepest": (Published(_DOCUMENT, 200, 0.135, 4.04, 4.0), Published(_TEXTBOOK, None, 0.14, 4, 3)),
    "sideways": (Published(_DOCUMENT, 200, 0.95, 21.3, 65.3), Published(_TEXTBOOK, None, 0.94, 21, 64)),
    "restart": (Published(_DOCUMENT, 200, 1.0, 27.04, restarts=1134),),
    "restart-sideways": (Published(_DOCUMENT, 200, 0.99, 23.15, restarts=4),),
}


@dataclass(frozen=True)
class Row:
    """What one rule came to on one board size; ``tally`` holds the sums that all figures follow from."""

    n: int
    rule: str
    tally: Tally
    published: tuple[Published, ...] = ()

    def figures(self) -> dict[str, Any]:
        """The statistics by name, None for what is not there: the steps of failures where all runs are solved.

        ``success_low`` and ``success_high`` are the 95 % interval after Wilson; ``_sd`` is a standard deviation.
        """
        tally = self.tally
        runs, solved = tally.runs, tally.solved.total()
        low, high = wilson_interval(solved, runs)
        return {
            "n": self.n,
            "rule": self.rule,
            "runs": runs,
            "solved": solved,
            "success_rate": solved / runs,
            "success_low": low,
            "success_high": high,
            "initial_cost_mean": tally.initial_cost / runs,
            "solved_steps_mean": mean(tally.solved),
            "solved_steps_sd": standard_deviation(tally.solved),
            "failed_steps_mean": mean(tally.failed),
            "failed_steps_sd": standard_deviation(tally.failed),
            "restarts": tally.restarts,
            "restarts_mean": tally.restarts / runs,
        }

    def as_dict(self) -> dict[str, Any]:
        """The statistics, the histograms as [steps, runs] in rising order, and what others have published."""
        return {
            **self.figures(),
            "solved_histogram": sorted(map(list, self.tally.solved.items())),
            "failed_histogram": sorted(map(list, self.tally.failed.items())),
            "published": [entry._asdict() for entry in self.published],
        }


@dataclass(frozen=True)
class Study:
    """A finished study.

    Attributes
    ----------
    seed : int
        The seed of the first run; run k has seed + k.
    runs : int
        Runs of each rule on each board size.
    sideways_limit, restart_limit : int, int or None
        As given.
    rows : tuple of Row
        One for each board size and rule, the rules of a size side by side.
    """

    seed: int
    runs: int
    sideways_limit: int
    restart_limit: int | None
    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON can hold it, with the versions that it was made with."""
        return {
            "versions": {
                "fastqueens": __version__,
                "python": python_version(),
                **{package: version(package) for package in ("numpy", "numba", "scipy")},
            },
            "seed": self.seed,
            "runs": self.runs,
            "sideways_limit": self.sideways_limit,
            "restart_limit": self.restart_limit,
            "rows": [row.as_dict() for row in self.rows],
        }


def study(
    n: int | Iterable[int],
    rules: str | Iterable[str],
    runs: int,
    *,
    seed: int | None = None,
    sideways_limit: int = SIDEWAYS_LIMIT,
    restarts: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Study:
    """Run several rules many times on several board sizes, and give the statistics of document 003.

    Parameters
    ----------
    n : int or several
        Board sizes.
    rules : str or several
        "steepest", "sideways", "annealing" and "min-conflicts" end when they are stuck; "restart" is steepest ascent
        that begins again with a new random board, "restart-sideways" the same with sideways moves.
    runs : int
        Of each rule on each board size.
    seed : int, optional
        Run k has ``seed + k``, whatever the threads, the machine and the other rules. One is drawn if none is given.
    sideways_limit : int
        Moves in a row that keep the cost, where a rule makes them.
    restarts : int, optional
        How often a run of the two rules with restarts may begin again; until solved if not given.
    threads : int, optional
        All cores if not given. With an executor, how many workers it has; if not given it is asked, where it tells.
    executor : Executor, optional
        Runs the batches elsewhere, by ``submit`` as in ``concurrent.futures`` or ``dask.distributed``. Its processes
        need the same version of fastqueens. It is not closed.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "runs". They are called from all threads, one at a time. A batch
        that an executor has begun does not hear of ``stop``.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        Where a value is not as described here, or the workers of an executor have another version.
    NoSolutionError
        For n = 2 and n = 3 with "min-conflicts", and where restarts are not limited.
    Stopped
        Where ``stop`` said so.

    Notes
    -----
    A run costs O(n^2) a step, O(n) with min-conflicts. Memory grows with the different numbers of steps that runs
    take, not with the runs.

    Examples
    --------
    >>> result = study(8, ["steepest", "restart"], 2000, seed=1)
    >>> steepest, restart = (row.figures() for row in result.rows)
    >>> steepest["success_rate"] < 0.2, restart["success_rate"]
    (True, 1.0)
    """
    seed = secrets.randbelow(10**9) if seed is None else seed
    cells = _planned(n, rules, runs, seed, sideways_limit, restarts)
    load_statistics()
    if executor is None:
        _on_threads(_Work(cells, seed, runs, _SECONDS_A_BATCH, progress, stop), checked_threads(threads))
    else:
        workers = _workers_of(executor) if threads is None else checked_threads(threads)
        _on_executor(_Work(cells, seed, runs, _SECONDS_A_BATCH_AWAY, progress, stop), executor, workers)
    rows = tuple(Row(cell.n, cell.rule, cell.tally, published(cell.n, cell.rule, cell.limits)) for cell in cells)
    return Study(seed, runs, sideways_limit, restarts, rows)


def check_study(
    n: int | Iterable[int], rules: str | Iterable[str], runs: int, seed: int, sideways_limit: int, restarts: int | None
) -> None:
    """Raise what :func:`study` would raise for these values, before a cluster is started for it."""
    _planned(n, rules, runs, seed, sideways_limit, restarts)


def published(n: int, rule: str, limits: Limits) -> tuple[Published, ...]:
    """What others have found for a rule, where they had the same board size and limits."""
    same_sideways = STUDY_RULES[rule] != "sideways" or limits.sideways == SIDEWAYS_LIMIT
    same_restarts = rule not in _RESTARTING or limits.restarts is None
    return _PUBLISHED.get(rule, ()) if n == _PUBLISHED_N and same_sideways and same_restarts else ()


def run_batch(
    version: str, n: int, rule: str, limits: Limits, first_seed: int, runs: int, stop: Stop | None = None
) -> tuple[Tally, float]:
    """Make some runs of a study: their sums, and the seconds they took. What an executor calls, in its processes."""
    if version != __version__:
        raise InputError(f"a worker has fastqueens {__version__}, and the study is made by {version}: one is needed")
    begun = time.perf_counter()
    outcomes = run_many(n, STUDY_RULES[rule], range(first_seed, first_seed + runs), limits, stop=stop)
    return Tally.of(outcomes), time.perf_counter() - begun


def _planned(
    n: int | Iterable[int], rules: str | Iterable[str], runs: int, seed: int, sideways_limit: int, restarts: int | None
) -> list[_Cell]:
    """What is to be run, all values validated."""
    limits = Limits(sideways=sideways_limit, restarts=restarts)
    check_limits(limits)
    _check_seeds(runs, seed)
    names = _rules(rules)
    cells = [
        _Cell(size, name, limits if name in _RESTARTING else limits._replace(restarts=0))
        for size in _sizes(n)
        for name in names
    ]
    for cell in cells:
        cell.check()
    return cells


def _sizes(n: int | Iterable[int]) -> list[int]:
    sizes = list(dict.fromkeys(check_n(size) for size in (n if isinstance(n, Iterable) else [n])))
    if not sizes:
        raise InputError("n is empty: at least one board size is needed")
    return sizes


def _rules(rules: str | Iterable[str]) -> list[str]:
    names = list(dict.fromkeys([rules] if isinstance(rules, str) else rules))
    for name in names:
        check_rule(name, STUDY_RULES)
    if not names:
        raise InputError(f"rules is empty: at least one of {', '.join(STUDY_RULES)} is needed")
    return names


def _check_seeds(runs: int, seed: int) -> None:
    if runs is None or check_limit(runs, "runs") < 1:
        raise InputError(f"runs is {runs}: at least 1 is needed")
    if check_seed(seed) + runs - 1 > _LARGEST_SEED:
        raise InputError(
            f"seed is {seed}: the last of {runs:,} runs would have {seed + runs - 1}, and seeds go to {_LARGEST_SEED}"
        )


def _workers_of(executor: Executor) -> int:
    """How many batches an executor runs at a time: Dask tells, the pools of the standard library let see."""
    threads_of_each = getattr(executor, "nthreads", None)
    if threads_of_each is not None:
        return int(max(1, sum(threads_of_each().values())))
    size: int = getattr(executor, "_max_workers", all_cores())
    return size


@dataclass
class _Cell:
    """One rule on one board size: what has been found so far, and the runs that the next batch should have."""

    n: int
    rule: str
    limits: Limits
    tally: Tally = field(default_factory=Tally)
    batch: int = _FIRST_BATCH

    def check(self) -> None:
        """Refuse runs that would have no end."""
        if self.limits.restarts is None or self.rule == "min-conflicts":
            check_solvable(self.n)

    def add(self, tally: Tally, seconds: float, wanted_seconds: float) -> None:
        """Add what a batch has found, and let the next one take as long as is wanted."""
        self.tally.add(tally)
        fitting = int(tally.runs * wanted_seconds / max(seconds, 1e-9))
        self.batch = max(1, min(fitting, self.batch * _GROWTH, _MOST_RUNS_A_BATCH))


class _Batch(NamedTuple):
    """Runs of one cell with seeds in a row."""

    cell: _Cell
    first_seed: int
    runs: int

    @property
    def arguments(self) -> tuple[str, int, str, Limits, int, int]:
        """What :func:`run_batch` is called with."""
        return __version__, self.cell.n, self.cell.rule, self.cell.limits, self.first_seed, self.runs


class _Work:
    """The batches of a study: handed out one by one, and their sums added up, to and from any threads."""

    def __init__(
        self, cells: list[_Cell], seed: int, runs: int, seconds: float, progress: Progress | None, stop: Stop | None
    ) -> None:
        self._seconds = seconds
        self._watch = Watch(progress, stop)
        self._stop = stop
        self._lock = threading.Lock()
        self._batches = _batches(cells, seed, runs)
        self._done = 0
        self._total = runs * len(cells)
        self.look()

    def take(self) -> _Batch | None:
        """The next batch; None where all are begun."""
        with self._lock:
            return next(self._batches, None)

    def add(self, batch: _Batch, tally: Tally, seconds: float) -> None:
        """Add what a batch has found, and look up; raises :class:`fastqueens.Stopped`."""
        with self._lock:
            batch.cell.add(tally, seconds, self._seconds)
            self._done += batch.runs
            self._watch.look("runs", self._done, self._total)

    def look(self) -> None:
        """Look up before the first batch, and while one is awaited."""
        with self._lock:
            self._watch.look("runs", self._done, self._total)

    def is_unwanted(self) -> bool:
        """Whether the caller wants to stop."""
        with self._lock:
            return self._stop is not None and self._stop()


def _batches(cells: list[_Cell], seed: int, runs: int) -> Iterator[_Batch]:
    for cell in cells:
        begun = 0
        while begun < runs:
            batch = _Batch(cell, seed + begun, min(cell.batch, runs - begun))
            begun += batch.runs
            yield batch


def _on_threads(work: _Work, threads: int) -> None:
    """Let each thread take batches until none is left."""
    is_over = threading.Event()

    def stop() -> bool:
        return is_over.is_set() or work.is_unwanted()

    def take_batches(_thread: int) -> None:
        try:
            while (batch := work.take()) is not None:
                work.add(batch, *run_batch(*batch.arguments, stop=stop))
        except BaseException:
            is_over.set()
            raise

    with Workers(threads) as workers:
        try:
            workers.each(take_batches, range(threads))
        finally:
            is_over.set()


def _on_executor(work: _Work, executor: Executor, workers: int) -> None:
    """Keep a few batches ahead of each worker, and add up what comes back, in whatever order."""
    pending: dict[int, tuple[_Batch, Future]] = {}
    done: queue.SimpleQueue[int] = queue.SimpleQueue()
    numbers = itertools.count()
    try:
        while True:
            while len(pending) < _AHEAD * workers and (batch := work.take()) is not None:
                number = next(numbers)
                pending[number] = batch, executor.submit(run_batch, *batch.arguments)
                pending[number][1].add_done_callback(partial(_note, done, number))
            if not pending:
                return
            # Not result(timeout=...): that of Dask fails at times where a result comes just then (distributed #8514).
            number = _awaited(done, work)
            batch, future = pending[number]
            tally, seconds = future.result()
            del pending[number]
            work.add(batch, tally, seconds)
    finally:
        for _, future in pending.values():
            future.cancel()


def _note(done: queue.SimpleQueue[int], number: int, _future: Future) -> None:
    done.put(number)


def _awaited(done: queue.SimpleQueue[int], work: _Work) -> int:
    while True:
        try:
            return done.get(timeout=_PAUSE)
        except queue.Empty:
            work.look()
