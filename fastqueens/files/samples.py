"""Files of many boards: samples with their figures in ``.npz``, and samples or solutions as text, one per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.files.atomic import atomic_write
from fastqueens.files.headers import arrays_of, comment_of
from fastqueens.files.numbers import lines_of_numbers
from fastqueens.files.text import FileName, checked_suffix

SAMPLE_FORMATS = (".npz", ".txt")
SOLUTION_FORMATS = (".txt",)


def write_samples(
    path: FileName, boards: NDArray[Any], figures: Mapping[str, Any] | None = None, *, rows_from: int = 0
) -> None:
    """Write boards of one size; ``boards[k, c]`` is the row of the queen in column c of board k.

    A ``.txt`` file gets the header of the figures as a comment, and a line per board, with rows separated by spaces. An
    ``.npz`` file gets the array ``boards``, and also ``rows_from`` and every figure that is not None, as arrays without
    dimensions.
    """
    suffix, known = checked_suffix(path, SAMPLE_FORMATS), {"rows_from": rows_from, **(figures or {})}
    with atomic_write(path) as file:
        if suffix == ".txt":
            file.write(comment_of(known) if figures else b"")
            write_solution_lines(file, boards, rows_from=rows_from)
        else:
            counted_boards = boards + boards.dtype.type(rows_from) if rows_from else boards
            np.savez(file, boards=counted_boards, **arrays_of(known))


# The most rows that are formatted at once, unless a single solution has more.
_PIECE = 1 << 17


def write_solutions(path: FileName, solutions: Iterable[Queens], *, rows_from: int = 0) -> int:
    """Write solutions of one size as lines of rows; return their number. They need not all fit into memory."""
    checked_suffix(path, SOLUTION_FORMATS)
    with atomic_write(path) as file:
        return write_solution_lines(file, solutions, rows_from=rows_from)


def write_solution_lines(stream: IO[bytes], solutions: Iterable[Queens], *, rows_from: int = 0) -> int:
    """Write solutions to a binary stream as :func:`write_solutions` does; return their number."""
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
