"""Boards, and the costs of moves on them, drawn as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from numpy.typing import NDArray

from fastqueens.core.board import Queens, as_queens
from fastqueens.pictures.checks import check_origin


def draw_board(queens: Sequence[int] | NDArray[Any], origin: str = "upper", fixed: Collection[int] = ()) -> str:
    """Return a board as text: a line for each row, ``Q`` for a queen, a dot for an empty square.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0. The text holds 2 n^2 characters.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.
    fixed : collection of int
        Columns whose queens are drawn as ``G``.

    Returns
    -------
    str
        n lines of 2n - 1 characters, with spaces between squares and no newline at the end.

    Raises
    ------
    InputError
        If ``queens`` is not a board, or ``origin`` is neither "upper" nor "lower".

    Examples
    --------
    >>> print(draw_board([1, 3, 0, 2]))
    . . Q .
    Q . . .
    . . . Q
    . Q . .
    """
    board = as_queens(queens)
    letters = {(column, row): "G" if column in fixed else "Q" for column, row in enumerate(board.tolist())}
    return _drawn(len(board), letters, origin)


def draw_fixed_queens(n: int, squares: NDArray[Any], origin: str = "upper") -> str:
    """Return a board with only its fixed queens, a (k, 2) array of columns and rows, as ``G``.

    >>> import numpy as np
    >>> print(draw_fixed_queens(4, np.array([[1, 3]])))
    . . . .
    . . . .
    . . . .
    . G . .
    """
    return _drawn(n, dict.fromkeys(map(tuple, squares.tolist()), "G"), origin)


def draw_move_costs(costs: NDArray[Any], queens: Queens, best: NDArray[Any], origin: str = "upper") -> str:
    """Return the cost of each move as text, on the square that it leads to; ``Q`` follows the number under a queen.

    Parameters
    ----------
    costs : (n, n) array of integers
        Entry [row, column] is the cost of moving the queen of that column to that row; none is negative.
    queens : (n,) array of integers
        The row of the queen in each column, from 0.
    best : (k, 2) array of integers
        Column and row of the squares that get a ``*``.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.

    Returns
    -------
    str
        n lines of at most :func:`move_costs_width` characters, with no newline at the end.

    Raises
    ------
    InputError
        If ``origin`` is neither "upper" nor "lower".

    Examples
    --------
    >>> import numpy as np
    >>> print(draw_move_costs(np.array([[1, 1], [0, 1]]), np.array([0, 1]), np.array([[0, 1]])))
    1Q 1
    0* 1Q
    """
    digits = len(str(costs.max()))
    rows = [[f"{cost:{digits}} " for cost in row] for row in costs.tolist()]
    marked = [("Q", column, row) for column, row in enumerate(queens.tolist())]
    marked += [("*", column, row) for column, row in best.tolist()]
    for mark, column, row in marked:
        rows[row][column] = rows[row][column][:-1] + mark
    return _joined(rows, origin)


def move_costs_width(costs: NDArray[Any]) -> int:
    """Return the width of :func:`draw_move_costs` in characters: a number and a mark for each square, and spaces.

    >>> import numpy as np
    >>> move_costs_width(np.array([[1, 1], [0, 1]]))
    5
    """
    return len(costs) * (len(str(costs.max())) + 2) - 1


def _drawn(n: int, letters: dict[tuple[int, int], str], origin: str) -> str:
    """Return a board with letters on some of its squares (column, row)."""
    rows = [["."] * n for _ in range(n)]
    for (column, row), letter in letters.items():
        rows[row][column] = letter
    return _joined(rows, origin)


def _joined(rows: list[list[str]], origin: str) -> str:
    """Return the text of all squares, with row 0 at the top or at the bottom."""
    check_origin(origin)
    return "\n".join(" ".join(row).rstrip() for row in (rows if origin == "upper" else rows[::-1]))
