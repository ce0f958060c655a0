"""solve(): makes attempts in slices, reports progress, stops on request, and checks the answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from fastqueens.analysis.verification import find_fault
from fastqueens.core import thresholds
from fastqueens.core.board import Board, Queens
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import NoSolutionError, Stopped
from fastqueens.core.fixed_queens import Fixed
from fastqueens.core.integers import NO_LIMIT
from fastqueens.core.threads import Workers, workers_for
from fastqueens.kernels.repair import NEEDS_MIN_CONFLICTS
from fastqueens.kernels.search import BEST_PAIRS, PAIRS, SOLVED, STAGNANT, UNDER_WAY
from fastqueens.solving.attempt import Attempt, new_attempt
from fastqueens.solving.local_search import LocalSearch, min_conflicts_after_repair
from fastqueens.solving.placement import load_kernels, place
from fastqueens.solving.recorder import Recorder
from fastqueens.solving.result import Result, Timings
from fastqueens.solving.task import Task, checked_task, stagnation_limit

_KEEP_INITIAL_QUEENS = 4096


def solve(
    n: int | None = None,
    *,
    board: Board | None = None,
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
        Side of the board and number of queens. Not needed with ``board``.
    board : sequence or array of n integers, optional
        A board to start from: the row of the queen in each column, from 0. It is not changed.
    fixed : mapping of columns to rows, or (column, row) pairs, optional
        Fixed queens: they stand on these squares from the beginning, even if ``board`` has another row, and never
        move. With at most n / 60 of them there is a solution if n is large; with more there may be none.
    seed : int, optional
        From 0 to 2**64 - 1. The same n, seed and options give the same result on every machine. By default a seed is
        drawn.
    start : str
        How the first board is made, unless ``board`` is given, and the board of each restart:

        - "windowed": greedy, each queen on a free square of a random window of 64 rows; O(n), the fastest.
        - "uniform": greedy, each queen on a row drawn evenly among those of least conflict.
        - "random": each row drawn independently.
        - "permutation": a random order of all rows.

        None of them samples the solutions evenly.
    max_steps : int, optional
        Most steps over all attempts.
    restarts : int, optional
        Most restarts. An attempt ends after 10 n + 100 steps without progress. By default there is no limit; 0 if
        ``board`` is given; with fixed queens 20, and 1 from n = 100,000 on.
    max_nodes : int, optional
        If fixed queens leave at most 64 columns and local search has not filled them, a complete search tries at most
        this many squares: 10 million by default, none if 0.
    trace : bool
        Keep attacking pairs and conflicting queens before the first step and after every step (16 bytes a step).
    moves : bool
        Also keep the move of every step (24 bytes a step) and the first board of every attempt. Needs ``trace``.
    threads : int, optional
        Number of threads, by default one for each core. The result does not depend on it. Boards with n below 4
        million are made on one thread.
    out : (n,) int32 or uint32 array, optional
        Where to put the board, for example a memory-mapped file. Its dtype must be that of ``queens`` for this n. It
        becomes ``queens`` of the result.
    force : bool
        Start even if there seems to be too little memory.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` every few milliseconds. The stages are "fixed queens" (columns, if
        there are n / 3 of them or more), "allocation" (from 4 MB on), "placement" (columns), "search" (pairs
        resolved), "complete search" (squares tried, of ``max_nodes``) and "verification" (columns).
    stop : callable, optional
        Called as often. If it returns True, the search ends with what it has.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If a value is not as described here.
    NoSolutionError
        For n = 2 and n = 3; if fixed queens attack each other; if it is proved that they have no completion.
    NotEnoughMemoryError
        If the board, the arrays of the search and the trace do not fit: 5 bytes a queen from the start "windowed", 61
        from others, and 22 more for the trace of a random start. A trace is measured again as it grows.
    Stopped
        If ``stop`` returned True before there was a whole board.

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
    task = checked_task(n, board, fixed, seed, start, max_steps, restarts, max_nodes, trace, moves, out, force)
    task.check_memory()
    callbacks = Callbacks(progress, stop)
    if len(task.fixed):
        from fastqueens.solving.complete_search import check_closed_lines

        check_closed_lines(task.n, task.fixed, callbacks)
    with workers_for(task.n, threads) as workers:
        return _Run(task, workers, callbacks).result()


class _Run:
    """One call of :func:`solve`: attempts until one is solved or the budget is spent."""

    def __init__(self, task: Task, workers: Workers, callbacks: Callbacks) -> None:
        self._task = task
        self._workers = workers
        self._callbacks = callbacks
        self._seconds = dict.fromkeys(Timings._fields, 0.0)
        self._recorder = Recorder(trace=task.trace, moves=task.moves, force=task.force)
        self._steps = 0
        self._fewest_pairs = NO_LIMIT
        self._initial_queens: Queens | None = None
        self._nodes = 0

    def result(self) -> Result:
        """Search, check the board, and put the result together."""
        best = self._in_out(self._completed(self._search()))
        with self._timing("verification"):
            self._check(best)
        trace, moves = self._recorder.result()
        return Result(
            queens=best.queens,
            solved=best.pairs == 0,
            steps=self._steps,
            initial_pairs=self._recorder.initial_pairs,
            pairs=best.pairs,
            conflicting_queens=best.conflicting_queens,
            trace=trace,
            restarts=tuple(self._recorder.restarts),
            seed=self._task.seed,
            start=self._task.start_of(0),
            timings=Timings(**self._seconds),
            initial_queens=self._initial_queens,
            fixed=self._task.fixed.squares,
            nodes=self._nodes,
            moves=moves,
        )

    def _search(self) -> _Best:
        """Make attempts until one is solved, the budget is spent, or the user stops; return the best board of all."""
        best: _Best | None = None
        for number in range(self._task.restarts + 1):
            try:
                attempt, search = self._first_board(number)
            except Stopped:
                if best is None:
                    raise
                break
            with self._timing("search"):
                status, search = self._search_from(attempt, search)
            pairs = int(attempt.state[PAIRS])
            if best is None or pairs < best.pairs:
                best = _Best(pairs, search.conflicting, attempt.queens)
            if status != STAGNANT or self._steps == self._task.max_steps:
                break
        assert best is not None
        return best

    def _first_board(self, number: int) -> tuple[Attempt, LocalSearch]:
        """Allocate an attempt and place its queens."""
        task = self._task
        start = task.start_of(number)
        callbacks = self._callbacks if number == 0 else self._callbacks.without_progress()
        load_kernels(start, task.n)
        with self._timing("allocation"):
            attempt = new_attempt(
                task.n,
                seed=task.seed,
                number=number,
                stagnation_limit=stagnation_limit(task.n),
                is_windowed=start == "windowed",
                board=task.board if number == 0 else None,
                out=task.out if number == 0 else None,
                fixed=task.fixed,
                workers=self._workers,
                callbacks=callbacks,
            )
        with self._timing("placement"):
            search = place(attempt, start, self._workers, callbacks, force=task.force)
        attempt.state[BEST_PAIRS] = attempt.state[PAIRS]
        self._recorder.begin(int(attempt.state[PAIRS]), search.conflicting, attempt.queens)
        if number == 0 and task.n <= _KEEP_INITIAL_QUEENS:
            self._initial_queens = attempt.queens.copy()
        return attempt, search

    def _search_from(self, attempt: Attempt, search: LocalSearch) -> tuple[int, LocalSearch]:
        """Make steps until the board is solved, stagnant, out of steps, or the user stops."""
        task = self._task
        status = UNDER_WAY if attempt.state[PAIRS] else SOLVED
        while status == UNDER_WAY and self._steps < task.max_steps:
            max_steps = min(thresholds.current.search_slice, task.max_steps - self._steps)
            status, steps = search.advance(max_steps, stagnation_limit(task.n), self._recorder.buffer)
            self._steps += steps
            self._recorder.add(steps)
            if status == NEEDS_MIN_CONFLICTS:
                search = min_conflicts_after_repair(attempt, Callbacks(), force=task.force)
                status = UNDER_WAY
            # Pairs resolved: those of the first board minus the fewest seen in any attempt.
            self._fewest_pairs = min(self._fewest_pairs, int(attempt.state[PAIRS]))
            initial = self._recorder.initial_pairs
            resolved = max(0, initial - self._fewest_pairs)
            try:
                tell = self._callbacks.poll if status == UNDER_WAY else self._callbacks.report
                tell("search", resolved, initial)
            except Stopped:
                break
        return status, search

    def _completed(self, best: _Best) -> _Best:
        """If fixed queens leave few columns and local search has not filled them: fill them, or prove it impossible."""
        task = self._task
        if not best.pairs or not len(task.fixed):
            return best
        from fastqueens.solving import complete_search

        if task.n - len(task.fixed) > complete_search.MOST_EMPTY:
            return best
        with self._timing("search"):
            completion = complete_search.complete(task.n, task.fixed, task.max_nodes, self._callbacks)
        self._nodes = completion.nodes
        if completion.is_excluded:
            fixed = f"{len(task.fixed)} fixed queens" if len(task.fixed) > 1 else "fixed queen"
            raise NoSolutionError(
                f"no solution exists: the {fixed} cannot be completed to {task.n}, "
                f"all possibilities were tried ({completion.nodes:,} squares)"
            )
        return best if completion.queens is None else _Best(0, 0, completion.queens)

    def _in_out(self, best: _Best) -> _Best:
        """Copy the best board into the caller's array, if there is one."""
        if self._task.out is not None and best.queens is not self._task.out:
            self._task.out[:] = best.queens
            best = best._replace(queens=self._task.out)
        return best

    def _check(self, best: _Best) -> None:
        """Raise :class:`RuntimeError` if the board is not what the search says it is."""
        is_solved = best.pairs == 0
        # The stop callback ends a search with an unsolved board. That board is checked all the same, which is quick.
        callbacks = self._callbacks if is_solved else Callbacks()
        task = self._task
        fault = find_fault(best.queens, task.n, task.fixed, self._workers, callbacks, is_solved=is_solved)
        if fault is not None:
            raise RuntimeError(f"the search ended with a board that is wrong, please report this: {fault}; {task}")

    @contextmanager
    def _timing(self, part: str) -> Iterator[None]:
        """Add the time that the block takes to the seconds of a part of the work."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[part] += time.perf_counter() - begun


class _Best(NamedTuple):
    """The board with the fewest pairs among those with which the attempts ended."""

    pairs: int
    conflicting_queens: int
    queens: Queens
