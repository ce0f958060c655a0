"""The attacks on a board, as lines from each queen to the next one that it attacks."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.pictures.boards.squares import Outlines, points
from fastqueens.pictures.style import ATTACK, PAPER


def neighbours_on_lines(queens: Queens, columns: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return the pairs of queens that attack each other with no third queen between them.

    Parameters
    ----------
    queens : (n,) array
        A validated board.
    columns : (m,) int64 array, optional
        The columns whose queens count, ascending; by default all.

    Returns
    -------
    (k, 2) int64 array
        The columns of each pair, the left one first. A line with q queens has q - 1 pairs.

    Notes
    -----
    O(n log n) time.

    Examples
    --------
    >>> from fastqueens.core.board import as_queens
    >>> neighbours_on_lines(as_queens([0, 0, 0])).tolist()
    [[0, 1], [1, 2]]
    """
    chosen = np.arange(len(queens)) if columns is None else columns
    rows = queens[chosen].astype(np.int64)
    pairs = []
    for line in (rows, rows + chosen, rows - chosen):
        order = np.argsort(line, kind="stable")
        meet = np.flatnonzero(np.diff(line[order]) == 0)
        pairs.append(np.column_stack((chosen[order[meet]], chosen[order[meet + 1]])))
    return np.concatenate(pairs)


def draw_attacks(axes: Axes, queens: Queens, heights: NDArray[np.int64]) -> None:
    """Draw all attacks; ``heights`` holds the height of the queen in each column."""
    pairs = neighbours_on_lines(queens)
    segments: Outlines = np.stack((pairs, heights[pairs]), axis=2) + 0.5
    width = min(4.0, max(0.8, 0.07 * points(axes)))
    # A light line under the dark one: visible on squares of both colours, and in grey.
    for colour, linewidth, zorder in ((PAPER, 2.2 * width, 1.4), (ATTACK, width, 1.5)):
        axes.add_collection(
            LineCollection(segments, colors=colour, linewidths=linewidth, capstyle="round", zorder=zorder)
        )
