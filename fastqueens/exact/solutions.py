"""The solutions of an instance: how many there are, all of them, and whether there is exactly one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

import numpy as np

from fastqueens.core.arguments import NO_LIMIT, check_integer
from fastqueens.core.board import Queens
from fastqueens.core.errors import NoSolutionError
from fastqueens.core.instance import Constraints, Instance, as_instance, make_instance
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.core.threads import Workers, checked_threads
from fastqueens.exact.complete_search import Rounds, parts_and_slice
from fastqueens.exact.propagation import with_forced_queens
from fastqueens.exact.tree import MOST_EMPTY, search_tree
from fastqueens.exact.tree_kernel import EXHAUSTED, UNDER_WAY, WHOLE

_STAGE = "complete search"

# Progress is reported in millionths.
_PROGRESS = 10**6

# Solutions listed between two calls of the callbacks.
_LISTED = 1000


@shows_progress
def count_solutions(
    n: int | Instance,
    *,
    limit: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **constraints: Unpack[Constraints],
) -> int:
    """Count the solutions of an instance.

    Parameters
    ----------
    n : int or Instance
        Side of the board and number of queens, or an instance. At most 256 columns may have no fixed queen.
    limit : int, optional
        Stop when this many solutions are found, and return that number; at least 1.
    threads : int, optional
        By default all cores. The result is the same on any number of them.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "complete search", in millionths of the work by an estimate.
    fixed, blocked, excluded_sums, excluded_differences : optional
        See :func:`fastqueens.solve`; not with an instance, which holds them.

    Returns
    -------
    int
        Mirror images and rotations count separately; 0 if the fixed queens exclude each other.

    Raises
    ------
    InputError
        If a value is not as described here.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    Backtracking over all solutions: the time grows with their number, by about 0.2 microseconds for each of a free
    board.

    Examples
    --------
    >>> count_solutions(8), count_solutions(8, fixed={1: 3, 3: 4})
    (92, 2)
    >>> count_solutions(8, blocked=[(0, 0), (7, 7)], excluded_sums=[7])
    28
    """
    most = _checked_limit(limit)
    callbacks = Callbacks(progress, stop)
    try:
        instance = _propagated(as_instance(n, **constraints), callbacks)
    except NoSolutionError:
        return 0
    return _count(instance, most, checked_threads(threads), callbacks)


def has_unique_solution(
    n: int | Instance,
    *,
    threads: int | None = None,
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
    return count_solutions(n, limit=2, threads=threads, progress=progress, stop=stop, **constraints) == 1


@shows_progress
def all_solutions(
    n: int | Instance,
    *,
    limit: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[Queens]:
    """Iterate over the solutions of an instance.

    Parameters
    ----------
    n, progress, stop, fixed, blocked, excluded_sums, excluded_differences
        See :func:`count_solutions`.
    limit : int, optional
        The most solutions wanted, at least 1.

    Returns
    -------
    iterator of (n,) int32 arrays
        The same solutions in the same order every time; the order has no meaning.

    Raises
    ------
    InputError
        If a value is not as described here, before the first solution is asked for.
    Stopped
        If ``stop`` returned True, when a solution is asked for.

    Notes
    -----
    On one thread, some microseconds a solution.

    Examples
    --------
    >>> [queens.tolist() for queens in all_solutions(4)]
    [[2, 0, 3, 1], [1, 3, 0, 2]]
    """
    most = _checked_limit(limit)
    try:
        instance = _propagated(as_instance(n, **constraints), Callbacks())
    except NoSolutionError:
        return iter(())
    return _listed(instance, most, Callbacks(progress, stop))


def _propagated(instance: Instance, callbacks: Callbacks) -> Instance:
    """Return an instance with the forced queens if complete search would refuse it without them."""
    return with_forced_queens(instance, callbacks) if instance.free_columns > MOST_EMPTY else instance


def _checked_limit(limit: int | None) -> int:
    return NO_LIMIT if limit is None else check_integer(limit, "limit", 1, NO_LIMIT)


def _count(instance: Instance, limit: int, threads: int, callbacks: Callbacks) -> int:
    """Count the solutions, at most ``limit``."""
    if not instance.is_free or limit != NO_LIMIT or instance.n == 1:
        return _counted(instance, limit, threads, callbacks, (0, _PROGRESS))
    # Half of the solutions have their middle queen, or one next to the middle, above it: the others are mirror images.
    n = instance.n
    column, middle = n // 2, n - 1 - n // 2
    above = make_instance(n, blocked=[(column, row) for row in range(n // 2, n)])
    share = _PROGRESS * (n // 2) // (n - n // 2)
    count = 2 * _counted(above, limit, threads, callbacks, (0, share))
    if n % 2:
        count += _counted(make_instance(n, [(column, middle)]), limit, threads, callbacks, (share, _PROGRESS))
    return count


def _counted(instance: Instance, limit: int, threads: int, callbacks: Callbacks, shares: tuple[int, int]) -> int:
    """Count the solutions, at most ``limit``, and report progress from one share to another."""
    rounds = Rounds(search_tree(instance), limit)
    first, last = shares
    status = UNDER_WAY
    with Workers(threads) as workers:
        while status == UNDER_WAY:
            status = rounds.advance(NO_LIMIT, workers)
            # A count is kept, also if the user stops now.
            done = last - (last - first) * rounds.left // WHOLE
            callbacks.poll(_STAGE, done, _PROGRESS, may_stop=status == UNDER_WAY)
    return min(rounds.solutions, limit)


def _listed(instance: Instance, limit: int, callbacks: Callbacks) -> Iterator[Queens]:
    """Yield the solutions, at most ``limit``."""
    tree = search_tree(instance)
    places: Any = np.empty((_LISTED, tree.lines.shape[1]), np.uint16)
    parts, slice_ = parts_and_slice(tree)
    status = UNDER_WAY
    while status != EXHAUSTED and limit:
        known = tree.solutions
        wanted = min(limit, len(places))
        status = tree.search(tree.nodes + parts * slice_, known + wanted, places[:wanted])
        found = tree.solutions - known
        limit -= found
        for row in places[:found]:
            yield tree.board(row)
        callbacks.poll(_STAGE, _PROGRESS * (WHOLE - tree.left) // WHOLE, _PROGRESS)
