"""Tiles of a board, as bytes for a page: 256 x 256 cells of a level, as counts or, where they are few, queen by queen.

A tile begins with a uint32, its kind, and goes on, all of it little-endian, with

- kind 0: the queens of the tile, columns rising: for each its column and its row (uint32), then for each a byte, 1
  where it is known to be in conflict;
- kind 1, 2 or 4: 256 x 256 counts of as many bytes, row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, Queens
from fastqueens.counting import conflicting_queens, crowded_lines
from fastqueens.explore import lines
from fastqueens.explore.pyramid import TILE_BITS, Pyramid, coarsest_level
from fastqueens.kernels.windows import count_window, list_window

_CELLS = 1 << TILE_BITS

#: With more queens than this a tile near by is sent as counts.
MOST_LISTED = 4096

#: A board with more queens is not checked as a whole, since that takes up to 0.9 bytes a queen.
MOST_CHECKED = 100_000_000


class Tiles:
    """What a page can ask of a board; any number of threads may ask at the same time.

    Parameters
    ----------
    queens : (n,) array of integers
        A validated board; it may be mapped from a file.
    pyramid : Pyramid
        Of this board.
    """

    def __init__(self, queens: Queens, pyramid: Pyramid) -> None:
        self.queens = queens
        self.n = len(queens)
        self._pyramid = pyramid
        self._is_checked = False
        self._conflicting: int | None = None
        self._crowded: tuple[NDArray[np.uint64], ...] | None = None

    def load_kernels(self) -> None:
        """Compile, or fetch from disk, what answers will need, so that none of them waits for it."""
        no_cells, none = np.zeros((1, 1), np.uint32), np.uint64(0)
        count_window(self.queens, no_cells, none, none, 0, 0)
        list_window(self.queens, np.empty((0, 2), np.uint32), none, none, 0, 0)
        lines.load_kernels(self.queens)

    @property
    def conflicting(self) -> int | None:
        """How many queens attack another; None where :meth:`mark_conflicts` has not counted them."""
        return self._conflicting

    @property
    def is_checked(self) -> bool:
        """Whether :meth:`mark_conflicts` has been through, with or without a result."""
        return self._is_checked

    def mark_conflicts(self) -> None:
        """Find the queens in conflict: listed tiles mark them from then on. O(n) time, at most 0.9 bytes a queen.

        Nothing is done on boards of more than 100 million queens.
        """
        try:
            if self.n <= MOST_CHECKED:
                conflicting = conflicting_queens(self.queens)
                if conflicting:
                    self._crowded = crowded_lines(self.queens)
                self._conflicting = conflicting
        finally:
            self._is_checked = True

    def tile(self, level: int, column: int, row: int) -> bytes:
        """Encode the tile in this column and row of tiles of a level.

        O(cells) time where the level is in the pyramid; on a nearer level the columns of the tile are read, twice at
        the most: 2**24 of them on a board of 2**32 queens.

        Raises
        ------
        InputError
            Where the board has no such tile.
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
            list_window(self.queens, listed, np.uint64(top), np.uint64(bottom - top), first, last)
        return _encoded_queens(listed, self._conflicts(listed))

    def _span(self, level: int, number: int) -> tuple[int, int]:
        """The first column of a column of tiles, and that after its last one; of rows likewise."""
        bits = level + TILE_BITS
        return number << bits, min(self.n, (number + 1) << bits)

    def _conflicts(self, listed: NDArray[np.uint32]) -> NDArray[np.uint8]:
        if self._crowded is None:
            return np.zeros(len(listed), np.uint8)
        columns, rows = listed.astype(np.int64).T
        line_numbers = (rows, columns + rows, rows - columns + self.n)
        marks = np.zeros(len(listed), np.uint64)
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
