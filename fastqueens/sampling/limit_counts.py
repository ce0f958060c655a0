"""What the limit shape lets expect on boards of n: queens in cells, diagonals with a queen, and pairs of queens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.analysis.density import cell_edges
from fastqueens.sampling.limit_density import limit_density
from fastqueens.sampling.limit_shape import limit_shape

Array = NDArray[np.float64]

#: Parts a side into which the limit shape is divided if the cells of a board are not equally wide.
_PARTS = 1024

#: Parts a side for products of two densities, and the largest n whose squares are the parts.
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
    edges = cell_edges(k, n) * parts / n
    for _ in ("rows", "columns"):
        left = np.minimum(edges.astype(np.int64), parts - 1)
        share = (edges - left)[:, None]
        before = ((1 - share) * before[left] + share * before[left + 1]).T
    return np.diff(np.diff(before, axis=0), axis=1)


def expected_occupancy(n: int, k: int) -> Array:
    """Return the share of diagonals with a queen, for the lengths in each of k cells: a (k,) array.

    Cell i holds the lengths l with (l - 1) * k // n == i.
    """
    # Diagonals of length l are around the relative length l / n; of the longest, each kind has only one.
    edges = np.minimum((cell_edges(k, n) + 0.5) / n, 1.0)
    free_before = limit_shape().free.integ(lbnd=0)
    return np.asarray(1 - np.diff(free_before(edges)) / np.diff(edges))


def diagonals_by_length(n: int, k: int) -> NDArray[np.int64]:
    """Return how many sum diagonals have lengths in each of k cells, as :func:`expected_occupancy` cuts them."""
    lines = 2 * np.diff(cell_edges(k, n))
    lines[-1] -= 1
    return np.asarray(lines)


def expected_pairs(n: int, reach: int) -> Array:
    """Return the pairs at each displacement of independent queens that have the limit density.

    Each square has a queen with the probability density / n, whatever the other squares have. So the pairs expected at
    a displacement are the sum, over all squares whose displaced square is on the board, of the product of both
    probabilities: about 1.03 on a large board, whatever its size.

    Returns
    -------
    (2 reach + 1, 2 reach + 1) float64 array
        By rows down and columns to the right, each from -reach to reach.
    """
    parts = min(n, _PAIR_PARTS)
    density = limit_density(parts)
    # A displacement is a fraction of a part on a board with more squares than parts.
    moved = np.arange(reach + 1) * parts / n
    whole = moved.astype(np.int64)
    share = moved - whole
    products = np.zeros((whole[-1] + 2, whole[-1] + 2))
    for down, right in np.ndindex(*products.shape):
        one, other = density[: parts - down, : parts - right], density[down:, right:]
        products[down, right] = (one * other).sum() / parts**2 if one.size else 0.0
    rows = (1 - share)[:, None] * products[whole] + share[:, None] * products[whole + 1]
    quarter = (1 - share) * rows[:, whole] + share * rows[:, whole + 1]
    apart = np.abs(np.arange(-reach, reach + 1))
    return np.asarray(quarter[np.ix_(apart, apart)])
