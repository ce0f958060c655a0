"""Counts of queens in square cells: of one board along four kinds of lines, and of many boards with their pairs.

``boards[b, c]`` is the row of the queen in column c of board b. The kernels read only boards from ``top`` to bottom -
1, and their columns from ``first`` to last - 1 with a few columns after them.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint64
from fastqueens.kernels.bits import ONE, ZERO, high_product, is_set, set_bit


@bundle
class Counts(NamedTuple):
    """Counts that are summed over boards, and the arrays that the kernel needs.

    squares : (k, k), queens by the cells of row and column
    lengths : (2, k), sum and difference diagonals with at least one queen, by the cell of their length less one
    pairs : (reach + 1, 2 reach + 1), pairs of queens of one board by columns to the right and by rows down, from
        -reach on; pairs[0] stays 0
    used : (2, words) bitsets of 2 n - 1 bits, the diagonals of the board that have a queen so far
    shift, factor : position p is in cell (p << shift) * factor >> 64; see densities.py
    """

    squares: int64[:, :]
    lengths: int64[:, :]
    pairs: int64[:, :]
    used: uint64[:, :]
    shift: uint64
    factor: uint64


@inlined
def _cell(counts, position):
    return high_product(position << counts.shift, counts.factor)


@inlined
def _note_diagonal(counts, kind, diagonal, length_less_one):
    """Count a diagonal if this is its first queen."""
    used = counts.used[kind]
    if not is_set(used, diagonal):
        set_bit(used, diagonal)
        counts.lengths[kind, _cell(counts, length_less_one)] += 1


@kernel
def count_boards(boards: int32[:, :], counts: Counts, top: int64, bottom: int64, first: int64, last: int64):
    """Count the queens of columns first to last - 1 of boards top to bottom - 1.

    boards : (count, n)
    counts : squares, lengths and pairs are added to

    If first is 0, the diagonals of each board start without queens. Otherwise they continue, so the columns of a board
    can be divided into several calls. With several boards, first must be 0 and last must be n.

    O((bottom - top) * (last - first) * reach).
    """
    n = np.uint64(boards.shape[1])
    reach = np.uint64(len(counts.pairs)) - ONE
    for board in range(np.uint64(top), np.uint64(bottom)):
        if first == 0:
            counts.used[:] = ZERO
        for column in range(np.uint64(first), np.uint64(last)):
            # A board can be mapped from a file that another process changes.
            row = min(np.uint64(boards[board, column]), n - ONE)
            counts.squares[_cell(counts, row), _cell(counts, column)] += 1
            total = column + row
            _note_diagonal(counts, 0, total, min(total, n + n - ONE - ONE - total))
            _note_diagonal(counts, 1, row + n - ONE - column, n - ONE - (max(column, row) - min(column, row)))
            for apart in range(ONE, min(reach, n - ONE - column) + ONE):
                # For a queen further up than ``reach`` the difference wraps around to a huge number.
                down = np.uint64(boards[board, column + apart]) - row + reach
                if down <= reach + reach:
                    counts.pairs[apart, down] += 1


@kernel
def bin_queens(
    queens: int32[:],
    squares: int64[:, :],
    sums: int64[:],
    differences: int64[:],
    shift: uint64,
    factor: uint64,
    first: int64,
    last: int64,
):
    """Count the queens of columns first to last - 1 in equal spans of columns, rows and both kinds of diagonals.

    Position p from 0 to n - 1 falls into cell p * cells // n, computed as the upper half of ``(p << shift) * factor``:
    a product is faster than a division, and just as exact here. The position of a diagonal is half its number, so that
    one rule serves all four kinds of spans. A queen off the board counts on row n - 1.

    squares : (cells, cells), [row, column]; added to
    sums, differences : (cells,), by (c + r) // 2 and (r - c + n - 1) // 2; added to

    O(last - first).
    """
    n = np.uint64(len(queens))
    for column in range(np.uint64(first), np.uint64(last)):
        row = min(np.uint64(queens[column]), n - ONE)
        squares[high_product(row << shift, factor), high_product(column << shift, factor)] += 1
        sums[high_product(((column + row) >> ONE) << shift, factor)] += 1
        differences[high_product(((row + n - ONE - column) >> ONE) << shift, factor)] += 1
