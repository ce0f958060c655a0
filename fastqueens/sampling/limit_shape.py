"""The limit shape of uniformly random solutions: its density, and its predictions for boards of n.

Two functions of one variable give the density everywhere. docs/explanation/limit-shape.md has their equation and the
accuracy of the solution.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial import Chebyshev
from numpy.polynomial.chebyshev import chebpts1, chebvander
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer
from fastqueens.densities import MOST_CELLS, cell_edges

Array = NDArray[np.float64]

#: Number of coefficients of ``weight``; ``free`` has twice as many. The error of the values is below 1e-8.
ORDER = 24

#: Bound of rounding errors in a value of the dual problem. The values for orders from 16 to 48 differ by 4e-14.
_ROUNDING = 1e-13

#: Each step multiplies the error by 0.886, so only rounding errors remain.
_STEPS = 300


class LimitShape(NamedTuple):
    """The density of the limit shape on the unit square, as a product of functions of the four lines of a point.

    By symmetry, both functions are defined on one half only. They are Chebyshev series, called like functions.

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
        """Return the density at points of the unit square, relative to the average; x and y are broadcast."""
        x, y = np.minimum(x, 1 - x), np.minimum(y, 1 - y)
        return np.asarray(self.weight(x) * self.weight(y) * self.free(x + y) * self.free(1 - np.abs(x - y)))


class LimitGamma(NamedTuple):
    """Simkin's constant, as :func:`limit_gamma` returns it.

    Attributes
    ----------
    gamma : float
        The limit of ln n - ln(Q(n)) / n.
    error : float
        Estimate of the largest error of ``gamma``, which is not a proved bound.

    See Also
    --------
    limit_gamma : Compute the constant.

    Examples
    --------
    >>> gamma, error = limit_gamma()
    >>> round(gamma, 6), error < 1e-9
    (1.944001, True)
    """

    gamma: float
    error: float


def limit_gamma() -> LimitGamma:
    """Return Simkin's constant: the limit of ln n - ln(Q(n)) / n, where Q(n) is the number of solutions.

    Returns
    -------
    LimitGamma
        ``gamma`` and an estimate of its error, from the change with twice as many coefficients and from rounding.

    See Also
    --------
    estimate : Estimate Q(n) for one n.
    limit_density : Compute the density of large random solutions.

    Notes
    -----
    The first call takes 0.05 s, and later calls take 0.01 s. The constant is computed from the convex problem of
    M. Simkin, "The number of n-queens configurations", Advances in Mathematics 427 (2023) 109127. It is known to be
    between 1.9440007 and 1.9440011: P. Nobel, A. Agrawal, S. Boyd, "Computing tighter bounds on the n-queens constant
    via Newton's method", Optimization Letters 17 (2023), https://doi.org/10.1007/s11590-022-01933-2.

    Examples
    --------
    >>> round(limit_gamma().gamma, 10)
    1.9440010226
    """
    coarse, fine = dual_value(limit_shape(ORDER // 2)), dual_value(limit_shape(ORDER))
    return LimitGamma(fine, abs(fine - coarse) + _ROUNDING)


@lru_cache
def limit_shape(order: int = ORDER) -> LimitShape:
    """Solve the equation of the limit shape: mean density 1 in each column, and ``free`` the share of empty diagonals.

    Both functions are interpolated at Chebyshev points; Gauss quadrature integrates between the kinks of the density.
    Each step improves the dual problem or changes nothing. O(order^3) memory, O(order^3) time per step.
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
    # Along a sum diagonal: the column, the row, which can be past the middle, and the difference diagonal.
    past = sums[:, None] - x
    on_sum = weight_at(x), weight_at(np.minimum(past, 1 - past)), free_at(1 - past + x)

    weight, free = np.ones(order), np.full(2 * order, 0.5)
    for _ in range(_STEPS):
        mean = weight * _integrals(column_share, (on_column[0] @ weight, on_column[1] @ free, on_column[2] @ free))
        weight = weight / np.sqrt(mean)
        load = _integrals(sum_share, (on_sum[0] @ weight, on_sum[1] @ weight, on_sum[2] @ free))
        free = np.sqrt(free / (1 + load))
    return LimitShape(
        Chebyshev.fit(columns, weight, order - 1, domain=[0, 0.5]),
        Chebyshev.fit(sums, free, 2 * order - 1, domain=[0, 1]),
    )


def column_mean(shape: LimitShape, x: Array) -> Array:
    """Return the mean density in columns x, from 0 to 1/2: 1 if the shape solves its equation."""
    y, share = _pieces(x, np.full(len(x), 0.5), len(shape.free))
    return _integrals(share, (shape.density(x[:, None], y),))


def dual_value(shape: LimitShape) -> float:
    """Return the value of the dual problem for two positive functions: at most gamma, and gamma at its solution."""
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


#: Cells are divided until the board has this many parts per side. With twice as many parts, the density changes by
#: 1e-9.
_LEAST_PARTS = 256


def limit_density(k: SupportsIndex) -> NDArray[np.float64]:
    """Return the density of queens of large random solutions in k x k cells.

    Parameters
    ----------
    k : int
        Cells per side, from 1 to 4096.

    Returns
    -------
    (k, k) float64 array
        Queens in each cell, relative to the average of one queen in n squares. The mean of each row and each column is
        1, and the array is exactly symmetric under the eight symmetries of the square. The error is below 1e-7.

    Raises
    ------
    InputError
        If ``k`` is not an integer from 1 to 4096.

    See Also
    --------
    limit_occupancy : Compute the share of occupied diagonals.
    statistics : Compare boards with the limit shape.

    Notes
    -----
    Takes O(k^2) time. The first call takes about 0.05 s longer, because it solves the equation of the limit shape by M.
    Simkin, "The number of n-queens configurations", Advances in Mathematics 427 (2023) 109127.

    Examples
    --------
    >>> limit_density(4).round(3)
    array([[0.877, 1.123, 1.123, 0.877],
           [1.123, 0.877, 0.877, 1.123],
           [1.123, 0.877, 0.877, 1.123],
           [0.877, 1.123, 1.123, 0.877]])
    """
    k = check_integer(k, "k", 1, MOST_CELLS)
    # A quarter of the board has half as many parts, which must be a whole number.
    per_cell = -(-_LEAST_PARTS // k)
    per_cell += k * per_cell % 2
    quarter = _quarter(limit_shape(), k * per_cell // 2)
    # If k is odd, half of the middle cell is in the quarter; its mirror image has the same density.
    starts = np.arange(0, len(quarter), per_cell)
    sizes = np.diff(starts, append=len(quarter))
    for _ in ("rows", "columns"):
        quarter = np.add.reduceat(quarter, starts, axis=0).T / sizes
    quarter = (quarter + quarter.T) / 2  # the two sums were rounded differently
    mirrored = _mirrored(k)
    return quarter[np.ix_(mirrored, mirrored)]


def limit_occupancy(k: SupportsIndex) -> NDArray[np.float64]:
    """Return the share of diagonals that hold a queen in large random solutions, in k spans of diagonals.

    Parameters
    ----------
    k : int
        Number of spans of equally many diagonals, from 1 to 4096.

    Returns
    -------
    (k,) float64 array
        The mean share in each span, from one corner to the opposite one. It is the same for sum and difference
        diagonals. The mean of all spans is 1/2, because n queens stand on 2 n - 1 diagonals of each kind. The error is
        below 1e-7.

    Raises
    ------
    InputError
        If ``k`` is not an integer from 1 to 4096.

    See Also
    --------
    limit_density : Compute the density of queens.

    Examples
    --------
    >>> limit_occupancy(5).round(3)
    array([0.188, 0.656, 0.811, 0.656, 0.188])
    """
    k = check_integer(k, "k", 1, MOST_CELLS)
    return _occupied_between(np.append(np.arange((k + 1) // 2) * 2 / k, 1))[_mirrored(k)]


def _occupied_between(edges: Array) -> Array:
    """Return the mean share of diagonals with a queen in each span between two edges, from 0 to 1."""
    free_before = limit_shape().free.integ(lbnd=0)
    return np.asarray(1 - np.diff(free_before(edges)) / np.diff(edges))


def _mirrored(k: int) -> NDArray[np.int64]:
    """Return the distance of each of k cells from the nearer end: 0, 1, ..., 1, 0."""
    return np.minimum(np.arange(k), np.arange(k)[::-1])


def _quarter(shape: LimitShape, parts: int) -> Array:
    """Return the mean density in parts x parts squares of a quarter of the board, the corner first.

    Two Gauss points per side suffice, except where the density has a kink.
    """
    side = 0.5 / parts
    density = np.zeros((parts, parts))
    for right, down in product(gauss(2)[0], repeat=2):
        density += _at_points(shape, side, parts, right, down) / 4
    np.fill_diagonal(density, _on_diagonal(shape, side, parts))
    return density


def _at_points(shape: LimitShape, side: float, parts: int, right: float, down: float) -> Array:
    """Return the density at the same point of each square: ``right`` and ``down`` from its corner, in sides."""
    place = np.arange(parts)
    sums = shape.free(side * (np.arange(2 * parts - 1) + (right + down)))
    differences = shape.free(1 - side * np.abs(np.arange(1 - parts, parts) + (right - down)))
    density = np.outer(shape.weight(side * (place + right)), shape.weight(side * (place + down)))
    density *= sliding_window_view(sums, parts)
    density *= sliding_window_view(differences, parts)[:, ::-1]
    return density


def _on_diagonal(shape: LimitShape, side: float, parts: int) -> Array:
    """Return the mean density in the squares on the main diagonal, where it has a kink: over the triangle on one side.

    The lines x = constant of the triangle 0 < y < x < side become as long as its side.
    """
    points, share = gauss(3)
    x = side * (np.arange(parts)[:, None, None] + points[:, None])
    y = side * (np.arange(parts)[:, None, None] + points[:, None] * points)
    return np.asarray((shape.density(x, y) * 2 * np.outer(points * share, share)).sum((1, 2)))


#: Parts per side into which the limit shape is divided if the cells of a board are not equally wide.
_PARTS = 1024

#: Parts per side for products of two densities, and the largest n whose squares are the parts.
_PAIR_PARTS = 512


def expected_queens(n: int, k: int) -> Array:
    """Return the queens that the limit shape has in each cell of a board of n, a (k, k) array with the sum n.

    The density is integrated over the true widths of the cells, which differ by one if k does not divide n. Its
    relative error is then about 1e-5, otherwise 1e-7.
    """
    if n % k == 0:
        return np.asarray(limit_density(k) * (n / k**2))
    parts = k * -(-_PARTS // k)
    # Queens above and to the left of each corner of the parts, and then of each corner of the cells.
    before = np.zeros((parts + 1, parts + 1))
    before[1:, 1:] = limit_density(parts).cumsum(axis=0).cumsum(axis=1) * n / parts**2
    return np.diff(np.diff(_interpolated(before, cell_edges(k, n) * parts / n), axis=0), axis=1)


def _interpolated(table: Array, places: Array) -> Array:
    """Return a square table at places between its rows and columns, by linear interpolation."""
    for _ in ("rows", "columns"):
        table = np.stack([np.interp(places, np.arange(len(table)), line) for line in table.T])
    return table


def expected_occupancy(n: int, k: int) -> Array:
    """Return the share of diagonals with a queen, for the lengths in each of k cells: a (k,) array.

    Cell i holds the lengths l with (l - 1) * k // n == i.
    """
    # Diagonals of length l are around the relative length l / n. Each kind has a single longest diagonal.
    return _occupied_between(np.minimum((cell_edges(k, n) + 0.5) / n, 1.0))


def diagonals_by_length(n: int, k: int) -> NDArray[np.int64]:
    """Return the number of sum diagonals with lengths in each of the k cells of :func:`expected_occupancy`."""
    lines = 2 * np.diff(cell_edges(k, n))
    lines[-1] -= 1
    return np.asarray(lines)


def expected_pairs(n: int, reach: int) -> Array:
    """Return the expected pairs at each displacement for independent queens with the limit density.

    This is the sum of the products of the densities of a square and its displaced square, divided by n^2: about 1.03 on
    a large board. Indices are rows down and columns to the right, each from -reach to reach.
    """
    parts = min(n, _PAIR_PARTS)
    density = limit_density(parts)
    # A displacement is a fraction of a part on a board with more squares than parts.
    moved = np.arange(reach + 1) * parts / n
    products = np.zeros((int(moved[-1]) + 2,) * 2)
    for down, right in np.ndindex(*products.shape):
        one, other = density[: parts - down, : parts - right], density[down:, right:]
        products[down, right] = (one * other).sum() / parts**2
    apart = np.abs(np.arange(-reach, reach + 1))
    return np.asarray(_interpolated(products, moved)[np.ix_(apart, apart)])
