"""Autocorrelation times of Markov chains: the distance at which observations are nearly independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# The sum of autocorrelations ends at the first lag that is this multiple of the autocorrelation time (Sokal 1997).
_WINDOW = 5

# If the sum has not ended after this many windows of one sample, the correlation counts as never decaying. One window
# is too few, because by chance the sum often has not ended yet.
_WINDOWS = 2

# The least number of autocorrelation times in the observations of all chains, and of pairs of observations at a lag,
# for an estimate that is better than noise.
_LEAST_TIMES = 20
_LEAST_PAIRS = 100


class Autocorrelation(NamedTuple):
    """The ``correlation`` of ``Samples`` and, if it decays, the times of all observations and of every k-th one."""

    correlation: str
    time: float | None = None
    time_of_samples: float | None = None


def autocorrelation_times(chains: Sequence[NDArray[np.int64]], every: int) -> Autocorrelation:
    """Return the integrated autocorrelation times of the slowest feature in chains, (length, features) arrays.

    A time is at least 1, and otherwise 1 + 2 times the sum of the autocorrelations, averaged over all chains around
    their common mean. N observations are worth N / time independent observations. The sum ends at the first lag that is
    at least 5 times the sum so far: A. Sokal, "Monte Carlo methods in statistical mechanics", 1997. Takes O(m log m)
    time for m observations.
    """
    lengths = np.array([len(chain) for chain in chains])
    longest, total = int(lengths.max()), int(lengths.sum())
    pairs = np.maximum(lengths - np.arange(longest)[:, None], 0).sum(axis=1)
    known = np.count_nonzero(pairs >= _LEAST_PAIRS)
    # Pad each chain with zeros, so that its end overlaps neither its beginning nor another chain.
    is_observed = np.arange(2 * longest) < lengths[:, None]
    found = Autocorrelation("constant")
    for observed in np.concatenate(chains).T:
        # Subtract one value, so that sums of equal values are exact.
        values = (observed - observed[:1]).astype(np.float64)
        if not values.any():
            continue
        series = np.zeros(is_observed.shape)
        series[is_observed] = values - values.mean()
        covariance = np.fft.irfft(np.abs(np.fft.rfft(series.ravel())) ** 2)[:known]
        correlation = covariance / pairs[:known] / (series**2).sum() * total
        times = 2 * np.cumsum(correlation) - 1
        ends = np.flatnonzero(np.arange(known) >= _WINDOW * times)
        if not len(ends):
            return Autocorrelation("never decays" if known > _WINDOWS * _WINDOW * every else "unknown")
        if total < _LEAST_TIMES * times[ends[0]]:
            return Autocorrelation("unknown")
        of_every = 1 + 2 * float(correlation[every : ends[0] + 1 : every].sum())
        slowest, slowest_of_every = found.time or 1.0, found.time_of_samples or 1.0
        found = Autocorrelation("decays", max(slowest, float(times[ends[0]])), max(slowest_of_every, of_every))
    return found
