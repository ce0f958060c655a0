"""Fixed queens as a table of columns and rows, and squares as they are written on the command line.

The table begins with the header ``column,row`` or ``row,column``; without it, nothing would tell the two numbers of a
line apart. Lines can have any order. Commas, semicolons, tabs and blanks separate numbers, and ``#`` begins a comment.
"""

from __future__ import annotations

import codecs
import re

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, open_input, read_all, shortened

_HEADER_NEEDED = "the header column,row is needed, and a line with the two numbers of each fixed queen below it"

_SQUARE = re.compile(r"\s*(-?\d{1,18})\s*,\s*(-?\d{1,18})\s*", re.ASCII)
_LINE = re.compile(r"(-?\d{1,18})(?:\s*[,;]\s*|\s+)(-?\d{1,18})", re.ASCII)


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
        data = read_all(file, name)
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = data.decode("utf-16" if is_utf16 else "utf-8-sig", errors="replace")
    lines = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines:
        raise InputError(f"{name}: it is empty; {_HEADER_NEEDED}")
    number, header = lines[0]
    names = [word.strip("\"'").lower() for word in re.split(r"[,;\s]+", header)]
    if sorted(names) != ["column", "row"]:
        raise InputError(f"{name}: line {number} holds {shortened(repr(header))}; {_HEADER_NEEDED}")
    limits = {"column": (0, n - 1), "row": (rows_from, n - 1 + rows_from)}
    squares = []
    for number, line in lines[1:]:
        found = _LINE.fullmatch(line)
        if not found:
            raise InputError(f"{name}: line {number} holds {shortened(repr(line))}; two whole numbers are needed")
        square = dict(zip(names, map(int, found.groups()), strict=True))
        for what, (least, most) in limits.items():
            if not least <= square[what] <= most:
                raise InputError(f"{name}: line {number} has {what} {square[what]}; {what}s go from {least} to {most}")
        squares.append((square["column"], square["row"] - rows_from))
    return np.array(squares, np.int64).reshape(-1, 2)


def write_fixed_queens(path: FileName, squares: NDArray[np.int64], *, rows_from: int = 0) -> None:
    """Write fixed queens, a (k, 2) array of columns and rows, as :func:`read_fixed_queens` reads them."""
    with atomic_write(path) as file:
        np.savetxt(file, squares + np.array([0, rows_from]), "%d", ",", header="column,row", comments="")
