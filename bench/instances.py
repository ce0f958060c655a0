"""Random hard instances: excluded diagonals by the published recipe.

The recipe is that of I. P. Gent, C. Jefferson, P. Nightingale, "Complexity of n-Queens Completion", JAIR 59 (2017); the
instances of CSPLib problem 079 were drawn by it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.instance import Instance, make_instance

#: Squares that the recipe leaves in every row and every column.
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
    """Draw diagonals to exclude, one after the other, as long as every row and column keeps four squares.

    A diagonal that would take one of the last four squares of a line is passed over. The first m diagonals of the list
    make an instance, for any m.

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
    """Return the instance that excludes some diagonals."""
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
