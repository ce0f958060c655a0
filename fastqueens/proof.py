"""Complete search of one instance: a solution, or the proof that there is none."""

from __future__ import annotations

import os
from typing import SupportsIndex

from fastqueens._run import clock
from fastqueens._run.arguments import check_limit, check_seed, new_seed
from fastqueens._run.executors import Executor
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.threads import workers_for
from fastqueens.answer import Answer, refuted
from fastqueens.checking import find_fault
from fastqueens.errors import NoSolutionError, Stopped
from fastqueens.exact.complete_search import EXHAUSTED, FOUND, UNDER_WAY, CompleteSearch
from fastqueens.exact.propagation import check_closed_lines
from fastqueens.exact.solutions import propagated
from fastqueens.instance import Instance, as_instance


@shows_progress
def prove(
    instance: SupportsIndex | Instance,
    *,
    seed: SupportsIndex | None = None,
    max_nodes: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Answer:
    """Find a solution of an instance, or prove that there is none, by trying all possibilities.

    Parameters
    ----------
    instance : Instance or int
        The instance, or n. At most 64 columns can be without a fixed queen.
    seed : int, optional
        A number between 0 and 2**64 - 1, which determines the order of the search, and thereby the solution that is
        found first. By default, it is random, or 0 with a checkpoint, so that the same call continues.
    max_nodes : int, optional
        The most squares to try. By default, there is no limit.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers. The answer does not depend
        on it.
    executor : executor, optional
        Where to run the parts of a long search (more than two million nodes): a pool of ``concurrent.futures`` or the
        ``Client`` of a Dask cluster. It is not closed.
    checkpoint : str or path, optional
        A file that receives the finished parts of a long search. If the file exists, the search continues from it. See
        :func:`count_solutions`.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Answer
        ``solvable`` is True if there is a solution, which is in ``queens``, and False if there is none. It is None if
        the search ended before it had an answer: at a limit, or because ``stop`` returned True.

    Raises
    ------
    InputError
        If an argument is invalid, the checkpoint belongs to another search or version, or the executor is lost.

    See Also
    --------
    solve : Search for a solution, also on large boards.
    solve_instances : Solve many instances.
    count_solutions : Count all solutions.

    Notes
    -----
    The search is backtracking. For the same version, instance and seed, the answer, the solution and the number of
    nodes are the same on any machine, and from any checkpoint of the search.

    Examples
    --------
    >>> from fastqueens import make_instance
    >>> answer = prove(make_instance(6, {0: 0}), seed=1)
    >>> answer.solvable, answer.in_words, answer.nodes > 0
    (False, 'no solution', True)
    >>> prove(make_instance(8, {1: 3, 3: 4}), seed=1).queens[[1, 3]]
    array([3, 4], dtype=int32)
    >>> prove(20, seed=1, max_nodes=5).solvable is None
    True
    """
    stated, most = as_instance(instance), check_limit(max_nodes, "max_nodes")
    callbacks = Callbacks.until(time_limit, progress, stop)
    usual = new_seed() if checkpoint is None else 0
    chosen = usual if seed is None else check_seed(seed)
    begun, status, nodes = clock.seconds(), UNDER_WAY, 0
    try:
        searched = propagated(stated, callbacks)
        search = CompleteSearch([(searched, 1)], seed=chosen, threads=threads, executor=executor, checkpoint=checkpoint)
        try:
            status = search.advance(most, callbacks)
        finally:
            nodes = search.nodes
        if status == EXHAUSTED and nodes == 1:
            check_closed_lines(searched, callbacks)
    except NoSolutionError as error:  # a line has no open square
        return refuted(error, clock.seconds() - begun)._replace(seed=chosen)
    except Stopped:
        pass
    seconds = clock.seconds() - begun
    if status != FOUND:
        return Answer(False if status == EXHAUSTED else None, nodes=nodes, seconds=seconds, seed=chosen)
    with workers_for(stated.n, threads) as workers:
        fault = find_fault(search.queens, stated, workers, Callbacks(), is_solved=True)
    if fault is not None:
        raise RuntimeError(f"the search returned a wrong board; please report this: {fault}; {stated}, seed {chosen}")
    return Answer(True, search.queens, "complete", nodes, seconds=seconds, seed=chosen)
