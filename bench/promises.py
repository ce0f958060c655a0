"""The promises of the first version on speed and memory, one thread, each held against its limit."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import fastqueens
from bench.timing import held_against, peak_a_queen, ratio, run_python
from fastqueens.scaling import Spread, in_turn, seconds, spread

RUNS = 7

# Imports numba and calls one cached kernel that does nothing: the floor under any warm start.
_FLOOR = """
import numba, numpy
@numba.njit(cache=True)
def first(values):
    return values[0]
first(numpy.zeros(1, numpy.int64))
"""


def measure() -> Iterator[dict[str, Any]]:
    """Measure every promise, one after the other."""
    yield from _beside_shuffle(10**6, 1.1, whole_call_limit=2.0)
    yield from _beside_shuffle(10**7, 0.8)
    yield held_against("solve(10**6, start='random'), full trace", "s", 1.2, _random_start())
    yield from _processes()
    yield held_against("peak memory of solve(10**8) over the process's base", "bytes a queen", 5.2, _peak_memory())


def _beside_shuffle(n: int, limit: float, whole_call_limit: float | None = None) -> Iterator[dict[str, Any]]:
    """Memory, placement and search, and the whole call, beside NumPy's shuffle of n int32."""
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
    yield held_against(
        f"solve(10**{len(str(n)) - 1}), allocation, placement + search, beside shuffle",
        "x",
        limit,
        ratio(searching[1:], taken["shuffle"]),
    )
    if whole_call_limit is not None:
        yield held_against(
            f"the whole call solve(10**{len(str(n)) - 1}), beside shuffle",
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
    """The command as a process, warm beside the floor, and its first run ever beside a warm one."""
    command = ("-m", "fastqueens", "solve", "1000000", "--seed", "1")
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder, "floor.py")
        floor.write_text(_FLOOR)
        taken = in_turn(
            {"floor": lambda: run_python(str(floor)).seconds, "solve": lambda: run_python(*command).seconds}, RUNS
        )
    yield held_against(
        "fastqueens solve 1000000 as a process, warm, beside the floor", "x", 1.4, ratio(taken["solve"], taken["floor"])
    )
    warm = spread(taken["solve"]).median
    cold = [_first_run(command) - warm for _ in range(3)]
    yield held_against("the first run ever, cold cache, more than a warm one", "s more", 8.0, spread(cold))


def _first_run(command: tuple[str, ...]) -> float:
    with tempfile.TemporaryDirectory() as empty:
        return run_python(*command, environment={"NUMBA_CACHE_DIR": empty}).seconds


def _peak_memory() -> Spread:
    return spread([peak_a_queen(10**8, seed, threads=1) for seed in (1, 2, 3)])
