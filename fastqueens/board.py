"""Boards: line arithmetic, dtypes, size limits, validation and the errors of the package.

A board is the array ``queens``: ``queens[c]`` is the row of the queen in column c, both counted from 0.
This module knows neither kernels nor files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Queens: TypeAlias = NDArray[np.integer[Any]]

#: Rows and columns are 32 bits wide, and the kernels mark an empty column with row n.
MAX_N = 2**32 - 1

#: From this n on a row no longer fits into int32 (n itself has to fit: it marks an empty column).
FIRST_UNSIGNED_N = 2**31

_PIECE = 1 << 22


class InputError(ValueError):
    """Something given by the user is wrong; the message names the value and what would be right."""


class NoSolutionError(ValueError):
    """No placement of non-attacking queens exists on this board."""


class NotEnoughMemoryError(MemoryError):
    """The work would need more memory than this machine gives; the message holds both numbers."""


def check_n(n: int) -> int:
    """Give n back as an int, or raise :class:`InputError` where it is no possible board size.

    >>> check_n(8)
    8
    >>> check_n(0)
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: n is 0: a board has at least 1 queen
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
        raise InputError(f"n is {n!r}: a whole number from 1 to {MAX_N:,} is needed")
    if n < 1:
        raise InputError(f"n is {n}: a board has at least 1 queen")
    if n > MAX_N:
        raise InputError(f"n is {n}: the largest board has {MAX_N:,} queens")
    return int(n)


def size_of(n: int | None, queens: Queens | None) -> int:
    """The size that is meant by n, by a validated board, or by both; raise :class:`InputError` where they disagree."""
    if queens is None and n is None:
        raise InputError("n or a board is needed")
    size = len(queens) if queens is not None and n is None else check_n(n)  # type: ignore[arg-type]
    if queens is not None and size != len(queens):
        raise InputError(f"n is {size}, and the board has {len(queens)} queens: leave one of them out")
    return size


def check_solvable(n: int) -> None:
    """Raise :class:`NoSolutionError` for the two sizes that have no solution, 2 and 3."""
    if n in (2, 3):
        raise NoSolutionError(f"no solution exists for n = {n}")


def row_dtype(n: int) -> type[np.int32] | type[np.uint32]:
    """The dtype of ``queens`` on a board of n: int32 while n fits into it, uint32 above."""
    return np.int32 if n < FIRST_UNSIGNED_N else np.uint32


def as_queens(board: Sequence[int] | NDArray[Any], name: str = "board") -> Queens:
    """Validate a board and give it back as an array of :func:`row_dtype`, copied only where it has to be.

    Parameters
    ----------
    board : sequence or array of n integers
        The row of the queen in each column, from 0 to n - 1.
    name : str
        What error messages call the board.

    Raises
    ------
    InputError
        Naming the first value that is no row of the board, and its column.

    Examples
    --------
    >>> as_queens([1, 3, 0, 2])
    array([1, 3, 0, 2], dtype=int32)
    >>> as_queens([1, 4, 0, 2])
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: board: column 1 holds row 4, rows go from 0 to 3
    """
    try:
        queens = np.asarray(board)
    except ValueError:
        raise InputError(f"{name}: a flat list of rows is needed, one integer a column") from None
    if queens.ndim != 1:
        raise InputError(f"{name}: a one-dimensional array is needed, this one has shape {queens.shape}")
    n = len(queens)
    if n == 0:
        raise InputError(f"{name}: it is empty; a board has at least 1 queen")
    check_n(n)
    if queens.dtype.kind not in "iu":
        _check_large_rows(board, n, name)
        raise InputError(f"{name}: rows are integers, these are {queens.dtype}{_first_odd(board)}")
    _check_rows(queens, n, name)
    return queens.astype(row_dtype(n), copy=False)


def _check_large_rows(board: Any, n: int, name: str) -> None:
    """Name the first row that is an integer, but too large for any array of integers."""
    if isinstance(board, np.ndarray) and board.dtype != object:
        return
    for column, row in enumerate(board):
        if isinstance(row, int) and not 0 <= row < n:
            raise InputError(f"{name}: column {column} holds row {row}, rows go from 0 to {n - 1}")


def _first_odd(board: Any) -> str:
    """Name the first entry of a list that is no integer, to help whoever made it."""
    if isinstance(board, np.ndarray):
        return ""
    for column, row in enumerate(board):
        if isinstance(row, bool) or not isinstance(row, (int, np.integer)):
            return f" (column {column} holds {row!r})"
    return ""


def _check_rows(queens: NDArray[Any], n: int, name: str) -> None:
    """Raise for the first row that is off the board; piece by piece, so that a mapped file stays on disk."""
    for first in range(0, n, _PIECE):
        piece = queens[first : first + _PIECE]
        if piece.min() < 0 or piece.max() >= n:
            at = int(np.flatnonzero((piece < 0) | (piece >= n))[0])
            raise InputError(f"{name}: column {first + at} holds row {piece[at]}, rows go from 0 to {n - 1}")
