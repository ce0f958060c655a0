"""Boards as text: ``.txt``, ``.csv`` and ``.json``; and the rows of a board as every format counts them.

- ``.txt``: one row in each line, column 0 first.
- ``.csv``: the header ``column,row``, then one line for each queen. Files without the header and with the lines in any
  order can be read too.
- ``.json``: ``{"n": 4, "queens": [1, 3, 0, 2]}``; the list alone can be read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.files import numbers
from fastqueens.files.numbers import (
    Place,
    check_range,
    integers,
    json_list,
    lines_of_numbers,
    number_lines,
    parse_fast,
    parse_json,
    pieces_of,
    shortened,
)
from fastqueens.files.reading import read_all

CSV_HEADER = "column,row"


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


def read_txt(file: IO[bytes], name: str, rows_from: int) -> Queens:
    """Read a board from lines of text."""
    blocks = [_narrowed(lines[:, 0]) for _, lines in number_lines(file, name, "row")]
    return board_of(_joined(blocks), rows_from, name, lambda index: f"{name}: line {index + 1}")


def txt_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the lines of the file."""
    for _, rows in pieces_of(queens, rows_from):
        yield lines_of_numbers("%d\n", rows)


def read_csv(file: IO[bytes], name: str, rows_from: int) -> Queens:
    """Read a board from ``column,row`` lines."""
    lines: list[int] = []
    column_blocks: list[NDArray[Any]] = []
    row_blocks: list[NDArray[Any]] = []
    for line, squares in number_lines(file, name, CSV_HEADER):
        lines.append(line)
        column_blocks.append(_narrowed(squares[:, 0]))
        row_blocks.append(_narrowed(squares[:, 1]))

    def place(index: int) -> str:
        return f"{name}: line {lines[0] + index}"

    queens = board_of(_joined(row_blocks), rows_from, name, place)
    columns = _joined(column_blocks)
    check_range(columns, 0, len(columns) - 1, place, f"columns in a file of {len(columns)} queens")
    return _in_column_order(queens, columns, place)


def csv_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the header and the lines of the file."""
    yield f"{CSV_HEADER}\n".encode()
    for first, rows in pieces_of(queens, rows_from):
        yield lines_of_numbers("%d,%d\n", np.column_stack((np.arange(first, first + len(rows)), rows)))


def read_json(file: IO[bytes], name: str, rows_from: int) -> Queens:
    """Read a board from JSON."""
    data = read_all(file, name)
    if not data.strip():
        raise InputError(f"{name}: it is empty")
    rows = _rows_fast(data)
    if rows is None:
        rows = _rows_strictly(data, name)
    return board_of(rows, rows_from, name, lambda c: f"{name}: queens[{c}]")


def json_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the parts of the file."""
    yield f'{{"n": {len(queens)}, "queens": '.encode()
    yield from json_list(rows for _, rows in pieces_of(queens, rows_from))
    yield b"}\n"


def _narrowed(values: NDArray[np.int64]) -> NDArray[Any]:
    """Return a copy that takes half the memory, if the values fit into uint32.

    Other values are on no board. They stay wide until an error reports them.
    """
    if values.min() < 0 or values.max() >= 2**32:
        return values.copy()
    return values.astype(np.uint32)


def _joined(blocks: list[NDArray[Any]]) -> NDArray[Any]:
    """Return the values of all blocks in one array."""
    return np.concatenate(blocks) if blocks else np.empty(0, np.uint32)


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


def _rows_fast(data: bytes) -> NDArray[np.int64] | None:
    """Parse a file that is laid out as :func:`content` writes it; return None for any other text, right or wrong."""
    head = re.match(rb'(?:\{"n": (0|[1-9][0-9]{0,9}), "queens": )?\[', data)
    tail = re.search(rb"\](\})?\n?\Z", data[-3:])
    if not head or not tail or bool(head[1]) != bool(tail[1]):
        return None
    end = len(data) - len(tail[0])
    blocks: list[NDArray[Any]] = []
    first = head.end()
    after = -1
    while after != end:
        after = data.find(b",", min(first + numbers.BLOCK, end), end)
        after = end if after < 0 else after
        block = data[first:after].replace(b", ", b",")
        # A line end between two numbers, or a zero in front of one, is not JSON, but it would pass as text.
        if b"\n" in block or b"\r" in block or re.search(rb",0[0-9]", b"," + block):
            return None
        parsed = parse_fast(block.replace(b",", b"\n") + b"\n", 1)
        if parsed is None:
            return None
        blocks.append(_narrowed(parsed[:, 0]))
        first = after + 1 + (data[after + 1 : after + 2] == b" ")
    rows = _joined(blocks)
    return None if head[1] and int(head[1]) != len(rows) else rows


def _rows_strictly(data: bytes, name: str) -> NDArray[np.int64]:
    board = parse_json(data, name)
    if isinstance(board, list):
        return integers(board, f"{name}: queens")
    if not isinstance(board, dict) or "queens" not in board:
        raise InputError(f'{name}: a list of rows is needed, or an object with "queens"')
    rows = integers(board["queens"], f"{name}: queens")
    n = board.get("n", len(rows))
    if type(n) is not int or n != len(rows):
        raise InputError(f"{name}: n is {shortened(repr(n))}, but queens holds {len(rows)} rows")
    return rows
