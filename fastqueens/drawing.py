"""Boards drawn as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from fastqueens.board import InputError, as_queens

ORIGINS = ("upper", "lower")


def draw_board(queens: Sequence[int] | NDArray[Any], origin: str = "upper") -> str:
    """Draw a board: a line for each row, ``Q`` for a queen, a point for an empty square, a blank between two squares.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0. The drawing holds 2 n^2 characters.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.

    Returns
    -------
    str
        n lines of 2n - 1 characters, without a line end after the last one.

    Raises
    ------
    InputError
        For what is no board, and for another origin.

    Examples
    --------
    >>> print(draw_board([1, 3, 0, 2]))
    . . Q .
    Q . . .
    . . . Q
    . Q . .
    """
    if origin not in ORIGINS:
        raise InputError(f"origin is {origin!r}: it is one of {', '.join(ORIGINS)}")
    board = as_queens(queens)
    rows = [["."] * len(board) for _ in board]
    for column, row in enumerate(board.tolist()):
        rows[row][column] = "Q"
    return "\n".join(" ".join(row) for row in (rows if origin == "upper" else reversed(rows)))
