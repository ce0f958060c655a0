"""The pyramid of a board: its queens counted in cells, coarser and coarser, in memory or beside the board's file.

A cell of level k is a square of 2**k x 2**k squares, so the cells of all levels fit into each other. The finest level
kept has four queens a cell, or more, on average: what is nearer is quickly counted from the columns themselves. From
there on every second level is kept; a level in between is summed where it is asked for. At one byte a cell that is a
third of a byte a queen at the most, and counting it holds only a few columns of cells in memory.
"""

from __future__ import annotations

import json
import logging
import os
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, Queens
from fastqueens.boardfile import claim_space
from fastqueens.kernels.windows import count_window
from fastqueens.machine import check_memory
from fastqueens.watch import Progress, Stop, Watch, slices
from fastqueens.wholefile import FileName, whole_file
from fastqueens.workers import Workers, workers_for

#: Cells a side of a tile, as a power of two.
TILE_BITS = 8

#: Smaller boards are counted in a few milliseconds, and nothing is kept of them.
KEPT_FROM = 1 << 22

SUFFIX = ".pyramid"

log = logging.getLogger("fastqueens")

_FORMAT = "fastqueens pyramid 1"
_HEADER = 4096

# Columns counted in one go: a power of two, and a multiple of the cells of any finest level there can be.
_PIECE = 1 << 22

_Cell = type[np.unsignedinteger[Any]]
_Counts = NDArray[np.unsignedinteger[Any]]

#: What the finest cells are, and where some of them hold too many queens for it.
_CELLS: tuple[_Cell, _Cell] = (np.uint8, np.uint32)


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
    levels: dict[int, _Counts]

    def counts(self, level: int, column: int, row: int) -> NDArray[np.uint32] | None:
        """The cells of a tile, [column, row], zero beyond the board; None on a level finer than those kept."""
        kept = max((known for known in self.levels if known <= level), default=None)
        if kept is None:
            return None
        cells = 1 << TILE_BITS
        # One level between two that are kept, and as many above the last one as the whole board fits into a tile.
        size = cells << (level - kept)
        part = self.levels[kept][column * size : (column + 1) * size, row * size : (row + 1) * size]
        summed = _summed(part, level - kept)
        counts = np.zeros((cells, cells), np.uint32)
        counts[: summed.shape[0], : summed.shape[1]] = summed
        return counts


def finest_level(n: int) -> int:
    """The finest level that is kept: the first one with four queens a cell, if all cells hold as many.

    >>> [finest_level(10**power) for power in (6, 7, 8, 9)]
    [11, 13, 15, 16]
    """
    return -(-(4 * n - 1).bit_length() // 2)


def coarsest_level(n: int) -> int:
    """The level on which one tile holds the whole board.

    >>> coarsest_level(256), coarsest_level(257), coarsest_level(10**9)
    (0, 1, 22)
    """
    return max(0, (n - 1).bit_length() - TILE_BITS)


def build_pyramid(
    queens: Queens, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> Pyramid:
    """Count a board in memory: O(n) time, at most n / 3 bytes where no cell holds more than 255 queens, else 4 n / 3.

    Parameters
    ----------
    queens : (n,) array of integers
        A validated board.
    threads : int, optional
        All cores if not given.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "pyramid".

    Raises
    ------
    NotEnoughMemoryError
        Where the counts do not fit into the memory there is.
    """
    n = len(queens)
    watch = Watch(progress, stop)
    for cell in _CELLS:
        shapes = _shapes(n, cell)
        check_memory(_size(shapes), f"counting {n:,} queens")
        levels: dict[int, _Counts] = {shape.level: np.zeros((shape.cells,) * 2, shape.dtype) for shape in shapes}
        if _fill(queens, levels, threads, watch):
            break
    return Pyramid(n, levels)


def kept_pyramid(
    queens: Queens,
    path: FileName,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Pyramid:
    """Give the pyramid that is kept beside a board's file; count the board where there is none, or one of another day.

    It is mapped, not read. Where nothing can be written beside the board, the pyramid is in memory.

    Parameters
    ----------
    queens : (n,) array of integers
        The validated board.
    path : str or path
        The file that it came from. The pyramid's own name ends with ".pyramid", and it holds the board's size and time
        of change.
    threads, progress, stop
        As in :func:`build_pyramid`.
    """
    n = len(queens)
    target = os.fspath(path) + SUFFIX
    key = _key(n, path)
    known = _read(target, key)
    if known is None:
        try:
            _write(target, key, queens, threads, Watch(progress, stop))
        except InputError as error:
            log.info("the pyramid cannot be kept: %s", error)
            return build_pyramid(queens, threads=threads, progress=progress, stop=stop)
        known = _read(target, key)
    # Where another process has replaced it meanwhile, this one need not fight for the file.
    return known or build_pyramid(queens, threads=threads, progress=progress, stop=stop)


# Counting


def _fill(queens: Queens, levels: dict[int, _Counts], threads: int | None, watch: Watch) -> bool:
    """Count all levels; False where a cell of the finest has no room for its queens."""
    if not levels:
        return True
    n, finest = len(queens), min(levels)
    with workers_for(n, threads) as workers:
        for first, last in slices(n, _PIECE * workers.threads):
            pieces = [(at, min(last, at + _PIECE)) for at in range(first, last, _PIECE)]
            if not all(workers.each(lambda piece: _fill_piece(queens, levels[finest], finest, *piece), pieces)):
                return False
            watch.look("pyramid", last, n)
        for level in sorted(levels)[1:]:
            _coarsen(levels[level - 2], levels[level], workers)
    return True


def _fill_piece(queens: Queens, cells: _Counts, level: int, first: int, last: int) -> bool:
    begin = first >> level
    counts = np.zeros((((last - 1) >> level) + 1 - begin, cells.shape[1]), np.uint32)
    count_window(queens, counts, np.uint64(level), np.uint64(0), first, last)
    if counts.max() > np.iinfo(cells.dtype).max:
        return False
    cells[begin : begin + len(counts)] = counts
    return True


def _coarsen(fine: _Counts, coarse: _Counts, workers: Workers) -> None:
    """Sum 4 x 4 cells, some columns of cells at a time."""

    def coarsen(piece: tuple[int, int]) -> None:
        first, last = piece
        coarse[first:last] = _summed(fine[4 * first : 4 * last], 2)

    workers.each(coarsen, list(slices(len(coarse), 64)))


def _summed(cells: _Counts, levels: int) -> _Counts:
    """Sum 2 x 2 cells, and again for each level; at the edge there may be fewer."""
    for _ in range(levels):
        columns, rows = (length + length % 2 for length in cells.shape)
        if (columns, rows) != cells.shape:
            cells = np.pad(cells, ((0, columns - cells.shape[0]), (0, rows - cells.shape[1])))
        pairs = np.add(cells[0::2], cells[1::2], dtype=np.uint32)
        cells = pairs[:, 0::2] + pairs[:, 1::2]
    return cells


# The file: a line of JSON, filled up with blanks, and the levels, the finest first.


class _Shape(NamedTuple):
    """Cells a side of a kept level."""

    level: int
    cells: int
    dtype: _Cell

    @property
    def nbytes(self) -> int:
        return self.cells**2 * np.dtype(self.dtype).itemsize


def _shapes(n: int, cell: _Cell) -> list[_Shape]:
    finest = finest_level(n)
    return [
        _Shape(level, ((n - 1) >> level) + 1, cell if level == finest else np.uint32)
        for level in range(finest, coarsest_level(n) + 1, 2)
    ]


def _size(shapes: list[_Shape]) -> int:
    return sum(shape.nbytes for shape in shapes)


def _key(n: int, path: FileName) -> dict[str, Any]:
    """What says that a pyramid belongs to a board."""
    status = os.stat(path)
    return {"format": _FORMAT, "n": n, "board_bytes": status.st_size, "board_changed": status.st_mtime_ns}


def _read(target: str, key: dict[str, Any]) -> Pyramid | None:
    """Map a pyramid; None where there is none, or one that does not belong to the board."""
    try:
        with open(target, "rb") as file:
            found = json.loads(file.read(_HEADER))
            cell = {np.dtype(cell).itemsize: cell for cell in _CELLS}[found.pop("cell_bytes")]
            shapes = _shapes(key["n"], cell)
            if found != key or os.fstat(file.fileno()).st_size != _HEADER + _size(shapes):
                return None
            return Pyramid(key["n"], _mapped(file, shapes, "r"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _write(target: str, key: dict[str, Any], queens: Queens, threads: int | None, watch: Watch) -> None:
    for cell in _CELLS:
        shapes = _shapes(len(queens), cell)
        try:
            with whole_file(target) as file:
                file.write(json.dumps(key | {"cell_bytes": np.dtype(cell).itemsize}).ljust(_HEADER).encode())
                file.flush()
                claim_space(file, _HEADER, _size(shapes))
                if not _fill(queens, _mapped(file, shapes, "r+"), threads, watch):
                    raise _NoRoomError
        except _NoRoomError:
            continue
        return


class _NoRoomError(Exception):
    """A cell holds more queens than its bytes can count."""


def _mapped(file: IO[bytes], shapes: list[_Shape], mode: Any) -> dict[int, _Counts]:
    levels: dict[int, _Counts] = {}
    offset = _HEADER
    for shape in shapes:
        mapped = np.memmap(file, shape.dtype, mode, offset, (shape.cells, shape.cells))
        levels[shape.level] = mapped.view(np.ndarray)
        offset += shape.nbytes
    return levels
