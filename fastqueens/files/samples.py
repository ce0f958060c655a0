"""Many boards in one file, and statistics of boards.

Boards are stored as ``.npz`` with what is known about them, or as text with a line for each board; statistics as
``.npz``, all arrays by name, or as ``.csv``, a line for each number.
"""

from __future__ import annotations

import csv
import os
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.errors import InputError, counted
from fastqueens.files import board_formats, text
from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName
from fastqueens.files.traces import unpacked

SAMPLE_FORMATS = (".npz", ".txt")
SOLUTION_FORMATS = (".txt",)
STATISTICS_FORMATS = (".npz", ".csv")

_NEEDED = "the array boards is needed, of shape (boards, n)"


def write_samples(
    path: FileName, boards: NDArray[Any], figures: Mapping[str, Any] | None = None, *, rows_from: int = 0
) -> None:
    """Write boards of one size.

    Parameters
    ----------
    path : str or path
        ``.npz``: the array ``boards``, and each of the figures that is not None, and ``rows_from``, as an array without
        dimensions.
        ``.txt``: a line for each board, with its rows separated by spaces. Written completely or not at all.
    boards : (count, n) integer array
        ``boards[k, c]`` is the row of the queen in column c.
    figures : mapping, optional
        Numbers and words for the ``.npz`` file.
    rows_from : 0 or 1
        The number of the first row in the file.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    if text.checked_suffix(path, SAMPLE_FORMATS) == ".txt":
        write_solutions(path, boards, rows_from=rows_from)
        return
    known: dict[str, Any] = {name: np.asarray(value) for name, value in (figures or {}).items() if value is not None}
    with atomic_write(path) as file:
        counted_boards = boards + boards.dtype.type(rows_from) if rows_from else boards
        np.savez(file, boards=counted_boards, rows_from=np.asarray(rows_from), **known)


def read_sample_boards(path: FileName, *, rows_from: int = 0) -> NDArray[np.integer[Any]]:
    """Read the boards of a file, as :func:`write_samples` writes it. Never unpickled.

    Parameters
    ----------
    path : str or path
        ``.npz``, otherwise text: a line for each board, or one board as :func:`fastqueens.read_board` reads it; "-" for
        standard input.
    rows_from : 0 or 1
        The number of the first row in the file. It does not matter if an ``.npz`` file says so itself.

    Returns
    -------
    (count, n) array of integers
        ``boards[k, c]`` is the row of the queen in column c of board k, from 0 to n - 1.

    Raises
    ------
    InputError
        Naming the file, the place in it, the value found, and what would be valid.
    NotEnoughMemoryError
        If the boards do not fit into memory.
    """
    name = os.fspath(path)
    if os.path.splitext(name)[1] == "" or text.checked_suffix(name, SAMPLE_FORMATS) == ".txt":
        with text.open_input(name) as (stream, label):
            return _text_boards(stream, label, rows_from)
    with text.open_to_read(name) as file:
        found = unpacked(file, name, ("boards", "rows_from"), _NEEDED)
    boards = found.get("boards")
    if "rows_from" in found:
        rows_from = 1 if np.array_equal(found["rows_from"], 1) else 0
    if boards is None:
        raise InputError(f"{name}: boards is missing; {_NEEDED}")
    if boards.ndim != 2 or not boards.size:
        raise InputError(f"{name}: boards has shape {boards.shape}; {_NEEDED}")
    if boards.dtype.kind not in "iu":
        raise InputError(f"{name}: boards holds {boards.dtype}; integers are needed")
    n = check_n(boards.shape[1])
    last = n - 1 + rows_from
    text.check_range(boards.ravel(), rows_from, last, lambda at: f"{name}: boards[{at // n}, {at % n}]", "rows")
    return boards - boards.dtype.type(rows_from) if rows_from else boards


def _text_boards(file: IO[bytes], name: str, rows_from: int) -> NDArray[np.integer[Any]]:
    """Read a board in each line, or one board."""
    line, begun = board_formats.begin(file, 2)
    if line is not None or not board_formats.has_rows(begun):
        return board_formats.rows_of_text(file, name, line, begun).board(rows_from, name)[np.newaxis]
    n, rows = 0, array("q")
    for number, line_of_rows in enumerate((begun + text.read_all(file, name)).rstrip().split(b"\n"), 1):
        board, _ = board_formats.rows_of_line(line_of_rows.decode(errors="replace"), f"{name}: line {number}")
        n = n or len(board)
        if len(board) != n:
            raise InputError(
                f"{name}: line {number} has {counted(len(board), 'row')}, and line 1 has {n}; "
                "boards of one size are needed"
            )
        rows.frombytes(board.tobytes())
    listed = np.frombuffer(rows, np.int64)
    last = n - 1 + rows_from
    text.check_range(listed, rows_from, last, lambda at: f"{name}: line {at // n + 1}: column {at % n}", "rows")
    return (listed - rows_from).astype(row_dtype(n)).reshape(-1, n)


# Rows that are formatted at once, at most, unless one solution has more.
_PIECE = 1 << 17


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
    text.checked_suffix(path, SOLUTION_FORMATS)
    with atomic_write(path) as file:
        return write_solution_lines(file, solutions, rows_from=rows_from)


def write_solution_lines(stream: IO[bytes], solutions: Iterable[Queens], *, rows_from: int = 0) -> int:
    """Write solutions to a binary stream as :func:`write_solutions` does; return how many."""
    written = 0
    for piece in _pieces(solutions):
        rows = np.stack(piece) + rows_from
        stream.write(text.lines_of_numbers(" ".join(["%d"] * rows.shape[1]) + "\n", rows))
        written += len(piece)
    return written


def _pieces(solutions: Iterable[Queens]) -> Iterator[list[Queens]]:
    remaining = iter(solutions)
    for first in remaining:
        yield [first, *islice(remaining, max(0, _PIECE // len(first) - 1))]


class Line(NamedTuple):
    """A line of the table. None is an empty field."""

    statistic: str
    i: int | None
    j: int | None
    value: float
    error: float | None
    limit: float | None


def write_statistics(path: FileName, arrays: Mapping[str, Any], lines: Iterable[Line]) -> None:
    """Write arrays and numbers by name, or the lines of a table, in the format of the suffix, atomically."""
    if text.checked_suffix(path, STATISTICS_FORMATS) == ".npz":
        with atomic_write(path) as file:
            np.savez(file, **arrays)
    else:
        with atomic_write(path, "w") as table:
            writer = csv.writer(table, lineterminator="\n")
            writer.writerow(Line._fields)
            writer.writerows(lines)
