"""The lines of one queen: where it stands, and who else stands on its row and its two diagonals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, Queens
from fastqueens.counting import line_kinds
from fastqueens.kernels.checking import find_on_line
from fastqueens.kernels.windows import list_attackers
from fastqueens.watch import slices
from fastqueens.workers import workers_for

#: More attackers than this are counted, but not named.
MOST_NAMED = 1000

_SLICE = 1 << 24


class QueenLines(NamedTuple):
    """The other queens on the lines of a queen.

    Attributes
    ----------
    column, row : int
        Where it stands.
    on_row, on_sum, on_difference : int
        How many others stand on its row, on the diagonal of the same c + r and on that of the same r - c.
    attackers : list of (column, row)
        Those of the smallest columns, at most 1000.
    """

    column: int
    row: int
    on_row: int
    on_sum: int
    on_difference: int
    attackers: list[tuple[int, int]]


def lines_of_queen(queens: Queens, column: int) -> QueenLines:
    """Look along the lines of a queen over the whole board: O(n) time, on all cores.

    Raises
    ------
    InputError
        For a column that the board does not have.

    Examples
    --------
    >>> lines_of_queen(np.array([0, 0, 1, 3]), 0)
    QueenLines(column=0, row=0, on_row=1, on_sum=0, on_difference=1, attackers=[(1, 0), (3, 3)])
    """
    n = len(queens)
    _check(column, n, "column")

    def look(piece: tuple[int, int]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        counts, listed = np.zeros(3, np.int64), np.empty(MOST_NAMED, np.uint32)
        found = list_attackers(queens, np.int64(column), listed, counts, *piece)
        return counts, listed[: min(found, MOST_NAMED)]

    with workers_for(n, None) as workers:
        looks = workers.each(look, list(slices(n, _SLICE)))
    on_row, on_sum, on_difference = (int(count) for count in np.sum([counts for counts, _ in looks], axis=0))
    columns: list[int] = np.concatenate([listed for _, listed in looks])[:MOST_NAMED].tolist()
    attackers = [(other, int(queens[other])) for other in columns]
    return QueenLines(column, int(queens[column]), on_row, on_sum, on_difference, attackers)


def column_of_row(queens: Queens, row: int) -> int | None:
    """Find the first queen on a row, by its column; None where the row is empty. O(n) time.

    >>> column_of_row(np.array([1, 3, 0, 2]), 0), column_of_row(np.array([1, 1]), 0)
    (2, None)
    """
    n = len(queens)
    _check(row, n, "row")
    rows: Any = line_kinds(n)[0].all_lines
    column = int(find_on_line(queens, rows, np.uint64(row), 0, n))
    return None if column == n else column


def load_kernels(queens: Queens) -> None:
    """Compile, or fetch from disk, what the questions here will call."""
    list_attackers(queens, np.int64(0), np.empty(0, np.uint32), np.zeros(3, np.int64), 0, 0)
    find_on_line(queens, line_kinds(len(queens))[0].all_lines, np.uint64(0), 0, 0)


def _check(value: int, n: int, name: str) -> None:
    if not 0 <= value < n:
        raise InputError(f"{name} is {value}: on a board of {n:,} it goes from 0 to {n - 1}")
