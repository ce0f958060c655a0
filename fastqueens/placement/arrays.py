"""The arrays of an attempt: the one place that allocates, touches and initialises them, in this order.

The system provides memory only when a page is first written to. All threads therefore touch large arrays before these
have any content, and never afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens._run.thresholds import USUAL, Thresholds
from fastqueens.board import CACHE_LINE, Queens, aligned, as_queens, row_dtype, set_bits
from fastqueens.instance import Instance
from fastqueens.kernels.min_conflicts import Lines
from fastqueens.kernels.plateau import STATE_LENGTH, PlateauMemory
from fastqueens.kernels.windows import Bitsets, mark_fixed_queens

_PAGE = 4096

#: Arrays of at least this many bytes are touched before use: all threads together write to every page.
TOUCHED: Final = 1 << 19

# Bytes.
_HUGE_PAGE = 1 << 21
_ASKED_FROM = 1 << 22

# A piece for one thread, as a multiple of the size from which arrays are touched: two huge pages. If two threads touch
# the same huge page at once, both fill it with zeros.
_PIECE = 8

# Most squares in the plateau memory. No plateau has come near this length.
_LARGEST_PLATEAU = 1 << 16

# Defaults: no other thread, and no callbacks.
_ALONE, _SILENT = Workers(1), Callbacks()


class Attempt(NamedTuple):
    """The arrays of one attempt, which every kernel of the search gets; ``bitsets`` only for a windowed placement."""

    queens: Queens
    bitsets: Bitsets | None
    state: NDArray[np.int64]
    plateau: PlateauMemory
    seed: np.uint64
    number: np.uint64
    instance: Instance
    thresholds: Thresholds


def new_attempt(
    instance: Instance,
    *,
    seed: int,
    number: int,
    stagnation_limit: int,
    is_windowed: bool,
    board: Queens | None = None,
    out: Queens | None = None,
    workers: Workers = _ALONE,
    callbacks: Callbacks = _SILENT,
    thresholds: Thresholds = USUAL,
) -> Attempt:
    """Allocate, touch and initialise the arrays of an attempt; 4 bytes per queen, and 5/8 for a windowed placement.

    ``board`` is copied into ``out``, if given, and validated. Without it, the placement fills the board.
    """
    n = instance.n
    # A group of 16 columns is a cache line.
    queens = _maybe_huge(np.empty, n, row_dtype(n)) if out is None else out
    if board is None:
        _touch(queens, workers, callbacks)
    else:
        queens[:] = board
        as_queens(queens)  # again: a board that is mapped from a file can have changed since it was validated
    bitsets = empty_bitsets(instance, workers, callbacks, thresholds) if is_windowed else None
    state = np.zeros(STATE_LENGTH, np.int64)
    plateau = empty_plateau_memory(n, stagnation_limit)
    return Attempt(queens, bitsets, state, plateau, np.uint64(seed), np.uint64(number), instance, thresholds)


def empty_bitsets(
    instance: Instance, workers: Workers = _ALONE, callbacks: Callbacks = _SILENT, thresholds: Thresholds = USUAL
) -> Bitsets:
    """Allocate, touch and initialise the bitsets of a board with only the fixed queens; rows beyond n are used."""
    n, fixed = instance.n, instance.fixed
    words = -(-n // 64) if n < thresholds.groups else words_for_strips(n)
    lengths = (words, 2 * words, 2 * words + 1)
    rows, sums, differences = arrays = _zeros(lengths)
    for array in arrays:
        _touch(array, workers, callbacks)
    rows[n // 64 :] = np.uint64(2**64 - 1)
    if n % 64:
        rows[n // 64] = np.uint64(2**64 - (1 << n % 64))
    blocked = instance.blocked_index if instance.has_exclusions else np.empty(0, np.uint64)
    bitsets = Bitsets(rows, sums, differences, fixed.marks, blocked)
    if instance.has_exclusions:
        set_bits(sums, instance.excluded_sums)
        set_bits(differences, instance.excluded_differences + 64 * words)
    if len(fixed):
        mark_fixed_queens(bitsets, fixed.columns, fixed.rows)
    return bitsets


def words_for_strips(n: int) -> int:
    """Return the number of words for the rows of a placement in groups: whole strips of 512 rows, and one more word.

    The diagonals of a strip can reach two words beyond the words of its rows; they have twice as many words.
    """
    return 8 * -(-n // 512) + 1


def _zeros(lengths: Sequence[int]) -> list[NDArray[np.uint64]]:
    """Allocate arrays full of zeros in one piece, each from the beginning of a cache line on."""
    line = CACHE_LINE // 8
    *starts, end = accumulate((-(-length // line) * line for length in lengths), initial=0)
    buffer = _maybe_huge(np.zeros, end, np.uint64)
    return [buffer[start : start + length] for start, length in zip(starts, lengths, strict=True)]


def _maybe_huge(new: Callable[..., NDArray[Any]], length: int, dtype: DTypeLike) -> NDArray[Any]:
    """Allocate an array that begins at a cache line, or a large one at a huge page: NumPy asks for huge pages."""
    is_large = length * np.dtype(dtype).itemsize >= TOUCHED
    return aligned(new, length, dtype, _HUGE_PAGE, _ASKED_FROM) if is_large else aligned(new, length, dtype)


def empty_lines(instance: Instance) -> Lines:
    """Allocate the counters of all lines. Min-conflicts initialises them, slice by slice."""
    n = instance.n
    rows, sums, differences = (np.empty((lines, 2), np.uint32) for lines in (n, 2 * n, 2 * n))
    conflicting, place, unused, unused_place = (np.empty(n, np.uint32) for _ in range(4))
    lists = conflicting, place, unused, unused_place
    return Lines(rows, sums, differences, *lists, instance.fixed.marks, instance.blocked_index)


def empty_plateau_memory(n: int, stagnation_limit: int) -> PlateauMemory:
    """Allocate a plateau memory that no attempt with this stagnation limit fills, up to the largest."""
    squares = min(n * n, stagnation_limit, _LARGEST_PLATEAU)
    table = np.zeros(2 << (squares - 1).bit_length(), np.uint64)
    return PlateauMemory(table, np.empty(len(table) // 2, np.uint32), np.zeros(1, np.int64))


def _touch(array: NDArray[Any], workers: Workers, callbacks: Callbacks) -> None:
    """Write a zero into every page of a large array without content, or full of zeros, on all threads."""
    if array.nbytes < TOUCHED:
        return
    # Lengths in elements. A piece has at least a page.
    piece = max(_PIECE * TOUCHED, _PAGE) // array.itemsize
    step = _PAGE // array.itemsize

    def touch(span: tuple[int, int]) -> None:
        array[slice(*span, step)] = 0

    for end, _ in workers.rounds(touch, len(array), piece):
        callbacks.poll("allocation", end, len(array))
