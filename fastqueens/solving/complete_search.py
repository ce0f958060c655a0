"""Do fixed queens have a completion? Closed columns and rows exclude it before any search.

If the queens leave at most 64 columns, the complete search finds a completion or proves that none exists: the driver of
kernels/backtracking.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.errors import NoSolutionError
from fastqueens.core.instance import Instance, square_keys
from fastqueens.core.threads import Workers
from fastqueens.kernels import backtracking
from fastqueens.kernels import fixed_queens as fixed_queen_kernels
from fastqueens.solving.attempt import empty_bitsets

#: Most empty columns that :func:`complete` accepts: rows are bits of a word.
MOST_EMPTY = 64

#: What :meth:`CompleteSearch.advance` returns.
UNDER_WAY, FOUND, EXHAUSTED = backtracking.UNDER_WAY, backtracking.FOUND, backtracking.EXHAUSTED

# Nodes, and columns, in a slice: about 10 ms.
_SLICE = 1 << 15
_COLUMNS_A_SLICE = 1 << 16


def check_closed_lines(instance: Instance, callbacks: Callbacks) -> None:
    """Raise :class:`NoSolutionError` if an empty column or an unused row has no open square.

    Takes 5 n / 8 bytes; for the time see first_closed_column.
    """
    if not _may_close_a_line(instance) or instance.free_columns == 0:
        return
    for what, first_line, board in (("column", 0, instance), ("row", instance.fixed.rows_from, instance.transposed())):
        bitsets = empty_bitsets(board)
        for first, last in callbacks.slices("constraints", board.n, _COLUMNS_A_SLICE):
            closed = fixed_queen_kernels.first_closed_column(bitsets, first, last)
            if closed < last:
                line = f"{what} {closed + first_line}"
                if instance.has_exclusions:
                    raise NoSolutionError(
                        f"no solution exists: every square of {line} is attacked, blocked or excluded"
                    )
                raise NoSolutionError(f"no solution exists: the fixed queens attack every square of {line}")


def _may_close_a_line(instance: Instance) -> bool:
    """Tell whether enough squares are lost: a queen attacks at most three of a line, a diagonal crosses it once."""
    lost = 3 * len(instance.fixed) + len(instance.excluded_sums) + len(instance.excluded_differences)
    # The squares are counted only if it matters: that takes a pass over all of them.
    return lost + len(instance.blocked) >= instance.n and lost + instance.most_blocked >= instance.n


class CompleteSearch:
    """A search for a solution, or for the proof that there is none, that continues where it stopped.

    Attributes
    ----------
    nodes : int
        Squares tried so far.
    queens : (n,) array
        The solution, once one is found.
    """

    def __init__(self, instance: Instance, workers: Workers, *, seed: int = 0) -> None:
        self._instance = instance
        self._tree, self._columns, self._rows = _tree(instance)
        self.nodes = 0
        self.queens: Queens = np.empty(0, row_dtype(instance.n))

    def advance(self, max_nodes: int, callbacks: Callbacks) -> int:
        """Try at most ``max_nodes`` more squares; return FOUND, EXHAUSTED or UNDER_WAY."""
        end = self.nodes + max_nodes
        status: int = backtracking.UNDER_WAY
        while status == backtracking.UNDER_WAY and self.nodes < end:
            status = backtracking.complete(self._tree, min(self.nodes + _SLICE, end))
            self.nodes = int(self._tree.state[backtracking.NODES])
            callbacks.poll("complete search", self.nodes, end)
        if status == backtracking.FOUND:
            self.queens = self._board()
        return status

    def _board(self) -> Queens:
        fixed, m = self._instance.fixed, len(self._columns)
        queens = np.empty(self._instance.n, row_dtype(self._instance.n))
        queens[fixed.columns] = fixed.rows
        for variable, square in zip(self._tree.chosen[:m].tolist(), self._tree.square[:m].tolist(), strict=True):
            column, row = (variable, square) if variable < m else (square, variable - m)
            queens[self._columns[column]] = self._rows[row]
        return queens


def _tree(instance: Instance) -> tuple[backtracking.Tree, NDArray[np.int64], NDArray[np.int64]]:
    """Return a search that has not begun, with the empty columns and the unused rows."""
    fixed = instance.fixed
    columns, rows = fixed.columns_and_rows_left(instance.n)
    m = len(columns)
    sums, differences = columns[:, None] + rows, rows - columns[:, None]
    is_free = ~np.isin(sums, np.concatenate([fixed.columns + fixed.rows, instance.excluded_sums]))
    is_free &= ~np.isin(differences, np.concatenate([fixed.rows - fixed.columns, instance.excluded_differences]))
    keys = (columns.astype(np.uint64)[:, None] << np.uint64(32)) | rows.astype(np.uint64)
    is_free &= ~np.isin(keys, square_keys(instance.blocked))
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
