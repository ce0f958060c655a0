"""Complete search in rounds: it finds a solution of an instance or proves that there is none.

All threads work on the parts in rounds, and the outcome is the same on any number of them. The search begins as one
tree. Later it is split into up to 64 parts, which follow each other in the order of the search. In a round each part
tries a slice of squares. Only when all have, the first part that has found something is asked for it, and parts are
split again if there are too few. So nothing depends on which thread works on which part, or on the budgets in which the
search is continued.

The parts take turns also on one thread, which helps against bad choices at the first levels of the tree.
A search that outlasts some seconds continues in :mod:`fastqueens.exact.parts`, if it works alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fastqueens.core import thresholds
from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.exact import tree_kernel
from fastqueens.exact.tree import MOST_EMPTY as MOST_EMPTY
from fastqueens.exact.tree import SearchTree, search_tree

#: The statuses of a search.
UNDER_WAY: int = tree_kernel.UNDER_WAY
FOUND: int = tree_kernel.FOUND
EXHAUSTED: int = tree_kernel.EXHAUSTED

# By the largest number of columns: parts, and how many slices are as much work as one slice of a small tree.
_SIZES = ((32, 64, 1), (64, 64, 2), (256, 16, 64))

# Slices of the first round, which most instances do not outlast. They take less time than starting threads.
_FIRST_SLICES = 4


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


@dataclass
class _Part:
    """A part of the search, and how many squares it has tried at the end of the round."""

    tree: SearchTree
    status: int = UNDER_WAY
    max_nodes: int = 0


def parts_and_slice(tree: SearchTree) -> tuple[int, int]:
    """Return the most parts of a search, and how many squares each tries in a round: together for about 25 ms."""
    columns = tree.lines.shape[1]
    _, parts, slices = next(size for size in _SIZES if columns <= size[0])
    return parts, max(1, thresholds.current.tree_slice // slices)


class Rounds:
    """A complete search that ends with the round in which ``limit`` solutions have been found, or all."""

    def __init__(self, tree: SearchTree, limit: int) -> None:
        self._most_parts, self._slice = parts_and_slice(tree)
        self._limit = limit
        self._parts = [_Part(tree, max_nodes=_FIRST_SLICES * self._slice)]
        self._at_work = list(self._parts)
        self._earlier_nodes = 0
        self._earlier_solutions = 0

    @property
    def nodes(self) -> int:
        """The number of squares tried."""
        return self._earlier_nodes + sum(part.tree.nodes for part in self._parts)

    @property
    def solutions(self) -> int:
        """The number of solutions found."""
        return self._earlier_solutions + sum(part.tree.solutions for part in self._parts)

    @property
    def trees(self) -> list[SearchTree]:
        """The parts that have work left, at the end of a round."""
        return [part.tree for part in self._parts]

    @property
    def first_found(self) -> SearchTree:
        """The first part that has found the limit of solutions."""
        return next(part.tree for part in self._parts if part.status == FOUND)

    def advance(self, max_nodes: int, workers: Workers) -> int:
        """Continue until the round ends or ``max_nodes`` more squares are tried: about 20 ms on one thread.

        Returns FOUND, EXHAUSTED or UNDER_WAY.
        """
        tasks = []
        for part in self._at_work:
            nodes = part.tree.nodes
            end = min(part.max_nodes, nodes + max_nodes)
            tasks.append((part, end))
            max_nodes -= end - nodes
            if not max_nodes:
                break
        workers.each(self._search, tasks)
        self._at_work = [
            part for part in self._at_work if part.status == UNDER_WAY and part.tree.nodes < part.max_nodes
        ]
        return UNDER_WAY if self._at_work else self._end_round()

    def _search(self, task: tuple[_Part, int]) -> None:
        part, max_nodes = task
        part.status = part.tree.search(max_nodes, self._limit - self._earlier_solutions)

    def _end_round(self) -> int:
        if self.solutions >= self._limit:
            return FOUND
        ended = [part for part in self._parts if part.status == EXHAUSTED]
        self._earlier_nodes += sum(part.tree.nodes for part in ended)
        self._earlier_solutions += sum(part.tree.solutions for part in ended)
        self._parts = [part for part in self._parts if part.status != EXHAUSTED]
        if not self._parts:
            return EXHAUSTED
        self._split()
        for part in self._parts:
            part.max_nodes = part.tree.nodes + self._slice
        self._at_work = list(self._parts)
        return UNDER_WAY

    def _split(self) -> None:
        """Split all parts, in turn, until there are enough of them or none can be split."""
        before = 0
        while before < len(self._parts) < self._most_parts:
            before = len(self._parts)
            room = self._most_parts - before
            parts: list[_Part] = []
            for part in self._parts:
                parts.append(part)
                other = part.tree.split() if room else None
                if other is not None:
                    parts.append(_Part(other))
                    room -= 1
            self._parts = parts
