"""The pyramid of a board: its queens counted in cells of growing size, in memory.

A cell of level k is a square of 2**k x 2**k squares, so the cells of all levels fit into each other. The finest counted
level has at least four queens a cell, on average; nearer tiles are quickly counted from the columns themselves. From
there on, every second level is counted, and a level in between is summed when needed. With counts of one byte, this
takes at most a third of a byte a queen.

It is never stored: a file next to the board could be planted, out of date, or readable by others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density_kernel import count_window
from fastqueens.core.board import Queens
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, slices
from fastqueens.core.threads import Workers, workers_for

#: Cells on a side of a tile, as a power of two.
TILE_BITS = 8

CellType = type[np.unsignedinteger[Any]]
Counts = NDArray[np.unsignedinteger[Any]]

#: The type of the finest counts, and the one to use if a cell holds too many queens for it.
CELL_TYPES: tuple[CellType, CellType] = (np.uint8, np.uint32)

# Columns counted in one go: a power of two, and a multiple of the width of any finest cell.
_PIECE = 1 << 22


def finest_level(n: int) -> int:
    """Return the finest counted level: the first with at least four queens a cell, if all cells hold the same number.

    >>> [finest_level(10**power) for power in (6, 7, 8, 9)]
    [11, 13, 15, 16]
    """
    return -(-(4 * n - 1).bit_length() // 2)


def coarsest_level(n: int) -> int:
    """Return the level on which one tile shows the whole board.

    >>> coarsest_level(256), coarsest_level(257), coarsest_level(10**9)
    (0, 1, 22)
    """
    return max(0, (n - 1).bit_length() - TILE_BITS)


def count_cells(queens: Queens, levels: dict[int, Counts], threads: int | None, callbacks: Callbacks) -> bool:
    """Count all levels in place; return False if a finest cell holds more queens than its type can count."""
    if not levels:
        return True
    n, finest = len(queens), min(levels)
    with workers_for(n, threads) as workers:
        for last, fit in workers.rounds(lambda piece: _count_piece(queens, levels[finest], finest, *piece), n, _PIECE):
            if not all(fit):
                return False
            callbacks.poll("pyramid", last, n)
        for level in sorted(levels)[1:]:
            _coarsen(levels[level - 2], levels[level], workers)
    return True


def _count_piece(queens: Queens, cells: Counts, level: int, first: int, last: int) -> bool:
    begin = first >> level
    counts = np.zeros((((last - 1) >> level) + 1 - begin, cells.shape[1]), np.uint32)
    count_window(queens, counts, np.uint64(level), np.uint64(0), first, last)
    if counts.max() > np.iinfo(cells.dtype).max:
        return False
    cells[begin : begin + len(counts)] = counts
    return True


def _coarsen(fine: Counts, coarse: Counts, workers: Workers) -> None:
    """Sum 4 x 4 cells, a few columns of cells at a time."""

    def coarsen(piece: tuple[int, int]) -> None:
        first, last = piece
        coarse[first:last] = summed(fine[4 * first : 4 * last], 2)

    workers.each(coarsen, slices(len(coarse), 64))


def summed(cells: Counts, levels: int) -> Counts:
    """Sum 2 x 2 cells, once for each level; cells at the edge may be incomplete."""
    for _ in range(levels):
        columns, rows = (length + length % 2 for length in cells.shape)
        if (columns, rows) != cells.shape:
            cells = np.pad(cells, ((0, columns - cells.shape[0]), (0, rows - cells.shape[1])))
        pairs = np.add(cells[0::2], cells[1::2], dtype=np.uint32)
        cells = pairs[:, 0::2] + pairs[:, 1::2]
    return cells


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
    n, finest = len(queens), finest_level(len(queens))
    callbacks = Callbacks(progress, stop)
    sides = {level: ((n - 1) >> level) + 1 for level in range(finest, coarsest_level(n) + 1, 2)}
    for cell in CELL_TYPES:
        types = {level: np.dtype(cell if level == finest else np.uint32) for level in sides}
        check_memory(sum(side**2 * types[level].itemsize for level, side in sides.items()), f"counting {n:,} queens")
        levels: dict[int, Counts] = {level: np.zeros((side, side), types[level]) for level, side in sides.items()}
        if count_cells(queens, levels, threads, callbacks):
            break
    return Pyramid(n, levels)
