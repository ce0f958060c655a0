"""The promises on processes and on calls that ``tiles`` does not measure, on one thread, compared with limits."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fastqueens
from bench.timing import Spread, compared_with_limit, in_turn, ratio, run_python, seconds, spread

RUNS = 7

#: Runs of each process: these are short, and other programs disturb them.
PROCESS_RUNS = 15

#: What any command of this kind has to import: no warm start can be faster.
FLOOR = "import numpy, click"

_MILLION = 10**6


def measure() -> Iterator[dict[str, Any]]:
    """Measure every promise."""
    yield compared_with_limit("solve(10**6, start='random'), full trace", "s", 1.2, _random_start())
    yield from _processes()


def _random_start() -> Spread:
    fastqueens.solve(1000, start="random", seed=1, threads=1)
    return spread([seconds(_solve_random(seed)) for seed in range(1, RUNS + 1)])


def _solve_random(seed: int) -> Callable[[], object]:
    return lambda: fastqueens.solve(10**6, start="random", seed=seed, threads=1)


def _processes() -> Iterator[dict[str, Any]]:
    """Compare commands as warm processes with the floor, and the first run ever with a warm one."""
    with tempfile.TemporaryDirectory() as folder:
        board = str(Path(folder, "q.npy"))
        fastqueens.write_board(board, fastqueens.solve(_MILLION, seed=1).queens)
        commands = {
            "solve 1000000": ("solve", "1000000", "--seed", "1"),
            "solve 8": ("solve", "8", "--seed", "1"),
            "climb 8": ("climb", "8", "--seed", "1", "--rule", "min-conflicts"),
            "verify q.npy, a million": ("verify", board),
        }
        programs = {name: ("-m", "fastqueens", *command) for name, command in commands.items()}
        runs = {"floor": ("-c", FLOOR)} | programs
        taken = in_turn({name: _seconds_of(program) for name, program in runs.items()}, PROCESS_RUNS)
        for name in programs:
            measured = compared_with_limit(
                f"fastqueens {name}, warm, / floor",
                "x",
                1.6,
                ratio(taken[name], taken["floor"]),
            )
            yield measured | {"command": name, "seconds": spread(taken[name]).median}
        peak = spread([run_python(*programs["solve 1000000"]).peak_bytes / 1e6 for _ in range(3)])
        yield compared_with_limit("fastqueens solve 1000000, warm, peak memory", "MB", 60, peak)
        warm = spread(taken["solve 1000000"]).median
        cold = spread([_first_run(programs["solve 1000000"]) - warm for _ in range(5)])
        what = "fastqueens solve 1000000, first run ever, less a warm one"
        whole = {"command": "solve 1000000, the first run ever", "seconds": warm + cold.median}
        yield compared_with_limit(what, "s", 4.0, cold) | whole
    small = [1e6 * seconds(lambda: fastqueens.solve(8, seed=1, threads=1)) for _ in range(1000)]
    yield compared_with_limit("solve(8) in Python, warm", "µs", 160, spread(small))


def _seconds_of(program: tuple[str, ...]) -> Callable[[], float]:
    return lambda: run_python(*program).seconds


def _first_run(command: tuple[str, ...]) -> float:
    with tempfile.TemporaryDirectory() as empty:
        return run_python(*command, environment={"NUMBA_CACHE_DIR": empty}).seconds
