"""Has an instance a solution? Complete search finds one or proves that there is none; so do closed lines."""

from __future__ import annotations

import numpy as np

from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.errors import NoSolutionError
from fastqueens.core.instance import Instance
from fastqueens.core.threads import Workers
from fastqueens.kernels import fixed_queens as fixed_queen_kernels
from fastqueens.solving.attempt import empty_bitsets
from fastqueens.solving.rounds import EXHAUSTED as EXHAUSTED
from fastqueens.solving.rounds import FOUND as FOUND
from fastqueens.solving.rounds import UNDER_WAY as UNDER_WAY
from fastqueens.solving.rounds import Rounds
from fastqueens.solving.search_tree import MOST_EMPTY as MOST_EMPTY
from fastqueens.solving.search_tree import search_tree

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
    """A complete search that can be continued; answer, board and nodes are the same on any number of threads.

    Attributes
    ----------
    status : int
        UNDER_WAY, FOUND, or EXHAUSTED: there is no solution.
    queens : (n,) array
        The solution, once one is found.
    """

    def __init__(self, instance: Instance, workers: Workers, *, seed: int = 0) -> None:
        """Prepare the search of an instance with at most :data:`MOST_EMPTY` columns without a fixed queen.

        The seed decides in which order the squares of a line are tried. O(n + m**3) for m such columns: 0.1 ms for 32
        of them; at most 70 MB.
        """
        self._rounds = Rounds(search_tree(instance, seed), limit=1)
        self._workers = workers
        self.status = UNDER_WAY
        self.queens: Queens = np.empty(0, row_dtype(instance.n))

    @property
    def nodes(self) -> int:
        """The number of squares tried so far, without those that were the last one left on their line."""
        return self._rounds.nodes

    def advance(self, max_nodes: int, callbacks: Callbacks) -> int:
        """Try at most ``max_nodes`` further squares and return the status.

        The budgets of several calls change neither the answer nor the board. Raises :class:`Stopped` if the stop
        callback returns True; the search can then be continued.
        """
        end = self.nodes + max_nodes
        while self.status == UNDER_WAY and self.nodes < end:
            self.status = self._rounds.advance(end - self.nodes, self._workers)
            if self.status == FOUND:
                tree = self._rounds.first_found
                self.queens = tree.board(tree.last_places)
            # An answer is kept, also if the user stops now.
            tell = callbacks.poll if self.status == UNDER_WAY else callbacks.report
            tell("complete search", self.nodes, end)
        return self.status
