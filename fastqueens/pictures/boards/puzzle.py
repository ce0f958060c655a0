"""An instance without its solution: a puzzle to solve on paper."""

from __future__ import annotations

from matplotlib.axes import Axes

from fastqueens.core.instance import Instance
from fastqueens.core.wording import counted
from fastqueens.pictures.boards.constraints import constraint_words, draw_exclusions
from fastqueens.pictures.boards.queens import draw_queens
from fastqueens.pictures.boards.squares import Frame, draw_on_board, heights
from fastqueens.pictures.checks import LARGEST_WITH_CROWNS, check_size
from fastqueens.pictures.figure import Picture


def instance_picture(
    instance: Instance,
    *,
    origin: str = "upper",
    coordinates: bool = True,
    rows_from: int = 0,
    title: str | None = None,
) -> Picture:
    """Draw a board with its fixed queens, blocked squares and excluded diagonals: a puzzle to solve on paper.

    Parameters
    ----------
    instance : Instance
        n is at most 400; see :func:`fastqueens.puzzle` for fixed queens.
    origin, coordinates, rows_from, title
        As in :func:`board_picture`.

    Raises
    ------
    InputError
        If n is above 400.

    Examples
    --------
    >>> from fastqueens.core.instance import make_instance
    >>> figure = instance_picture(make_instance(8, [(1, 3), (3, 4)], excluded_sums=[0]))
    >>> figure.get_supxlabel()
    'n = 8, 6 queens to place; 2 fixed queens and 1 excluded sum diagonal (dashed)'
    """
    n, fixed = instance.n, instance.fixed
    check_size(n, LARGEST_WITH_CROWNS, "a picture of queens")
    at = heights(fixed.rows, origin, n)

    def draw(axes: Axes) -> None:
        draw_exclusions(axes, instance, origin)
        draw_queens(axes, fixed.columns, at)

    text = f"n = {n}, {counted(instance.free_columns, 'queen')} to place"
    if not instance.is_free:
        text += f"; {constraint_words(instance)}"
    return draw_on_board(n, Frame(origin, coordinates, rows_from), title or counted(n, "queen"), text, draw)
