"""The limit shape of uniformly random solutions: two functions of one variable that give its density everywhere.

docs/limit-shape.md derives the equation and shows how accurate its solution is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.polynomial.chebyshev import chebpts1, chebvander
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Coefficients of ``weight``; ``free`` has twice as many. The values are then wrong by less than 1e-8.
ORDER = 24

#: What rounding may add to a value of the dual problem. The values for orders from 16 to 48 differ by 4e-14.
_ROUNDING = 1e-13

#: Each step makes the error smaller by a factor of 0.886, so rounding is all that remains.
_STEPS = 300


class LimitShape(NamedTuple):
    """The density of the limit shape on the unit square, as a product of functions of the four lines of a point.

    By symmetry, both functions are needed on one half only. They are Chebyshev series, called like functions.

    Attributes
    ----------
    weight : Chebyshev
        ``weight(x)`` is the factor of column x or row x, for x from 0 (the edge) to 1/2 (the middle).
    free : Chebyshev
        ``free(s)`` is the share of empty diagonals among those at s, for s from 0 (a corner) to 1 (the longest one).
    """

    weight: Chebyshev
    free: Chebyshev

    def density(self, x: Array, y: Array) -> Array:
        """Return the density at points of the unit square, relative to the even share; x and y are broadcast."""
        x, y = np.minimum(x, 1 - x), np.minimum(y, 1 - y)
        return np.asarray(self.weight(x) * self.weight(y) * self.free(x + y) * self.free(1 - np.abs(x - y)))


class LimitGamma(NamedTuple):
    """The constant of :func:`limit_gamma`.

    Attributes
    ----------
    gamma : float
        The limit of ln n - ln(Q(n)) / n.
    error : float
        Estimate of the largest error of ``gamma``; not a proven bound.
    """

    gamma: float
    error: float


def limit_gamma() -> LimitGamma:
    """Return the limit of ln n - ln(Q(n)) / n for large n; Q(n) is the number of solutions.

    Returns
    -------
    LimitGamma
        ``gamma`` and an estimate of its error: the change when the two functions of the limit shape get twice as many
        coefficients, and what rounding may add.

    Notes
    -----
    0.1 s for the first call, 0.02 s for further ones. The constant is computed, not stored, from the convex problem of
    M. Simkin, "The number of n-queens configurations", Advances in Mathematics 427 (2023) 109127. It is known to be
    between 1.9440007 and 1.9440011: P. Nobel, A. Agrawal, S. Boyd, "Computing tighter bounds on the n-queens constant
    via Newton's method", Optimization Letters (2022), https://doi.org/10.1007/s11590-022-01933-2.

    Examples
    --------
    >>> round(limit_gamma().gamma, 10)
    1.9440010226
    """
    coarse, fine = dual_value(limit_shape(ORDER // 2)), dual_value(limit_shape(ORDER))
    return LimitGamma(fine, abs(fine - coarse) + _ROUNDING)


@lru_cache
def limit_shape(order: int = ORDER) -> LimitShape:
    """Solve the equation of the limit shape: the density is 1 on average in each column, and ``free`` is what it says.

    Both functions are interpolated at Chebyshev points; Gauss quadrature integrates between the kinks of the density.
    Each step improves the dual problem or changes nothing. O(order^3) memory, O(order^3) time a step.
    """
    columns, sums = (chebpts1(order) + 1) / 4, (chebpts1(2 * order) + 1) / 2
    # Divide columns at the kink of the density. Divide diagonals where the row passes the middle: the third derivative
    # of weight jumps there.
    y, column_share = _pieces(columns, np.full(order, 0.5), order)
    x, sum_share = _pieces(np.maximum(sums - 0.5, 0), sums / 2, order)

    def weight_at(points: Array) -> Array:
        return _interpolation(4 * points - 1, order)

    def free_at(points: Array) -> Array:
        return _interpolation(2 * points - 1, 2 * order)

    # Along a column: the other row, its sum diagonal and its difference diagonal.
    on_column = weight_at(y), free_at(columns[:, None] + y), free_at(1 - np.abs(columns[:, None] - y))
    # Along a sum diagonal: the column, the row, which may be past the middle, and the difference diagonal.
    past = sums[:, None] - x
    on_sum = weight_at(x), weight_at(np.minimum(past, 1 - past)), free_at(1 - past + x)

    weight, free = np.ones(order), np.full(2 * order, 0.5)
    for _ in range(_STEPS):
        mean = weight * _integrals(column_share, (on_column[0] @ weight, on_column[1] @ free, on_column[2] @ free))
        weight = weight / np.sqrt(mean)
        load = _integrals(sum_share, (on_sum[0] @ weight, on_sum[1] @ weight, on_sum[2] @ free))
        free = np.sqrt(free / (1 + load))
    return LimitShape(_series(weight, 0.5), _series(free, 1.0))


def column_mean(shape: LimitShape, x: Array) -> Array:
    """Return the mean density in columns x, from 0 to 1/2: 1 if the shape solves its equation."""
    y, share = _pieces(x, np.full(len(x), 0.5), len(shape.free))
    return _integrals(share, (shape.density(x[:, None], y),))


def occupancy(shape: LimitShape, s: Array) -> Array:
    """Return the share of sum diagonals at s, from 0 to 1, that hold a queen: 1 - free(s) if it solves its equation."""
    x, share = _pieces(np.maximum(s - 0.5, 0), s / 2, len(shape.free))
    return _integrals(share, (shape.density(x, s[:, None] - x),))


def dual_value(shape: LimitShape) -> float:
    """Return what the dual problem gives for any two positive functions: at most gamma, and gamma at its solution."""
    points, share = gauss(4 * len(shape.free))
    weight, free = shape.weight(points / 2), shape.free(points)
    mass = float(column_mean(shape, points / 2) @ share)
    return float(2 * np.log(weight) @ share - mass + 4 * (np.log(free) - free) @ share + 6)


def gauss(points: int) -> tuple[Array, Array]:
    """Return Gauss points between 0 and 1, and their weights."""
    places, share = leggauss(points)
    return (places + 1) / 2, share / 2


def _pieces(middle: Array, last: Array, order: int) -> tuple[Array, Array]:
    """Return Gauss points from 0 to ``middle`` and on to ``last``, and their weights, for each line."""
    points, share = gauss(order)
    one, other = middle[:, None], (last - middle)[:, None]
    return np.hstack((one * points, one + other * points)), np.hstack((one * share, other * share))


def _integrals(share: Array, factors: tuple[Array, ...]) -> Array:
    """Integrate a product along each line: over one half, because the other half is its mirror image."""
    return np.asarray(2 * (np.prod(factors, axis=0) * share).sum(axis=1))


def _interpolation(points: Array, order: int) -> Array:
    """Return the matrix from values at ``order`` Chebyshev points to values at points from -1 to 1."""
    return np.asarray(chebvander(points, order - 1) @ np.linalg.inv(chebvander(chebpts1(order), order - 1)))


def _series(values: Array, last: float) -> Chebyshev:
    """Return the series with these values at the Chebyshev points from 0 to ``last``."""
    order = len(values)
    return Chebyshev(np.linalg.solve(chebvander(chebpts1(order), order - 1), values), domain=[0, last])
