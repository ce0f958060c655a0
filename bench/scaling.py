"""How time grows with n: solving on several numbers of threads and, for comparison, NumPy's shuffle, taken in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.timing import seconds, spread, touch_memory
from fastqueens.core.errors import InputError
from fastqueens.core.memory import check_memory
from fastqueens.solving.result import Timings
from fastqueens.solving.solver import solve

#: No shuffle from here on: it takes a minute, and as much memory as the board.
SHUFFLE_BELOW = 10**9

#: The least n.
FIRST = 1000

# An uncounted round loads kernels and wakes up threads. A larger n would only take more time.
_LARGEST_WARM_UP = 10**7

#: The memory of a large board with its bitsets.
BYTES_A_QUEEN = 6
_BYTES_A_NUMBER = 4


class Taken(NamedTuple):
    """Runs at one n, taken in turn: the seconds of each run on each number of threads, and of each shuffle."""

    n: int
    solved: dict[int, list[Timings]]
    shuffled: list[float]


def sizes(up_to: int) -> list[int]:
    """Return the powers of ten from 1000 to ``up_to``, and ``up_to`` itself.

    >>> sizes(25_000)
    [1000, 10000, 25000]
    """
    if up_to < FIRST:
        raise InputError(f"sizes up to {up_to}: they begin at {FIRST}")
    powers = [10**power for power in range(len(str(up_to))) if FIRST <= 10**power <= up_to]
    return [*powers, *([up_to] if up_to not in powers else [])]


def runs_for(n: int) -> int:
    """Return how many runs to measure at n: 5 below 10**8, otherwise 3."""
    return 5 if n < 10**8 else 3


def measure(sizes: Sequence[int], threads: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Measure each n in turn, and yield a row for each n and number of threads as soon as it is known.

    A row has "n", "threads", "runs", and the ns a queen of "allocation", "placement", "search", "verification" and
    "shuffle", each with "median", "least" and "most"; "shuffle" is None from n = 10**9 on. If the largest board does
    not fit into memory, nothing is measured.
    """
    largest = max(sizes)
    shuffled = _BYTES_A_NUMBER if largest < SHUFFLE_BELOW else 0
    check_memory(largest * (BYTES_A_QUEEN + shuffled), f"measuring n = {largest:,}")
    for n in sizes:
        taken = take(n, threads, runs_for(n))
        for count in threads:
            yield _row(taken, count)


def take(n: int, threads: Sequence[int], runs: int) -> Taken:
    """Solve n on each number of threads and shuffle n int32, in turn, ``runs`` times with seeds 1, 2, 3, ...

    ``numpy.random.default_rng(1)`` shuffles; its numbers are in memory before its clock starts.
    """
    generator = np.random.default_rng(1)
    numbers = np.arange(n if n < SHUFFLE_BELOW else 0, dtype=np.int32)
    warm_up = min(n, _LARGEST_WARM_UP)
    for count in threads:
        _solved(warm_up, 1, count)
    taken = Taken(n, {count: [] for count in threads}, [])
    for seed in range(1, runs + 1):
        for count in threads:
            touch_memory(n * BYTES_A_QUEEN)
            taken.solved[count].append(_solved(n, seed, count))
        if len(numbers):
            taken.shuffled.append(seconds(lambda: generator.shuffle(numbers)))
    return taken


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
        if part not in ("complete_search", "mixing", "writing")  # which other options ask for
    }
    shuffle = _a_queen(taken.shuffled, taken.n) if taken.shuffled else None
    return {"n": taken.n, "threads": threads, "runs": len(runs), **parts, "shuffle": shuffle}


def _a_queen(values: Sequence[float], n: int) -> dict[str, float]:
    """Turn the seconds of several runs into ns a queen."""
    median, least, most, _ = (value * 1e9 / n for value in spread(values))
    return {"median": median, "least": least, "most": most}
