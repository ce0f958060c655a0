"""How time grows with n: solving on several numbers of threads and, for comparison, NumPy's shuffle, taken in turn.

Measures and returns figures; prints and writes nothing. ``fastqueens bench`` and bench/ are built on it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from fastqueens.core import thresholds
from fastqueens.core.board import check_n
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import InputError
from fastqueens.core.memory import check_memory
from fastqueens.core.threads import all_cores, checked_threads
from fastqueens.solving.result import Timings
from fastqueens.solving.solver import solve

#: No shuffle from here on: it takes a minute, and as much memory as the board.
SHUFFLE_BELOW = 10**9

_STAGE = "benchmark"
_SMALLEST = 4

# An uncounted round loads kernels and wakes up threads. A larger n would only take more time.
_LARGEST_WARM_UP = 10**7

_BYTES_A_QUEEN = 5
_BYTES_A_NUMBER = 4

T = TypeVar("T")


class Spread(NamedTuple):
    """The median and the range of several measurements."""

    median: float
    least: float
    most: float
    runs: int


class Taken(NamedTuple):
    """Runs at one n, taken in turn: the seconds of each run on each number of threads, and of each shuffle."""

    n: int
    solved: dict[int, list[Timings]]
    shuffled: list[float]


def sizes(up_to: int, first: int = 10) -> list[int]:
    """Return the powers of ten from ``first`` to ``up_to``, and ``up_to`` itself.

    >>> sizes(2500)
    [10, 100, 1000, 2500]
    """
    if up_to < first:
        raise InputError(f"sizes up to {up_to}: they begin at {first}")
    powers = [10**power for power in range(len(str(up_to))) if 10**power >= first]
    return [*powers, *([up_to] if up_to not in powers else [])]


def runs_for(n: int) -> int:
    """Return how many runs to measure at n: 5 below 10**8, 3 below 10**9, otherwise 1."""
    return 5 if n < 10**8 else 3 if n < 10**9 else 1


def measure(
    sizes: Sequence[int],
    threads: Sequence[int] | None = None,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Iterator[dict[str, Any]]:
    """Measure each n in turn, and yield a row for each n and number of threads as soon as it is known.

    Parameters
    ----------
    sizes : sequence of int
        Each 4 or larger.
    threads : sequence of int, optional
        Numbers of threads. Default: one and all cores; only one for boards on which no others are used.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the only stage is "benchmark", counted in queens.

    Yields
    ------
    dict
        "n", "threads", "runs", and the ns a queen of "allocation", "placement", "search", "verification" and
        "shuffle", each with "median", "least" and "most"; "shuffle" is None from n = 10**9 on.

    Raises
    ------
    InputError
        If a value is not as described here.
    NotEnoughMemoryError
        Before anything is measured, if the largest board does not fit.
    """
    asked = list(dict.fromkeys(checked_threads(count) for count in threads or (1, all_cores())))
    sizes = _checked_sizes(sizes)
    total = sum(n * runs_for(n) for n in sizes)
    callbacks = Callbacks(progress, stop)
    done = 0
    for n in sizes:
        counts = asked if threads or n >= thresholds.current.threads else asked[:1]

        def report(stage: str, done_of_n: int, _total_of_n: int, before: int = done) -> None:
            callbacks.poll(stage, before + done_of_n, total)

        taken = take(n, counts, runs_for(n), Callbacks(report))
        done += n * runs_for(n)
        for count in counts:
            yield _row(taken, count)


def take(n: int, threads: Sequence[int], runs: int, callbacks: Callbacks | None = None) -> Taken:
    """Solve n on each number of threads and shuffle n int32, in turn, ``runs`` times with seeds 1, 2, 3, ...

    ``numpy.random.default_rng(1)`` shuffles; its numbers are in memory before its clock starts.
    """
    callbacks = callbacks or Callbacks()
    generator = np.random.default_rng(1)
    numbers = np.arange(n if n < SHUFFLE_BELOW else 0, dtype=np.int32)
    warm_up = min(n, _LARGEST_WARM_UP)
    for count in threads:
        _solved(warm_up, 1, count)
    taken = Taken(n, {count: [] for count in threads}, [])
    for seed in range(1, runs + 1):
        for count in threads:
            taken.solved[count].append(_solved(n, seed, count))
        if len(numbers):
            taken.shuffled.append(seconds(lambda: generator.shuffle(numbers)))
        callbacks.poll(_STAGE, seed * n, runs * n)
    return taken


def in_turn(works: Mapping[str, Callable[[], T]], runs: int) -> dict[str, list[T]]:
    """Call each of ``works`` in turn, ``runs`` times, after one uncounted round.

    Whatever else the machine does slows down all measurements alike, so their ratios hold.
    """
    for work in works.values():
        work()
    taken: dict[str, list[T]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            taken[name].append(work())
    return taken


def spread(values: Sequence[float]) -> Spread:
    """Return the median and the range of some measurements."""
    return Spread(statistics.median(values), min(values), max(values), len(values))


def seconds(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _checked_sizes(sizes: Sequence[int]) -> list[int]:
    """Return the sizes as Python integers; raise if one is too small or does not fit into memory."""
    if not sizes or min(sizes) < _SMALLEST:
        raise InputError(f"sizes are {list(sizes)}: one or more are needed, each {_SMALLEST} or larger")
    checked = [check_n(n) for n in sizes]
    for n in checked:
        shuffled = _BYTES_A_NUMBER if n < SHUFFLE_BELOW else 0
        check_memory(n * (_BYTES_A_QUEEN + shuffled), f"measuring n = {n:,}")
    return checked


def _solved(n: int, seed: int, threads: int) -> Timings:
    result = solve(n, seed=seed, threads=threads, trace=False)
    if not result.solved:
        raise RuntimeError(f"n = {n} with seed {seed} was not solved: please report this")
    return result.timings


def _row(taken: Taken, threads: int) -> dict[str, Any]:
    runs = taken.solved[threads]
    parts = {
        part: _a_queen([getattr(timings, part) for timings in runs], taken.n)
        for part in Timings._fields
        if part not in ("complete_search", "mixing")  # which other options ask for
    }
    shuffle = _a_queen(taken.shuffled, taken.n) if taken.shuffled else None
    return {"n": taken.n, "threads": threads, "runs": len(runs), **parts, "shuffle": shuffle}


def _a_queen(values: Sequence[float], n: int) -> dict[str, float]:
    """Turn the seconds of several runs into ns a queen."""
    median, least, most, _ = (value * 1e9 / n for value in spread(values))
    return {"median": median, "least": least, "most": most}
