"""Text drawings of boards and of the costs of moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_choice
from fastqueens.board import Queens, as_queens
from fastqueens.checking import check_same_n, violating_queens
from fastqueens.instance import Instance

#: Whether row 0 is drawn at the top or at the bottom, in all drawings of boards.
ORIGINS = ("upper", "lower")


def draw_board(queens: Sequence[int] | NDArray[Any], origin: str = "upper", instance: Instance | None = None) -> str:
    """Return a board as text: a line for each row, ``Q`` for a queen, a dot for an empty square.

    An ``instance`` adds its marks (see :func:`explain_marks`). A queen that violates a constraint is ``q``, and the
    square of a missing fixed queen is ``f``.

    >>> print(draw_board([1, 3, 0, 2]))
    . . Q .
    Q . . .
    . . . Q
    . Q . .
    """
    board = as_queens(queens)
    n = len(board)
    squares, fixed, violating = [["."] * n for _ in range(n)], set(), set()
    if instance is not None:
        check_same_n(instance, n)
        squares = _marked_squares(instance, origin, "f")
        fixed = set(map(tuple, instance.fixed.squares.tolist()))
        violating = set(violating_queens(board, instance).tolist())
    for column, row in enumerate(board.tolist()):
        squares[row][column] = "F" if (column, row) in fixed else "q" if column in violating else "Q"
    return _joined(squares, origin)


def draw_instance(instance: Instance, origin: str = "upper") -> str:
    r"""Return a drawing of an instance: its fixed queens, blocked squares and excluded diagonals.

    >>> from fastqueens.instance import make_instance
    >>> print(draw_instance(make_instance(4, [(1, 3)], blocked=[(0, 0)], excluded_sums=[3], excluded_differences=[-1])))
    # \ . /
    . . X .
    . / . \
    / F . .
    """
    return _joined(_marked_squares(instance, origin, "F"), origin)


#: The marks in the drawing of an instance, in the order in which a legend explains them.
_MARKS = (
    ("F", "fixed queen"),
    ("#", "blocked square"),
    ("/\\X", "excluded diagonal"),
    ("q", "queen that violates a constraint"),
    ("f", "missing fixed queen"),
)


def explain_marks(drawing: str) -> str:
    r"""Return a legend of the marks of a drawing in one line, "" if it has only queens and empty squares.

    >>> explain_marks("F / \\\n# . Q")
    'F fixed queen, # blocked square, / \\ excluded diagonal'
    >>> explain_marks("Q .\n. Q")
    ''
    """
    found = [([mark for mark in marks if mark in drawing], meaning) for marks, meaning in _MARKS]
    return ", ".join(f"{' '.join(marks)} {meaning}" for marks, meaning in found if marks)


def draw_move_costs(costs: NDArray[Any], queens: Queens, best: NDArray[Any], origin: str = "upper") -> str:
    """Return a drawing with the cost of each move on its square. ``Q`` follows the number under a queen.

    Entry [row, column] of ``costs`` is the cost of moving the queen of that column to that row. The squares of
    ``best``, (k, 2) columns and rows, get a ``*``.

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
    """Return the width of :func:`draw_move_costs` in characters.

    >>> import numpy as np
    >>> move_costs_width(np.array([[1, 1], [0, 1]]))
    5
    """
    return len(costs) * (len(str(costs.max())) + 2) - 1


def _marked_squares(instance: Instance, origin: str, fixed: str) -> list[list[str]]:
    """Return the squares of an instance, with a letter for fixed queens; slashes slope like the displayed diagonals."""
    squares = [["."] * instance.n for _ in range(instance.n)]
    sums, differences = "/\\" if origin == "upper" else "\\/"
    columns = np.arange(instance.n)
    for mark, rows in (
        (sums, instance.excluded_sums[:, np.newaxis] - columns),
        (differences, instance.excluded_differences[:, np.newaxis] + columns),
    ):
        for line, column in np.argwhere((rows >= 0) & (rows < instance.n)).tolist():
            row = rows[line, column]
            squares[row][column] = mark if squares[row][column] == "." else "X"
    for mark, marked in (("#", instance.blocked), (fixed, instance.fixed.squares)):
        for column, row in marked.tolist():
            squares[row][column] = mark
    return squares


def _joined(rows: list[list[str]], origin: str) -> str:
    """Return the text of all squares, with row 0 at the top or at the bottom."""
    check_choice(origin, "origin", ORIGINS)
    return "\n".join(" ".join(row).rstrip() for row in (rows if origin == "upper" else rows[::-1]))
