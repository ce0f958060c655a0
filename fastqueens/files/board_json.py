"""Boards in ``.json``: ``{"n": 4, "queens": [1, 3, 0, 2]}``; the list alone can be read too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.core.wording import counted
from fastqueens.files import text
from fastqueens.files.board_rows import board_of, joined, narrowed
from fastqueens.files.text import integers, json_list, parse_fast, parse_json, pieces_of, read_all, shortened


def read(file: IO[bytes], name: str, rows_from: int) -> Queens:
    """Read a board from JSON."""
    data = read_all(file, name)
    if not data.strip():
        raise InputError(f"{name}: it is empty")
    rows = _rows_fast(data)
    if rows is None:
        rows = _rows_strictly(data, name)
    return board_of(rows, rows_from, name, lambda c: f"{name}: queens[{c}]")


def content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the parts of the file."""
    yield f'{{"n": {len(queens)}, "queens": '.encode()
    yield from json_list(rows for _, rows in pieces_of(queens, rows_from))
    yield b"}\n"


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
        after = data.find(b",", min(first + text.BLOCK, end), end)
        after = end if after < 0 else after
        block = data[first:after].replace(b", ", b",")
        # A line end between two numbers, or a zero in front of one, is not JSON, but it would pass as text.
        if b"\n" in block or b"\r" in block or re.search(rb",0[0-9]", b"," + block):
            return None
        parsed = parse_fast(block.replace(b",", b"\n") + b"\n", 1)
        if parsed is None:
            return None
        blocks.append(narrowed(parsed[:, 0]))
        first = after + 1 + (data[after + 1 : after + 2] == b" ")
    rows = joined(blocks)
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
        raise InputError(f"{name}: n is {shortened(repr(n))}, but queens holds {counted(len(rows), 'row')}")
    return rows
