"""Fixed queens and blocked squares: what callers may pass, validated and sorted.

To place the other queens so that no two attack each other is the n-queens completion problem (CSPLib 079). If n is
large, any n / 60 fixed queens that do not attack each other have a completion; some sets of n / 4 have none (Glock,
Munhá Correia, Sudakov: The n-queens completion problem, 2022).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.arguments import shown
from fastqueens.core.board import set_bits
from fastqueens.core.errors import InputError, NoSolutionError
from fastqueens.core.integers import are_integers, beyond_int64, has_masked, integer_array

#: (column, row) pairs, or a (k, 2) array of integers.
Squares: TypeAlias = Iterable[tuple[int, int]] | NDArray[Any]

#: Begins to say what squares are, for messages.
COLUMNS_AND_ROWS = "columns and rows are needed, as in"


def as_integers(listed: Any, name: str, wanted: str, *, pairs: bool = False) -> NDArray[np.int64]:
    """Return a copy of numbers as a (k,) array, or of pairs of them as a (k, 2) array.

    The :class:`InputError` for any other value has ``name``, the first entry that is not a 64-bit integer or a pair of
    them, and ``wanted``, which says what is needed.
    """
    is_scalar = isinstance(listed, np.ndarray) and listed.ndim == 0
    if is_scalar or not isinstance(listed, Iterable) or isinstance(listed, (str, bytes, Mapping)):
        raise InputError(f"{name} is {listed!r}: {wanted}")
    entries: Any = listed if isinstance(listed, np.ndarray) else list(listed)
    shape = (2,) if pairs else ()
    try:
        array = integer_array(entries, copy=True)
    except ValueError:  # entries of different lengths
        array = None
    if not len(entries) or (array is not None and not array.size):
        return np.empty((0, *shape), np.int64)
    if array is None or array.shape[1:] != shape:
        held = f"holds {_odd_entry(entries, shape)}"
        if isinstance(listed, np.ndarray) and not has_masked(listed):
            held = f"is {listed.dtype} of shape {listed.shape}"
        raise InputError(f"{name} {held}: {wanted}")
    beyond = beyond_int64(array)
    if beyond is not None:
        raise InputError(f"{name} holds {shown(beyond, '')}: no board is so large")
    return array.astype(np.int64, copy=False)


def _odd_entry(entries: Any, shape: tuple[int, ...]) -> str:
    """Return the first entry that is not a whole number, or a pair of them, for a message."""
    odd = (entry for entry in entries if not are_integers(entry) or np.shape(entry) != shape)
    return repr(next(odd, entries)).replace("\n", "")


def check_on_board(what: str, squares: NDArray[np.int64], n: int) -> None:
    """Raise :class:`InputError` for the first square that is off the board."""
    if len(squares) and (squares.min() < 0 or squares.max() >= n):
        is_off = ((squares < 0) | (squares >= n)).any(axis=1)
        column, row = squares[np.argmax(is_off)].tolist()
        place = f"{what} in column {column}, row {{}}"
        if 0 <= column < n:
            raise InputError(f"{place}: rows go from {{}} to {{}}", row, 0, n - 1)
        raise InputError(f"{place}: columns go from 0 to {n - 1}", row)


@dataclass(frozen=True, eq=False)
class FixedQueens:
    """Fixed queens, no two of which attack each other.

    Attributes
    ----------
    columns, rows : (k,) int64 arrays
        From 0, sorted by column.
    marks : uint64 array
        A bit for each column with a fixed queen; no words if k is 0.
    """

    columns: NDArray[np.int64]
    rows: NDArray[np.int64]
    marks: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def squares(self) -> NDArray[np.int64]:
        """A (k, 2) array: column and row of each queen."""
        return np.stack([self.columns, self.rows], axis=1)

    def transposed(self, n: int) -> FixedQueens:
        """Exchange columns and rows."""
        return _sorted_by_column(self.rows, self.columns, n)


#: Rows by column, (column, row) pairs, or validated fixed queens.
Fixed: TypeAlias = Mapping[int, int] | Squares | FixedQueens

NO_FIXED_QUEENS = FixedQueens(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.uint64))


def fixed_queens(fixed: Fixed | None, n: int) -> FixedQueens:
    """Validate fixed queens; columns and rows count from 0.

    Raise :class:`InputError` for the first square that is off the board or in the column of an earlier one, and
    :class:`NoSolutionError` if two fixed queens attack each other.

    >>> fixed_queens({6: 2, 1: 3}, 8).columns
    array([1, 6])
    """
    if fixed is None:
        return NO_FIXED_QUEENS
    if isinstance(fixed, FixedQueens):
        fixed = fixed.squares
    listed = list(fixed.items()) if isinstance(fixed, Mapping) else fixed
    squares = as_integers(listed, "fixed", f"{COLUMNS_AND_ROWS} {{3: 17}} or [(3, 17)]", pairs=True)
    check_on_board("fixed queen", squares, n)
    columns, rows = squares.T
    queens = _sorted_by_column(columns, rows, n)
    _check_one_in_a_column(squares, queens)
    _check_no_attack(queens)
    return queens


def _sorted_by_column(columns: NDArray[np.int64], rows: NDArray[np.int64], n: int) -> FixedQueens:
    order = columns.argsort(kind="stable")
    columns, rows = columns[order], rows[order]
    marks = np.zeros(-(-n // 64) if len(columns) else 0, np.uint64)
    set_bits(marks, columns)
    return FixedQueens(columns, rows, marks)


def _check_one_in_a_column(squares: NDArray[np.int64], queens: FixedQueens) -> None:
    """Raise :class:`InputError` for the first square in the column of an earlier one."""
    if (queens.columns[1:] == queens.columns[:-1]).any():
        right, left = _first_clash(squares[:, 0]) or (0, 0)
        (column, row), earlier = squares[right].tolist(), int(squares[left, 1])
        raise InputError(
            f"fixed queen in column {column}, row {{}}: column {column} already has one, in row {{}}", row, earlier
        )


def _check_no_attack(queens: FixedQueens) -> None:
    """Raise :class:`NoSolutionError` if two queens share a row or a diagonal."""
    columns, rows = queens.columns, queens.rows
    lines = ((rows, "row"), (columns + rows, "diagonal"), (columns - rows, "diagonal"))
    clashes = [(clash, shared) for line, shared in lines if (clash := _first_clash(line)) is not None]
    if clashes:
        (right, left), shared = min(clashes)
        raise NoSolutionError(
            f"no solution exists: the fixed queens in column {columns[left]}, row {{}} and in column {columns[right]}, "
            f"row {{}} attack each other on a {shared}",
            *map(int, rows[[left, right]]),
        )


def _first_clash(lines: NDArray[np.int64]) -> tuple[int, int] | None:
    """Return the least ``right`` with an earlier ``left`` on its line, as (right, left); None if all lines differ."""
    order = lines.argsort(kind="stable")
    sorted_lines = lines[order]
    is_shared = sorted_lines[1:] == sorted_lines[:-1]
    if not is_shared.any():
        return None
    clashes = np.flatnonzero(is_shared)
    return min((int(order[at + 1]), int(order[at])) for at in clashes)
