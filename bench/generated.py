"""Generated instances with n excluded diagonals: how far complete search gets in a limited time on all cores."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import fastqueens
from bench.csplib import warm_up
from bench.instances import excluded_diagonals, instance_without
from fastqueens import NoSolutionError
from fastqueens.core.instance import Instance
from fastqueens.core.threads import all_cores

#: The instances of each n, and the seconds for each of them.
Plan = Mapping[int, tuple[int, float]]

#: What is measured by default, and of any other n.
PLAN: Plan = {20: (100, 60.0), 22: (100, 60.0), 24: (100, 60.0), 26: (100, 60.0), 28: (20, 60.0), 30: (10, 3600.0)}
_OTHER = (20, 60.0)


def plan(sizes: Iterable[int] = PLAN, count: int | None = None, limit: float | None = None) -> Plan:
    """Return what is measured of these n, with another number of instances or another limit if it is given."""
    usual = {n: PLAN.get(n, _OTHER) for n in sizes}
    return {n: (count or instances, limit or seconds) for n, (instances, seconds) in usual.items()}


def measure(plan: Plan = PLAN, done: Collection[tuple[int, int]] = ()) -> Iterator[dict[str, Any]]:
    """Yield a row for each instance, with seeds from 0; leave out each n and seed that is in ``done``.

    ``answer`` is "solvable", "unsolvable" or, after the limit, "undecided". ``seconds`` are those of the whole
    call of :func:`fastqueens.solve`, after one that is not counted.
    """
    solve_within(warm_up(), _OTHER[1])
    for n, (count, limit) in plan.items():
        for seed in range(count):
            if (n, seed) not in done:
                answer = solve_within(instance_without(n, excluded_diagonals(n, seed)[:n]), limit)
                yield {"n": n, "seed": seed, "limit": limit, "threads": all_cores(), **answer}


def solve_within(instance: Instance, limit: float) -> dict[str, Any]:
    """Return the answer of complete search on all cores, its seconds, and the squares that it has tried."""
    begun = time.perf_counter()
    try:
        result = fastqueens.solve(instance, method="complete", seed=0, trace=False, time_limit=limit)
        answer, nodes = "solvable" if result.solved else "undecided", result.nodes
    except NoSolutionError as error:
        answer, nodes = "unsolvable", error.nodes
    return {"answer": answer, "seconds": time.perf_counter() - begun, "nodes": nodes}


def kept(stored: dict[str, Any] | None, machine: dict[str, Any], plan: Plan, *, resume: bool) -> Any:
    """Return the stored rows that a new measurement leaves in place.

    These are the rows of other sizes, if they come from the same commit and machine. If a measurement is resumed,
    these are also the rows that were measured with the limit of the plan.
    """
    if stored is None or _without_date(stored["machine"]) != _without_date(machine):
        return []
    return [row for row in stored["rows"] if row["n"] not in plan or (resume and row["limit"] == plan[row["n"]][1])]


def _without_date(machine: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in machine.items() if name != "date"}
