"""The validated arguments of ``solve()`` with their defaults filled in. All later code trusts them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from fastqueens._run import arguments, thresholds
from fastqueens._run.memory import check_memory
from fastqueens.board import Board, Queens, as_queens, check_solvable, has_masked, row_dtype, size_of
from fastqueens.errors import InputError
from fastqueens.files.headers import board_in_files
from fastqueens.instance import Constraints, Instance, as_instance

if TYPE_CHECKING:
    from fastqueens._run.executors import Executor
    from fastqueens.files.text import FileName

# The default of ``max_nodes`` for complete search in turns with local search. It takes a few seconds.
_MAX_NODES = 10**8

# The numbers of columns without a fixed queen up to which complete search has the first turn, and up to which that turn
# continues until ``max_nodes`` are used up.
_COMPLETE_SEARCH_FIRST = 64
_COMPLETE_SEARCH_ENOUGH = 20

# Limits of the default number of restarts with constraints: the restarts, and the columns placed in all of them.
_MOST_RESTARTS = 20
_COLUMNS_OF_RESTARTS = 200_000

# Bytes per queen of a board, and the peak, rounded up, of a windowed placement and of min-conflicts. See
# docs/explanation/how-it-works.md.
_BOARD_BYTES = 4
_WINDOWED_BYTES = 5
_COUNTED_BYTES = 61

# Measured steps per queen by start. A board of the user can need more.
_STEPS_PER_QUEEN = {"windowed": 0.0, "uniform": 0.0, "random": 0.7, "permutation": 0.5, "board": 1.0}


class Task(NamedTuple):
    """The validated arguments of :func:`fastqueens.solve`; ``out`` is an array, and ``file`` a path.

    ``stated`` is the instance of the caller. The search works on ``instance``, in which forced queens can be fixed.
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
    time_limit: float | None = None
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
        """Whether complete search has turns. Without constraints, only the method "complete" uses it."""
        if self.method == "auto":
            return not self.instance.is_free and self.instance.free_columns <= most_free_columns()
        return self.method == "complete"

    @property
    def is_complete_search_first(self) -> bool:
        """Whether complete search has the first turn."""
        return self.has_complete_search and self.board is None and self.instance.free_columns <= _COMPLETE_SEARCH_FIRST

    @property
    def first_nodes(self) -> int:
        """The number of squares that complete search tries in its first turn."""
        if self.method == "complete" or self.instance.free_columns <= _COMPLETE_SEARCH_ENOUGH:
            return self.max_nodes
        return thresholds.current.first_nodes

    @property
    def options(self) -> dict[str, Any]:
        """The options that influence the result; :data:`arguments.NO_LIMIT` and None mean that there is no limit."""
        local = {"start": self.start, "max_steps": self.max_steps, "restart_limit": self.restarts}
        options = {"method": self.method, **(local if self.method != "complete" else {})}
        if self.method != "local":
            options["max_nodes"] = self.max_nodes
        if self.board is not None:
            options["board"] = board_in_files(self.board)
        if self.mix:
            options["mix"] = self.mix
        return options | {"time_limit": self.time_limit}

    def start_of(self, number: int) -> str:
        """Return how the first board of an attempt is made; "board" stands for the caller's board."""
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
        start_from = {"windowed": "", "board": " from your board"}.get(start, f" from a {start} board")
        check_memory(per_queen * self.n + record, f"solving n = {self.n:,}{start_from}")


def checked_task(
    n: SupportsIndex | Instance | None,
    board: Board | None,
    constraints: Constraints,
    *,
    method: str,
    seed: SupportsIndex | None,
    start: str,
    max_steps: SupportsIndex | None,
    restarts: SupportsIndex | None,
    max_nodes: SupportsIndex | None,
    time_limit: float | None = None,
    mix: SupportsIndex | None = None,
    out: Queens | FileName | None = None,
    **others: Any,
) -> Task:
    """Return the validated arguments of :func:`fastqueens.solve`, with defaults for those that are omitted."""
    arguments.check_choice(start, "start", arguments.STARTS)
    arguments.check_choice(method, "method", arguments.METHODS)
    if others.get("moves") and not others.get("trace"):
        raise InputError("moves=True requires trace=True")
    for name in ("executor", "checkpoint"):
        if others.get(name) is not None and method != "complete":
            raise InputError(f"{name} has no effect on the method {method!r}; it applies to 'complete'")
    if time_limit is not None:
        time_limit = arguments.check_positive(time_limit, "time_limit")
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
        time_limit=time_limit,
        mix=0 if mix is None else arguments.check_integer(mix, "mix", 1, arguments.MOST_SWEEPS),
        out=array,
        file=file,
        **others,
    )
    if file is None:  # a board that is made in its file needs less
        task.check_memory()
    return task


def check_method(instance: Instance, method: str) -> None:
    """Raise :class:`InputError` if the method is "complete" and the instance is too large for complete search."""
    if method == "complete" and instance.free_columns > most_free_columns():
        raise InputError(
            f"complete search handles at most {most_free_columns()} columns without a fixed queen; this board has "
            f"{instance.free_columns:,}"
        )


def memory_of_record(n: int, start: str, max_steps: int, *, trace: bool, moves: bool) -> int:
    """Estimate the peak bytes of the trace and the moves of one attempt, which exist twice while slices are joined."""
    if not trace:
        return 0
    steps = min(max_steps, int(_STEPS_PER_QUEEN[start] * n))
    return 2 * 8 * (5 if moves else 2) * steps + (2 * 4 * n if moves else 0)


def most_free_columns() -> int:
    """Return the most columns without a fixed queen for complete search, which is imported only if necessary."""
    from fastqueens.exact.tree import MOST_FREE_COLUMNS

    return MOST_FREE_COLUMNS


def _seed(seed: SupportsIndex | None, checkpoint: FileName | None) -> int:
    """Return the seed of the caller, the seed of the checkpoint, or a new one."""
    if seed is None and checkpoint is not None:
        from fastqueens.exact.checkpoint import seed_of_checkpoint

        seed = seed_of_checkpoint(checkpoint)
    return arguments.new_seed() if seed is None else arguments.check_seed(seed)


def _checked_out(out: Queens | FileName | None, n: int) -> tuple[FileName | None, Queens | None]:
    """Return where to put the board: in a writable ``.npy`` file, in an array, or in neither."""
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
    found = f"an array of {out.dtype} with shape {out.shape}" if is_array else repr(out)
    raise InputError(
        f"out must be a path, or a writable, contiguous array of {n:,} {wanted} without masked entries, not {found}"
    )
