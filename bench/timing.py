"""Medians and ratios of times, measurements of whole processes, and formats for tables."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

#: Arguments with which Python runs the command line as the console script does.
COMMAND = ("-c", "from fastqueens.__main__ import main; main()")


class Spread(NamedTuple):
    """The median and the range of several measurements."""

    median: float
    least: float
    most: float
    runs: int


def spread(values: Sequence[float]) -> Spread:
    """Return the median and the range of measurements."""
    return Spread(median(values), min(values), max(values), len(values))


def seconds(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def touch_memory(size: int) -> None:
    """Write to this many bytes and free them, so that the next measurement does not wait for the host.

    The host of a virtual machine can take back memory that is unused for seconds. To get it again takes ten times as
    long as the first write to memory that the machine still has.
    """
    np.ones(size, np.uint8)


def ratio(above: Sequence[float], below: Sequence[float]) -> Spread:
    """Return the ratio of two series that were measured alternately, pair by pair."""
    return spread([a / b for a, b in zip(above, below, strict=True)])


class Process(NamedTuple):
    """The time, the peak memory and the output of a finished process."""

    seconds: float
    peak_bytes: int
    output: str


# A small process in between, because Linux counts the memory that the parent had at the fork as part of a child's peak,
# and this process can hold the arrays of other benchmarks.
_WATCHER = """
import json, os, sys, time
begun = time.perf_counter()
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
taken = time.perf_counter() - begun
with open(sys.argv[1], "w") as report:
    json.dump([taken, os.waitstatus_to_exitcode(status), usage.ru_maxrss], report)
"""


def run_python(*arguments: str) -> Process:
    """Run this interpreter with these arguments; return its time, peak memory and output, or raise RuntimeError."""
    with tempfile.NamedTemporaryFile() as report:
        watcher = subprocess.run(
            [sys.executable, "-S", "-E", "-c", _WATCHER, report.name, sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=True,
        )
        taken, exit_code, peak = json.load(report)
    if exit_code:
        raise RuntimeError(f"{arguments} ended with {exit_code}: {watcher.stderr}")
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return Process(taken, peak * kilobyte, watcher.stdout)


def duration(seconds: float) -> str:
    """Write seconds with a unit and three digits.

    >>> [duration(seconds) for seconds in (2091.6, 1.25, 0.0203, 0.00044)]
    ['2,091.6 s', '1.2 s', '20.3 ms', '440 µs']
    """
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"


def power(n: int) -> str:
    """Write n as a power of ten if it is one.

    >>> power(1000)
    '10^3'
    """
    digits = len(str(n)) - 1
    return f"10^{digits}" if n == 10**digits else f"{n:,}"
