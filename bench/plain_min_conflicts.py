"""Min-conflicts as in Bursey et al. (2019), written plainly: a peer that fastqueens does not use.

``queens[c]`` is the row of the queen in column c. Counters hold the number of queens on each row and diagonal. Each
queen compares all n rows of its column to find those of least conflict, so the first board costs O(n**2) and each move
O(n).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def solve(n: int, seed: int) -> NDArray[np.int64]:
    """Place n queens so that none attacks another; n is 1, or 4 or more.

    >>> sorted(solve(8, seed=1).tolist())
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    random = np.random.default_rng(seed)
    while True:
        board = _Board(n)
        for column in range(n):
            board.place(column, random)
        if board.solve(random, max_moves=10 * n + 100):
            return board.queens


class _Board:
    """The queens, and their number on each row, sum diagonal and difference diagonal."""

    def __init__(self, n: int) -> None:
        self._columns = np.arange(n)
        self._rows = np.zeros(n, np.int64)
        self._sums = np.zeros(2 * n, np.int64)
        self._differences = np.zeros(2 * n, np.int64)
        self.queens = np.zeros(n, np.int64)

    def solve(self, random: np.random.Generator, max_moves: int) -> bool:
        """Move random conflicting queens to rows of least conflict; return whether none conflicts in the end."""
        for _ in range(max_moves):
            conflicting = np.flatnonzero(self._conflicts_of_queens())
            if len(conflicting) == 0:
                return True
            column = int(random.choice(conflicting))
            self._count(column, -1)
            self.place(column, random)
        return False

    def place(self, column: int, random: np.random.Generator) -> None:
        """Put the queen of a column on a random row of least conflict."""
        conflicts = self._conflicts(column, self._columns)
        self.queens[column] = random.choice(np.flatnonzero(conflicts == conflicts.min()))
        self._count(column, 1)

    def _count(self, column: int, change: int) -> None:
        row = self.queens[column]
        self._rows[row] += change
        self._sums[column + row] += change
        self._differences[row - column] += change

    def _conflicts_of_queens(self) -> NDArray[np.int64]:
        return self._conflicts(self._columns, self.queens) - 3

    def _conflicts(self, columns: int | NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of queens on the lines of each square; negative differences index from the end."""
        conflicts: NDArray[np.int64] = self._rows[rows] + self._sums[columns + rows] + self._differences[rows - columns]
        return conflicts
