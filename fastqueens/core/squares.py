"""Squares that the user lists: (column, row) pairs, both from 0."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError

#: (column, row) pairs, or a (k, 2) array of integers.
Squares: TypeAlias = Iterable[tuple[int, int]] | NDArray[Any]


def as_squares(listed_squares: Any, name: str, *, by_column: bool = False) -> NDArray[np.int64]:
    """Return squares as a (k, 2) array, columns first.

    Parameters
    ----------
    listed_squares : (column, row) pairs, or a (k, 2) array of integers
        Not yet validated.
    name : str
        The name of the argument, for messages.
    by_column : bool
        Also accept a mapping of columns to rows.

    Raises
    ------
    InputError
        If the squares are not pairs of 64-bit integers. The message names the first one that is not.
    """
    wanted = f"columns and rows are needed, as in {'{3: 17} or ' if by_column else ''}[(3, 17)]"
    listed: Any
    if isinstance(listed_squares, Mapping) and by_column:
        listed = list(listed_squares.items())
    elif isinstance(listed_squares, np.ndarray):
        listed = listed_squares
    elif isinstance(listed_squares, Iterable) and not isinstance(listed_squares, (str, bytes, Mapping)):
        listed = list(listed_squares)
    else:
        raise InputError(f"{name} is {listed_squares!r}: {wanted}")
    try:
        squares = np.asarray(listed)
    except ValueError:
        raise InputError(f"{name} holds {_first_odd(listed)}: {wanted}") from None
    if squares.size == 0:
        return np.empty((0, 2), np.int64)
    if squares.ndim != 2 or squares.shape[1] != 2 or squares.dtype.kind not in "iu":
        is_array = listed is listed_squares
        held = f"is {squares.dtype} of shape {squares.shape}" if is_array else f"holds {_first_odd(listed)}"
        raise InputError(f"{name} {held}: {wanted}")
    if squares.dtype.kind == "u" and int(squares.max()) >= 2**63:
        raise InputError(f"{name} holds {int(squares.max())}: no board is so large")
    return squares.astype(np.int64)


def _first_odd(listed: Collection[Any]) -> str:
    """Return the repr of the first entry that is not a pair of 64-bit integers."""
    return next((repr(entry) for entry in listed if not _is_square(entry)), repr(listed))


def _is_square(entry: Any) -> bool:
    try:
        column, row = entry
    except (TypeError, ValueError):
        return False
    return all(isinstance(value, (int, np.integer)) and -(2**63) <= value < 2**63 for value in (column, row))


def check_on_board(what: str, squares: NDArray[np.int64], n: int, rows_from: int) -> None:
    """Raise :class:`InputError` for the first square that is off the board."""
    columns, rows = squares.T
    off = np.flatnonzero((columns < 0) | (columns >= n) | (rows < 0) | (rows >= n))
    if len(off):
        column, row = squares[off[0]].tolist()
        lines, first = ("columns", 0) if not 0 <= column < n else ("rows", rows_from)
        raise InputError(
            f"{what} in {named_square(column, row, rows_from)}: {lines} go from {first} to {n - 1 + first}"
        )


def named_square(column: int, row: int, rows_from: int) -> str:
    """Return a square as messages name it.

    >>> named_square(3, 17, 0)
    'column 3, row 17'
    """
    return f"column {column}, row {row + rows_from}"
