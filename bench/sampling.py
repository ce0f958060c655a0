"""The chain that mixes solutions: its speed, the density that it leads to, and samples against all solutions."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

import fastqueens
from bench.timing import compared_with_limit, spread
from fastqueens.core.arguments import SWEEPS
from fastqueens.core.board import Queens
from fastqueens.core.instance import make_instance
from fastqueens.core.progress import Callbacks
from fastqueens.solving.mixing import SolutionChain, mix

#: Nanoseconds a proposal on one thread, at most.
PROPOSALS = {10**3: 12.0, 10**5: 14.0, 10**6: 15.0, 10**7: 30.0}
_PROPOSALS_A_RUN = 20_000_000
_RUNS = 5

#: Seconds that 300 sweeps may take.
MIXING = {10**5: (0.5, 5), 10**6: (4.0, 3), 10**7: (80.0, 1)}

#: Chi-square for each cell of this grid, at n = 10**6, against the limit shape.
_CELLS = 32
_DENSITY_N = 10**6
DENSITY = (0.8, 1.05)
_DENSITY_SEEDS = range(1, 6)

#: Samples of small boards, and the seeds with which they are compared with all solutions.
SAMPLES = {6: 100_000, 8: 200_000, 10: 200_000, 12: 284_000}
SEEDS = range(1, 6)
P_VALUES = (0.001, 0.999)


def measure_mixing() -> Iterator[dict[str, Any]]:
    """Measure proposals, mixing, and the density after it."""
    for n, limit in PROPOSALS.items():
        yield compared_with_limit(f"a proposal, n = 10^{_exponent(n)}, one thread", "ns", limit, spread(_proposals(n)))
    for n, (seconds, runs) in MIXING.items():
        taken = [_mixing(n, seed) for seed in range(1, runs + 1)]
        yield compared_with_limit(f"`--mix {SWEEPS}`, n = 10^{_exponent(n)}", "s", seconds, spread(taken))
    for name, start, sweeps in (("a greedy board", _greedy, SWEEPS), ("an even-odd board", _even_odd, SWEEPS + 100)):
        values = [_chi_square_per_cell(start(seed), sweeps, seed) for seed in _DENSITY_SEEDS]
        what = f"chi-square per cell, {_CELLS} x {_CELLS}, n = 10^6, {sweeps} sweeps from {name}; at least {DENSITY[0]}"
        yield compared_with_limit(what, "", DENSITY[1], spread(values))


def measure_samples() -> Iterator[dict[str, Any]]:
    """Compare samples of small boards with all solutions."""
    for n, count in SAMPLES.items():
        yield _against_all_solutions(n, count)


def _exponent(n: int) -> int:
    return len(str(n)) - 1


def _proposals(n: int) -> list[float]:
    """Return the nanoseconds of a proposal in several runs, after a warm-up."""
    queens = fastqueens.solve(n, seed=1, trace=False).queens
    chain = SolutionChain(queens, make_instance(n), 1, 0)
    taken = []
    for _ in range(_RUNS + 1):
        before, begun = chain.proposals, time.perf_counter()
        chain.advance(_PROPOSALS_A_RUN)
        taken.append((time.perf_counter() - begun) / (chain.proposals - before) * 1e9)
    return taken[1:]


def _mixing(n: int, seed: int) -> float:
    """Return the seconds that solving with ``mix`` spends on mixing."""
    result = fastqueens.solve(n, seed=seed, mix=SWEEPS, trace=False)
    return result.timings.mixing


def _greedy(seed: int) -> Queens:
    return fastqueens.solve(_DENSITY_N, seed=seed, trace=False).queens


def _even_odd(_seed: int) -> Queens:
    """Return the textbook solution: the odd rows, then the even ones; valid for this n."""
    return np.concatenate([np.arange(1, _DENSITY_N, 2), np.arange(0, _DENSITY_N, 2)]).astype(np.int32)


def _chi_square_per_cell(queens: Queens, sweeps: int, seed: int) -> float:
    mix(queens, make_instance(_DENSITY_N), sweeps, seed, Callbacks())
    if not fastqueens.is_solution(queens):
        raise RuntimeError(f"seed {seed}: the mixed board is no solution")
    return fastqueens.statistics(queens, _CELLS).chi_square_per_cell


def _against_all_solutions(n: int, count: int) -> dict[str, Any]:
    """Return how often samples of several seeds hit each solution, as p-values of a chi-square test."""
    powers = n ** np.arange(n, dtype=np.int64)
    numbers = np.sort(np.array([board @ powers for board in fastqueens.all_solutions(n)]))
    drawn = [fastqueens.sample(n, count, seed=seed) for seed in SEEDS]
    squares = [_chi_square(np.searchsorted(numbers, samples.boards @ powers), len(numbers)) for samples in drawn]
    freedom = len(numbers) - 1
    return {
        "n": n,
        "count": count,
        "thinning": drawn[0].thinning,
        "freedom": freedom,
        "chi_squares": squares,
        "p_values": [float(chi2.sf(value, freedom)) for value in squares],
        "autocorrelation_time": statistics.median(samples.autocorrelation_time or math.nan for samples in drawn),
    }


def _chi_square(found: NDArray[np.int64], solutions: int) -> float:
    counts = np.bincount(found, minlength=solutions)
    expected = len(found) / solutions
    return float(((counts - expected) ** 2).sum()) / expected
