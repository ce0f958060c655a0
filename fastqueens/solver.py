"""The solver: placement and local search, turns of complete search if there are constraints, mixing, and the check."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, SupportsIndex

from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens._run.threads import Workers, workers_for
from fastqueens.board import Board, Queens
from fastqueens.checking import find_fault
from fastqueens.errors import NoSolutionError, Stopped
from fastqueens.instance import Fixed, Instance, Squares
from fastqueens.local_search import Ending, attempts, first_board
from fastqueens.recorder import Recorder
from fastqueens.result import Result
from fastqueens.task import Task, check_method, most_free_columns

if TYPE_CHECKING:
    from fastqueens.files.text import FileName


@shows_progress
def solve(
    n: SupportsIndex | Instance | None = None,
    *,
    board: Board | None = None,
    method: str = "auto",
    seed: SupportsIndex | None = None,
    start: str | None = None,
    max_steps: SupportsIndex | None = None,
    restarts: SupportsIndex | None = None,
    trace: bool | Literal["moves"] = True,
    mix: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    out: Queens | str | os.PathLike[str] | None = None,
    force: bool = False,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    fixed: Fixed | None = None,
    blocked: Squares | None = None,
) -> Result:
    """Place n queens so that none attacks another, by a greedy placement and min-conflicts.

    Parameters
    ----------
    n : int or Instance, optional
        Side of the board and number of queens, or an instance. It can be omitted if ``board`` is given.
    board : sequence or array of n integers, optional
        A board to start from: the row of the queen in each column, from 0. It is not changed.
    method : str
        "auto" (the default) uses local search, and also complete search if there are constraints and at most 64
        columns without a fixed queen, for up to 100 million squares. "local" uses local search only, which cannot prove
        that there is no solution. "complete" uses complete search only, without a limit, for at most 64 columns without
        a fixed queen; :func:`prove` has more options for it. It refuses ``board``, ``start``, ``max_steps`` and
        ``restarts``, which only local search uses.
    seed : int, optional
        A number between 0 and 2**64 - 1. By default, it is random. With the same version, n, seed and options, the
        result is the same on any machine.
    start : str, optional
        How to make the first board of each attempt, unless ``board`` is the first board. "windowed" (the default, and
        the fastest) puts each queen on an unattacked square in a random window of 64 rows. "uniform" draws each row
        from all rows with the fewest conflicts. "random" draws each row independently. "permutation" uses every row
        once, in random order.
    max_steps : int, optional
        The most steps in all attempts together. By default, there is no limit.
    restarts : int, optional
        The most restarts of local search. An attempt ends after 10 n + 100 steps without progress. The default is no
        limit, but 0 with ``board``, and 200,000 / n (at least 1, at most 20) with constraints.
    trace : bool or "moves"
        True (the default) keeps the numbers of attacking pairs and conflicting queens (16 bytes per step). "moves" also
        keeps every move (24 more bytes per step) and the first board of each attempt. False keeps nothing.
    mix : int, optional
        Mix the solution for this many sweeps (one hop per queen that is not fixed), which turns it into a nearly
        uniformly random solution. After 5 sweeps, about 1 % of the queens are still where they were; see the guide to
        random solutions. By default, the solution is not mixed.
    threads : int, optional
        Threads to use. By default, all cores. The result does not depend on it.
    out : str, path or (n,) array, optional
        Where to put the board: an ``.npy`` file, or an array with the dtype of ``queens``. A large board is built in
        its file and need not fit into memory; ``queens`` of the result is then read-only. If a limit ends the search,
        the file holds the best board; if ``solve`` raises, an earlier file is unchanged. An array becomes ``queens`` of
        the result, and must not be changed elsewhere before ``solve`` returns.
    force : bool
        Start even if memory seems to be insufficient. Default: False.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
        The result then has the best board so far, or a solution that is not fully mixed. The check of a solution and
        writing have no time limit.
    fixed, blocked : optional
        Fixed queens and blocked squares, as in :func:`make_instance`, which also makes instances with excluded
        diagonals. They cannot be combined with an instance.

    Returns
    -------
    Result
        ``solved`` tells whether the board is a solution.

    Raises
    ------
    InputError
        If an argument is invalid.
    NoSolutionError
        If there is no solution: for n = 2 and n = 3, if fixed queens contradict each other or other constraints, or if
        complete search has proved it.
    NotEnoughMemoryError
        If memory is insufficient: 5 bytes per queen with the start "windowed", up to 61 with others, and 22 more for
        the trace of a random start.
    Stopped
        If ``stop`` returned True before the first board was complete, in the check, or before an output file had its
        solution.
    TimeLimitReached
        If the time limit was reached before the first board was complete, for example after 1 ms with n = 3,000,000.

    See Also
    --------
    prove : Find a solution or prove that there is none, on a cluster and with checkpoints.
    solve_instances : Solve many instances.
    count_solutions : Count all solutions.
    sample : Draw random solutions.
    is_solution : Check a board.

    Examples
    --------
    >>> result = solve(8, seed=1)
    >>> result.solved, len(result.queens)
    (True, 8)
    >>> solve(board=[0, 1, 2, 3, 4], seed=1).pairs
    0
    >>> solve(8, fixed={1: 3, 3: 4}, seed=1).queens[[1, 3]]
    array([3, 4], dtype=int32)
    >>> from fastqueens import make_instance
    >>> solve(make_instance(8, blocked=[(0, 0), (0, 2)], excluded_sums=[7])).method
    'complete'
    """
    task = Task(
        n, board, fixed=fixed, blocked=blocked, method=method, seed=seed, start=start, max_steps=max_steps,
        restarts=restarts, trace=trace, mix=mix, time_limit=time_limit, out=out, force=force, threads=threads,
    )  # fmt: skip
    return solve_task(task, Callbacks.until(task.time_limit, progress, stop))


def solve_task(task: Task, callbacks: Callbacks) -> Result:
    """Solve a task on its threads, and in its file if it has one."""
    recorder = Recorder(task.trace, force=task.force)
    with workers_for(task.n, task.threads) as workers:
        if task.file is None:
            return run_task(task, workers, callbacks, recorder)
        return _run_in_file(task, task.file, workers, callbacks, recorder)


def run_task(task: Task, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Result:
    """Place, search, mix and check; return the result. The board is in ``task.out`` if that is given."""
    if task.instance.is_free and task.method != "complete":
        best = _best_of(attempts(task, workers, callbacks, recorder))
    else:
        task = _with_forced_queens(task, callbacks)
        check_method(task.instance, task.method)  # only here, because forced queens reduce the number of free columns
        best = _search_in_turn(task, workers, callbacks, recorder)
    if best.stopped_by is Stopped and task.file is not None:  # at the time limit, the best board is written
        raise Stopped(f"stopped before {task.file} was complete")
    queens = best.queens
    if task.out is not None and task.out is not queens:  # a later attempt or complete search found the board
        queens = task.out
        queens[:] = best.queens
    trace, moves = recorder.trace_and_moves(queens)  # before mixing changes the queens
    sweeps = 0
    if task.mix and best.is_solved:
        from fastqueens.chain import mix

        with recorder.timing("mixing"):
            sweeps = mix(queens, task.instance, task.mix, task.seed, callbacks, task.thresholds)
    # The check of a solution has no time limit. If search or mixing was stopped, ``stop`` would also end the check.
    is_complete = best.is_solved and sweeps == task.mix
    checking = callbacks.within(None) if is_complete else Callbacks()
    with recorder.timing("verification"):
        fault = find_fault(queens, task.instance, workers, checking, is_solved=best.is_solved)
    if fault is not None:
        raise RuntimeError(f"the search returned a wrong board; please report this: {fault}; {task}")
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
        options=task.options,
    )


def _run_in_file(task: Task, file: FileName, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Result:
    """Solve with the board in an ``.npy`` file if it is large, or else write it there; return the result.

    The file appears when it is complete.
    """
    from fastqueens.files.boards import board_in_file, write_checked_board

    with board_in_file(file, task.n) as board:
        task = task.with_out(board)
        result = run_task(task, workers, callbacks, recorder)
        callbacks.poll("writing", 0, task.n, may_stop=False)
        begun = time.perf_counter()
        if board is None:
            write_checked_board(file, result.queens)
    return replace(result, timings=result.timings._replace(writing=time.perf_counter() - begun))


def _best_of(endings: Iterable[Ending]) -> Ending:
    """Return the best ending up to the first one that is solved or stopped, with ``stopped_by`` of the last one."""

    def better(best: Ending, last: Ending) -> Ending:
        return min(best, last, key=attrgetter("pairs"))._replace(stopped_by=last.stopped_by)

    for best in accumulate(endings, better, initial=Ending()):
        if best.is_solved or best.stopped_by:
            break
    return best


def _with_forced_queens(task: Task, callbacks: Callbacks) -> Task:
    """Return a task with queens fixed in all columns and rows that have only one open square.

    Raises :class:`NoSolutionError` if a column or a row has no open square. If complete search has the first turn, the
    task is unchanged, because complete search places forced queens itself and counts them in its nodes. If complete
    search has a later turn, columns and rows are only checked, for the same reason.
    """
    instance = task.instance
    if instance.is_free:
        return task
    from fastqueens.exact.propagation import check_closed_lines, with_forced_queens

    if task.method == "local" or instance.free_columns > most_free_columns():
        return task.with_instance(with_forced_queens(instance, callbacks))
    if not (task.is_complete_search_first and task.max_nodes):
        check_closed_lines(instance, callbacks)
    return task


def _search_in_turn(task: Task, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Ending:
    """Alternate local search and complete search until there is a solution or both have ended; return the best."""
    local = iter(()) if task.method == "complete" else attempts(task, workers, callbacks, recorder)
    complete = _complete_search(task, callbacks, recorder) if task.has_complete_search else iter(())
    best = _best_of(_turns(task, local, complete, recorder))
    if not len(best.queens):  # only complete search ran, without success: return a first board without steps
        callbacks = Callbacks() if best.stopped_by else callbacks  # the old ones would also stop this
        best = first_board(task, workers, callbacks, recorder)._replace(stopped_by=best.stopped_by)
    return best


def _turns(task: Task, local: Iterator[Ending], complete: Iterator[Ending], recorder: Recorder) -> Iterator[Ending]:
    """Yield the endings of turns of complete search, and of 1, 2, 4, ... attempts of local search between them."""
    number = 1
    if not task.is_complete_search_first:
        yield from islice(local, number)
        number *= 2
    before = None
    while (now := (recorder.attempts, recorder.nodes)) != before:  # equal if both searches have ended
        before = now
        yield from islice(complete, 1)
        yield from islice(local, number)
        number *= 2


def _complete_search(task: Task, callbacks: Callbacks, recorder: Recorder) -> Iterator[Ending]:
    """Yield the endings of turns of complete search, with doubling budgets, until ``max_nodes`` are used up.

    Raises :class:`NoSolutionError` if there is no solution.
    """
    from fastqueens.exact.complete_search import EXHAUSTED, FOUND, CompleteSearch

    search = CompleteSearch([(task.instance, 1)], seed=task.seed, threads=task.threads)
    budget = task.first_nodes
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
    """Return the error for a proof by complete search; if a line has no open square, raise one that names the line."""
    if recorder.nodes == 1:
        from fastqueens.exact.propagation import check_closed_lines

        check_closed_lines(task.instance, callbacks)
    tried = counted(recorder.nodes, "square")
    error = NoSolutionError(f"no solution exists for {task.stated.in_words}: all possibilities were tried ({tried})")
    error.nodes, error.seconds = recorder.nodes, recorder.timings.complete_search
    return error
