"""Growth of the time with n: solving on one thread and on all cores, alternating with NumPy's shuffle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bench.timing import COMMAND, run_python, seconds, spread, touch_memory
from fastqueens._run.memory import check_memory
from fastqueens.result import Timings
from fastqueens.solver import solve

#: From this n on, the shuffle is left out: it takes a minute and as much memory as the board.
SHUFFLE_BELOW = 10**9

SIZES = tuple(10**power for power in range(3, 10))

SEEDS = "seeds 1 to 5 (1 to 3 from n = 10^8 on)"

# From this n on, several threads place the queens.
_ON_SEVERAL_THREADS = 2**22

# The parts of a call with default options.
_PARTS = ("allocation", "placement", "search", "verification")

# The largest n of the uncounted run that loads kernels and starts threads.
_LARGEST_WARM_UP = 10**7

#: The memory of a large board with its bitsets, rounded up.
BYTES_PER_QUEEN = 6
_BYTES_PER_NUMBER = 4


def runs_for(n: int) -> int:
    """Return how many runs to measure at n: 5 below 10**8, otherwise 3."""
    return 5 if n < 10**8 else 3


def measure(sizes: Sequence[int], threads: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Measure each n, and yield a row for each n and number of threads as soon as it is complete.

    A row has "n", "threads" and "runs". It also has the nanoseconds per queen of each part and of "shuffle", each with
    "median", "least" and "most". From n = 10**9 on, "shuffle" is None. If the largest board does not fit into memory,
    nothing is measured.
    """
    largest = max(sizes)
    shuffled = _BYTES_PER_NUMBER if largest < SHUFFLE_BELOW else 0
    check_memory(largest * (BYTES_PER_QUEEN + shuffled), f"measuring n = {largest:,}")
    for n in sizes:
        yield from _of_size(n, threads)


def measure_largest(n: int) -> Iterator[dict[str, Any]]:
    """Solve n once on all cores in a separate process, and yield the result, the time and the peak memory."""
    process = run_python(*COMMAND, "solve", str(n), "--seed", "1", "--json")
    yield {**json.loads(process.output), "process_seconds": process.seconds, "peak_bytes": process.peak_bytes}


def _of_size(n: int, threads: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Solve n on each number of threads, alternating with a shuffle of n int32 numbers, with seeds 1, 2, 3, ...

    ``numpy.random.default_rng(1)`` shuffles numbers that are in memory before the clock starts.
    """
    generator = np.random.default_rng(1)
    numbers = np.arange(n if n < SHUFFLE_BELOW else 0, dtype=np.int32)
    for count in threads:
        _solved(min(n, _LARGEST_WARM_UP), 1, count)
    solved: dict[int, list[Timings]] = {count: [] for count in threads}
    shuffled = []
    for seed in range(1, runs_for(n) + 1):
        for count in threads:
            touch_memory(n * BYTES_PER_QUEEN)
            solved[count].append(_solved(n, seed, count))
        if len(numbers):
            shuffled.append(seconds(lambda: generator.shuffle(numbers)))
    for count, runs in solved.items():
        parts = {part: _per_queen([getattr(timings, part) for timings in runs], n) for part in _PARTS}
        yield {
            "n": n,
            "threads": count,
            "runs": len(runs),
            **parts,
            "shuffle": _per_queen(shuffled, n) if shuffled else None,
        }


def _solved(n: int, seed: int, threads: int) -> Timings:
    result = solve(n, seed=seed, threads=threads, trace=False)
    if not result.solved:
        raise RuntimeError(f"n = {n} with seed {seed} was not solved: please report this")
    return result.timings


def _per_queen(values: Sequence[float], n: int) -> dict[str, float]:
    """Convert the seconds of several runs to nanoseconds per queen."""
    median, least, most, _ = (value * 1e9 / n for value in spread(values))
    return {"median": median, "least": least, "most": most}


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return a table of nanoseconds per queen; boards that one thread places have one line."""
    parts = (*_PARTS, "shuffle")
    lines = ["| n | threads | " + " | ".join(parts) + " |", "|---:|---:|" + "---:|" * len(parts)]
    least = min(row["threads"] for row in rows)
    for row in rows:
        if row["threads"] == least or row["n"] >= _ON_SEVERAL_THREADS:
            cells = ["left out" if row[part] is None else _figure(row[part]["median"]) for part in parts]
            lines.append(f"| {row['n']:,} | {row['threads']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def largest_sentence(rows: Sequence[dict[str, Any]]) -> str:
    """Return the figures of the largest board as sentences."""
    (row,) = rows
    placement, search, verification, allocation, process = (
        f"{row[f'{part}_seconds']:,.2f} s" for part in ("placement", "search", "verification", "allocation", "process")
    )
    return (
        f"The largest board measured has **{row['n']:,} queens**. The first write to its memory took {allocation}, the "
        f"placement {placement}, {row['steps']:,} steps of the search {search}, and the check {verification}. The "
        f"whole process took {process}, and at most {row['peak_bytes'] / row['n']:.2f} bytes of memory per queen."
    )


def _figure(value: float) -> str:
    """Write three significant digits, and thousands in groups."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
