"""Clocks: alternating runs in this process, and whole processes measured from outside."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """Several measurements of one thing."""

    median: float
    least: float
    most: float
    runs: int


def spread(values: Sequence[float]) -> Spread:
    """Median and range of some measurements."""
    return Spread(statistics.median(values), min(values), max(values), len(values))


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def in_turn(works: Mapping[str, Callable[[], float]], runs: int) -> dict[str, list[float]]:
    """Call each of ``works`` in turn, ``runs`` times over, after one round that is not counted.

    Taken in turn, the measurements share whatever else the machine is doing, and their ratios hold.
    """
    for work in works.values():
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            taken[name].append(work())
    return taken


def ratio(above: Sequence[float], below: Sequence[float]) -> Spread:
    """The ratio of two series taken in turn, pair by pair."""
    return spread([a / b for a, b in zip(above, below, strict=True)])


class Process(NamedTuple):
    """A finished process as the operating system accounts for it."""

    seconds: float
    peak_bytes: int


def run_python(*arguments: str, environment: Mapping[str, str] | None = None) -> Process:
    """Run this interpreter with some arguments, its output thrown away; raise where it fails."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{arguments} ended with {process.returncode}")
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return Process(time.perf_counter() - begun, usage.ru_maxrss * kilobyte)
