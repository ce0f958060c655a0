"""The pyramid of a board: its queens counted in cells of growing size, in memory or in a file next to the board.

With counts of one byte it takes at most a third of a byte a queen. Counting needs only a few columns of cells in memory
at a time.
"""

from __future__ import annotations

import json
import logging
import os
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import InputError
from fastqueens.core.memory import check_memory
from fastqueens.explorer.cells import CELL_TYPES, TILE_BITS, Counts, LevelShape, count_cells, level_shapes, summed
from fastqueens.files.atomic import atomic_write, claim_space
from fastqueens.files.names import FileName

#: Smaller boards are counted in a few milliseconds, so their counts are not stored.
KEPT_FROM = 1 << 22

SUFFIX = ".pyramid"

log = logging.getLogger("fastqueens")

_FORMAT = "fastqueens pyramid 1"
_HEADER = 4096


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
        check_memory(_total_bytes(shapes), f"counting {n:,} queens")
        levels: dict[int, Counts] = {shape.level: np.zeros((shape.cells,) * 2, shape.dtype) for shape in shapes}
        if count_cells(queens, levels, threads, callbacks):
            break
    return Pyramid(n, levels)


class FileState(NamedTuple):
    """What distinguishes a file from another one of the same name, and from itself before a change."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


def file_state(path: FileName) -> FileState | None:
    """Return the state of a file, or None if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileState(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def kept_pyramid(
    queens: Queens,
    path: FileName,
    state: FileState | None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Pyramid:
    """Return the pyramid stored next to a board's file, or count the board and store it there.

    The stored pyramid is mapped, not read. The pyramid is counted in memory and not stored if nothing can be written
    next to the board, or if the file is no longer the one that the board was read from.

    Parameters
    ----------
    queens : (n,) array of integers
        The validated board.
    path : str or path
        The board's file. The name of the pyramid's file is this name and ".pyramid".
    state : FileState or None
        The state of the board's file before it was read. If the state is still the same, the board came from this file;
        otherwise the file was replaced or changed in between. The pyramid records inode, size and time of change, so
        that it is used for no other board.
    threads, progress, stop
        As in :func:`build_pyramid`.
    """
    stored = None
    if state is None or file_state(path) != state:
        log.info("the pyramid is not stored: %s has changed since the board was read", os.fspath(path))
    else:
        target = os.fspath(path) + SUFFIX
        key = _key(len(queens), state)
        stored = _read(target, key)
        if stored is None:
            try:
                _write(target, key, queens, threads, Callbacks(progress, stop))
                # None again if another process has just replaced the file: do not compete for it.
                stored = _read(target, key)
            except InputError as error:
                log.info("the pyramid cannot be stored: %s", error)
    return stored or build_pyramid(queens, threads=threads, progress=progress, stop=stop)


# The file: a line of JSON, padded with blanks, and the levels, the finest first.


def _key(n: int, state: FileState) -> dict[str, Any]:
    """Return what a stored pyramid must record to belong to a board.

    The time of the last change of the inode is not part of it: a new name or new permissions do not change the board.
    """
    return {
        "format": _FORMAT,
        "n": n,
        "board_inode": state.inode,
        "board_bytes": state.size,
        "board_changed": state.modified,
    }


def _read(target: str, key: dict[str, Any]) -> Pyramid | None:
    """Map a stored pyramid; return None if there is none or it belongs to another board."""
    try:
        with open(target, "rb") as file:
            found = json.loads(file.read(_HEADER))
            cell = {np.dtype(cell).itemsize: cell for cell in CELL_TYPES}[found.pop("cell_bytes")]
            shapes = level_shapes(key["n"], cell)
            if found != key or os.fstat(file.fileno()).st_size != _HEADER + _total_bytes(shapes):
                return None
            return Pyramid(key["n"], _mapped(file, shapes, "r"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _write(target: str, key: dict[str, Any], queens: Queens, threads: int | None, callbacks: Callbacks) -> None:
    for cell in CELL_TYPES:
        shapes = level_shapes(len(queens), cell)
        try:
            with atomic_write(target) as file:
                file.write(json.dumps(key | {"cell_bytes": np.dtype(cell).itemsize}).ljust(_HEADER).encode())
                file.flush()
                claim_space(file, _HEADER, _total_bytes(shapes))
                if not count_cells(queens, _mapped(file, shapes, "r+"), threads, callbacks):
                    raise _CellOverflowError
        except _CellOverflowError:
            continue
        return


class _CellOverflowError(Exception):
    """A cell holds more queens than its type can count."""


def _mapped(file: IO[bytes], shapes: list[LevelShape], mode: Any) -> dict[int, Counts]:
    levels: dict[int, Counts] = {}
    offset = _HEADER
    for shape in shapes:
        mapped = np.memmap(file, shape.dtype, mode, offset, (shape.cells, shape.cells))
        levels[shape.level] = mapped.view(np.ndarray)
        offset += shape.nbytes
    return levels


def _total_bytes(shapes: list[LevelShape]) -> int:
    return sum(shape.nbytes for shape in shapes)
