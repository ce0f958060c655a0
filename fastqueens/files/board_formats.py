"""Boards as text that fastqueens writes: ``.txt``, ``.csv`` and ``.json``.

- ``.txt``: one row in each line, column 0 first; all rows in one line can be read too, and several such lines.
- ``.csv``: the header ``column,row``, then one line for each queen. Files without the header and with the lines in any
  order can be read too.
- ``.json``: ``{"n": 4, "queens": [1, 3, 0, 2]}``; the list alone can be read too, and an object in each line.

These are read in blocks, so that a large board needs little more memory than its array. If a small text has none of
these forms, ``foreign_boards`` may know it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.core.memory import check_memory
from fastqueens.files import text
from fastqueens.files.board_tables import (
    Rows,
    check_columns_have_no_numbers,
    check_width,
    fields_of,
    is_header,
    of_squares,
    of_table,
)
from fastqueens.files.text import MOST_IN_LINE, number_lines, pieces_of

#: The header of lines with a square each.
SQUARES = "column,row"

#: Bytes of a text in a form that fastqueens does not write, at most. A million rows as numpy.savetxt writes them fit.
MOST_FOREIGN = 1 << 25

#: The beginning of a text that fastqueens wrote. What is wrong further on is reported, and read in no other way.
_OWN = re.compile(rb"(?:column,row\r?\n)?(?:(?:0|[1-9]\d{0,17})(?:,\d{1,18})?\r?\n)*+[\d,\r]*")

#: Memory that a byte of JSON takes while it is parsed, at most: "257, " becomes a pointer and an integer of 28 bytes.
_BYTES_PER_BYTE = 8

#: A line with an object, and another one.
_JSON_LINES = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{[^\n]*\}[ \t\r]*+\n\s*+\{")

#: At least two numbers, and the end of the line.
_ROWS = re.compile(rb"[ \t]*(-?\d+(?:(?:[ \t]*,[ \t]*|[ \t]+)-?\d+)+)\s*")
_SEPARATOR = re.compile(r"\s*,\s*|\s+")


def read_text(file: IO[bytes], name: str, rows_from: int, *, is_csv: bool = False) -> tuple[Queens, str]:
    """Return the boards in a text, and what it was taken for; a ``.csv`` file may hold a single square."""
    begun = file.read(MOST_FOREIGN)
    is_own = len(begun) > text.BLOCK and _OWN.fullmatch(begun[: text.BLOCK])

    def read() -> Rows:
        return _read_strictly(file, name, begun, rows_from, is_csv)

    return _read(read, name, rows_from, None if is_own or len(begun) == MOST_FOREIGN else begun, is_square=is_csv)


def read_line(line: str, name: str, rows_from: int) -> tuple[Queens, str]:
    """Return the board in a line, or what else a text holds, and what it was taken for."""

    def read() -> Rows:
        return Rows(rows_of_line(line, name), lambda c: f"{name}: column {c}", "all rows in one line")

    return _read(read, name, rows_from, line.encode(errors="replace"))


def _read(
    read: Callable[[], Rows], name: str, rows_from: int, data: bytes | None, *, is_square: bool = False
) -> tuple[Queens, str]:
    """Return what a function reads, or what ``data`` holds in the form of another program; otherwise its error."""
    try:
        found = read()
        return found.boards(rows_from, name), found.kind
    except InputError:
        from fastqueens.files.foreign_boards import read_foreign  # here, since most files are as fastqueens writes them

        foreign = None if data is None else read_foreign(data, name, rows_from, is_square=is_square)
        if foreign is None:
            raise
        return foreign


def _read_strictly(file: IO[bytes], name: str, begun: bytes, rows_from: int, is_csv: bool) -> Rows:
    """Read a text of a form that fastqueens writes; its first line tells which."""
    first, _, rest = begun[: MOST_IN_LINE + 1].removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    if first.lstrip()[:1] in (b"[", b"{"):
        return read_json(begun + text.read_all(file, name), name, rows_from)
    header = header_of(first)
    has_rows = len(first) <= MOST_IN_LINE and _ROWS.fullmatch(first)
    is_square = has_rows and first.count(b",") == 1 and len(first.split()) <= 2
    if header or (is_square and (is_csv or rest.strip())):
        return _squares(file, name, begun, rows_from, header or SQUARES.split(","))
    if has_rows:
        return _lines_of_rows(begun + text.read_all(file, name), name, rows_from, is_csv=b"," in first)
    blocks = [_narrowed(lines[:, 0]) for _, lines in number_lines(file, name, "row", begun)]
    return Rows(_joined(blocks), lambda c: f"{name}: line {c + 1}", "one row in each line")


def header_of(line: bytes) -> list[str] | None:
    """Return the two names in the first line of squares, such as ``row,column``; None for any other line."""
    names = line.decode("latin-1").replace('"', "").split(",")
    return names if len(names) == 2 and is_header(names) and fields_of(names) is not None else None


def _squares(file: IO[bytes], name: str, begun: bytes, rows_from: int, header: list[str]) -> Rows:
    """Read lines with a square each."""
    first_lines: list[int] = []
    blocks: tuple[list[NDArray[Any]], list[NDArray[Any]]] = ([], [])
    for first_line, squares in number_lines(file, name, ",".join(word.strip() for word in header), begun):
        first_lines.append(first_line)
        for block, numbers in zip(blocks, squares.T, strict=True):
            block.append(_narrowed(numbers))
    fields = list(map(_joined, blocks))
    column, row = fields_of(header) or (0, 1)
    return of_squares(fields[column], fields[row], lambda at: f"{name}: line {first_lines[0] + at}", name, rows_from)


def _lines_of_rows(data: bytes, name: str, rows_from: int, *, is_csv: bool) -> Rows:
    """Read a board in each line, or a single one."""
    n, rows = 0, array("q")
    lines = data.removeprefix(b"\xef\xbb\xbf").rstrip().split(b"\n")
    for number, line in enumerate(lines, 1):
        where = f"{name}: line {number}" if len(lines) > 1 else name
        board = rows_of_line(line.decode(errors="replace"), where)
        n = n or len(board)
        check_width(len(board), n, where, "line 1")
        rows.frombytes(board.tobytes())
    table = np.frombuffer(rows, np.int64).reshape(-1, n)

    def place(at: int) -> str:
        return f"{name}: line {at + 1}"

    check_columns_have_no_numbers(table, place, rows_from, is_csv=is_csv)
    return of_table(table, place, name, rows_from, is_csv=is_csv)


def rows_of_line(line: str, name: str) -> NDArray[np.int64]:
    """Return the rows of a line, separated by blanks or commas; those beyond int64 become its largest or smallest."""
    stripped = line.strip()
    fields = _SEPARATOR.split(stripped) if stripped else []
    rows = [
        int(field)
        if field.isdigit() and field.isascii() and len(field) < 19
        else text.whole_number(field.encode(errors="replace"), f"{name}: column {c}")
        for c, field in enumerate(fields)
    ]
    return np.array(rows, np.int64)


def read_json(data: bytes, name: str, rows_from: int) -> Rows:
    """Read boards from JSON, or from an object in each line, such as the answers of ``fastqueens solve``."""
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {name}")
    from fastqueens.files.foreign_boards import of_boards, of_lists  # here, as above

    if _JSON_LINES.match(data):
        lines = [(at, line) for at, line in enumerate(data.split(b"\n"), 1) if line.strip()]
        places = [f"{name}: line {at}" for at, _ in lines]
        return of_boards([text.parse_json(line, name, at) for at, line in lines], places, rows_from)
    return of_lists(text.parse_json(data, name), name, rows_from)


def text_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the lines of the file."""
    for _, rows in pieces_of(queens, rows_from):
        yield text.lines_of_numbers("%d\n", rows)


def csv_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the header and the lines of the file."""
    pieces = pieces_of(queens, rows_from)
    yield from table(np.column_stack((np.arange(first, first + len(rows)), rows)) for first, rows in pieces)


def table(pieces: Iterable[NDArray[Any]]) -> Iterator[bytes]:
    """Yield the header and a line for each square of these (k, 2) arrays."""
    yield f"{SQUARES}\n".encode()
    for piece in pieces:
        yield text.lines_of_numbers("%d,%d\n", piece)


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
