"""The trees of a complete search: making one from an instance, splitting one in two, and reading a solution."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance, make_instance
from fastqueens.kernels import backtracking, instance_tables, wide_backtracking
from fastqueens.kernels.backtracking import LEVEL, NO_LINE, NODES, OFFSET, SHARE, SOLUTIONS, STATE_LENGTH, WHOLE

#: The most columns without a fixed queen that a complete search accepts. With as many, a tree takes 17 MB.
MOST_EMPTY = 256

# Words with as many bits as there are columns without a fixed queen.
_WORDS: tuple[tuple[int, Any], ...] = ((16, np.uint16), (32, np.uint32), (64, np.uint64))

# By how much the line that attacks fewest squares is put back, in 32nds of a square.
_SPREAD = 96

# Far from small multiples: searches with neighbouring seeds share no numbers.
_SEED_FACTOR = 0x2545F4914F6CDD1D

_CACHE_LINE = 64

_BEGUN = np.zeros(STATE_LENGTH, np.int64)
_BEGUN[SHARE] = WHOLE


class SearchTree(NamedTuple):
    """A complete search of an instance, or of a part of it.

    Attributes
    ----------
    tree : backtracking.Tree or wide_backtracking.Tree
    kernels : module
        The one with the kernels for this tree.
    lines : (2, m) int64 array
        The columns and the rows without a fixed queen.
    instance : Instance
    """

    tree: Any
    kernels: ModuleType
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

    def search(self, max_nodes: int, wanted: int) -> int:
        """Continue; see :func:`fastqueens.kernels.backtracking.search`."""
        return int(self.kernels.search(self.tree, max_nodes, wanted))

    def list_solutions(self, max_nodes: int, places: NDArray[np.uint16]) -> tuple[int, int]:
        """Continue; see :func:`fastqueens.kernels.backtracking.list_solutions`."""
        status, found = self.kernels.list_solutions(self.tree, max_nodes, places)
        return status, found

    @property
    def left(self) -> int:
        """How much of ``WHOLE`` is left to do, by an estimate."""
        return int(self.kernels.left(self.tree))

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

    def split(self) -> SearchTree | None:
        """Move the work that comes last, about half of all, into another tree; None if it is too little."""
        other = self._replace(tree=self.tree._replace(**_levels(self.tree.domains)))
        return other if self.kernels.split(self.tree, other.tree) else None


def search_tree(instance: Instance, seed: int = 0) -> SearchTree:
    """Return a complete search that has not begun; the seed decides in which order it tries the squares of a line.

    Raises :class:`InputError` if more than :data:`MOST_EMPTY` columns have no fixed queen. O(n + m**3) for m columns.
    """
    n = instance.n
    m = n - len(instance.fixed)
    if m > MOST_EMPTY:
        raise InputError(f"{m:,} columns have no fixed queen: complete search accepts at most {MOST_EMPTY}")
    lines = np.empty((2, m), np.int64)
    if m >= thresholds.current.wide_tree:
        search = SearchTree(_wide_tree(instance, lines), wide_backtracking, lines, instance)
    else:
        search = SearchTree(_tree(instance, lines), backtracking, lines, instance)
    search.tree.state[OFFSET] = (seed * _SEED_FACTOR) % 2**62
    return search


def load_kernels(m: int) -> None:
    """Compile or load every kernel of a complete search with m columns, before a clock starts."""
    wide = thresholds.current.wide_tree
    if m >= wide:
        _load_kernels(max(1, wide))
    else:
        # The fewest columns with words of the same size.
        _load_kernels(max((bits + 1 for bits, _ in _WORDS if bits < m), default=1))


@functools.lru_cache
def _load_kernels(m: int) -> None:
    tree = search_tree(make_instance(m))
    tree.search(0, 1)
    tree.split()


def _tree(instance: Instance, lines: NDArray[np.int64]) -> backtracking.Tree:
    m = lines.shape[1]
    w, word = next((bits, word) for bits, word in _WORDS if m <= bits)
    free = np.zeros((2, w), word)
    _list_free_squares(instance, lines, free[:, :, None])
    # The square that a missing line has forever.
    free[:, m:] = 1
    keep = aligned((m * m + 1, 2 * w), word)
    keep.fill(~word(0))
    instance_tables.attack_tables(lines, keep)
    numbers = np.zeros(2 * w, np.int64)
    instance_tables.line_keys(keep, free.reshape(-1), _SPREAD, numbers)
    keys = aligned((1, 2 * w), word)
    keys[0] = numbers * (2 * w) + np.arange(2 * w)
    levels = _levels(np.broadcast_to(free.reshape(1, -1), (m + 2, 2 * w)))
    levels["domains"][0] = free.reshape(-1)
    levels["settled"][0] = np.uint64(2**64 - (1 << m) if m < 64 else 0)
    levels["line"][0] = NO_LINE
    levels["untried"][0] = 1
    return backtracking.Tree(keep, keys, **levels)


def _wide_tree(instance: Instance, lines: NDArray[np.int64]) -> wide_backtracking.Tree:
    m = lines.shape[1]
    free = np.zeros((2, m, -(-m // 64)), np.uint64)
    _list_free_squares(instance, lines, free)
    free = free.reshape(2 * m, -1)
    index = np.full(instance.n, -1, np.int16)
    index[lines[1]] = np.arange(m)
    keys = np.zeros(2 * m, np.int64)
    wide_backtracking.line_keys(lines, index, free, _SPREAD, keys)
    levels = _levels(np.broadcast_to(free, (m + 2, *free.shape)))
    levels["domains"][0] = free
    levels["settled"][0] = 0
    levels["line"][0] = NO_LINE
    levels["untried"][0] = 0
    levels["untried"][0, 0] = 1
    return wide_backtracking.Tree(lines, index, keys, **levels)


def _list_free_squares(instance: Instance, lines: NDArray[np.int64], free: NDArray[Any]) -> None:
    given = instance_tables.Given(
        instance.fixed.columns,
        instance.fixed.rows,
        instance.blocked,
        instance.excluded_sums,
        instance.excluded_differences,
    )
    used = np.zeros((3, instance.n // 32 + 1), np.uint64)
    instance_tables.free_squares(given, instance.n, used, lines, free)


def _levels(domains: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Allocate the levels of a tree whose domains have this shape; state is initialised, the rest is not."""
    levels = len(domains)
    words = domains.shape[2:]
    settled = np.empty((levels, 2), np.uint64) if not words else np.empty(domains.shape[:2], np.uint8)
    return {
        "domains": aligned(domains.shape, domains.dtype),
        "settled": settled,
        "line": np.empty(levels, np.int64),
        "untried": np.empty((levels, *words), np.uint64),
        "state": _BEGUN.copy(),
    }


def aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Allocate an array that begins with a cache line: with its rows across two, vector loads take twice as long."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.empty(size + _CACHE_LINE, np.uint8)
    begin = -memory.ctypes.data % _CACHE_LINE
    array: NDArray[Any] = memory[begin : begin + size].view(dtype).reshape(shape)
    return array
