"""Is a board a solution? The independent check behind every result that is called solved.

It trusts nothing and shares no code with placement and search. Uses several threads and at most 1.25 bytes a queen
besides the board.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fastqueens.analysis.line_kinds import cut_lines, empty_bitset, line_kinds, mark_lines
from fastqueens.analysis.violations import (
    check_same_n,
    missing_fixed_queens,
    queens_on_blocked_squares,
    violations,
)
from fastqueens.core import thresholds
from fastqueens.core.board import Board, Queens, as_queens
from fastqueens.core.callbacks import Callbacks, Progress, Stop, slices
from fastqueens.core.instance import Instance, make_instance
from fastqueens.core.threads import Workers, workers_for
from fastqueens.kernels import checking
from fastqueens.kernels.checking import Span

_STAGE = "verification"

# Most pieces of the board with separate bitsets: those of 4 take n bytes.
_MOST_PIECES = 4

# A check by bands has 17 to 32 bands.
_BANDS_AS_BITS = 5

# At least as many counters as a cache line holds.
_CACHE_LINE = 16


def is_solution(
    queens: Board,
    *,
    instance: Instance | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> bool:
    """Tell whether a board is a solution: no two queens share a row or a diagonal.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    instance : Instance, optional
        Fixed queens, blocked squares and excluded diagonals that the solution has to respect as well.
    threads : int, optional
        By default all cores.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`.

    Raises
    ------
    InputError
        If a value is not a row of the board, or the instance has another n.

    Notes
    -----
    O(n) time. Besides the board, n / 4 bytes for each of up to four threads; 0.9 n bytes from 4 million queens on.

    Examples
    --------
    >>> is_solution([1, 3, 0, 2]), is_solution([0, 1, 2, 3])
    (True, False)
    >>> is_solution([1, 3, 0, 2], instance=make_instance(4, blocked=[(0, 1)]))
    False
    """
    board = as_queens(queens)
    if instance is None:
        instance = make_instance(len(board))
    check_same_n(instance, len(board))
    with workers_for(len(board), threads) as workers:
        return (
            not len(missing_fixed_queens(board, instance))
            and not len(queens_on_blocked_squares(board, instance))
            and _has_free_lines(board, instance, workers, Callbacks(progress, stop))
        )


def find_fault(
    queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks, *, is_solved: bool
) -> str | None:
    """Return what is wrong with a board that a search returned, or None.

    The check covers the length of the board, the range of its rows, the fixed queens, and, if ``is_solved``, the three
    kinds of lines, the blocked squares and the excluded diagonals.

    Parameters
    ----------
    queens : array of integers
        The board, not yet validated.
    instance : Instance
        What the user asked for.
    workers, callbacks
        Threads, and the callbacks to poll.
    is_solved : bool
        Whether the search claims that no queen attacks another.

    Notes
    -----
    O(n) time. Memory as for :func:`is_solution`.
    """
    n = instance.n
    if queens.shape != (n,):
        return f"it has shape {queens.shape} instead of ({n},)"
    if is_solved:
        is_right = _has_free_lines(queens, instance, workers, callbacks)
    else:
        is_right = _is_on_board(queens, workers, callbacks)
    column = None if is_right else _first_off_board(queens)
    if column is not None:
        return f"column {column} has row {queens[column]}; rows go from 0 to {n - 1}"
    missing = missing_fixed_queens(queens, instance)
    if len(missing):
        row = int(instance.fixed.rows[np.searchsorted(instance.fixed.columns, missing[0])])
        return f"the fixed queen of column {missing[0]} is on row {queens[missing[0]]}; it belongs on row {row}"
    if is_solved:
        on_blocked = queens_on_blocked_squares(queens, instance)
        if len(on_blocked):
            return f"the queen of column {on_blocked[0]} is on a blocked square, in row {queens[on_blocked[0]]}"
    if is_right:
        return None
    if instance.has_exclusions:
        on_excluded = violations(queens, instance).excluded
        if len(on_excluded):
            return f"the queen of column {on_excluded[0]} is on an excluded diagonal"
    return "two queens attack each other"


def _has_free_lines(queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks) -> bool:
    """Tell whether all rows are on the board, no two queens share a line, and none is on an excluded diagonal."""
    if len(queens) < thresholds.current.bands:
        return _is_on_board(queens, workers, callbacks) and _has_free_lines_one_by_one(
            queens, instance, workers, callbacks
        )
    return _has_free_lines_by_bands(queens, instance, workers, callbacks)


def _is_on_board(queens: Queens, workers: Workers, callbacks: Callbacks) -> bool:
    """Tell whether all rows are from 0 to n - 1."""
    n = len(queens)

    def is_on_board(piece: tuple[int, int]) -> bool:
        return bool(checking.first_off_board(queens, np.uint64(n), *piece) == piece[1])

    for _, are_on_board in workers.rounds(is_on_board, n, thresholds.current.checked_slice):
        if not all(are_on_board):
            return False
        callbacks.poll(_STAGE, 0, n)
    return True


def _first_off_board(queens: Queens) -> int | None:
    """Return the first column whose row is off the board, or None; slow, in plain NumPy."""
    n = len(queens)
    for first, last in slices(n, thresholds.current.checked_slice):
        off = np.flatnonzero((queens[first:last] < 0) | (queens[first:last] >= n))
        if len(off):
            return first + int(off[0])
    return None


def _has_free_lines_by_bands(queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks) -> bool:
    """Mark the lines of all three kinds, by blocks of columns and bands of rows so that the bits stay in a cache.

    Returns False also if a row is off the board.

    The queens of a block of columns are listed by band. A block is as wide as a band, so the diagonals through both
    reach into those of the next band and no further: threads take all even bands at a time, then all odd ones.
    """
    n = len(queens)
    band_bits = max(6, (n - 1).bit_length() - _BANDS_AS_BITS)
    width = 1 << band_bits
    bands = -(-n // width)
    bitsets = [np.zeros(-(-n // 64) * words + 1, np.uint64) for words in (1, 2, 2)]
    offset = np.uint64(-(-n // 64) * 64)
    mark_lines(bitsets[1], instance.excluded_sums)
    mark_lines(bitsets[2], instance.excluded_differences + int(offset))
    pieces = 1 if workers.threads == 1 else 2 * workers.threads
    listed = np.zeros(width + checking.LISTED_AHEAD, np.uint64)
    for begin in range(0, n, width):
        ends = np.linspace(begin, min(n, begin + width), workers.threads + 1, dtype=np.int64)
        starts = _list_by_band(queens, listed, ends, bands, band_bits, workers)
        if starts is None:
            return False

        def claim(piece: tuple[int, int]) -> bool:
            return bool(checking.claim_bands(listed, starts, *bitsets, offset, *piece))  # noqa: B023

        for parity in (0, 1):
            # Pieces of whole pairs of bands, so that each piece begins with a band of this parity.
            ends_of_pieces = [2 * (bands * piece // (2 * pieces)) + parity for piece in range(pieces)] + [bands]
            if not all(workers.each(claim, list(pairwise(ends_of_pieces)))):
                return False
        callbacks.poll(_STAGE, min(n, begin + width), n)
    return True


def _list_by_band(
    queens: Queens, listed: NDArray[np.uint64], ends: NDArray[np.int64], bands: int, band_bits: int, workers: Workers
) -> NDArray[np.int64] | None:
    """List the squares of columns ends[0] to ends[-1] - 1 by band, each thread those of one piece.

    Returns where each band begins, or None if a row is off the board.
    """
    threads = range(workers.threads)
    bits = np.uint64(band_bits)
    # The rows are wider than the bands need, so that no two threads write to the same cache line at every queen.
    counts = np.zeros((workers.threads, bands + _CACHE_LINE), np.int64)
    if any(workers.each(lambda i: checking.count_bands(queens, counts[i], bits, ends[i], ends[i + 1]), threads)):
        return None
    places = np.concatenate([[0], np.cumsum(counts[:, :bands].T.ravel())])
    counts[:, :bands] = places[:-1].reshape(bands, workers.threads).T
    workers.each(lambda i: checking.list_by_band(queens, listed, counts[i], bits, ends[i], ends[i + 1]), threads)
    return np.ascontiguousarray(places[:: workers.threads])


def _has_free_lines_one_by_one(queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks) -> bool:
    """Mark the lines of one kind after the other.

    Each piece of the columns has separate bitsets, joined at the end. If there are more threads than pieces, these
    share the lines.
    """
    n = len(queens)
    size = thresholds.current.checked_slice
    pieces = min(workers.threads, _MOST_PIECES)
    excluded = (np.empty(0, np.int64), instance.excluded_sums, instance.excluded_differences + n)
    for turn, (kind, lines) in enumerate(zip(line_kinds(n), excluded, strict=True)):
        spans = cut_lines(kind, -(-workers.threads // pieces))
        claims = [[empty_bitset(span, spare=1) for _ in range(pieces)] for span in spans]
        if len(lines):
            for span, of_span in zip(spans, claims, strict=True):
                # A queen on an excluded line then meets a line that is marked already.
                mark_lines(of_span[0][:-1], lines - kind.first_line(span))
        tasks = [
            (span, claimed, piece)
            for span, of_span in zip(spans, claims, strict=True)
            for piece, claimed in enumerate(of_span)
        ]
        for done in range(0, n // pieces + 1, size):

            def has_no_clash(task: tuple[Span, NDArray[np.uint64], int]) -> bool:
                span, claimed, piece = task
                end = n * (piece + 1) // pieces
                first = min(n * piece // pieces + done, end)  # noqa: B023
                last = min(first + size, end)
                return bool(checking.claim_lines(queens, claimed, span, first, last) == last)

            if not all(workers.each(has_no_clash, tasks)):
                return False
            callbacks.poll(_STAGE, turn * n + min(n, (done + size) * pieces), 3 * n)
        for first_claimed, *others in claims:
            if not all(checking.join_claims(first_claimed, other) for other in others):
                return False
    return True


def load_kernels(queens: Queens, n: int) -> None:
    """Compile or load the kernels that check a board of n, by calling them for a board of one queen."""
    one = np.ones(1, np.uint64)
    checking.first_off_board(queens, np.uint64(1), 0, 1)
    checking.claim_lines(queens, np.zeros(2, np.uint64), line_kinds(1)[0].all_lines, 0, 1)
    if n < thresholds.current.bands:
        checking.join_claims(one, one)
    else:
        with Workers(1) as workers:
            _has_free_lines_by_bands(queens, make_instance(len(queens)), workers, Callbacks())
