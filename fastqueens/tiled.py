"""The windowed placement of large boards in tiles, on all cores: the driver of kernels/tiles.py.

How the board is cut depends on n alone, never on the number of threads, so the result does not either.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.given import NOTHING_GIVEN, Given
from fastqueens.kernels import placement, tiles
from fastqueens.kernels.placement import Bitsets
from fastqueens.kernels.tiles import Tiling
from fastqueens.watch import Watch
from fastqueens.workers import Workers

#: From this n on the board is cut into tiles: below, the bitsets fit a cache of 2 MB anyway.
TILED_FROM = 1 << 22

# Columns that are dealt together: their order is made up in the fastest cache.
_DEALT = 4096

# The columns of a block get their draws in so many sweeps from left to right. In one, the first columns would take all
# rows of the first bands, the next ones those of the next: a line across large boards that everybody sees.
_SWEEPS = 64

# Draws for a column that was set aside, over all bands: all but 0.1 % of them find a row.
_DRAWS = 96


class Cut(NamedTuple):
    """How a board is cut: blocks of ``block`` columns, bands of ``band`` rows, a multiple of 64.

    A block is a multiple of a band: on the diagonals, tiles then begin and end where others do.
    """

    block: int
    band: int

    def shape(self, n: int) -> tuple[int, int]:
        """How many blocks and bands a board of n has; the last ones may be smaller."""
        return -(-n // self.block), -(-n // self.band)


def cut_of(n: int) -> Cut:
    """The cut of a board of n queens: 8, 16 or 32 blocks, for half as many threads, and 32 or 64 bands.

    With few bands the words in use leave the cache; with many, each word travels there more often, and the columns of a
    dealing come in smaller pieces: at n = 10**9 on two threads, 64 bands take 20 ns a queen, 128 take 24, 256 take 27.
    """
    blocks, wide = (8, 4) if n < 1 << 25 else (16, 4) if n < 1 << 28 else (32, 2)
    band = -(-n // (blocks * wide * _DEALT)) * _DEALT
    return Cut(wide * band, band)


Tile = tuple[int, int]


def order_of_tiles(blocks: int, bands: int) -> list[Tile]:
    """All tiles (block, band), in an order that keeps many threads at work.

    Every other block moves through the bands, each one band behind the one to its left: of those tiles, no two share a
    line if a block has twice the columns that a band has rows. When a block is through, the one to its right follows.
    """
    pairs = (blocks + 1) // 2
    return [
        (2 * pair + step // bands, step % bands)
        for wave in range(2 * bands + pairs - 1)
        for pair, step in ((pair, wave - pair) for pair in range(pairs))
        if 0 <= step < 2 * bands and 2 * pair + step // bands < blocks
    ]


def earlier_tiles(tiles_in_order: list[Tile], wide: int) -> list[set[int]]:
    """For each tile the numbers of the tiles that must be filled before it; a block is ``wide`` bands long.

    These are the last ones before it on each of its lines, counted in bands: its columns, its rows, the ``wide + 1``
    lengths of sum and of difference diagonals that it reaches.
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
    """What a placement leaves: columns without a queen and rows without one, as many of each (uint32)."""

    columns: NDArray[np.uint32]
    unused: NDArray[np.uint32]


class Tiled:
    """One placement in tiles."""

    def __init__(
        self,
        queens: Queens,
        bitsets: Bitsets,
        seed: np.uint64,
        attempt: np.uint64,
        cut: Cut,
        given: Given = NOTHING_GIVEN,
    ) -> None:
        n = len(queens)
        if cut.band % 64 or cut.block % cut.band:
            raise ValueError(f"{cut}: a band is a multiple of 64, and a block one of a band")
        blocks, bands = cut.shape(n)
        self._queens, self._bitsets, self._seed, self._attempt = queens, bitsets, seed, attempt
        self._cut = cut
        self._tiling = Tiling(
            np.uint64(cut.block),
            np.uint64(cut.band),
            np.uint64((math.gcd(cut.block, _DEALT)).bit_length() - 1),
            empty=_lengths(n, cut.block) - np.bincount(given.columns // cut.block, minlength=blocks),
            unused=_lengths(n, cut.band) - np.bincount(given.rows // cut.band, minlength=bands),
            empty_start=np.zeros(blocks + 1, np.int64),
            unused_start=np.zeros(bands + 1, np.int64),
        )
        self._tiles = order_of_tiles(blocks, bands)
        self._earlier = earlier_tiles(self._tiles, cut.block // cut.band)

    def place(self, workers: Workers, watch: Watch) -> Rest:
        """Fill all tiles, give the columns set aside a row where draws find one, and list what is left.

        What comes to stand in the columns of given queens means nothing.
        """
        blocks, bands = self._cut.shape(len(self._queens))
        scratch = np.empty((blocks, 2, tiles.SCRATCH), np.uint32)

        def fill(block: int, band: int) -> None:
            tiles.place_tile(
                self._queens, self._bitsets, self._tiling, scratch[block], self._seed, self._attempt, block, band
            )

        self._each_tile(fill, workers, watch)
        rest = self._list(workers, scratch)
        draws = -(-_DRAWS // bands)

        def draw(block: int, band: int) -> None:
            tiles.place_listed_in_tile(
                self._queens, self._bitsets, self._tiling, rest.columns, rest.unused,
                self._seed, self._attempt, block, band, draws,
            )  # fmt: skip

        self._each_tile(draw, workers, watch)
        return self._gather(rest)

    def _each_tile(self, work: Callable[[int, int], None], workers: Workers, watch: Watch) -> None:
        """Work on all tiles, those that share a line in their order."""
        n = len(self._queens)
        caller = threading.get_ident()

        def work_and_look(tile: Tile) -> None:
            work(*tile)
            if threading.get_ident() == caller:
                watch.look("placement", n - int(self._tiling.empty.sum()), n)

        workers.each(work_and_look, self._tiles, self._earlier)

    def _list(self, workers: Workers, scratch: NDArray[np.uint32]) -> Rest:
        """Put the rows of each block in order, and list its empty columns and the unused rows of each band."""
        tiling = self._tiling
        n = len(self._queens)
        np.cumsum(tiling.empty, out=tiling.empty_start[1:])
        np.cumsum(tiling.unused, out=tiling.unused_start[1:])
        rest = Rest(*(np.empty(int(tiling.empty.sum()), np.uint32) for _ in range(2)))

        def list_block(block: int) -> None:
            first, last = block * self._cut.block, min(n, (block + 1) * self._cut.block)
            empty = rest.columns[tiling.empty_start[block] :]
            tiles.put_in_order(
                self._queens, self._bitsets.given, tiling, scratch[block], empty,
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

    def _gather(self, rest: Rest) -> Rest:
        """Join what is left of the lists of all blocks and bands."""
        tiling = self._tiling
        return Rest(
            _joined(rest.columns, tiling.empty_start, tiling.empty),
            _joined(rest.unused, tiling.unused_start, tiling.unused),
        )


def _lengths(n: int, size: int) -> NDArray[np.int64]:
    """The lengths of the pieces of n that are ``size`` long, but for the last."""
    return np.minimum(n - np.arange(-(-n // size)) * size, size)


def _joined(
    listed: NDArray[np.uint32], starts: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.uint32]:
    return np.concatenate([listed[start : start + count] for start, count in zip(starts[:-1], counts, strict=True)])


def load_kernels(queens: Queens, bitsets: Bitsets) -> None:
    """Compile, or fetch from disk, the kernels of this module, by calling each for a board of no queens."""
    nothing, none = queens[:0], np.empty(0, np.uint32)
    seed, attempt = np.uint64(0), np.uint64(0)
    tiling = Tiled(queens, bitsets, seed, attempt, Cut(64, 64))._tiling
    scratch = np.empty((2, tiles.SCRATCH), np.uint32)
    tiles.place_tile(nothing, bitsets, tiling, scratch, seed, attempt, 0, 0)
    tiles.put_in_order(nothing, bitsets.given, tiling, scratch, none, seed, attempt, 0, 0)
    placement.list_unused_rows(bitsets, none, 0, 0)
    tiling.empty[:] = 0
    tiles.place_listed_in_tile(nothing, bitsets, tiling, none, none, seed, attempt, 0, 0, 0)
