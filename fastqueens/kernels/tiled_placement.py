"""The windowed placement in tiles: all cores work on one board, and their number does not change it.

Blocks of columns and bands of rows cut the board into tiles. The columns of each block are dealt to the bands in
proportion to the bands' rows, and a tile places the queens of its columns on rows of its band. Tiles that share a line
are filled in a fixed order, the others at the same time (solving/tiled_placement.py). Since blocks, bands and the
offset of the difference diagonals are multiples of 64, tiles without a common line share no word of a bitset either:
threads need neither locks nor atomics.

Dealing costs no memory. A bijection puts 4096 neighbouring columns in a random order, and each band gets a share of
that order. The bijection can be computed at any place, so a tile computes its columns when it needs them. Until all
tiles are filled, ``queens`` holds the rows of those 4096 columns in the order of the dealing: a tile then writes to
consecutive memory (22 instead of 34 ns a queen at n = 10**8), and put_in_order restores the order of the columns at the
end. A tile fills its columns from left to right, so that it uses only as many diagonals at a time as the band has rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, is_marked
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.placement import (
    AHEAD,
    is_open,
    mark_lines,
    place_in_windows,
    prefetch_windows,
)
from fastqueens.kernels.stream import DEALING, PLACEMENT, UNUSED_ROWS, below, stream_key, word

_18, _30, _32 = np.uint64(18), np.uint64(30), np.uint64(32)

# Columns that a thread lists before it places them; SCRATCH adds one dealing and the columns to prefetch.
_LISTED = np.uint64(8192)
SCRATCH = 8192 + 4096 + 16


class Tiling(NamedTuple):
    """Columns in a block, rows in a band, and int64 arrays with one entry for each block or band.

    dealt_bits : 2**dealt_bits neighbouring columns, at most 4096, are dealt together; a block is a multiple of that
    empty : columns of each block without a queen
    unused : rows of each band without a queen
    empty_start, unused_start : where the list of each block or band begins
    """

    block: np.uint64
    band: np.uint64
    dealt_bits: np.uint64
    empty: np.ndarray
    unused: np.ndarray
    empty_start: np.ndarray
    unused_start: np.ndarray


@kernel
def place_tile(queens, bitsets, tiling, scratch, seed, attempt, block, band):
    """Place the queens of the tile where a block crosses a band.

    queens, bitsets : as in placement.py; modified, but only within the tile
    tiling : its ``empty`` and ``unused``, which do not count fixed queens, are updated
    scratch : (2, SCRATCH) uint32 array that no other thread uses

    Writes rows in the order of the dealing; a column without a free row in eight windows of the band gets row n.
    O(columns of the tile + columns of the block / 4096).
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, PLACEMENT)
    deal = stream_key(seed, attempt, DEALING)
    bits = tiling.dealt_bits
    first_row = np.uint64(band) * tiling.band
    end_row = min(n, first_row + tiling.band)
    first_window = first_row >> SIX
    windows = ((end_row + SIXTY_THREE) >> SIX) - first_window
    first_column = np.uint64(block) * tiling.block
    end_column = min(n, first_column + tiling.block)
    listed = np.uint64(0)
    placed = 0
    for dealt in range(first_column, end_column, ONE << bits):
        listed = _deal(scratch, listed, bitsets.fixed, dealt, bits, word(deal, dealt), first_row, end_row, n)
        if listed >= _LISTED:
            placed += _place_listed(queens, bitsets, scratch, listed, key, first_window, windows)
            listed = np.uint64(0)
    placed += _place_listed(queens, bitsets, scratch, listed, key, first_window, windows)
    tiling.empty[block] -= placed
    tiling.unused[band] -= placed


@part
def _deal(scratch, listed, fixed, dealt, bits, random, first_row, end_row, n):
    """List the empty ones of the 2**bits columns from ``dealt`` on that go to a band; return the list's new length.

    ``scratch[0]`` gets the columns, ``scratch[1]`` the indices in ``queens`` at which to write their rows.
    """
    is_whole = dealt + (ONE << bits) <= n
    for place in range(_share_end(first_row, bits, random, n), _share_end(end_row, bits, random, n)):
        column = dealt + _dealt_column(place, bits, random)
        scratch[0, listed] = column
        scratch[1, listed] = dealt + place if is_whole else column
        listed += np.uint64(column < n and not is_marked(fixed, column))
    return listed


@part
def _share_end(row, bits, random, n):
    """Return where the share of the rows before ``row`` ends among 2**bits places, rounded up or down at random."""
    if row == n:
        return ONE << bits
    return ((row << bits) + below(random, n)) // n if row > 0 else np.uint64(0)


@part
def _dealt_column(place, bits, random):
    """Map a place of the random order to its column, by a bijection of 0..2**bits - 1: add, multiply by odd, shift."""
    mask = (ONE << bits) - ONE
    mixed = (place + random) & mask
    mixed = (mixed * ((random >> _18) | ONE)) & mask
    mixed ^= mixed >> (bits >> ONE)
    mixed = (mixed * ((random >> _30) | ONE)) & mask
    return mixed ^ (mixed >> (bits >> ONE))


@part
def _place_listed(queens, bitsets, scratch, listed, key, first_window, windows):
    """Place the queens of the listed columns in the windows of a band; return how many got a row."""
    if len(bitsets.blocked) == 0:
        return _place_each(queens, bitsets, scratch, listed, key, first_window, windows, False)
    return _place_each(queens, bitsets, scratch, listed, key, first_window, windows, True)


@part
def _place_each(queens, bitsets, scratch, listed, key, first_window, windows, has_blocked):
    """Place them; ``has_blocked`` is a constant that the compiler knows."""
    n = np.uint64(len(queens))
    placed = 0
    for i in range(AHEAD):
        scratch[0, listed + i] = scratch[0, 0]
    for i in range(listed):
        prefetch_windows(bitsets, np.uint64(scratch[0, i + AHEAD]), key, first_window, windows)
        row = place_in_windows(bitsets, np.uint64(scratch[0, i]), key, first_window, windows, n, has_blocked)
        queens[scratch[1, i]] = row
        placed += np.int64(row < n)
    return placed


@kernel
def put_in_order(queens, fixed, tiling, scratch, empty, seed, attempt, first, last):
    """Bring the rows of columns first to last - 1 from the order of the dealing into that of the columns.

    queens : modified; the columns of fixed queens get arbitrary rows
    fixed, scratch : as in place_tile
    first, last : boundaries of dealings
    empty : uint32 array; gets the columns without a queen, in the order of the dealing

    O(last - first).
    """
    n = np.uint64(len(queens))
    deal = stream_key(seed, attempt, DEALING)
    bits = tiling.dealt_bits
    size = ONE << bits
    found = 0
    for dealt in range(np.uint64(first), np.uint64(last), size):
        is_whole = dealt + size <= n
        random = word(deal, dealt)
        count = size if is_whole else n - dealt
        for place in range(count):
            scratch[0, place] = queens[dealt + place]
        for place in range(count):
            column = dealt + (_dealt_column(place, bits, random) if is_whole else place)
            row = np.uint64(scratch[0, place])
            queens[column] = row
            if row == n and not is_marked(fixed, column):
                empty[found] = column
                found += 1


@kernel
def place_listed_in_tile(queens, bitsets, tiling, columns, unused, seed, attempt, block, band, draws):
    """Place the queens of a block's empty columns on unused rows of a band, by a few draws each.

    queens, bitsets, tiling : modified within the tile
    columns, unused : uint32 arrays with one list for each block or band, located by ``tiling``; modified

    O(draws) for each empty column of the block.
    """
    key = stream_key(seed, attempt, UNUSED_ROWS)
    first_column = tiling.empty_start[block]
    first_unused = tiling.unused_start[band]
    remaining = np.uint64(tiling.unused[band])
    kept = 0
    # The tiles' words begin 2**32 apart; the first 2**32 words serve place_in_unused_rows, which follows the tiles.
    drawn = (np.uint64(block) * np.uint64(len(tiling.unused)) + np.uint64(band) + ONE) << _32
    for i in range(tiling.empty[block]):
        column = np.uint64(columns[first_column + i])
        placed = False
        # Without unused rows there is nothing to read: the band's list may be at the end of the array.
        for _ in range(draws if remaining > 0 else 0):
            at = np.int64(below(word(key, drawn), remaining)) + first_unused
            drawn += ONE
            row = np.uint64(unused[at])
            if is_open(bitsets, column, row):
                queens[column] = row
                mark_lines(bitsets, column, row)
                remaining -= ONE
                unused[at] = unused[first_unused + np.int64(remaining)]
                placed = True
                break
        if not placed:
            columns[first_column + kept] = column
            kept += 1
    tiling.empty[block] = kept
    tiling.unused[band] = remaining
