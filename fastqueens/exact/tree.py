"""Search trees: the tables of a complete search on one thread, its solutions, and its division into subtrees."""

from __future__ import annotations

import heapq
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import NO_LIMIT
from fastqueens.board import Queens, aligned, row_dtype
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.kernels import tree as tree_kernel
from fastqueens.kernels.tree import LEVEL, NO_LINE, NODES, OFFSET, ORDERED, SOLUTIONS, STATE_LENGTH

#: The most columns without a fixed queen for complete search: bits of a word. A tree of this size takes 4 MB.
MOST_FREE_COLUMNS = 64

# Word sizes in bits and their dtypes. A word needs a bit for each column without a fixed queen.
_WORDS: tuple[tuple[int, Any], ...] = ((16, np.uint16), (32, np.uint32), (64, np.uint64))

# The distance between the offsets of neighbouring seeds. It is so large that their searches share no random numbers.
_SEED_FACTOR = 0x2545F4914F6CDD1D

_NO_PLACES = np.empty((0, 0), np.uint16)


class Subtree(NamedTuple):
    """A part of a tree that can be searched separately, on any machine.

    queens : the squares with queens, column * m + row among the m free columns and rows, in the order of the search
    squares : a bitset of the squares to try on the next line, or 0 for all its squares
    """

    queens: tuple[int, ...]
    squares: int


class SearchTree(NamedTuple):
    """A complete search of an instance or a subtree; ``lines`` lists the m free columns and the m free rows.

    Free columns and rows are those without a fixed queen.
    """

    tree: tree_kernel.Tree
    lines: NDArray[np.int64]
    instance: Instance

    @property
    def nodes(self) -> int:
        """The number of squares tried."""
        return int(self.tree.state[NODES])

    @property
    def solutions(self) -> int:
        """The number of solutions found."""
        return int(self.tree.state[SOLUTIONS])

    @property
    def last_places(self) -> NDArray[np.int64]:
        """The row of each column, both counted from 0 to m - 1, in the solution at which the last search ended."""
        words = self.tree.domains[self.tree.state[LEVEL] + 1, : self.lines.shape[1]]
        return np.array([int(word).bit_length() - 1 for word in words], np.int64)

    def search(self, max_nodes: int, wanted: int, places: NDArray[np.uint16] = _NO_PLACES) -> int:
        """Continue the search and return its status; see :func:`fastqueens.kernels.tree.search`."""
        return tree_kernel.search(self.tree, max_nodes, wanted, places)

    def board(self, places: NDArray[Any]) -> Queens:
        """Return the board with the fixed queens and, in the free columns, queens on these of the m free rows."""
        n, fixed = self.instance.n, self.instance.fixed
        columns, rows = self.lines
        queens = np.empty(n, row_dtype(n))
        queens[fixed.columns] = fixed.rows
        queens[columns] = rows[places]
        return queens

    def begun(self, subtree: Subtree) -> SearchTree:
        """Return the search of a subtree, which shares the tables of this search."""
        tree = self.tree
        count, lines = tree.domains.shape
        levels = _levels(count, lines, tree.domains.dtype)
        begun = self._replace(tree=tree_kernel.Tree(tree.keep, tree.keys, *levels))
        begun.tree.domains[0], begun.tree.settled[0] = tree.domains[0], tree.settled[0]
        begun.tree.state[OFFSET] = tree.state[OFFSET]
        tree_kernel.begin_with(begun.tree, np.array(subtree.queens, np.int64))
        if subtree.squares:
            begun.search(1, NO_LIMIT)
            begun.tree.untried[2] &= np.uint64(subtree.squares)
        return begun

    def remaining(self, queens: tuple[int, ...] = ()) -> list[Subtree]:
        """Return the remaining work of a search that began with these queens: a subtree per level, in search order."""
        tree, last = self.tree, int(self.tree.state[LEVEL])
        found = []
        for level in range(1, last + 1):
            line = int(tree.line[level])
            if line == NO_LINE:  # begin_with() placed the queens of this level
                continue
            if tree.untried[level]:
                found.append(Subtree(queens, int(tree.untried[level])))
            if level < last:  # add the last queen that was placed on the line
                queens = (*queens, self._square(line, int(tree.domains[level + 1, line]).bit_length() - 1))
        return found[::-1]

    def give_away(self, queens: tuple[int, ...]) -> list[Subtree]:
        """Remove and return the untried squares of the first line that has any, but only if another line has some."""
        remaining = self.remaining(queens)
        if len(remaining) < 2:
            return []
        self.tree.untried[2 + int(np.argmax(self.tree.untried[2:] != 0))] = 0
        return remaining[-1:]

    def cut(self, wanted: int) -> list[Subtree]:
        """Return the remaining work in search order, in about ``wanted`` subtrees, or fewer if no more exist.

        The method repeatedly cuts the subtree that seems largest. It assumes that all squares of a line take the same
        time.
        """
        work, amounts = 1.0, []
        for level in range(1, int(self.tree.state[LEVEL]) + 1):
            work /= int(self.tree.domains[level, self.tree.line[level]]).bit_count()
            if untried := int(self.tree.untried[level]).bit_count():
                amounts.append(work * untried)
        pairs = zip(amounts[::-1], self.remaining(), strict=True)
        heap: list[Any] = [(-work, (at,), subtree) for at, (work, subtree) in enumerate(pairs)]
        heapq.heapify(heap)
        whole: list[Any] = []
        while heap and len(heap) + len(whole) < wanted:
            work, key, subtree = heapq.heappop(heap)
            children = self._children(subtree)
            if not children:
                whole.append((work, key, subtree))
            for at, child in enumerate(children):
                heapq.heappush(heap, (work / len(children), (*key, at), child))
        return [subtree for _, _, subtree in sorted(whole + heap, key=lambda entry: entry[1])]

    def _children(self, subtree: Subtree) -> list[Subtree]:
        """Return a subtree for each square of the next line, or an empty list if there is no next line."""
        begun = self.begun(subtree)
        if begun.nodes == 0:
            begun.search(1, NO_LIMIT)
        if begun.tree.state[LEVEL] < 2:
            return []
        line, untried = int(begun.tree.line[2]), int(begun.tree.untried[2])
        places = [place for place in range(64) if untried >> place & 1]
        return [Subtree((*subtree.queens, self._square(line, place)), 0) for place in places]

    def _square(self, line: int, place: int) -> int:
        """Return the number of a square, column * m + row, from its line and its place on the line."""
        m, w = self.lines.shape[1], self.tree.domains.shape[1] >> 1
        return int(line * m + place if line < w else place * m + line - w)


def check_free_columns(instance: Instance) -> None:
    """Raise :class:`InputError` if an instance is too large for complete search."""
    if instance.free_columns > MOST_FREE_COLUMNS:
        raise InputError(
            f"complete search handles at most {MOST_FREE_COLUMNS} columns without a fixed queen; this board has "
            f"{instance.free_columns:,}; local search and estimate handle more"
        )


def search_tree(instance: Instance, seed: int = 0, *, is_ordered: bool = False) -> SearchTree:
    """Return a complete search that has not begun. The seed determines the order of the squares on a line.

    An ordered search finds the solutions in lexicographic order.
    """
    check_free_columns(instance)
    m = instance.free_columns
    lines, word = next((2 * bits, word) for bits, word in _WORDS if m <= bits)
    keep, keys = _aligned((m * m + 1, lines), word), _aligned((1, lines), word)
    tree = tree_kernel.Tree(keep, keys, *_levels(m + 2, lines, word))
    sums, differences = instance.excluded_sums, instance.excluded_differences
    given = tree_kernel.Given(instance.fixed.columns, instance.fixed.rows, instance.blocked_index, sums, differences)
    used, free = np.zeros((3, instance.n // 32 + 1), np.uint64), np.empty((2, m), np.int64)
    tree_kernel.prepare(tree, given, instance.n, used, free, np.empty(lines, np.int64))
    tree.state[OFFSET] = (seed * _SEED_FACTOR) % 2**62
    tree.state[ORDERED] = is_ordered
    return SearchTree(tree, free, instance)


def _levels(count: int, lines: int, word: Any) -> tuple[NDArray[Any], ...]:
    """Return the levels of a tree without content, and its state: the last five fields of the tree."""
    settled, line, untried = np.empty((count, 2), np.uint64), np.empty(count, np.int64), np.empty(count, np.uint64)
    return _aligned((count, lines), word), settled, line, untried, np.zeros(STATE_LENGTH, np.int64)


def _aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Allocate an array that begins at a cache line, since vector loads across two lines take twice as long."""
    return aligned(np.empty, math.prod(shape), dtype).reshape(shape)
