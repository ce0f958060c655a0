"""The solutions of an instance: how many there are, all of them, and whether there is exactly one."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import thresholds
from fastqueens._run.arguments import NO_LIMIT, check_integer
from fastqueens._run.executors import Executor
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import Queens, known_count
from fastqueens.errors import InputError, NoSolutionError, Stopped
from fastqueens.exact.complete_search import EXHAUSTED, PROGRESS, STAGE, UNDER_WAY, CompleteSearch
from fastqueens.exact.propagation import with_forced_queens
from fastqueens.exact.tree import MOST_EMPTY, SearchTree, search_tree
from fastqueens.instance import Constraints, Instance, as_instance, make_instance

# Solutions listed between two calls of the callbacks.
_LISTED = 1000

# Queens on the boards that are compared with their images at a time.
_QUEENS_OF_BLOCK = 1 << 16

# Which queens of a pinwheel are on its square: neighbouring ones, opposite ones; and the size of the orbit.
_PATTERNS = (((0,), 8), ((0, 1), 8), ((0, 2), 4), ((0, 1, 2), 8), ((0, 1, 2, 3), 2))


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
        Side of the board and number of queens, or an instance. At most 256 columns may have no fixed queen.
    limit : int, optional
        Stop when this many solutions are found, and return that number; at least 1.
    fundamental : bool
        Count solutions that are rotations or mirror images of each other only once. With constraints, some images of
        a solution may be no solutions of the instance; those that are count once together.
    threads : int, optional
        By default all cores. With an executor, the number of its workers; by default the executor is asked.
    executor : executor, optional
        Counts elsewhere what takes more than two million squares: a pool of ``concurrent.futures``, or the ``Client``
        of a Dask cluster. It is not closed. The result does not depend on it. For an executor or a checkpoint, at most
        64 columns may have no fixed queen.
    checkpoint : str or path, optional
        A file to which finished parts of the work are added. If it exists, the count continues there; if it is
        complete, the result comes from it. Damaged lines are removed, and their parts are searched again. If the file
        can no longer be written, the count goes on without it. Both are logged (logger "fastqueens").
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "complete search". It reports the squares tried, of an unknown
        total, which is given as 2**63 - 1. On a free board whose number of solutions is known, it reports the share
        found, in 10**15 parts. A long search also says how many parts are done: "complete search (9 of 960 parts)".
        Parts that take long are divided, which adds to their number.
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
        If ``stop`` returned True. ``partial`` is how many solutions there are at least, if that is known, and a note
        says how far the search was.

    Notes
    -----
    Backtracking over all solutions: the time grows with their number, by about 0.2 microseconds for each. Of a free
    board, it visits only about an eighth of the solutions; see :func:`.weighted_instances`.

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
    most = _checked_limit(limit)
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
    most = _checked_limit(limit)
    try:
        instance = _propagated(as_instance(n, **constraints), Callbacks())
    except NoSolutionError:
        return iter(())
    return (_fundamental if fundamental else _listed)(instance, most, Callbacks(progress, stop))


def _propagated(instance: Instance, callbacks: Callbacks) -> Instance:
    """Return an instance with the forced queens if complete search would refuse it without them."""
    return with_forced_queens(instance, callbacks) if instance.free_columns > MOST_EMPTY else instance


def _checked_limit(limit: int | None) -> int:
    return NO_LIMIT if limit is None else check_integer(limit, "limit", 1, NO_LIMIT)


def _count(instance: Instance, limit: int, where: dict[str, Any], callbacks: Callbacks) -> int:
    """Count the solutions, at most ``limit``."""
    known = known_count(instance.n) if instance.is_free else None
    has_symmetries = instance.is_free and limit == NO_LIMIT and instance.n <= MOST_EMPTY
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
    n = instance.n
    if not instance.is_free or limit != NO_LIMIT or n == 1:
        for name in ("executor", "checkpoint"):
            if where[name] is not None:
                raise InputError(
                    f"{name} is given: fundamental solutions are counted one by one in this process if there are "
                    "constraints or a limit"
                )
        return sum(1 for _ in _fundamental(instance, limit, callbacks))
    try:
        found = _count(instance, limit, where, callbacks)
    except Stopped as stopped:
        stopped.partial = -(-stopped.partial // 8)
        raise
    for quarter_turns, weight in ((2, 1), (1, 2)):
        tree = symmetric_tree(n, quarter_turns)
        while tree.search(tree.nodes + tree.slice, NO_LIMIT) == UNDER_WAY:
            callbacks.poll(STAGE, PROGRESS, PROGRESS)
        found += weight * tree.solutions
    return found // 8


def _fundamental(instance: Instance, limit: int, callbacks: Callbacks) -> Iterator[Queens]:
    """Iterate over the fundamental solutions, at most ``limit``."""
    return itertools.islice(_fundamental_of(_listed(instance, NO_LIMIT, callbacks), instance), limit)


def _listed(instance: Instance, limit: int, callbacks: Callbacks) -> Iterator[Queens]:
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


def weighted_instances(n: int) -> list[tuple[Instance, int]]:
    """Return instances with weights: the sum of weight * number of solutions is that of the free board.

    Small boards are divided by the mirror alone: half of the solutions have the queen of the middle column, or of one
    next to the middle, above it. On boards of at least ``thresholds.current.eight_symmetries``, all eight symmetries
    save work. Take the columns and rows d and n - 1 - d, which the symmetries permute, and the queens on them with the
    least distance t from an end of their line. The symmetries permute such sets of queens, which are subsets of the
    square (d, t) and its quarter turns, or mirror images of these. One set of each orbit is enough, with the size of
    the orbit as weight; see docs/algorithm.md. Lines next to the middle take fewest nodes.
    """
    if n < thresholds.current.eight_symmetries:
        column, middle = n // 2, n - 1 - n // 2
        above = make_instance(n, blocked=[(column, row) for row in range(n // 2, n)])
        return [(above, 2)] + ([(make_instance(n, [(column, middle)]), 1)] if n % 2 else [])
    instances = []
    d = max(0, (n - 3) // 2)
    lines = np.array([(line, p) for line in (d, n - 1 - d) for p in range(n)])
    squares = np.concatenate([lines, lines[:, ::-1]])
    depths = np.tile(np.minimum(np.arange(n), np.arange(n)[::-1]), 4)
    for t in range(n // 2):
        pinwheel = [(d, t), (t, n - 1 - d), (n - 1 - d, n - 1 - t), (n - 1 - t, d)]
        for chosen, weight in _PATTERNS if t != d else (((0,), 4),):
            queens = [pinwheel[turn] for turn in chosen]
            is_free = (squares[:, None] == queens).all(axis=2).any(axis=1)
            instances.append((make_instance(n, queens, blocked=squares[(depths <= t) & ~is_free]), weight))
    return instances


def symmetric_tree(n: int, quarter_turns: int) -> SearchTree:
    """Return the search for the solutions of a free board that a rotation leaves unchanged; n is at most 64.

    The rotation is by one quarter turn or by two. A queen is placed together with all that the rotation makes of it:
    it leaves in the domains what they all leave there.
    """
    squares = np.arange(n * n).reshape(n, n)
    orbits = np.array([np.rot90(squares, turns).ravel() for turns in range(0, 4, quarter_turns)])
    columns, rows = np.divmod(orbits, n)
    across, along = abs(columns - columns[0]), abs(rows - rows[0])
    is_attacking = ((across * along == 0) | (across == along)) & (orbits != orbits[0])
    search = search_tree(make_instance(n, blocked=np.argwhere(is_attacking.any(axis=0).reshape(n, n))))
    keep = search.tree.keep
    keep[:-1] = np.bitwise_and.reduce(keep[orbits])
    return search


def _fundamental_of(solutions: Iterator[Queens], instance: Instance) -> Iterator[Queens]:
    """Yield the solutions that come, in lexicographic order, before all their images that are solutions, too."""
    length = 1
    while block := list(itertools.islice(solutions, length)):
        boards = np.array(block)
        yield from boards[_are_first(boards, instance)]
        length = min(2 * length, max(1, _QUEENS_OF_BLOCK // instance.n))


def _are_first(boards: NDArray[Any], instance: Instance) -> NDArray[np.bool_]:
    """Tell which of the boards, a (k, n) array, come before all their images that are solutions."""
    n = instance.n
    are_first = np.ones(len(boards), bool)
    for turned in (boards, np.argsort(boards, axis=1)):
        for side in (turned, turned[:, ::-1]):
            for image in (side, n - 1 - side):
                at = (image != boards).argmax(axis=1)[:, None]
                is_before = np.take_along_axis(image, at, 1) < np.take_along_axis(boards, at, 1)
                are_first &= ~(is_before[:, 0] & _are_allowed(image, instance))
    return are_first


def _are_allowed(boards: NDArray[Any], instance: Instance) -> NDArray[np.bool_]:
    """Tell which of the solutions of the free board, a (k, n) array, are solutions of an instance."""
    fixed, blocked, columns = instance.fixed, instance.blocked, np.arange(instance.n)
    is_violation = [
        boards[:, fixed.columns] != fixed.rows,
        boards[:, blocked[:, 0]] == blocked[:, 1],
        np.isin(boards + columns, instance.excluded_sums),
        np.isin(boards - columns, instance.excluded_differences),
    ]
    return np.logical_not(np.concatenate(is_violation, axis=1).any(axis=1))
