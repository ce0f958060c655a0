"""Solutions of an instance: their number, a list of all of them, and a test of uniqueness."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any, Final, SupportsIndex

import numpy as np

from fastqueens._run.arguments import NO_LIMIT, check_integer
from fastqueens._run.executors import Executor
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import Queens, known_count
from fastqueens.errors import InputError, NoSolutionError, Stopped
from fastqueens.exact.complete_search import EXHAUSTED, STAGE, TREE_SLICE, UNDER_WAY, CompleteSearch
from fastqueens.exact.propagation import with_forced_queens
from fastqueens.exact.symmetry import first_of_orbits, symmetric_tree, weighted_instances
from fastqueens.exact.tree import MOST_FREE_COLUMNS, check_free_columns, search_tree
from fastqueens.instance import Fixed, Instance, Squares, as_instance

#: Solutions of boards without constraints are counted with all eight symmetries from this n on. They need about 40
#: trees, which take 5 ms.
EIGHT_SYMMETRIES: Final = 13

#: Solutions are listed in lexicographic order if at most this many columns have no fixed queen; at most 64. Without
#: constraints, finding the first ten solutions takes 0.5 s for n = 32 and 8 s for n = 34.
ORDERED: Final = 32

# The number of solutions listed between two calls of the callbacks.
_LISTED = 1000


@shows_progress
def count_solutions(
    n: SupportsIndex | Instance,
    *,
    limit: SupportsIndex | None = None,
    fundamental: bool = False,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    fixed: Fixed | None = None,
    blocked: Squares | None = None,
) -> int:
    """Count the solutions of an instance.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 64 columns can be without a fixed queen.
    limit : int, optional
        Stop when this many solutions are found, and return this number. At least 1; by default, there is no limit.
    fundamental : bool
        Count solutions that are rotations or mirror images of each other only once. This cannot be combined with
        constraints. Default: False.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers.
    executor : executor, optional
        Where to run the parts of a long count (more than two million nodes): a pool of ``concurrent.futures`` or the
        ``Client`` of a Dask cluster. It is not closed.
    checkpoint : str or path, optional
        A file that receives the finished parts of a long count. If the file exists, the count continues from it.
        If the file cannot be written any more, the count continues without it, and this is logged (logger
        "fastqueens").
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
    fixed, blocked : optional
        Constraints, as in :func:`make_instance`. They cannot be combined with an instance.

    Returns
    -------
    int
        The number of solutions. Rotations and mirror images count separately unless ``fundamental`` is True.

    Raises
    ------
    InputError
        If an argument is invalid, the checkpoint belongs to another search or version, or the executor is lost.
    RuntimeError
        If the number of solutions of a board without constraints differs from the published one. Please report this.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit. ``partial`` is a lower bound of the number of solutions.

    See Also
    --------
    all_solutions : Iterate over the solutions.
    has_unique_solution : Test whether there is exactly one solution.
    estimate : Estimate the number of solutions of large boards.

    Notes
    -----
    Counting is backtracking over all solutions, and takes about 0.2 microseconds per solution. On a board without
    constraints, the search visits only about an eighth of the solutions.

    Fundamental solutions take no longer. By Burnside's lemma, their number is (Q + h + 2 q) / 8 if a half turn leaves h
    of the Q solutions unchanged, and a quarter turn q. (For n > 1, no reflection leaves a solution unchanged.)

    Examples
    --------
    >>> count_solutions(8), count_solutions(8, fixed={1: 3, 3: 4}), count_solutions(8, fundamental=True)
    (92, 2, 12)
    >>> from fastqueens import make_instance
    >>> count_solutions(make_instance(8, blocked=[(0, 0), (7, 7)], excluded_sums=[7]))
    28
    """
    most = NO_LIMIT if limit is None else check_integer(limit, "limit", 1, NO_LIMIT)
    callbacks = Callbacks.until(time_limit, progress, stop)
    try:
        instance = propagated(_stated(n, fixed, blocked, fundamental), callbacks)
    except NoSolutionError:
        return 0
    except Stopped as stopped:
        stopped.partial = 0
        raise
    known = known_count(instance.n) if instance.is_free else None
    wanted = NO_LIMIT if fundamental else most  # the number of fundamental solutions follows from that of all
    has_symmetries = instance.is_free and wanted == NO_LIMIT and instance.n >= EIGHT_SYMMETRIES
    search = CompleteSearch(
        weighted_instances(instance.n) if has_symmetries else [(instance, 1)],
        wanted,
        known=known if wanted == NO_LIMIT else None,
        threads=threads,
        executor=executor,
        checkpoint=checkpoint,
    )

    def found(unchanged: int = 0) -> int:
        return min(most, -(-(search.solutions + unchanged) // 8) if fundamental else search.solutions)

    try:
        search.advance(NO_LIMIT, callbacks)
        if known is not None and min(search.solutions, wanted) != min(known, wanted):
            wrong = f"the count for n = {instance.n} is {search.solutions:,} instead of {known:,} (OEIS A000170)"
            raise RuntimeError(f"{wrong}; please report this")
        return found(_count_unchanged(instance.n, callbacks) if fundamental else 0)
    except Stopped as stopped:
        stopped.partial = found()
        raise


def has_unique_solution(
    n: SupportsIndex | Instance,
    *,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    fixed: Fixed | None = None,
    blocked: Squares | None = None,
) -> bool:
    """Return whether an instance has exactly one solution.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 64 columns can be without a fixed queen.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers.
    executor, checkpoint : optional
        As in :func:`count_solutions`.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
    fixed, blocked : optional
        Constraints, as in :func:`make_instance`. They cannot be combined with an instance.

    Returns
    -------
    bool

    Raises
    ------
    InputError, RuntimeError, Stopped, TimeLimitReached
        As in :func:`count_solutions`; ``partial`` is the number of solutions found, 0 or 1.

    See Also
    --------
    count_solutions : Count all solutions.
    unique_puzzles : Make puzzles with exactly one solution.

    Notes
    -----
    The search ends at the second solution, as ``count_solutions`` does with ``limit=2``.

    Examples
    --------
    >>> has_unique_solution(8, fixed={0: 0, 1: 4}), has_unique_solution(8, fixed={1: 3, 3: 4})
    (True, False)
    """
    found = count_solutions(
        n, limit=2, threads=threads, executor=executor, checkpoint=checkpoint, time_limit=time_limit, progress=progress,
        stop=stop, fixed=fixed, blocked=blocked,
    )  # fmt: skip
    return found == 1


@shows_progress
def all_solutions(
    n: SupportsIndex | Instance,
    *,
    limit: SupportsIndex | None = None,
    fundamental: bool = False,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    fixed: Fixed | None = None,
    blocked: Squares | None = None,
) -> Iterator[Queens]:
    """Return an iterator over the solutions of an instance.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 64 columns can be without a fixed queen.
    limit : int, optional
        Stop after this many solutions. At least 1; by default, there is no limit.
    fundamental : bool
        Yield only one of the rotations and mirror images of a solution: the first one in lexicographic order. This
        cannot be combined with constraints. Default: False.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
        The time between two requests counts.
    fixed, blocked : optional
        Constraints, as in :func:`make_instance`. They cannot be combined with an instance.

    Returns
    -------
    iterator of (n,) int32 arrays
        The solutions, in the same order every time. If at most 32 columns are without a fixed queen, the order is
        lexicographic: boards are compared by the row in column 0, then by the row in column 1, and so on. Otherwise,
        solutions come in the order in which the search finds them, because it could take years to find the
        lexicographically first one.

    Raises
    ------
    InputError
        If an argument is invalid. This is reported before the first solution is requested.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit, when the next solution is requested.

    See Also
    --------
    count_solutions : Count the solutions, on all cores.
    solve : Search for one solution.
    sample : Draw random solutions.

    Notes
    -----
    Listing uses one thread and takes several microseconds per solution. Fundamental solutions are found by comparing
    every solution with its images.

    Examples
    --------
    >>> [queens.tolist() for queens in all_solutions(4)]
    [[1, 3, 0, 2], [2, 0, 3, 1]]
    >>> [queens.tolist() for queens in all_solutions(4, fundamental=True)]
    [[1, 3, 0, 2]]
    """
    most = NO_LIMIT if limit is None else check_integer(limit, "limit", 1, NO_LIMIT)
    callbacks = Callbacks.until(time_limit, progress, stop)
    try:
        instance = propagated(_stated(n, fixed, blocked, fundamental), Callbacks())
    except NoSolutionError:
        return iter(())
    solutions = _list(instance, callbacks)
    return itertools.islice(first_of_orbits(solutions) if fundamental else solutions, most)


def propagated(instance: Instance, callbacks: Callbacks) -> Instance:
    """Return the instance, with forced queens if it is too large without them; it must not be too large with them."""
    if instance.free_columns > MOST_FREE_COLUMNS:
        instance = with_forced_queens(instance, callbacks)
        check_free_columns(instance)
    return instance


def _stated(n: SupportsIndex | Instance, fixed: Fixed | None, blocked: Squares | None, fundamental: bool) -> Instance:
    """Return the instance of a call; raise :class:`InputError` for fundamental solutions with constraints."""
    instance = as_instance(n, fixed, blocked)
    if fundamental and not instance.is_free:
        raise InputError("fundamental cannot be combined with constraints; leave one of them out")
    return instance


def _count_unchanged(n: int, callbacks: Callbacks) -> int:
    """Return the number of solutions that a half turn leaves unchanged, plus twice the number for a quarter turn."""
    unchanged = 0
    for quarter_turns, weight in ((2, 1), (1, 2)):
        tree = symmetric_tree(n, quarter_turns)
        while tree.search(tree.nodes + TREE_SLICE, NO_LIMIT) == UNDER_WAY:
            callbacks.poll(STAGE, 1, 1)
        unchanged += weight * tree.solutions
    return unchanged


def _list(instance: Instance, callbacks: Callbacks) -> Iterator[Queens]:
    """Yield all solutions."""
    tree = search_tree(instance, is_ordered=instance.free_columns <= ORDERED)
    places: Any = np.empty((_LISTED, tree.lines.shape[1]), np.uint16)
    status = UNDER_WAY
    while status != EXHAUSTED:
        known = tree.solutions
        status = tree.search(tree.nodes + TREE_SLICE, known + _LISTED, places)
        for number, row in enumerate(places[: tree.solutions - known]):
            if number:  # the caller can spend much time on a board
                callbacks.poll(STAGE, tree.nodes, NO_LIMIT)
            yield tree.board(row)
        callbacks.poll(STAGE, tree.nodes, NO_LIMIT, may_stop=status != EXHAUSTED)
