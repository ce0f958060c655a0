"""Estimates of the number of solutions: next to exact numbers, their errors over many seeds, gamma, and speed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import fastqueens
from fastqueens.core.threads import all_cores
from fastqueens.sampling import annealing_kernel
from fastqueens.sampling.annealing import first_board, key_of, odds, prefetch_distance
from fastqueens.sampling.integration import NODES

#: Boards whose solutions have been counted, and seconds for each.
EXACT = range(8, 28)
SECONDS = 5.0

#: Boards, seeds and replicas of the estimates whose errors are compared with the exact numbers.
CALIBRATED = (8, 12, 20, 27)
SEEDS = 200
REPLICAS = 16

#: Boards whose gamma is estimated, and seconds for each.
GAMMAS = {1_000: 30.0, 10_000: 30.0, 100_000: 150.0}

#: Boards on which proposals are timed, and proposals at each node.
TIMED = (27, 1_000, 100_000, 1_000_000, 10_000_000)
_PROPOSALS = 4_000_000
_RUNS = 3


def measure(
    exact: Sequence[int] = EXACT,
    seconds: float = SECONDS,
    calibrated: Sequence[int] = CALIBRATED,
    seeds: int = SEEDS,
    gammas: Mapping[int, float] = GAMMAS,
    timed: Sequence[int] = TIMED,
) -> Iterator[dict[str, Any]]:
    """Estimate each number in turn, on all cores; time proposals on one thread."""
    for n in exact:
        found = fastqueens.estimate(n, seed=1, seconds=seconds)
        yield {"kind": "exact", "threads": all_cores(), **_figures(found)}
    for n in calibrated:
        yield _calibration(n, seeds)
    for n, limit in gammas.items():
        found = fastqueens.estimate(n, seed=1, seconds=limit)
        yield {"kind": "gamma", "threads": all_cores(), **_figures(found)}
    for n in timed:
        taken = [_nanoseconds(n, seed) for seed in range(1, _RUNS + 1)]
        yield {"kind": "speed", "n": n, "median": sorted(taken)[_RUNS // 2], "least": min(taken), "most": max(taken)}


def _figures(found: fastqueens.CountEstimate) -> dict[str, Any]:
    return {name: value for name, value in found.as_dict().items() if name != "nodes"}


def _calibration(n: int, seeds: int) -> dict[str, Any]:
    """Compare the deviations of many estimates from the exact number with their standard errors."""
    found = [fastqueens.estimate(n, seed=seed, replicas=REPLICAS) for seed in range(1, seeds + 1)]
    deviations = [estimate.deviation or 0.0 for estimate in found]
    return {
        "kind": "calibration",
        "n": n,
        "seeds": seeds,
        "replicas": REPLICAS,
        "within_one": sum(abs(deviation) < 1 for deviation in deviations) / seeds,
        "within_three": sum(abs(deviation) < 3 for deviation in deviations) / seeds,
        "mean": math.fsum(deviations) / seeds,
        "standard_error": math.sqrt(math.fsum(estimate.standard_error**2 for estimate in found) / seeds),
    }


def _nanoseconds(n: int, seed: int) -> float:
    """Return the nanoseconds of a proposal on one thread, weighted with the sweeps at each node."""
    chain, energy = first_board(n, seed, 0, None)
    key, ahead = key_of(seed, 0), prefetch_distance(n)
    made, taken, sweeps = 0, 0.0, 0
    for node in NODES:
        of_node = odds(Fraction(node.t))
        energy, *_ = annealing_kernel.walk(chain, *of_node, key, energy, ahead, made, made + _PROPOSALS)
        begun = time.perf_counter()
        energy, *_ = annealing_kernel.walk(
            chain, *of_node, key, energy, ahead, made + _PROPOSALS, made + 2 * _PROPOSALS
        )
        taken += node.sweeps * (time.perf_counter() - begun) / _PROPOSALS * 1e9
        sweeps += node.sweeps
        made += 2 * _PROPOSALS
    return taken / sweeps
