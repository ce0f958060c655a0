"""What an instance puts on a board: blocked squares, excluded diagonals, frames of fixed queens, and the words."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from numpy.typing import NDArray

from fastqueens.core.instance import Instance
from fastqueens.pictures.boards.squares import heights, points, smallness, square_outlines
from fastqueens.pictures.diagonals import excluded_lines
from fastqueens.pictures.style import BEST, BLOCKED, EXCLUDED, PAPER, blend

#: The share of paper in the colour of blocked squares on large boards, and of a dash in the diagonal of a square.
_MOST_PALE = 0.55
_DASH = 0.7


def draw_exclusions(axes: Axes, instance: Instance, origin: str) -> None:
    """Fill blocked squares, and draw a dashed line along each excluded diagonal."""
    n, blocked = instance.n, instance.blocked
    corners = np.column_stack((blocked[:, 0], heights(blocked[:, 1], origin, n)))
    # Paler where queens are as small as squares, to tell them apart.
    colours = [blend(BLOCKED, PAPER, _MOST_PALE * smallness(n))]
    axes.add_collection(
        PolyCollection(square_outlines(corners), facecolors=colours, linewidths=0, antialiaseds=False, zorder=0.5)
    )
    lines = excluded_lines(instance)
    if origin == "upper":
        lines[:, :, 1] = n - lines[:, :, 1]
    width = min(2.4, max(0.5, 0.06 * points(axes)))
    axes.add_collection(_dashed(lines, width, points(axes)))


def _dashed(lines: NDArray[Any], width: float, square: float) -> LineCollection:
    """Return lines with a dash in the middle of each square."""
    across = 2**0.5 * square / width
    dash, gap = _DASH * across, (1 - _DASH) * across
    look: dict[str, Any] = {"colors": EXCLUDED, "linewidths": width, "capstyle": "butt", "zorder": 0.8}
    return LineCollection(list(lines), linestyles=[(-gap / 2, (dash, gap))], **look)


def mark_squares(axes: Axes, columns: NDArray[np.int64], at: NDArray[np.int64], growth: float) -> None:
    """Frame squares and make them white."""
    squares = square_outlines(np.column_stack((columns, at)), 0.06 - growth / 2)
    width = 0.1 * (1 + growth) * points(axes)
    axes.add_collection(
        PolyCollection(squares, facecolors=PAPER, edgecolors=BEST, linewidths=width, joinstyle="miter", zorder=1)
    )


def constraint_words(instance: Instance, violated: str = "") -> str:
    """Return what an instance asks for and how it is drawn, and what a board violates.

    >>> from fastqueens.core.instance import make_instance
    >>> constraint_words(make_instance(8, [(1, 3)], blocked=[(0, 0)], excluded_sums=[2]))
    '1 fixed queen, 1 blocked square (dark) and 1 excluded sum diagonal (dashed)'
    """
    words = instance.constraints
    if len(instance.blocked):
        noun = "blocked squares" if len(instance.blocked) > 1 else "blocked square"
        words = words.replace(noun, f"{noun} (dark)")
    if len(instance.excluded_sums) or len(instance.excluded_differences):
        words += " (dashed)"
    return f"{words}; {violated}" if violated else words
