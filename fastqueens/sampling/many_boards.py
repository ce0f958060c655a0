"""Several boards of one size, from whatever a user passes, read piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import Board, Queens, as_queens, check_n, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.core.integers import is_integer
from fastqueens.core.wording import counted

_NEEDED = "one board, or several of the same n, are needed"


class ManyBoards:
    """Validated boards of one n. Arrays that are mapped from files stay on disk.

    Attributes
    ----------
    n : int
        Side of each board.
    count : int
        Number of boards.
    """

    def __init__(self, boards: NDArray[Any] | list[Queens]) -> None:
        self._boards = boards
        self.n = len(boards[0])
        self.count = len(boards)

    def piece(self, top: int, bottom: int) -> NDArray[Any]:
        """Return boards top to bottom - 1 as a (bottom - top, n) array of ``row_dtype``; a view if it is possible."""
        if isinstance(self._boards, np.ndarray):
            return np.ascontiguousarray(self._boards[top:bottom], row_dtype(self.n))
        chosen = self._boards[top:bottom]
        return chosen[0][np.newaxis] if len(chosen) == 1 else np.stack(chosen)

    def pieces(self, top: int, bottom: int, queens: int) -> Iterator[tuple[int, int]]:
        """Cut boards top to bottom - 1 into pieces (top, bottom) of about ``queens`` queens; a board is not cut."""
        step = max(1, queens // self.n)
        for first in range(top, bottom, step):
            yield first, min(first + step, bottom)


def as_boards(boards: Any) -> ManyBoards:
    """Return validated boards.

    Parameters
    ----------
    boards : (n,) or (count, n) array of integers, sequence of rows or of boards, or an object with ``boards``
        Rows from 0 to n - 1. Several queens may be on one row.

    Raises
    ------
    InputError
        If they are not boards of one n. The message names the first wrong board, row and column.

    Examples
    --------
    >>> as_boards([[1, 3, 0, 2], [2, 0, 3, 1]]).count
    2
    >>> as_boards([[1, 3, 0, 2], [0]])
    Traceback (most recent call last):
    ...
    fastqueens.InputError: board 1 has 1 queen, and board 0 has 4: boards of the same n are needed
    """
    boards = getattr(boards, "boards", boards)
    if isinstance(boards, np.ndarray) and boards.ndim == 2:
        return _of_table(boards)
    if isinstance(boards, np.ndarray):
        if boards.ndim != 1:
            raise InputError(f"boards: the array has shape {boards.shape}; {_NEEDED}")
        return ManyBoards([as_queens(boards)])
    return _of_sequence(boards)


def _of_sequence(boards: Any) -> ManyBoards:
    if not isinstance(boards, Sequence):
        raise InputError(f"boards is {type(boards).__name__}: {_NEEDED}")
    if not len(boards):
        raise InputError(f"boards: there is none; {_NEEDED}")
    if is_integer(boards[0]):
        return ManyBoards([as_queens(boards)])
    found = [as_queens(_one_of(boards, at), f"board {at}") for at in range(len(boards))]
    for at, queens in enumerate(found):
        if len(queens) != len(found[0]):
            raise InputError(
                f"board {at} has {counted(len(queens), 'queen')}, and board 0 has {len(found[0]):,}: "
                "boards of the same n are needed"
            )
    return ManyBoards(found)


def _one_of(boards: Sequence[Any], at: int) -> Board:
    board = boards[at]
    if not isinstance(board, Sequence | np.ndarray) or isinstance(board, str):
        raise InputError(f"board {at} is {board!r}: {_NEEDED}")
    return board


def _of_table(boards: NDArray[Any]) -> ManyBoards:
    count, n = boards.shape
    if not count or not n:
        raise InputError(f"boards: the array has shape {boards.shape}; {_NEEDED}")
    check_n(n)
    if boards.dtype.kind not in "iu":
        raise InputError(f"boards: rows are integers, these are {boards.dtype}")
    found = ManyBoards(boards)
    for top, bottom in found.pieces(0, count, thresholds.current.validated_piece):
        piece = boards[top:bottom]
        if piece.min() < 0 or piece.max() >= n:
            at = top + int(np.argmax(((piece < 0) | (piece >= n)).any(axis=1)))
            as_queens(boards[at], f"board {at}")  # raises: it names the column
    return found
