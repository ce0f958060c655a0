"""Questions about a board: is it a solution, how many pairs attack each other, how many queens conflict, who first.

Drivers of kernels/checking.py. Memory stays bounded at any n: a bitset of 2 n bits for :func:`is_solution` and
:func:`first_attack`, counters for one range of lines after another for the other two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens, as_queens
from fastqueens.kernels import checking
from fastqueens.watch import Progress, Stop, Watch

_SLICE = 1 << 20

# Counters held at a time: 256 MB, all lines of a board of 16 million queens of one kind at once.
_COUNTERS = 1 << 26

Board = Sequence[int] | NDArray[Any]


class LineKind(NamedTuple):
    """One of the three kinds of lines: the queen (c, r) stands on line ``slope * c + r + offset`` of ``lines``."""

    slope: np.uint64
    offset: np.uint64
    lines: int


def line_kinds(n: int) -> tuple[LineKind, LineKind, LineKind]:
    """Rows, sum diagonals and difference diagonals of a board of n."""
    zero, one, minus_one = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
    return (
        LineKind(zero, zero, n),
        LineKind(one, zero, 2 * n),
        LineKind(minus_one, np.uint64(n), 2 * n),
    )


def is_solution(queens: Board, *, progress: Progress | None = None, stop: Stop | None = None) -> bool:
    """Tell whether no two queens share a row or a diagonal.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`.

    Raises
    ------
    InputError
        Where a value is no row of the board.

    Notes
    -----
    O(n) time; n / 4 bytes beside the board.

    Examples
    --------
    >>> is_solution([1, 3, 0, 2]), is_solution([0, 1, 2, 3])
    (True, False)
    """
    return is_solution_checked(as_queens(queens), Watch(progress, stop))


def is_solution_checked(queens: Queens, watch: Watch) -> bool:
    """Answer :func:`is_solution` for a board that has been validated."""
    n = len(queens)
    return all(_first_clash(queens, kind, n, watch) == n for kind in line_kinds(n))


def first_attack(
    queens: Board, *, progress: Progress | None = None, stop: Stop | None = None
) -> tuple[int, int] | None:
    """Find the first attacking pair: that of the smallest right column, and of these the smallest left column.

    Returns
    -------
    (left, right) or None
        The columns of the two queens; None where no queen attacks another.

    Notes
    -----
    O(n) time; n / 4 bytes beside the board. See :func:`is_solution` for parameters and errors.

    Examples
    --------
    >>> first_attack([0, 3, 1, 2])
    (2, 3)
    """
    board = as_queens(queens)
    watch = Watch(progress, stop)
    kinds = line_kinds(len(board))
    right = len(board)
    for kind in kinds:
        right = min(right, _first_clash(board, kind, right, watch))
    if right == len(board):
        return None
    return min(_first_on_line(board, kind, right, watch) for kind in kinds), right


def attacking_pairs(queens: Board, *, progress: Progress | None = None, stop: Stop | None = None) -> int:
    """Count the pairs of queens that share a row or a diagonal; queens in between do not shield.

    See :func:`is_solution` for parameters and errors. O(n) time, at most 256 MB beside the board: from 16 million
    queens on the lines are counted in ranges, each in a pass of its own.

    >>> attacking_pairs([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)

    def count(counters: NDArray[np.uint32], *arguments: Any) -> int:
        return int(checking.count_lines(board, counters, *arguments))

    return sum(_over_line_ranges(board, Watch(progress, stop), count))


def conflicting_queens(queens: Board, *, progress: Progress | None = None, stop: Stop | None = None) -> int:
    """Count the queens that attack at least one other.

    See :func:`is_solution` for parameters and errors. O(n) time, at most 256 MB and n / 8 bytes beside the board.

    >>> conflicting_queens([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    watch = Watch(progress, stop)
    marked = np.zeros(len(board) // 64 + 1, np.uint64)

    def mark(counters: NDArray[np.uint32], first_line: Any, slope: Any, offset: Any, first: int, last: int) -> int:
        checking.count_lines(board, counters, first_line, slope, offset, first, last)
        if last < len(board):
            return 0
        return sum(
            int(checking.mark_conflicting(board, counters, marked, first_line, slope, offset, *piece))
            for piece in watch.slices("verification", len(board), _SLICE)
        )

    return sum(_over_line_ranges(board, watch, mark))


def _over_line_ranges(queens: Queens, watch: Watch, work: Callable[..., int]) -> Iterator[int]:
    """Call ``work`` on every range of lines and every slice of columns, with counters that start at zero."""
    n = len(queens)
    for slope, offset, lines in line_kinds(n):
        for first_line in range(0, lines, _COUNTERS):
            counters = np.zeros(min(_COUNTERS, lines - first_line), np.uint32)
            for first, last in watch.slices("verification", n, _SLICE):
                yield work(counters, np.uint64(first_line), slope, offset, first, last)


def _first_clash(queens: Queens, kind: LineKind, end: int, watch: Watch) -> int:
    """The first column before ``end`` whose queen meets an earlier one on a line of this kind, or ``end``."""
    claimed = np.zeros(kind.lines // 64 + 1, np.uint64)
    for first, last in watch.slices("verification", end, _SLICE):
        clash = int(checking.claim_lines(queens, claimed, kind.slope, kind.offset, first, last))
        if clash < last:
            return clash
    return end


def _first_on_line(queens: Queens, kind: LineKind, column: int, watch: Watch) -> int:
    """The first column whose queen stands on the line of this kind that runs through the queen of ``column``."""
    line = np.uint64((int(kind.slope) * column + int(queens[column]) + int(kind.offset)) % 2**64)
    for first, last in watch.slices("verification", column, _SLICE):
        found = int(checking.find_on_line(queens, kind.slope, kind.offset, line, first, last))
        if found < last:
            return found
    return column
