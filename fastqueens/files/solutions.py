"""Many solutions in one text file: a line for each, with the rows of its queens from the first column to the last."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO

import numpy as np

from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.names import FileName
from fastqueens.files.numbers import lines_of_numbers

SUFFIX = ".txt"

# Rows that are formatted at once, at most, unless one solution has more.
_PIECE = 1 << 17


def check_suffix(path: FileName) -> None:
    """Raise :class:`InputError` if a file of solutions does not end in .txt."""
    if os.path.splitext(path)[1].lower() != SUFFIX:
        raise InputError(f"{path}: solutions are written as {SUFFIX}, a line for each")


def write_solutions(path: FileName, solutions: Iterable[Queens], *, rows_from: int = 0) -> int:
    """Write solutions, all of one size, as lines of rows separated by spaces.

    Parameters
    ----------
    path : str or path
        A name ending in .txt. It is written completely or not at all.
    solutions : iterable of (n,) arrays
        Taken one after the other; they need not fit into memory together.
    rows_from : 0 or 1
        The number of the first row in the file.

    Returns
    -------
    int
        How many were written.

    Raises
    ------
    InputError
        If the name has another ending, or the file cannot be written.
    """
    check_suffix(path)
    with atomic_write(path) as file:
        return write_solution_lines(file, solutions, rows_from=rows_from)


def write_solution_lines(stream: IO[bytes], solutions: Iterable[Queens], *, rows_from: int = 0) -> int:
    """Write solutions to a binary stream as :func:`write_solutions` does; return how many."""
    written = 0
    for piece in _pieces(solutions):
        rows = np.stack(piece) + rows_from
        stream.write(lines_of_numbers(" ".join(["%d"] * rows.shape[1]) + "\n", rows))
        written += len(piece)
    return written


def _pieces(solutions: Iterable[Queens]) -> Iterator[list[Queens]]:
    remaining = iter(solutions)
    for first in remaining:
        yield [first, *islice(remaining, max(0, _PIECE // len(first) - 1))]
