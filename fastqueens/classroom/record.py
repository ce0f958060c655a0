"""The record of a climb in little memory: its first boards and its moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.memory import check_memory
from fastqueens.kernels import placement

# Room for moves at the beginning of a run: 6 kB.
_FIRST_ROOM = 256

_BYTES_A_MOVE = 24


@dataclass(frozen=True, eq=False, repr=False)
class Starts(Sequence[Queens]):
    """The first board of each attempt of a run, as a sequence that computes a board at each access.

    A run may restart millions of times. Its first boards follow from n, the seed and the number of the attempt, so
    they need no memory. Each access costs O(n) time and returns a new array.

    Attributes
    ----------
    n : int
        Side of the board and number of queens.
    seed : int
        The seed of the run.
    attempts : range
        The numbers of the attempts.
    board : (n,) int32 array or None
        The first board of attempt 0 if the user gave one.

    Examples
    --------
    >>> starts = Starts(5, 3, range(1000))
    >>> len(starts), starts[999]
    (1000, array([3, 2, 2, 0, 3], dtype=int32))
    """

    n: int
    seed: int
    attempts: range
    board: Queens | None = None

    def __len__(self) -> int:
        return len(self.attempts)

    @overload
    def __getitem__(self, index: int) -> Queens: ...

    @overload
    def __getitem__(self, index: slice) -> Starts: ...

    def __getitem__(self, index: int | slice) -> Queens | Starts:
        if isinstance(index, slice):
            return Starts(self.n, self.seed, self.attempts[index], self.board)
        attempt = self.attempts[index]
        if attempt == 0 and self.board is not None:
            return self.board.copy()
        queens = np.empty(self.n, row_dtype(self.n))
        placement.place_random(queens, np.uint64(self.seed), np.uint64(attempt), 0, self.n)
        return queens

    def __repr__(self) -> str:
        return f"<Starts n={self.n} seed={self.seed}, {len(self):,} boards>"


class MoveList:
    """An array of moves that grows by half when it is full."""

    def __init__(self) -> None:
        self._moves = np.empty((_FIRST_ROOM, 3), np.int64)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, moves: NDArray[np.int64]) -> None:
        """Add a (k, 3) array of moves; raise :class:`NotEnoughMemoryError` if memory would run out."""
        end = self._length + len(moves)
        if end > len(self._moves):
            self._grow(max(end, len(self._moves) * 3 // 2))
        self._moves[self._length : end] = moves
        self._length = end

    def as_array(self) -> NDArray[np.int64]:
        """Return all moves as one (k, 3) array. Afterwards nothing may be added."""
        # In place, because a copy would double the memory.
        self._moves.resize((self._length, 3), refcheck=False)
        return self._moves

    def _grow(self, room: int) -> None:
        check_memory(_BYTES_A_MOVE * room, f"a climb of more than {self._length:,} moves")
        grown = np.empty((room, 3), np.int64)
        grown[: self._length] = self._moves[: self._length]
        self._moves = grown
