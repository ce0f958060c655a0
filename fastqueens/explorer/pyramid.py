"""The pyramid of a board: its queens counted in cells of growing size, in memory.

With counts of one byte it takes at most a third of a byte a queen. It is never stored: a file next to the board could
be planted, out of date, or readable by others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.memory import check_memory
from fastqueens.explorer.cells import CELL_TYPES, TILE_BITS, Counts, count_cells, level_shapes, summed


class Pyramid(NamedTuple):
    """The counts of a board of n.

    Attributes
    ----------
    n : int
        Side of the board.
    levels : dict of (cells, cells) arrays of unsigned integers
        ``levels[k][i, j]`` counts the queens with ``column >> k == i`` and ``row >> k == j``. Empty for small boards.
    """

    n: int
    levels: dict[int, Counts]

    def counts(self, level: int, column: int, row: int) -> NDArray[np.uint32] | None:
        """Return the cells of a tile, [column, row], zero beyond the board; None if the level is too fine."""
        counted = max((known for known in self.levels if known <= level), default=None)
        if counted is None:
            return None
        cells = 1 << TILE_BITS
        # The level is counted, or one or more levels above a counted one.
        size = cells << (level - counted)
        part = self.levels[counted][column * size : (column + 1) * size, row * size : (row + 1) * size]
        inside = summed(part, level - counted)
        counts = np.zeros((cells, cells), np.uint32)
        counts[: inside.shape[0], : inside.shape[1]] = inside
        return counts


def build_pyramid(
    queens: Queens, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> Pyramid:
    """Count a board in memory: O(n) time, at most n / 3 bytes, or 1.1 n if a cell holds more than 255 queens.

    Parameters
    ----------
    queens : (n,) array of integers
        A validated board.
    threads : int, optional
        All cores by default.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "pyramid".

    Raises
    ------
    NotEnoughMemoryError
        If the counts do not fit into the available memory.
    """
    n = len(queens)
    callbacks = Callbacks(progress, stop)
    for cell in CELL_TYPES:
        shapes = level_shapes(n, cell)
        check_memory(sum(shape.nbytes for shape in shapes), f"counting {n:,} queens")
        levels: dict[int, Counts] = {shape.level: np.zeros((shape.cells,) * 2, shape.dtype) for shape in shapes}
        if count_cells(queens, levels, threads, callbacks):
            break
    return Pyramid(n, levels)
