"""The trees of a complete search: making one from an instance, and reading a solution."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import thresholds
from fastqueens.board import Queens, aligned, row_dtype
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.kernels import tree as tree_kernel
from fastqueens.kernels import wide_tree as wide_tree_kernel
from fastqueens.kernels.blocked import blocked_index
from fastqueens.kernels.tree import LEVEL, NO_LINE, NODES, OFFSET, ORDERED, SOLUTIONS, STATE_LENGTH

#: The most columns without a fixed queen that a complete search accepts. With as many, a tree takes 4 MB.
MOST_EMPTY = 256

# Words with as many bits as there are columns without a fixed queen.
_WORDS: tuple[tuple[int, Any], ...] = ((16, np.uint16), (32, np.uint32), (64, np.uint64))

# By how much the line that attacks fewest squares is put back, in 32nds of a square.
_SPREAD = 96

# Far from small multiples: searches with neighbouring seeds share no numbers.
_SEED_FACTOR = 0x2545F4914F6CDD1D

# A square of a tree with domains of several words takes as long as this power of two of other squares.
_WIDE_SHIFT = 6

_NO_PLACES = np.empty((0, 0), np.uint16)

_SEARCH = {tree_kernel.Tree: tree_kernel.search, wide_tree_kernel.Tree: wide_tree_kernel.search}


class SearchTree(NamedTuple):
    """A complete search of an instance, or of a part of it; ``lines`` are the m free columns and the m free rows."""

    tree: Any
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

    def search(self, max_nodes: int, wanted: int, places: NDArray[np.uint16] = _NO_PLACES) -> int:
        """Continue; see :func:`fastqueens.kernels.tree.search`."""
        return int(_SEARCH[type(self.tree)](self.tree, max_nodes, wanted, places))

    @property
    def is_wide(self) -> bool:
        """Whether the domains have several words; such a tree cannot be cut."""
        return isinstance(self.tree, wide_tree_kernel.Tree)

    @property
    def slice(self) -> int:
        """The number of squares to try between two calls of the callbacks."""
        return max(1, thresholds.current.tree_slice >> (_WIDE_SHIFT if self.is_wide else 0))

    @property
    def last_places(self) -> NDArray[np.int64]:
        """The row of each column, both from 0 to m - 1, in the solution with which the last search ended."""
        words = self.tree.domains[self.tree.state[LEVEL] + 1, : self.lines.shape[1]]
        return np.array([int.from_bytes(word.tobytes(), "little").bit_length() - 1 for word in words], np.int64)

    def board(self, places: NDArray[Any]) -> Queens:
        """Return the board with the fixed queens and, in the other columns, queens on these rows from 0 to m - 1."""
        n, fixed = self.instance.n, self.instance.fixed
        columns, rows = self.lines
        queens = np.empty(n, row_dtype(n))
        queens[fixed.columns] = fixed.rows
        queens[columns] = rows[places]
        return queens

    def without_levels(self) -> SearchTree:
        """Return a tree with the same tables, whose levels are not initialised."""
        return self._replace(tree=self.tree._replace(**_levels(self.tree.domains, self.tree.settled)))


def search_tree(instance: Instance, seed: int = 0, *, is_ordered: bool = False) -> SearchTree:
    """Return a complete search that has not begun; the seed decides in which order it tries the squares of a line.

    An ordered search finds the solutions in lexicographic order, for at most 64 columns without a fixed queen.
    """
    n = instance.n
    m = n - len(instance.fixed)
    if m > MOST_EMPTY:
        raise InputError(f"{m:,} columns have no fixed queen: complete search accepts at most {MOST_EMPTY}")
    is_wide = m >= thresholds.current.wide_tree and not is_ordered
    w, word = (m, np.uint64) if is_wide else next((bits, word) for bits, word in _WORDS if m <= bits)
    lines = np.empty((2, m), np.int64)
    free = np.zeros((2, w, -(-w // 64)), word)
    _list_free_squares(instance, lines, free)
    # The square that a missing line has forever.
    free[:, m:] = 1
    free = free.reshape(2 * w, -1)
    kind, settled, tables = _wide_tables(n, lines, free) if is_wide else _tables(lines, free)
    if not is_wide:
        free = free[:, 0]
    levels = _levels(np.broadcast_to(free, (m + 2, *free.shape)), np.broadcast_to(settled, (m + 2, len(settled))))
    tree = kind(**tables, **levels)
    tree.domains[0] = free
    tree.settled[0] = settled
    tree.line[0] = NO_LINE
    tree.untried[0] = 0
    tree.untried.reshape(-1)[0] = 1
    search = SearchTree(tree, lines, instance)
    search.tree.state[OFFSET] = (seed * _SEED_FACTOR) % 2**62
    search.tree.state[ORDERED] = is_ordered
    return search


def _tables(lines: NDArray[np.int64], free: NDArray[Any]) -> tuple[type, NDArray[Any], dict[str, NDArray[Any]]]:
    """Return the type of a tree with up to 64 lines of a kind, what is settled at its root, and its tables."""
    m = lines.shape[1]
    w, word = len(free) >> 1, free.dtype.type
    keep = _aligned((m * m + 1, 2 * w), word)
    keep.fill(~word(0))
    tree_kernel.attack_tables(lines, keep)
    numbers = np.zeros(2 * w, np.int64)
    tree_kernel.line_keys(keep, m, free, _SPREAD, numbers)
    keys = _aligned((1, 2 * w), word)
    keys[0] = numbers * (2 * w) + np.arange(2 * w)
    settled = np.full(2, 2**64 - (1 << m) if m < 64 else 0, np.uint64)
    return tree_kernel.Tree, settled, {"keep": keep, "keys": keys}


def _wide_tables(
    n: int, lines: NDArray[np.int64], free: NDArray[Any]
) -> tuple[type, NDArray[Any], dict[str, NDArray[Any]]]:
    """Return the same for more lines."""
    index = np.full(n, -1, np.int16)
    index[lines[1]] = np.arange(lines.shape[1])
    keys = np.zeros(len(free), np.int64)
    wide_tree_kernel.line_keys(lines, index, free, _SPREAD, keys)
    return wide_tree_kernel.Tree, np.zeros(len(free), np.uint8), {"lines": lines, "index": index, "keys": keys}


def _list_free_squares(instance: Instance, lines: NDArray[np.int64], free: NDArray[Any]) -> None:
    given = tree_kernel.Given(
        instance.fixed.columns,
        instance.fixed.rows,
        blocked_index(instance),
        instance.excluded_sums,
        instance.excluded_differences,
    )
    used = np.zeros((3, instance.n // 32 + 1), np.uint64)
    tree_kernel.free_squares(given, instance.n, used, lines, free)


def _levels(domains: NDArray[Any], settled: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Allocate the levels of a tree, as many as another has; ``state`` is initialised, the rest is not."""
    levels, _, *words = domains.shape
    return {
        "domains": _aligned(domains.shape, domains.dtype),
        "settled": np.empty(settled.shape, settled.dtype),
        "line": np.empty(levels, np.int64),
        "untried": np.empty((levels, *words), np.uint64),
        "state": np.zeros(STATE_LENGTH, np.int64),
    }


def _aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Allocate an array that begins with a cache line: with its rows across two, vector loads take twice as long."""
    return aligned(np.empty, math.prod(shape), dtype).reshape(shape)
