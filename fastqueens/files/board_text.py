"""Boards in ``.txt``: one row in each line, column 0 first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from fastqueens.core.board import Queens
from fastqueens.files.board_rows import board_of, joined, narrowed
from fastqueens.files.numbers import lines_of_numbers, number_lines, pieces_of


def read(file: IO[bytes], name: str, rows_from: int) -> Queens:
    """Read a board from lines of text."""
    blocks = [narrowed(lines[:, 0]) for _, lines in number_lines(file, name, "row")]
    return board_of(joined(blocks), rows_from, name, lambda index: f"{name}: line {index + 1}")


def content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the lines of the file."""
    for _, rows in pieces_of(queens, rows_from):
        yield lines_of_numbers("%d\n", rows)
