"""The task of ``solve()``: its arguments after validation, with defaults. All later code trusts them."""

from __future__ import annotations

import os
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from fastqueens._run import arguments
from fastqueens._run.memory import check_memory
from fastqueens._run.threads import checked_threads
from fastqueens._run.thresholds import USUAL, Thresholds
from fastqueens.board import Board, Queens, as_queens, check_solvable, has_masked, row_dtype, size_of
from fastqueens.errors import InputError
from fastqueens.files.headers import board_in_files
from fastqueens.instance import Fixed, Instance, Squares, as_instance

if TYPE_CHECKING:
    from fastqueens.files.text import FileName

# The default of ``max_nodes`` for complete search in turns with local search. It takes a few seconds.
_MAX_NODES = 10**8

# Up to this number of columns without a fixed queen, the first turn of complete search has all of ``max_nodes``.
_COMPLETE_SEARCH_ENOUGH = 20

# Limits of the default number of restarts with constraints: the restarts, and the columns placed in all of them.
_MOST_RESTARTS = 20
_COLUMNS_OF_RESTARTS = 200_000

# The options that have no effect on a method.
_WITHOUT_EFFECT = {"complete": ("board", "start", "max_steps", "restarts"), "local": ("max_nodes",)}

# Bytes per queen of a board, and the peak, rounded up, of a windowed placement and of min-conflicts. See
# docs/explanation/how-it-works.md.
_BOARD_BYTES = 4
_WINDOWED_BYTES = 5
_COUNTED_BYTES = 61

# Measured steps per queen by start. A board of the user can need more.
_STEPS_PER_QUEEN = {"windowed": 0.0, "uniform": 0.0, "random": 0.7, "permutation": 0.5, "board": 1.0}


@dataclass(init=False, eq=False)
class Task:
    """The arguments of :func:`fastqueens.solve` after validation, with defaults for those that are omitted.

    ``out`` is an array, and ``file`` a path. ``stated`` is the instance of the caller. The search works on
    ``instance``, in which forced queens can be fixed. Only a batch can set ``max_nodes``.
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
    trace: arguments.TraceKind
    mix: int
    time_limit: float | None
    out: Queens | None
    file: FileName | None
    force: bool
    threads: int
    thresholds: Thresholds = field(repr=False)

    def __init__(
        self,
        n: SupportsIndex | Instance | None,
        board: Board | None = None,
        *,
        fixed: Fixed | None = None,
        blocked: Squares | None = None,
        method: str = "auto",
        seed: SupportsIndex | None = None,
        start: str | None = None,
        max_steps: SupportsIndex | None = None,
        restarts: SupportsIndex | None = None,
        max_nodes: SupportsIndex | None = None,
        trace: arguments.TraceKind = False,
        mix: SupportsIndex | None = None,
        time_limit: float | None = None,
        out: Queens | FileName | None = None,
        force: bool = False,
        threads: SupportsIndex | None = None,
        thresholds: Thresholds = USUAL,
    ) -> None:
        self.thresholds = thresholds
        self.method = arguments.check_choice(method, "method", arguments.METHODS)
        _check_effect(method, board=board, start=start, max_steps=max_steps, restarts=restarts, max_nodes=max_nodes)
        self.start = arguments.check_choice("windowed" if start is None else start, "start", arguments.STARTS)
        self.time_limit = None if time_limit is None else arguments.check_positive(time_limit, "time_limit")
        self.board = None if board is None else as_queens(board)
        self.stated = as_instance(size_of(None, self.board) if n is None else n, fixed, blocked)
        self.instance = self.stated
        check_solvable(size_of(self.n, self.board))
        self.seed = arguments.new_seed() if seed is None else arguments.check_seed(seed)
        self.max_steps = arguments.check_limit(max_steps, "max_steps")
        self.restarts = arguments.check_limit(self._usual_restarts if restarts is None else restarts, "restarts")
        is_limited = max_nodes is None and method != "complete"
        self.max_nodes = _MAX_NODES if is_limited else arguments.check_limit(max_nodes, "max_nodes")
        self.trace = _checked_trace(trace)
        self.mix = 0 if mix is None else arguments.check_integer(mix, "mix", 1, arguments.MOST_SWEEPS)
        self.threads = checked_threads(threads)
        self.file, self.out = _checked_out(out, self.n)
        self.force = force
        if self.file is None:  # a board that is made in its file needs less
            self.check_memory()

    def with_instance(self, instance: Instance) -> Task:
        """Return the same task with another instance of the same size to work on."""
        changed = copy(self)
        changed.instance = instance
        return changed

    def with_out(self, out: Queens | None) -> Task:
        """Return the same task with another array for the board, after checking its memory again."""
        changed = copy(self)
        changed.out = out
        changed.check_memory()
        return changed

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
        return self.has_complete_search and self.board is None

    @property
    def first_nodes(self) -> int:
        """The number of squares that complete search tries in its first turn."""
        if self.method == "complete" or self.instance.free_columns <= _COMPLETE_SEARCH_ENOUGH:
            return self.max_nodes
        return self.thresholds.first_nodes

    @property
    def options(self) -> dict[str, Any]:
        """The options of ``solve`` that influence the result; :data:`arguments.NO_LIMIT` and None mean no limit."""
        local = {"start": self.start, "max_steps": self.max_steps, "restart_limit": self.restarts}
        options: dict[str, Any] = {"method": self.method, **(local if self.method != "complete" else {})}
        if self.board is not None:
            options["board"] = board_in_files(self.board)
        if self.mix:
            options["mix"] = self.mix
        return options | {"time_limit": self.time_limit}

    def start_of(self, number: int) -> str:
        """Return how the first board of an attempt is made; "board" stands for the caller's board."""
        return "board" if self.board is not None and number == 0 else self.start

    @property
    def _usual_restarts(self) -> int | None:
        if self.board is not None:
            return 0
        if self.instance.is_free:
            return None
        return max(1, min(_MOST_RESTARTS, _COLUMNS_OF_RESTARTS // self.n))  # there can be no solution

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
        record = memory_of_record(self.n, start, self.max_steps, self.trace)
        start_from = {"windowed": "", "board": " from your board"}.get(start, f" from a {start} board")
        check_memory(per_queen * self.n + record, f"solving n = {self.n:,}{start_from}")


def check_method(instance: Instance, method: str) -> None:
    """Raise :class:`InputError` if the method is "complete" and the instance is too large for complete search."""
    if method == "complete":
        from fastqueens.exact.tree import check_free_columns

        check_free_columns(instance)


def memory_of_record(n: int, start: str, max_steps: int, trace: arguments.TraceKind) -> int:
    """Estimate the peak bytes of the trace and the moves of one attempt, which exist twice while slices are joined."""
    if not trace:
        return 0
    steps = min(max_steps, int(_STEPS_PER_QUEEN[start] * n))
    return 2 * 8 * 5 * steps + 2 * 4 * n if trace == "moves" else 2 * 8 * 2 * steps


def most_free_columns() -> int:
    """Return the most columns without a fixed queen for complete search, which is imported only if necessary."""
    from fastqueens.exact.tree import MOST_FREE_COLUMNS

    return MOST_FREE_COLUMNS


def _check_effect(method: str, **options: object) -> None:
    """Raise :class:`InputError` if an option that is not None has no effect on the method."""
    for name, value in options.items():
        if value is not None and name in _WITHOUT_EFFECT.get(method, ()):
            others = " or ".join(each for each in arguments.METHODS if name not in _WITHOUT_EFFECT.get(each, ()))
            raise InputError(f"{name} has no effect on the method {method}; omit it, or choose the method {others}")


def _checked_trace(trace: object) -> arguments.TraceKind:
    """Return what the trace keeps."""
    if isinstance(trace, str) and trace == "moves":
        return "moves"
    arguments.check_kind(isinstance(trace, bool | np.bool_), trace, "trace", 'True, False or "moves"')
    return bool(trace)


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
        f"out must be a path, or a writable, contiguous array of {n:,} {wanted} without masked entries, not {found}; "
        f"np.empty({n}, np.{wanted}) makes one"
    )
