"""The searches behind :func:`fastqueens.climb`: a rule at work on one board, every move recorded in little memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, overload

import numpy as np
from numpy.typing import NDArray

from fastqueens.classroom import climbing_kernel
from fastqueens.classroom.rules import COLDEST, Limits
from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.instance import make_instance
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.core.wording import counted
from fastqueens.solving import windows_kernel
from fastqueens.solving.arrays import new_attempt
from fastqueens.solving.search_kernel import BEST_PAIRS, PAIRS
from fastqueens.solving.task import stagnation_limit
from fastqueens.solving.windows import place

#: Squares that one call of a kernel looks at: some milliseconds, after which Ctrl-C is noticed.
LOOKS = 1 << 22

# Moves that a kernel records in one call.
_ROOM = 4096

# Room for moves at the beginning of a run: 6 kB.
_FIRST_ROOM = 256

_BYTES_A_MOVE = 24


class Search(Protocol):
    """A rule at work on one board.

    Attributes
    ----------
    queens : (n,) int32 or uint32 array
        The board as it stands.
    """

    queens: Queens

    def begin(self, number: int, board: Queens | None) -> int:
        """Set up attempt ``number`` on ``board``, or on its random board for None; return the cost."""
        ...

    def advance(self) -> tuple[int, NDArray[np.int64]]:
        """Search for some milliseconds; return a status and the moves made, as in :attr:`Climb.moves`."""
        ...


class HillClimbing:
    """The rules "steepest", "sideways" and "annealing"."""

    def __init__(self, n: int, rule: str, limits: Limits, seed: int) -> None:
        self._climber = empty_climber(n, rule, limits)
        self._seed = np.uint64(seed)
        self._number = np.uint64(0)
        self._moves = np.empty((_ROOM, 3), np.int64)
        self.queens = self._climber.queens

    def begin(self, number: int, board: Queens | None) -> int:
        """Set up attempt ``number`` on ``board``, or on its random board for None; return the cost."""
        self._number = np.uint64(number)
        if board is None:
            windows_kernel.place_random(self.queens, self._seed, self._number, 0, len(self.queens))
        else:
            self.queens[:] = board
        climbing_kernel.set_up(self._climber)
        return int(self._climber.state[PAIRS])

    def advance(self) -> tuple[int, NDArray[np.int64]]:
        """Search for some milliseconds; return a status and the moves made, as in :attr:`Climb.moves`."""
        before = int(self._climber.state[climbing_kernel.MADE])
        status, _ = climbing_kernel.climb(self._climber, self._moves, self._seed, self._number, LOOKS)
        made = int(self._climber.state[climbing_kernel.MADE]) - before
        first = before % _ROOM
        return status, self._moves[first : first + made].copy()


class MinConflictsClimbing:
    """The rule "min-conflicts": the search of :func:`fastqueens.solve` from a random board."""

    queens: Queens

    def __init__(self, n: int, seed: int) -> None:
        self._n = n
        self._seed = seed
        self._trace = np.empty((_ROOM, 5), np.int64)

    def begin(self, number: int, board: Queens | None) -> int:
        """Set up attempt ``number`` on ``board``, or on its random board for None; return the cost."""
        n, limit = self._n, stagnation_limit(self._n)
        attempt = new_attempt(
            make_instance(n), seed=self._seed, number=number, stagnation_limit=limit, is_windowed=False, board=board
        )
        with Workers(1) as workers:
            self._search = place(attempt, "random" if board is None else "board", workers, Callbacks())
        self.queens = attempt.queens
        attempt.state[BEST_PAIRS] = attempt.state[PAIRS]
        return int(attempt.state[PAIRS])

    def advance(self) -> tuple[int, NDArray[np.int64]]:
        """Search for some milliseconds; return a status and the moves made, as in :attr:`Climb.moves`."""
        status, made = self._search.advance(len(self._trace), stagnation_limit(self._n), self._trace)
        pairs, _, column, row, new_row = self._trace[:made].T
        moves = np.stack([column, new_row, pairs], axis=1)
        moves[row == new_row, :2] = -1
        return status, moves


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
        windows_kernel.place_random(queens, np.uint64(self.seed), np.uint64(attempt), 0, self.n)
        return queens

    def __repr__(self) -> str:
        return f"<Starts n={self.n} seed={self.seed}, {counted(len(self), 'board')}>"


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
            room = max(end, len(self._moves) * 3 // 2)
            check_memory(_BYTES_A_MOVE * room, f"a climb of more than {self._length:,} moves")
            grown = np.empty((room, 3), np.int64)
            grown[: self._length] = self._moves[: self._length]
            self._moves = grown
        self._moves[self._length : end] = moves
        self._length = end

    def as_array(self) -> NDArray[np.int64]:
        """Return all moves as one (k, 3) array. Afterwards nothing may be added."""
        # In place, because a copy would double the memory.
        self._moves.resize((self._length, 3), refcheck=False)
        return self._moves


def empty_climber(n: int, rule: str, limits: Limits) -> climbing_kernel.Climber:
    """Allocate the arrays of a climb by any rule but "min-conflicts". The kernel ``set_up`` initialises them."""
    odds = _odds(limits) if rule == "annealing" else np.empty((0, 0), np.uint64)
    return climbing_kernel.Climber(
        queens=np.empty(n, row_dtype(n)),
        rows=np.empty(n, np.int64),
        sums=np.empty(2 * n, np.int64),
        differences=np.empty(2 * n, np.int64),
        state=np.empty(climbing_kernel.CLIMB_STATE_LENGTH, np.int64),
        sideways_limit=limits.sideways if rule == "sideways" else 0,
        odds=odds,
        level_length=n * n,
    )


def _odds(limits: Limits) -> NDArray[np.uint64]:
    """Return 2**64 exp(-rise / temperature) for each temperature and each rise of the cost from 1 on."""
    levels = math.floor(math.log(limits.temperature / COLDEST) / -math.log(limits.cooling)) + 1
    temperatures = [limits.temperature * limits.cooling**level for level in range(levels)]
    # The odds of larger rises are below one in 2**64.
    rises = range(1, math.ceil(64 * math.log(2) * limits.temperature) + 1)
    return np.array([[int(math.exp(-rise / heat) * 2**64) for rise in rises] for heat in temperatures], np.uint64)
