"""Other programs on the same task, with growing n until they take too long, and fastqueens at the same n."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import fastqueens
from bench.solve_by import NOT_INSTALLED, PEERS
from bench.timing import seconds, spread

#: A peer that takes longer than the first gets no larger n; one that takes longer than the second is stopped.
ENOUGH_SECONDS = 20.0
MOST_SECONDS = 60.0

SIZES = (8, 12, 16, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 50_000, 100_000)

_OUR_RUNS = 5
_REPOSITORY = Path(__file__).parent.parent


def measure(python: str = sys.executable, sizes: Sequence[int] = SIZES) -> Iterator[dict[str, Any]]:
    """Yield a row for each peer and n. If a peer has no answer or is not installed, its row says why."""
    for peer in PEERS:
        for n in sizes:
            answer = ask(peer, n, python)
            ours = our_seconds(n) if "seconds" in answer else None
            yield {"peer": peer, "n": n, "seconds": None, "skipped": None, **answer, "ours": ours}
            if answer.get("seconds", MOST_SECONDS) > ENOUGH_SECONDS:
                break


def ask(peer: str, n: int, python: str = sys.executable, limit: float = MOST_SECONDS) -> dict[str, Any]:
    """Let a peer solve n in a separate process and check its board: return "seconds" and "version", or "skipped"."""
    command = [python, "-m", "bench.solve_by", peer, str(n)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=_REPOSITORY, check=False)
    except subprocess.TimeoutExpired:
        return {"skipped": f"no answer within {limit:g} s"}
    if done.returncode == NOT_INSTALLED:
        return {"skipped": "not installed"}
    if done.returncode:
        reason = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return {"skipped": f"failed: {reason[-1]}"}
    answer = json.loads(done.stdout)
    if not fastqueens.is_solution(answer["queens"]):
        return {"skipped": "returned a board that is no solution"}
    return {"seconds": answer["seconds"], "version": answer["version"]}


def our_seconds(n: int) -> float:
    """Return the median seconds of the whole call, warm, with the default number of threads."""

    def call(seed: int) -> Callable[[], object]:
        return lambda: fastqueens.solve(n, seed=seed)

    return spread([seconds(call(seed)) for seed in range(_OUR_RUNS + 1)][1:]).median
