"""The trace and the moves of a search, collected slice by slice over all attempts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import Queens
from fastqueens.core.memory import check_memory
from fastqueens.core.trace import Moves, Trace

# Numbers recorded for a step: pairs and conflicting queens; with moves also its column, its row before and after.
_TRACE = 2
_TRACE_AND_MOVES = 5

# Measured steps a queen, by the start; a board of the user may need more.
_STEPS_A_QUEEN = {"windowed": 0.0, "uniform": 0.0, "random": 0.7, "permutation": 0.5, "board": 1.0}


def memory_of_record(n: int, start: str, max_steps: int, *, trace: bool, moves: bool) -> int:
    """Estimate the bytes at the peak for the trace and the moves of one attempt.

    Every number takes 8 bytes, twice while the slices are joined. Moves include a copy of the first board.
    """
    if not trace:
        return 0
    steps = min(max_steps, int(_STEPS_A_QUEEN[start] * n))
    return 2 * 8 * (_TRACE_AND_MOVES if moves else _TRACE) * steps + (2 * 4 * n if moves else 0)


class Recorder:
    """Collects a trace and moves, if the user wants them.

    Attributes
    ----------
    buffer : (slice, 2 or 5) int64 array
        Where a kernel writes its steps; it has no rows without a trace.
    initial_pairs : int
        Attacking pairs of the first board.
    restarts : list of int
        Indexes in the trace at which a new attempt begins.
    """

    def __init__(self, *, trace: bool, moves: bool, force: bool = False) -> None:
        rows = thresholds.current.search_slice if trace else 0
        self.buffer = np.empty((rows, _TRACE_AND_MOVES if moves else _TRACE), np.int64)
        self.initial_pairs = 0
        self.restarts: list[int] = []
        self._has_moves = moves
        self._force = force
        self._first_boards: list[Queens] = []
        self._slices: list[NDArray[np.int64]] = []
        self._length = 0
        self._held = 0
        self._checked = 0

    def begin(self, pairs: int, conflicting: int, queens: Queens) -> None:
        """Record the first board of an attempt."""
        if self._length == 0:
            self.initial_pairs = pairs
        else:
            self.restarts.append(self._length)
        if self._has_moves:
            self._check_memory(queens.nbytes)
            self._first_boards.append(queens.copy())
        entry = [pairs, conflicting, 0, 0, 0][: self.buffer.shape[1]]
        self._keep(np.array([entry], np.int64), 1)

    def add(self, steps: int) -> None:
        """Record the steps that a kernel has written into the buffer."""
        self._keep(self.buffer[:steps].copy(), steps)

    def result(self) -> tuple[Trace | None, Moves | None]:
        """Return the trace and the moves, None for either that is not wanted; the recorder is empty afterwards."""
        if not len(self.buffer):
            return None, None
        trace = np.empty((_TRACE, self._length), np.int64)
        steps = np.empty((self._length if self._has_moves else 0, _TRACE_AND_MOVES - _TRACE), np.int64)
        first = 0
        self._slices.reverse()
        while self._slices:  # each slice is freed as soon as it is copied
            entries = self._slices.pop()
            last = first + len(entries)
            trace[:, first:last] = entries[:, :_TRACE].T
            if self._has_moves:
                steps[first:last] = entries[:, _TRACE:]
            first = last
        if not self._has_moves:
            return Trace(*trace), None
        return Trace(*trace), Moves(np.stack(self._first_boards), np.delete(steps, [0, *self.restarts], axis=0))

    def _keep(self, entries: NDArray[np.int64], count: int) -> None:
        self._length += count
        if len(self.buffer):
            self._check_memory(entries.nbytes)
            self._slices.append(entries)

    def _check_memory(self, n_bytes: int) -> None:
        """Each time the record has doubled, check that there is room to double it again and to join it.

        Raises
        ------
        NotEnoughMemoryError
            If there is not, unless ``force`` is true.
        """
        self._held += n_bytes
        if self._held > 2 * self._checked and not self._force:
            self._checked = self._held
            what = "trace with moves" if self._has_moves else "trace"
            check_memory(3 * self._held, f"a {what} of more than {self._length:,} steps")
