"""Random instances with excluded diagonals, drawn by a published recipe.

The recipe is from I. P. Gent, C. Jefferson, P. Nightingale, "Complexity of n-Queens Completion", JAIR 59 (2017). The
authors drew the instances of CSPLib problem 079 with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.instance import Instance, make_instance

#: The recipe leaves at least this many squares in every row and every column.
LEAST_OPEN = 4


class Diagonal(NamedTuple):
    """A diagonal: the sum diagonal c + r = number, or the difference diagonal r - c = number."""

    is_sum: bool
    number: int


def all_diagonals(n: int) -> list[Diagonal]:
    """Return the 4 n - 2 diagonals of a board."""
    sums = [Diagonal(True, number) for number in range(2 * n - 1)]
    return sums + [Diagonal(False, number) for number in range(1 - n, n)]


def excluded_diagonals(n: int, seed: int) -> list[Diagonal]:
    """Return random diagonals to exclude, in the order drawn; every row and column keeps at least four squares.

    A diagonal that would take one of the last four squares of a row or column is skipped. For any m, the first m
    diagonals of the list make an instance.

    >>> excluded_diagonals(10, seed=1)[:2]
    [Diagonal(is_sum=False, number=-8), Diagonal(is_sum=True, number=9)]
    """
    generator = np.random.default_rng([seed, n])
    diagonals = all_diagonals(n)
    is_open = np.ones((n, n), np.bool_)
    drawn = []
    for index in generator.permutation(len(diagonals)).tolist():
        left = is_open & ~_squares_of(diagonals[index], n)
        if min(left.sum(axis=0).min(), left.sum(axis=1).min()) >= LEAST_OPEN:
            is_open = left
            drawn.append(diagonals[index])
    return drawn


def instance_without(n: int, diagonals: Iterable[Diagonal]) -> Instance:
    """Return the instance that excludes these diagonals."""
    sums: list[int] = []
    differences: list[int] = []
    for diagonal in diagonals:
        (sums if diagonal.is_sum else differences).append(diagonal.number)
    return make_instance(n, excluded_sums=sums, excluded_differences=differences)


def _squares_of(diagonal: Diagonal, n: int) -> NDArray[np.bool_]:
    columns, rows = np.indices((n, n))
    numbers = columns + rows if diagonal.is_sum else rows - columns
    is_on: NDArray[np.bool_] = numbers == diagonal.number
    return is_on
