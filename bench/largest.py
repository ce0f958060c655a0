"""One recorded run at a large n: the command as a process, with its peak memory measured from outside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bench.timing import run_python


def measure(n: int) -> Iterator[dict[str, Any]]:
    """Solve n once on all cores and yield the figures of the run; raise an error if it is not solved."""
    process = run_python("-m", "fastqueens", "solve", str(n), "--seed", "1", "--json")
    figures = json.loads(process.output)
    if not figures["solved"]:
        raise RuntimeError(f"n = {n} was not solved: {figures}")
    yield {**figures, "process_seconds": process.seconds, "peak_bytes": process.peak_bytes}
