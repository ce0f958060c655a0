"""Is a board a solution, and which queens attack each other: attacking pairs, conflicting queens, crowded lines.

The check behind every result that is called solved trusts nothing and shares no code with placement and search. Besides
the board, it uses 5 n / 8 bytes on one thread, and n bytes on several. The counts use at most 0.9 bytes a queen, or 256
MB of counters.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import thresholds
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens._run.threads import Workers, workers_for
from fastqueens.board import Board, Queens, as_queens
from fastqueens.instance import Instance, make_instance
from fastqueens.kernels import checking as verification_kernel
from fastqueens.kernels.checking import Span


class LineKind(NamedTuple):
    """One of the three kinds of lines: the queen (c, r) stands on line ``slope * c + r + offset`` of ``lines``."""

    slope: int
    offset: int
    lines: int

    def span(self, first: int, lines: int) -> Span:
        """Return neighbouring lines of this kind in the form that kernels take."""
        offset = (self.offset - first) % 2**64
        return Span(np.uint64(self.slope), np.uint64(offset), np.uint64(min(lines, self.lines - first)))


def line_kinds(n: int) -> tuple[LineKind, LineKind, LineKind]:
    """Return the rows, sum diagonals and difference diagonals of a board of n."""
    return LineKind(0, 0, n), LineKind(1, 0, 2 * n), LineKind(2**64 - 1, n, 2 * n)


def cut_lines(kind: LineKind, parts: int) -> list[Span]:
    """Cut the lines of a kind into spans of whole 64-bit words."""
    size = -(-kind.lines // parts // 64) * 64
    return [kind.span(first, size) for first in range(0, kind.lines, size)]


def empty_bitset(span: Span, spare: int = 0) -> NDArray[np.uint64]:
    """Allocate a bitset for the lines of a span, with ``spare`` more words."""
    return np.zeros((int(span.lines) + 63) // 64 + spare, np.uint64)


def mark_excluded(bitset: NDArray[np.uint64], lines: NDArray[np.int64]) -> None:
    """Set the bits of lines; those beyond the bitset, or below 0, are left out."""
    inside = lines[(lines >= 0) & (lines < 64 * len(bitset))]
    np.bitwise_or.at(bitset, inside >> 6, np.uint64(1) << (inside & 63).astype(np.uint64))


_STAGE = "verification"

# Columns that NumPy compares at a time.
_SLICE = 1 << 18

# Rows, sum diagonals, difference diagonals.
_Bitsets = list[NDArray[np.uint64]]


@shows_progress
def is_solution(
    queens: Board,
    *,
    instance: Instance | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> bool:
    """Return whether a board is a solution: no two queens share a row or a diagonal.

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
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    O(n) time. Besides the board, 5 n / 8 bytes on one thread, n bytes on several.

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
    else:
        from fastqueens.violations import check_same_n, missing_fixed_queens, queens_on_blocked_squares

        check_same_n(instance, len(board))
        if len(missing_fixed_queens(board, instance)) or len(queens_on_blocked_squares(board, instance)):
            return False
    with workers_for(len(board), threads) as workers:
        return _has_free_lines(board, instance, workers, Callbacks(progress, stop))


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
    O(n) time on one thread; n / 4 bytes more than the board. See :func:`is_solution` for parameters and errors.

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
    return _first_attacker(board, right, callbacks), right


@shows_progress
def attacking_pairs(
    queens: Board, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> int:
    """Count the pairs of queens that share a row or a diagonal; queens in between do not shield.

    See :func:`is_solution` for parameters and errors. O(n) time, at most 256 MB more than the board: if the counters of
    all lines need more, each pass over the board counts some of the lines.

    >>> attacking_pairs([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    n = len(board)
    callbacks = Callbacks(progress, stop)
    with workers_for(len(board), threads) as workers:
        threads = workers.threads
        size = max(1, thresholds.current.counters // threads)
        spans = [kind.span(first, size) for kind in line_kinds(n) for first in range(0, kind.lines, size)]
        pairs = 0
        for turn in range(0, len(spans), threads):
            now = spans[turn : turn + threads]
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

    See :func:`is_solution` for parameters and errors. O(n) time, at most 0.9 bytes a queen more than the board.

    >>> conflicting_queens([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    n = len(board)
    callbacks = Callbacks(progress, stop)
    with workers_for(len(board), threads) as workers:
        crowded = [_lines_of_two(board, kind, turn, workers, callbacks) for turn, kind in enumerate(line_kinds(n))]
        found = 0

        def count(piece: tuple[int, int]) -> int:
            return int(verification_kernel.count_conflicting(board, *crowded, *piece))

        for last, counts in workers.rounds(count, n, thresholds.current.checked_slice):
            found += sum(counts)
            callbacks.poll(_STAGE, 3 * n + last, 4 * n)
    return found


def find_fault(
    queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks, *, is_solved: bool
) -> str | None:
    """Return the fault of a board that a search returned and that is not validated, or None.

    Checks the length of the board, the range of its rows, the fixed queens, and, if ``is_solved``, the lines, the
    blocked squares and the excluded diagonals. Time and memory as for :func:`is_solution`.
    """
    n = instance.n
    if queens.shape != (n,):
        return f"it has shape {queens.shape} instead of ({n},)"
    has_free_lines = is_solved and _has_free_lines(queens, instance, workers, callbacks)
    column = None if has_free_lines else _first_off_board(queens, callbacks)
    if column is not None:
        return f"column {column} has row {queens[column]}; rows go from 0 to {n - 1}"
    is_wrong = is_solved and not has_free_lines
    violation = None if instance.is_free else _violation(queens, instance, is_solved=is_solved, is_wrong=is_wrong)
    return violation or ("two queens attack each other" if is_wrong else None)


def _violation(queens: Queens, instance: Instance, *, is_solved: bool, is_wrong: bool) -> str | None:
    """Return the violation of an instance, or None; excluded diagonals are only checked if the lines are wrong."""
    from fastqueens.violations import missing_fixed_queens, queens_on_blocked_squares, violations

    missing = missing_fixed_queens(queens, instance)
    if len(missing):
        row = int(instance.fixed.rows[np.searchsorted(instance.fixed.columns, missing[0])])
        return f"the fixed queen of column {missing[0]} is on row {queens[missing[0]]}; it belongs on row {row}"
    if is_solved and len(instance.blocked):
        on_blocked = queens_on_blocked_squares(queens, instance)
        if len(on_blocked):
            return f"the queen of column {on_blocked[0]} is on a blocked square, in row {queens[on_blocked[0]]}"
    if is_wrong:
        on_excluded = violations(queens, instance).excluded
        if len(on_excluded):
            return f"the queen of column {on_excluded[0]} is on an excluded diagonal"
    return None


def _has_free_lines(queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks) -> bool:
    """Return whether all rows are on the board, no two queens share a line, and none is on an excluded diagonal.

    Two threads each mark the lines of one half of the columns in separate bitsets; more threads divide the kinds of
    lines as well. At the end, no line may be marked in the bitsets of both halves.
    """
    n = len(queens)
    pieces = min(workers.threads, 2)
    # In one array, because only large ones get large pages. The system provides only three quarters of the diagonals
    # of each half: pages without marks take no memory.
    words = -(-n // 64)
    every = np.zeros((pieces, 5 * words), np.uint64)
    bitsets = [[of_piece[:words], of_piece[words : 3 * words], of_piece[3 * words :]] for of_piece in every]
    if len(instance.excluded_sums) or len(instance.excluded_differences):
        mark_excluded(bitsets[0][1], instance.excluded_sums)
        mark_excluded(bitsets[0][2], instance.excluded_differences + n)
    tasks = list(enumerate(bitsets)) if workers.threads <= pieces else _one_kind_each(bitsets)
    ends = [n * piece // pieces for piece in range(pieces + 1)]
    size = thresholds.current.checked_slice
    for done in range(0, -(-n // pieces), size):

        def claim(task: tuple[int, _Bitsets]) -> bool:
            piece, claimed = task
            first = min(ends[piece] + done, ends[piece + 1])  # noqa: B023
            last = min(first + size, ends[piece + 1])
            return bool(verification_kernel.claim_all_lines(queens, *claimed, first, last))

        if not all(workers.each(claim, tasks)):
            return False
        callbacks.poll(_STAGE, min(n, (done + size) * pieces), n)
    return not any(
        any(are_common)
        for one, other in combinations(bitsets, 2)
        for claims in zip(one, other, strict=True)
        for _, are_common in workers.rounds(partial(_have_common_lines, *claims), len(claims[0]), size)
    )


def _one_kind_each(bitsets: list[_Bitsets]) -> list[tuple[int, _Bitsets]]:
    """Return a task for each piece and kind of lines; it has empty bitsets for the other kinds."""
    none = np.empty(0, np.uint64)
    return [
        (piece, [of_kind if other == kind else none for other, of_kind in enumerate(claimed)])
        for piece, claimed in enumerate(bitsets)
        for kind in range(3)
    ]


def _have_common_lines(claimed: NDArray[np.uint64], other: NDArray[np.uint64], words: tuple[int, int]) -> bool:
    return bool(verification_kernel.have_common_lines(claimed, other, *words))


def _first_off_board(queens: Queens, callbacks: Callbacks) -> int | None:
    """Return the first column whose row is not from 0 to n - 1, or None."""
    n = len(queens)

    for first, last in slices(n, thresholds.current.checked_slice):
        rows = queens[first:last]
        if rows.min() < 0 or rows.max() >= n:
            return first + int(np.flatnonzero((rows < 0) | (rows >= n))[0])
        callbacks.poll(_STAGE, 0, n)
    return None


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
    claimed.clear()  # or both are in memory next to the result
    return np.concatenate(twice)


def _first_clash(queens: Queens, kind: LineKind, end: int, turn: int, callbacks: Callbacks) -> int:
    """Return the first column before ``end`` whose queen shares a line of this kind with an earlier one, or ``end``."""
    span = kind.span(0, kind.lines)
    claimed = empty_bitset(span, spare=1)
    for first, last in slices(end, thresholds.current.checked_slice):
        clash = int(verification_kernel.claim_lines(queens, claimed, span, first, last))
        if clash < last:
            return clash
        callbacks.poll(_STAGE, turn * len(queens) + last, 3 * len(queens))
    return end


def _first_attacker(queens: Queens, right: int, callbacks: Callbacks) -> int:
    """Return the first column whose queen attacks the queen of column ``right``."""
    row = int(queens[right])
    for first, last in slices(right, _SLICE):
        columns, rows = np.arange(first, last) - right, queens[first:last].astype(np.int64) - row
        found = np.flatnonzero((rows == 0) | (rows == columns) | (rows == -columns))
        if len(found):
            return first + int(found[0])
        callbacks.poll(_STAGE, 3 * len(queens), 3 * len(queens))
    return right
