"""Random instances of every kind, answered by complete search and by OR-Tools CP-SAT."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.csplib import Answer, answer
from bench.instances import excluded_diagonals, instance_without, random_blocks, random_completion
from bench.solve_by import NOT_INSTALLED
from bench.timing import spread
from fastqueens import is_solution
from fastqueens.core.instance import Instance
from fastqueens.core.threads import Workers

COUNT = 300
SIZES = range(10, 17)

_REPOSITORY = Path(__file__).parent.parent


def measure(python: str = sys.executable, count: int = COUNT) -> Iterator[dict[str, Any]]:
    """Yield a row for each kind of instance, with a third of ``count``; one row says so if OR-Tools is missing."""
    for kind, make in KINDS.items():
        instances = [make(SIZES[seed % len(SIZES)], seed) for seed in range(count // len(KINDS))]
        theirs = ask(instances, python)
        if theirs is None:
            yield {"kind": "", "skipped": "not installed"}
            return
        with Workers(1) as workers:
            ours = [answer(instance, workers) for instance in instances]
        yield {"kind": kind, "skipped": None, **compared(instances, ours, theirs)}


def _excluded(n: int, seed: int) -> Instance:
    diagonals = excluded_diagonals(n, seed)
    return instance_without(n, diagonals[: int(np.random.default_rng([seed, n]).integers(n // 2, n + 1))])


#: The kinds of instances, and what draws one of side n from a seed.
KINDS: dict[str, Callable[[int, int], Instance]] = {
    "excluded diagonals": _excluded,
    "completion": random_completion,
    "blocked squares": random_blocks,
}


def compared(instances: list[Instance], ours: list[Answer], theirs: dict[str, Any]) -> dict[str, Any]:
    """Count the answers on which both agree; a board that is no solution makes a contradiction."""
    row = {"instances": len(instances), "solvable": 0, "unsolvable": 0, "undecided": 0, "contradictions": 0}
    for instance, own, other in zip(instances, ours, theirs["answers"], strict=True):
        is_wrong = own.is_wrong or (other["solvable"] and not is_solution(other["queens"], instance=instance))
        if is_wrong or {own.is_solvable, other["solvable"]} == {True, False}:
            row["contradictions"] += 1
        elif None in (own.is_solvable, other["solvable"]):
            row["undecided"] += 1
        else:
            row["solvable" if own.is_solvable else "unsolvable"] += 1
    return {
        **row,
        "seconds": spread([own.seconds for own in ours])._asdict(),
        "cpsat_seconds": spread([other["seconds"] for other in theirs["answers"]])._asdict(),
        "version": theirs["version"],
    }


def ask(instances: list[Instance], python: str = sys.executable) -> dict[str, Any] | None:
    """Let CP-SAT answer instances in a separate process; return None if it is not installed."""
    done = subprocess.run(
        [python, "-m", "bench.answer_by_cpsat"],
        input=json.dumps([_as_dict(instance) for instance in instances]),
        capture_output=True,
        text=True,
        cwd=_REPOSITORY,
        check=False,
    )
    if done.returncode == NOT_INSTALLED:
        return None
    if done.returncode:
        raise RuntimeError(f"CP-SAT ended with {done.returncode}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _as_dict(instance: Instance) -> dict[str, Any]:
    return {
        "n": instance.n,
        "fixed": instance.fixed.squares.tolist(),
        "blocked": instance.blocked.tolist(),
        "excluded_sums": instance.excluded_sums.tolist(),
        "excluded_differences": instance.excluded_differences.tolist(),
    }
