"""First boards and the two searches on them: what allocates and calls the kernels, one attempt at a time.

Every start gives an engine that the driver in solver.py asks for steps. After a windowed placement that is
:class:`Repair`, which may hand over; in all other cases it is :class:`Exact`.
"""

from __future__ import annotations

import functools
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fastqueens import counting, tiled
from fastqueens.board import Queens, row_dtype
from fastqueens.given import NOTHING_GIVEN, Given
from fastqueens.kernels import given as given_kernels
from fastqueens.kernels import minconflicts, placement, repair
from fastqueens.kernels.placement import Bitsets
from fastqueens.kernels.plateau import Memory
from fastqueens.kernels.search import CONFLICTING, PAIRS, STATE_LENGTH, UNUSED
from fastqueens.machine import check_memory
from fastqueens.tiled import Rest
from fastqueens.watch import Watch, slices
from fastqueens.workers import Workers

# Columns in a slice of some 20 ms: what Ctrl-C and a progress bar wait for.
_SLICE = 1 << 18

# Turns over the columns before the exact search can begin: make the board, and four in Exact.
_TURNS = 5

# Squares the plateau memory holds at the most; no plateau near it has been seen.
_LARGEST_MEMORY = 1 << 16

# The starts that look at no line.
_PLACE = {"random": placement.place_random, "permutation": placement.place_permutation}

# Columns left over beyond which the repair, whose steps look at all of them, is slower than exact counts. A free board
# leaves some dozen; many given queens can leave thousands. And what those counts need then.
_MOST_LEFT_OVER = 1000
_EXACT_BYTES_A_QUEEN = 56

# Boards below this size may need the exact search after a windowed placement (0.1 % of them at n = 200).
_REPAIR_SUFFICES = 1000


class Attempt(NamedTuple):
    """The arrays of one attempt that every kernel of the search knows."""

    queens: Queens
    state: NDArray[np.int64]
    memory: Memory
    seed: np.uint64
    number: np.uint64
    given: Given


class Engine(Protocol):
    """A search on the board of one attempt."""

    def advance(self, max_steps: int, patience: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make up to ``max_steps`` steps: (status, steps made)."""
        ...

    @property
    def conflicting(self) -> int:
        """Conflicting queens now."""
        ...


def new_attempt(
    n: int,
    board: Queens | None,
    seed: int,
    number: int,
    patience: int,
    out: Queens | None = None,
    given: Given = NOTHING_GIVEN,
) -> Attempt:
    """Allocate an attempt, with ``out`` for its queens where there is one, and a copy of ``board`` where there is one.

    The given queens stand on the board only after :func:`make_board`.
    """
    queens = np.empty(n, row_dtype(n)) if out is None else out
    if board is not None:
        queens[:] = board
    return Attempt(queens, empty_state(), empty_memory(n, patience), np.uint64(seed), np.uint64(number), given)


def make_board(attempt: Attempt, bitsets: Bitsets | None, start: str, workers: Workers, watch: Watch) -> Engine:
    """Make the first board by the rule ``start`` ("given": it stands there already), and give the search for it."""
    if bitsets is not None:
        return _windowed(attempt, bitsets, workers, watch)
    if start == "uniform":
        attempt.queens.fill(len(attempt.queens))
    elif start == "permutation" and len(attempt.given):
        _permute_the_others(attempt, watch)
    elif start != "given":
        _place_all(attempt, attempt.queens, start, watch)
    attempt.queens[attempt.given.columns] = attempt.given.rows
    return Exact(attempt, watch)


def _place_all(attempt: Attempt, queens: Queens, start: str, watch: Watch) -> None:
    """Fill ``queens`` by a rule that looks at no line."""
    for first, last in watch.slices("placement", len(queens), _SLICE, turns=_TURNS):
        _PLACE[start](queens, attempt.seed, attempt.number, first, last)


def _permute_the_others(attempt: Attempt, watch: Watch) -> None:
    """Put the rows that no given queen has into the other columns, in a random order."""
    queens, given = attempt.queens, attempt.given
    columns, rows = others(len(queens), given)
    order = np.empty(len(columns), queens.dtype)
    _place_all(attempt, order, "permutation", watch)
    queens[columns] = rows[order]


class Repair:
    """The search after a windowed placement: conflicts stand on rows only."""

    def __init__(self, attempt: Attempt, bitsets: Bitsets, pairs: repair.Pairs) -> None:
        self._attempt = attempt
        self._bitsets = bitsets
        self._pairs = pairs

    def advance(self, max_steps: int, patience: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make up to ``max_steps`` steps: (status, steps made)."""
        queens, state, memory, seed, number, _ = self._attempt
        return repair.repair(  # type: ignore[no-any-return]
            queens, self._bitsets, self._pairs, memory, state, trace, seed, number, max_steps, patience
        )

    @property
    def conflicting(self) -> int:
        """Conflicting queens now: each stands in one pair."""
        return 2 * int(self._attempt.state[PAIRS])


class Exact:
    """The search from any board; enters the board into its lines and places the columns that are empty."""

    def __init__(self, attempt: Attempt, watch: Watch) -> None:
        n = len(attempt.queens)
        self._attempt = attempt
        self._lines = empty_lines(n, attempt.given)
        queens, state, memory, seed, number, _ = attempt
        state[[PAIRS, CONFLICTING, UNUSED]] = 0
        for first, last in watch.slices("placement", n, _SLICE, 1, _TURNS):
            minconflicts.clear_lines(self._lines, first, last)
        for first, last in watch.slices("placement", n, _SLICE, 2, _TURNS):
            minconflicts.count_queens(queens, self._lines, state, first, last)
        for first, last in watch.slices("placement", n, _SLICE, 3, _TURNS):
            minconflicts.list_conflicts(queens, self._lines, state, first, last)
        for first, last in watch.slices("placement", n, _SLICE, 4, _TURNS):
            minconflicts.place_least_conflict(queens, self._lines, memory, state, seed, number, first, last)

    def advance(self, max_steps: int, patience: int, trace: NDArray[np.int64]) -> tuple[int, int]:
        """Make up to ``max_steps`` steps: (status, steps made)."""
        queens, state, memory, seed, number, _ = self._attempt
        return minconflicts.search(  # type: ignore[no-any-return]
            queens, self._lines, memory, state, trace, seed, number, max_steps, patience
        )

    @property
    def conflicting(self) -> int:
        """Conflicting queens now."""
        return int(self._attempt.state[CONFLICTING])


def _windowed(attempt: Attempt, bitsets: Bitsets, workers: Workers, watch: Watch) -> Engine:
    queens, state, memory, seed, number, given = attempt
    n = len(queens)
    if len(given):
        given_kernels.mark_given(bitsets, given.columns, given.rows)
    if n < tiled.TILED_FROM:
        rest = _place_in_one_piece(attempt, bitsets, watch)
    else:
        rest = tiled.Tiled(queens, bitsets, seed, number, tiled.cut_of(n), given).place(workers, watch)
    queens[given.columns] = given.rows
    counts = np.array([0, 0, len(rest.unused)])
    for _, last in slices(len(rest.columns), _SLICE >> 4):
        placement.place_in_unused_rows(queens, bitsets, rest.columns, rest.unused, counts, seed, number, last)
        watch.look("placement", n, n)

    watch.look("placement", n, n)
    left_over = rest.columns[: counts[1]].copy()
    if len(left_over) > _MOST_LEFT_OVER:
        check_memory(_EXACT_BYTES_A_QUEEN * n, f"solving n = {n:,} with {len(left_over):,} columns left over")
        return Exact(attempt, watch.without_progress())
    pairs = repair.Pairs(*(np.empty(len(left_over), np.uint32) for _ in range(3)), rest.unused[: len(left_over)].copy())
    placed = repair.place_left_over(queens, bitsets, pairs, memory, left_over, state, seed, number)
    if placed < len(left_over):
        return Exact(attempt, watch.without_progress())
    return Repair(attempt, bitsets, pairs)


def _place_in_one_piece(attempt: Attempt, bitsets: Bitsets, watch: Watch) -> Rest:
    """Place the columns from left to right."""
    queens, _, _, seed, number, _ = attempt
    n = len(queens)
    columns = np.empty(n, np.uint32)
    count = 0
    for first, last in watch.slices("placement", n, _SLICE):
        count = placement.place_windowed(queens, bitsets, columns, count, seed, number, first, last)
    unused = np.empty(count, np.uint32)
    placement.list_unused_rows(bitsets, unused, 0, len(bitsets.rows))
    return Rest(columns[:count], unused)


def others(n: int, given: Given) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The columns, and the rows, of the queens that are not given."""
    return np.delete(np.arange(n), given.columns), np.delete(np.arange(n), given.rows)


def empty_bitsets(n: int, given: Given = NOTHING_GIVEN) -> Bitsets:
    """Bitsets of an empty board; rows that do not exist count as used. The given queens' lines are not yet marked."""
    words = -(-n // 64)
    rows = np.zeros(words, np.uint64)
    if n % 64:
        rows[-1] = np.uint64(2**64 - (1 << n % 64))
    return Bitsets(rows, np.zeros(2 * words, np.uint64), np.zeros(2 * words + 1, np.uint64), given.marks)


def empty_lines(n: int, given: Given = NOTHING_GIVEN) -> minconflicts.Lines:
    """The tables of the exact search, not yet written to."""
    rows, sums, differences = (np.empty((lines, 2), np.uint32) for lines in (n, 2 * n, 2 * n))
    others = (np.empty(n, np.uint32) for _ in range(4))
    return minconflicts.Lines(rows, sums, differences, *others, given.marks)


def empty_memory(n: int, patience: int) -> Memory:
    """A plateau memory that no attempt of this patience fills, up to the limit."""
    squares = min(n * n, patience, _LARGEST_MEMORY)
    table = np.zeros(2 << (squares - 1).bit_length(), np.uint64)
    return Memory(table, np.empty(len(table) // 2, np.uint32), np.zeros(1, np.int64))


def empty_state() -> NDArray[np.int64]:
    """The state of a search that has not begun."""
    return np.zeros(STATE_LENGTH, np.int64)


@functools.lru_cache
def load_kernels(start: str, n: int) -> None:
    """Compile, or fetch from disk, what a solve from this start will call, so that no clock counts it.

    The work itself is nothing: each kernel is called for zero columns or steps of a board of one queen. What was loaded
    for one n is not loaded again: the next solve, or restart, of this size skips some 20 calls.
    """
    attempt = new_attempt(1, None, 0, 0, 1, np.zeros(1, row_dtype(n)))
    queens, state, memory, seed, number, given = attempt
    no_trace = np.empty((0, 2), np.int64)
    counting.load_kernels(queens, n)
    if start == "windowed":
        bitsets = empty_bitsets(1)
        none = np.empty(0, np.uint32)
        pairs = repair.Pairs(none, none, none, none)
        if n < tiled.TILED_FROM:
            placement.place_windowed(queens, bitsets, none, 0, seed, number, 0, 0)
            placement.list_unused_rows(bitsets, none, 0, 0)
        else:
            tiled.load_kernels(queens, bitsets)
        given_kernels.mark_given(bitsets, given.columns, given.rows)
        placement.place_in_unused_rows(queens, bitsets, none, none, np.zeros(3, np.int64), seed, number, 0)
        repair.place_left_over(queens, bitsets, pairs, memory, none, state, seed, number)
        Repair(attempt, bitsets, pairs).advance(0, 1, no_trace)
    elif start in _PLACE:
        _PLACE[start](queens, seed, number, 0, 0)
    if start != "windowed" or n < _REPAIR_SUFFICES:
        Exact(attempt, Watch()).advance(0, 1, no_trace)
