"""Seeded runs of an algorithm in compiled calls, recorded or not, and sums over many of them.

Every run begins on the board of ``start="random"`` for its seed, so that algorithms can be compared on the same boards.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._jit.decorators import Kernel
from fastqueens._run import clock
from fastqueens._run.arguments import NO_LIMIT, check_limit, later_seed
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Stop
from fastqueens._run.text import counted
from fastqueens.board import Queens, row_dtype
from fastqueens.checking import conflicting_queens
from fastqueens.classroom.algorithms import ALGORITHMS, DEFAULT_LIMITS, MOVES, Limits, restarts_of, tries_of
from fastqueens.errors import InputError, Stopped
from fastqueens.instance import make_instance
from fastqueens.kernels import climbing as climbing_kernel
from fastqueens.kernels.min_conflicts import Lines
from fastqueens.kernels.plateau import PAIRS, PlateauMemory
from fastqueens.local_search import stagnation_limit
from fastqueens.placement.arrays import empty_lines, empty_plateau_memory
from fastqueens.recorder import Recorder

#: Boards that one call of a kernel evaluates: a few milliseconds, after which Ctrl-C is noticed.
LOOKS = 1 << 22

#: The same if a limit of time has to be noticed.
LOOKS_IN_TIME = 1 << 15

_BYTES_PER_QUEEN = 50
_BYTES_PER_RUN = 120

# The temperature at which annealing ends; a start below it ends at a tenth of itself.
_COLDEST = 0.1

_MOST_LEVELS = 100_000

# Temperatures of the logarithmic schedule, which is too slow to end by itself.
_LOGARITHMIC_LEVELS = 1000

# The 97.5 % quantile of the normal distribution: 95 % of it lie between -z and z.
_Z = statistics.NormalDist().inv_cdf(0.975)

# For algorithms without them, since the kernels of all algorithms take a climber of one type.
_NO_PAIRS, _NO_COLUMNS, _NO_WORDS = np.empty((0, 2), np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint64)
_NO_LISTS = _NO_COLUMNS, _NO_COLUMNS, _NO_COLUMNS, _NO_COLUMNS
_NO_LINES = Lines(_NO_PAIRS, _NO_PAIRS, _NO_PAIRS, *_NO_LISTS, _NO_WORDS, _NO_WORDS)
_NO_MEMORY = PlateauMemory(_NO_WORDS, _NO_COLUMNS, np.empty(0, np.int64))


class Runs(NamedTuple):
    """The outcome of each run, with one entry for each seed.

    ``steps``, ``evaluations`` and ``backtracks`` are sums over all climbs of a run; ``pairs`` is the least cost that
    any of them ended with. ``seconds`` is processor time: the mean of all runs, unless each was timed by itself.
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
        """Whether each run ended with a solution, checked on all its lines."""
        return np.equal(self.pairs, 0)


def run_many(
    n: int,
    algorithm: str,
    seeds: range,
    limits: Limits = DEFAULT_LIMITS,
    *,
    moves: str = "column",
    timed: bool = False,
    stop: Stop | None = None,
) -> Runs:
    """Run an algorithm on one board size with each of the seeds; a run does not depend on the other runs of the batch.

    The arguments are not validated. With ``timed``, or with a time limit, each run is timed by itself, which costs
    a few microseconds. After a stop, the ``partial`` of :class:`Stopped` has the runs before the one that was stopped.
    """
    timed = timed or limits.time_limit is not None
    if not ALGORITHMS[algorithm].is_seeded and len(seeds) > 1:
        one = run_many(n, algorithm, seeds[:1], limits, timed=timed, stop=stop)
        return Runs(*(np.repeat(values, len(seeds)) for values in one))  # type: ignore[arg-type]
    check_memory(_BYTES_PER_QUEEN * n + _BYTES_PER_RUN * len(seeds), f"{len(seeds):,} runs on n = {n:,}")
    return make_runs(n, algorithm, moves, seeds, limits, Callbacks(None, stop), timed=timed)


def make_runs(
    n: int,
    algorithm: str,
    moves: str,
    seeds: range,
    limits: Limits,
    callbacks: Callbacks,
    *,
    timed: bool = False,
    record: ClimbRecorder | None = None,
    board: Queens | None = None,
) -> Runs:
    """Make runs by the kernel of their algorithm, in slices; ``record`` sees each slice, and ``board`` is the first.

    After a stop, the ``partial`` of :class:`Stopped` has the finished runs, unless there is a record.
    """
    climber, kernel = empty_climber(n, algorithm, moves, limits), kernel_of(algorithm)
    numbers = np.arange(len(seeds), dtype=np.uint64) + np.uint64(later_seed(seeds.start, 0))  # modulo 2^64
    seconds = np.zeros(len(seeds))
    outcomes = np.empty((len(seeds), climbing_kernel.OUTCOME_LENGTH), np.int64)
    claimed = np.empty(2 * n // 64 + 2, np.uint64)
    cursor = np.zeros(climbing_kernel.CURSOR_LENGTH, np.int64)
    trace = np.empty((0, 5), np.int64) if record is None else record.buffer
    if board is not None:
        climber.queens[:] = board
        cursor[climbing_kernel.HAS_BOARD] = 1
    seconds_per_run = math.inf if limits.time_limit is None else limits.time_limit
    end = clock.seconds() + seconds_per_run
    kernel(climber, claimed, trace, numbers, outcomes, cursor)  # makes no run, but is compiled before time is taken
    while (first := int(cursor[climbing_kernel.RUN])) < len(seeds):
        if timed and seconds[first] == 0:
            end = clock.seconds() + seconds_per_run
        cursor[climbing_kernel.LAST] = first + 1 if timed else len(seeds)
        cursor[climbing_kernel.BUDGET] = LOOKS if limits.time_limit is None else LOOKS_IN_TIME
        climber.state[climbing_kernel.BEGUN] = climber.state[climbing_kernel.MADE]
        begun = time.thread_time()
        kernel(climber, claimed, trace, numbers, outcomes, cursor)
        now = int(cursor[climbing_kernel.RUN])
        seconds[first] += time.thread_time() - begun
        is_under_way = bool(cursor[climbing_kernel.IS_BEGUN])
        if record is not None:
            record.add(climber, is_under_way)
        if now == first and is_under_way and clock.seconds() >= end:
            cursor[climbing_kernel.STEPS_BEFORE] = NO_LIMIT  # which ends the run
        if cursor[climbing_kernel.REFUSED]:
            raise RuntimeError(
                f"one of the seeds {seeds[0]} to {seeds[-1]} ended with a board that is wrong "
                f"(n = {n}, algorithm = {algorithm!r}): please report this"
            )
        stage, total = ("runs", len(seeds)) if record is None else (f"climbs ({record.so_far})", NO_LIMIT)
        try:
            callbacks.poll(stage, now, total)
        except Stopped as stopped:
            if record is None:
                stopped.partial = _finished(outcomes[:now], seconds[:now], timed=timed)
            raise
    return _finished(outcomes, seconds, timed=timed)


def _finished(outcomes: NDArray[np.int64], seconds: NDArray[np.float64], *, timed: bool) -> Runs:
    """Return finished runs. ``seconds`` has the time of each kernel call at the first run that the call worked on."""
    if not timed and len(seconds):
        seconds[:] = seconds.mean()
    return Runs(*outcomes.T.copy(), seconds.copy())  # type: ignore[call-arg]


def kernel_of(algorithm: str) -> Kernel:
    """Import the kernel of an algorithm."""
    file, name = ALGORITHMS[algorithm].kernel.split(".")
    kernel: Kernel = getattr(import_module(f"fastqueens.kernels.{file}"), name)
    return kernel


def empty_climber(n: int, algorithm: str, moves: str, limits: Limits) -> climbing_kernel.Climber:
    """Allocate the arrays of a climb; its kernel initialises them."""
    row = ALGORITHMS[algorithm]
    options = row.options
    k = limits.beam if "beam" in options else limits.population if "population" in options else 0
    squares = n if row.has_domains else 0
    sideways = stagnation_limit(n) if row.has_lines else limits.sideways if "sideways" in options else 0
    costs = n * (n - 1) // 2 + 1 if k else 0
    check_memory(8 * (squares**2 + costs + k * n), f"{algorithm} on n = {n:,}")
    return climbing_kernel.Climber(
        queens=np.empty(n, row_dtype(n)),
        rows=np.empty(n, np.int64),
        sums=np.empty(2 * n, np.int64),
        differences=np.empty(2 * n, np.int64),
        state=np.empty(climbing_kernel.CLIMB_STATE_LENGTH, np.int64),
        moves=list(MOVES).index(moves),
        sideways_limit=sideways,
        tries=tries_of(algorithm, moves, limits, n),
        odds=_odds(limits, n) if "temperature" in options else np.empty((0, 0), np.uint64),
        level_length=1 if limits.cool_after == "proposal" else n * n,
        mutation=np.uint64(min(int(limits.mutation * 2**64), 2**64 - 1)),
        max_steps=check_limit(limits.max_steps, "max_steps"),
        max_evaluations=check_limit(limits.max_evaluations, "max_evaluations"),
        restarts=check_limit(restarts_of(algorithm, limits, n), "restarts"),
        is_systematic=int(not row.is_seeded),
        boards=np.empty((2 * k, n), row_dtype(n)),
        keys=np.empty(k, np.uint64),
        picks=np.empty((k if row.is_seeded else n, 5), np.int64),
        counts=np.empty(costs, np.int64),
        removed=np.empty((squares, squares), np.int64),
        lines=empty_lines(make_instance(n)) if row.has_lines else _NO_LINES,
        memory=empty_plateau_memory(n, sideways) if row.has_lines else _NO_MEMORY,
    )


def temperatures(limits: Limits) -> list[float]:
    """Return the temperatures of annealing in order."""
    start, cooling = limits.temperature, limits.cooling
    coldest = _COLDEST if start >= _COLDEST else start / 10
    if limits.schedule == "geometric":
        levels = math.floor(math.log(start / coldest) / -math.log(cooling)) + 1
        heats: Iterator[float] = (start * cooling**level for level in range(levels))
    elif limits.schedule == "linear":
        levels = math.floor((start - coldest) / (start * (1 - cooling))) + 1
        heats = (start - start * (1 - cooling) * level for level in range(levels))
    else:
        levels = _LOGARITHMIC_LEVELS
        heats = takewhile(lambda heat: heat >= coldest, (start / (1 + math.log1p(level)) for level in range(levels)))
    if levels > _MOST_LEVELS:
        raise InputError(
            f"cooling is {cooling}: it would give {levels:,} temperatures, and at most {_MOST_LEVELS:,} fit; lower it"
        )
    return list(heats)


def _odds(limits: Limits, n: int) -> NDArray[np.uint64]:
    """Return 2**64 exp(-rise / temperature) for each temperature and each rise of the cost from 1 on."""
    # The odds of larger rises are below one in 2**64, and none is larger than the number of pairs.
    most = min(math.ceil(64 * math.log(2) * limits.temperature), max(1, n * (n - 1) // 2))
    rises = range(1, most + 1)
    rows = [[int(math.exp(-rise / heat) * 2**64) for rise in rises] for heat in temperatures(limits)]
    return np.array(rows, np.uint64)


class ClimbRecorder:
    """The record of a run: its moves or boards, and the board of least cost that a climb ended with.

    ``buffer`` is the trace of a kernel, (room, 5) or (room, 5 + n), see goes_on in kernels/climbing.py.
    """

    def __init__(self, n: int, has_boards: bool) -> None:
        self._steps = Recorder("moves")
        # A recorded step takes O(n): it counts the conflicting queens, and may copy the board.
        room = max(1, min(len(self._steps.buffer), (LOOKS_IN_TIME if has_boards else LOOKS) // n))
        self.buffer = np.empty((room, 5 + n if has_boards else 5), np.int64)
        self._boards: list[NDArray[Any]] | None = [] if has_boards else None
        self._is_under_way = False
        self._cost = NO_LIMIT
        self.queens = np.empty(0, np.int32)

    def add(self, climber: climbing_kernel.Climber, is_under_way: bool) -> None:
        """Record one call of the kernel; ``is_under_way`` is false if a climb has ended."""
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
        """The numbers of steps and restarts so far, in words."""
        restarts = f", {counted(len(self._steps.restarts), 'restart')}" if self._steps.restarts else ""
        return f"{counted(self._steps.steps, 'step')}{restarts}"

    def result(self) -> dict[str, Any]:
        """Return the record as arguments of a Climb."""
        trace, steps = self._steps.trace_and_moves()
        boards = None if self._boards is None else np.concatenate(self._boards)
        moves, restarts = steps if boards is None else None, tuple(self._steps.restarts)
        return {"trace": trace, "moves": moves, "boards": boards, "restarts": restarts, "queens": self.queens}


@dataclass
class Tally:
    """Sums over many runs of one algorithm on one board size: attacking pairs of first boards, restarts and seconds.

    ``costs``, ``evaluations`` and ``backtracks`` map each value to the number of runs that have it; ``solved`` and
    ``failed`` count runs by their steps.
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
    algorithm: str,
    moves: str,
    limits: Limits,
    keeps_runs: bool,
    first_seed: int,
    runs: int,
    stop: Stop | None = None,
) -> tuple[Tally, Runs | None]:
    """Return the sums of a batch, and its runs if they are kept; executors call it in their processes.

    After a stop, these are the runs before the one that was stopped.
    """
    try:
        made = run_many(
            n, algorithm, range(first_seed, first_seed + runs), limits, moves=moves, timed=keeps_runs, stop=stop
        )
    except Stopped as stopped:
        made = stopped.partial
    return Tally.of(made), made if keeps_runs else None


def moments(counts: Mapping[int, int]) -> tuple[float | None, float | None]:
    """Return mean and standard deviation of a sample, given as {value: count}; None if it is too small."""
    total = sum(counts.values())
    # Whole numbers, because a small difference of large floats would lose its digits.
    first, second = (sum(value**power * count for value, count in counts.items()) for power in (1, 2))
    variance = (total * second - first**2) / (total * (total - 1)) if total > 1 else None
    return first / total if total else None, None if variance is None else math.sqrt(variance)


def wilson_interval(successes: int, runs: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a success rate, which also holds if hardly any or nearly all runs succeed.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (1927).
    """
    return _lower_end(successes, runs), 1 - _lower_end(runs - successes, runs)


def _lower_end(successes: int, runs: int) -> float:
    """Return the lower end of the interval; the formula is rearranged, because its difference would lose digits."""
    root = _Z * math.sqrt(_Z**2 + 4 * successes * (runs - successes) / runs)
    return 2 * successes**2 / (runs * (2 * successes + _Z**2 + root))
