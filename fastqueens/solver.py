"""``solve()``, and the run behind it: local search and complete search in turns, then the check of the board."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from fastqueens._jit.clock import clock
from fastqueens._run import thresholds
from fastqueens._run.arguments import NO_LIMIT, SWEEPS, is_integer
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens._run.threads import Workers, checked_threads
from fastqueens.board import Board, Queens, as_queens
from fastqueens.checking import check_same_n, find_fault
from fastqueens.errors import InputError, NoSolutionError, OutOfTime, Stopped
from fastqueens.instance import Constraints, Instance
from fastqueens.kernels.plateau import BEST_PAIRS, PAIRS, SOLVED, UNDER_WAY
from fastqueens.kernels.repair import NEEDS_MIN_CONFLICTS
from fastqueens.placement.arrays import Attempt, new_attempt
from fastqueens.placement.first_boards import LocalSearch, min_conflicts_after_repair, place
from fastqueens.result import Recorder, Result, Timings
from fastqueens.task import Task, check_method, checked_task, most_empty, stagnation_limit

if TYPE_CHECKING:
    from fastqueens._run.executors import Executor
    from fastqueens.exact.complete_search import CompleteSearch

_KEEP_INITIAL_QUEENS = 4096

#: A board of this n that is solved to be shown is mixed: a larger one would take minutes, a smaller one looks the same.
MIXED = range(10_000, 10_000_001)


@shows_progress
def solve(
    n: int | Instance | None = None,
    *,
    board: Board | None = None,
    method: str = "auto",
    seed: int | None = None,
    start: str = "windowed",
    max_steps: int | None = None,
    restarts: int | None = None,
    max_nodes: int | None = None,
    time_limit: float | None = None,
    trace: bool = True,
    moves: bool = False,
    mix: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    out: Queens | str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **constraints: Unpack[Constraints],
) -> Result:
    """Place n queens so that none attacks another, by a greedy placement and min-conflicts.

    Parameters
    ----------
    n : int or Instance, optional
        Side of the board and number of queens, or an instance, which holds n and all constraints; see
        :func:`fastqueens.make_instance` and :func:`fastqueens.read_instance`. Not needed with ``board``.
    board : sequence or array of n integers, optional
        A board to start from: the row of the queen in each column, from 0. It is not changed.
    method : str
        What looks for a solution. On a free board it is always local search, unless "complete" is asked for.

        - "auto": local search and complete search take turns with growing budgets. If at most 64 columns have no fixed
          queen, complete search goes first, unless there is a ``board``; if at most 20, local search only follows when
          ``max_nodes`` is spent.
        - "local": local search only. It cannot prove that there is no solution.
        - "complete": complete search only, for at most 256 columns without a fixed queen.
    seed : int, optional
        From 0 to 2**64 - 1; drawn by default. In one version, the same n, seed and options give the same result on any
        machine.
    start : str
        How the first board is made, unless ``board`` is given, and the board of each restart:

        - "windowed": greedy, each queen on a free square of a random window of 64 rows; O(n), the fastest.
        - "uniform": greedy, each queen on a row drawn evenly among those of least conflict.
        - "random": each row drawn independently.
        - "permutation": a random order of all rows.

        None of them samples the solutions evenly; ``mix`` does, nearly.
    max_steps : int, optional
        Most steps over all attempts.
    restarts : int, optional
        Most restarts. An attempt ends after 10 n + 100 steps without progress. By default there is no limit; 0 if
        ``board`` is given; with constraints 200,000 / n, from 1 to 20.
    max_nodes : int, optional
        Most squares that the complete search tries: 100 million by default, without limit with the method "complete".
    time_limit : float, optional
        Seconds after which the search ends with what it has, besides those of compiling. Where it ends depends on the
        machine.
    trace : bool
        Keep attacking pairs and conflicting queens before the first step and after every step (16 bytes a step).
    moves : bool
        Also keep the move of every step (24 bytes a step) and the first board of every attempt. Needs ``trace``.
    mix : int, optional
        Mix the solution for this number of sweeps, of n hops each, and on to the next solution: a Markov chain takes
        queens off and puts them back elsewhere until the solution is nearly uniformly random among all. After 5 sweeps,
        about 1 % of the queens are where they were, and the density is that of random solutions; see
        :func:`fastqueens.sample` and docs/sampling.md. A hop takes 40 to 80 ns up to n = 10^6.
    threads : int, optional
        Number of threads, by default one for each core. The result does not depend on it. Boards with n below 4
        million are made on one thread. With an executor, the number of its workers; by default the executor is asked.
    executor : executor, optional
        With the method "complete" and at most 64 columns without a fixed queen: searches elsewhere what takes more than
        two million squares. A pool of ``concurrent.futures``, or the ``Client`` of a Dask cluster; it is not closed.
        The result does not depend on it.
    checkpoint : str or path, optional
        For the same searches: a file to which finished parts are added. If it exists, the search continues there, by
        default with its seed; if it is complete, the result comes from it. See :func:`fastqueens.count_solutions` for
        damaged lines and full disks.
    out : path, or (n,) int32 or uint32 array, optional
        Where to put the board. A large board is built in its ``.npy`` file, and does not need to fit into memory; it
        stays there, read-only, as ``queens`` of the result. The file replaces an earlier one when the board is complete
        and verified. If ``solve`` raises, or ``stop`` returns True before there is a solution, an earlier file stays
        unchanged.

        The dtype of an array must be that of ``queens`` for this n. It becomes ``queens`` of the result. Nothing else
        may write to it before ``solve`` returns: the search uses its rows as indices without a check.
    force : bool
        Start even if there seems to be too little memory.
    progress : callable or bool, optional
        True draws a bar in a terminal (on stderr) or in a notebook if solving takes more than half a second; elsewhere
        it does nothing. A callable is called as ``progress(stage, done, total)`` every few milliseconds. The stages are
        "constraints" (columns, if there are enough constraints to fill one), "allocation" (from 512 KiB on),
        "placement" (columns), "search" (pairs resolved), "complete search" (squares tried, of the budget of this turn;
        without a budget, of 2**63 - 1), "mixing" (hops), "verification" and "writing" (columns).
    stop : callable, optional
        Called as often. If it returns True, the search ends with what it has: the best board so far, or a solution
        that is not yet mixed.
    fixed : mapping of columns to rows, or (column, row) pairs, optional
        Fixed queens: they stand on these squares from the beginning, even if ``board`` has another row, and never
        move. With at most n / 60 of them there is a solution if n is large; with more there may be none.
    blocked : (column, row) pairs, or a (k, 2) array of integers, optional
        Squares on which no queen may stand.
    excluded_sums, excluded_differences : iterables of int, optional
        Sum diagonals column + row, from 0 to 2 n - 2, and difference diagonals row - column, from -(n - 1) to n - 1,
        on which no queen may stand.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If a value is not as described here.
    NoSolutionError
        For n = 2 and n = 3; if fixed queens attack each other, or stand on a blocked square or an excluded diagonal; if
        it is proved that the instance has no solution.
    NotEnoughMemoryError
        If the board, the arrays of the search and the trace do not fit: 5 bytes a queen from the start "windowed", 61
        from others, and 22 more for the trace of a random start. A trace is measured again as it grows.
    Stopped
        If ``stop`` returned True, or the time limit was reached, before there was a whole board; if ``stop`` returned
        True before there was a solution for the file.

    Examples
    --------
    >>> result = solve(8, seed=1)
    >>> result.solved, len(result.queens)
    (True, 8)
    >>> solve(board=[0, 1, 2, 3, 4], seed=1).pairs
    0
    >>> solve(8, fixed={1: 3, 3: 4}, seed=1).queens[[1, 3]]
    array([3, 4], dtype=int32)
    >>> solve(8, blocked=[(0, 0), (0, 2)], excluded_sums=[7]).method
    'complete'
    """
    task = checked_task(
        n, board, constraints, method=method, seed=seed, start=start, max_steps=max_steps, restarts=restarts,
        max_nodes=max_nodes, trace=trace, moves=moves, mix=mix, out=out, force=force, threads=threads,
        executor=executor, checkpoint=checkpoint, time_limit=time_limit,
    )  # fmt: skip
    with Workers(checked_threads(threads)) as workers:
        callbacks = Callbacks(progress, stop)
        return solved(task, workers, callbacks) if task.file is None else _solved_in_file(task, workers, callbacks)


def given_or_solved(
    board: Board | Result | int | None, instance: Instance | None, *, seed: int | None = None, **settings: Any
) -> tuple[Queens, Result | None]:
    """Return a validated board, and its result if there is one; ``settings`` go to :func:`fastqueens.solve`.

    >>> queens, result = given_or_solved(8, None, seed=1)
    >>> result.solved, given_or_solved([1, 3, 0, 2], None)
    (True, (array([1, 3, 0, 2], dtype=int32), None))
    """
    if instance is not None and is_integer(board):
        check_same_n(instance, int(board))  # type: ignore[arg-type]
        board = None
    if board is None or is_integer(board):
        board = solve(board if instance is None else instance, seed=seed, **settings)  # type: ignore[arg-type]
    elif seed is not None:
        raise InputError(f"seed is {seed}: only a board that is solved has a seed")
    result = board if isinstance(board, Result) else None
    queens = as_queens(board) if result is None else result.queens  # type: ignore[arg-type]
    if instance is not None:
        check_same_n(instance, len(queens))
    return queens, result


def sweeps_for(board: object, mix: int | None, instance: Instance | None = None) -> int | None:
    """Return for how many sweeps to mix a board that is solved to be shown: ``mix`` if given; None if not at all.

    >>> sweeps_for(1000, None), sweeps_for(1000, 3), sweeps_for(10**6, None), sweeps_for(10**6, 0)
    (None, 3, 5, None)
    """
    if mix is not None:
        return mix or None
    return SWEEPS if instance is None and is_integer(board) and board in MIXED else None


def solved(task: Task, workers: Workers, callbacks: Callbacks) -> Result:
    """Solve a task that does not build its board in a file."""
    task.check_memory()
    callbacks = callbacks.within(clock.until(task.time_limit))
    stated = task.instance
    # Complete search finds a closed line at its first square, and names it then.
    if not stated.is_free and not (task.is_complete_search_first and task.max_nodes):
        from fastqueens.exact.propagation import check_closed_lines, with_forced_queens

        # Complete search propagates, too, and its nodes say how much work a proof is.
        if task.method == "local" or stated.free_columns > most_empty():
            task = task._replace(instance=with_forced_queens(stated, callbacks))
        else:
            check_closed_lines(stated, callbacks)
    check_method(task.instance, task.method)
    return SearchRun(task, stated, workers, callbacks).result()


def _solved_in_file(task: Task, workers: Workers, callbacks: Callbacks) -> Result:
    """Solve in the ``.npy`` file if the board is large, or write it there; the file appears when it is complete."""
    from fastqueens.files.boards import board_in_file, write_checked_board

    assert task.file is not None
    with board_in_file(task.file, task.n) as board:
        result = solved(task._replace(out=board), workers, callbacks)
        callbacks.poll("writing", 0, task.n, may_stop=False)
        begun = time.perf_counter()
        if board is None:
            write_checked_board(task.file, result.queens)
    return replace(result, timings=result.timings._replace(writing=time.perf_counter() - begun))


class SearchRun:
    """One call of :func:`solve`: attempts and turns of complete search until one finds a solution or all is spent."""

    def __init__(self, task: Task, stated: Instance, workers: Workers, callbacks: Callbacks) -> None:
        """Prepare a task; ``stated`` is the instance that the caller has stated, without the forced queens."""
        self._task = task
        self._stated = stated
        self._workers = workers if task.n >= thresholds.current.threads else Workers(1)
        self._callbacks = callbacks
        self._seconds = dict.fromkeys(Timings._fields, 0.0)
        self._recorder = Recorder(trace=task.trace, moves=task.moves, force=task.force)
        self._steps = 0
        self._fewest_pairs = NO_LIMIT
        self._initial_queens: Queens | None = None
        self._best: _Best | None = None
        self._attempts = 0
        # Whether the search has ended before its time, and whether because the caller wants no more of it.
        self._is_over = self._is_stopped = False
        self._complete_search: CompleteSearch | None = None

    def result(self) -> Result:
        """Search, check the board, and put the result together."""
        best, out = self._search(), self._task.out
        if out is not None and best.queens is not out:
            out[:] = best.queens
            best = best._replace(queens=out)
        sweeps = self._mix(best)
        with self._timing("verification"):
            self._check(best)
        if self._is_stopped and self._task.file is not None:
            raise Stopped(f"stopped before {self._task.file} was complete")
        trace, moves = self._recorder.result()
        return Result(
            queens=best.queens,
            solved=best.pairs == 0,
            method=best.method if best.pairs == 0 else None,
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
            instance=self._stated,
            attempts=self._attempts,
            nodes=self._nodes,
            moves=moves,
            sweeps=sweeps,
        )

    def _search(self) -> _Best:
        """Let local search and complete search take turns with growing budgets; return the best board of all."""
        is_turn_of_complete_search = self._task.is_complete_search_first
        attempts, nodes = 1, self._task.first_nodes
        while not self._is_solved and (self._has_attempts_left or self._has_nodes_left):
            if is_turn_of_complete_search and self._has_nodes_left:
                self._try_squares(min(nodes, self._task.max_nodes - self._nodes))
                nodes *= 2
            elif not is_turn_of_complete_search:
                end = self._attempts + attempts
                while self._attempts < end and self._has_attempts_left and not self._is_solved:
                    self._attempt()
                attempts *= 2
            is_turn_of_complete_search = not is_turn_of_complete_search
        if self._best is None:  # the complete search has spent its budget, and there is no local search
            self._callbacks = self._callbacks if not self._is_over else Callbacks()
            self._keep_if_best(*self._first_board())
        assert self._best is not None
        return self._best

    @property
    def _is_solved(self) -> bool:
        return self._best is not None and self._best.pairs == 0

    @property
    def _has_attempts_left(self) -> bool:
        task = self._task
        if task.method == "complete" or self._is_over:
            return False
        return self._attempts == 0 or (self._attempts <= task.restarts and self._steps < task.max_steps)

    @property
    def _has_nodes_left(self) -> bool:
        return self._task.has_complete_search and not self._is_over and self._nodes < self._task.max_nodes

    @property
    def _nodes(self) -> int:
        return 0 if self._complete_search is None else self._complete_search.nodes

    def _attempt(self) -> None:
        """Make one attempt of local search, and keep its board if it is the best one."""
        try:
            attempt, search = self._first_board()
        except Stopped as stopped:
            if self._best is None:
                raise
            self._end(stopped)
            return
        with self._timing("search"):
            search = self._search_from(attempt, search)
        self._keep_if_best(attempt, search)

    def _keep_if_best(self, attempt: Attempt, search: LocalSearch) -> None:
        pairs = int(attempt.state[PAIRS])
        if self._best is None or pairs < self._best.pairs:
            self._best = _Best(pairs, search.conflicting, attempt.queens, "local")

    def _try_squares(self, nodes: int) -> None:
        """Let the complete search try at most ``nodes`` squares."""
        from fastqueens.exact.complete_search import EXHAUSTED, FOUND, CompleteSearch

        task = self._task
        with self._timing("complete_search"):
            if self._complete_search is None:
                where: Any = {"threads": task.threads, "executor": task.executor, "checkpoint": task.checkpoint}
                self._complete_search = CompleteSearch([(task.instance, 1)], seed=task.seed, **where)
            try:
                status = self._complete_search.advance(nodes, self._callbacks)
            except Stopped as stopped:
                self._end(stopped)
                return
        if status == EXHAUSTED:
            if self._nodes == 1:
                from fastqueens.exact.propagation import check_closed_lines

                check_closed_lines(task.instance, self._callbacks)
            raise _no_solution(self._stated, self._nodes, self._seconds["complete_search"])
        if status == FOUND:
            if self._attempts == 0:
                self._recorder.begin(0, 0, self._complete_search.queens)
            self._best = _Best(0, 0, self._complete_search.queens, "complete")

    def _first_board(self) -> tuple[Attempt, LocalSearch]:
        """Allocate the next attempt and place its queens."""
        task = self._task
        number = self._attempts
        self._attempts += 1
        start = task.start_of(number)
        callbacks = self._callbacks if number == 0 else self._callbacks.without_progress()
        with self._timing("allocation"):
            attempt = new_attempt(
                task.instance,
                seed=task.seed,
                number=number,
                stagnation_limit=stagnation_limit(task.n),
                is_windowed=start == "windowed",
                board=task.board if number == 0 else None,
                out=task.out if number == 0 else None,
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

    def _search_from(self, attempt: Attempt, search: LocalSearch) -> LocalSearch:
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
                self._callbacks.poll("search", resolved, initial, may_stop=status == UNDER_WAY)
            except Stopped as stopped:
                self._end(stopped)
                break
        return search

    def _end(self, stopped: Stopped) -> None:
        """End the search; the caller gets what there is."""
        self._is_over, self._is_stopped = True, not isinstance(stopped, OutOfTime)

    def _mix(self, best: _Best) -> int:
        """Mix a solution if the task asks for it; return how many sweeps were made."""
        task = self._task
        if not task.mix or best.pairs:
            return 0
        from fastqueens.chain import mix

        with self._timing("mixing"):
            sweeps = mix(best.queens, task.instance, task.mix, task.seed, self._callbacks)
        self._is_over |= sweeps < task.mix
        return sweeps

    def _check(self, best: _Best) -> None:
        """Raise :class:`RuntimeError` if the board is not what the search says it is."""
        is_solved = best.pairs == 0
        # A stop or the time limit ends a search with an unsolved board, and mixing. That board is checked all the same.
        # A solved one is not lost to the time limit.
        callbacks = self._callbacks.within(None) if is_solved and not self._is_over else Callbacks()
        task = self._task
        fault = find_fault(best.queens, task.instance, self._workers, callbacks, is_solved=is_solved)
        if fault is not None:
            raise RuntimeError(f"the search ended with a board that is wrong, please report this: {fault}; {task}")

    @contextmanager
    def _timing(self, part: str) -> Iterator[None]:
        """Add the time that the block takes, without that of compiling, to the seconds of a part of the work."""
        begun = clock.seconds()
        try:
            yield
        finally:
            self._seconds[part] += clock.seconds() - begun


class _Best(NamedTuple):
    """The board with the fewest pairs so far, and the method that found it."""

    pairs: int
    conflicting_queens: int
    queens: Queens
    method: str | None


def _no_solution(instance: Instance, nodes: int, seconds: float) -> NoSolutionError:
    """Return the error that says what complete search has proved."""
    constraints = "" if instance.is_free else f" with {instance.constraints}"
    error = NoSolutionError(
        f"no solution exists for n = {instance.n}{constraints}: all possibilities were tried "
        f"({counted(nodes, 'square')})"
    )
    error.nodes, error.seconds = nodes, seconds
    return error
