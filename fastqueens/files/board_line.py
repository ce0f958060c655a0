"""Boards with all rows in one line, separated by blanks or commas."""

from __future__ import annotations

import re
from typing import IO

import numpy as np

from fastqueens.core.board import Queens
from fastqueens.files.board_rows import board_of
from fastqueens.files.text import BLOCK, MOST_IN_LINE, whole_number

#: A byte order mark, at least two numbers, and the end of the line.
_ROWS = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*(-?\d+(?:(?:[ \t]*,[ \t]*|[ \t]+)-?\d+)+)\s*")
_SEPARATOR = re.compile(r"\s*,\s*|\s+")


def parse(text: str, rows_from: int, name: str) -> Queens:
    """Return the board of a line."""
    return board_of(np.array(rows_of(text, name), np.int64), rows_from, name, lambda c: f"{name}: column {c}")


def rows_of(text: str, name: str) -> list[int]:
    """Return the numbers of a line; those beyond int64 become its largest or smallest value."""
    stripped = text.strip()
    fields = _SEPARATOR.split(stripped) if stripped else []
    return [whole_number(field.encode(errors="replace"), f"{name}: column {c}") for c, field in enumerate(fields)]


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
    rest = file.read(BLOCK)
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
