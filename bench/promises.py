"""The promises of the first version on speed and memory, on one thread, compared with their limits."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import fastqueens
from bench.timing import compared_with_limit, peak_a_queen, ratio, run_python
from fastqueens.solving.scaling import Spread, in_turn, seconds, spread

RUNS = 7

# Imports numba and calls one trivial cached kernel: no warm start can be faster.
_FLOOR = """
import numba, numpy
@numba.njit(cache=True)
def first(values):
    return values[0]
first(numpy.zeros(1, numpy.int64))
"""


def measure() -> Iterator[dict[str, Any]]:
    """Measure every promise."""
    yield from _compared_with_shuffle(10**6, 1.1, whole_call_limit=2.0)
    yield from _compared_with_shuffle(10**7, 0.8)
    yield compared_with_limit("solve(10**6, start='random'), full trace", "s", 1.2, _random_start())
    yield from _processes()
    yield compared_with_limit(
        "peak memory of solve(10**8) above the process's base", "bytes a queen", 5.2, _peak_memory()
    )


def _compared_with_shuffle(n: int, limit: float, whole_call_limit: float | None = None) -> Iterator[dict[str, Any]]:
    """Compare allocation, placement and search, and the whole call, with NumPy's shuffle of n int32."""
    generator = np.random.default_rng(1)
    numbers = np.arange(n, dtype=np.int32)
    searching: list[float] = []
    seeds = iter(range(1, 1000))

    def solve() -> float:
        result = fastqueens.solve(n, seed=next(seeds), threads=1)
        searching.append(sum(result.timings) - result.timings.verification)
        return sum(result.timings)

    def whole_call() -> float:
        return seconds(solve)

    taken = in_turn({"shuffle": lambda: seconds(lambda: generator.shuffle(numbers)), "solve": whole_call}, RUNS)
    yield compared_with_limit(
        f"solve(10**{len(str(n)) - 1}), allocation, placement + search, compared with shuffle",
        "x",
        limit,
        ratio(searching[1:], taken["shuffle"]),
    )
    if whole_call_limit is not None:
        yield compared_with_limit(
            f"the whole call solve(10**{len(str(n)) - 1}), compared with shuffle",
            "x",
            whole_call_limit,
            ratio(taken["solve"], taken["shuffle"]),
        )


def _random_start() -> Spread:
    fastqueens.solve(1000, start="random", seed=1, threads=1)
    return spread([seconds(_solve_random(seed)) for seed in range(1, RUNS + 1)])


def _solve_random(seed: int) -> Callable[[], object]:
    return lambda: fastqueens.solve(10**6, start="random", seed=seed, threads=1)


def _processes() -> Iterator[dict[str, Any]]:
    """Compare the command as a warm process with the floor, and its first run ever with a warm one."""
    command = ("-m", "fastqueens", "solve", "1000000", "--seed", "1")
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder, "floor.py")
        floor.write_text(_FLOOR)
        taken = in_turn(
            {"floor": lambda: run_python(str(floor)).seconds, "solve": lambda: run_python(*command).seconds}, RUNS
        )
    yield compared_with_limit(
        "fastqueens solve 1000000 as a process, warm, compared with the floor",
        "x",
        1.4,
        ratio(taken["solve"], taken["floor"]),
    )
    warm = spread(taken["solve"]).median
    cold = [_first_run(command) - warm for _ in range(3)]
    yield compared_with_limit("the first run ever, cold cache, compared with a warm one", "s more", 8.0, spread(cold))


def _first_run(command: tuple[str, ...]) -> float:
    with tempfile.TemporaryDirectory() as empty:
        return run_python(*command, environment={"NUMBA_CACHE_DIR": empty}).seconds


def _peak_memory() -> Spread:
    return spread([peak_a_queen(10**8, seed, threads=1) for seed in (1, 2, 3)])
