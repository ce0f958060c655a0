"""Completions that excluded diagonals are translated to: a large board on which few columns are left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import fastqueens
from bench.csplib import answer
from bench.instances import (
    SIDE_OF_TRANSLATION,
    excluded_diagonals,
    fault_of_translation,
    instance_without,
    translated,
)
from bench.timing import spread
from fastqueens import NoSolutionError
from fastqueens.core.instance import make_instance
from fastqueens.core.threads import Workers

N = 14
COUNT = 30


def measure(n: int = N, count: int = COUNT) -> Iterator[dict[str, Any]]:
    """Solve translations on one thread by the whole call, and by complete search alone; yield one row.

    The answers are compared with those for the small boards.
    """
    side = SIDE_OF_TRANSLATION * n
    whole, alone = [], []
    solvable = contradictions = 0
    with Workers(1) as workers:
        for seed in range(-1, count):  # the first one is not counted
            diagonals = excluded_diagonals(n, max(seed, 0))[:n]
            fixed = translated(n, diagonals, side, max(seed, 0))
            fault = fault_of_translation(n, diagonals, side, fixed)
            if fault is not None:
                raise RuntimeError(f"translation of n = {n}, seed {seed}: {fault}")
            begun = time.perf_counter()
            is_solvable = _is_solvable(side, fixed)
            seconds = time.perf_counter() - begun
            small = answer(instance_without(n, diagonals), workers)
            large = answer(make_instance(side, fixed), workers)
            if seed >= 0:
                whole.append(seconds)
                alone.append(large.seconds)
                solvable += is_solvable
                contradictions += len({is_solvable, small.is_solvable, large.is_solvable}) > 1
    yield {
        "n": n,
        "side": side,
        "instances": count,
        "solvable": solvable,
        "contradictions": contradictions,
        "seconds": spread(whole)._asdict(),
        "alone": spread(alone)._asdict(),
    }


def _is_solvable(side: int, fixed: Any) -> bool:
    try:
        result = fastqueens.solve(side, fixed=fixed, seed=0, threads=1, trace=False)
    except NoSolutionError:
        return False
    if not result.solved:
        raise RuntimeError(f"no answer for a completion of n = {side}")
    return True
