"""``solve()``: placement and local search, in turn with complete search if there are constraints; mixing; the check."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Unpack

from fastqueens._run.arguments import SWEEPS, is_integer
from fastqueens._run.clock import clock
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens._run.threads import Workers, workers_for
from fastqueens.board import Board, Queens, as_queens
from fastqueens.checking import check_same_n, find_fault
from fastqueens.errors import InputError, NoSolutionError, Stopped
from fastqueens.instance import Constraints, Instance
from fastqueens.local_search import attempts
from fastqueens.result import Ending, Recorder, Result
from fastqueens.task import Task, check_method, checked_task, most_free_columns

if TYPE_CHECKING:
    from fastqueens._run.executors import Executor
    from fastqueens.files.text import FileName

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
        How to look for a solution. A free board is always given to local search, unless "complete" is asked for.

        - "auto": local search and complete search take turns with growing budgets. If at most 64 columns have no fixed
          queen, complete search goes first, unless there is a ``board``; if at most 20, local search only follows when
          ``max_nodes`` is spent.
        - "local": local search only. It cannot prove that there is no solution.
        - "complete": complete search only, for at most 256 columns without a fixed queen.
    seed : int, optional
        From 0 to 2**64 - 1; drawn by default. In one version, the same n, seed and options give the same result on any
        machine.
    start : str
        How to make the first board of each attempt, unless ``board`` is the first:

        - "windowed": greedy, each queen on a free square of a random window of 64 rows; O(n), the fastest.
        - "uniform": greedy, each queen on a row drawn evenly among the rows of least conflict.
        - "random": each row drawn independently.
        - "permutation": a random order of all rows.

        None of them samples the solutions evenly; ``mix`` does, nearly.
    max_steps : int, optional
        Most steps over all attempts.
    restarts : int, optional
        Most restarts. An attempt ends after 10 n + 100 steps without progress. By default there is no limit; 0 if
        ``board`` is given; with constraints 200,000 / n, from 1 to 20.
    max_nodes : int, optional
        Most squares that complete search tries: 100 million by default, without limit with the method "complete".
    time_limit : float, optional
        Seconds after which search and mixing end with the best board so far; ``solved`` and ``sweeps`` of the result
        tell how far they came. Compiling, checking and writing do not count. Where they end depends on the machine.
    trace : bool
        Keep attacking pairs and conflicting queens before the first step and after every step (16 bytes per step).
    moves : bool
        Also keep the move of every step (24 bytes per step) and the first board of every attempt. Needs ``trace``.
    mix : int, optional
        Mix the solution for this number of sweeps, of n hops each, and on to the next solution: a Markov chain takes
        queens off and puts them back elsewhere until the solution is nearly uniformly random among all. After 5 sweeps,
        about 1 % of the queens are where they were, and the density equals that of random solutions; see
        :func:`fastqueens.sample` and docs/sampling.md. A hop takes 40 to 80 ns up to n = 10^6.
    threads : int, optional
        Number of threads, by default one for each core. The result does not depend on it. Boards with n below 4
        million are made on one thread. With an executor, the number of its workers; by default the executor is asked.
    executor : executor, optional
        Where to search with the method "complete" and at most 64 columns without a fixed queen, if the search takes
        more than two million squares. A pool of ``concurrent.futures``, or the ``Client`` of a Dask cluster; it is not
        closed. The result does not depend on it.
    checkpoint : str or path, optional
        A file to which the same searches add finished parts. If it exists, the search continues there, by default with
        its seed; if it is complete, the result comes from it. See :func:`fastqueens.count_solutions` for damaged lines
        and full disks.
    out : path, or (n,) int32 or uint32 array, optional
        Where to put the board. A large board is built in its ``.npy`` file, and does not need to fit into memory; it
        stays there, read-only, as ``queens`` of the result. The file replaces an earlier one when all of the board is
        written and checked. At the end of a limit, it holds the best board, which may not be a solution. If ``solve``
        raises, as it does when ``stop`` returns True before there is a solution, an earlier file stays unchanged.

        An array must have the dtype of ``queens`` for this n. It becomes ``queens`` of the result. Nothing else may
        write to it before ``solve`` returns: the search uses its rows as indices without a check.
    force : bool
        Start even if there seems to be too little memory.
    progress : callable or bool, optional
        True draws a bar in a terminal (on stderr) or in a notebook if solving takes more than half a second; elsewhere
        it does nothing. A callable is called as ``progress(stage, done, total)`` every few milliseconds. The stages are
        "constraints" (columns, if there are enough constraints to fill one), "allocation" (from 512 KiB on),
        "placement" (columns), "search" (pairs resolved), "complete search" (squares tried, of the budget of this turn;
        without a budget, of 2**63 - 1), "mixing" (hops), "verification" and "writing" (columns).
    stop : callable, optional
        Called as often. If it returns True, the search ends with the best board so far, or with a solution that is not
        yet mixed.
    fixed : mapping of columns to rows, or (column, row) pairs, optional
        Fixed queens: they stand on these squares from the beginning, even if ``board`` has another row, and never
        move. If n is large, there is a solution with at most n / 60 of them; with more, there need not be one.
    blocked : (column, row) pairs, or a (k, 2) array of integers, optional
        Squares on which no queen can stand.
    excluded_sums, excluded_differences : iterables of int, optional
        Sum diagonals column + row, from 0 to 2 n - 2, and difference diagonals row - column, from -(n - 1) to n - 1,
        on which no queen can stand.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If a value is not as described here.
    NoSolutionError
        For n = 2 and n = 3; if fixed queens attack each other, or stand on a blocked square or an excluded diagonal; if
        complete search proves that the instance has no solution.
    NotEnoughMemoryError
        If the board, the arrays of the search and the trace do not fit: 5 bytes per queen from the start "windowed", 61
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
    recorder = Recorder(trace=trace, moves=moves, force=force)
    callbacks = Callbacks(progress, stop, clock.until(time_limit))
    with workers_for(task.n, threads) as workers:
        if task.file is None:
            return run_task(task, workers, callbacks, recorder)
        return _run_in_file(task, task.file, workers, callbacks, recorder)


def run_task(task: Task, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Result:
    """Place and search, mix, and check; fill ``task.out`` if it is given. The caller makes a file of it appear."""
    if task.instance.is_free and task.method != "complete":
        best = _best_of(attempts(task, workers, callbacks, recorder))
    else:
        task = _with_forced_queens(task, callbacks)
        check_method(task.instance, task.method)  # now, because forced queens leave fewer free columns
        best = _search_in_turn(task, workers, callbacks, recorder)
    if best.stopped_by is Stopped and task.file is not None:  # at the time limit, the best board is written
        raise Stopped(f"stopped before {task.file} was complete")
    queens = best.queens
    if task.out is not None and task.out is not queens:  # a later attempt, or complete search, found it
        queens = task.out
        queens[:] = best.queens
    trace, moves = recorder.trace_and_moves(queens)  # before mixing changes the queens
    sweeps = 0
    if task.mix and best.is_solved:
        from fastqueens.chain import mix

        with recorder.timing("mixing"):
            sweeps = mix(queens, task.instance, task.mix, task.seed, callbacks)
    # The check of a solution has no time limit. If search or mixing ended early, ``stop`` would end the check as well.
    is_complete = best.is_solved and sweeps == task.mix
    checking = callbacks.within(None) if is_complete else Callbacks()
    with recorder.timing("verification"):
        fault = find_fault(queens, task.instance, workers, checking, is_solved=best.is_solved)
    if fault is not None:
        raise RuntimeError(f"the search ended with a board that is wrong, please report this: {fault}; {task}")
    return Result(
        queens=queens,
        solved=best.is_solved,
        method=best.method if best.is_solved else None,
        steps=recorder.steps,
        initial_pairs=recorder.initial_pairs,
        pairs=best.pairs,
        conflicting_queens=best.conflicting_queens,
        trace=trace,
        restarts=tuple(recorder.restarts),
        seed=task.seed,
        start=task.start_of(0),
        timings=recorder.timings,
        initial_queens=recorder.initial_queens,
        instance=task.stated,
        attempts=recorder.attempts,
        nodes=recorder.nodes,
        moves=moves,
        sweeps=sweeps,
    )


def _run_in_file(task: Task, file: FileName, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Result:
    """Solve in the ``.npy`` file if the board is large, or write it there; the file appears when it is complete."""
    from fastqueens.files.boards import board_in_file, write_checked_board

    with board_in_file(file, task.n) as board:
        task = task._replace(out=board)
        task.check_memory()
        result = run_task(task, workers, callbacks, recorder)
        callbacks.poll("writing", 0, task.n, may_stop=False)
        begun = time.perf_counter()
        if board is None:
            write_checked_board(file, result.queens)
    return replace(result, timings=result.timings._replace(writing=time.perf_counter() - begun))


def _best_of(endings: Iterable[Ending]) -> Ending:
    """Read endings until one is solved or stopped; return the best, with what stopped the last."""

    def better(best: Ending, last: Ending) -> Ending:
        return min(best, last, key=attrgetter("pairs"))._replace(stopped_by=last.stopped_by)

    for best in accumulate(endings, better, initial=Ending()):
        if best.is_solved or best.stopped_by:
            break
    return best


def _with_forced_queens(task: Task, callbacks: Callbacks) -> Task:
    """Fix the queens of columns and rows that have one possible square; raise :class:`NoSolutionError` if one has none.

    If complete search goes first, nothing is done here: it does the same, and counts it in its nodes. If it takes a
    turn later, columns and rows are only checked, for the same reason.
    """
    instance = task.instance
    if instance.is_free or (task.is_complete_search_first and task.max_nodes):
        return task
    from fastqueens.exact.propagation import check_closed_lines, with_forced_queens

    if task.method == "local" or instance.free_columns > most_free_columns():
        return task._replace(instance=with_forced_queens(instance, callbacks))
    check_closed_lines(instance, callbacks)
    return task


def _search_in_turn(task: Task, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Ending:
    """Let local search and complete search take turns until there is a solution or both are spent; return the best."""
    local = iter(()) if task.method == "complete" else attempts(task, workers, callbacks, recorder)
    complete = _complete_search(task, callbacks, recorder) if task.has_complete_search else iter(())
    best = _best_of(_turns(task, local, complete, recorder))
    if not len(best.queens):  # only complete search ran, and found nothing: return a first board without steps
        callbacks = Callbacks() if best.stopped_by else callbacks  # which would stop this again
        first_board = next(attempts(task._replace(max_steps=0), workers, callbacks, recorder))
        best = first_board._replace(stopped_by=best.stopped_by)
    return best


def _turns(task: Task, local: Iterator[Ending], complete: Iterator[Ending], recorder: Recorder) -> Iterator[Ending]:
    """Yield the endings of turns of complete search, and of 1, 2, 4, ... attempts of local search between them."""
    number = 1
    if not task.is_complete_search_first:
        yield from islice(local, number)
        number *= 2
    before = None
    while (now := (recorder.attempts, recorder.nodes)) != before:  # the same if both searches are spent
        before = now
        yield from islice(complete, 1)
        yield from islice(local, number)
        number *= 2


def _complete_search(task: Task, callbacks: Callbacks, recorder: Recorder) -> Iterator[Ending]:
    """Yield the endings of turns of complete search, each with twice the budget, until ``max_nodes`` are spent.

    Raises :class:`NoSolutionError` if there is no solution.
    """
    from fastqueens.exact.complete_search import EXHAUSTED, FOUND, CompleteSearch

    where: Any = {"threads": task.threads, "executor": task.executor, "checkpoint": task.checkpoint}
    search, budget = CompleteSearch([(task.instance, 1)], seed=task.seed, **where), task.first_nodes
    while search.nodes < task.max_nodes:
        with recorder.timing("complete_search"):
            try:
                status = search.advance(min(budget, task.max_nodes - search.nodes), callbacks)
            except Stopped as error:
                recorder.nodes = search.nodes
                yield Ending(stopped_by=type(error))
                return
        recorder.nodes = search.nodes
        if status == EXHAUSTED:
            raise _no_solution(task, callbacks, recorder)
        yield Ending(search.queens, 0, 0, "complete") if status == FOUND else Ending()
        budget *= 2


def _no_solution(task: Task, callbacks: Callbacks, recorder: Recorder) -> NoSolutionError:
    """Return the error that says what complete search has proved; raise another one that names a closed line."""
    if recorder.nodes == 1:
        from fastqueens.exact.propagation import check_closed_lines

        check_closed_lines(task.instance, callbacks)
    constraints = "" if task.stated.is_free else f" with {task.stated.constraints}"
    error = NoSolutionError(
        f"no solution exists for n = {task.n}{constraints}: all possibilities were tried "
        f"({counted(recorder.nodes, 'square')})"
    )
    error.nodes, error.seconds = recorder.nodes, recorder.timings.complete_search
    return error


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
