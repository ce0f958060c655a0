"""The placement of large boards in groups, in one tile or several: the driver of kernels/tiles.py.

The cut depends on n alone, so the result does not depend on the number of threads.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens._run.thresholds import Thresholds
from fastqueens.kernels import tiles as tiles_kernel
from fastqueens.kernels import windows as windows_kernel
from fastqueens.kernels.tiles import Tiling
from fastqueens.placement.arrays import Attempt, words_for_strips

# The dealings of all tiles are placed in six rounds, which end with these parts of them. Every other block comes
# first in each round, so it meets fewer diagonals with queens: in one round, the density would show the blocks.
_ROUNDS = (0, 1 / 2, 3 / 4, 7 / 8, 15 / 16, 31 / 32, 1)

# How often a column that is still empty tries sixteen rows, each time it is dealt to a band. 0.001 to 0.007 % of all
# columns find no row. One thread has to look for these: with 0.02 %, it takes 5 % of the time of a placement on two
# threads.
_TRIES = (2, 4, 8, 16)

_STRIP = 512


class Cut(NamedTuple):
    """The division of a board into blocks of ``block`` columns and bands of ``band`` rows, a multiple of 512.

    A block is a multiple of a band, so tiles begin and end together along diagonals.
    """

    block: int
    band: int

    def shape(self, n: int) -> tuple[int, int]:
        """Return the number of blocks and bands of a board of n. The last block and band can be smaller."""
        return -(-n // self.block), -(-n // self.band)


def cut_of(n: int, thresholds: Thresholds) -> Cut:
    """Return the cut of a board of n: one tile, or 4, 8 or 16 blocks and twice as many bands."""
    _, blocks, wide = next((cut for cut in thresholds.cuts if n < cut[0]), thresholds.cuts[-1])
    unit = max(_STRIP, thresholds.dealt)
    band = -(-n // (blocks * wide * unit)) * unit
    return Cut(wide * band, band)


Tile = tuple[int, int]


def order_of_tiles(blocks: int, bands: int) -> list[Tile]:
    """List all tiles (block, band) in an order that keeps many threads at work.

    Every other block moves through the bands, one band behind the block before it: these tiles share no line if blocks
    are at least twice as wide as bands are high. When a block is done, the block to its right follows.
    """
    pairs = (blocks + 1) // 2
    return [
        (2 * pair + step // bands, step % bands)
        for wave in range(2 * bands + pairs - 1)
        for pair, step in ((pair, wave - pair) for pair in range(pairs))
        if 0 <= step < 2 * bands and 2 * pair + step // bands < blocks
    ]


def earlier_tiles(tiles_in_order: list[Tile], wide: int) -> list[set[int]]:
    """Return for each tile the numbers of the tiles that must be filled before it; a block is ``wide`` bands wide.

    These are the last earlier tiles on each of its lines, counted in bands: its columns, its rows, and the ``wide + 1``
    spans each of sum and of difference diagonals that it meets.
    """
    last: dict[tuple[str, int], int] = {}
    earlier = []
    for number, (block, band) in enumerate(tiles_in_order):
        lines = [("columns", block), ("rows", band)]
        lines += [("sums", block * wide + band + more) for more in range(wide + 1)]
        lines += [("differences", band - block * wide - less) for less in range(wide + 1)]
        earlier.append({last[line] for line in lines if line in last})
        last.update(dict.fromkeys(lines, number))
    return earlier


class Rest(NamedTuple):
    """The columns and the rows that a placement leaves without a queen, equally many (uint32)."""

    columns: NDArray[np.uint32]
    unused: NDArray[np.uint32]


class TilePlacement:
    """The placement of an attempt in tiles."""

    def __init__(self, attempt: Attempt, cut: Cut) -> None:
        n, fixed = attempt.instance.n, attempt.instance.fixed
        if attempt.bitsets is None or len(attempt.bitsets.rows) < words_for_strips(n):
            raise ValueError(f"the bitsets are too short for the strips of n = {n}")
        self._queens, self._bitsets = attempt.queens, attempt.bitsets
        self._random = attempt.seed, attempt.number
        self._cut = cut
        blocks, bands = cut.shape(n)
        together = math.gcd(cut.block, min(attempt.thresholds.dealt, 256 << (bands - 1).bit_length()))
        self._order_bits = (-(-min(n, cut.block) // together) - 1).bit_length()
        self._tiling = Tiling(
            np.uint64(cut.block),
            np.uint64(cut.band),
            np.uint64((together // 16).bit_length() - 1),
            np.uint64(self._order_bits),
            shares=_shares(_lengths(n, cut.band), of_all=0),
            empty=_lengths(n, cut.block) - np.bincount(fixed.columns // cut.block, minlength=blocks),
            unused=_lengths(n, cut.band) - np.bincount(fixed.rows // cut.band, minlength=bands),
            empty_start=np.zeros(blocks + 1, np.int64),
            unused_start=np.zeros(bands + 1, np.int64),
        )
        self._tiles = order_of_tiles(blocks, bands)
        self._earlier = earlier_tiles((len(_ROUNDS) - 1) * self._tiles, cut.block // cut.band)

    def place(self, workers: Workers, callbacks: Callbacks) -> Rest:
        """Fill all tiles, try unused rows for the columns that are still empty, and return those left over.

        Columns of fixed queens get rows without meaning.
        """
        self._workers, self._callbacks = workers, callbacks
        self._place_groups()
        rest = self._list()
        for turn, tries in enumerate(_TRIES):
            rest = self._place_listed(rest, turn, tries)
        return rest

    def _place_groups(self) -> None:
        scratch = np.empty((len(self._tiling.empty), tiles_kernel.SCRATCH), np.uint64)
        ends = [int(part * (1 << self._order_bits)) for part in _ROUNDS]

        def place(first: int, last: int, tile: Tile) -> None:
            block, band = tile
            tiles_kernel.place_groups(
                self._queens, self._bitsets, self._tiling, scratch[block], *self._random, block, band, first, last
            )

        self._each(place, [(*span, tile) for span in pairwise(ends) for tile in self._tiles])

    def _place_listed(self, rest: Rest, turn: int, tries: int) -> Rest:
        """Try unused rows for the empty columns, more in bands with many unused rows; return the rest."""
        tiling = self._tiling
        lists = rest.columns, np.empty_like(rest.columns), rest.unused, _shares(tiling.unused)
        queens, bitsets, (seed, number) = self._queens, self._bitsets, self._random

        def place(block: int, band: int) -> None:
            tiles_kernel.place_listed(queens, bitsets, tiling, *lists, seed, number, turn, block, band, tries)

        self._each(place, self._tiles)
        columns = rest.columns[rest.columns != np.uint32(len(self._queens))]
        spans = zip(tiling.unused_start[:-1], tiling.unused, strict=True)
        unused = np.concatenate([rest.unused[start : start + count] for start, count in spans])
        self._locate_lists()
        return Rest(columns, unused)

    def _each(self, work: Callable[..., None], tasks: Sequence[tuple[Any, ...]]) -> None:
        """Work on the tasks of one round or of all; tiles that share a line take turns."""
        n, caller = len(self._queens), threading.get_ident()

        def work_and_poll(task: tuple[Any, ...]) -> None:
            work(*task)
            if threading.get_ident() == caller:
                self._callbacks.poll("placement", n - int(self._tiling.empty.sum()), n)

        self._workers.each(work_and_poll, tasks, self._earlier[: len(tasks)])

    def _list(self) -> Rest:
        """List the empty columns of each block and the unused rows of each band."""
        n, tiling = len(self._queens), self._tiling
        self._locate_lists()
        rest = Rest(*(np.empty(int(tiling.empty.sum()), np.uint32) for _ in range(2)))

        def list_block(block: int) -> None:
            first, last = block * self._cut.block, min(n, (block + 1) * self._cut.block)
            columns = rest.columns[tiling.empty_start[block] :]
            tiles_kernel.list_empty(self._queens, self._bitsets.fixed, columns, first, last)

        def list_band(band: int) -> None:
            first, last = band * self._cut.band, min(n, (band + 1) * self._cut.band)
            unused = rest.unused[tiling.unused_start[band] :]
            windows_kernel.list_unused_rows(self._bitsets, unused, first >> 6, (last + 63) >> 6)

        self._workers.each(list_block, range(len(tiling.empty)))
        self._workers.each(list_band, range(len(tiling.unused)))
        return rest

    def _locate_lists(self) -> None:
        np.cumsum(self._tiling.empty, out=self._tiling.empty_start[1:])
        np.cumsum(self._tiling.unused, out=self._tiling.unused_start[1:])


def _shares(counts: NDArray[np.int64], of_all: int = 2**64 - 1) -> NDArray[np.uint64]:
    """Return the sums of the first counts divided by the sum of all, in units of 2**-64; ``of_all`` stands for 1."""
    sums = [0, *np.cumsum(counts).tolist()]
    return np.array([of_all if part == sums[-1] else (part << 64) // sums[-1] for part in sums], np.uint64)


def _lengths(n: int, size: int) -> NDArray[np.int64]:
    """Return the lengths of pieces of ``size`` that make up n; the last can be shorter."""
    return np.minimum(n - np.arange(-(-n // size)) * size, size)
