"""The windowed placement of large boards in tiles, on all cores: the driver of kernels/tiled_placement.py.

The cut depends on n alone, so the result does not depend on the number of threads.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import Queens
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.fixed_queens import NO_FIXED_QUEENS, FixedQueens
from fastqueens.core.threads import Workers
from fastqueens.kernels import placement, tiled_placement
from fastqueens.kernels.placement import Bitsets
from fastqueens.kernels.tiled_placement import Tiling
from fastqueens.solving.attempt import Rest

# Sweeps from left to right in which the columns of a block get their draws. In a single one, the first columns would
# take all rows of the first bands, the next columns those of the next bands: a visible line across large boards.
_SWEEPS = 64

# Draws for a column set aside, over all bands: 99.9 % of these columns find a row.
_DRAWS = 96


class Cut(NamedTuple):
    """How a board is cut: blocks of ``block`` columns, bands of ``band`` rows, a multiple of 64.

    A block is a multiple of a band, so tiles begin and end together along diagonals.
    """

    block: int
    band: int

    def shape(self, n: int) -> tuple[int, int]:
        """Return how many blocks and bands a board of n has; the last of each may be smaller."""
        return -(-n // self.block), -(-n // self.band)


def cut_of(n: int) -> Cut:
    """Return the cut of a board of n: 8, 16 or 32 blocks, for half as many threads, and 32 or 64 bands.

    With fewer bands the words in use do not fit into the cache. More bands mean each word is loaded more often, and the
    columns dealt together are cut into smaller pieces: n = 10**9 on two threads takes 20 ns a queen with 64 bands, 24
    with 128, 27 with 256.
    """
    cuts, dealt = thresholds.current.cuts, thresholds.current.dealt
    _, blocks, wide = next((cut for cut in cuts if n < cut[0]), cuts[-1])
    band = -(-n // (blocks * wide * dealt)) * dealt
    return Cut(wide * band, band)


Tile = tuple[int, int]


def order_of_tiles(blocks: int, bands: int) -> list[Tile]:
    """List all tiles (block, band) in an order that keeps many threads at work.

    Every other block moves through the bands, one band behind the block before it; of these tiles no two share a line
    if blocks are at least twice as wide as bands are high. When a block is done, the block to its right follows.
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


class TilePlacement:
    """One placement in tiles."""

    def __init__(
        self,
        queens: Queens,
        bitsets: Bitsets,
        seed: np.uint64,
        attempt: np.uint64,
        cut: Cut,
        fixed: FixedQueens = NO_FIXED_QUEENS,
    ) -> None:
        n = len(queens)
        if cut.band % 64 or cut.block % cut.band:
            raise ValueError(f"{cut}: a band must be a multiple of 64, and a block a multiple of a band")
        blocks, bands = cut.shape(n)
        self._queens, self._bitsets, self._seed, self._attempt = queens, bitsets, seed, attempt
        self._cut = cut
        self._tiling = Tiling(
            np.uint64(cut.block),
            np.uint64(cut.band),
            np.uint64((math.gcd(cut.block, thresholds.current.dealt)).bit_length() - 1),
            empty=_lengths(n, cut.block) - np.bincount(fixed.columns // cut.block, minlength=blocks),
            unused=_lengths(n, cut.band) - np.bincount(fixed.rows // cut.band, minlength=bands),
            empty_start=np.zeros(blocks + 1, np.int64),
            unused_start=np.zeros(bands + 1, np.int64),
        )
        self._tiles = order_of_tiles(blocks, bands)
        self._earlier = earlier_tiles(self._tiles, cut.block // cut.band)

    def place(self, workers: Workers, callbacks: Callbacks) -> Rest:
        """Fill all tiles, draw rows for the columns set aside, and return the columns and rows left over.

        Columns of fixed queens get rows without meaning.
        """
        blocks, bands = self._cut.shape(len(self._queens))
        scratch = np.empty((blocks, 2, tiled_placement.SCRATCH), np.uint32)

        def fill(block: int, band: int) -> None:
            tiled_placement.place_tile(
                self._queens, self._bitsets, self._tiling, scratch[block], self._seed, self._attempt, block, band
            )

        self._each_tile(fill, workers, callbacks)
        rest = self._list(workers, scratch)
        draws = -(-_DRAWS // bands)

        def draw(block: int, band: int) -> None:
            tiled_placement.place_listed_in_tile(
                self._queens, self._bitsets, self._tiling, rest.columns, rest.unused,
                self._seed, self._attempt, block, band, draws,
            )  # fmt: skip

        self._each_tile(draw, workers, callbacks)
        return Rest(
            _joined(rest.columns, self._tiling.empty_start, self._tiling.empty),
            _joined(rest.unused, self._tiling.unused_start, self._tiling.unused),
        )

    def _each_tile(self, work: Callable[[int, int], None], workers: Workers, callbacks: Callbacks) -> None:
        """Work on all tiles; those that share a line, in order."""
        n = len(self._queens)
        caller = threading.get_ident()

        def work_and_poll(tile: Tile) -> None:
            work(*tile)
            if threading.get_ident() == caller:
                callbacks.poll("placement", n - int(self._tiling.empty.sum()), n)

        workers.each(work_and_poll, self._tiles, self._earlier)

    def _list(self, workers: Workers, scratch: NDArray[np.uint32]) -> Rest:
        """Sort the rows of each block by column; list the empty columns of each block, the unused rows of each band."""
        tiling = self._tiling
        n = len(self._queens)
        np.cumsum(tiling.empty, out=tiling.empty_start[1:])
        np.cumsum(tiling.unused, out=tiling.unused_start[1:])
        rest = Rest(*(np.empty(int(tiling.empty.sum()), np.uint32) for _ in range(2)))

        def list_block(block: int) -> None:
            first, last = block * self._cut.block, min(n, (block + 1) * self._cut.block)
            empty = rest.columns[tiling.empty_start[block] :]
            tiled_placement.put_in_order(
                self._queens, self._bitsets.fixed, tiling, scratch[block], empty,
                self._seed, self._attempt, first, last,
            )  # fmt: skip
            listed = empty[: tiling.empty[block]]
            listed[:] = np.concatenate([listed[sweep::_SWEEPS] for sweep in range(_SWEEPS)])

        def list_band(band: int) -> None:
            first, last = band * self._cut.band, min(n, (band + 1) * self._cut.band)
            unused = rest.unused[tiling.unused_start[band] :]
            placement.list_unused_rows(self._bitsets, unused, first >> 6, (last + 63) >> 6)

        blocks, bands = self._cut.shape(n)
        workers.each(list_block, range(blocks))
        workers.each(list_band, range(bands))
        return rest


def _lengths(n: int, size: int) -> NDArray[np.int64]:
    """Return the lengths of pieces of ``size`` that make up n; the last may be shorter."""
    return np.minimum(n - np.arange(-(-n // size)) * size, size)


def _joined(listed: NDArray[np.uint32], starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Join what remains in the lists of all blocks or bands."""
    return np.concatenate([listed[start : start + count] for start, count in zip(starts[:-1], counts, strict=True)])


def load_kernels(queens: Queens, bitsets: Bitsets) -> None:
    """Compile or load the kernels that place tiles, by calling each for a board without queens."""
    nothing, none = queens[:0], np.empty(0, np.uint32)
    seed, attempt = np.uint64(0), np.uint64(0)
    tiling = TilePlacement(queens, bitsets, seed, attempt, Cut(64, 64))._tiling
    scratch = np.empty((2, tiled_placement.SCRATCH), np.uint32)
    tiled_placement.place_tile(nothing, bitsets, tiling, scratch, seed, attempt, 0, 0)
    tiled_placement.put_in_order(nothing, bitsets.fixed, tiling, scratch, none, seed, attempt, 0, 0)
    placement.list_unused_rows(bitsets, none, 0, 0)
    tiling.empty[:] = 0
    tiled_placement.place_listed_in_tile(nothing, bitsets, tiling, none, none, seed, attempt, 0, 0, 0)
