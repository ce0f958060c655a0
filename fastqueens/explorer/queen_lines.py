"""The lines of one queen: its square, and the other queens on its row and its two diagonals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density_kernel import list_attackers
from fastqueens.check.verification import line_kinds
from fastqueens.check.verification_kernel import find_on_line
from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.core.progress import slices
from fastqueens.core.threads import workers_for

#: Attackers beyond this number are counted, but not listed.
MOST_ATTACKERS = 1000

_SLICE = 1 << 24


class QueenLines(NamedTuple):
    """The other queens on the lines of a queen.

    Attributes
    ----------
    column, row : int
        Its square.
    on_row, on_sum, on_difference : int
        The number of other queens on its row, on its sum diagonal and on its difference diagonal.
    attackers : list of (column, row)
        The attacking queens, at most 1000, in the order of columns.
    """

    column: int
    row: int
    on_row: int
    on_sum: int
    on_difference: int
    attackers: list[tuple[int, int]]


def lines_of_queen(queens: Queens, column: int, *, threads: int | None = None) -> QueenLines:
    """Return the other queens on the lines of a queen, over the whole board: O(n) time.

    Parameters
    ----------
    queens : (n,) array of integers
        A validated board.
    column : int
        The column of the queen.
    threads : int, optional
        All cores by default.

    Raises
    ------
    InputError
        If the board has no such column.

    Examples
    --------
    >>> lines_of_queen(np.array([0, 0, 1, 3]), 0)
    QueenLines(column=0, row=0, on_row=1, on_sum=0, on_difference=1, attackers=[(1, 0), (3, 3)])
    """
    n = len(queens)
    _check(column, n, "column")

    def search(piece: tuple[int, int]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        counts, listed = np.zeros(3, np.int64), np.empty(MOST_ATTACKERS, np.uint32)
        n_found = list_attackers(queens, np.int64(column), listed, counts, *piece)
        return counts, listed[: min(n_found, MOST_ATTACKERS)]

    with workers_for(n, threads) as workers:
        found = workers.each(search, list(slices(n, _SLICE)))
    on_row, on_sum, on_difference = (int(count) for count in np.sum([counts for counts, _ in found], axis=0))
    columns: list[int] = np.concatenate([listed for _, listed in found])[:MOST_ATTACKERS].tolist()
    attackers = [(other, int(queens[other])) for other in columns]
    return QueenLines(column, int(queens[column]), on_row, on_sum, on_difference, attackers)


def column_of_row(queens: Queens, row: int) -> int | None:
    """Return the column of the first queen on a row, or None if the row is empty: O(n) time, on one thread.

    >>> column_of_row(np.array([1, 3, 0, 2]), 0), column_of_row(np.array([1, 1]), 0)
    (2, None)
    """
    n = len(queens)
    _check(row, n, "row")
    rows: Any = line_kinds(n)[0].all_lines
    column = int(find_on_line(queens, rows, np.uint64(row), 0, n))
    return None if column == n else column


def load_kernels(queens: Queens) -> None:
    """Compile, or load from disk, the kernels that this module calls."""
    list_attackers(queens, np.int64(0), np.empty(0, np.uint32), np.zeros(3, np.int64), 0, 0)
    find_on_line(queens, line_kinds(len(queens))[0].all_lines, np.uint64(0), 0, 0)


def _check(value: int, n: int, name: str) -> None:
    if not 0 <= value < n:
        raise InputError(f"{name} is {value}: on a board of {n:,} it goes from 0 to {n - 1}")
