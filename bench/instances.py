"""Random hard instances: excluded diagonals by the published recipe, and their translation to completions.

The recipe and the idea of the translation are those of I. P. Gent, C. Jefferson, P. Nightingale, "Complexity of
n-Queens Completion", JAIR 59 (2017); the instances of CSPLib problem 079 were drawn by the same recipe.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import fastqueens
from fastqueens import InputError
from fastqueens.core.instance import Instance, make_instance

#: Squares that the recipe leaves in every row and every column.
LEAST_OPEN = 4

#: Side of the board of a translation, as a multiple of n: 3,654 for n = 14.
SIDE_OF_TRANSLATION = 261

# Random squares tried for a queen on an excluded diagonal.
_TRIES = 10_000


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


def open_squares(n: int, diagonals: Iterable[Diagonal]) -> NDArray[np.bool_]:
    """Return for ``[c, r]`` whether no excluded diagonal goes through the square."""
    is_open = np.ones((n, n), np.bool_)
    for diagonal in diagonals:
        is_open &= ~_squares_of(diagonal, n)
    return is_open


def _squares_of(diagonal: Diagonal, n: int) -> NDArray[np.bool_]:
    columns, rows = np.indices((n, n))
    numbers = columns + rows if diagonal.is_sum else rows - columns
    is_on: NDArray[np.bool_] = numbers == diagonal.number
    return is_on


def first_corner(n: int, side: int) -> int:
    """Return the first column, and first row, of the small board in the middle of a board."""
    return (side - n) // 2


def translated(n: int, diagonals: Iterable[Diagonal], side: int, seed: int) -> NDArray[np.int64]:
    """Translate excluded diagonals of a small board to fixed queens of a board with the small one in its middle.

    The fixed queens leave the n columns and rows of the small board empty and take all others. A queen far outside
    stands on each excluded diagonal, and no queen stands on any other diagonal of the small board. So exactly the
    squares of the small board that are on no excluded diagonal can take the n queens that are missing: the completion
    has a solution if and only if the small board has one.

    Parameters
    ----------
    n : int
        Side of the small board.
    diagonals : iterable of Diagonal
        Its excluded diagonals.
    side : int
        Side of the large board. ``SIDE_OF_TRANSLATION * n`` is enough; a much smaller one may have no room.
    seed : int
        Decides where the queens stand.

    Returns
    -------
    (side - n, 2) int64 array
        Column and row of each fixed queen, sorted by column.

    Raises
    ------
    InputError
        If the board is too small for the method.

    Notes
    -----
    O(side^2). Each column gets a random open row; if there is none, its queen takes the row of another queen, which
    moves to the unused row.
    """
    surroundings = _Surroundings(n, list(diagonals), side, seed)
    surroundings.place_on_excluded_diagonals()
    surroundings.place_in_other_columns()
    columns = np.flatnonzero(surroundings.queens >= 0)
    return np.stack([columns, surroundings.queens[columns]], axis=1)


class _Surroundings:
    """The queens around the small board, while they are placed."""

    def __init__(self, n: int, diagonals: list[Diagonal], side: int, seed: int) -> None:
        if side < 4 * n:
            raise InputError(f"side is {side}: the surroundings of a board of {n} need at least {4 * n}")
        self.queens = np.full(side, -1, np.int64)
        self._n, self._side, self._first = n, side, first_corner(n, side)
        self._generator = np.random.default_rng([seed, n, side])
        self._diagonals = diagonals
        self._outside = np.concatenate([np.arange(self._first), np.arange(self._first + n, side)])
        self._is_row_free = np.zeros(side, np.bool_)
        self._is_row_free[self._outside] = True
        self._is_sum_free = np.ones(2 * side - 1, np.bool_)
        self._is_difference_free = np.ones(2 * side - 1, np.bool_)
        middle = 2 * self._first
        self._is_sum_free[middle : middle + 2 * n - 1] = False
        self._is_difference_free[side - n : side + n - 1] = False

    def place_on_excluded_diagonals(self) -> None:
        """Put a queen on a random square of each excluded diagonal; its other diagonal misses the small board."""
        for diagonal in self._diagonals:
            for column in self._generator.choice(self._outside, _TRIES).tolist():
                number = diagonal.number
                row = number + 2 * self._first - column if diagonal.is_sum else number + column
                if 0 <= row < self._side and self._is_row_free[row] and self.queens[column] < 0:
                    other_is_free = self._is_difference_free if diagonal.is_sum else self._is_sum_free
                    if other_is_free[row - column + self._side - 1 if diagonal.is_sum else row + column]:
                        self._put(column, row)
                        break
            else:
                raise InputError(f"side is {self._side}: no room for the queen of an excluded diagonal")
        self._movable = self._outside[self.queens[self._outside] < 0]

    def place_in_other_columns(self) -> None:
        """Put a queen into each other column, in random order."""
        for column in self._generator.permutation(self._movable).tolist():
            rows = np.flatnonzero(self._is_open(column, np.arange(self._side)) & self._is_row_free)
            if len(rows):
                self._put(column, int(self._generator.choice(rows)))
            else:
                self._exchange(column)

    def _exchange(self, column: int) -> None:
        """Put the queen of a column on the row of another queen, and that one on an unused row, on open squares."""
        others = self._generator.permutation(self._movable[self.queens[self._movable] >= 0])
        for row in self._generator.permutation(np.flatnonzero(self._is_row_free)).tolist():
            left = self.queens[others]
            fits = self._is_open(column, left) & self._is_open(others, np.int64(row))
            fits &= (column + left != others + row) & (left - column != row - others)
            if fits.any():
                other = int(others[np.argmax(fits)])
                taken = int(self.queens[other])
                self._take_off(other)
                self._put(other, row)
                self._put(column, taken)
                return
        raise InputError(f"side is {self._side}: column {column} has no open square; a larger side is needed")

    def _is_open(self, columns: NDArray[np.int64] | int, rows: NDArray[np.int64] | np.int64) -> NDArray[np.bool_]:
        """Return whether both diagonals of squares are free."""
        free = self._is_sum_free[columns + rows] & self._is_difference_free[rows - columns + self._side - 1]
        return np.asarray(free)

    def _put(self, column: int, row: int) -> None:
        self.queens[column] = row
        self._mark(column, row, is_free=False)

    def _take_off(self, column: int) -> None:
        self._mark(column, int(self.queens[column]), is_free=True)
        self.queens[column] = -1

    def _mark(self, column: int, row: int, *, is_free: bool) -> None:
        self._is_row_free[row] = is_free
        self._is_sum_free[column + row] = is_free
        self._is_difference_free[row - column + self._side - 1] = is_free


def fault_of_translation(n: int, diagonals: Iterable[Diagonal], side: int, fixed: NDArray[np.int64]) -> str | None:
    """Return what is wrong with a translation, or None; it uses plain NumPy and none of the code above it.

    The fixed queens must not attack each other, must leave the small board's columns and rows empty and take all
    others, and must attack exactly those squares of the small board that are on excluded diagonals.
    """
    columns, rows = fixed[:, 0], fixed[:, 1]
    for name, lines in (("column", columns), ("row", rows), ("sum", columns + rows), ("difference", rows - columns)):
        if len(np.unique(lines)) < len(lines):
            return f"two fixed queens share a {name}"
    inside = np.arange(n) + (side - n) // 2
    for name, lines in (("columns", columns), ("rows", rows)):
        if not np.array_equal(np.sort(lines), np.setdiff1d(np.arange(side), inside)):
            return f"the fixed queens do not take all {name} outside the small board and none inside"
    c, r = inside[:, None], inside[None, :]
    is_attacked = np.isin(c + r, columns + rows) | np.isin(r - c, rows - columns)
    if not np.array_equal(~is_attacked, open_squares(n, diagonals)):
        return "the squares left open are not those on no excluded diagonal"
    return None


def random_completion(n: int, seed: int) -> Instance:
    """Return a board with random queens, none of which attacks another: a quarter to a half of them."""
    wanted = int(np.random.default_rng([seed, n]).integers(n // 4, n // 2 + 1))
    return make_instance(n, fastqueens.puzzle(n, wanted, seed=seed))


def random_blocks(n: int, seed: int) -> Instance:
    """Return a board with random blocked squares; four to six squares for each column remain, on average."""
    generator = np.random.default_rng([seed, n])
    blocked = generator.choice(n * n, int(n * (n - generator.uniform(4, 6))), replace=False)
    return make_instance(n, blocked=np.stack(np.divmod(blocked, n), axis=1))
