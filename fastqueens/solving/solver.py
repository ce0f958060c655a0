"""solve(): validates its arguments and lets a run search for a solution."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import Unpack

from fastqueens.core.board import Board, Queens
from fastqueens.core.instance import Constraints, Instance
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.core.threads import Workers, checked_threads
from fastqueens.solving.result import Result
from fastqueens.solving.run import SearchRun
from fastqueens.solving.task import Task, checked_task


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
    trace: bool = True,
    moves: bool = False,
    mix: int | None = None,
    threads: int | None = None,
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
        - "complete": complete search only, for at most MOST_EMPTY columns without a fixed queen.
    seed : int, optional
        From 0 to 2**64 - 1. The same n, seed and options give the same result on every machine. By default a seed is
        drawn.
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
        ``board`` is given; with constraints 20, and 1 from n = 100,000 on.
    max_nodes : int, optional
        Most squares that the complete search tries: 100 million by default, without limit with the method "complete".
    trace : bool
        Keep attacking pairs and conflicting queens before the first step and after every step (16 bytes a step).
    moves : bool
        Also keep the move of every step (24 bytes a step) and the first board of every attempt. Needs ``trace``.
    mix : int, optional
        Mix the solution for this number of sweeps, of n hops each, and on to the next solution: a Markov chain takes
        queens off and puts them back elsewhere until the solution is nearly uniformly random among all. After 5 sweeps,
        about 1 % of the queens are where they were, and the density is that of random solutions; see
        :func:`fastqueens.sample` and docs/sampling.md. A hop takes 40 to 90 ns up to n = 10^7.
    threads : int, optional
        Number of threads, by default one for each core. The result does not depend on it. Boards with n below 4
        million are made on one thread.
    out : path, or (n,) int32 or uint32 array, optional
        Where to put the board. A large board is built in its ``.npy`` file, and does not need to fit into memory; it
        stays there, read-only, as ``queens`` of the result. The file replaces an earlier one when the board is complete
        and verified. If ``solve`` raises, or ``stop`` returns True, an earlier file stays unchanged.

        The dtype of an array must be that of ``queens`` for this n. It becomes ``queens`` of the result. Nothing else
        may write to it before ``solve`` returns: the search uses its rows as indices without a check.
    force : bool
        Start even if there seems to be too little memory.
    progress : callable or bool, optional
        True draws a bar in a terminal (on stderr) or in a notebook if solving takes more than half a second; elsewhere
        it does nothing. A callable is called as ``progress(stage, done, total)`` every few milliseconds. The stages are
        "constraints" (columns, if there are so many that they might fill one), "allocation" (from 512 KiB on),
        "placement" (columns), "search" (pairs resolved), "complete search" (squares tried, of the budget of this turn),
        "mixing" (hops), "verification" and "writing" (columns).
    stop : callable, optional
        Called as often. If it returns True, the search ends with what it has.
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
        If ``stop`` returned True before there was a whole board, or before its file was complete.

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
        max_nodes=max_nodes, trace=trace, moves=moves, mix=mix, out=out, force=force,
    )  # fmt: skip
    with Workers(checked_threads(threads)) as workers:
        callbacks = Callbacks(progress, stop)
        return _solved(task, workers, callbacks) if task.file is None else _solved_in_file(task, workers, callbacks)


def _solved(task: Task, workers: Workers, callbacks: Callbacks) -> Result:
    task.check_memory()
    if not task.instance.is_free:
        from fastqueens.solving.windows import check_closed_lines

        check_closed_lines(task.instance, callbacks)
    return SearchRun(task, workers, callbacks).result()


def _solved_in_file(task: Task, workers: Workers, callbacks: Callbacks) -> Result:
    """Solve in the ``.npy`` file if the board is large, or write it there; the file appears when it is complete."""
    from fastqueens.files.boards import board_in_file, write_checked_board

    assert task.file is not None
    with board_in_file(task.file, task.n) as board:
        result = _solved(task._replace(out=board), workers, callbacks)
        callbacks.poll("writing", 0, task.n, may_stop=False)
        begun = time.perf_counter()
        if board is None:
            write_checked_board(task.file, result.queens)
    return replace(result, timings=result.timings._replace(writing=time.perf_counter() - begun))
