"""Samples in files: ``.npz``, with the boards and the figures of the run, or ``.txt``, with a line of rows for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.files.atomic import atomic_write
from fastqueens.files.names import FileName, checked_suffix
from fastqueens.files.solutions import write_solutions

SUFFIXES = (".npz", ".txt")


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
