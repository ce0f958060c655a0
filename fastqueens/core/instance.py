"""An instance: n, and what a solution has to respect in addition to the rules of the game.

Fixed queens make the n-queens completion problem, excluded diagonals CSPLib problem 079, blocked squares CSPLib problem
080. All three are NP-complete; free boards are easy at any n.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import check_n
from fastqueens.core.constraints import (
    COLUMNS_AND_ROWS,
    NO_FIXED_QUEENS,
    Fixed,
    FixedQueens,
    Squares,
    as_integers,
    check_on_board,
    fixed_queens,
)
from fastqueens.core.errors import InputError, NoSolutionError, counted, listed

#: Numbers of diagonals.
Diagonals: TypeAlias = Iterable[int] | NDArray[Any]


class Constraints(TypedDict, total=False):
    """The constraints of an instance, as :func:`make_instance` takes them; all may be left out."""

    fixed: Fixed | None
    blocked: Squares | None
    excluded_sums: Diagonals | None
    excluded_differences: Diagonals | None


@dataclass(frozen=True, eq=False)
class Instance:
    """A board with fixed queens, blocked squares and excluded diagonals; :func:`make_instance` makes one.

    Attributes
    ----------
    n : int
        Side of the board and number of queens.
    fixed : FixedQueens
        Queens that stand on their squares from the beginning and never move.
    blocked : (k, 2) int64 array
        Column and row of each square on which no queen may stand, sorted by column, then by row; none occurs twice.
    excluded_sums : (k,) int64 array
        Sum diagonals c + r on which no queen may stand, from 0 to 2 n - 2, ascending.
    excluded_differences : (k,) int64 array
        Difference diagonals r - c on which no queen may stand, from -(n - 1) to n - 1, ascending.
    """

    n: int
    fixed: FixedQueens
    blocked: NDArray[np.int64]
    excluded_sums: NDArray[np.int64]
    excluded_differences: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<Instance n={self.n}{', ' if self.constraints else ''}{self.constraints}>"

    @cached_property
    def most_blocked(self) -> int:
        """The most blocked squares in one column or one row."""
        return max(int(np.bincount(np.ascontiguousarray(lines)).max(initial=0)) for lines in self.blocked.T)

    @property
    def is_free(self) -> bool:
        """Whether the board is empty: any solution of n queens is a solution of this instance."""
        return not len(self.fixed) and not self.has_exclusions

    @property
    def has_exclusions(self) -> bool:
        """Whether squares are blocked or diagonals excluded."""
        return bool(len(self.blocked) or len(self.excluded_sums) or len(self.excluded_differences))

    @property
    def free_columns(self) -> int:
        """The number of columns without a fixed queen."""
        return self.n - len(self.fixed)

    @property
    def counts(self) -> dict[str, int]:
        """How many of each constraint there are, with the names that ``--json`` prints."""
        return {
            "fixed_queens": len(self.fixed),
            "blocked_squares": len(self.blocked),
            "excluded_diagonals": len(self.excluded_sums) + len(self.excluded_differences),
        }

    @property
    def constraints(self) -> str:
        """What the instance asks for, in words.

        >>> make_instance(8, [(1, 3)], excluded_sums=[2, 5]).constraints
        '1 fixed queen and 2 excluded sum diagonals'
        """
        counts = len(self.fixed), len(self.blocked), len(self.excluded_sums), len(self.excluded_differences)
        nouns = ("fixed queen", "blocked square", "excluded sum diagonal", "excluded difference diagonal")
        return listed([counted(count, noun) for count, noun in zip(counts, nouns, strict=True) if count])

    def transposed(self) -> Instance:
        """Exchange columns and rows."""
        blocked = self.blocked[:, ::-1]
        return Instance(
            self.n,
            self.fixed.transposed(self.n),
            np.ascontiguousarray(blocked[np.lexsort((blocked[:, 1], blocked[:, 0]))]),
            self.excluded_sums,
            -self.excluded_differences[::-1],
        )


def make_instance(
    n: int,
    fixed: Fixed | None = None,
    *,
    blocked: Squares | None = None,
    excluded_sums: Diagonals | None = None,
    excluded_differences: Diagonals | None = None,
    rows_from: int = 0,
) -> Instance:
    """Validate what a solution has to respect.

    Parameters
    ----------
    n : int
        Side of the board and number of queens.
    fixed : mapping of columns to rows, (column, row) pairs, a (k, 2) array of integers or FixedQueens, optional
        Fixed queens.
    blocked : (column, row) pairs, or a (k, 2) array of integers, optional
        Squares on which no queen may stand, in any order.
    excluded_sums, excluded_differences : iterables of int, optional
        Sum diagonals c + r, from 0 to 2 n - 2, and difference diagonals r - c, from -(n - 1) to n - 1, on which no
        queen may stand, in any order.
    rows_from : 0 or 1
        The number of the first row in messages.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        If a square or a diagonal is off the board, or a column has two fixed queens. The message names the first one.
    NoSolutionError
        If fixed queens attack each other, or one of them is on a blocked square or on an excluded diagonal.

    Notes
    -----
    O(k log k) for k squares and diagonals, whatever n is.

    Examples
    --------
    >>> make_instance(8, {1: 3}, blocked=[(0, 0), (7, 7)]).constraints
    '1 fixed queen and 2 blocked squares'
    >>> make_instance(8, excluded_sums=[15])
    Traceback (most recent call last):
    ...
    fastqueens.InputError: excluded sum diagonal 15: on a board of 8 they go from 0 to 14
    """
    n = check_n(n)
    if fixed is None and blocked is None and excluded_sums is None and excluded_differences is None:
        return _free(n)
    try:
        instance = Instance(
            n,
            fixed_queens(fixed, n),
            _sorted_squares(blocked, n),
            _sorted_diagonals(excluded_sums, "sum", 0, 2 * n - 2, n),
            _sorted_diagonals(excluded_differences, "difference", 1 - n, n - 1, n),
        )
        if len(instance.fixed) and instance.has_exclusions:
            _check_fixed_queens_may_stand(instance)
    except (InputError, NoSolutionError) as error:
        error.count_rows_from(rows_from)
        raise
    return instance


def as_instance(n: int | Instance, **constraints: Unpack[Constraints]) -> Instance:
    """Return the instance that a function was called with: as such, or as n with constraints.

    >>> as_instance(8, blocked=[(0, 0)])
    <Instance n=8, 1 blocked square>
    >>> as_instance(make_instance(8), blocked=[(0, 0)])
    Traceback (most recent call last):
    ...
    fastqueens.InputError: blocked is given next to an instance: pass all constraints to make_instance
    """
    check_names(constraints)
    for name, value in constraints.items():
        if value is not None and isinstance(n, Instance):
            raise InputError(f"{name} is given next to an instance: pass all constraints to make_instance")
    return n if isinstance(n, Instance) else make_instance(n, **constraints)


def check_names(constraints: Constraints) -> None:
    """Raise TypeError for a keyword argument that no function has, as Python does."""
    for name in constraints:
        if name not in Constraints.__annotations__:
            raise TypeError(f"unexpected keyword argument {name!r}")


_NO_SQUARES = np.empty((0, 2), np.int64)
_NO_DIAGONALS = np.empty(0, np.int64)


@lru_cache(maxsize=64)
def _free(n: int) -> Instance:
    """Return a board without constraints; statistics solve the same size many times."""
    return Instance(n, NO_FIXED_QUEENS, _NO_SQUARES, _NO_DIAGONALS, _NO_DIAGONALS)


_HALF = 32


def square_keys(squares: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return squares as words column * 2**32 + row, whose order is by column, then by row."""
    words = squares.astype(np.uint64)
    keys: NDArray[np.uint64] = (words[:, 0] << np.uint64(_HALF)) | words[:, 1]
    return keys


def _sorted_squares(blocked: Squares | None, n: int) -> NDArray[np.int64]:
    """Validate blocked squares, sort them by column and row, and drop those that occur twice."""
    if blocked is None:
        return _NO_SQUARES
    squares = as_integers(blocked, "blocked", f"{COLUMNS_AND_ROWS} [(3, 17)]", pairs=True)
    check_on_board("blocked square", squares, n)
    keys = square_keys(squares)
    if np.all(keys[1:] > keys[:-1]):
        # The caller's order of memory is kept so far, and each order needs a separate kernel.
        return np.ascontiguousarray(squares)
    keys = _sorted_once(keys)
    return np.stack([keys >> np.uint64(_HALF), keys & np.uint64(2**_HALF - 1)], axis=1).astype(np.int64)


def _sorted_diagonals(excluded: Diagonals | None, kind: str, least: int, most: int, n: int) -> NDArray[np.int64]:
    """Validate excluded diagonals of one kind, sort them, and drop those that occur twice."""
    if excluded is None:
        return _NO_DIAGONALS
    numbers = as_integers(excluded, f"excluded_{kind}s", "whole numbers are needed, as in [3, 17]")
    diagonals = _sorted_once(numbers)
    if len(diagonals) and (diagonals[0] < least or diagonals[-1] > most):
        first = int(numbers[np.argmax((numbers < least) | (numbers > most))])
        raise InputError(f"excluded {kind} diagonal {first}: on a board of {n} they go from {least} to {most}")
    return diagonals


def _sorted_once(values: NDArray[Any]) -> NDArray[Any]:
    """Sort values and drop those that occur twice; for a million, np.unique takes a hundred times as long."""
    values = np.sort(values)
    is_new = values[1:] != values[:-1]
    return values if is_new.all() else np.compress(np.concatenate([[True], is_new]), values)


def _check_fixed_queens_may_stand(instance: Instance) -> None:
    """Raise :class:`NoSolutionError` if a fixed queen is on a blocked square or on an excluded diagonal."""
    columns, rows = instance.fixed.columns, instance.fixed.rows
    places = (
        (square_keys(instance.fixed.squares), square_keys(instance.blocked), "a blocked square"),
        (columns + rows, instance.excluded_sums, "the excluded sum diagonal {}"),
        (rows - columns, instance.excluded_differences, "the excluded difference diagonal {}"),
    )
    for lines, excluded, place in places:
        at = np.flatnonzero(np.isin(lines, excluded))
        if len(at):
            queen = f"the fixed queen in column {columns[at[0]]}, row {{}} is on {place.format(lines[at[0]])}"
            raise NoSolutionError(f"no solution exists: {queen}", int(rows[at[0]]))
