"""What a replica of an estimate needs: a random first board, its random words, and integer odds.

A replica is one independent run of the chain of annealing_kernel.py, from a random permutation at t = 1 down to small
t. It depends on n, the seed and its number only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import row_dtype
from fastqueens.core.errors import Stopped
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import slices
from fastqueens.jit.stream import ANNEALING, stream_key
from fastqueens.sampling import annealing_kernel
from fastqueens.sampling.annealing_kernel import CHANGES, MOST_CHANGE, Chain
from fastqueens.solving import windows_kernel

#: Tells whether a replica should give up; None if nothing can stop it.
Stop = Callable[[], bool] | None

# Columns placed or counted between two calls of the stop callback.
_COLUMNS = 1 << 20


class Replica(NamedTuple):
    """What one replica has found.

    Attributes
    ----------
    log_count : float
        An estimate of ln Q(n).
    proposals, accepted : int
        All proposals, without those of the burn-in, and how many of them were accepted.
    energies, acceptances : tuple of float
        The mean energy and the share of accepted proposals at each node.
    """

    log_count: float
    proposals: int
    accepted: int
    energies: tuple[float, ...]
    acceptances: tuple[float, ...]


class Odds(NamedTuple):
    """The odds of one or several t, as the kernels take them; see :func:`fastqueens.sampling.annealing_kernel.walk`."""

    thresholds: NDArray[np.uint64]
    rises: NDArray[np.int64]


def odds(t: Fraction) -> Odds:
    """Return the odds of one t from 0 to 1, rounded down to multiples of 2**-63.

    >>> [int(word) >> 59 for word in odds(Fraction(1, 2)).thresholds]
    [16, 16, 16, 16, 16, 8, 4, 2, 1]
    """
    whole = 2**63
    powers = [t.numerator**d * whole // t.denominator**d for d in range(1, MOST_CHANGE + 1)]
    rises = [d * (power >> 31) for d, power in enumerate(powers, 1)]
    certain = CHANGES - MOST_CHANGE
    return Odds(np.array([whole] * certain + powers, np.uint64), np.array([0] * certain + rises, np.int64))


def first_board(n: int, seed: int, replica: int, stop: Stop) -> tuple[Chain, int]:
    """Return a random permutation with the queens on its diagonals, and its energy."""
    chain = Chain(np.empty(n, row_dtype(n)), np.zeros(2 * n - 1, np.uint8), np.zeros(2 * n - 1, np.uint8))
    for first, last in stoppable(n, _COLUMNS, stop):
        windows_kernel.place_permutation(chain.queens, np.uint64(seed), np.uint64(replica), first, last)
    energy = 0
    for first, last in stoppable(n, _COLUMNS, stop):
        energy += annealing_kernel.count_diagonals(chain, first, last)
    return chain, energy


def key_of(seed: int, replica: int) -> np.uint64:
    """Return the key of the random words of a replica."""
    return np.uint64(stream_key(np.uint64(seed), np.uint64(replica), ANNEALING))


def stoppable(end: int, size: int, stop: Stop, begin: int = 0) -> Iterator[tuple[int, int]]:
    """Cut begin..end into slices, and raise :class:`Stopped` before one of them if the caller wants to stop."""
    for first, last in slices(end, size, begin):
        if stop is not None and stop():
            raise Stopped("stopped while a replica was running")
        yield first, last


def check_room(n: int, chains: int) -> None:
    """Raise :class:`NotEnoughMemoryError` if this process has no room for the chains."""
    a_queen = np.dtype(row_dtype(n)).itemsize + 4
    check_memory(chains * a_queen * n, f"estimating n = {n:,} with {chains} replicas at a time")


def slice_of_proposals() -> int:
    """Return how many proposals are made between two calls of the stop callback."""
    return thresholds.current.annealing_slice


def prefetch_distance(n: int) -> np.uint64:
    """Return how many proposals ahead the kernel loads cache lines; 0 for boards that the cache holds."""
    return np.uint64(16 if n >= thresholds.current.annealing_far else 0)
