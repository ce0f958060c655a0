"""Series measured in turn and their ratios, and whole processes measured from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple, TypeVar

import numpy as np

T = TypeVar("T")


class Spread(NamedTuple):
    """The median and the range of several measurements."""

    median: float
    least: float
    most: float
    runs: int


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
    return Spread(median(values), min(values), max(values), len(values))


def seconds(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def touch_memory(size: int) -> None:
    """Write to this many bytes and free them, so that the next measurement does not wait for the host.

    The host of a virtual machine may take back memory that has been free for seconds. Getting it again takes ten times
    as long as the first touch itself.
    """
    np.ones(size, np.uint8)


def ratio(above: Sequence[float], below: Sequence[float]) -> Spread:
    """Return the ratio of two series measured in turn, pair by pair."""
    return spread([a / b for a, b in zip(above, below, strict=True)])


def compared_with_limit(what: str, unit: str, limit: float | None, measured: Spread) -> dict[str, Any]:
    """Return one row of a table: what was measured, and its promised limit or None."""
    return {"what": what, "unit": unit, "at_most": limit, **measured._asdict()}


class Process(NamedTuple):
    """A finished process as the operating system accounts for it."""

    seconds: float
    peak_bytes: int
    output: str


# A small process in between: in a child's peak, Linux includes the memory that its parent had at the fork, and this
# process may hold the arrays of other benchmarks.
_WATCHER = """
import json, os, sys, time
begun = time.perf_counter()
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
taken = time.perf_counter() - begun
with open(sys.argv[1], "w") as report:
    json.dump([taken, os.waitstatus_to_exitcode(status), usage.ru_maxrss], report)
"""


def run_python(*arguments: str, environment: Mapping[str, str] | None = None) -> Process:
    """Run this interpreter with some arguments and return its output and usage; raise an error if it fails."""
    with tempfile.NamedTemporaryFile() as report:
        watcher = subprocess.run(
            [sys.executable, "-S", "-E", "-c", _WATCHER, report.name, sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **(environment or {})},
        )
        taken, exit_code, peak = json.load(report)
    if exit_code:
        raise RuntimeError(f"{arguments} ended with {exit_code}: {watcher.stderr}")
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return Process(taken, peak * kilobyte, watcher.stdout)


def peak_a_queen(n: int, seed: int, threads: int) -> float:
    """Return the peak memory of a process that solves n, less that of one that solves 1000, in bytes a queen."""
    program = "import fastqueens; assert fastqueens.solve({}, seed={}, threads={}).solved"
    base = run_python("-c", program.format(1000, seed, threads)).peak_bytes
    return (run_python("-c", program.format(n, seed, threads)).peak_bytes - base) / n
