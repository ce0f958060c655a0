"""Samples in files: ``.npz``, with the boards and the figures of the run, or ``.txt``, with a line of rows for each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import check_n
from fastqueens.core.errors import InputError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.names import FileName, checked_suffix
from fastqueens.files.numbers import check_range
from fastqueens.files.reading import open_to_read
from fastqueens.files.solutions import write_solutions
from fastqueens.files.trace_formats import unpacked

SUFFIXES = (".npz", ".txt")

_NEEDED = "the array boards is needed, of shape (boards, n)"


def write_samples(
    path: FileName, boards: NDArray[Any], figures: Mapping[str, Any] | None = None, *, rows_from: int = 0
) -> None:
    """Write boards of one size.

    Parameters
    ----------
    path : str or path
        ``.npz``: the array ``boards``, and each of the figures that is not None as an array without dimensions.
        ``.txt``: a line for each board, with its rows separated by spaces. Written completely or not at all.
    boards : (count, n) integer array
        ``boards[k, c]`` is the row of the queen in column c.
    figures : mapping, optional
        Numbers for the ``.npz`` file.
    rows_from : 0 or 1
        The number of the first row in the file.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    if checked_suffix(path, SUFFIXES) == ".txt":
        write_solutions(path, boards, rows_from=rows_from)
        return
    known: dict[str, Any] = {name: np.asarray(value) for name, value in (figures or {}).items() if value is not None}
    with atomic_write(path) as file:
        np.savez(file, boards=boards + boards.dtype.type(rows_from) if rows_from else boards, **known)


def read_sample_boards(path: FileName, *, rows_from: int = 0) -> NDArray[np.integer[Any]]:
    """Read the boards of an ``.npz`` file, as :func:`write_samples` writes it. Never unpickled.

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
    checked_suffix(name, (".npz",))
    with open_to_read(name) as file:
        boards = unpacked(file, name, ("boards",), _NEEDED).get("boards")
    if boards is None:
        raise InputError(f"{name}: boards is missing; {_NEEDED}")
    if boards.ndim != 2 or not boards.size:
        raise InputError(f"{name}: boards has shape {boards.shape}; {_NEEDED}")
    if boards.dtype.kind not in "iu":
        raise InputError(f"{name}: boards holds {boards.dtype}; integers are needed")
    n = check_n(boards.shape[1])
    last = n - 1 + rows_from
    check_range(boards.ravel(), rows_from, last, lambda at: f"{name}: boards[{at // n}, {at % n}]", "rows")
    return boards - boards.dtype.type(rows_from) if rows_from else boards
