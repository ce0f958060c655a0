"""Generated instances with n excluded diagonals, answered by complete search on all cores within a time limit."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import fastqueens
from bench.csplib import warm_up
from bench.instances import excluded_diagonals, instance_without
from bench.timing import duration
from fastqueens import NoSolutionError
from fastqueens._run.threads import all_cores
from fastqueens.instance import Instance

#: For each n, the number of instances and the time limit per instance in seconds.
PLAN = dict.fromkeys((20, 22, 24, 26), (100, 60.0)) | {28: (20, 60.0), 30: (10, 3600.0)}

SEEDS = "seeds of instances from 0, seed of the search 0"

Rows = Sequence[dict[str, Any]]


def measure(plan: Mapping[int, tuple[int, float]] = PLAN) -> Iterator[dict[str, Any]]:
    """Yield a row for each instance, with seeds from 0.

    ``answer`` is "solvable", "unsolvable" or, at the time limit, "undecided". ``seconds`` is the time of the whole
    call of :func:`fastqueens.solve`. One call before the first instance is not counted.
    """
    solve_within(warm_up(), 60.0)
    for n, (count, limit) in plan.items():
        for seed in range(count):
            answer = solve_within(instance_without(n, excluded_diagonals(n, seed)[:n]), limit)
            yield {"n": n, "seed": seed, "limit": limit, "threads": all_cores(), **answer}


def solve_within(instance: Instance, limit: float) -> dict[str, Any]:
    """Return the answer of complete search on all cores, with its seconds and nodes."""
    begun = time.perf_counter()
    try:
        result = fastqueens.solve(instance, method="complete", seed=0, trace=False, time_limit=limit)
        answer, nodes = "solvable" if result.solved else "undecided", result.nodes
    except NoSolutionError as error:
        answer, nodes = "unsolvable", error.nodes
    return {"answer": answer, "seconds": time.perf_counter() - begun, "nodes": nodes}


def table(rows: Rows) -> str:
    """Return the table of generated instances, with a line for each n."""
    lines = ["| n | limit | instances | decided | solvable | median | slowest |", "|" + "---:|" * 7]
    for n, of_size in groupby(rows, key=lambda row: row["n"]):
        listed = list(of_size)
        limit = listed[0]["limit"]
        # An undecided instance counts as slower than every decided one.
        seconds = [row["seconds"] if row["answer"] != "undecided" else float("inf") for row in listed]
        cells = [
            str(n),
            f"{limit:g} s",
            str(len(listed)),
            str(sum(taken < float("inf") for taken in seconds)),
            str(sum(row["answer"] == "solvable" for row in listed)),
            _within(statistics.median(seconds), limit),
            _within(max(seconds), limit),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _within(seconds: float, limit: float) -> str:
    return duration(seconds) if seconds < float("inf") else f"more than {limit:g} s"
