"""The heuristic cost of a board and of all single moves on it, and the step of steepest hill climbing.

The cost, h in textbooks, is the number of attacking pairs; queens in between do not shield. A move takes one queen to
another row of its column. Whole climbs are not made here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from fastqueens.board import Queens, as_queens
from fastqueens.counting import attacking_pairs
from fastqueens.machine import check_memory
from fastqueens.solver import check_seed

Board = Sequence[int] | NDArray[Any]

_BYTES_A_QUEEN = 72
_BYTES_A_SQUARE = 8

# Beside the costs: two marks a square and, at the worst, every square in a list and in its transpose.
_BYTES_A_SQUARE_LISTED = 34


def heuristic_cost(queens: Board) -> int:
    """Count the pairs of queens that attack each other, directly or through others: h.

    The same number as :func:`fastqueens.attacking_pairs`, which takes threads too; errors and cost are as there.

    >>> heuristic_cost([0, 0, 1, 2, 4])
    5
    """
    return attacking_pairs(queens)


def attacks(queens: Board) -> NDArray[np.int64]:
    """Count for each queen the queens that it attacks; queens in between do not shield.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.

    Returns
    -------
    (n,) int64 array
        Entry c is that of the queen in column c. Together they are twice the heuristic cost.

    Raises
    ------
    InputError
        Where a value is no row of the board.
    NotEnoughMemoryError
        Where less than 72 bytes a queen are available.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> attacks([0, 0, 1, 2, 4])
    array([2, 3, 2, 2, 1])
    """
    board = as_queens(queens)
    check_memory(_BYTES_A_QUEEN * len(board), f"counting the attacks of {len(board):,} queens")
    # Each of the three lines counts the queen itself as well.
    attacked = np.full(len(board), -3)
    for lines in _lines(board):
        attacked += np.bincount(lines)[lines]
    return attacked


def move_costs(queens: Board) -> NDArray[np.int64]:
    """Give the heuristic cost after each single move.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.

    Returns
    -------
    (n, n) int64 array
        Entry [row, column] is the cost once the queen of that column stands on that row; on a queen's own square it is
        the present cost. The row comes first, so that the array prints as a board is drawn, row 0 at the top.

    Raises
    ------
    InputError
        Where a value is no row of the board.
    NotEnoughMemoryError
        Where less than 8 n^2 bytes are available.

    Notes
    -----
    O(n^2) time: a move saves what its queen attacks, and costs the queens on the three lines of its new square.

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
    n = len(board)
    check_memory(_BYTES_A_SQUARE * n * n, _all_moves(n))
    attacked = attacks(board)
    cost = attacked.sum() // 2
    rows, sums, differences = _lines(board)
    costs: NDArray[np.int64] = np.bincount(rows, minlength=n)[:, np.newaxis] + (cost - attacked)
    costs += sliding_window_view(np.bincount(sums, minlength=2 * n - 1), n)
    costs += sliding_window_view(np.bincount(differences, minlength=2 * n - 1), n)[:, ::-1]
    # A queen that stays was counted on its own lines.
    costs[rows, np.arange(n)] = cost
    return costs


def best_moves(queens: Queens, costs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find the moves of least cost, above the present one or not, for a board that has been validated.

    Parameters
    ----------
    queens : (n,) array
        The board.
    costs : (n, n) int64 array
        What :func:`move_costs` gave for it.

    Returns
    -------
    (k, 2) int64 array
        The column and the new row of each, sorted. A board of one queen has none.

    Raises
    ------
    NotEnoughMemoryError
        Where less than 34 n^2 bytes are available beside the costs.

    Examples
    --------
    >>> board = as_queens([0, 0, 1, 2, 4])
    >>> best_moves(board, move_costs(board)).tolist()
    [[1, 3]]
    """
    n = len(queens)
    check_memory(_BYTES_A_SQUARE_LISTED * n * n, _all_moves(n))
    is_best = np.ones((n, n), np.bool_)
    is_best[queens, np.arange(n)] = False
    least = costs.min(where=is_best, initial=np.iinfo(np.int64).max)
    is_best &= costs == least
    return np.argwhere(is_best.T)


def steepest_move(queens: Board, seed: int | None = None) -> Queens:
    """Make the step of steepest hill climbing: one of the moves of least cost, if that is not above the present cost.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0. Never modified.
    seed : int, optional
        From 0 to 2**64 - 1: which of several best moves is taken, on any machine; each is as likely as the others.
        Drawn by the system if not given. In a climb give each step a seed of its own.

    Returns
    -------
    (n,) int32 array, uint32 from n = 2^31 on
        A new board. It is a copy where every move raises the cost: the board is a strict local minimum.

    Raises
    ------
    InputError
        Where a value is no row of the board, or the seed is not one.
    NotEnoughMemoryError
        Where the moves need more memory than is available, up to 42 n^2 bytes.

    Notes
    -----
    O(n^2) time. Moves that keep the cost are made too, so a climb that stops only at cost 0 may go on forever. Draws
    come from Python's ``random.Random``. Source: steepest hill climbing as in Russell and Norvig, Artificial
    Intelligence, the section on hill-climbing search.

    Examples
    --------
    >>> steepest_move([0, 0, 1, 2, 4], seed=1)
    array([0, 3, 1, 2, 4], dtype=int32)
    """
    numbers = random.Random(None if seed is None else check_seed(seed))
    board = as_queens(queens).copy()
    costs = move_costs(board)
    best = best_moves(board, costs)
    if len(best):
        column, row = best[numbers.randrange(len(best))]
        if costs[row, column] <= costs[board[column], column]:
            board[column] = row
    return board


def _lines(board: Queens) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The row, the sum diagonal and the difference diagonal of each queen, all counted from 0."""
    rows = board.astype(np.int64)
    columns = np.arange(len(board))
    return rows, rows + columns, rows - columns + (len(board) - 1)


def _all_moves(n: int) -> str:
    return f"the table of all moves of {n:,} queens"
