"""The promises on large boards: tiles, one and two threads, a billion queens, compared with their limits."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.scaling import Taken, take
from bench.timing import Process, Spread, compared_with_limit, peak_a_queen, ratio, run_python, spread
from fastqueens.solving.result import Timings

RUNS = 5

#: For each n and number of threads, the largest ratio to the time of the shuffle.
SHUFFLE_LIMITS = {10**6: {1: 0.95}, 10**7: {1: 0.5, 2: 0.35}, 10**8: {1: 0.75, 2: 0.45}}
PLACEMENT_ON_TWO = 0.55
VERIFICATION_TO_SOLVE = 0.6
BILLION_SECONDS = 40.0
PEAK_BYTES = 5.2

_BILLION = 10**9

# Bytes of a queen in a file, and a reserve.
_FILE_BYTES = 5
_THREADS = {1: "one thread", 2: "two threads"}


def measure() -> Iterator[dict[str, Any]]:
    """Measure every promise."""
    for n, limits in SHUFFLE_LIMITS.items():
        taken = take(n, list(limits), RUNS)
        yield from compared_with_shuffle(taken, limits)
        if n == max(SHUFFLE_LIMITS):
            yield from on_two_threads(taken)
    yield row(
        f"peak memory of {power(10**8)} above the process's base, two threads",
        "bytes a queen",
        PEAK_BYTES,
        spread([peak_a_queen(10**8, seed, threads=2) for seed in range(1, RUNS + 1)]),
    )
    yield from as_process(_BILLION)


def compared_with_shuffle(taken: Taken, limits: dict[int, float]) -> Iterator[dict[str, Any]]:
    """Compare placement and search with the shuffle of the same round; the allocation is a separate figure."""
    for threads, limit in limits.items():
        runs = taken.solved[threads]
        yield row(
            f"{power(taken.n)} queens / shuffle, {_THREADS[threads]}",
            "x",
            limit,
            ratio(_solving(runs), taken.shuffled),
            allocation=ratio([timings.allocation for timings in runs], taken.shuffled),
        )


def on_two_threads(taken: Taken) -> Iterator[dict[str, Any]]:
    """Compare the placement on two threads with that on one, and verification with solving."""
    one, two = taken.solved[1], taken.solved[2]
    yield row(
        f"placement of {power(taken.n)}, two threads / one",
        "x",
        PLACEMENT_ON_TWO,
        ratio([timings.placement for timings in two], [timings.placement for timings in one]),
    )
    yield row(
        f"verification of {power(taken.n)} / placement + search, two threads",
        "x",
        VERIFICATION_TO_SOLVE,
        ratio([timings.verification for timings in two], _solving(two)),
    )


def as_process(n: int) -> Iterator[dict[str, Any]]:
    """Measure the command as a process on two threads: in memory, its peak memory, and into a file."""
    command = ("-m", "fastqueens", "solve", str(n), "--seed", "1", "--threads", "2", "--json")
    base = run_python("-m", "fastqueens", "solve", "1000", "--seed", "1", "--threads", "2", "--json")
    process = run_python(*command)
    counted, allocation = _without_allocation(process)
    yield row(
        f"process, {power(n)}, two threads, verified",
        "s",
        BILLION_SECONDS,
        spread([counted]),
        allocation=spread([allocation]),
    )
    yield row(
        "its peak memory above that for n = 1000",
        "bytes a queen",
        PEAK_BYTES,
        spread([(process.peak_bytes - base.peak_bytes) / n]),
    )
    yield from _into_file(n, command)


def _into_file(n: int, command: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Measure the same with a file; yield nothing if the folder for temporary files is too small for it."""
    with tempfile.TemporaryDirectory() as folder:
        if shutil.disk_usage(folder).free < _FILE_BYTES * n:
            return
        with_file, touched = _without_allocation(run_python(*command, "-o", str(Path(folder, "board.npy"))))
    yield row(
        "the same into a file, with writing",
        "s",
        None,
        spread([with_file]),
        allocation=spread([touched]),
    )


def row(
    what: str, unit: str, limit: float | None, measured: Spread, allocation: Spread | None = None
) -> dict[str, Any]:
    """Return one row of the table; a limit of None promises nothing."""
    apart = None if allocation is None else allocation.median
    return {**compared_with_limit(what, unit, limit, measured), "allocation_apart": apart}


def power(n: int) -> str:
    """Write n as a power of ten if it is one.

    >>> power(1000)
    '10**3'
    """
    digits = len(str(n)) - 1
    return f"10**{digits}" if n == 10**digits else f"{n:,}"


def _solving(runs: Sequence[Timings]) -> list[float]:
    return [timings.placement + timings.search for timings in runs]


def _without_allocation(process: Process) -> tuple[float, float]:
    """Return the seconds of a process without the first touch of memory, and the seconds of that touch."""
    allocation = float(json.loads(process.output)["allocation_seconds"])
    return process.seconds - allocation, allocation
