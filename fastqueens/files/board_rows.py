"""The rows of a board as every format counts and stores them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.files.text import Place, check_range, pieces_of


def board_of(rows: NDArray[Any], rows_from: int, name: str, place: Place) -> Queens:
    """Check rows as the file counts them, and return them counted from 0, in the dtype of a board.

    They are not copied if they have this form already.
    """
    n = len(rows)
    if n == 0:
        raise InputError(f"{name}: it is empty; a board has at least 1 queen")
    dtype = row_dtype(check_n(n))
    check_range(rows, rows_from, n - 1 + rows_from, place, "rows")
    if rows_from == 0 and rows.dtype == dtype:
        return rows
    queens: NDArray[Any] = np.empty(n, dtype)
    for first, piece in pieces_of(rows):
        queens[first : first + len(piece)] = piece.astype(np.int64) - rows_from
    return queens


def narrowed(values: NDArray[np.int64]) -> NDArray[Any]:
    """Return a copy that takes half the memory, if the values fit into uint32.

    Other values are on no board. They stay wide until an error reports them.
    """
    if values.min() < 0 or values.max() >= 2**32:
        return values.copy()
    return values.astype(np.uint32)


def joined(blocks: list[NDArray[Any]]) -> NDArray[Any]:
    """Return the values of all blocks in one array."""
    return np.concatenate(blocks) if blocks else np.empty(0, np.uint32)
