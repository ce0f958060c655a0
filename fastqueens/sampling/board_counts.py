"""Counts that ``statistics()`` is made of: boards of one size from any source, and the queens on them in cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density import cell_multiplier
from fastqueens.core import thresholds
from fastqueens.core.arguments import is_integer
from fastqueens.core.board import Board, Queens, as_queens, check_n, row_dtype
from fastqueens.core.errors import InputError, counted
from fastqueens.core.progress import Callbacks, slices
from fastqueens.sampling.statistics_kernel import Counts, count_boards

_NEEDED = "one board, or several of the same n, are needed"


class ManyBoards:
    """Validated boards of one n. Arrays that are mapped from files stay on disk.

    Attributes
    ----------
    n : int
        Side of each board.
    count : int
        Number of boards.
    """

    def __init__(self, boards: NDArray[Any] | list[Queens]) -> None:
        self._boards = boards
        self.n = len(boards[0])
        self.count = len(boards)

    def piece(self, top: int, bottom: int) -> NDArray[Any]:
        """Return boards top to bottom - 1 as a (bottom - top, n) array of ``row_dtype``; a view if it is possible."""
        if isinstance(self._boards, np.ndarray):
            return np.ascontiguousarray(self._boards[top:bottom], row_dtype(self.n))
        chosen = self._boards[top:bottom]
        return chosen[0][np.newaxis] if len(chosen) == 1 else np.stack(chosen)

    def pieces(self, top: int, bottom: int, queens: int) -> Iterator[tuple[int, int]]:
        """Cut boards top to bottom - 1 into pieces (top, bottom) of about ``queens`` queens; a board is not cut."""
        step = max(1, queens // self.n)
        for first in range(top, bottom, step):
            yield first, min(first + step, bottom)


def as_boards(boards: Any) -> ManyBoards:
    """Return validated boards.

    Parameters
    ----------
    boards : (n,) or (count, n) array of integers, sequence of rows or of boards, or an object with ``boards``
        Rows from 0 to n - 1. Several queens may be on one row.

    Raises
    ------
    InputError
        If they are not boards of one n. The message names the first wrong board, row and column.

    Examples
    --------
    >>> as_boards([[1, 3, 0, 2], [2, 0, 3, 1]]).count
    2
    >>> as_boards([[1, 3, 0, 2], [0]])
    Traceback (most recent call last):
    ...
    fastqueens.InputError: board 1 has 1 queen, and board 0 has 4: boards of the same n are needed
    """
    boards = getattr(boards, "boards", boards)
    if isinstance(boards, np.ndarray) and boards.ndim == 2:
        return _of_table(boards)
    if isinstance(boards, np.ndarray):
        if boards.ndim != 1:
            raise InputError(f"boards: the array has shape {boards.shape}; {_NEEDED}")
        return ManyBoards([as_queens(boards)])
    return _of_sequence(boards)


def _of_sequence(boards: Any) -> ManyBoards:
    if not isinstance(boards, Sequence):
        raise InputError(f"boards is {type(boards).__name__}: {_NEEDED}")
    if not len(boards):
        raise InputError(f"boards: there is none; {_NEEDED}")
    if is_integer(boards[0]):
        return ManyBoards([as_queens(boards)])
    found = [as_queens(_one_of(boards, at), f"board {at}") for at in range(len(boards))]
    for at, queens in enumerate(found):
        if len(queens) != len(found[0]):
            raise InputError(
                f"board {at} has {counted(len(queens), 'queen')}, and board 0 has {len(found[0]):,}: "
                "boards of the same n are needed"
            )
    return ManyBoards(found)


def _one_of(boards: Sequence[Any], at: int) -> Board:
    board = boards[at]
    if not isinstance(board, Sequence | np.ndarray) or isinstance(board, str):
        raise InputError(f"board {at} is {board!r}: {_NEEDED}")
    return board


def _of_table(boards: NDArray[Any]) -> ManyBoards:
    count, n = boards.shape
    if not count or not n:
        raise InputError(f"boards: the array has shape {boards.shape}; {_NEEDED}")
    check_n(n)
    if boards.dtype.kind not in "iu":
        raise InputError(f"boards: rows are integers, these are {boards.dtype}")
    found = ManyBoards(boards)
    for top, bottom in found.pieces(0, count, thresholds.current.validated_piece):
        piece = boards[top:bottom]
        if piece.min() < 0 or piece.max() >= n:
            at = top + int(np.argmax(((piece < 0) | (piece >= n)).any(axis=1)))
            as_queens(boards[at], f"board {at}")  # raises: it names the column
    return found


Array = NDArray[np.float64]

#: Queens counted between two calls of the callbacks: some hundredths of a second.
_SLICE = 1 << 21

#: With fewer boards, their differences say too little about the errors.
LEAST_BOARDS = 30

#: Groups of consecutive boards whose differences give the errors.
_MOST_GROUPS = 64


def symmetric(values: NDArray[np.generic]) -> Array:
    """Return the mean of a square array over the eight symmetries of the square.

    >>> symmetric(np.array([[8, 0, 0], [0, 0, 0], [0, 0, 8]]))
    array([[4., 0., 4.],
           [0., 0., 0.],
           [4., 0., 4.]])
    """
    total = np.asarray(values, np.float64)
    total = total + total[::-1]
    total = total + total[:, ::-1]
    return (total + total.T) / 8


def images(size: int) -> NDArray[np.int64]:
    """Return how many different places the eight symmetries give each place of a size x size array.

    >>> images(3)
    array([[4, 4, 4],
           [4, 1, 4],
           [4, 4, 4]])
    """
    outside = np.minimum(np.arange(size), np.arange(size)[::-1])
    # Each axis of symmetry through a place halves its images; the middle is on all of them.
    on_axis = 1 + (2 * outside == size - 1)
    on_diagonal = 1 + (outside[:, None] == outside)
    return np.asarray(8 // (on_diagonal * np.outer(on_axis, on_axis)), np.int64)


class Spread:
    """Sums over groups of boards, from which the standard error of a mean over all boards follows."""

    def __init__(self) -> None:
        self._values: Array | float = 0.0
        self._products: Array | float = 0.0
        self._squares: Array | float = 0.0
        self._weights = self._square_weights = 0.0
        self._groups = 0

    def add(self, values: Array, boards: int) -> None:
        """Add the sum over a group of boards."""
        self._values = self._values + values
        self._products = self._products + values * boards
        self._squares = self._squares + values**2
        self._weights += boards
        self._square_weights += boards**2
        self._groups += 1

    def error(self) -> Array:
        """Return the standard error of the mean of a board: from the differences between at least two groups."""
        mean = self._values / self._weights
        squares = self._squares - 2 * mean * self._products + mean**2 * self._square_weights
        # Rounding may make it negative if all groups are equal.
        variance = np.maximum(squares, 0) * self._groups / (self._groups - 1)
        return np.asarray(np.sqrt(variance) / self._weights)


class BoardCounts:
    """The queens of many boards, counted once.

    Attributes
    ----------
    squares : (k, k) int64 array
        Queens in each cell, over all boards: by rows, then columns.
    occupied : (2, k) int64 array
        Sum and difference diagonals with a queen, over all boards, by their length.
    pairs : (2 reach + 1, 2 reach + 1) int64 array
        Pairs at each displacement, over all boards: by rows down, then columns to the right.
    errors : tuple of three arrays, or None
        Standard errors of the means of a board, for the three arrays; None if there are fewer than 30 boards.
    """

    def __init__(self, boards: ManyBoards, k: int, reach: int, callbacks: Callbacks, *, symmetrised: bool) -> None:
        self._boards, self._callbacks, self._k, self._reach = boards, callbacks, k, reach
        self._used = np.zeros((2, (2 * boards.n - 2) // 64 + 1), np.uint64)
        groups = 1 if boards.count < LEAST_BOARDS else min(boards.count, _MOST_GROUPS)
        edges = np.arange(groups + 1) * boards.count // groups
        spreads = Spread(), Spread(), Spread()
        self.squares, self.occupied, self.pairs = self._counted(0, 0)
        for top, bottom in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            squares, occupied, pairs = self._counted(top, bottom)
            self.squares += squares
            self.occupied += occupied
            self.pairs += pairs
            if groups > 1:
                means = averaged(squares, occupied, pairs, symmetrised=symmetrised)
                for spread, values in zip(spreads, means, strict=True):
                    spread.add(values, bottom - top)
        self.errors = tuple(spread.error() for spread in spreads) if groups > 1 else None

    def _counted(self, top: int, bottom: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the three arrays of boards top to bottom - 1."""
        n, k, reach = self._boards.n, self._k, self._reach
        shift, factor = cell_multiplier(k, n)
        squares, occupied = np.zeros((k, k), np.int64), np.zeros((2, k), np.int64)
        right = np.zeros((reach + 1, 2 * reach + 1), np.int64)
        counts = Counts(squares, occupied, right, self._used, shift, factor)
        for first_board, last_board in self._boards.pieces(top, bottom, _SLICE):
            piece = self._boards.piece(first_board, last_board)
            # Several slices only if the piece is a single board.
            for first, last in slices(n, _SLICE):
                count_boards(piece, counts, 0, len(piece), first, last)
                self._callbacks.poll("statistics", (last_board - 1) * n + last, self._boards.count * n)
        # The other way round, the same pairs are at the opposite displacements.
        pairs = np.zeros((2 * reach + 1, 2 * reach + 1), np.int64)
        pairs[:, reach:] = right.T
        pairs[:, : reach + 1] += right.T[::-1, ::-1]
        return squares, occupied, pairs


def averaged(
    squares: NDArray[np.int64], occupied: NDArray[np.int64], pairs: NDArray[np.int64], *, symmetrised: bool
) -> tuple[Array, Array, Array]:
    """Return the three arrays of :class:`BoardCounts`, averaged over the eight symmetries of the square if asked."""
    if symmetrised:
        both = occupied.mean(axis=0)
        return symmetric(squares), np.stack((both, both)), symmetric(pairs)
    return squares.astype(np.float64), occupied.astype(np.float64), pairs.astype(np.float64)
