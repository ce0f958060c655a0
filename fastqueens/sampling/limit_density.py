"""Averages of the limit shape over cells of the board and over spans of diagonals, as counts of queens are compared."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from fastqueens.analysis.density import MOST_CELLS
from fastqueens.core.integers import check_integer
from fastqueens.sampling.limit_shape import Array, LimitShape, gauss, limit_shape

#: Cells are divided until there are this many parts a side. Halving the parts changes the density by less than 1e-9.
_LEAST_PARTS = 256


def limit_density(k: int) -> NDArray[np.float64]:
    """Return the density of queens of a uniformly random solution for large n, averaged over the cells of a k x k grid.

    Parameters
    ----------
    k : int
        Cells a side, from 1 to 4096.

    Returns
    -------
    (k, k) float64 array
        Queens in each cell divided by its even share, as :meth:`fastqueens.analysis.density.Bins.density` counts them.
        The mean of each row and column is 1. All eight symmetries of the square leave the array as it is, bit for bit.
        The error is below 1e-7.

    Raises
    ------
    InputError
        If ``k`` is not a whole number from 1 to 4096.

    Notes
    -----
    O(k^2). The first call takes about 0.05 s longer, because it solves the equation of the limit shape, which is due to
    M. Simkin, "The number of n-queens configurations", Advances in Mathematics 427 (2023) 109127.

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


def limit_occupancy(k: int) -> NDArray[np.float64]:
    """Return the probability that a diagonal of a uniformly random solution holds a queen, for large n.

    Parameters
    ----------
    k : int
        Number of spans of diagonals, from 1 to 4096. Each has as many diagonals as the others.

    Returns
    -------
    (k,) float64 array
        The mean over the diagonals in each span, from one corner to the opposite one, as
        :meth:`fastqueens.analysis.density.Bins.diagonals` counts them. Sum and difference diagonals have the same
        probabilities, those at both ends of the board, too. Their mean is 1/2: n queens are on 2 n diagonals. The error
        is below 1e-7.

    Raises
    ------
    InputError
        If ``k`` is not a whole number from 1 to 4096.

    Examples
    --------
    >>> limit_occupancy(5).round(3)
    array([0.188, 0.656, 0.811, 0.656, 0.188])
    """
    k = check_integer(k, "k", 1, MOST_CELLS)
    edges = np.append(np.arange((k + 1) // 2) * 2 / k, 1)
    free_before = limit_shape().free.integ(lbnd=0)
    return (1 - np.diff(free_before(edges)) / np.diff(edges))[_mirrored(k)]


def _mirrored(k: int) -> NDArray[np.int64]:
    """Return the distance of each of k cells from the nearer end: 0, 1, ..., 1, 0."""
    return np.minimum(np.arange(k), np.arange(k)[::-1])


def _quarter(shape: LimitShape, parts: int) -> Array:
    """Return the mean density in parts x parts squares of a quarter of the board, the corner first."""
    side = 0.5 / parts
    low, high = gauss(2)[0]
    # Two Gauss points a side. The off-diagonal pair of points is done once and mirrored.
    density = _at_points(shape, side, parts, low, high)
    density += density.T.copy()
    density += _at_points(shape, side, parts, low, low)
    density += _at_points(shape, side, parts, high, high)
    density /= 4
    np.fill_diagonal(density, _on_diagonal(shape, side, parts))
    return density


def _at_points(shape: LimitShape, side: float, parts: int, right: float, down: float) -> Array:
    """Return the density at the same point of each square, ``right`` and ``down`` from its corner in sides."""
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
