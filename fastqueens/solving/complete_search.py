"""Do fixed queens have a completion? Closed columns and rows exclude it before any search.

If the queens leave at most 64 columns, the complete search finds a completion or proves that none exists: the driver of
kernels/backtracking.py.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.errors import NoSolutionError, Stopped
from fastqueens.core.fixed_queens import FixedQueens
from fastqueens.kernels import backtracking
from fastqueens.kernels import fixed_queens as fixed_queen_kernels
from fastqueens.solving.attempt import empty_bitsets

#: Most empty columns that :func:`complete` accepts: rows are bits of a word.
MOST_EMPTY = 64

# Nodes, and columns, in a slice: about 10 ms.
_SLICE = 1 << 15
_COLUMNS_A_SLICE = 1 << 16


def check_closed_lines(n: int, fixed: FixedQueens, callbacks: Callbacks) -> None:
    """Raise :class:`NoSolutionError` if the fixed queens attack every square of an empty column or of an unused row.

    A queen attacks at most three squares of a column: fewer than n / 3 queens leave every column open. Takes 5 n / 8
    bytes; for the time see first_closed_column.
    """
    if 3 * len(fixed) < n or len(fixed) == n:
        return
    for what, first_line, queens in (("column", 0, fixed), ("row", fixed.rows_from, fixed.transposed(n))):
        bitsets = empty_bitsets(n, queens)
        for first, last in callbacks.slices("fixed queens", n, _COLUMNS_A_SLICE):
            closed = fixed_queen_kernels.first_closed_column(bitsets, first, last)
            if closed < last:
                raise NoSolutionError(
                    f"no solution exists: the fixed queens attack every square of {what} {closed + first_line}"
                )


class Completion(NamedTuple):
    """The outcome of a complete search: a board, a proof that there is none (``is_excluded``), or neither."""

    queens: Queens | None
    is_excluded: bool
    nodes: int


def complete(n: int, fixed: FixedQueens, max_nodes: int, callbacks: Callbacks) -> Completion:
    """Place the at most :data:`MOST_EMPTY` queens that are not fixed, by backtracking over ``max_nodes`` squares.

    If the stop callback returns True, the search ends as if the budget were spent.
    """
    tree, columns, rows = _tree(n, fixed)
    status = backtracking.UNDER_WAY
    nodes = 0
    with suppress(Stopped):
        while status == backtracking.UNDER_WAY and nodes < max_nodes:
            status = backtracking.complete(tree, min(nodes + _SLICE, max_nodes))
            nodes = int(tree.state[backtracking.NODES])
            callbacks.poll("complete search", nodes, max_nodes)
    if status != backtracking.FOUND:
        return Completion(None, status == backtracking.EXHAUSTED, nodes)
    queens = np.empty(n, row_dtype(n))
    queens[fixed.columns] = fixed.rows
    m = len(columns)
    for variable, square in zip(tree.chosen[:m].tolist(), tree.square[:m].tolist(), strict=True):
        column, row = (variable, square) if variable < m else (square, variable - m)
        queens[columns[column]] = rows[row]
    return Completion(queens, False, nodes)


def _tree(n: int, fixed: FixedQueens) -> tuple[backtracking.Tree, NDArray[np.int64], NDArray[np.int64]]:
    """Return a search that has not begun, with the empty columns and the unused rows."""
    columns, rows = fixed.columns_and_rows_left(n)
    m = len(columns)
    sums, differences = columns[:, None] + rows, columns[:, None] - rows
    is_free = ~np.isin(sums, fixed.columns + fixed.rows) & ~np.isin(differences, fixed.columns - fixed.rows)
    domains = np.zeros((m + 1, 2 * m), np.uint64)
    domains[0] = as_words(np.concatenate([is_free, is_free.T]))
    tree = backtracking.Tree(
        attacked=np.concatenate([_attacked(columns, rows), _attacked(rows, columns)]),
        domains=domains,
        untried=np.zeros(m + 1, np.uint64),
        chosen=np.full(m + 1, -1, np.int64),
        square=np.zeros(m + 1, np.int64),
        open=np.zeros((m + 1, 2), np.uint64),
        state=np.zeros(backtracking.STATE_LENGTH, np.int64),
    )
    tree.open[0] = as_words(np.ones((1, m), np.bool_))
    return tree, columns, rows


def _attacked(lines: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return words ``[i, j, k]``: the places on ``lines[k]`` that a queen on ``lines[i]`` at ``places[j]`` attacks."""
    away = (lines - lines[:, None])[:, None, :]
    here = places[None, :, None]
    attacked = np.zeros((len(lines),) * 3, np.uint64)
    for places_attacked in (here, here + away, here - away):
        at = np.minimum(np.searchsorted(places, places_attacked), len(places) - 1)
        attacked |= np.where(places[at] == places_attacked, np.uint64(1) << at.astype(np.uint64), np.uint64(0))
    return attacked


def as_words(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return each row of at most 64 flags as the bits of a word."""
    bits = np.uint64(1) << np.arange(flags.shape[-1], dtype=np.uint64)
    words: NDArray[np.uint64] = np.bitwise_or.reduce(np.where(flags, bits, np.uint64(0)), axis=-1)
    return words
