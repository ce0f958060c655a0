"""Attacks on any board: attacking pairs, conflicting queens, the first attack, the lines with several queens.

Uses several threads and, besides the board, at most 0.9 bytes a queen or 256 MB of counters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.check import verification_kernel
from fastqueens.check.verification import LineKind, cut_lines, empty_bitset, line_kinds
from fastqueens.core import thresholds
from fastqueens.core.board import Board, Queens, as_queens
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens.core.threads import Workers, workers_for

_STAGE = "verification"


@shows_progress
def first_attack(
    queens: Board, *, progress: Progress | None = None, stop: Stop | None = None
) -> tuple[int, int] | None:
    """Return the attacking pair with the smallest right column, and among those the smallest left column.

    Returns
    -------
    (left, right) or None
        The columns of the two queens; None if no queen attacks another.

    Notes
    -----
    O(n) time on one thread; n / 4 bytes besides the board. See :func:`is_solution` for parameters and errors.

    Examples
    --------
    >>> first_attack([0, 3, 1, 2])
    (2, 3)

    """
    board = as_queens(queens)
    callbacks = Callbacks(progress, stop)
    kinds = line_kinds(len(board))
    right = len(board)
    for turn, kind in enumerate(kinds):
        right = min(right, _first_clash(board, kind, right, turn, callbacks))
    if right == len(board):
        return None
    return min(_first_on_line(board, kind, right, callbacks) for kind in kinds), right


@shows_progress
def attacking_pairs(
    queens: Board, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> int:
    """Count the pairs of queens that share a row or a diagonal; queens in between do not shield.

    See :func:`is_solution` for parameters and errors. O(n) time, at most 256 MB besides the board: if the counters of
    all lines need more, each pass over the board counts some of the lines.

    >>> attacking_pairs([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    n = len(board)
    callbacks = Callbacks(progress, stop)
    with workers_for(len(board), threads) as workers:
        size = max(1, thresholds.current.counters // workers.threads)
        spans = [kind.span(first, size) for kind in line_kinds(n) for first in range(0, kind.lines, size)]
        pairs = 0
        for turn in range(0, len(spans), workers.threads):
            now = spans[turn : turn + workers.threads]
            counters = [np.zeros(int(span.lines), np.uint32) for span in now]
            for first, last in slices(n, thresholds.current.checked_slice):
                pairs += sum(
                    workers.each(
                        lambda i: int(verification_kernel.count_lines(board, counters[i], now[i], first, last)),  # noqa: B023
                        range(len(now)),
                    )
                )
                callbacks.poll(_STAGE, turn * n + last * len(now), len(spans) * n)
    return pairs


@shows_progress
def conflicting_queens(
    queens: Board, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> int:
    """Count the queens that attack at least one other queen.

    See :func:`is_solution` for parameters and errors. O(n) time, at most 0.9 bytes a queen besides the board.

    >>> conflicting_queens([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    n = len(board)
    callbacks = Callbacks(progress, stop)
    with workers_for(len(board), threads) as workers:
        crowded = _crowded_lines(board, workers, callbacks)
        found = 0

        def count(piece: tuple[int, int]) -> int:
            return int(verification_kernel.count_conflicting(board, *crowded, *piece))

        for last, counts in workers.rounds(count, n, thresholds.current.checked_slice):
            found += sum(counts)
            callbacks.poll(_STAGE, 3 * n + last, 4 * n)
    return found


def crowded_lines(queens: Board, *, threads: int | None = None) -> list[NDArray[np.uint64]]:
    """Mark the rows, sum diagonals (c + r) and difference diagonals (r - c + n) with more than one queen, as bitsets.

    Bit i of a bitset is bit i % 64 of word i // 64. O(n) time, 5 n / 8 bytes for the result and half as many besides.

    >>> [int(words[0]) for words in crowded_lines([0, 0, 1, 3])]
    [1, 0, 24]
    """
    board = as_queens(queens)
    with workers_for(len(board), threads) as workers:
        return _crowded_lines(board, workers, Callbacks())


def _crowded_lines(queens: Queens, workers: Workers, callbacks: Callbacks) -> list[NDArray[np.uint64]]:
    return [_lines_of_two(queens, kind, turn, workers, callbacks) for turn, kind in enumerate(line_kinds(len(queens)))]


def _lines_of_two(
    queens: Queens, kind: LineKind, turn: int, workers: Workers, callbacks: Callbacks
) -> NDArray[np.uint64]:
    """Return the lines of a kind with more than one queen, as a bitset; each thread takes some of the lines."""
    n = len(queens)
    spans = cut_lines(kind, workers.threads)
    claimed = [empty_bitset(span, spare=1) for span in spans]
    twice = [empty_bitset(span) for span in spans]
    for first, last in slices(n, thresholds.current.checked_slice):
        workers.each(
            lambda i: verification_kernel.claim_twice(queens, claimed[i], twice[i], spans[i], first, last),  # noqa: B023
            range(len(spans)),
        )
        callbacks.poll(_STAGE, turn * n + last, 4 * n)
    return np.concatenate(twice)


def _first_clash(queens: Queens, kind: LineKind, end: int, turn: int, callbacks: Callbacks) -> int:
    """Return the first column before ``end`` whose queen shares a line of this kind with an earlier one, or ``end``."""
    span = kind.all_lines
    claimed = empty_bitset(span, spare=1)
    for first, last in slices(end, thresholds.current.checked_slice):
        clash = int(verification_kernel.claim_lines(queens, claimed, span, first, last))
        if clash < last:
            return clash
        callbacks.poll(_STAGE, turn * len(queens) + last, 3 * len(queens))
    return end


def _first_on_line(queens: Queens, kind: LineKind, column: int, callbacks: Callbacks) -> int:
    """Return the first column whose queen shares its line of this kind with the queen of ``column``."""
    line = np.uint64((kind.slope * column + int(queens[column]) + kind.offset) % 2**64)
    for first, last in slices(column, thresholds.current.checked_slice):
        found = int(verification_kernel.find_on_line(queens, kind.all_lines, line, first, last))
        if found < last:
            return found
        callbacks.poll(_STAGE, 3 * len(queens), 3 * len(queens))
    return column
