"""Solutions of an instance: their number, a list of all of them, and a test of uniqueness."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any, SupportsIndex

import numpy as np

from fastqueens._run import thresholds
from fastqueens._run.arguments import NO_LIMIT, check_integer
from fastqueens._run.executors import Executor
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import Queens, known_count
from fastqueens.errors import InputError, NoSolutionError, Stopped
from fastqueens.exact.complete_search import EXHAUSTED, PROGRESS, STAGE, UNDER_WAY, CompleteSearch
from fastqueens.exact.propagation import with_forced_queens
from fastqueens.exact.symmetry import first_of_orbits, symmetric_tree, weighted_instances
from fastqueens.exact.tree import MOST_FREE_COLUMNS, search_tree
from fastqueens.instance import Diagonals, Fixed, Instance, Squares, as_instance

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
    excluded_sums: Diagonals | None = None,
    excluded_differences: Diagonals | None = None,
) -> int:
    """Count the solutions of an instance.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 256 columns can be without a fixed queen.
    limit : int, optional
        Stop when this many solutions are found, and return this number. At least 1; by default, there is no limit.
    fundamental : bool
        Count solutions that are rotations or mirror images of each other only once. With constraints, only images that
        are also solutions of the instance are counted together. Default: False.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers.
    executor : executor, optional
        Where to run the parts of a long count (more than two million nodes): a pool of ``concurrent.futures`` or the
        ``Client`` of a Dask cluster. It is not closed. At most 64 columns can be without a fixed queen.
    checkpoint : str or path, optional
        A file that receives the finished parts of a long count. If the file exists, the count continues from it.
        Damaged lines are removed, and their parts are counted again. If the file cannot be written any more, the count
        continues without it. Both events are logged (logger "fastqueens"). At most 64 columns can be without a fixed
        queen.
    time_limit : float, optional
        Seconds after which the call ends, without the time for compiling. By default, there is no limit. Results that
        can say that they are incomplete are returned at the time limit; functions that return a bare value or an
        iterator, and calls without a first board, raise :class:`TimeLimitReached` with the finished part as
        ``partial``.
    progress : bool or callable, optional
        True shows progress, and a function receives it; see docs/library.md.
    stop : callable, optional
        Function without arguments; the call ends soon after it returns True. See docs/library.md.
    fixed, blocked, excluded_sums, excluded_differences : optional
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
        If ``stop`` returned True, or at the time limit. ``partial`` is a lower bound of the number of solutions, and a
        note of the exception states the progress.

    See Also
    --------
    all_solutions : Iterate over the solutions.
    has_unique_solution : Test whether there is exactly one solution.
    estimate : Estimate the number of solutions of large boards.

    Notes
    -----
    Counting is backtracking over all solutions, and takes about 0.2 microseconds per solution. On a board without
    constraints, the search visits only about an eighth of the solutions.

    Fundamental solutions of such a board take no longer. By Burnside's lemma, their number is (Q + h + 2 q) / 8 if a
    half turn leaves h of the Q solutions unchanged, and a quarter turn q. (For n > 1, no reflection leaves a solution
    unchanged.) With constraints or a limit, fundamental solutions are listed one by one on one thread.

    Examples
    --------
    >>> count_solutions(8), count_solutions(8, fixed={1: 3, 3: 4}), count_solutions(8, fundamental=True)
    (92, 2, 12)
    >>> count_solutions(8, blocked=[(0, 0), (7, 7)], excluded_sums=[7])
    28
    """
    most = NO_LIMIT if limit is None else check_integer(limit, "limit", 1, NO_LIMIT)
    callbacks = Callbacks.until(time_limit, progress, stop)
    try:
        instance = _propagated(as_instance(n, fixed, blocked, excluded_sums, excluded_differences), callbacks)
    except NoSolutionError:
        return 0
    except Stopped as stopped:
        stopped.partial = 0
        raise
    where = {"threads": threads, "executor": executor, "checkpoint": checkpoint}
    return (_count_fundamental if fundamental else _count)(instance, most, where, callbacks)


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
    excluded_sums: Diagonals | None = None,
    excluded_differences: Diagonals | None = None,
) -> bool:
    """Return whether an instance has exactly one solution.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 256 columns can be without a fixed queen.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers.
    executor, checkpoint : optional
        As in :func:`count_solutions`.
    time_limit : float, optional
        Seconds after which the call ends, without the time for compiling. By default, there is no limit. Results that
        can say that they are incomplete are returned at the time limit; functions that return a bare value or an
        iterator, and calls without a first board, raise :class:`TimeLimitReached` with the finished part as
        ``partial``.
    progress : bool or callable, optional
        True shows progress, and a function receives it; see docs/library.md.
    stop : callable, optional
        Function without arguments; the call ends soon after it returns True. See docs/library.md.
    fixed, blocked, excluded_sums, excluded_differences : optional
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
        stop=stop, fixed=fixed, blocked=blocked, excluded_sums=excluded_sums, excluded_differences=excluded_differences,
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
    excluded_sums: Diagonals | None = None,
    excluded_differences: Diagonals | None = None,
) -> Iterator[Queens]:
    """Return an iterator over the solutions of an instance.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 256 columns can be without a fixed queen.
    limit : int, optional
        Stop after this many solutions. At least 1; by default, there is no limit.
    fundamental : bool
        Yield only one of the rotations and mirror images of a solution that are also solutions of the instance: the
        first one in lexicographic order. Default: False.
    time_limit : float, optional
        Seconds after which the call ends, without the time for compiling. By default, there is no limit. The time
        between two requests counts. Results that can say that they are incomplete are returned at the time limit;
        functions that return a bare value or an iterator, and calls without a first board, raise
        :class:`TimeLimitReached` with the finished part as ``partial``.
    progress : bool or callable, optional
        True shows progress, and a function receives it; see docs/library.md.
    stop : callable, optional
        Function without arguments; the call ends soon after it returns True. See docs/library.md.
    fixed, blocked, excluded_sums, excluded_differences : optional
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
        instance = _propagated(as_instance(n, fixed, blocked, excluded_sums, excluded_differences), Callbacks())
    except NoSolutionError:
        return iter(())
    return (_list_fundamental if fundamental else _list)(instance, most, callbacks)


def _propagated(instance: Instance, callbacks: Callbacks) -> Instance:
    """Return the instance with forced queens if it is too large for complete search without them."""
    return with_forced_queens(instance, callbacks) if instance.free_columns > MOST_FREE_COLUMNS else instance


def _count(instance: Instance, limit: int, where: dict[str, Any], callbacks: Callbacks) -> int:
    """Count the solutions, at most ``limit``."""
    known = known_count(instance.n) if instance.is_free else None
    has_symmetries = instance.is_free and limit == NO_LIMIT and instance.n <= MOST_FREE_COLUMNS
    weighted = weighted_instances(instance.n) if has_symmetries else [(instance, 1)]
    search = CompleteSearch(weighted, limit, known=known if limit == NO_LIMIT else None, **where)
    try:
        search.advance(NO_LIMIT, callbacks)
    except Stopped as stopped:
        stopped.partial = min(search.solutions, limit)
        raise
    found = min(search.solutions, limit)
    if known is not None and found != min(known, limit):
        wrong = f"the count for n = {instance.n} is {found:,} instead of {min(known, limit):,} (OEIS A000170)"
        if where["checkpoint"] is None:
            raise RuntimeError(f"{wrong}; please report this")
        raise InputError(f"{os.fspath(where['checkpoint'])}: {wrong}; name a new file")
    return found


def _count_fundamental(instance: Instance, limit: int, where: dict[str, Any], callbacks: Callbacks) -> int:
    """Count the fundamental solutions, at most ``limit``."""
    if not instance.is_free or limit != NO_LIMIT or instance.n == 1:
        for name in ("executor", "checkpoint"):
            if where[name] is not None:
                raise InputError(
                    f"{name} cannot be combined with constraints or a limit if only fundamental solutions are counted"
                )
        found = 0
        try:
            for found, _ in enumerate(_list_fundamental(instance, limit, callbacks), 1):  # noqa: B007
                pass
        except Stopped as stopped:
            stopped.partial = found
            raise
        return found
    try:
        found = _count(instance, limit, where, callbacks)
        for quarter_turns, weight in ((2, 1), (1, 2)):
            tree = symmetric_tree(instance.n, quarter_turns)
            while tree.search(tree.nodes + tree.slice, NO_LIMIT) == UNDER_WAY:
                callbacks.poll(STAGE, PROGRESS, PROGRESS)
            found += weight * tree.solutions
    except Stopped as stopped:
        stopped.partial = -(-(found if stopped.partial is None else stopped.partial) // 8)
        raise
    return found // 8


def _list_fundamental(instance: Instance, limit: int, callbacks: Callbacks) -> Iterator[Queens]:
    """Return an iterator over the fundamental solutions, at most ``limit``."""
    return itertools.islice(first_of_orbits(_list(instance, NO_LIMIT, callbacks), instance), limit)


def _list(instance: Instance, limit: int, callbacks: Callbacks) -> Iterator[Queens]:
    """Yield the solutions, at most ``limit``."""
    tree = search_tree(instance, is_ordered=instance.free_columns <= thresholds.current.ordered)
    places: Any = np.empty((_LISTED, tree.lines.shape[1]), np.uint16)
    silent, status = callbacks.without_progress(), UNDER_WAY
    while status != EXHAUSTED and limit:
        known = tree.solutions
        wanted = min(limit, len(places))
        status = tree.search(tree.nodes + tree.slice, known + wanted, places[:wanted])
        found = tree.solutions - known
        limit -= found
        for number, row in enumerate(places[:found]):
            if number:  # the caller can spend much time on a board
                silent.poll(STAGE, tree.nodes, NO_LIMIT)
            yield tree.board(row)
        callbacks.poll(STAGE, tree.nodes, NO_LIMIT, may_stop=status != EXHAUSTED and limit > 0)
