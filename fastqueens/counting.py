"""Questions about a board: is it a solution, how many pairs attack each other, how many queens conflict, who first.

Drivers of kernels/checking.py, on as many threads as asked for. Memory stays bounded at any n and any number of
threads: bitsets of together 1.25 bytes a queen at the most, and 256 MB of counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens, as_queens
from fastqueens.kernels import checking
from fastqueens.kernels.checking import Span
from fastqueens.watch import Progress, Stop, Watch, slices
from fastqueens.workers import Workers, workers_for

_STAGE = "verification"
_SLICE = 1 << 20

# Counters that all threads hold together: 256 MB.
_COUNTERS = 1 << 26

# Pieces of the board that get a bitset of their own at the same time: with 4 of them, n bytes in all.
_MOST_PIECES = 4

# From this n on the bits of all lines leave the caches, and the check goes band by band, 17 to 32 of them.
_BANDS_FROM = 1 << 22
_BANDS_AS_BITS = 5

# Counters in a cache line, and some more.
_CACHE_LINE = 16

Board = Sequence[int] | NDArray[Any]


class LineKind(NamedTuple):
    """One of the three kinds of lines: the queen (c, r) stands on line ``slope * c + r + offset`` of ``lines``."""

    slope: int
    offset: int
    lines: int

    def span(self, first: int, lines: int) -> Span:
        """Some neighbouring lines of this kind, as kernels want them."""
        offset = (self.offset - first) % 2**64
        return Span(np.uint64(self.slope), np.uint64(offset), np.uint64(min(lines, self.lines - first)))

    @property
    def all_lines(self) -> Span:
        """All lines of this kind."""
        return self.span(0, self.lines)


def line_kinds(n: int) -> tuple[LineKind, LineKind, LineKind]:
    """Rows, sum diagonals and difference diagonals of a board of n."""
    return LineKind(0, 0, n), LineKind(1, 0, 2 * n), LineKind(2**64 - 1, n, 2 * n)


def is_solution(
    queens: Board, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> bool:
    """Tell whether no two queens share a row or a diagonal.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    threads : int, optional
        All cores if not given.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`.

    Raises
    ------
    InputError
        Where a value is no row of the board.

    Notes
    -----
    O(n) time; n / 4 bytes beside the board for each of up to four threads, 0.9 n bytes from 4 million queens on.

    Examples
    --------
    >>> is_solution([1, 3, 0, 2]), is_solution([0, 1, 2, 3])
    (True, False)

    """
    board = as_queens(queens)
    with workers_for(len(board), threads) as workers:
        return is_solution_checked(board, workers, Watch(progress, stop))


def is_solution_checked(queens: Queens, workers: Workers, watch: Watch) -> bool:
    """Answer :func:`is_solution` for a board that has been validated."""
    if len(queens) < _BANDS_FROM:
        return _is_solution_by_lines(queens, workers, watch)
    return _is_solution_by_bands(queens, workers, watch)


def _is_solution_by_bands(queens: Queens, workers: Workers, watch: Watch) -> bool:
    """Mark the lines of all three kinds, sorted by blocks of columns and bands of rows so that bits stay in a cache.

    The queens of a block of columns are listed by band. The diagonals of a band and a block as wide as the band reach
    into those of the next band and no further: all even bands at the same time, then all odd ones.
    """
    n = len(queens)
    band_bits = max(6, (n - 1).bit_length() - _BANDS_AS_BITS)
    width = 1 << band_bits
    bands = -(-n // width)
    bitsets = [np.zeros(-(-n // 64) * words + 1, np.uint64) for words in (1, 2, 2)]
    offset = np.uint64(-(-n // 64) * 64)
    pieces = 1 if workers.threads == 1 else 2 * workers.threads
    listed = np.zeros(width + checking.LISTED_AHEAD, np.uint64)
    for begin in range(0, n, width):
        ends = np.linspace(begin, min(n, begin + width), workers.threads + 1, dtype=np.int64)
        starts = _list_by_band(queens, listed, ends, bands, band_bits, workers)

        def claim(piece: tuple[int, int]) -> bool:
            return bool(checking.claim_bands(listed, starts, *bitsets, offset, *piece))  # noqa: B023

        for parity in (0, 1):
            # Pieces of whole pairs of bands, so that each piece begins with a band of this parity.
            ends_of_pieces = [2 * (bands * piece // (2 * pieces)) + parity for piece in range(pieces)] + [bands]
            if not all(workers.each(claim, list(pairwise(ends_of_pieces)))):
                return False
        watch.look(_STAGE, min(n, begin + width), n)
    return True


def _list_by_band(
    queens: Queens, listed: NDArray[np.uint64], ends: NDArray[np.int64], bands: int, band_bits: int, workers: Workers
) -> NDArray[np.int64]:
    """List the squares of columns ends[0] to ends[-1] - 1, each thread a piece of them; where each band begins."""
    threads = range(workers.threads)
    bits = np.uint64(band_bits)
    # Rows wider than the bands need: what two threads write to at every queen must not share a cache line.
    counts = np.zeros((workers.threads, bands + _CACHE_LINE), np.int64)
    workers.each(lambda i: checking.count_bands(queens, counts[i], bits, ends[i], ends[i + 1]), threads)
    places = np.concatenate([[0], np.cumsum(counts[:, :bands].T.ravel())])
    counts[:, :bands] = places[:-1].reshape(bands, workers.threads).T
    workers.each(lambda i: checking.list_by_band(queens, listed, counts[i], bits, ends[i], ends[i + 1]), threads)
    return places[:: workers.threads]


def _is_solution_by_lines(queens: Queens, workers: Workers, watch: Watch) -> bool:
    """Mark the lines of one kind after the other.

    The columns are cut into pieces, each with bitsets of its own that are joined at the end; threads beyond the
    pieces share the lines.
    """
    n = len(queens)
    pieces = min(workers.threads, _MOST_PIECES)
    for turn, kind in enumerate(line_kinds(n)):
        spans = _cut(kind, -(-workers.threads // pieces))
        claims = [[_bitset(span, spare=1) for _ in range(pieces)] for span in spans]
        tasks = [
            (span, claimed, piece)
            for span, of_span in zip(spans, claims, strict=True)
            for piece, claimed in enumerate(of_span)
        ]
        for done in range(0, n // pieces + 1, _SLICE):

            def has_no_clash(task: tuple[Span, NDArray[np.uint64], int]) -> bool:
                span, claimed, piece = task
                end = n * (piece + 1) // pieces
                first = min(n * piece // pieces + done, end)  # noqa: B023
                last = min(first + _SLICE, end)
                return bool(checking.claim_lines(queens, claimed, span, first, last) == last)

            if not all(workers.each(has_no_clash, tasks)):
                return False
            watch.look(_STAGE, turn * n + min(n, (done + _SLICE) * pieces), 3 * n)
        for first_claimed, *others in claims:
            if not all(checking.join_claims(first_claimed, other) for other in others):
                return False
    return True


def load_kernels(queens: Queens, n: int) -> None:
    """Compile, or fetch from disk, what the check of a board of n will call, by calling it for a board of one queen."""
    one = np.ones(1, np.uint64)
    checking.claim_lines(queens, np.zeros(2, np.uint64), line_kinds(1)[0].all_lines, 0, 1)
    if n < _BANDS_FROM:
        checking.join_claims(one, one)
    else:
        with Workers(1) as workers:
            _is_solution_by_bands(queens, workers, Watch())


def first_attack(
    queens: Board, *, progress: Progress | None = None, stop: Stop | None = None
) -> tuple[int, int] | None:
    """Find the first attacking pair: that of the smallest right column, and of these the smallest left column.

    Returns
    -------
    (left, right) or None
        The columns of the two queens; None where no queen attacks another.

    Notes
    -----
    O(n) time on one thread; n / 4 bytes beside the board. See :func:`is_solution` for parameters and errors.

    Examples
    --------
    >>> first_attack([0, 3, 1, 2])
    (2, 3)

    """
    board = as_queens(queens)
    watch = Watch(progress, stop)
    kinds = line_kinds(len(board))
    right = len(board)
    for turn, kind in enumerate(kinds):
        right = min(right, _first_clash(board, kind, right, turn, watch))
    if right == len(board):
        return None
    return min(_first_on_line(board, kind, right, watch) for kind in kinds), right


def attacking_pairs(
    queens: Board, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> int:
    """Count the pairs of queens that share a row or a diagonal; queens in between do not shield.

    See :func:`is_solution` for parameters and errors. O(n) time, at most 256 MB beside the board: where the counters of
    all lines would need more, they are counted in ranges, each in a pass of its own.

    >>> attacking_pairs([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    n = len(board)
    watch = Watch(progress, stop)
    with workers_for(len(board), threads) as workers:
        size = _COUNTERS // workers.threads
        spans = [kind.span(first, size) for kind in line_kinds(n) for first in range(0, kind.lines, size)]
        pairs = 0
        for turn in range(0, len(spans), workers.threads):
            now = spans[turn : turn + workers.threads]
            counters = [np.zeros(int(span.lines), np.uint32) for span in now]
            for first, last in slices(n, _SLICE):
                pairs += sum(
                    workers.each(
                        lambda i: int(checking.count_lines(board, counters[i], now[i], first, last)),  # noqa: B023
                        range(len(now)),
                    )
                )
                watch.look(_STAGE, turn * n + last * len(now), len(spans) * n)
    return pairs


def conflicting_queens(
    queens: Board, *, threads: int | None = None, progress: Progress | None = None, stop: Stop | None = None
) -> int:
    """Count the queens that attack at least one other.

    See :func:`is_solution` for parameters and errors. O(n) time, at most 0.9 bytes a queen beside the board.

    >>> conflicting_queens([0, 0, 1, 2, 4])
    5
    """
    board = as_queens(queens)
    n = len(board)
    watch = Watch(progress, stop)
    with workers_for(len(board), threads) as workers:
        crowded = _crowded_lines(board, workers, watch)
        found = 0
        for first, last in slices(n, _SLICE * workers.threads):
            found += sum(
                workers.each(
                    lambda piece: int(checking.count_conflicting(board, *crowded, *piece)),
                    [(at, min(last, at + _SLICE)) for at in range(first, last, _SLICE)],
                )
            )
            watch.look(_STAGE, 3 * n + last, 4 * n)
    return found


def crowded_lines(queens: Board) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """Mark the rows, sum diagonals (c + r) and difference diagonals (r - c + n) with more than one queen, as bitsets.

    Bit i of a bitset is bit i % 64 of its word i // 64. O(n) time, 5 n / 8 bytes for the result and half of that again.

    >>> [int(words[0]) for words in crowded_lines([0, 0, 1, 3])]
    [1, 0, 24]
    """
    board = as_queens(queens)
    with workers_for(len(board), None) as workers:
        rows, sums, differences = _crowded_lines(board, workers, Watch())
    return rows, sums, differences


def _crowded_lines(queens: Queens, workers: Workers, watch: Watch) -> list[NDArray[np.uint64]]:
    return [_lines_of_two(queens, kind, turn, workers, watch) for turn, kind in enumerate(line_kinds(len(queens)))]


def _cut(kind: LineKind, parts: int) -> list[Span]:
    """Cut the lines of a kind into spans of whole 64-bit words."""
    size = -(-kind.lines // parts // 64) * 64
    return [kind.span(first, size) for first in range(0, kind.lines, size)]


def _bitset(span: Span, spare: int = 0) -> NDArray[np.uint64]:
    return np.zeros((int(span.lines) + 63) // 64 + spare, np.uint64)


def _lines_of_two(queens: Queens, kind: LineKind, turn: int, workers: Workers, watch: Watch) -> NDArray[np.uint64]:
    """The lines of a kind that hold more than one queen, as a bitset; each thread looks at some of the lines."""
    n = len(queens)
    spans = _cut(kind, workers.threads)
    claimed = [_bitset(span, spare=1) for span in spans]
    twice = [_bitset(span) for span in spans]
    for first, last in slices(n, _SLICE):
        workers.each(
            lambda i: checking.claim_twice(queens, claimed[i], twice[i], spans[i], first, last),  # noqa: B023
            range(len(spans)),
        )
        watch.look(_STAGE, turn * n + last, 4 * n)
    return np.concatenate(twice)


def _first_clash(queens: Queens, kind: LineKind, end: int, turn: int, watch: Watch) -> int:
    """The first column before ``end`` whose queen meets an earlier one on a line of this kind, or ``end``."""
    span = kind.all_lines
    claimed = _bitset(span, spare=1)
    for first, last in slices(end, _SLICE):
        clash = int(checking.claim_lines(queens, claimed, span, first, last))
        if clash < last:
            return clash
        watch.look(_STAGE, turn * len(queens) + last, 3 * len(queens))
    return end


def _first_on_line(queens: Queens, kind: LineKind, column: int, watch: Watch) -> int:
    """The first column whose queen stands on the line of this kind that runs through the queen of ``column``."""
    line = np.uint64((kind.slope * column + int(queens[column]) + kind.offset) % 2**64)
    for first, last in slices(column, _SLICE):
        found = int(checking.find_on_line(queens, kind.all_lines, line, first, last))
        if found < last:
            return found
        watch.look(_STAGE, 3 * len(queens), 3 * len(queens))
    return column
