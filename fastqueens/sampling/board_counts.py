"""Counts that ``statistics()`` is made of: boards of one size from any source, and the queens on them in cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import thresholds
from fastqueens._run.arguments import is_integer
from fastqueens._run.progress import Callbacks, slices
from fastqueens._run.text import counted
from fastqueens.board import are_integers, as_queens, check_n, has_masked, row_dtype
from fastqueens.densities import cell_multiplier
from fastqueens.errors import InputError
from fastqueens.kernels.board_statistics import Counts, count_boards

Array = NDArray[np.float64]

_NEEDED = "one board, or several of the same n, are needed"

#: Queens counted between two calls of the callbacks: some hundredths of a second.
_SLICE = 1 << 21

#: With fewer boards, their differences say too little about the errors.
LEAST_BOARDS = 30

#: Groups of consecutive boards whose differences give the errors.
_MOST_GROUPS = 64


def as_boards(boards: Any) -> NDArray[Any]:
    """Return validated boards of one n as a (count, n) array of integers; one that is mapped stays on disk.

    Raises :class:`InputError` with the first wrong board, row and column.
    """
    boards = getattr(boards, "boards", boards)
    if not isinstance(boards, np.ndarray):
        return _stacked(boards)
    if boards.ndim == 1:
        return as_queens(boards)[np.newaxis]
    if boards.ndim != 2 or not boards.size:
        raise InputError(f"boards: the array has shape {boards.shape}; {_NEEDED}")
    n = check_n(boards.shape[1])
    if not are_integers(boards):
        held = "some are masked" if has_masked(boards) else f"these are {boards.dtype}"
        raise InputError(f"boards: rows are integers, {held}")
    for first, last in slices(len(boards), _boards_of(thresholds.current.validated_piece, n)):
        piece = boards[first:last]
        if piece.min() < 0 or piece.max() >= n:
            at = first + int(np.argmax(((piece < 0) | (piece >= n)).any(axis=1)))
            as_queens(boards[at], f"board {at}")  # raises: it names the column
    return boards


def _stacked(boards: Any) -> NDArray[Any]:
    if not isinstance(boards, Sequence):
        raise InputError(f"boards is {type(boards).__name__}: {_NEEDED}")
    if not len(boards):
        raise InputError(f"boards: there is none; {_NEEDED}")
    if is_integer(boards[0]):
        return as_queens(boards)[np.newaxis]
    found: list[NDArray[Any]] = []
    for at, board in enumerate(boards):
        if not isinstance(board, Sequence | np.ndarray) or isinstance(board, str):
            raise InputError(f"board {at} is {board!r}: {_NEEDED}")
        found.append(as_queens(board, f"board {at}"))
        if len(found[at]) != len(found[0]):
            raise InputError(
                f"board {at} has {counted(len(found[at]), 'queen')}, and board 0 has {len(found[0]):,}: "
                "boards of the same n are needed"
            )
    return np.stack(found) if len(found) > 1 else found[0][np.newaxis]


def _boards_of(queens: int, n: int) -> int:
    """Return how many boards have about this number of queens; at least one."""
    return max(1, queens // n)


def symmetric(values: NDArray[np.generic]) -> Array:
    """Return the mean of a square array over the eight symmetries of the square."""
    total = np.asarray(values, np.float64)
    total = total + total[::-1]
    total = total + total[:, ::-1]
    return (total + total.T) / 8


def images(size: int) -> NDArray[np.int64]:
    """Return how many different places the eight symmetries give each place of a size x size array."""
    outside = np.minimum(np.arange(size), np.arange(size)[::-1])
    # Each axis of symmetry through a place halves its images; the middle is on all of them.
    on_axis = 1 + (2 * outside == size - 1)
    on_diagonal = 1 + (outside[:, None] == outside)
    return np.asarray(8 // (on_diagonal * np.outer(on_axis, on_axis)), np.int64)


class BoardCounts(NamedTuple):
    """The queens of many boards, counted once.

    squares : (k, k), queens in each cell: by rows, then columns
    occupied : (2, k), sum and difference diagonals with a queen, by their length
    pairs : (2 reach + 1, 2 reach + 1), pairs at each displacement: by rows down, then columns to the right
    errors : standard errors of the means of a board, for the three arrays; empty if there are fewer than 30 boards
    """

    squares: NDArray[np.int64]
    occupied: NDArray[np.int64]
    pairs: NDArray[np.int64]
    errors: list[Array]


def count_queens(boards: NDArray[Any], k: int, reach: int, callbacks: Callbacks, *, symmetrised: bool) -> BoardCounts:
    """Count the queens of boards, group by group; their errors are those of :func:`averaged` counts."""
    count, n = boards.shape
    totals = [np.zeros(shape, np.int64) for shape in ((k, k), (2, k), (2 * reach + 1, 2 * reach + 1))]
    used = np.zeros((2, (2 * n - 2) // 64 + 1), np.uint64)
    size = count if count < LEAST_BOARDS else -(-count // _MOST_GROUPS)
    # Over all groups: the sums of what a group has, and of its squares.
    moments = [np.zeros((2, *total.shape)) for total in totals]
    for top, bottom in slices(count, size):
        right = np.zeros((reach + 1, 2 * reach + 1), np.int64)
        counts = Counts(np.zeros((k, k), np.int64), np.zeros((2, k), np.int64), right, used, *cell_multiplier(k, n))
        for first_board, last_board in slices(bottom, _boards_of(_SLICE, n), top):
            piece = np.ascontiguousarray(boards[first_board:last_board], row_dtype(n))
            # Several slices only if the piece is a single board.
            for first, last in slices(n, _SLICE):
                count_boards(piece, counts, 0, len(piece), first, last)
                callbacks.poll("statistics", (last_board - 1) * n + last, count * n)
        # The other way round, the same pairs are at the opposite displacements.
        left = np.pad(right.T, ((0, 0), (reach, 0)))
        of_group = counts.squares, counts.lengths, left + left[::-1, ::-1]
        for total, values in zip(totals, of_group, strict=True):
            total += values
        # The last group may be smaller: the others say enough.
        if bottom - top == size:
            for moment, values in zip(moments, averaged(*of_group, symmetrised=symmetrised), strict=True):
                moment += values, values**2
    squares, occupied, pairs = totals
    is_enough = count >= LEAST_BOARDS
    errors = (
        [deviation(sums, of_squares, count // size) / np.sqrt(size * count) for sums, of_squares in moments]
        if is_enough
        else []
    )
    return BoardCounts(squares, occupied, pairs, errors)


def deviation(sums: Array, squares: Array, count: int) -> Array:
    """Return the standard deviation of ``count`` numbers from the sums of them and of their squares."""
    # Rounding may make it negative if all of them are equal.
    return np.asarray(np.sqrt(np.maximum(squares - sums**2 / count, 0) / (count - 1)))


def averaged(
    squares: NDArray[np.int64], occupied: NDArray[np.int64], pairs: NDArray[np.int64], *, symmetrised: bool
) -> tuple[Array, Array, Array]:
    """Return the three arrays of :class:`BoardCounts`, averaged over the eight symmetries of the square if asked."""
    if symmetrised:
        both = occupied.mean(axis=0)
        return symmetric(squares), np.stack((both, both)), symmetric(pairs)
    return squares.astype(np.float64), occupied.astype(np.float64), pairs.astype(np.float64)
