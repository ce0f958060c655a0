"""Single moves: the heuristic cost after each move, and the step of steepest hill climbing.

The cost, h in textbooks, is the number of attacking pairs. Queens in between do not shield. A move takes one queen to
another row of its column. Whole climbs are in ``climbing``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import SupportsIndex

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from fastqueens._run.arguments import check_seed
from fastqueens._run.memory import check_memory
from fastqueens.board import Board, Queens, as_queens
from fastqueens.checking import attacking_pairs

_BYTES_PER_QUEEN = 72
_BYTES_PER_SQUARE = 8

# In addition to the costs: two marks per square and, in the worst case, every square in a list and its transpose.
_BYTES_PER_SQUARE_LISTED = 34


def heuristic_cost(queens: Board) -> int:
    """Return the heuristic cost h, the number of attacking pairs.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.

    Returns
    -------
    int
        The same number as :func:`attacking_pairs`.

    Raises
    ------
    InputError
        If a value is not a row of the board.

    See Also
    --------
    attacking_pairs : The same number under its usual name.
    move_costs : Compute the cost after each move.
    check_cost : Check a student's cost function.

    Examples
    --------
    >>> heuristic_cost([0, 0, 1, 2, 4])
    5
    """
    return attacking_pairs(queens)


def attacks(queens: Board) -> NDArray[np.int64]:
    """Return the number of queens that each queen attacks. Queens in between do not shield.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.

    Returns
    -------
    (n,) int64 array
        Entry c belongs to the queen in column c. The sum of all entries is twice the heuristic cost.

    Raises
    ------
    InputError
        If a value is not a row of the board.
    NotEnoughMemoryError
        If fewer than 72 bytes per queen are available.

    See Also
    --------
    attacking_pairs, conflicting_queens : Count pairs, and queens that attack another.

    Notes
    -----
    Takes O(n) time.

    Examples
    --------
    >>> attacks([0, 0, 1, 2, 4])
    array([2, 3, 2, 2, 1])
    """
    board = as_queens(queens)
    check_memory(_BYTES_PER_QUEEN * len(board), f"counting the attacks of {len(board):,} queens")
    # Each of the three lines counts the queen itself.
    attacked = np.full(len(board), -3)
    for lines in lines_of(board):
        attacked += np.bincount(lines)[lines]
    return attacked


def move_costs(queens: Board) -> NDArray[np.int64]:
    """Return the heuristic cost after each single move.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.

    Returns
    -------
    (n, n) int64 array
        Entry [row, column] is the cost after the queen of that column has moved to that row. On a queen's own square,
        it is the present cost. The row comes first, because the array then prints like a drawn board.

    Raises
    ------
    InputError
        If a value is not a row of the board.
    NotEnoughMemoryError
        If fewer than 8 n^2 bytes are available.

    See Also
    --------
    steepest_move : Make a best move.

    Notes
    -----
    Takes O(n^2) time.

    Examples
    --------
    >>> move_costs([0, 0, 1, 2, 4])
    array([[5, 5, 5, 6, 6],
           [5, 5, 5, 4, 6],
           [4, 4, 6, 5, 5],
           [4, 2, 4, 5, 7],
           [4, 4, 4, 4, 5]])
    """
    board = as_queens(queens)
    check_memory(_BYTES_PER_SQUARE * len(board) ** 2, _all_moves(len(board)))
    costs = rises(board)
    costs += attacks(board).sum() // 2
    return costs


def rises(board: Queens, kinds: Sequence[int] = (0, 1, 2)) -> NDArray[np.int64]:
    """Return the rise of the cost by each move, [row, column], for some kinds of :func:`lines_of`, in O(n^2) time."""
    n, lines = len(board), lines_of(board)
    counts = [np.bincount(line, minlength=2 * n - 1) for line in lines]
    on_squares = counts[0][:n, None], sliding_window_view(counts[1], n), sliding_window_view(counts[2], n)[:, ::-1]
    added = np.zeros((n, n), np.int64)
    for kind in kinds:
        added += on_squares[kind]
        added -= counts[kind][lines[kind]] - 1
    added[board, np.arange(n)] = 0  # a queen that stays was counted on its own lines
    return added


def best_moves(queens: Queens, costs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return column and row of each move of least cost, sorted, for a board and its table of :func:`move_costs`.

    Their cost can be higher than the present cost. A board with one queen has no moves.
    """
    n = len(queens)
    check_memory(_BYTES_PER_SQUARE_LISTED * n * n, _all_moves(n))
    is_best = np.ones((n, n), np.bool_)
    is_best[queens, np.arange(n)] = False
    least = costs.min(where=is_best, initial=np.iinfo(np.int64).max)
    is_best &= costs == least
    return np.argwhere(is_best.T)


def steepest_move(queens: Board, seed: SupportsIndex | None = None) -> Queens:
    """Return the board after one step of steepest hill climbing.

    The step is a move to the lowest cost, with ties broken at random. It is not made if it raises the cost.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0. It is not changed.
    seed : int, optional
        Seed from 0 to 2**64 - 1 for the choice among the best moves. By default, a seed is drawn. Use a different seed
        for each step of a climb.

    Returns
    -------
    (n,) int32 array, uint32 for n >= 2^31
        A new board. It equals the old one at a strict local minimum, where every move raises the cost.

    Raises
    ------
    InputError
        If a value is not a row of the board, or the seed is out of range.
    NotEnoughMemoryError
        If the moves need more memory than is available, up to 42 n^2 bytes.

    See Also
    --------
    climb : Run whole climbs.
    move_costs : Compute the cost after each move.

    Notes
    -----
    Takes O(n^2) time. A step can keep the cost, so a climb that stops only at cost 0 can go on forever. Source: S.
    Russell and P. Norvig, "Artificial Intelligence: A Modern Approach".

    Examples
    --------
    >>> steepest_move([0, 0, 1, 2, 4], seed=1)
    array([0, 3, 1, 2, 4], dtype=int32)
    """
    numbers = random.Random(None if seed is None else check_seed(seed))
    board = as_queens(queens, copy=True)
    costs = move_costs(board)
    best = best_moves(board, costs)
    if len(best):
        column, row = best[numbers.randrange(len(best))]
        if costs[row, column] <= costs[board[column], column]:
            board[column] = row
    return board


def lines_of(board: Queens) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the row, the sum diagonal and the difference diagonal of each queen, all counted from 0."""
    rows = board.astype(np.int64)
    columns = np.arange(len(board))
    return rows, rows + columns, rows - columns + (len(board) - 1)


def _all_moves(n: int) -> str:
    return f"the table of all moves of {n:,} queens"
