"""Fixed queens as a table of columns and rows, and squares as they are written on the command line.

The table begins with the header ``column,row`` or ``row,column``; without it, nothing would tell the two numbers of a
line apart. Lines can have any order.
"""

from __future__ import annotations

import io
import re

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.board_text import squares_below_header, table
from fastqueens.files.text import FileName, check_range, in_utf8, open_input, pieces_of, printed, read_all

_SQUARE = re.compile(r"\s*(-?\d{1,18})\s*,\s*(-?\d{1,18})\s*", re.ASCII)


def parse_square(text: str, *, rows_from: int = 0) -> tuple[int, int]:
    """Read a square written as COLUMN,ROW.

    >>> parse_square("3,17"), parse_square("3,17", rows_from=1)
    ((3, 17), (3, 16))
    """
    found = _SQUARE.fullmatch(text)
    if not found:
        raise InputError(f"{text!r} is not a square; write COLUMN,ROW, for example 3,17")
    return int(found[1]), int(found[2]) - rows_from


def read_fixed_queens(source: FileName, n: int, *, rows_from: int = 0) -> NDArray[np.int64]:
    """Read a table of fixed queens; return columns and rows from 0, (k, 2), in the order of the file.

    ``rows_from`` is the number of the first row in the file. Raises :class:`InputError` with the line and its content.
    """
    with open_input(source) as (file, name):
        data = in_utf8(read_all(file, name), name)
    found = squares_below_header(data, io.BytesIO(), name)
    if found is None:
        held = f"it begins with {printed(data.split(maxsplit=1)[0])}" if data.strip() else "it is empty"
        raise InputError(f"{name}: {held}; the header column,row is needed above the columns and rows")
    *squares, place = found
    for numbers, what, first in ((squares[0], "columns", 0), (squares[1], "rows", rows_from)):
        check_range(numbers, first, n - 1 + first, place, what)
    return np.column_stack(squares).astype(np.int64) - (0, rows_from)


def write_fixed_queens(path: FileName, squares: NDArray[np.int64], *, rows_from: int = 0) -> None:
    """Write fixed queens, a (k, 2) array of columns and rows, as :func:`read_fixed_queens` reads them."""
    with atomic_write(path) as file:
        file.writelines(table(piece for _, piece in pieces_of(squares + np.array([0, rows_from]))))
