"""Boards in ``.txt``: one row in each line, column 0 first; all rows in one line can be read too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.files import board_line
from fastqueens.files.board_rows import board_of, joined, narrowed
from fastqueens.files.text import lines_of_numbers, number_lines, pieces_of


def read(file: IO[bytes], name: str, rows_from: int) -> Queens:
    """Read a board from lines of text, or from one line with all rows."""
    line, begun = board_line.begin(file, 2)
    if line is not None:
        return board_line.parse(line, rows_from, name)
    if board_line.has_rows(begun):
        raise InputError(
            f"{name}: it has several lines with several numbers each, one board in each line; a single board is needed"
        )
    return read_lines(file, name, rows_from, begun)


def read_lines(file: IO[bytes], name: str, rows_from: int, begun: bytes) -> Queens:
    """Read a board with one row in each line; ``begun`` is what was read from the file before."""
    blocks = [narrowed(lines[:, 0]) for _, lines in number_lines(file, name, "row", begun)]
    return board_of(joined(blocks), rows_from, name, lambda index: f"{name}: line {index + 1}")


def content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the lines of the file."""
    for _, rows in pieces_of(queens, rows_from):
        yield lines_of_numbers("%d\n", rows)
