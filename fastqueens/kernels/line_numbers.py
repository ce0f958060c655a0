"""One table of all lines of a board: n rows, 2 n sum diagonals and 2 n difference diagonals."""

from __future__ import annotations

from fastqueens.kernels.jit import part

LINES_A_QUEEN = 5


@part
def lines_of(n, column, row):
    """Return the indices of the three lines through a square."""
    return row, n + column + row, 4 * n + row - column
