"""How time grows with n: solving on several numbers of threads and, for comparison, NumPy's shuffle, taken in turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bench.timing import run_python, seconds, spread, touch_memory
from fastqueens._run.memory import check_memory
from fastqueens.result import Timings
from fastqueens.solver import solve

#: No shuffle from here on: it takes a minute, and as much memory as the board.
SHUFFLE_BELOW = 10**9

SIZES = tuple(10**power for power in range(3, 10))

SEEDS = "seeds 1 to 5, or to 3 from n = 10^8 on"

# From this n on, several threads place the queens.
_ON_SEVERAL_THREADS = 2**22

# The parts of a call; other options ask for further ones.
_PARTS = ("allocation", "placement", "search", "verification")

# An uncounted round loads kernels and wakes up threads. A larger n would only take more time.
_LARGEST_WARM_UP = 10**7

#: The memory of a large board with its bitsets.
BYTES_A_QUEEN = 6
_BYTES_A_NUMBER = 4


def runs_for(n: int) -> int:
    """Return how many runs to measure at n: 5 below 10**8, otherwise 3."""
    return 5 if n < 10**8 else 3


def measure(sizes: Sequence[int], threads: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Measure each n in turn, and yield a row for each n and number of threads as soon as it is known.

    A row has "n", "threads", "runs", and the ns per queen of each part and of "shuffle", each with "median", "least"
    and "most"; "shuffle" is None from n = 10**9 on. If the largest board does not fit into memory, nothing is measured.
    """
    largest = max(sizes)
    shuffled = _BYTES_A_NUMBER if largest < SHUFFLE_BELOW else 0
    check_memory(largest * (BYTES_A_QUEEN + shuffled), f"measuring n = {largest:,}")
    for n in sizes:
        yield from _of_size(n, threads)


def measure_largest(n: int) -> Iterator[dict[str, Any]]:
    """Solve n once on all cores as a process, and yield the figures of the run and its peak memory."""
    process = run_python("-m", "fastqueens", "solve", str(n), "--seed", "1", "--json")
    yield {**json.loads(process.output), "process_seconds": process.seconds, "peak_bytes": process.peak_bytes}


def _of_size(n: int, threads: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Solve n on each number of threads and shuffle n int32, in turn, with seeds 1, 2, 3, ...

    ``numpy.random.default_rng(1)`` shuffles; its numbers are in memory before its clock starts.
    """
    generator = np.random.default_rng(1)
    numbers = np.arange(n if n < SHUFFLE_BELOW else 0, dtype=np.int32)
    for count in threads:
        _solved(min(n, _LARGEST_WARM_UP), 1, count)
    solved: dict[int, list[Timings]] = {count: [] for count in threads}
    shuffled = []
    for seed in range(1, runs_for(n) + 1):
        for count in threads:
            touch_memory(n * BYTES_A_QUEEN)
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
    """Turn the seconds of several runs into ns per queen."""
    median, least, most, _ = (value * 1e9 / n for value in spread(values))
    return {"median": median, "least": least, "most": most}


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return ns per queen; smaller boards are placed on one thread, so more threads say nothing new."""
    parts = (*_PARTS, "shuffle")
    lines = ["| n | threads | " + " | ".join(parts) + " |", "|---:|---:|" + "---:|" * len(parts)]
    least = min(row["threads"] for row in rows)
    for row in rows:
        if row["threads"] == least or row["n"] >= _ON_SEVERAL_THREADS:
            cells = ["left out" if row[part] is None else _figure(row[part]["median"]) for part in parts]
            lines.append(f"| {row['n']:,} | {row['threads']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def largest_sentence(rows: Sequence[dict[str, Any]]) -> str:
    """Return the figures of the largest board in words."""
    (row,) = rows
    placement, search, verification, allocation, process = (
        f"{row[f'{part}_seconds']:,.2f} s" for part in ("placement", "search", "verification", "allocation", "process")
    )
    return (
        f"**n = {row['n']:,}**: placed in {placement}, {row['steps']:,} steps in {search}, verified in {verification}, "
        f"after {allocation} for the first touch of memory. The whole process took {process} and "
        f"{row['peak_bytes'] / row['n']:.2f} bytes per queen at its peak."
    )


def _figure(value: float) -> str:
    """Write three digits, and thousands in groups."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
