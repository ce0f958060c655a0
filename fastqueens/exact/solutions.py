"""Solutions of an instance: their number, a list of them, and whether there is exactly one."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any, Unpack

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
from fastqueens.instance import Constraints, Instance, as_instance

# Solutions listed between two calls of the callbacks.
_LISTED = 1000


@shows_progress
def count_solutions(
    n: int | Instance,
    *,
    limit: int | None = None,
    fundamental: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **constraints: Unpack[Constraints],
) -> int:
    """Count the solutions of an instance.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 256 columns can be without a fixed queen.
    limit : int, optional
        Stop when this many solutions are found, and return that number; at least 1.
    fundamental : bool
        Count solutions that are rotations or mirror images of each other only once. With constraints, only images that
        are also solutions of the instance are counted together.
    threads : int, optional
        By default all cores. With an executor, the number of its workers; by default the executor is asked.
    executor : executor, optional
        A pool of ``concurrent.futures`` or the ``Client`` of a Dask cluster, on which a count that takes more than two
        million squares runs in parts. It is not closed. The result does not depend on it. With an executor or a
        checkpoint, at most 64 columns can be without a fixed queen.
    checkpoint : str or path, optional
        A file to which finished parts are added. If it exists, the count continues there; if it is complete, the
        result comes from it. Damaged lines are removed, and their parts are searched again. If the file can no longer
        be written, the count goes on without it. Both are logged (logger "fastqueens").
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "complete search". ``done`` is the number of squares tried, and the
        total is unknown, which 2**63 - 1 stands for. On a free board whose number of solutions is known, ``done`` is
        10**15 times the found fraction of them. A long search also reports its finished parts: "complete search (9 of
        960 parts)". Parts that take long are divided, which adds to their number.
    fixed, blocked, excluded_sums, excluded_differences : optional
        See :func:`fastqueens.solve`; not with an instance, which holds them.

    Returns
    -------
    int
        Mirror images and rotations count separately, unless ``fundamental`` is True; 0 if the fixed queens exclude
        each other.

    Raises
    ------
    InputError
        If a value is not as described here, the checkpoint belongs to another search or version, or the executor is
        lost.
    RuntimeError
        If the number of solutions of a free board is not the known one; please report this.
    Stopped
        If ``stop`` returned True. ``partial`` is a lower bound of the number of solutions, if one is known; a note
        reports the progress.

    Notes
    -----
    Backtracking over all solutions: the time grows with their number, by about 0.2 microseconds for each. Of a free
    board, it visits only about an eighth of the solutions.

    Fundamental solutions of a free board take no longer: by Burnside's lemma, there are (Q + h + 2 q) / 8 of them if
    half a turn leaves h of the Q solutions unchanged, and a quarter turn q. For n > 1, no reflection leaves one
    unchanged. With constraints or a limit, the solutions are listed, on one thread, as :func:`all_solutions` does.

    Examples
    --------
    >>> count_solutions(8), count_solutions(8, fixed={1: 3, 3: 4}), count_solutions(8, fundamental=True)
    (92, 2, 12)
    >>> count_solutions(8, blocked=[(0, 0), (7, 7)], excluded_sums=[7])
    28
    """
    most = NO_LIMIT if limit is None else check_integer(limit, "limit", 1, NO_LIMIT)
    callbacks = Callbacks(progress, stop)
    try:
        instance = _propagated(as_instance(n, **constraints), callbacks)
    except NoSolutionError:
        return 0
    where = {"threads": threads, "executor": executor, "checkpoint": checkpoint}
    return (_count_fundamental if fundamental else _count)(instance, most, where, callbacks)


def has_unique_solution(
    n: int | Instance,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **constraints: Unpack[Constraints],
) -> bool:
    """Return whether an instance has exactly one solution.

    Parameters, errors and cost are those of :func:`count_solutions` with ``limit=2``.

    Examples
    --------
    >>> has_unique_solution(8, fixed={0: 0, 1: 4}), has_unique_solution(8, fixed={1: 3, 3: 4})
    (True, False)
    """
    where: dict[str, Any] = {"threads": threads, "executor": executor, "checkpoint": checkpoint}
    return count_solutions(n, limit=2, **where, progress=progress, stop=stop, **constraints) == 1


@shows_progress
def all_solutions(
    n: int | Instance,
    *,
    limit: int | None = None,
    fundamental: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[Queens]:
    """Iterate over the solutions of an instance, in lexicographic order if at most 32 columns have no fixed queen.

    Parameters
    ----------
    n, progress, stop, fixed, blocked, excluded_sums, excluded_differences
        See :func:`count_solutions`.
    limit : int, optional
        Stop after this many solutions, at least 1: the first ones in the order below.
    fundamental : bool
        Of the rotations and mirror images of a solution that are also solutions of the instance, take only the one
        that is first in lexicographic order.

    Returns
    -------
    iterator of (n,) int32 arrays
        The same solutions in the same order every time. If at most 32 columns have no fixed queen, the order is
        lexicographic: boards are compared by the row in column 0, then by the row in column 1, and so on. With more,
        it can take years to find the first solution in that order, so they come as the search finds them.

    Raises
    ------
    InputError
        If a value is not as described here, before the first solution is asked for.
    Stopped
        If ``stop`` returned True, when a solution is asked for.

    Notes
    -----
    Listing takes one thread and some microseconds per solution. The fundamental solutions are found by comparing all
    solutions with their images.

    Examples
    --------
    >>> [queens.tolist() for queens in all_solutions(4)]
    [[1, 3, 0, 2], [2, 0, 3, 1]]
    >>> [queens.tolist() for queens in all_solutions(4, fundamental=True)]
    [[1, 3, 0, 2]]
    """
    most = NO_LIMIT if limit is None else check_integer(limit, "limit", 1, NO_LIMIT)
    try:
        instance = _propagated(as_instance(n, **constraints), Callbacks())
    except NoSolutionError:
        return iter(())
    return (_list_fundamental if fundamental else _list)(instance, most, Callbacks(progress, stop))


def _propagated(instance: Instance, callbacks: Callbacks) -> Instance:
    """Return an instance with the forced queens if complete search would refuse it without them."""
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
        wrong = f"{found:,} solutions were found for n = {instance.n}, and {known:,} are known (OEIS A000170)"
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
                    f"{name} is given: fundamental solutions are counted one by one in this process if there are "
                    "constraints or a limit"
                )
        return sum(1 for _ in _list_fundamental(instance, limit, callbacks))
    try:
        found = _count(instance, limit, where, callbacks)
    except Stopped as stopped:
        stopped.partial = -(-stopped.partial // 8)
        raise
    for quarter_turns, weight in ((2, 1), (1, 2)):
        tree = symmetric_tree(instance.n, quarter_turns)
        while tree.search(tree.nodes + tree.slice, NO_LIMIT) == UNDER_WAY:
            callbacks.poll(STAGE, PROGRESS, PROGRESS)
        found += weight * tree.solutions
    return found // 8


def _list_fundamental(instance: Instance, limit: int, callbacks: Callbacks) -> Iterator[Queens]:
    """Iterate over the fundamental solutions, at most ``limit``."""
    return itertools.islice(first_of_orbits(_list(instance, NO_LIMIT, callbacks), instance), limit)


def _list(instance: Instance, limit: int, callbacks: Callbacks) -> Iterator[Queens]:
    """Yield the solutions, at most ``limit``."""
    tree = search_tree(instance, is_ordered=instance.free_columns <= thresholds.current.ordered)
    places: Any = np.empty((_LISTED, tree.lines.shape[1]), np.uint16)
    status = UNDER_WAY
    while status != EXHAUSTED and limit:
        known = tree.solutions
        wanted = min(limit, len(places))
        status = tree.search(tree.nodes + tree.slice, known + wanted, places[:wanted])
        found = tree.solutions - known
        limit -= found
        for row in places[:found]:
            yield tree.board(row)
        callbacks.poll(STAGE, tree.nodes, NO_LIMIT)
