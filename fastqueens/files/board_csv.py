"""Boards in ``.csv``: the header ``column,row``, then one line for each queen.

Files without the header and with the lines in any order can be read too, and so can one line with three or more rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.core.wording import counted
from fastqueens.files import board_line
from fastqueens.files.board_rows import board_of, joined, narrowed
from fastqueens.files.text import Place, check_range, lines_of_numbers, number_lines, pieces_of

HEADER = "column,row"


def read(file: IO[bytes], name: str, rows_from: int) -> Queens:
    """Read a board from ``column,row`` lines, or from one line with all rows."""
    line, begun = board_line.begin(file, 3)
    if line is not None:
        return board_line.parse(line, rows_from, name)
    lines: list[int] = []
    column_blocks: list[NDArray[Any]] = []
    row_blocks: list[NDArray[Any]] = []
    for first_line, squares in number_lines(file, name, HEADER, begun):
        lines.append(first_line)
        column_blocks.append(narrowed(squares[:, 0]))
        row_blocks.append(narrowed(squares[:, 1]))

    def place(index: int) -> str:
        return f"{name}: line {lines[0] + index}"

    queens = board_of(joined(row_blocks), rows_from, name, place)
    columns = joined(column_blocks)
    check_range(columns, 0, len(columns) - 1, place, f"columns in a file of {counted(len(columns), 'queen')}")
    return _in_column_order(queens, columns, place)


def content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the header and the lines of the file."""
    yield f"{HEADER}\n".encode()
    for first, rows in pieces_of(queens, rows_from):
        yield lines_of_numbers("%d,%d\n", np.column_stack((np.arange(first, first + len(rows)), rows)))


def _in_column_order(queens: Queens, columns: NDArray[Any], place: Place) -> Queens:
    """Sort the rows by column; raise :class:`InputError` if a column, known to be on the board, comes twice."""
    seen = np.zeros(len(columns), np.bool_)
    seen[columns] = True
    if not seen.all():
        first_lines = np.unique(columns, return_index=True)[1]
        index = int(np.setdiff1d(np.arange(len(columns)), first_lines)[0])
        raise InputError(f"{place(index)} holds column {columns[index]} again; column {np.argmin(seen)} is missing")
    ordered = np.empty_like(queens)
    ordered[columns] = queens
    return ordered
