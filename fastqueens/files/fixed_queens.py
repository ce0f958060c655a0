"""Fixed queens as a table ``column,row``, which is also an instance."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.files.atomic import atomic_write
from fastqueens.files.board_csv import HEADER
from fastqueens.files.instance_parts import Parts, Request, agreed_n, made
from fastqueens.files.text import FileName, check_range, lines_of_numbers, number_lines, open_input, pieces_of

_SQUARE = re.compile(r"\s*(-?\d{1,18})\s*,\s*(-?\d{1,18})\s*", re.ASCII)


def read_fixed_queens(source: FileName, n: int, *, rows_from: int = 0) -> NDArray[np.int64]:
    """Read fixed queens from ``column,row`` lines, with or without that header, in any order.

    Parameters
    ----------
    source : str or path
        The file, or "-" for standard input.
    n : int
        Side of the board.
    rows_from : 0 or 1
        The number of the first row in the file.

    Returns
    -------
    (k, 2) int64 array
        Columns and rows from 0, in the order of the file.

    Raises
    ------
    InputError
        Naming the file, the line, the value found, and what would be valid.
    """
    with open_input(source) as (file, name):
        return read_square_lines(file, name, n, rows_from)


def read_square_lines(file: IO[bytes], name: str, n: int, rows_from: int) -> NDArray[np.int64]:
    """Read fixed queens from an open file, as :func:`read_fixed_queens` does."""
    blocks = [np.empty((0, 2), np.int64)]
    for line, squares in number_lines(file, name, HEADER):

        def place(index: int, line: int = line) -> str:
            return f"{name}: line {line + index}"

        check_range(squares[:, 0], 0, n - 1, place, "columns")
        check_range(squares[:, 1], rows_from, n - 1 + rows_from, place, "rows")
        blocks.append(squares - (0, rows_from))
    return np.concatenate(blocks)


def parse_square(text: str, *, rows_from: int = 0) -> tuple[int, int]:
    """Read a square written as COLUMN,ROW.

    >>> parse_square("3,17"), parse_square("3,17", rows_from=1)
    ((3, 17), (3, 16))
    """
    found = _SQUARE.fullmatch(text)
    if not found:
        raise InputError(f"{text!r} is not a square; write COLUMN,ROW, for example 3,17")
    return int(found[1]), int(found[2]) - rows_from


def write_fixed_queens(path: FileName, squares: NDArray[np.int64], *, rows_from: int = 0) -> None:
    """Write fixed queens, a (k, 2) array of columns and rows, as :func:`read_fixed_queens` reads them."""
    with atomic_write(path) as file:
        file.writelines(square_lines(squares, rows_from))


def square_lines(squares: NDArray[np.int64], rows_from: int) -> Iterator[bytes]:
    """Yield the header and the lines of a file of fixed queens."""
    yield f"{HEADER}\n".encode()
    for _, piece in pieces_of(squares + np.array([0, rows_from])):
        yield lines_of_numbers("%d,%d\n", piece)


def read(data: bytes, name: str, request: Request) -> Instance:
    """Read fixed queens from lines of text."""
    if request.first is not None:
        raise InputError(f"{name}: only a list diags, as in CSPLib 079, has a first part; this file has fixed queens")
    n = agreed_n(None, request, name)
    squares = read_square_lines(io.BytesIO(data), name, n, request.rows_from)
    return made(n, Parts(squares), name, rows_from=request.rows_from)


def content(instance: Instance) -> Iterator[bytes]:
    """Yield the header and the lines of the file."""
    yield from square_lines(instance.fixed.squares, instance.fixed.rows_from)
