"""Is a board a solution? The independent check behind every result that is called solved.

It trusts nothing and shares no code with placement and search. Uses several threads and at most 1.25 bytes a queen
besides the board.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fastqueens.analysis.line_kinds import cut_lines, empty_bitset, line_kinds
from fastqueens.core import thresholds
from fastqueens.core.board import Board, Queens, as_queens
from fastqueens.core.callbacks import Callbacks, Progress, Stop, slices
from fastqueens.core.fixed_queens import FixedQueens
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
    queens: Board, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> bool:
    """Tell whether a board is a solution: no two queens share a row or a diagonal.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    threads : int, optional
        By default all cores.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`.

    Raises
    ------
    InputError
        If a value is not a row of the board.

    Notes
    -----
    O(n) time. Besides the board, n / 4 bytes for each of up to four threads; 0.9 n bytes from 4 million queens on.

    Examples
    --------
    >>> is_solution([1, 3, 0, 2]), is_solution([0, 1, 2, 3])
    (True, False)

    """
    board = as_queens(queens)
    with workers_for(len(board), threads) as workers:
        return is_solution_checked(board, workers, Callbacks(progress, stop))


def find_fault(
    queens: Queens, n: int, fixed: FixedQueens, workers: Workers, callbacks: Callbacks, *, is_solved: bool
) -> str | None:
    """Return what is wrong with a board that a search returned, or None.

    The check covers the length of the board, the range of its rows, the fixed queens, and, if ``is_solved``, the three
    kinds of lines.

    Parameters
    ----------
    queens : array of integers
        The board, not yet validated.
    n : int
        The size that the user asked for.
    fixed : FixedQueens
        The queens that must be on their squares.
    workers, callbacks
        Threads, and the callbacks to poll.
    is_solved : bool
        Whether the search claims that no queen attacks another.

    Notes
    -----
    O(n) time. Memory as for :func:`is_solution`.
    """
    if queens.shape != (n,):
        return f"it has shape {queens.shape} instead of ({n},)"
    check = is_solution_checked if is_solved else _is_on_board
    is_right = check(queens, workers, callbacks)
    column = None if is_right else _first_off_board(queens)
    if column is not None:
        return f"column {column} has row {queens[column]}; rows go from 0 to {n - 1}"
    moved = np.flatnonzero(queens[fixed.columns] != fixed.rows)
    if len(moved):
        column, row = int(fixed.columns[moved[0]]), int(fixed.rows[moved[0]])
        return f"the fixed queen of column {column} is on row {queens[column]}; it belongs on row {row}"
    return None if is_right else "two queens attack each other"


def is_solution_checked(queens: Queens, workers: Workers, callbacks: Callbacks) -> bool:
    """Tell whether all rows of a one-dimensional integer array are on the board and no two queens share a line."""
    if len(queens) < thresholds.current.bands:
        return _is_on_board(queens, workers, callbacks) and _is_solution_by_lines(queens, workers, callbacks)
    return _is_solution_by_bands(queens, workers, callbacks)


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


def _is_solution_by_bands(queens: Queens, workers: Workers, callbacks: Callbacks) -> bool:
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


def _is_solution_by_lines(queens: Queens, workers: Workers, callbacks: Callbacks) -> bool:
    """Mark the lines of one kind after the other.

    Each piece of the columns has separate bitsets, joined at the end. If there are more threads than pieces, these
    share the lines.
    """
    n = len(queens)
    size = thresholds.current.checked_slice
    pieces = min(workers.threads, _MOST_PIECES)
    for turn, kind in enumerate(line_kinds(n)):
        spans = cut_lines(kind, -(-workers.threads // pieces))
        claims = [[empty_bitset(span, spare=1) for _ in range(pieces)] for span in spans]
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
            _is_solution_by_bands(queens, workers, Callbacks())
