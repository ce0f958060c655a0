"""Annealed importance sampling (Neal 2001): an estimate of Q(n) whose mean is Q(n), however slowly the chain mixes.

A replica goes down a ladder of values of t, from 1 to 0, with some sweeps on each rung. Going from t to t' multiplies
its weight by (t' / t)**E for the energy E of its board, and the last step, to t = 0, by 1 if E = 0 and by 0 otherwise.
n! times the mean weight is Q(n). (The odds are rounded to multiples of 2**-63, which nothing can show.)
"""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels import annealing
from fastqueens.sampling.annealing import (
    Replica,
    Stop,
    first_board,
    key_of,
    odds,
    slice_of_proposals,
    stoppable,
)

#: The largest n: a replica makes 128 n**2 proposals, and its ladder has 32 rungs a queen.
MOST_N = 300

_STEEPNESS = 3
_LEAST_RUNGS = 1024
_RUNGS_A_QUEEN = 32
_SWEEPS = 4
_LEAST_PROPOSALS = 1 << 17


class Ladder(NamedTuple):
    """The rungs after t = 1: thresholds of each, the logarithms of the ratios of neighbouring t, proposals on each."""

    thresholds: NDArray[np.uint64]
    log_ratios: tuple[float, ...]
    proposals: int


def weigh(n: int, seed: int, number: int, stop: Stop = None) -> Replica:
    """Return the estimate of one replica. Executors call it in their processes."""
    rungs = ladder(n)
    chain, energy = first_board(n, seed, number, stop)
    key = key_of(seed, number)
    energies = np.empty(len(rungs.log_ratios), np.int64)
    accepted = 0
    for first, last in stoppable(len(energies), max(1, slice_of_proposals() // rungs.proposals), stop):
        energy, accepted_here = annealing.anneal(
            chain, rungs.thresholds, energies, key, energy, rungs.proposals, first, last
        )
        accepted += accepted_here
    log_weight = math.fsum(map(float.__mul__, rungs.log_ratios, energies.astype(np.float64).tolist()))
    log_count = math.lgamma(n + 1) + log_weight if energy == 0 else -math.inf
    return Replica(log_count, proposals_of_replica(n), accepted)


@functools.lru_cache(maxsize=4)
def ladder(n: int) -> Ladder:
    """Return the ladder for n: rung k of K has t = ((K - k) / (K + 3 k))**2, exactly.

    So most rungs are at small t, about in proportion to the square root of the variance of E there.
    """
    rungs, proposals = _size(n)
    ts = [Fraction(rungs - rung, rungs + _STEEPNESS * rung) ** 2 for rung in range(rungs)]
    table = np.array([odds(t).thresholds for t in ts[1:]])
    log_ratios = tuple(math.log(lower / upper) for upper, lower in itertools.pairwise(ts))
    return Ladder(table, log_ratios, proposals)


def proposals_of_replica(n: int) -> int:
    """Return how many proposals a replica makes."""
    rungs, proposals = _size(n)
    return (rungs - 1) * proposals


def _size(n: int) -> tuple[int, int]:
    """Return the rungs of the ladder for n, and the proposals on each."""
    rungs = max(_LEAST_RUNGS, _RUNGS_A_QUEEN * n)
    return rungs, max(_SWEEPS * n, _LEAST_PROPOSALS // rungs)
