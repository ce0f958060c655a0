"""Annealed importance sampling (Neal 2001): another estimate of Q(n), right on average however slowly the chain mixes.

A replica goes down a ladder of values of t, from 1 to 0, with some proposals on each rung. Going from t to t' makes
its weight (t' / t)**E times as large for the energy E of its board; the last step, to t = 0, makes it 0 unless E = 0.
n! times the mean weight is Q(n).
"""

import functools
import itertools
import math
import statistics
from fractions import Fraction

import numpy as np

from fastqueens.sampling import annealing_kernel
from fastqueens.sampling.annealing import first_board, key_of, odds


def log_weight(n, seed, number, rungs, proposals):
    """Return ln n! plus the logarithm of the weight of a replica; minus infinity if it ends at no solution."""
    chain, energy = first_board(n, seed, number, None)
    key, found = key_of(seed, number), math.lgamma(n + 1)
    for rung, (log_ratio, of_rung) in enumerate(_steps(rungs)):
        found += log_ratio * energy
        begin = rung * proposals
        energy, *_ = annealing_kernel.walk(chain, *of_rung, key, energy, np.uint64(0), begin, begin + proposals)
    return found if energy == 0 else -math.inf


def ladder(rungs):
    """Return the values of t: most are small, about as many as the variance of E asks for."""
    return [Fraction(rungs - rung, rungs + 3 * rung) ** 2 for rung in range(rungs)]


@functools.cache
def _steps(rungs):
    ts = ladder(rungs)
    return [(math.log(t / before), odds(t)) for before, t in itertools.pairwise(ts)]


def estimate(n, seed, replicas, rungs, proposals):
    """Return the logarithm of the mean of Q(n) over some replicas, and its standard error."""
    logs = [log_weight(n, seed, number, rungs, proposals) for number in range(replicas)]
    weights = [math.exp(value - max(logs)) for value in logs]
    mean = statistics.fmean(weights)
    return max(logs) + math.log(mean), statistics.stdev(weights) / mean / math.sqrt(replicas)
