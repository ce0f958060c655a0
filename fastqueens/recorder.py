"""The recorder of a run, which collects its times, counts, trace and moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import clock
from fastqueens._run.arguments import NO_LIMIT, TraceKind
from fastqueens._run.memory import check_memory
from fastqueens.board import Moves, Queens, Trace
from fastqueens.result import Timings

#: Steps between two calls of the callbacks.
SEARCH_SLICE: Final = 1 << 14

# The numbers recorded per step: pairs and conflicting queens, and for moves also the column, the old and the new row.
_TRACE = 2
_TRACE_AND_MOVES = 5

# The largest n for which a result keeps the first board.
_KEEP_INITIAL_QUEENS = 4096


class Recorder:
    """A recorder of the times, counts, trace and moves of a run. Kernels write their steps into ``buffer``."""

    def __init__(self, trace: TraceKind, *, force: bool = False) -> None:
        self._has_moves = trace == "moves"
        rows = SEARCH_SLICE if trace else 0
        self.buffer = np.empty((rows, _TRACE_AND_MOVES if self._has_moves else _TRACE), np.int64)
        self.attempts = self.steps = self.nodes = self.initial_pairs = 0
        self.initial_queens: Queens | None = None
        self.restarts: list[int] = []
        self._seconds: dict[str, float] = {}
        self._fewest_pairs = NO_LIMIT
        self._force = force
        self._trace: list[NDArray[np.int64]] = []
        self._moves = [self.buffer[:0, _TRACE:]]
        self._first_boards: list[Queens] = []
        self._held = self._checked = 0

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        """Add the time of the ``with`` block, without compilation, to the seconds of a part of the run."""
        begun = clock.seconds()
        try:
            yield
        finally:
            self._seconds[part] = self._seconds.get(part, 0.0) + clock.seconds() - begun

    @property
    def timings(self) -> Timings:
        """The seconds of all parts so far."""
        return Timings(**self._seconds)

    def begin(self, pairs: int, conflicting: int, queens: Queens) -> None:
        """Record the first board of an attempt."""
        if self.attempts:
            self.restarts.append(self.steps + self.attempts)
        else:
            self.initial_pairs = pairs
            self.initial_queens = queens.copy() if len(queens) <= _KEEP_INITIAL_QUEENS else None
        self.attempts += 1
        self._begin_trace(pairs, conflicting, queens)

    def add(self, steps: int) -> None:
        """Record the steps that a kernel wrote into the buffer."""
        self.steps += steps
        self._keep(self._trace, self.buffer[:steps, :_TRACE])
        if self._has_moves:
            self._keep(self._moves, self.buffer[:steps, _TRACE:])

    def resolved(self, pairs: int) -> int:
        """Return by how many pairs the best board so far improves on the first; the present board has ``pairs``."""
        self._fewest_pairs = min(self._fewest_pairs, pairs)
        return max(0, self.initial_pairs - self._fewest_pairs)

    def trace_and_moves(self, solution: Queens | None = None) -> tuple[Trace | None, Moves | None]:
        """Return the trace and the moves, each None if it was not recorded, and remove them from the recorder.

        Without an attempt, the trace has one entry, for ``solution``.
        """
        if solution is not None and not self.attempts:
            self._begin_trace(0, 0, solution)
        trace = Trace(*np.concatenate([part.T for part in self._trace], axis=1)) if self._trace else None
        self._trace.clear()
        moves = Moves(np.stack(self._first_boards), np.concatenate(self._moves)) if self._has_moves else None
        self._moves.clear()
        return trace, moves

    def _begin_trace(self, pairs: int, conflicting: int, queens: Queens) -> None:
        self._keep(self._trace, np.array([[pairs, conflicting]], np.int64))
        if self._has_moves:
            self._keep(self._first_boards, queens)

    def _keep(self, kept: list[Any], array: NDArray[Any]) -> None:
        """Keep a copy. Whenever the record has doubled, check that memory is left to double it again and to join it."""
        if not len(self.buffer):
            return
        self._held += array.nbytes
        if self._held > 2 * self._checked and not self._force:
            self._checked = self._held
            what = "trace with moves" if self._has_moves else "trace"
            check_memory(3 * self._held, f"a {what} of more than {self.steps:,} steps")
        kept.append(array.copy())
