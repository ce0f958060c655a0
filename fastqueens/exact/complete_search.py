"""Complete search: it finds a solution of an instance or proves that there is none."""

from __future__ import annotations

import numpy as np

from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.exact.parallel import EXHAUSTED as EXHAUSTED
from fastqueens.exact.parallel import FOUND as FOUND
from fastqueens.exact.parallel import UNDER_WAY as UNDER_WAY
from fastqueens.exact.parallel import Rounds
from fastqueens.exact.tree import MOST_EMPTY as MOST_EMPTY
from fastqueens.exact.tree import search_tree


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
            callbacks.poll("complete search", self.nodes, end, may_stop=self.status == UNDER_WAY)
        return self.status
