"""The arguments of ``solve()``, validated and decided once. All later code trusts them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastqueens._run import arguments, thresholds
from fastqueens._run.memory import check_memory
from fastqueens.board import Board, Queens, as_queens, check_solvable, has_masked, row_dtype, size_of
from fastqueens.errors import InputError
from fastqueens.instance import Constraints, Instance, as_instance

if TYPE_CHECKING:
    from fastqueens._run.executors import Executor
    from fastqueens.files.text import FileName

# Squares that the complete search tries by default if local search works too: some seconds.
_MAX_NODES = 10**8

# Complete search has the first turn if at most the first number of columns have no fixed queen, and goes on until
# ``max_nodes`` are spent if at most the second number have none.
_COMPLETE_SEARCH_FIRST = 64
_COMPLETE_SEARCH_ENOUGH = 20

# Limits of the default number of restarts with constraints: restarts, and columns placed in all of them.
_MOST_RESTARTS = 20
_COLUMNS_OF_RESTARTS = 200_000

# Bytes per queen of a board, and at the peak, rounded up, of a windowed placement and of min-conflicts: see
# docs/algorithm.md.
_BOARD_BYTES = 4
_WINDOWED_BYTES = 5
_COUNTED_BYTES = 61

# Measured steps per queen, by the start; a board of the user can need more.
_STEPS_PER_QUEEN = {"windowed": 0.0, "uniform": 0.0, "random": 0.7, "permutation": 0.5, "board": 1.0}


class Task(NamedTuple):
    """The validated arguments of :func:`fastqueens.solve`; ``out`` is an array, ``file`` a path.

    ``stated`` is the instance of the caller. In ``instance``, on which the search works, forced queens can be fixed.
    """

    stated: Instance
    instance: Instance
    board: Queens | None
    method: str
    seed: int
    start: str
    max_steps: int
    restarts: int
    max_nodes: int
    trace: bool = False
    moves: bool = False
    mix: int = 0
    out: Queens | None = None
    file: FileName | None = None
    force: bool = False
    threads: int | None = None
    executor: Executor | None = None
    checkpoint: FileName | None = None

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return self.instance.n

    @property
    def has_complete_search(self) -> bool:
        """Whether complete search has turns: not on free boards, unless it is asked for."""
        if self.method == "auto":
            return not self.instance.is_free and self.instance.free_columns <= most_free_columns()
        return self.method == "complete"

    @property
    def is_complete_search_first(self) -> bool:
        """Whether complete search has the first turn."""
        return self.has_complete_search and self.board is None and self.instance.free_columns <= _COMPLETE_SEARCH_FIRST

    @property
    def first_nodes(self) -> int:
        """Squares that complete search tries in its first turn."""
        if self.method == "complete" or self.instance.free_columns <= _COMPLETE_SEARCH_ENOUGH:
            return self.max_nodes
        return thresholds.current.first_nodes

    def start_of(self, number: int) -> str:
        """Return how the first board of an attempt is made; "board" if it is the caller's."""
        return "board" if self.board is not None and number == 0 else self.start

    def check_memory(self) -> None:
        """Raise :class:`NotEnoughMemoryError` if the task needs more than is available, unless ``force`` is true."""
        if self.force:
            return
        start = self.start_of(0)
        per_queen = _WINDOWED_BYTES if start == "windowed" else _COUNTED_BYTES
        if self.out is not None:  # the board is in memory already
            per_queen -= _BOARD_BYTES
        if self.mix and not self.instance.is_free:  # mixing keeps a copy of the board
            per_queen += _BOARD_BYTES
        record = memory_of_record(self.n, start, self.max_steps, trace=self.trace, moves=self.moves)
        start_from = "" if start == "windowed" else f" from a {start} board"
        check_memory(per_queen * self.n + record, f"solving n = {self.n:,}{start_from}")


def checked_task(
    n: int | Instance | None,
    board: Board | None,
    constraints: Constraints,
    *,
    method: str,
    seed: int | None,
    start: str,
    max_steps: int | None,
    restarts: int | None,
    max_nodes: int | None,
    time_limit: float | None,
    mix: int | None = None,
    out: Queens | FileName | None = None,
    **others: Any,
) -> Task:
    """Validate the arguments of :func:`fastqueens.solve`, and decide those that are left out; see there for errors."""
    arguments.check_choice(start, "start", arguments.STARTS)
    arguments.check_choice(method, "method", arguments.METHODS)
    if others.get("moves") and not others.get("trace"):
        raise InputError("moves is True and trace is False: moves are kept with a trace")
    for name in ("executor", "checkpoint"):
        if others.get(name) is not None and method != "complete":
            raise InputError(f"{name} is given, and method is {method!r}: only 'complete' has parts to run elsewhere")
    if time_limit is not None:
        arguments.check_positive(time_limit, "time_limit")
    queens = None if board is None else as_queens(board)
    instance = as_instance(size_of(None, queens) if n is None else n, **constraints)
    check_solvable(size_of(instance.n, queens))
    if restarts is None and queens is not None:
        restarts = 0
    elif restarts is None and not instance.is_free:  # there can be no solution
        restarts = max(1, min(_MOST_RESTARTS, _COLUMNS_OF_RESTARTS // instance.n))
    if max_nodes is None and method != "complete":
        max_nodes = _MAX_NODES
    file, array = _checked_out(out, instance.n)
    task = Task(
        instance,
        instance,
        queens,
        method=method,
        seed=_seed(seed, others.get("checkpoint")),
        start=start,
        max_steps=arguments.check_limit(max_steps, "max_steps"),
        restarts=arguments.check_limit(restarts, "restarts"),
        max_nodes=arguments.check_limit(max_nodes, "max_nodes"),
        mix=0 if mix is None else arguments.check_integer(mix, "mix", 1, arguments.MOST_SWEEPS),
        out=array,
        file=file,
        **others,
    )
    if file is None:  # a board that is made in its file takes less
        task.check_memory()
    return task


def check_method(instance: Instance, method: str) -> None:
    """Raise :class:`InputError` if complete search is asked for and the instance is too large for it."""
    if method == "complete" and instance.free_columns > most_free_columns():
        raise InputError(
            f"method is 'complete': {instance.free_columns:,} columns have no fixed queen, and complete search works "
            f"with up to {most_free_columns()}"
        )


def memory_of_record(n: int, start: str, max_steps: int, *, trace: bool, moves: bool) -> int:
    """Estimate the bytes at the peak for the trace and the moves of one attempt: twice, while slices are joined."""
    if not trace:
        return 0
    steps = min(max_steps, int(_STEPS_PER_QUEEN[start] * n))
    return 2 * 8 * (5 if moves else 2) * steps + (2 * 4 * n if moves else 0)


def most_free_columns() -> int:
    """Return the most columns without a fixed queen that complete search works with; free boards need not import it."""
    from fastqueens.exact.tree import MOST_FREE_COLUMNS

    return MOST_FREE_COLUMNS


def _seed(seed: int | None, checkpoint: FileName | None) -> int:
    """Return the seed of the caller, of the checkpoint, or a new one."""
    if seed is None and checkpoint is not None:
        from fastqueens.exact.checkpoint import seed_of_checkpoint

        seed = seed_of_checkpoint(checkpoint)
    return arguments.new_seed() if seed is None else arguments.check_seed(seed)


def _checked_out(out: Queens | FileName | None, n: int) -> tuple[FileName | None, Queens | None]:
    """Return where to put the board: a ``.npy`` file that can be written, an array, or neither."""
    if isinstance(out, str | os.PathLike):
        from fastqueens.files.atomic import check_target
        from fastqueens.files.text import checked_suffix

        checked_suffix(out, (".npy",))
        check_target(out)
        return out, None
    if out is None:
        return None, None
    wanted = np.dtype(row_dtype(n))
    is_array = isinstance(out, np.ndarray)
    if is_array and (out.dtype, out.shape) == (wanted, (n,)) and out.flags.carray and not has_masked(out):
        return None, out
    found = f"an array of {out.dtype}, shape {out.shape}" if is_array else repr(out)
    raise InputError(
        f"out is {found}: a writable, contiguous array of {n} {wanted} without masked entries is needed, or a path"
    )
