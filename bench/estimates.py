"""Estimates of the number of solutions: next to exact numbers, their errors over many seeds, and gamma."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import fastqueens

#: Threads of all estimates.
THREADS = 2

#: Boards whose solutions have been counted, and seconds for each.
EXACT = (8, 12, 20, 27)
SECONDS = 5.0

#: Seeds and replicas of the estimates whose errors are compared with the exact numbers.
SEEDS = 200
REPLICAS = 16

#: Boards whose gamma is estimated, seconds for each, and the largest error.
GAMMAS = {10**5: (180.0, 1e-5), 10**6: (600.0, 5e-6)}

#: Boards whose ln Q(n) is estimated for the constant C of Q(n) = C sqrt(n) (n / e^gamma)^n, and seconds for each.
SMALLER = {30: 60.0, 50: 60.0, 100: 120.0, 200: 120.0, 500: 120.0, 10**3: 180.0, 10**4: 120.0}


def measure(exact: Sequence[int] = EXACT, seconds: float = SECONDS, seeds: int = SEEDS) -> Iterator[dict[str, Any]]:
    """Estimate each number for some seconds, and then with many seeds."""
    for n in exact:
        yield {"kind": "exact", **_figures(n, seconds)}
    for n in exact:
        yield _calibration(n, seeds)


def measure_gamma(gammas: Mapping[int, tuple[float, float]] = GAMMAS) -> Iterator[dict[str, Any]]:
    """Estimate gamma on large boards."""
    for n, (seconds, at_most) in gammas.items():
        yield {"at_most": at_most, **_figures(n, seconds)}


def measure_constant() -> Iterator[dict[str, Any]]:
    """Estimate ln Q(n) on smaller boards, where its error is below one."""
    for n, seconds in SMALLER.items():
        yield _figures(n, seconds)


def _figures(n: int, seconds: float) -> dict[str, Any]:
    figures = fastqueens.estimate(n, seed=1, seconds=seconds, threads=THREADS).as_dict()
    del figures["levels"]
    return {"threads": THREADS, **figures}


def _calibration(n: int, seeds: int) -> dict[str, Any]:
    """Compare the deviations of many estimates from the exact number with their standard errors."""
    found = [fastqueens.estimate(n, seed=seed, replicas=REPLICAS, threads=THREADS) for seed in range(1, seeds + 1)]
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
