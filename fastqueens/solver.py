"""The driver: validates, allocates, calls kernels in slices, reports progress, stops on request, checks the answer."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, NoSolutionError, Queens, as_queens, check_solvable, row_dtype, size_of
from fastqueens.counting import is_solution_checked
from fastqueens.engines import Attempt, Engine, Exact, empty_bitsets, load_kernels, make_board, new_attempt
from fastqueens.exact import MOST_EMPTY, check_open, complete
from fastqueens.given import Fixed, Given, given_queens
from fastqueens.kernels.repair import HAND_OVER
from fastqueens.kernels.search import BEST_PAIRS, PAIRS, SOLVED, STAGNANT, UNDER_WAY
from fastqueens.machine import check_memory
from fastqueens.result import Moves, Result, Timings, Trace
from fastqueens.watch import Progress, Stop, Stopped, Watch, slices
from fastqueens.workers import Workers, workers_for

#: How a first board can be made; "given" stands in a result for a board of the user's own.
STARTS = ("windowed", "uniform", "random", "permutation")

_LARGEST_SEED = 2**64 - 1
_KEEP_INITIAL_QUEENS = 4096

# Restarts on a board with given queens: so many at the most, and columns placed in all of them.
_MOST_RESTARTS_WITH_GIVEN = 20
_COLUMNS_WITH_GIVEN = 200_000

#: Squares that the exact search tries, where it is not told how many: some seconds.
MAX_NODES = 10**7

_PAGE = 4096
_TOUCHED_FROM = 1 << 22
_NO_LIMIT = 2**62

# Steps in a slice of some 20 ms: what Ctrl-C and a progress bar wait for.
_SLICE = 1 << 14

# Bytes a queen at the peak, with some air: see docs/algorithm.md.
_BYTES_A_QUEEN = {"windowed": 5.0, "exact": 61.0}


def solve(
    n: int | None = None,
    *,
    board: Sequence[int] | NDArray[Any] | None = None,
    fixed: Fixed | None = None,
    seed: int | None = None,
    start: str = "windowed",
    max_steps: int | None = None,
    restarts: int | None = None,
    max_nodes: int | None = None,
    trace: bool = True,
    moves: bool = False,
    threads: int | None = None,
    out: Queens | None = None,
    force: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Result:
    """Place n queens so that none attacks another, by a greedy placement and min-conflicts.

    Parameters
    ----------
    n : int, optional
        Side of the board and number of queens; not needed beside ``board``.
    board : sequence or array of n integers, optional
        A board to start from: the row of the queen in each column, from 0. It is not changed.
    fixed : mapping of columns to rows, or (column, row) pairs, optional
        Queens that are given: they stand there from the beginning, also where ``board`` has another row, and never
        move. With up to n / 60 of them there is a solution if n is large; with more there may be none.
    seed : int, optional
        From 0 to 2**64 - 1. Same n, seed and options: the same result, anywhere. One is drawn if none is given.
    start : str
        How the first board is made where none is given, and the board of each restart:

        - "windowed": greedy, each queen on a free square of a random window of 64 rows; O(n), the fastest.
        - "uniform": greedy, each queen on a row drawn evenly among those of least conflict (document 001).
        - "random": each row drawn for itself.
        - "permutation": a random order of all rows.

        None of them samples the solutions evenly.
    max_steps : int, optional
        Bound on the steps over all restarts.
    restarts : int, optional
        How often the search may begin again with a new board after 10 n + 100 steps without progress. Until solved
        if not given; from a given board none unless asked for; with given queens 20 at the most, from n = 100,000 on 1.
    max_nodes : int, optional
        Where given queens leave at most 64 columns and the search has not filled them: so many squares are tried by an
        exact search, 10 million if not given; 0 for none.
    trace : bool
        Keep pairs and conflicting queens before the first step and after every one (16 bytes a step).
    moves : bool
        Keep the move of every step too (24 bytes a step), and the first board of every attempt; needs ``trace``.
    threads : int, optional
        How many to use, all cores if not given. The result does not depend on it; boards of less than 4 million
        queens are made on one.
    out : (n,) int32 or uint32 array, optional
        Where to put the board, for example a memory-mapped file; of the dtype that ``queens`` has for this n. It
        becomes ``queens`` of the result.
    force : bool
        Begin even where there seems to be too little memory.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` every few milliseconds; the stages are "given queens" (columns, from
        n / 3 of them on), "allocation" (from 4 MB on), "placement" (columns), "search" (pairs resolved),
        "exact search" (squares tried, of ``max_nodes``) and "verification" (columns).
    stop : callable, optional
        Called as often; where it gives True the search ends with what it has.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        Where a value is not as described here.
    NoSolutionError
        For n = 2 and n = 3; where given queens attack each other, or are proved to admit no solution.
    NotEnoughMemoryError
        Where the board and what works on it would not fit: 5 bytes a queen, 61 for starts other than "windowed".
    Stopped
        Where ``stop`` said so before there was a whole board.

    Examples
    --------
    >>> result = solve(8, seed=1)
    >>> result.solved, len(result.queens)
    (True, 8)
    >>> solve(board=[0, 1, 2, 3, 4], seed=1).pairs
    0
    >>> solve(8, fixed={1: 3, 3: 4}, seed=1).queens[[1, 3]]
    array([3, 4], dtype=int32)
    """
    task = _checked_task(n, board, fixed, seed, start, max_steps, restarts, max_nodes, trace, moves, out)
    if not force:
        check_memory(task.need, f"solving n = {task.n:,}" + (f" from a {task.start} board" if task.is_exact else ""))
    watch = Watch(progress, stop)
    check_open(task.n, task.given, watch)
    with workers_for(task.n, threads) as workers:
        return _Run(task, workers, watch).result()


@dataclass(frozen=True)
class _Task:
    """What was asked for, validated."""

    n: int
    board: Queens | None
    given: Given
    seed: int
    start: str
    max_steps: int
    restarts: int
    max_nodes: int
    trace: bool
    moves: bool
    out: Queens | None

    @property
    def is_exact(self) -> bool:
        """Whether the first board goes straight to the exact search."""
        return self.board is not None or self.start != "windowed"

    @property
    def need(self) -> int:
        """Bytes at the peak, the board not counted where it is the caller's."""
        a_queen = _BYTES_A_QUEEN["exact" if self.is_exact else "windowed"] - (0 if self.out is None else 4)
        return int(self.n * a_queen)

    def start_of(self, number: int) -> str:
        """How the first board of an attempt is made."""
        return "given" if self.board is not None and number == 0 else self.start


def _checked_task(
    n: int | None,
    board: Sequence[int] | NDArray[Any] | None,
    fixed: Fixed | None,
    seed: int | None,
    start: str,
    max_steps: int | None,
    restarts: int | None,
    max_nodes: int | None,
    trace: bool,
    moves: bool,
    out: Queens | None,
) -> _Task:
    check_start(start)
    if moves and not trace:
        raise InputError("moves is True and trace is False: moves are kept beside a trace")
    queens = None if board is None else as_queens(board)
    size = size_of(n, queens)
    check_solvable(size)
    given = given_queens(fixed, size)
    if seed is None:
        seed = secrets.randbelow(10**9)
    if restarts is None and queens is not None:
        restarts = 0
    elif restarts is None and len(given):
        restarts = restarts_with_given(size)
    return _Task(
        n=size,
        board=queens,
        given=given,
        seed=check_seed(seed),
        start=start,
        max_steps=check_limit(max_steps, "max_steps"),
        restarts=check_limit(restarts, "restarts"),
        max_nodes=check_limit(MAX_NODES if max_nodes is None else max_nodes, "max_nodes"),
        trace=trace,
        moves=moves,
        out=None if out is None else _checked_out(out, size),
    )


def _checked_out(out: Queens, n: int) -> Queens:
    wanted = np.dtype(row_dtype(n))
    if not isinstance(out, np.ndarray) or out.dtype != wanted or out.shape != (n,):
        raise InputError(f"out is {_described(out)}: a one-dimensional array of {n} {wanted} is needed")
    if not (out.flags.writeable and out.flags.c_contiguous):
        raise InputError("out: a writeable array without gaps is needed")
    return out


def _described(out: object) -> str:
    return f"an array of {out.dtype}, shape {out.shape}" if isinstance(out, np.ndarray) else repr(out)


def check_start(start: str) -> None:
    """Raise :class:`InputError` where ``start`` names no way to make a board."""
    if start not in STARTS:
        raise InputError(f"start is {start!r}: it is one of {', '.join(STARTS)}")


def check_seed(seed: int) -> int:
    """Give a seed back, or raise :class:`InputError` where it is no number from 0 to 2**64 - 1."""
    return _whole_number(seed, "seed", _LARGEST_SEED)


def check_limit(limit: int | None, name: str) -> int:
    """Give a limit back, a number that is never reached for None; raise :class:`InputError` below 0."""
    return _NO_LIMIT if limit is None else _whole_number(limit, name, _NO_LIMIT)


def _whole_number(value: int, name: str, largest: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputError(f"{name} is {value!r}: a whole number is needed")
    if not 0 <= value <= largest:
        raise InputError(f"{name} is {value}: it goes from 0 to {largest}")
    return int(value)


def restarts_with_given(n: int) -> int:
    """Restarts, where none are asked for, on a board with given queens, which may have no solution at all.

    On large boards an attempt takes long and ends as the one before.

    >>> restarts_with_given(8), restarts_with_given(40_000), restarts_with_given(10**6)
    (20, 5, 1)
    """
    return max(1, min(_MOST_RESTARTS_WITH_GIVEN, _COLUMNS_WITH_GIVEN // n))


def patience(n: int) -> int:
    """Steps without a new minimum of ``pairs`` after which an attempt is given up.

    Measured over 1000 seeds for n = 4 to 300: longer mostly adds steps to the runs that restart, and with n + 50
    three times as many runs restart at n = 10. The table stands in docs/algorithm.md.
    """
    return 10 * n + 100


class _Run:
    """One call of :func:`solve`: attempts until one is solved or the budget is spent."""

    def __init__(self, task: _Task, workers: Workers, watch: Watch) -> None:
        self._task = task
        self._workers = workers
        self._watch = watch
        self._clock = _Clock()
        self._recorder = _Recorder(task.trace, task.moves)
        self._steps = 0
        self._fewest_pairs = _NO_LIMIT
        self._initial_queens: Queens | None = None
        self._nodes = 0

    def result(self) -> Result:
        """Search, check, and put together what is given back."""
        best = self._searched_exactly(self._search())
        with self._clock.timing("verification"):
            solved = best.pairs == 0 and is_solution_checked(best.queens, self._workers, self._watch)
        if best.pairs == 0 and not solved:
            raise RuntimeError(f"the search ended with a board that is wrong, please report this: {self._task}")
        return Result(
            queens=best.queens,
            solved=solved,
            steps=self._steps,
            initial_pairs=self._recorder.initial_pairs,
            pairs=best.pairs,
            conflicting_queens=best.conflicting_queens,
            trace=self._recorder.trace(),
            restarts=tuple(self._recorder.restarts),
            seed=self._task.seed,
            start=self._task.start_of(0),
            timings=Timings(**self._clock.seconds),
            initial_queens=self._initial_queens,
            fixed=np.stack([self._task.given.columns, self._task.given.rows], axis=1),
            nodes=self._nodes,
            moves=self._recorder.moves(),
        )

    def _search(self) -> _Best:
        """Make attempts until one is solved, the budget is spent, or somebody says stop; the best board of all."""
        best: _Best | None = None
        for number in range(self._task.restarts + 1):
            try:
                attempt, engine = self._first_board(number)
            except Stopped:
                if best is None:
                    raise
                break
            with self._clock.timing("search"):
                status, engine = self._search_from(attempt, engine)
            pairs = int(attempt.state[PAIRS])
            if best is None or pairs < best.pairs:
                best = _Best(pairs, engine.conflicting, attempt.queens)
            if status != STAGNANT or self._steps == self._task.max_steps:
                break
        assert best is not None
        return self._in_its_place(best)

    def _searched_exactly(self, best: _Best) -> _Best:
        """Where given queens leave few columns that local search has not filled: fill them, or prove that none can."""
        task = self._task
        if not best.pairs or not len(task.given) or task.n - len(task.given) > MOST_EMPTY:
            return best
        with self._clock.timing("search"):
            completion = complete(task.n, task.given, task.max_nodes, self._watch)
        self._nodes = completion.nodes
        if completion.is_excluded:
            given = f"{len(task.given)} given queens" if len(task.given) > 1 else "given queen"
            raise NoSolutionError(
                f"no solution exists: the {given} cannot be completed to {task.n}, "
                f"all possibilities were tried ({completion.nodes:,} squares)"
            )
        return best if completion.queens is None else self._in_its_place(_Best(0, 0, completion.queens))

    def _in_its_place(self, best: _Best) -> _Best:
        """The best board where the caller wants it."""
        if self._task.out is not None and best.queens is not self._task.out:
            self._task.out[:] = best.queens
            best = best._replace(queens=self._task.out)
        return best

    def _first_board(self, number: int) -> tuple[Attempt, Engine]:
        task = self._task
        start = task.start_of(number)
        watch = self._watch if number == 0 else self._watch.without_progress()
        load_kernels(start, task.n)
        with self._clock.timing("allocation"):
            board, out = (task.board, task.out) if number == 0 else (None, None)
            attempt = new_attempt(task.n, board, task.seed, number, patience(task.n), out, task.given)
            bitsets = empty_bitsets(task.n, task.given) if start == "windowed" else None
            for array in () if bitsets is None else (attempt.queens, *bitsets):
                self._touch(array, watch)
        with self._clock.timing("placement"):
            engine = make_board(attempt, bitsets, start, self._workers, watch)
        attempt.state[BEST_PAIRS] = attempt.state[PAIRS]
        self._recorder.begin(int(attempt.state[PAIRS]), engine.conflicting, attempt.queens)
        if number == 0 and task.n <= _KEEP_INITIAL_QUEENS:
            self._initial_queens = attempt.queens.copy()
        return attempt, engine

    def _touch(self, array: NDArray[Any], watch: Watch) -> None:
        """Write into every page of a large array, on all threads: the system gives memory only then."""
        if array.nbytes < _TOUCHED_FROM:
            return

        def touch(first: int) -> None:
            array[first : first + _TOUCHED_FROM : _PAGE // array.itemsize] = 0

        for begun, end in slices(len(array), _TOUCHED_FROM * self._workers.threads):
            self._workers.each(touch, range(begun, end, _TOUCHED_FROM))
            watch.look("allocation", end, len(array))

    def _search_from(self, attempt: Attempt, engine: Engine) -> tuple[int, Engine]:
        """Make steps until solved, stagnant, out of steps, or asked to stop."""
        task = self._task
        status = UNDER_WAY if attempt.state[PAIRS] else SOLVED
        while status == UNDER_WAY and self._steps < task.max_steps:
            max_steps = min(_SLICE, task.max_steps - self._steps)
            status, steps = engine.advance(max_steps, patience(task.n), self._recorder.buffer)
            self._steps += steps
            self._recorder.add(steps)
            if status == HAND_OVER:
                engine = Exact(attempt, Watch())
                status = UNDER_WAY
            # Pairs resolved: those of the first board less the fewest seen in any attempt.
            self._fewest_pairs = min(self._fewest_pairs, int(attempt.state[PAIRS]))
            initial = self._recorder.initial_pairs
            resolved = max(0, initial - self._fewest_pairs)
            try:
                look = self._watch.look if status == UNDER_WAY else self._watch.report
                look("search", resolved, initial)
            except Stopped:
                break
        return status, engine


class _Best(NamedTuple):
    """The board of least pairs that any attempt has ended with."""

    pairs: int
    conflicting_queens: int
    queens: Queens


class _Clock:
    """Seconds spent in each part of the work, over all attempts."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(Timings._fields, 0.0)

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] += time.perf_counter() - begun


class _Recorder:
    """Collects the trace, and the moves, slice by slice, over all attempts."""

    def __init__(self, wanted: bool, with_moves: bool) -> None:
        # As wide as the kernels are to note: pairs and conflicting queens, and the three numbers of a move.
        self.buffer = np.empty((_SLICE if wanted else 0, 5 if with_moves else 2), np.int64)
        self.initial_pairs = 0
        self.restarts: list[int] = []
        self._first_boards: list[Queens] = []
        self._pieces: list[NDArray[np.int64]] = []
        self._length = 0

    def begin(self, pairs: int, conflicting: int, queens: Queens) -> None:
        """Note the first board of an attempt."""
        if self._length == 0:
            self.initial_pairs = pairs
        else:
            self.restarts.append(self._length)
        if self._has_moves:
            self._first_boards.append(queens.copy())
        entry = [pairs, conflicting, 0, 0, 0][: self.buffer.shape[1]]
        self._keep(np.array([entry], np.int64), 1)

    def add(self, steps: int) -> None:
        """Note the steps that a kernel has written into the buffer."""
        self._keep(self.buffer[:steps].copy(), steps)

    def trace(self) -> Trace | None:
        """All entries; None where no trace was wanted."""
        if not len(self.buffer):
            return None
        pairs, conflicting = np.concatenate([piece[:, :2] for piece in self._pieces]).T.copy()
        return Trace(pairs, conflicting)

    def moves(self) -> Moves | None:
        """All moves; None where none were wanted."""
        if not self._has_moves:
            return None
        steps = np.concatenate([piece[:, 2:] for piece in self._pieces])
        return Moves(np.stack(self._first_boards), np.delete(steps, [0, *self.restarts], axis=0))

    @property
    def _has_moves(self) -> bool:
        return self.buffer.shape[1] > 2

    def _keep(self, entries: NDArray[np.int64], count: int) -> None:
        self._length += count
        if len(self.buffer):
            self._pieces.append(entries)
