"""The assignment "most attacks moves": the queen that attacks most moves, until none gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, as_queens
from fastqueens.core.callbacks import Stop
from fastqueens.core.errors import Stopped
from fastqueens.core.memory import check_memory
from fastqueens.kernels import descent as kernels
from fastqueens.kernels.line_numbers import LINES_A_QUEEN
from fastqueens.kernels.search import SOLVED, UNDER_WAY

# Queens that one compiled call looks at, in about 20 ms, and moves that it records; then ``stop`` is polled.
_LOOKS_A_CALL = 1 << 22
_MOST_MOVES_A_CALL = 1024

_BYTES_A_QUEEN = 64


@dataclass(frozen=True, eq=False)
class Descent:
    """A finished descent.

    Attributes
    ----------
    initial_queens : (n,) int32 array
        The start; uint32 for n >= 2**31.
    moves : (steps, 2) int64 array
        Column and new row of each move.
    solved : bool
        True if no queen of the last state attacks another.
    """

    initial_queens: Queens
    moves: NDArray[np.int64]
    solved: bool

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.initial_queens)

    @property
    def steps(self) -> int:
        """Number of moves."""
        return len(self.moves)

    @property
    def states(self) -> Queens:
        """All states, the start first, as a new (steps + 1, n) array.

        Raises
        ------
        NotEnoughMemoryError
            If the array does not fit; ``moves`` holds the same in little space.
        """
        check_memory(4 * self.n * (self.steps + 1), f"an array of {self.steps + 1:,} states of {self.n:,} queens")
        states = np.empty((self.steps + 1, self.n), self.initial_queens.dtype)
        states[0] = self.initial_queens
        for step, (column, row) in enumerate(self.moves.tolist(), 1):
            states[step] = states[step - 1]
            states[step, column] = row
        return states

    def __repr__(self) -> str:
        return f"<Descent n={self.n} {'solved' if self.solved else 'not solved'}, {self.steps:,} steps>"


def descend(queens: Sequence[int] | NDArray[Any], *, stop: Stop | None = None) -> Descent:
    """Move the queen that attacks most others to where it attacks fewest, until none attacks or none of them gains.

    In each step the queens that attack the largest number of others are tried from the left; queens in between do not
    shield. The first one that can attack fewer moves within its column, to the smallest of its best rows. If none of
    them can, the descent ends without a solution.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0. It is not changed.
    stop : callable, optional
        Called every few milliseconds; if it returns True, the descent ends.

    Returns
    -------
    Descent

    Raises
    ------
    InputError
        If a value is no row of the board.
    NotEnoughMemoryError
        If less than 64 bytes a queen are available.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    O(n) time a step. A random start takes about n / 2 steps.

    Examples
    --------
    >>> descent = descend([1, 4, 6, 3, 0, 2, 5, 2])
    >>> descent.solved
    True
    >>> descent.states
    array([[1, 4, 6, 3, 0, 2, 5, 2],
           [1, 4, 6, 3, 0, 7, 5, 2]], dtype=int32)
    """
    initial_queens = as_queens(queens).copy()
    n = len(initial_queens)
    check_memory(_BYTES_A_QUEEN * n, f"a descent of {n:,} queens")
    board = initial_queens.astype(np.int64)
    lines, floors = np.empty(LINES_A_QUEEN * n, np.int64), np.empty(n, np.int64)
    room = np.empty((min(_MOST_MOVES_A_CALL, 1 + _LOOKS_A_CALL // n), 2), np.int64)
    kernels.prepare(board, lines, floors)
    moves: list[NDArray[np.int64]] = []
    status = UNDER_WAY
    while status == UNDER_WAY:
        status, made = kernels.descend(board, lines, floors, room)
        moves.append(room[:made].copy())
        if stop is not None and stop():
            raise Stopped(f"stopped after {sum(map(len, moves)):,} steps of a descent")
    return Descent(initial_queens, np.concatenate(moves), status == SOLVED)
