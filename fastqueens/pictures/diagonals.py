"""Where the excluded diagonals of an instance are: their squares, and lines from edge to edge of the board."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.instance import Instance


def squares_of_diagonal(n: int, number: int, slope: int) -> Iterator[tuple[int, int]]:
    """Yield the squares (column, row) of a sum diagonal (slope -1) or a difference diagonal (slope 1), by column.

    >>> list(squares_of_diagonal(4, 1, -1)), list(squares_of_diagonal(4, -2, 1))
    ([(0, 1), (1, 0)], [(2, 0), (3, 1)])
    """
    first, last = (number - n + 1, number) if slope < 0 else (-number, n - 1 - number)
    for column in range(max(0, first), min(n - 1, last) + 1):
        yield column, number + slope * column


def excluded_lines(instance: Instance) -> NDArray[np.int64]:
    """Return a line for each excluded diagonal, from corner to corner of its squares.

    Returns
    -------
    (k, 2, 2) int64 array
        The ends of each line, as a distance from the left edge of the board and one from the edge of row 0, in squares;
        sum diagonals first.

    Examples
    --------
    >>> from fastqueens.core.instance import make_instance
    >>> excluded_lines(make_instance(4, excluded_sums=[0], excluded_differences=[-2])).tolist()
    [[[0, 1], [1, 0]], [[2, 0], [4, 2]]]
    """
    n, sums, differences = instance.n, instance.excluded_sums, instance.excluded_differences
    left, right = np.maximum(0, sums - n + 1), np.minimum(n - 1, sums) + 1
    rising = np.array([[left, sums - left + 1], [right, sums - right + 1]])
    left, right = np.maximum(0, -differences), np.minimum(n, n - differences)
    falling = np.array([[left, left + differences], [right, right + differences]])
    return np.concatenate([rising, falling], axis=2).transpose(2, 0, 1)
