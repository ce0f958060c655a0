"""Exact search: whether given queens can be completed, where at most 64 columns are left; how many solutions there are.

The drivers of kernels/backtracking.py. Local search finds solutions and proves nothing; this proves that there is none.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError, NoSolutionError, Queens, check_n, row_dtype
from fastqueens.engines import empty_bitsets, others
from fastqueens.given import Fixed, Given, given_queens
from fastqueens.kernels import backtracking
from fastqueens.kernels import given as given_kernels
from fastqueens.watch import Progress, Stop, Stopped, Watch
from fastqueens.workers import Workers, checked_threads

#: Empty columns up to which :func:`complete` can say something: their rows are the bits of a word.
MOST_EMPTY = 64

#: The largest board whose solutions are counted: 14,772,512 for n = 16.
LARGEST_COUNTED = 16

# Nodes in a slice of some 10 ms, and columns in one.
_SLICE = 1 << 15
_COLUMNS_A_SLICE = 1 << 16


class Completion(NamedTuple):
    """What came of an exact search: a board, the proof that there is none (``is_excluded``), or neither."""

    queens: Queens | None
    is_excluded: bool
    nodes: int


def complete(n: int, given: Given, max_nodes: int, watch: Watch) -> Completion:
    """Place all queens that are not given, at most :data:`MOST_EMPTY`, by backtracking over ``max_nodes`` squares.

    A wish to stop ends the search as an empty budget does.
    """
    tree, columns, rows = _tree(n, given)
    status = backtracking.UNDER_WAY
    nodes = 0
    with suppress(Stopped):
        while status == backtracking.UNDER_WAY and nodes < max_nodes:
            status = backtracking.complete(tree, min(nodes + _SLICE, max_nodes))
            nodes = int(tree.state[backtracking.NODES])
            watch.look("exact search", nodes, max_nodes)
    if status != backtracking.FOUND:
        return Completion(None, status == backtracking.EXHAUSTED, nodes)
    queens = np.empty(n, row_dtype(n))
    queens[given.columns] = given.rows
    m = len(columns)
    for variable, square in zip(tree.chosen[:m].tolist(), tree.square[:m].tolist(), strict=True):
        column, row = (variable, square) if variable < m else (square, variable - m)
        queens[columns[column]] = rows[row]
    return Completion(queens, False, nodes)


def _tree(n: int, given: Given) -> tuple[backtracking.Tree, NDArray[np.int64], NDArray[np.int64]]:
    """A search that has not begun, and the empty columns and unused rows it is about."""
    columns, rows = others(n, given)
    m = len(columns)
    sums, differences = columns[:, None] + rows, columns[:, None] - rows
    is_free = ~np.isin(sums, given.columns + given.rows) & ~np.isin(differences, given.columns - given.rows)
    domains = np.zeros((m + 1, 2 * m), np.uint64)
    domains[0] = _words(np.concatenate([is_free, is_free.T]))
    tree = backtracking.Tree(
        attacked=np.concatenate([_attacked(columns, rows), _attacked(rows, columns)]),
        domains=domains,
        untried=np.zeros(m + 1, np.uint64),
        chosen=np.full(m + 1, -1, np.int64),
        square=np.zeros(m + 1, np.int64),
        open=np.zeros((m + 1, 2), np.uint64),
        state=np.zeros(backtracking.STATE_LENGTH, np.int64),
    )
    tree.open[0] = _words(np.ones((1, m), np.bool_))
    return tree, columns, rows


def _attacked(lines: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.uint64]:
    """For a queen on ``lines[i]`` at ``places[j]``: the places on each of ``lines`` that it attacks, as a word."""
    away = (lines - lines[:, None])[:, None, :]
    here = places[None, :, None]
    attacked = np.zeros((len(lines),) * 3, np.uint64)
    for places_attacked in (here, here + away, here - away):
        at = np.minimum(np.searchsorted(places, places_attacked), len(places) - 1)
        attacked |= np.where(places[at] == places_attacked, np.uint64(1) << at.astype(np.uint64), np.uint64(0))
    return attacked


def _words(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Each row of flags, 64 at most, as the bits of a word."""
    bits = np.uint64(1) << np.arange(flags.shape[-1], dtype=np.uint64)
    words: NDArray[np.uint64] = np.bitwise_or.reduce(np.where(flags, bits, np.uint64(0)), axis=-1)
    return words


def check_open(n: int, given: Given, watch: Watch, *, rows_from: int = 0) -> None:
    """Raise :class:`NoSolutionError` where the given queens attack every square of an empty column or of an unused row.

    ``rows_from`` (0 or 1) is how the message calls the first row. A queen attacks at most three squares of a column:
    fewer than n / 3 of them leave every column open. Bitsets of 5 n / 8 bytes; see first_closed_column for the time.
    """
    if 3 * len(given) < n or len(given) == n:
        return
    turned = given_queens(np.stack([given.rows, given.columns], axis=1), n)
    for what, first_line, queens in (("column", 0, given), ("row", rows_from, turned)):
        bitsets = empty_bitsets(n, queens)
        given_kernels.mark_given(bitsets, queens.columns, queens.rows)
        for first, last in watch.slices("given queens", n, _COLUMNS_A_SLICE):
            closed = given_kernels.first_closed_column(bitsets, first, last)
            if closed < last:
                raise NoSolutionError(
                    f"no solution exists: the given queens attack every square of {what} {closed + first_line}"
                )


def count_solutions(
    n: int,
    fixed: Fixed | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> int:
    """Count the boards of n queens, none attacking another, on which the given queens stand.

    Parameters
    ----------
    n : int
        From 1 to 16.
    fixed : mapping, pairs or (k, 2) array, optional
        Rows of given queens by column; see :func:`fastqueens.solve`.
    threads : int, optional
        All cores if not given.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "exact search".

    Returns
    -------
    int
        All of them, those that mirroring or turning makes equal included; 0 where given queens attack each other.

    Raises
    ------
    InputError
        Where a value is not as described here.
    Stopped
        Where ``stop`` said so.

    Notes
    -----
    Exhaustive: 1.1 billion nodes for n = 16 and no given queen, some seconds.

    Examples
    --------
    >>> count_solutions(8), count_solutions(8, {1: 3, 3: 4})
    (92, 2)
    """
    if check_n(n) > LARGEST_COUNTED:
        raise InputError(f"n is {n}: solutions are counted up to n = {LARGEST_COUNTED}")
    try:
        given = given_queens(fixed, n)
    except NoSolutionError:
        return 0
    watch = Watch(progress, stop)
    allowed = _allowed(n, given)
    starts = _starts(n, allowed)
    found = 0
    with Workers(checked_threads(threads)) as workers:
        for at in range(0, len(starts), workers.threads):
            found += sum(workers.each(lambda start: _count_from(allowed, start), starts[at : at + workers.threads]))
            watch.look("exact search", min(len(starts), at + workers.threads), len(starts))
    return found


def _allowed(n: int, given: Given) -> NDArray[np.uint64]:
    """For each column the rows that no given queen attacks, or the one that its own stands on, as a word."""
    columns, rows = np.arange(n)[:, None, None], np.arange(n)[:, None]
    attacked = (
        (rows == given.rows)
        | (columns + rows == given.columns + given.rows)
        | (columns - rows == given.columns - given.rows)
    ).any(axis=-1)
    attacked[given.columns] = True
    attacked[given.columns, given.rows] = False
    return _words(~attacked)


#: The first empty column, and the rows taken and attacked by sum and by difference diagonals there, as words.
Start = tuple[int, int, int, int]


def _starts(n: int, allowed: NDArray[np.uint64]) -> list[Start]:
    """All ways to fill the first two columns: enough work for all threads, and short enough for Ctrl-C."""
    starts: list[Start] = [(0, 0, 0, 0)]
    for column in range(min(2, n)):
        starts = [
            (column + 1, rows | queen, (sums | queen) >> 1, (differences | queen) << 1)
            for _, rows, sums, differences in starts
            for queen in (1 << row for row in range(n))
            if queen & int(allowed[column]) & ~(rows | sums | differences)
        ]
    return starts


def _count_from(allowed: NDArray[np.uint64], start: Start) -> int:
    first, *words = start
    stack: NDArray[Any] = np.empty((len(allowed), 4), np.uint64)
    return int(backtracking.count_boards(allowed, stack, first, *map(np.uint64, words)))
