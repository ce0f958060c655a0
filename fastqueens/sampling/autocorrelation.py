"""How long a Markov chain remembers: integrated autocorrelation times of what was observed along independent chains."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

#: The sum over lags ends at the first lag that is this multiple of the autocorrelation time (Sokal 1997).
_WINDOW = 5

#: If the sum has not ended after this many windows of one sample, the correlation is taken never to decay. After one
#: window, it often has not ended by chance.
_WINDOWS = 2

#: Autocorrelation times that must fit into the observations of all chains, for a time to be told from noise.
_LEAST_TIMES = 20

#: Pairs of observations at a distance, for the autocorrelation there to be told from noise.
_LEAST_PAIRS = 100


class Correlation(StrEnum):
    """What is known about the correlation of observations along chains.

    ``DECAYS``: its time was measured. ``NEVER_DECAYS``: observations are correlated at all distances, although the
    chains are long enough to measure a time of one sample. ``UNKNOWN``: there are too few samples to tell.
    ``CONSTANT``: no feature varies.
    """

    DECAYS = "decays"
    NEVER_DECAYS = "never decays"
    UNKNOWN = "unknown"
    CONSTANT = "constant"


def autocorrelation_times(chains: Sequence[NDArray[np.int64]], every: int) -> tuple[float, float] | Correlation:
    """Return the integrated autocorrelation times of all observations, and of every k-th one.

    ``chains`` are (length, features) arrays. Both times are at least 1 and belong to the slowest feature; the second
    one is in units of the distance of every k-th observation. A time is 1 + 2 times the sum of the autocorrelations at
    all lags: N observations tell as much about their mean as N divided by this time independent ones.

    Autocorrelations are averaged over all chains, around the mean of all of them; a lag counts only if there are 100
    pairs of observations that far apart. The sum ends at the least lag M with M >= 5 times the sum so far: A. Sokal,
    "Monte Carlo methods in statistical mechanics", 1997. O(m log m) for m observations.
    """
    lengths = np.array([len(chain) for chain in chains])
    longest, total = int(lengths.max()), int(lengths.sum())
    pairs = np.maximum(lengths - np.arange(longest)[:, None], 0).sum(axis=1)
    known = np.count_nonzero(pairs >= _LEAST_PAIRS)
    # Zeros follow each chain, so that its end meets neither its beginning nor another chain.
    is_observed = np.arange(2 * longest) < lengths[:, None]
    slowest: tuple[float, float] | None = None
    for observed in np.concatenate(chains).T:
        # Relative to one of them, so that sums of equal values are exact.
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
            return Correlation.NEVER_DECAYS if known > _WINDOWS * _WINDOW * every else Correlation.UNKNOWN
        if total < _LEAST_TIMES * times[ends[0]]:
            return Correlation.UNKNOWN
        of_every = 1 + 2 * float(correlation[every : ends[0] + 1 : every].sum())
        before = slowest or (1.0, 1.0)
        slowest = max(before[0], float(times[ends[0]])), max(before[1], of_every)
    return slowest or Correlation.CONSTANT
