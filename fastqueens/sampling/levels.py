"""Replicas of an estimate of the number of solutions, Q = k! p(1) p(2) ... p(k).

Here k is the number of columns without a fixed queen. p(m) is the probability that no queen attacks the square of a
random empty column and a random empty row, on a uniformly random board with m holes.
docs/explanation/number-of-solutions.md has the proof.

Up to 64 such columns, and up to 512 with constraints, a chain walks over all m. On larger boards, ln p is a smooth
function of m / k. A chain measures it at eight values of m, the nodes of Gauss-Legendre quadrature, and a polynomial of
degree 8 through these and p(k) = 1 gives the other values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Stop, slices
from fastqueens._run.thresholds import USUAL
from fastqueens.board import row_dtype, set_bits
from fastqueens.chain import CERTAIN, board_with_holes
from fastqueens.errors import InputError, Stopped
from fastqueens.instance import Instance
from fastqueens.kernels import holes as holes_kernel
from fastqueens.kernels import sampling as sampling_kernel
from fastqueens.kernels.stream import ESTIMATING

#: Hops between two calls of the callbacks, which take about 20 ms, and the n from which chains load cache lines ahead.
LEVELS_SLICE: Final = 1 << 18
LOADED_AHEAD: Final = USUAL.holes_far

#: The most columns without a fixed queen for a walk over all numbers of holes, without and with constraints.
MOST_WALKED = 64
MOST_WALKED_WITH_CONSTRAINTS = 512

# The least number of steps of a walk, and the number per pair of columns.
_STEPS, _FOR_EACH_PAIR = 100_000, 20

# Steps of a trial walk that finds the odds, the most trials, and the unattacked squares to be seen for each m.
_STEPS_TO_TRY, _TO_TRY_FOR_EACH_PAIR, _TRIES, _SEEN = 5000, 5, 100, 8

# A walk is at m holes about as often as (m + 1) to this power.
_SLOPE = -2.0

# The largest probability with which a walk tries to put a queen in or to take one off.
_EXCHANGED = 0.95

# Sweeps of one hop and one relocation per column, at the eight values of m in descending order, before and during the
# measurement. All values contribute about equally to the error. Boards with fewer than 1,000 columns get more sweeps.
_BURN_IN = (2, 2, 3, 4, 6, 8, 8, 8)
_SWEEPS = (2, 4, 6, 16, 20, 20, 40, 36)
_MORE_SWEEPS_BELOW = 1000

# The odds of a walk with a fixed number of holes.
_RELOCATIONS = np.empty((0, 2), np.uint64)


class Replica(NamedTuple):
    """The result of one replica: ln Q, hops on all numbers of holes, and p(m) for the m of :func:`levels_of`."""

    log_count: float
    hops: int
    hops_tried: int
    free: list[float]


def is_walked(instance: Instance) -> bool:
    """Return whether a chain walks over all numbers of holes of an instance."""
    return instance.free_columns <= (MOST_WALKED if instance.is_free else MOST_WALKED_WITH_CONSTRAINTS)


def levels_of(instance: Instance) -> list[int]:
    """Return the numbers of holes m at which p(m) is measured, in descending order."""
    columns = instance.free_columns
    if is_walked(instance):
        return list(range(columns, 0, -1))
    nodes, _ = np.polynomial.legendre.leggauss(len(_SWEEPS))
    return [round(columns * (1 - node) / 2) for node in nodes]


def hops_of_replica(instance: Instance) -> int:
    """Return the approximate number of hops that a replica tries."""
    columns = instance.free_columns
    if is_walked(instance):
        return 2 * max(_STEPS, _FOR_EACH_PAIR * columns**2)
    return (sum(_BURN_IN) + sum(_SWEEPS)) * _factor(columns) * columns


def check_room(instance: Instance, chains: int) -> None:
    """Raise :class:`NotEnoughMemoryError` if this process has no room for the chains."""
    n = instance.n
    need = n * (np.dtype(row_dtype(n)).itemsize + 2) + 24 * instance.free_columns
    check_memory(chains * need, f"estimating n = {n:,} with {chains} replicas at a time")


def run_replica(
    instance: Instance, seed: int, number: int, stop: Stop | None = None, progress: Callable[[int], None] | None = None
) -> Replica:
    """Return the estimate of one replica, possibly in another process. ``progress`` receives the hops so far."""
    chain = _LevelChain(instance, seed, number, stop, progress)
    free = chain.walk() if is_walked(instance) else chain.measure()
    hops, hops_tried = chain.state[[holes_kernel.HOPS, holes_kernel.HOPS_TRIED]].tolist()
    return Replica(log_count(instance, free.tolist()), hops, hops_tried, free.tolist())


def log_count(instance: Instance, free: Sequence[float]) -> float:
    """Return ln Q, from p(m) for the m of :func:`levels_of`."""
    k, logs = instance.free_columns, np.log(free)
    if not is_walked(instance):
        return math.lgamma(k + 1) + _sum_of_all(np.array(levels_of(instance)) / k, logs, k)
    return math.lgamma(k + 1) + math.fsum(logs)


class _LevelChain:
    """A chain that begins with only the fixed queens."""

    def __init__(
        self,
        instance: Instance,
        seed: int,
        number: int,
        stop: Stop | None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        n, k = instance.n, instance.free_columns
        self._instance = instance
        self._stop, self._progress, self._steps = stop, progress, 0
        self._board = board = board_with_holes(np.zeros(n, row_dtype(n)), instance, k)
        self._movable = ~board.closed
        board.closed[:] = CERTAIN - 1
        fixed = instance.fixed
        board.queens[fixed.columns] = fixed.rows
        set_bits(board.sums, fixed.columns + fixed.rows)
        set_bits(board.differences, fixed.columns - fixed.rows + n)
        board.columns[:] = np.delete(np.arange(n, dtype=np.uint32), fixed.columns)
        board.rows[:] = np.delete(np.arange(n, dtype=np.uint32), fixed.rows)
        self.state = np.zeros(holes_kernel.STATE_LENGTH, np.uint64)
        holes_kernel.start(self.state, np.uint64(seed), np.uint64(number), ESTIMATING)
        self.state[[holes_kernel.HOLES, holes_kernel.FAR]] = k, n >= LOADED_AHEAD

    def measure(self) -> NDArray[np.float64]:
        """Return p(m) for the m of :func:`levels_of`."""
        k = self._instance.free_columns
        sweep = _factor(k) * k
        found = []
        for holes, burn_in, sweeps in zip(levels_of(self._instance), _BURN_IN, _SWEEPS, strict=True):
            fill = np.zeros((k + 1, 2), np.uint64)
            fill[holes + 1 :, 0] = CERTAIN - 1
            while self.state[holes_kernel.HOLES] > holes:
                self._look(fill, k // 4)
            self._look(_RELOCATIONS, burn_in * sweep)
            free, looked = self._look(_RELOCATIONS, sweeps * sweep)
            found.append(free / looked)
        return np.concatenate(found)

    def walk(self) -> NDArray[np.float64]:
        """Return p(m) for m = k, k - 1, ..., 1."""
        k = self._instance.free_columns
        m = np.arange(k + 1)
        p = np.maximum(0.1, m / k)

        def visit(least: int, for_each_pair: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            rise = np.append(p[1:], 0) * ((m + 2) / (m + 1)) ** _SLOPE
            insert = _EXCHANGED / (1 + rise)
            remove = np.minimum(rise * np.append(insert[1:], 0), 1 - insert)
            odds = np.ldexp(np.stack((insert, remove), axis=1), 63).astype(np.uint64) * np.uint64(2)
            odds[0] = 0, CERTAIN - 1
            return self._look(odds, max(least, for_each_pair * k**2), k + 1)

        for _ in range(_TRIES):
            free, looked = visit(_STEPS_TO_TRY, _TO_TRY_FOR_EACH_PAIR)
            # Where no unattacked square was seen, the walk visits m too rarely.
            np.divide(np.maximum(free, 0.5), looked, out=p, where=looked > 0)
            if (free[1:] >= _SEEN).all():
                break
        else:
            raise InputError(
                f"no solution of {self._instance.in_words} was met: there is none, or solutions are too rare for an "
                "estimate; try fastqueens count, or count_solutions in Python"
            )
        free, looked = visit(_STEPS, _FOR_EACH_PAIR)
        while not free[1:].all():
            more = visit(_STEPS, _FOR_EACH_PAIR)
            free, looked = free + more[0], looked + more[1]
        return (free[1:] / looked[1:])[::-1]

    def _look(
        self, odds: NDArray[np.uint64], steps: int, entries: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Walk, and return the unattacked squares and all squares seen for each number of holes."""
        free, squares = np.zeros((2, entries), np.uint64)
        for first, last in slices(steps, LEVELS_SLICE):
            sampling_kernel.walk_over_levels(self._board, self._movable, odds, self.state, free, squares, last - first)
            self._steps += last - first
            if self._progress is not None:
                self._progress(self._steps)
            if self._stop is not None and self._stop():
                raise Stopped("stopped while a replica was running")
        return free.astype(np.float64), squares.astype(np.float64)


def _factor(columns: int) -> int:
    return max(1, _MORE_SWEEPS_BELOW // columns)


def _sum_of_all(x: NDArray[np.float64], values: NDArray[np.float64], k: int) -> float:
    """Return the sum over x = 1 / k, 2 / k, ..., 1 of the polynomial through some values and 0 at x = 1.

    By the formula of Euler and Maclaurin. The next term, of order k**-5, is smaller than the rounding error.
    """
    polynomial = np.polynomial.Chebyshev.fit([*x, 1.0], [*values, 0.0], len(x), domain=[0, 1])
    whole, first, third = polynomial.integ(), polynomial.deriv(), polynomial.deriv(3)

    def rise(f: np.polynomial.Chebyshev) -> float:
        return float(f(1.0) - f(0.0))

    return k * rise(whole) + rise(polynomial) / 2 + rise(first) / (12 * k) - rise(third) / (720 * k**3)
