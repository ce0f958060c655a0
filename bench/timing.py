"""Ratios of series taken in turn, and whole processes measured from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fastqueens.scaling import Spread, spread


def ratio(above: Sequence[float], below: Sequence[float]) -> Spread:
    """The ratio of two series taken in turn, pair by pair."""
    return spread([a / b for a, b in zip(above, below, strict=True)])


class Process(NamedTuple):
    """A finished process as the operating system accounts for it."""

    seconds: float
    peak_bytes: int
    output: str


def run_python(*arguments: str, environment: Mapping[str, str] | None = None) -> Process:
    """Run this interpreter with some arguments, and keep what it prints; raise where it fails."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        begun = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], stdout=output, stderr=errors, env={**os.environ, **(environment or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        taken = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            raise RuntimeError(f"{arguments} ended with {process.returncode}: {errors.read()}")
        kilobyte = 1 if sys.platform == "darwin" else 1024
        return Process(taken, usage.ru_maxrss * kilobyte, output.read())


def peak_a_queen(n: int, seed: int, threads: int) -> float:
    """Peak of a process that solves n, less that of one that solves 1000, for each queen."""
    program = "import fastqueens; assert fastqueens.solve({}, seed={}, threads={}).solved"
    base = run_python("-c", program.format(1000, seed, threads)).peak_bytes
    return (run_python("-c", program.format(n, seed, threads)).peak_bytes - base) / n
