"""Checks of boards: solutions, attacking queens and violated constraints.

Every board that a result calls solved has passed the check in this module, which shares no logic with placement and
search. In addition to the board, the check needs 5 n / 8 bytes on one thread, and n bytes on several. The counts need
at most 0.9 bytes per queen, or 256 MB of counters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens._run.text import counted
from fastqueens._run.threads import Workers, workers_for
from fastqueens.board import Board, Queens, as_queens
from fastqueens.errors import InputError
from fastqueens.instance import Instance, check_instance, make_instance
from fastqueens.kernels import checking as verification_kernel
from fastqueens.kernels.checking import Span

_STAGE = "verification"

#: Columns that are checked between two calls of the callbacks, which takes about 20 ms. NumPy also processes this many
#: at a time, so that a board that is mapped from a file stays there.
CHECKED_SLICE: Final = 1 << 20

#: Counters of 4 bytes each that all threads together use to count attacking pairs.
COUNTERS: Final = 1 << 26

# Bitsets of the rows, the sum diagonals and the difference diagonals.
_Bitsets = list[NDArray[np.uint64]]


@shows_progress
def is_solution(
    queens: Board,
    *,
    instance: Instance | None = None,
    threads: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> bool:
    """Return whether a board is a solution: no two queens share a row or a diagonal.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    instance : Instance, optional
        Fixed queens, blocked squares and excluded diagonals that the solution must also respect.
    threads : int, optional
        Threads to use. By default, all cores.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    bool

    Raises
    ------
    InputError
        If ``queens`` is not a board, or the instance has another n.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    first_attack : Find a pair of queens that attack each other.
    attacking_pairs : Count the pairs that attack each other.
    conflicting_queens : Count the queens that attack another.

    Notes
    -----
    The check takes O(n) time. In addition to the board, it needs 5 n / 8 bytes on one thread, and n bytes on several.

    Examples
    --------
    >>> is_solution([1, 3, 0, 2]), is_solution([0, 1, 2, 3])
    (True, False)
    >>> is_solution([1, 3, 0, 2], instance=make_instance(4, blocked=[(0, 1)]))
    False
    """
    board, callbacks = as_queens(queens), Callbacks.until(time_limit, progress, stop)
    if instance is None:
        instance = make_instance(len(board))
    else:
        check_same_n(instance, len(board))
        if len(_missing_fixed_queens(board, instance)) or len(_queens_on_blocked_squares(board, instance)):
            return False
    with workers_for(len(board), threads) as workers:
        return _has_free_lines(board, instance, workers, callbacks)


@shows_progress
def first_attack(
    queens: Board, *, time_limit: float | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> tuple[int, int] | None:
    """Return the first pair of queens that attack each other, or None.

    The first pair has the smallest right column, and among several such pairs the smallest left column.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    tuple of two int, or None
        The left and the right column of the two queens; None if no queen attacks another.

    Raises
    ------
    InputError
        If ``queens`` is not a board.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    is_solution : Return whether no queen attacks another.
    attacking_pairs : Count the pairs that attack each other.

    Notes
    -----
    The search takes O(n) time on one thread, and n / 4 bytes in addition to the board.

    Examples
    --------
    >>> first_attack([0, 3, 1, 2])
    (2, 3)

    """
    board = as_queens(queens)
    n = right = len(board)
    callbacks = Callbacks.until(time_limit, progress, stop)
    for turn, kind in enumerate(line_kinds(n)):
        claimed = _empty_bitset(kind, spare=1)
        for first, last in slices(right, CHECKED_SLICE):
            clash = int(verification_kernel.claim_lines(board, claimed, kind, first, last))
            if clash < last:
                right = clash
                break
            callbacks.poll(_STAGE, turn * n + last, 3 * n)
    return None if right == n else (_first_attacker(board, right, callbacks), right)


@shows_progress
def attacking_pairs(
    queens: Board,
    *,
    threads: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> int:
    """Count the pairs of queens that share a row or a diagonal, even if other queens stand between them.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    threads : int, optional
        Threads to use. By default, all cores.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    int

    Raises
    ------
    InputError
        If ``queens`` is not a board.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    conflicting_queens : Count the queens that attack another.
    heuristic_cost : The same number under its name in courses.
    first_attack : Find one pair.

    Notes
    -----
    Counting takes O(n) time and at most 256 MB in addition to the board. If counters for all lines would need more
    memory, several passes over the board each count a part of the lines.

    Examples
    --------
    >>> attacking_pairs([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    callbacks = Callbacks.until(time_limit, progress, stop)
    with workers_for(len(board), threads) as workers:
        at_once = workers.threads
        size = max(1, COUNTERS // at_once)
        spans = [span for kind in line_kinds(len(board)) for span in cut(kind, size)]
        turns = list(slices(len(spans), at_once))
        pairs = 0
        for turn, (begun, ended) in enumerate(turns):
            tasks = [(board, np.zeros(int(span.lines), np.uint32), span) for span in spans[begun:ended]]
            passes = _passes(verification_kernel.count_lines, tasks, workers, callbacks, turn, len(turns))
            pairs += sum(int(added) for results in passes for added in results)
    return pairs


@shows_progress
def conflicting_queens(
    queens: Board,
    *,
    threads: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> int:
    """Count the queens that attack at least one other queen.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    threads : int, optional
        Threads to use. By default, all cores.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    int

    Raises
    ------
    InputError
        If ``queens`` is not a board.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    attacking_pairs : Count the pairs that attack each other.
    is_solution : Return whether no queen attacks another.

    Notes
    -----
    Counting takes O(n) time and at most 0.9 bytes per queen in addition to the board.

    Examples
    --------
    >>> conflicting_queens([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    n = len(board)
    callbacks = Callbacks.until(time_limit, progress, stop)
    with workers_for(n, threads) as workers:
        rows, sums, differences = (
            _crowded_lines(board, kind, turn, workers, callbacks) for turn, kind in enumerate(line_kinds(n))
        )
        found = 0
        for last, counts in workers.rounds(
            lambda columns: verification_kernel.count_conflicting(board, rows, sums, differences, *columns),
            n,
            CHECKED_SLICE,
        ):
            found += sum(counts)
            callbacks.poll(_STAGE, (3 * n + last) // 4, n)
    return found


class Violations(NamedTuple):
    """The violated constraints of an instance, as three ascending arrays of columns.

    The arrays list the columns of missing fixed queens, of queens on blocked squares, and of queens on excluded
    diagonals.
    """

    missing: NDArray[np.int64]
    blocked: NDArray[np.int64]
    excluded: NDArray[np.int64]

    @property
    def words(self) -> str:
        """The violations in words, or "" if there are none."""
        words = ("fixed queen", "missing"), ("queen", "on blocked squares"), ("queen", "on excluded diagonals")
        found = [(len(columns), *said) for columns, said in zip(self, words, strict=True) if len(columns)]
        return ", ".join(f"{counted(number, noun)} {fault}" for number, noun, fault in found)


def violations(queens: Queens, instance: Instance) -> Violations:
    """Return the violations of a validated board in O(n log k) time for k excluded diagonals, or O(k) for k squares.

    >>> instance = make_instance(4, [(0, 1)], blocked=[(2, 0), (3, 3)], excluded_sums=[4])
    >>> violations(np.array([1, 3, 0, 2]), instance).words
    '1 queen on blocked squares, 1 queen on excluded diagonals'
    """
    check_same_n(instance, len(queens))
    return Violations(
        _missing_fixed_queens(queens, instance),
        _queens_on_blocked_squares(queens, instance),
        _queens_on_excluded_diagonals(queens, instance),
    )


def violating_queens(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the ascending columns of queens on blocked squares or on excluded diagonals."""
    found = violations(queens, instance)
    return np.union1d(found.blocked, found.excluded)


def check_same_n(instance: Instance, n: int) -> None:
    """Raise :class:`InputError` if an instance and a board differ in n, or the instance is something else."""
    check_instance(instance)
    if instance.n != n:
        raise InputError(
            f"the instance has n = {instance.n:,}, but the board has {counted(n, 'queen')}; both need the same n"
        )


def find_fault(
    queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks, *, is_solved: bool
) -> str | None:
    """Return a description of the fault of a board that a search returned, or None. The board need not be valid.

    The check covers the length of the board, the range of its rows, and the fixed queens. If ``is_solved``, it also
    covers the lines, the blocked squares and the excluded diagonals. It costs as much as :func:`is_solution`.
    """
    n = instance.n
    if queens.shape != (n,):
        return f"the board has shape {queens.shape} instead of ({n},)"
    has_free_lines = is_solved and _has_free_lines(queens, instance, workers, callbacks)
    column = None if has_free_lines else _first_off_board(queens, callbacks)
    if column is not None:
        return f"column {column} has row {queens[column]}; rows go from 0 to {n - 1}"
    is_wrong = is_solved and not has_free_lines
    fault = None if instance.is_free else _violation(queens, instance, is_solved=is_solved, is_wrong=is_wrong)
    return fault or ("two queens attack each other" if is_wrong else None)


def _violation(queens: Queens, instance: Instance, *, is_solved: bool, is_wrong: bool) -> str | None:
    """Return a description of the first violated constraint, or None.

    Excluded diagonals are only checked if ``is_wrong``, since the check of the lines includes them.
    """
    if len(missing := _missing_fixed_queens(queens, instance)):
        row = int(instance.fixed.rows[np.searchsorted(instance.fixed.columns, missing[0])])
        return f"the fixed queen in column {missing[0]} is in row {queens[missing[0]]} instead of row {row}"
    if is_solved and len(on_blocked := _queens_on_blocked_squares(queens, instance)):
        return f"the queen in column {on_blocked[0]}, row {queens[on_blocked[0]]} is on a blocked square"
    if is_wrong and len(on_excluded := _queens_on_excluded_diagonals(queens, instance)):
        return f"the queen in column {on_excluded[0]} is on an excluded diagonal"
    return None


def _missing_fixed_queens(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the ascending columns of fixed queens that are not on their squares; board and instance share n."""
    columns, rows = instance.fixed.columns, instance.fixed.rows
    found: NDArray[np.int64] = columns[queens[columns] != rows]
    return found


def _queens_on_blocked_squares(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the ascending columns of queens on blocked squares; board and instance share n."""
    columns, rows = instance.blocked.T
    found: NDArray[np.int64] = columns[queens[columns] == rows]
    return found


def _queens_on_excluded_diagonals(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the ascending columns of queens on excluded diagonals."""
    sums, differences = instance.excluded_sums, instance.excluded_differences
    found = [np.empty(0, np.int64)]
    for first, last in slices(len(queens) if len(sums) or len(differences) else 0, CHECKED_SLICE):
        columns, rows = np.arange(first, last), queens[first:last].astype(np.int64)
        found.append(columns[np.isin(columns + rows, sums) | np.isin(rows - columns, differences)])
    return np.concatenate(found)


def _has_free_lines(queens: Queens, instance: Instance, workers: Workers, callbacks: Callbacks) -> bool:
    """Return whether all rows are on the board, no two queens share a line, and no queen is on an excluded diagonal.

    Two threads mark the lines of one half of the columns each, in separate bitsets. With more threads, the kinds of
    lines are divided as well. Finally, the check fails if a line is marked in the bitsets of both halves.
    """
    n = len(queens)
    pieces = min(workers.threads, 2)
    # One array for all bitsets, because only large arrays get large pages. Each half uses only three quarters of its
    # diagonals, and pages without marks need no memory.
    words = -(-n // 64)
    every = np.zeros((pieces, 5 * words), np.uint64)
    bitsets = [[of_piece[:words], of_piece[words : 3 * words], of_piece[3 * words :]] for of_piece in every]
    if len(instance.excluded_sums) or len(instance.excluded_differences):
        _mark(bitsets[0][1], instance.excluded_sums)
        _mark(bitsets[0][2], instance.excluded_differences + n)
    tasks = list(enumerate(bitsets)) if workers.threads <= pieces else _one_kind_each(bitsets)
    ends = [n * piece // pieces for piece in range(pieces + 1)]
    size = CHECKED_SLICE
    for done in range(0, -(-n // pieces), size):

        def claim(task: tuple[int, _Bitsets]) -> bool:
            piece, (rows, sums, differences) = task
            first = min(ends[piece] + done, ends[piece + 1])  # noqa: B023
            last = min(first + size, ends[piece + 1])
            return verification_kernel.claim_all_lines(queens, rows, sums, differences, first, last)

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
    """Return a task for each piece and each kind of lines. The bitsets of the other kinds are empty."""
    none = np.empty(0, np.uint64)
    return [
        (piece, [of_kind if other == kind else none for other, of_kind in enumerate(claimed)])
        for piece, claimed in enumerate(bitsets)
        for kind in range(3)
    ]


def _have_common_lines(claimed: NDArray[np.uint64], other: NDArray[np.uint64], words: tuple[int, int]) -> bool:
    return verification_kernel.have_common_lines(claimed, other, *words)


def _mark(bitset: NDArray[np.uint64], lines: NDArray[np.int64]) -> None:
    """Set the bits of lines, but ignore lines below 0 or beyond the bitset."""
    inside = lines[(lines >= 0) & (lines < 64 * len(bitset))]
    np.bitwise_or.at(bitset, inside >> 6, np.uint64(1) << (inside & 63).astype(np.uint64))


def _first_off_board(queens: Queens, callbacks: Callbacks) -> int | None:
    """Return the first column whose row is not between 0 and n - 1, or None."""
    n = len(queens)
    for first, last in slices(n, CHECKED_SLICE):
        rows = queens[first:last]
        if rows.min() < 0 or rows.max() >= n:
            return first + int(np.flatnonzero((rows < 0) | (rows >= n))[0])
        callbacks.poll(_STAGE, 0, n)
    return None


def line_kinds(n: int) -> list[Span]:
    """Return the spans of the rows, the sum diagonals and the difference diagonals of a board of n."""
    kinds = (0, 0, n), (1, 0, 2 * n), (2**64 - 1, n, 2 * n)  # slope, offset and number of lines
    return [Span(*map(np.uint64, kind)) for kind in kinds]


def cut(kind: Span, size: int) -> list[Span]:
    """Cut the lines of a kind into spans of ``size`` lines; the last span can be shorter."""
    offset, lines = int(kind.offset), int(kind.lines)
    return [
        Span(kind.slope, np.uint64((offset - first) % 2**64), np.uint64(last - first))
        for first, last in slices(lines, size)
    ]


def _empty_bitset(span: Span, spare: int = 0) -> NDArray[np.uint64]:
    """Allocate a bitset for the lines of a span, with ``spare`` additional words."""
    return np.zeros((int(span.lines) + 63) // 64 + spare, np.uint64)


def _passes(
    kernel: Callable[..., Any], tasks: list[Any], workers: Workers, callbacks: Callbacks, turn: int, turns: int
) -> Iterator[list[Any]]:
    """Call a kernel with all tasks, slice of columns by slice, and yield the list of its results for each slice.

    The tasks of a slice run on all threads. A task holds the first arguments of the kernel, beginning with the board.
    """
    n = len(tasks[0][0])
    for first, last in callbacks.slices(_STAGE, n, CHECKED_SLICE, turn, turns):
        yield workers.each(lambda task: kernel(*task, first, last), tasks)  # noqa: B023


def _crowded_lines(queens: Queens, kind: Span, turn: int, workers: Workers, callbacks: Callbacks) -> NDArray[np.uint64]:
    """Return a bitset of the lines of a kind that hold more than one queen; each thread counts some of the lines."""
    words = -(-int(kind.lines) // workers.threads // 64)
    spans = cut(kind, 64 * words)
    twice = [_empty_bitset(span) for span in spans]
    tasks = [(queens, _empty_bitset(span, spare=1), found, span) for span, found in zip(spans, twice, strict=True)]
    for _ in _passes(verification_kernel.claim_twice, tasks, workers, callbacks, turn, 4):
        pass
    tasks.clear()  # frees the marks before the result needs memory
    return np.concatenate(twice)


def _first_attacker(queens: Queens, right: int, callbacks: Callbacks) -> int:
    """Return the first column whose queen attacks the queen of column ``right``."""
    row = int(queens[right])
    for first, last in slices(right, CHECKED_SLICE):
        columns, rows = np.arange(first, last) - right, queens[first:last].astype(np.int64) - row
        found = np.flatnonzero((rows == 0) | (rows == columns) | (rows == -columns))
        if len(found):
            return first + int(found[0])
        callbacks.poll(_STAGE, 3 * len(queens), 3 * len(queens))
    return right
