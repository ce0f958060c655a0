"""An instance as data for a page: its figures, its diagonals, and tiles of its blocked squares and fixed queens.

A tile has 256 x 256 squares. Its bytes begin with the number of blocked squares (uint32); then follow the blocked
squares and the squares of fixed queens as column * 256 + row within the tile (uint16), both in ascending order. All
numbers are little-endian.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.explorer.pyramid import TILE_BITS

_SIDE = 1 << TILE_BITS

#: A page in one file with more squares and diagonals would be slow to open; the server has no such limit.
MOST_INSIDE = 2_000_000


def figures(instance: Instance | None) -> dict[str, Any] | None:
    """Return what an instance asks for, as a page states it; None for a free board."""
    if instance is None or instance.is_free:
        return None
    return {
        "fixed": len(instance.fixed),
        "blocked": len(instance.blocked),
        "diagonals": len(instance.excluded_sums) + len(instance.excluded_differences),
    }


def diagonals(instance: Instance) -> dict[str, list[int]]:
    """Return the excluded diagonals, ascending."""
    return {"sums": instance.excluded_sums.tolist(), "differences": instance.excluded_differences.tolist()}


def tile_of_squares(instance: Instance, column: int, row: int) -> bytes:
    """Return the blocked squares and fixed queens of the tile in this column and row of tiles.

    O(log k + s) time for k squares, s of them in the columns of the tile.

    Raises
    ------
    InputError
        If the board has no such tile.
    """
    last = (instance.n - 1) >> TILE_BITS
    for name, value in (("column", column), ("row", row)):
        if not 0 <= value <= last:
            raise InputError(f"{name} is {value}: tiles of squares go from 0 to {last}")
    blocked, fixed = (_keys(squares, column, row) for squares in (instance.blocked, instance.fixed.squares))
    return len(blocked).to_bytes(4, "little") + blocked.tobytes() + fixed.tobytes()


def page_data(instance: Instance) -> dict[str, NDArray[Any]]:
    """Return the arrays of an instance for a page in one file.

    Returns
    -------
    dict of arrays
        "blocked" and "fixed": all columns, then all rows, sorted by column, then by row. "sums", and "differences" with
        n added.

    Raises
    ------
    InputError
        If there are more than 2 million squares and diagonals.
    """
    parts = {
        "blocked": instance.blocked.T,
        "fixed": instance.fixed.squares.T,
        "sums": instance.excluded_sums,
        "differences": instance.excluded_differences + instance.n,
    }
    held = len(instance.blocked) + len(instance.fixed) + len(parts["sums"]) + len(parts["differences"])
    if held > MOST_INSIDE:
        raise InputError(
            f"a page in one file holds at most {MOST_INSIDE:,} squares and diagonals of an instance, and this one has "
            f"{held:,}; without -o, a local server shows it"
        )
    return parts


def _keys(squares: NDArray[np.int64], column: int, row: int) -> NDArray[np.uint16]:
    """Return the squares of a tile, from squares sorted by column, then by row."""
    left, top = column << TILE_BITS, row << TILE_BITS
    first, last = np.searchsorted(squares[:, 0], [left, left + _SIDE])
    columns, rows = squares[first:last].T
    is_inside = (rows >= top) & (rows < top + _SIDE)
    keys = (columns[is_inside] - left) * _SIDE + rows[is_inside] - top
    packed: NDArray[np.uint16] = keys.astype("<u2")
    return packed
