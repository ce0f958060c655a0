"""The arguments of solve(), validated once. All code behind it trusts these values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fastqueens.core.board import Board, Queens, as_queens, check_solvable, row_dtype, size_of
from fastqueens.core.errors import InputError
from fastqueens.core.fixed_queens import Fixed, FixedQueens, fixed_queens
from fastqueens.core.integers import check_limit, check_seed, new_seed
from fastqueens.core.memory import check_memory
from fastqueens.core.names import STARTS
from fastqueens.solving.recorder import memory_of_record

# Squares that the complete search tries by default: some seconds.
_MAX_NODES = 10**7

# Limits of the default number of restarts with fixed queens: restarts, and columns placed in all of them.
_MOST_RESTARTS_WITH_FIXED = 20
_COLUMNS_WITH_FIXED = 200_000

# Bytes a queen at the peak, rounded up, for a windowed placement and for min-conflicts: see docs/algorithm.md.
_WINDOWED_BYTES = 5
_COUNTED_BYTES = 61


@dataclass(frozen=True)
class Task:
    """The arguments of :func:`fastqueens.solve`, validated."""

    n: int
    board: Queens | None
    fixed: FixedQueens
    seed: int
    start: str
    max_steps: int
    restarts: int
    max_nodes: int
    trace: bool
    moves: bool
    out: Queens | None
    force: bool

    def start_of(self, number: int) -> str:
        """Return how the first board of an attempt is made; "board" if it is the caller's."""
        return "board" if self.board is not None and number == 0 else self.start

    def check_memory(self) -> None:
        """Raise :class:`NotEnoughMemoryError` if the task needs more than is available, unless ``force`` is true."""
        if self.force:
            return
        start = self.start_of(0)
        bytes_a_queen = _WINDOWED_BYTES if start == "windowed" else _COUNTED_BYTES
        if self.out is not None:  # the board is in memory already
            bytes_a_queen -= 4
        record = memory_of_record(self.n, start, self.max_steps, trace=self.trace, moves=self.moves)
        start_from = "" if start == "windowed" else f" from a {start} board"
        check_memory(bytes_a_queen * self.n + record, f"solving n = {self.n:,}{start_from}")


def checked_task(
    n: int | None,
    board: Board | None,
    fixed: Fixed | None,
    seed: int | None,
    start: str,
    max_steps: int | None,
    restarts: int | None,
    max_nodes: int | None,
    trace: bool,
    moves: bool,
    out: Queens | None,
    force: bool,
) -> Task:
    """Validate the arguments of :func:`fastqueens.solve`; see there for parameters and errors."""
    check_start(start)
    if moves and not trace:
        raise InputError("moves is True and trace is False: moves are kept with a trace")
    queens = None if board is None else as_queens(board)
    size = size_of(n, queens)
    check_solvable(size)
    squares = fixed_queens(fixed, size)
    if restarts is None and queens is not None:
        restarts = 0
    elif restarts is None and len(squares):
        restarts = restarts_with_fixed_queens(size)
    return Task(
        n=size,
        board=queens,
        fixed=squares,
        seed=new_seed() if seed is None else check_seed(seed),
        start=start,
        max_steps=check_limit(max_steps, "max_steps"),
        restarts=check_limit(restarts, "restarts"),
        max_nodes=check_limit(_MAX_NODES if max_nodes is None else max_nodes, "max_nodes"),
        trace=trace,
        moves=moves,
        out=None if out is None else _checked_out(out, size),
        force=force,
    )


def check_start(start: str) -> None:
    """Raise :class:`InputError` if ``start`` is not one of :data:`STARTS`."""
    if start not in STARTS:
        raise InputError(f"start is {start!r}: it is one of {', '.join(STARTS)}")


def restarts_with_fixed_queens(n: int) -> int:
    """Return the default number of restarts with fixed queens, which is limited because there may be no solution.

    On large boards an attempt takes long and ends like the one before.

    >>> restarts_with_fixed_queens(8), restarts_with_fixed_queens(40_000), restarts_with_fixed_queens(10**6)
    (20, 5, 1)
    """
    return max(1, min(_MOST_RESTARTS_WITH_FIXED, _COLUMNS_WITH_FIXED // n))


def stagnation_limit(n: int) -> int:
    """Return the number of steps without a new minimum of ``pairs`` after which an attempt ends.

    Measured over 1000 seeds for n = 4 to 300: a higher limit mostly adds steps to the runs that restart anyway; with
    n + 50, three times as many runs restart at n = 10. See docs/algorithm.md for the table.
    """
    return 10 * n + 100


def _checked_out(out: Queens, n: int) -> Queens:
    wanted = np.dtype(row_dtype(n))
    if not isinstance(out, np.ndarray) or out.dtype != wanted or out.shape != (n,):
        described = f"an array of {out.dtype}, shape {out.shape}" if isinstance(out, np.ndarray) else repr(out)
        raise InputError(f"out is {described}: a one-dimensional array of {n} {wanted} is needed")
    if not (out.flags.writeable and out.flags.c_contiguous):
        raise InputError("out: a writable, contiguous array is needed")
    return out
