"""Boards as text: ``.txt``, ``.csv`` and ``.json``.

- ``.txt``: one row in each line, column 0 first; all rows in one line can be read too.
- ``.csv``: the header ``column,row``, then one line for each queen. Files without the header and with the lines in any
  order can be read too, and so can one line with three or more rows.
- ``.json``: ``{"n": 4, "queens": [1, 3, 0, 2]}``; the list alone can be read too.

Each format has a function that reads an open file, and one that yields the bytes of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.errors import InputError, counted
from fastqueens.core.memory import check_memory
from fastqueens.files import text
from fastqueens.files.text import MOST_IN_LINE, Place, check_range, integers, number_lines, pieces_of, shortened

#: The header of lines with a square each.
SQUARES = "column,row"

#: Memory that a byte of JSON takes while it is parsed, at most: "257, " becomes a pointer and an integer of 28 bytes.
_BYTES_PER_BYTE = 8

#: A byte order mark, at least two numbers, and the end of the line.
_ROWS = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*(-?\d+(?:(?:[ \t]*,[ \t]*|[ \t]+)-?\d+)+)\s*")
_SEPARATOR = re.compile(r"\s*,\s*|\s+")


class Rows(NamedTuple):
    """The rows of a board as its file counts them, not yet checked.

    rows : one integer for each column
    place : tells where the row of a column is
    """

    rows: NDArray[Any]
    place: Place

    def board(self, rows_from: int, name: str) -> Queens:
        """Return the checked rows, counted from 0 and in the dtype of a board; copied only if they are not yet so."""
        n = len(self.rows)
        if n == 0:
            raise InputError(f"{name}: it is empty; a board has at least 1 queen")
        dtype = row_dtype(check_n(n))
        check_range(self.rows, rows_from, n - 1 + rows_from, self.place, "rows")
        if rows_from == 0 and self.rows.dtype == dtype:
            return self.rows
        queens: Queens = np.empty(n, dtype)
        for first, piece in pieces_of(self.rows):
            queens[first : first + len(piece)] = piece.astype(np.int64) - rows_from
        return queens


def read_text(file: IO[bytes], name: str) -> Rows:
    """Read a board from lines of text, or from one line with all rows."""
    line, begun = begin(file, 2)
    if line is None and has_rows(begun):
        raise InputError(
            f"{name}: it has several lines with several numbers each, one board in each line; a single board is needed"
        )
    return rows_of_text(file, name, line, begun)


def rows_of_text(file: IO[bytes], name: str, line: str | None, begun: bytes) -> Rows:
    """Read a board from its only line, or with one row in each line; see :func:`begin`."""
    if line is not None:
        return rows_of_line(line, name)
    blocks = [_narrowed(lines[:, 0]) for _, lines in number_lines(file, name, "row", begun)]
    return Rows(_joined(blocks), lambda c: f"{name}: line {c + 1}")


def text_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the lines of the file."""
    for _, rows in pieces_of(queens, rows_from):
        yield text.lines_of_numbers("%d\n", rows)


def begin(file: IO[bytes], least: int) -> tuple[str | None, bytes]:
    """Read the beginning of a file.

    Returns
    -------
    line : str or None
        The only line of the file, if it consists of ``least`` or more numbers.
    begun : bytes
        What was read.
    """
    first = file.readline(MOST_IN_LINE + 1)
    rest = file.read(text.BLOCK)
    found = _ROWS.fullmatch(first)
    if found is None or len(first) > MOST_IN_LINE:
        return None, first + rest
    line = found[1].decode()
    is_only = not rest.strip() and len(_SEPARATOR.split(line)) >= least
    return line if is_only else None, first + rest


def has_rows(begun: bytes) -> bool:
    """Tell whether the first line of a file has two numbers or more, and nothing else."""
    first = begun.partition(b"\n")[0]
    return len(first) <= MOST_IN_LINE and _ROWS.fullmatch(first) is not None


def rows_of_line(line: str, name: str) -> Rows:
    """Return the rows of a line, separated by blanks or commas; those beyond int64 become its largest or smallest."""
    stripped = line.strip()
    fields = _SEPARATOR.split(stripped) if stripped else []
    rows = [text.whole_number(field.encode(errors="replace"), f"{name}: column {c}") for c, field in enumerate(fields)]
    return Rows(np.array(rows, np.int64), lambda c: f"{name}: column {c}")


def read_csv(file: IO[bytes], name: str) -> Rows:
    """Read a board from ``column,row`` lines, or from one line with all rows."""
    line, begun = begin(file, 3)
    if line is not None:
        return rows_of_line(line, name)
    first_lines: list[int] = []
    blocks: tuple[list[NDArray[Any]], list[NDArray[Any]]] = ([], [])
    for first_line, squares in number_lines(file, name, SQUARES, begun):
        first_lines.append(first_line)
        for block, numbers in zip(blocks, squares.T, strict=True):
            block.append(_narrowed(numbers))
    columns, rows = map(_joined, blocks)

    def place(index: int) -> str:
        return f"{name}: line {first_lines[0] + index}"

    check_range(columns, 0, len(columns) - 1, place, f"columns in a file of {counted(len(columns), 'queen')}")
    ordered = _in_column_order(rows, columns, place)
    return Rows(ordered, lambda c: place(int(np.argmax(columns == c))))


def csv_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the header and the lines of the file."""
    pieces = pieces_of(queens, rows_from)
    yield from table(np.column_stack((np.arange(first, first + len(rows)), rows)) for first, rows in pieces)


def table(pieces: Iterable[NDArray[Any]]) -> Iterator[bytes]:
    """Yield the header and a line for each square of these (k, 2) arrays."""
    yield f"{SQUARES}\n".encode()
    for piece in pieces:
        yield text.lines_of_numbers("%d,%d\n", piece)


def _in_column_order(rows: NDArray[Any], columns: NDArray[Any], place: Place) -> NDArray[Any]:
    """Sort the rows by column; raise :class:`InputError` if a column, known to be on the board, comes twice."""
    seen = np.zeros(len(columns), np.bool_)
    seen[columns] = True
    if not seen.all():
        first_lines = np.unique(columns, return_index=True)[1]
        index = int(np.setdiff1d(np.arange(len(columns)), first_lines)[0])
        raise InputError(f"{place(index)} holds column {columns[index]} again; column {np.argmin(seen)} is missing")
    ordered = np.empty_like(rows)
    ordered[columns] = rows
    return ordered


def read_json(file: IO[bytes], name: str) -> Rows:
    """Read a board from JSON."""
    data = text.read_all(file, name)
    if not data.strip():
        raise InputError(f"{name}: it is empty")
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {name}")
    board = text.parse_json(data, name)
    is_list = isinstance(board, list)
    if not is_list and not (isinstance(board, dict) and "queens" in board):
        raise InputError(f'{name}: a list of rows is needed, or an object with "queens"')
    rows = integers(board if is_list else board["queens"], f"{name}: queens")
    n = len(rows) if is_list else board.get("n", len(rows))
    if type(n) is not int or n != len(rows):
        raise InputError(f"{name}: n is {shortened(repr(n))}, but queens holds {counted(len(rows), 'row')}")
    return Rows(rows, lambda c: f"{name}: queens[{c}]")


def json_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the parts of the file."""
    yield f'{{"n": {len(queens)}, "queens": '.encode()
    yield from text.json_list(rows for _, rows in pieces_of(queens, rows_from))
    yield b"}\n"


def _narrowed(values: NDArray[np.int64]) -> NDArray[Any]:
    """Return a copy that takes half the memory, if the values fit into uint32.

    Other values are on no board. They stay wide until an error reports them.
    """
    if values.min() < 0 or values.max() >= 2**32:
        return values.copy()
    return values.astype(np.uint32)


def _joined(blocks: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(blocks) if blocks else np.empty(0, np.uint32)
