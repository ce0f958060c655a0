"""Tiles of a board as bytes for a page: 256 x 256 cells of a level, as counts or as a list of the queens.

A tile starts with its kind (uint32). All numbers are little-endian.

- Kind 0 lists the queens, in the order of columns: column and row of each (uint32), then a byte for each, which is 1 if
  the queen is known to be in conflict or on a square on which none may stand.
- Kind 1, 2 or 4 has 256 x 256 counts of 1, 2 or 4 bytes, row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density_kernel import count_window, list_window
from fastqueens.check.verification import conflicting_queens, crowded_lines
from fastqueens.check.violations import may_not_stand, violations
from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.core.threads import checked_threads
from fastqueens.explorer import queen_lines
from fastqueens.explorer.pyramid import TILE_BITS, Pyramid, coarsest_level

_CELLS = 1 << TILE_BITS

#: A near tile with more queens than this is sent as counts.
MOST_LISTED = 4096

#: A larger board is not checked as a whole, because that takes up to 0.9 bytes a queen.
MOST_CHECKED = 100_000_000


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
        self._crowded: list[NDArray[np.uint64]] | None = None

    def load_kernels(self) -> None:
        """Compile, or load from disk, the kernels of all answers, so that no answer waits for them."""
        no_cells, none = np.zeros((1, 1), np.uint32), np.uint64(0)
        count_window(self.queens, no_cells, none, none, 0, 0)
        list_window(self.queens, np.empty((0, 2), np.uint32), none, none, 0, 0)
        queen_lines.load_kernels(self.queens)

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
        self._check(level, column, row)
        counts = self._pyramid.counts(level, column, row)
        if counts is None:
            counts, found = self._counted(level, column, row)
            if found <= MOST_LISTED:
                return self._encoded_list(level, column, row, found)
        elif not counts.any():
            return _encoded_queens(np.empty((0, 2), np.uint32), np.empty(0, np.uint8))
        return _encoded_counts(counts)

    def _check(self, level: int, column: int, row: int) -> None:
        coarsest = coarsest_level(self.n)
        if not 0 <= level <= coarsest:
            raise InputError(f"level is {level}: on a board of {self.n:,} it goes from 0 to {coarsest}")
        last = (self.n - 1) >> (level + TILE_BITS)
        for name, value in (("column", column), ("row", row)):
            if not 0 <= value <= last:
                raise InputError(f"{name} is {value}: tiles of level {level} go from 0 to {last}")

    def _counted(self, level: int, column: int, row: int) -> tuple[NDArray[np.uint32], int]:
        counts = np.zeros((_CELLS, _CELLS), np.uint32)
        first, last = self._span(level, column)
        top, _ = self._span(level, row)
        found = count_window(self.queens, counts, np.uint64(level), np.uint64(top), first, last)
        return counts, int(found)

    def _encoded_list(self, level: int, column: int, row: int, found: int) -> bytes:
        listed = np.empty((found, 2), np.uint32)
        first, last = self._span(level, column)
        top, bottom = self._span(level, row)
        if found:
            # Fewer if the file of the board has changed since they were counted.
            found = int(list_window(self.queens, listed, np.uint64(top), np.uint64(bottom - top), first, last))
            listed = listed[:found]
        return _encoded_queens(listed, self._conflicts(listed))

    def _span(self, level: int, number: int) -> tuple[int, int]:
        """Return the first column of a column of tiles and the first column after it; likewise for rows."""
        bits = level + TILE_BITS
        return number << bits, min(self.n, (number + 1) << bits)

    def _conflicts(self, listed: NDArray[np.uint32]) -> NDArray[np.uint8]:
        columns, rows = listed.astype(np.int64).T
        line_numbers = (rows, columns + rows, rows - columns + self.n)
        marks = np.zeros(len(listed), np.uint64)
        if self.instance is not None:
            marks |= may_not_stand(columns, rows, self.instance).astype(np.uint64)
        if self._crowded is None:
            return marks.astype(np.uint8)
        for words, line in zip(self._crowded, line_numbers, strict=True):
            marks |= words[line >> 6] >> (line & 63).astype(np.uint64)
        return (marks & np.uint64(1)).astype(np.uint8)


def _encoded_queens(listed: NDArray[np.uint32], conflicts: NDArray[np.uint8]) -> bytes:
    return _kind(0) + listed.astype("<u4").tobytes() + conflicts.tobytes()


def _encoded_counts(counts: NDArray[Any]) -> bytes:
    largest = int(counts.max())
    size = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    return _kind(size) + counts.T.astype(f"<u{size}").tobytes()


def _kind(kind: int) -> bytes:
    return kind.to_bytes(4, "little")
