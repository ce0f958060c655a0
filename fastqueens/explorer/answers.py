"""The answers about a board for a page: tiles of its queens, tiles of what an instance asks for, and a queen's lines.

A tile has 256 x 256 cells, and its bytes hold little-endian numbers. A tile of queens starts with its kind (uint32):

- Kind 0 lists the queens, in the order of columns: column and row of each (uint32), then a byte for each, which is 1 if
  the queen is known to be in conflict or on a square on which none may stand.
- Kind 1, 2 or 4 has 256 x 256 counts of 1, 2 or 4 bytes, row by row.

A tile of squares starts with the number of blocked squares (uint32); then follow the blocked squares and the squares of
fixed queens as column * 256 + row within the tile (uint16), both in ascending order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density_kernel import count_window, list_attackers, list_window
from fastqueens.check.verification import conflicting_queens, crowded_lines, line_kinds
from fastqueens.check.verification_kernel import find_on_line
from fastqueens.check.violations import may_not_stand, violations
from fastqueens.core.arguments import check_integer
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance
from fastqueens.core.progress import slices
from fastqueens.core.threads import checked_threads, workers_for
from fastqueens.explorer.pyramid import TILE_BITS, Pyramid, coarsest_level

_CELLS = 1 << TILE_BITS

#: A near tile with more queens than this is sent as counts.
MOST_LISTED = 4096

#: A larger board is not checked as a whole, because that takes up to 0.9 bytes a queen.
MOST_CHECKED = 100_000_000

#: Attackers beyond this number are counted, but not listed.
MOST_ATTACKERS = 1000

_SLICE = 1 << 24


class Tiles:
    """Answers about a board for a page; any number of threads may call it at the same time.

    Parameters
    ----------
    queens : (n,) array of integers
        A validated board, which may be mapped from a file.
    pyramid : Pyramid
        The pyramid of this board.
    threads : int, optional
        How many threads one question may use, and how many tiles a server should count at a time. All cores by
        default.
    instance : Instance, optional
        What the board is to respect: queens on blocked squares and excluded diagonals are in conflict, too.

    Attributes
    ----------
    conflicting : int or None
        How many queens attack another; None if :meth:`mark_conflicts` has not counted them.
    violated : str
        What the board violates of its instance, in words; found by :meth:`mark_conflicts`.
    is_checked : bool
        Whether :meth:`mark_conflicts` has ended, with or without a result.
    """

    def __init__(
        self, queens: Queens, pyramid: Pyramid, *, threads: int | None = None, instance: Instance | None = None
    ) -> None:
        self.queens = queens
        self.instance = instance
        self.n = len(queens)
        self.threads = checked_threads(threads)
        self._pyramid = pyramid
        self.is_checked = False
        self.conflicting: int | None = None
        self.violated = ""
        self._crowded: list[NDArray[np.uint64]] = []

    def mark_conflicts(self) -> None:
        """Find the conflicting queens, so that tiles mark them. O(n) time, at most 0.9 bytes a queen.

        Boards of more than 100 million queens are left unchecked.
        """
        try:
            if self.n <= MOST_CHECKED:
                if self.instance is not None:
                    self.violated = violations(self.queens, self.instance).words
                conflicting = conflicting_queens(self.queens, threads=self.threads)
                if conflicting:
                    self._crowded = crowded_lines(self.queens, threads=self.threads)
                self.conflicting = conflicting
        finally:
            self.is_checked = True

    def tile(self, level: int, column: int, row: int) -> bytes:
        """Return the bytes of the tile in this column and row of tiles of a level.

        O(cells) time if the pyramid has the level or a finer one. Otherwise the columns of the tile are read at most
        twice: up to 2**24 of them on a board of 2**32 queens.

        Raises
        ------
        InputError
            If the board has no such tile.
        """
        coarsest = coarsest_level(self.n)
        check_integer(level, "level", 0, coarsest, f"on a board of {self.n:,} ")
        for name, value in (("column", column), ("row", row)):
            check_integer(value, name, 0, (self.n - 1) >> (level + TILE_BITS), f"among tiles of level {level} ")
        counts = self._pyramid.counts(level, column, row)
        if counts is not None:
            return _encoded_counts(counts) if counts.any() else self._encoded_list(np.empty((0, 2), np.uint32))
        counts = np.zeros((_CELLS, _CELLS), np.uint32)
        first, last = self._span(level, column)
        top, bottom = self._span(level, row)
        found = int(count_window(self.queens, counts, np.uint64(level), np.uint64(top), first, last))
        if found > MOST_LISTED:
            return _encoded_counts(counts)
        listed = np.empty((found, 2), np.uint32)
        if found:
            # Fewer if the file of the board has changed since they were counted.
            found = int(list_window(self.queens, listed, np.uint64(top), np.uint64(bottom - top), first, last))
        return self._encoded_list(listed[:found])

    def _span(self, level: int, number: int) -> tuple[int, int]:
        """Return the first column of a column of tiles and the first column after it; likewise for rows."""
        bits = level + TILE_BITS
        return number << bits, min(self.n, (number + 1) << bits)

    def _encoded_list(self, listed: NDArray[np.uint32]) -> bytes:
        return bytes(4) + listed.astype("<u4").tobytes() + self._conflicts(listed).tobytes()

    def _conflicts(self, listed: NDArray[np.uint32]) -> NDArray[np.uint8]:
        columns, rows = listed.astype(np.int64).T
        marks = np.zeros(len(listed), np.uint64)
        if self.instance is not None:
            marks |= may_not_stand(columns, rows, self.instance).astype(np.uint64)
        for words, line in zip(self._crowded, (rows, columns + rows, rows - columns + self.n), strict=False):
            marks |= words[line >> 6] >> (line & 63).astype(np.uint64)
        return (marks & np.uint64(1)).astype(np.uint8)


def _encoded_counts(counts: NDArray[Any]) -> bytes:
    largest = int(counts.max())
    size = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    return size.to_bytes(4, "little") + counts.T.astype(f"<u{size}").tobytes()


def tile_of_squares(instance: Instance, column: int, row: int) -> bytes:
    """Return the blocked squares and fixed queens of the tile in this column and row of tiles.

    O(log k + s) time for k squares, s of them in the columns of the tile.

    Raises
    ------
    InputError
        If the board has no such tile.
    """
    for name, value in (("column", column), ("row", row)):
        check_integer(value, name, 0, (instance.n - 1) >> TILE_BITS, "among tiles of squares ")
    blocked, fixed = (_keys(squares, column, row) for squares in (instance.blocked, instance.fixed.squares))
    return len(blocked).to_bytes(4, "little") + blocked.tobytes() + fixed.tobytes()


def _keys(squares: NDArray[np.int64], column: int, row: int) -> NDArray[np.uint16]:
    """Return the squares of a tile, from squares sorted by column, then by row."""
    left, top = column << TILE_BITS, row << TILE_BITS
    first, last = np.searchsorted(squares[:, 0], [left, left + _CELLS])
    columns, rows = squares[first:last].T
    is_inside = (rows >= top) & (rows < top + _CELLS)
    keys = (columns[is_inside] - left) * _CELLS + rows[is_inside] - top
    return np.asarray(keys, "<u2")


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
    check_integer(column, "column", 0, n - 1, f"on a board of {n:,} ")

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
    check_integer(row, "row", 0, n - 1, f"on a board of {n:,} ")
    rows: Any = line_kinds(n)[0].all_lines
    column = int(find_on_line(queens, rows, np.uint64(row), 0, n))
    return None if column == n else column
