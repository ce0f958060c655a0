"""Seeded runs of a rule, in compiled calls, recorded or not; and sums over batches of them.

Every run begins on the board of ``start="random"`` for its seed, so that rules can be compared on the same boards.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._jit.clock import clock
from fastqueens._jit.decorators import Kernel
from fastqueens._run.arguments import NO_LIMIT, check_seed
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop
from fastqueens._run.text import counted
from fastqueens.board import Queens, check_n
from fastqueens.checking import conflicting_queens
from fastqueens.classroom.limits import DEFAULT_LIMITS, Limits, check_run, empty_climber
from fastqueens.classroom.rules import RULES
from fastqueens.kernels import climbing as climbing_kernel
from fastqueens.kernels.plateau import PAIRS
from fastqueens.result import Recorder

#: Boards that one call of a kernel evaluates: some milliseconds, after which Ctrl-C is noticed.
LOOKS = 1 << 22

#: The same if a limit of time has to be noticed.
LOOKS_IN_TIME = 1 << 15

_BYTES_A_QUEEN = 50
_BYTES_A_RUN = 120


class Runs(NamedTuple):
    """The outcome of each run, with one entry for each seed.

    ``steps``, ``evaluations`` and ``backtracks`` are those of all climbs of a run; ``pairs`` is the least cost that any
    of them ended with. ``seconds`` are those of the processor: the mean of all runs, unless each was timed by itself.
    """

    initial_pairs: NDArray[np.int64]
    pairs: NDArray[np.int64]
    steps: NDArray[np.int64]
    restarts: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    backtracks: NDArray[np.int64]
    seconds: NDArray[np.float64]

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Which runs ended with a solution; each of these has passed the check of all its lines."""
        return np.equal(self.pairs, 0)


def run_many(
    n: int,
    rule: str,
    seeds: range,
    limits: Limits = DEFAULT_LIMITS,
    *,
    moves: str = "column",
    timed: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Runs:
    """Run a rule on one board size with each of the seeds; a run does not depend on the other runs of the batch.

    With ``timed``, or with a limit of time, each run is timed by itself, which costs some microseconds.
    """
    n = check_n(n)
    limits = check_run(n, rule, moves, limits)
    for seed in (*seeds[:1], *seeds[-1:]):
        check_seed(seed)
    callbacks = Callbacks(progress, stop)
    timed = timed or limits.time_limit is not None
    if not RULES[rule].is_seeded and len(seeds) > 1:
        one = run_many(n, rule, seeds[:1], limits, timed=timed, stop=stop)
        callbacks.poll("runs", len(seeds), len(seeds))
        return Runs(*(np.repeat(values, len(seeds)) for values in one))  # type: ignore[arg-type]
    check_memory(_BYTES_A_QUEEN * n + _BYTES_A_RUN * len(seeds), f"{len(seeds):,} runs on n = {n:,}")
    return make_runs(n, rule, moves, seeds, limits, callbacks, timed=timed)


def make_runs(
    n: int,
    rule: str,
    moves: str,
    seeds: range,
    limits: Limits,
    callbacks: Callbacks,
    *,
    timed: bool = False,
    record: Record | None = None,
    board: Queens | None = None,
) -> Runs:
    """Make runs by the kernel of their rule, in slices; ``record`` sees each slice, and ``board`` is the first."""
    climber, kernel = empty_climber(n, rule, moves, limits), kernel_of(rule)
    numbers, seconds = np.array(seeds, np.uint64), np.zeros(len(seeds))
    outcomes = np.empty((len(seeds), climbing_kernel.OUTCOME_LENGTH), np.int64)
    claimed = np.empty(2 * n // 64 + 2, np.uint64)
    cursor = np.zeros(climbing_kernel.CURSOR_LENGTH, np.int64)
    trace = np.empty((0, 5), np.int64) if record is None else record.buffer
    if board is not None:
        climber.queens[:] = board
        cursor[climbing_kernel.HAS_BOARD] = 1
    is_late = time_is_up(limits)
    kernel(climber, claimed, trace, numbers, outcomes, cursor)  # makes no run, but is compiled before time is taken
    while (first := int(cursor[climbing_kernel.RUN])) < len(seeds):
        if timed and seconds[first] == 0:
            is_late = time_is_up(limits)
        cursor[climbing_kernel.LAST] = first + 1 if timed else len(seeds)
        cursor[climbing_kernel.BUDGET] = LOOKS if limits.time_limit is None else LOOKS_IN_TIME
        climber.state[climbing_kernel.BEGUN] = climber.state[climbing_kernel.MADE]
        begun = time.thread_time()
        kernel(climber, claimed, trace, numbers, outcomes, cursor)
        now = int(cursor[climbing_kernel.RUN])
        seconds[first if timed else slice(None)] += (time.thread_time() - begun) / (1 if timed else len(seeds))
        is_under_way = bool(cursor[climbing_kernel.IS_BEGUN])
        if record is not None:
            record.add(climber, is_under_way)
        if now == first and is_under_way and is_late():
            cursor[climbing_kernel.STEPS_BEFORE] = NO_LIMIT  # which ends the run
        if cursor[climbing_kernel.REFUSED]:
            raise RuntimeError(
                f"one of the seeds {seeds[0]} to {seeds[-1]} ended with a board that is wrong "
                f"(n = {n}, rule = {rule!r}): please report this"
            )
        if record is None:
            callbacks.poll("runs", now, len(seeds))
        else:
            callbacks.poll(f"climbs ({record.so_far})", now, NO_LIMIT)
    return Runs(*outcomes.T.copy(), seconds)  # type: ignore[call-arg]


class Record:
    """Records a run, moves or boards, and the board of least cost that a climb ended with.

    ``buffer`` is the trace of a kernel, (room, 5) or (room, 5 + n), see climbing_kernel.goes_on.
    """

    def __init__(self, n: int, has_boards: bool) -> None:
        self._steps = Recorder(trace=True, moves=True)
        rows = len(self._steps.buffer)
        self.buffer = np.empty((max(1, min(rows, LOOKS_IN_TIME // n)), 5 + n) if has_boards else (rows, 5), np.int64)
        self._boards: list[NDArray[Any]] | None = [] if has_boards else None
        self._is_under_way = False
        self._cost = NO_LIMIT
        self.queens = np.empty(0, np.int32)

    def add(self, climber: climbing_kernel.Climber, is_under_way: bool) -> None:
        """Record what a call of the kernel did; ``is_under_way`` is false if a climb has ended."""
        state, boards = climber.state, climber.queens[None].copy()
        if not self._is_under_way:
            conflicting = 0 if climber.is_systematic else conflicting_queens(climber.queens)
            self._steps.begin(int(state[PAIRS]), conflicting, climber.queens)
        else:
            made = int(state[climbing_kernel.MADE] - state[climbing_kernel.BEGUN])
            self._steps.buffer[:made] = self.buffer[:made, :5]
            self._steps.add(made)
            boards = self.buffer[:made, 5:].astype(climber.queens.dtype)
        if self._boards is not None:
            self._boards.append(boards)
            check_memory(3 * sum(piece.nbytes for piece in self._boards[-2:]), "the boards of a climb")
        self._is_under_way = is_under_way
        if not is_under_way and state[PAIRS] < self._cost:
            self._cost, self.queens = int(state[PAIRS]), climber.queens.copy()

    @property
    def so_far(self) -> str:
        """How many steps and restarts were recorded."""
        restarts = f", {counted(len(self._steps.restarts), 'restart')}" if self._steps.restarts else ""
        return f"{counted(self._steps.steps, 'step')}{restarts}"

    def result(self) -> dict[str, Any]:
        """Return what a Climb holds of the record."""
        trace, steps = self._steps.result()
        boards = None if self._boards is None else np.concatenate(self._boards)
        moves, restarts = steps if boards is None else None, tuple(self._steps.restarts)
        return {"trace": trace, "moves": moves, "boards": boards, "restarts": restarts, "queens": self.queens}


def time_is_up(limits: Limits) -> Stop:
    """Return a function that tells whether the time of a run that begins now is up."""
    end = None if limits.time_limit is None else clock.seconds() + limits.time_limit
    return lambda: end is not None and clock.seconds() >= end


def kernel_of(rule: str) -> Kernel:
    """Import the kernel of a rule."""
    file, name = RULES[rule].kernel.split(".")
    kernel: Kernel = getattr(import_module(f"fastqueens.kernels.{file}"), name)
    return kernel


@dataclass
class Tally:
    """Sums over many runs of one rule on one board size: the attacking pairs of first boards, restarts and seconds.

    ``costs``, ``evaluations`` and ``backtracks`` count the runs that have each number; ``solved`` and ``failed`` count
    runs by their steps.
    """

    initial_cost: int = 0
    restarts: int = 0
    seconds: float = field(default=0.0, compare=False)
    costs: Counter[int] = field(default_factory=Counter)
    evaluations: Counter[int] = field(default_factory=Counter)
    backtracks: Counter[int] = field(default_factory=Counter)
    solved: Counter[int] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, runs: Runs) -> Tally:
        """Return the sums over some runs."""
        sums = int(runs.initial_pairs.sum()), int(runs.restarts.sum()), float(runs.seconds.sum())
        kept = runs.pairs, runs.evaluations, runs.backtracks, runs.steps[runs.solved], runs.steps[~runs.solved]
        return cls(*sums, *(Counter(values.tolist()) for values in kept))

    def add(self, other: Tally) -> None:
        """Add the sums of other runs."""
        for entry in dataclasses.fields(self):
            mine, more = getattr(self, entry.name), getattr(other, entry.name)
            if isinstance(mine, Counter):
                mine.update(more)
            else:
                setattr(self, entry.name, mine + more)

    @property
    def runs(self) -> int:
        """Number of runs."""
        return self.solved.total() + self.failed.total()


def run_batch(
    n: int,
    rule: str,
    moves: str,
    limits: Limits,
    keeps_runs: bool,
    first_seed: int,
    runs: int,
    stop: Stop | None = None,
) -> tuple[Tally, Runs | None]:
    """Return the sums of a batch, and its runs if they are kept; executors call it in their processes."""
    made = run_many(n, rule, range(first_seed, first_seed + runs), limits, moves=moves, timed=keeps_runs, stop=stop)
    return Tally.of(made), made if keeps_runs else None
