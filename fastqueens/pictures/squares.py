"""What a picture of a board shows, whatever draws it: checks of its size, its marks, its diagonals and its attacks.

Imports no matplotlib, since boards are drawn as text, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.errors import InputError
from fastqueens.instance import Instance

#: Whether row 0 is drawn at the top or at the bottom.
ORIGINS = ("upper", "lower")

#: The largest boards with squares on a poster.
LARGEST_CHESSBOARD = 64

#: The largest boards with crowns on squares, and with a dot for each queen; larger boards are densities.
LARGEST_WITH_CROWNS = 400
LARGEST_WITH_DOTS = 50_000

#: The largest boards on which numbers, and moving queens can be told apart.
LARGEST_MOVE_COSTS = 40
LARGEST_ANIMATED = 40


def check_size(n: int, largest: int, what: str) -> None:
    """Raise :class:`InputError` if a board is too large for a picture of a kind.

    >>> check_size(1000, 400, "a picture of queens")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: n is 1,000: a picture of queens shows at most 400
    """
    if n > largest:
        raise InputError(f"n is {n:,}: {what} shows at most {largest:,}")


def dark_squares(n: int) -> NDArray[np.int64]:
    """Return the dark squares, (k, 2): columns and heights. As on a chessboard, the lower left corner is dark."""
    return np.argwhere(np.indices((n, n)).sum(axis=0) % 2 == 0)


def squares_of_diagonal(n: int, number: int, slope: int) -> Iterator[tuple[int, int]]:
    """Yield the squares (column, row) of a sum diagonal (slope -1) or a difference diagonal (slope 1), by column.

    >>> list(squares_of_diagonal(4, 1, -1)), list(squares_of_diagonal(4, -2, 1))
    ([(0, 1), (1, 0)], [(2, 0), (3, 1)])
    """
    first, last = (number - n + 1, number) if slope < 0 else (-number, n - 1 - number)
    for column in range(max(0, first), min(n - 1, last) + 1):
        yield column, number + slope * column


def excluded_lines(instance: Instance) -> NDArray[np.int64]:
    """Return a line for each excluded diagonal: see :func:`diagonal_lines`."""
    return diagonal_lines(instance.n, instance.excluded_sums, instance.excluded_differences)


def diagonal_lines(n: int, sums: NDArray[np.int64], differences: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a line for each of these diagonals of a board of n, from corner to corner of its squares: (k, 2, 2) int64.

    An end of a line is its distance from the left edge of the board and from the edge of row 0, in squares. Sum
    diagonals come first.

    >>> diagonal_lines(4, np.array([0]), np.array([-2])).tolist()
    [[[0, 1], [1, 0]], [[2, 0], [4, 2]]]
    """
    left, right = np.maximum(0, sums - n + 1), np.minimum(n - 1, sums) + 1
    rising = np.array([[left, sums - left + 1], [right, sums - right + 1]])
    left, right = np.maximum(0, -differences), np.minimum(n, n - differences)
    falling = np.array([[left, left + differences], [right, right + differences]])
    return np.concatenate([rising, falling], axis=2).transpose(2, 0, 1)


def neighbours_on_lines(queens: Queens) -> NDArray[np.int64]:
    """Return the pairs of queens that attack each other with no third queen between them: (k, 2) columns, left first.

    A line with q queens has q - 1 pairs. O(n log n) time.

    >>> from fastqueens.board import as_queens
    >>> neighbours_on_lines(as_queens([0, 0, 0])).tolist()
    [[0, 1], [1, 2]]
    """
    columns, rows = np.arange(len(queens)), queens.astype(np.int64)
    pairs = []
    for line in (rows, rows + columns, rows - columns):
        order = np.argsort(line, kind="stable")
        meet = np.flatnonzero(np.diff(line[order]) == 0)
        pairs.append(np.column_stack((order[meet], order[meet + 1])))
    return np.concatenate(pairs)
