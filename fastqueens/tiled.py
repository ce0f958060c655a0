"""The windowed placement of large boards in tiles, on all cores: the driver of kernels/tiles.py.

How the board is cut depends on n alone, never on the number of threads, so the result does not either.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.kernels import placement, tiles
from fastqueens.kernels.placement import Bitsets
from fastqueens.kernels.tiles import Tiling
from fastqueens.watch import Watch
from fastqueens.workers import Workers

#: From this n on the board is cut into tiles: below, the bitsets fit a cache of 2 MB anyway.
TILED_FROM = 1 << 22

# Columns that are dealt together: their order is made up in the fastest cache.
_DEALT = 4096

# Draws for a column that was set aside, over all bands: all but 0.1 % of them find a row.
_DRAWS = 96


class Cut(NamedTuple):
    """How a board is cut: blocks of ``block`` columns, a multiple of 64, and ``group`` of them filled at a time."""

    block: int
    group: int


def cut_of(n: int) -> Cut:
    """The cut of a board of n queens: 4 G blocks, so that tiles and groups are of one size.

    G bounds the threads that find work. A phase should take some milliseconds, beside which waiting for the last
    thread counts for little, and a tile's part of the bitsets (0.6 bits a column and row) should stay in a cache.
    """
    group = 4 if n < 1 << 25 else 8 if n < 1 << 28 else 16
    return Cut(-(-n // (4 * group * _DEALT)) * _DEALT, group)


class Rest(NamedTuple):
    """What a placement leaves: columns without a queen and rows without one, as many of each (uint32)."""

    columns: NDArray[np.uint32]
    unused: NDArray[np.uint32]


class Tiled:
    """One placement in tiles."""

    def __init__(
        self, queens: Queens, bitsets: Bitsets, seed: np.uint64, attempt: np.uint64, cut: Cut
    ) -> None:
        n = len(queens)
        blocks = -(-n // cut.block)
        if blocks < 4 * cut.group - 2:
            raise ValueError(f"{blocks} blocks are too few for groups of {cut.group}")
        sizes = np.minimum(n - np.arange(blocks) * cut.block, cut.block)
        self._queens, self._bitsets, self._seed, self._attempt = queens, bitsets, seed, attempt
        self._cut = cut
        self._tiling = Tiling(
            np.uint64(cut.block),
            np.uint64(blocks),
            np.uint64((math.gcd(cut.block, _DEALT)).bit_length() - 1),
            empty=sizes.copy(),
            unused=sizes.copy(),
            empty_start=np.zeros(blocks + 1, np.int64),
            unused_start=np.zeros(blocks + 1, np.int64),
        )

    def place(self, workers: Workers, watch: Watch) -> Rest:
        """Fill all tiles, give the columns set aside a row where draws find one, and list what is left."""
        scratch = np.empty((int(self._tiling.blocks), 2, tiles.SCRATCH), np.uint32)

        def fill(group: int, phase: int, first: int, last: int) -> None:
            tiles.place_tiles(
                self._queens, self._bitsets, self._tiling, scratch[first],
                self._seed, self._attempt, group, phase, first, last,
            )  # fmt: skip

        self._in_phases(fill, workers, watch)
        rest = self._list(workers, scratch)
        draws = -(-_DRAWS // int(self._tiling.blocks))

        def draw(group: int, phase: int, first: int, last: int) -> None:
            tiles.place_listed_in_tiles(
                self._queens, self._bitsets, self._tiling, rest.columns, rest.unused,
                self._seed, self._attempt, group, phase, first, last, draws,
            )  # fmt: skip

        self._in_phases(draw, workers, watch)
        return self._gather(rest)

    def _in_phases(self, work: Callable[[int, int, int, int], None], workers: Workers, watch: Watch) -> None:
        """Go through all groups and phases, the tiles of a phase at the same time."""
        blocks = int(self._tiling.blocks)
        n = len(self._queens)
        for group in range(0, blocks, self._cut.group):
            size = min(self._cut.group, blocks - group)
            # Two pieces a thread: where one thread is held up, another takes its second piece.
            pieces = 1 if workers.threads == 1 else min(size, 2 * workers.threads)
            ends = [size * piece // pieces for piece in range(pieces + 1)]
            for phase in range(blocks):
                workers.each(lambda tiles_: work(group, phase, *tiles_), list(pairwise(ends)))  # noqa: B023
                watch.look("placement", n - int(self._tiling.empty.sum()), n)

    def _list(self, workers: Workers, scratch: NDArray[np.uint32]) -> Rest:
        """Put the rows of each block in order, and list its empty columns and the unused rows of each band."""
        tiling = self._tiling
        n = len(self._queens)
        np.cumsum(tiling.empty, out=tiling.empty_start[1:])
        np.cumsum(tiling.unused, out=tiling.unused_start[1:])
        rest = Rest(*(np.empty(int(tiling.empty.sum()), np.uint32) for _ in range(2)))

        def list_one(i: int) -> None:
            first, last = i * self._cut.block, min(n, (i + 1) * self._cut.block)
            empty = rest.columns[tiling.empty_start[i] :]
            tiles.put_in_order(self._queens, tiling, scratch[i], empty, self._seed, self._attempt, first, last)
            placement.list_unused_rows(
                self._bitsets, rest.unused[tiling.unused_start[i] :], first >> 6, (last + 63) >> 6
            )

        workers.each(list_one, range(int(tiling.blocks)))
        return rest

    def _gather(self, rest: Rest) -> Rest:
        """Join what is left of the lists of all blocks and bands."""
        tiling = self._tiling
        return Rest(
            _joined(rest.columns, tiling.empty_start, tiling.empty),
            _joined(rest.unused, tiling.unused_start, tiling.unused),
        )


def _joined(
    listed: NDArray[np.uint32], starts: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.uint32]:
    return np.concatenate([listed[start : start + count] for start, count in zip(starts[:-1], counts, strict=True)])


def load_kernels(queens: Queens, bitsets: Bitsets) -> None:
    """Compile, or fetch from disk, the kernels of this module, by calling each for no tiles and no columns."""
    tiled = Tiled(queens, bitsets, np.uint64(0), np.uint64(0), Cut(64, 0))
    none = np.empty(0, np.uint32)
    scratch = np.empty((2, 0), np.uint32)
    nothing = (np.uint64(0), np.uint64(0), 0, 0, 0, 0)
    tiles.place_tiles(queens, bitsets, tiled._tiling, scratch, *nothing)
    tiles.put_in_order(queens, tiled._tiling, scratch, none, *nothing[:2], 0, 0)
    placement.list_unused_rows(bitsets, none, 0, 0)
    tiles.place_listed_in_tiles(queens, bitsets, tiled._tiling, none, none, *nothing, 0)
