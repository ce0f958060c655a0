"""The cost of every move, written on the square that it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from fastqueens.classroom.moves import best_moves, move_costs
from fastqueens.core.board import Queens, as_queens
from fastqueens.core.wording import counted
from fastqueens.pictures.boards.queens import draw_queens, growth_of
from fastqueens.pictures.boards.squares import Frame, draw_on_board, heights, points, square_outlines
from fastqueens.pictures.checks import LARGEST_MOVE_COSTS, check_size
from fastqueens.pictures.figure import Picture
from fastqueens.pictures.style import BEST, INK, PAPER

# On larger boards a queen has no room for a number.
_LARGEST_WITH_COST_ON_QUEEN = 16


def move_costs_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    origin: str = "upper",
    coordinates: bool = True,
    rows_from: int = 0,
    title: str | None = None,
) -> Picture:
    """Draw on each square the cost after the queen of its column has moved there; the best moves are filled.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; n is at most 40.
    origin, coordinates, rows_from, title
        As in :func:`board_picture`.

    Returns
    -------
    Picture
        A queen shows the present cost, if squares are large enough.

    Raises
    ------
    InputError
        If ``queens`` is not a board, or n is above 40.

    Notes
    -----
    O(n^2) time; see :func:`fastqueens.move_costs`.

    Examples
    --------
    >>> figure = move_costs_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, 5 attacking pairs, 1 best move to 2'
    """
    board = as_queens(queens)
    n = len(board)
    check_size(n, LARGEST_MOVE_COSTS, "a picture of all moves")
    costs = move_costs(board)
    best = best_moves(board, costs)
    at = heights(board, origin, n)

    def draw(axes: Axes) -> None:
        at_best = np.column_stack((best[:, 0], heights(best[:, 1], origin, n)))
        axes.add_collection(PolyCollection(square_outlines(at_best, 0.04), facecolors=BEST, zorder=1))
        draw_queens(axes, np.arange(n), at, growth=growth_of(board))
        _write_costs(axes, board, costs, {tuple(move) for move in best.tolist()}, origin)

    default_title = f"{counted(n, 'queen')}: attacking pairs after every move"
    text = _caption(board, costs, best)
    return draw_on_board(n, Frame(origin, coordinates, rows_from), title or default_title, text, draw, fading=0.5)


def _write_costs(axes: Axes, board: Queens, costs: NDArray[np.int64], best: set[tuple[int, ...]], origin: str) -> None:
    n = len(board)
    size = points(axes) * min(0.42, 1.15 / len(str(costs.max())))
    height_of_row = heights(np.arange(n), origin, n).tolist()
    look: dict[str, Any] = {"ha": "center", "va": "center_baseline", "zorder": 2.5}
    for (row, column), cost in np.ndenumerate(costs):
        has_queen = board[column] == row
        if has_queen and n > _LARGEST_WITH_COST_ON_QUEEN:
            continue
        height, fontsize = (0.37, 0.48 * size) if has_queen else (0.51, size)
        color, weight = (PAPER, "bold") if has_queen or (column, row) in best else (INK, "normal")
        place = column + 0.5, height_of_row[row] + height
        axes.text(*place, str(cost), fontsize=fontsize, color=color, weight=weight, **look)


def _caption(board: Queens, costs: NDArray[np.int64], best: NDArray[np.int64]) -> str:
    words = f"n = {len(board)}, {counted(int(costs[board[0], 0]), 'attacking pair')}"
    if not len(best):
        return f"{words}, no move"
    column, row = best[0]
    return f"{words}, {counted(len(best), 'best move')} to {costs[row, column]:,}"
