"""The windowed placement in tiles: the same work for all cores, the same board on any number of them.

The board is cut into blocks of columns and bands of rows, which cross in tiles. The columns of each block are dealt
over the bands in proportion to the bands' rows, and a tile gives its columns rows of its band. Tiles that share a line
are filled in a fixed order, others at the same time (fastqueens/tiled.py). Since blocks, bands and the offset of the
difference diagonals are multiples of 64, tiles without a common line have no common word of a bitset either: no lock,
no atomic.

Dealing costs no memory. Each 4096 neighbouring columns are put in a random order by a bijection that can be computed
anywhere in it, and every band has its share of that order: a tile computes its columns when it needs them. Until
all tiles are filled, ``queens`` holds the rows of those 4096 columns in that order: a tile then writes along the
memory instead of all over it (34 to 22 ns a queen at n = 10**8), and put_in_order sets it right at the end. Within
a tile the columns come from left to right, so that no more of the diagonals is in use than the band has rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, is_marked
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.placement import (
    AHEAD,
    diagonals_free,
    mark_lines,
    place_in_windows,
    prefetch_windows,
)
from fastqueens.kernels.stream import DEALING, PLACEMENT, UNUSED_ROWS, below, stream_key, word

_18, _30, _32 = np.uint64(18), np.uint64(30), np.uint64(32)

# Columns a thread lists before it places them, and what it needs behind them to look ahead.
_LISTED = np.uint64(8192)
SCRATCH = 8192 + 4096 + 16


class Tiling(NamedTuple):
    """Columns in a block, rows in a band, and what is known of all blocks and bands (int64 arrays, one entry each).

    dealt_bits : 2**dealt_bits neighbouring columns, at most 4096, are dealt together; a block is a multiple of that
    empty : columns of each block that have no queen yet
    unused : rows of each band that have no queen yet
    empty_start, unused_start : where the lists of each block and band begin
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
    """Fill the tile in which a block crosses a band.

    queens (n), bitsets : as in placement.py; only what belongs to the tile is touched
    tiling : ``empty`` and ``unused`` count what is left, given queens not
    scratch : (2, SCRATCH) uint32 array that no other thread uses

    Rows are kept in the order of the dealing; those of columns that find none in eight windows of the band are n.
    O(columns of the tile) and O(columns of the block / 4096).
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
        listed = _deal(scratch, listed, bitsets.given, dealt, bits, word(deal, dealt), first_row, end_row, n)
        if listed >= _LISTED:
            placed += _place_listed(queens, bitsets, scratch, listed, key, first_window, windows)
            listed = np.uint64(0)
    placed += _place_listed(queens, bitsets, scratch, listed, key, first_window, windows)
    tiling.empty[block] -= placed
    tiling.unused[band] -= placed


@part
def _deal(scratch, listed, given, dealt, bits, random, first_row, end_row, n):
    """List those of the 2**bits columns from ``dealt`` on that are dealt to a band and empty; the list's new length.

    ``scratch[0]`` gets the columns, ``scratch[1]`` where in ``queens`` their rows are kept.
    """
    is_whole = dealt + (ONE << bits) <= n
    for place in range(_share(first_row, bits, random, n), _share(end_row, bits, random, n)):
        column = dealt + _shuffled(place, bits, random)
        scratch[0, listed] = column
        scratch[1, listed] = dealt + place if is_whole else column
        listed += np.uint64(column < n and not is_marked(given, column))
    return listed


@part
def _share(row, bits, random, n):
    """Where the share of the rows before ``row`` ends among 2**bits places, rounded up or down at random."""
    if row == n:
        return ONE << bits
    return ((row << bits) + below(random, n)) // n if row > 0 else np.uint64(0)


@part
def _shuffled(place, bits, random):
    """The column at a place of the random order: a bijection of 0..2**bits - 1 from add, multiply by odd, and shift."""
    mask = (ONE << bits) - ONE
    mixed = (place + random) & mask
    mixed = (mixed * ((random >> _18) | ONE)) & mask
    mixed ^= mixed >> (bits >> ONE)
    mixed = (mixed * ((random >> _30) | ONE)) & mask
    return mixed ^ (mixed >> (bits >> ONE))


@part
def _place_listed(queens, bitsets, scratch, listed, key, first_window, windows):
    """Place the listed columns in the windows of a band; how many found a row."""
    n = np.uint64(len(queens))
    placed = 0
    for i in range(AHEAD):
        scratch[0, listed + i] = scratch[0, 0]
    for i in range(listed):
        prefetch_windows(bitsets, np.uint64(scratch[0, i + AHEAD]), key, first_window, windows)
        row = place_in_windows(bitsets, np.uint64(scratch[0, i]), key, first_window, windows, n)
        queens[scratch[1, i]] = row
        placed += np.int64(row < n)
    return placed


@kernel
def put_in_order(queens, given, tiling, scratch, empty, seed, attempt, first, last):
    """Bring the rows of columns first to last - 1, whole dealings, from the order they were dealt in to their places.

    given, scratch : as in place_tile; what comes to stand in the columns of given queens means nothing
    empty : uint32 array; the columns without a queen are written into it, in the order of the dealing

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
            column = dealt + (_shuffled(place, bits, random) if is_whole else place)
            row = np.uint64(scratch[0, place])
            queens[column] = row
            if row == n and not is_marked(given, column):
                empty[found] = column
                found += 1


@kernel
def place_listed_in_tile(queens, bitsets, tiling, columns, unused, seed, attempt, block, band, draws):
    """Give the empty columns of a block unused rows of a band, by a few draws each.

    columns, unused : uint32 arrays, a list for each block and each band, as ``tiling`` says; modified

    O(empty columns of the block).
    """
    key = stream_key(seed, attempt, UNUSED_ROWS)
    first_column = tiling.empty_start[block]
    first_unused = tiling.unused_start[band]
    remaining = np.uint64(tiling.unused[band])
    kept = 0
    # The streams of the tiles begin 2**32 words apart; the first is that of the draws after the tiles.
    drawn = (np.uint64(block) * np.uint64(len(tiling.unused)) + np.uint64(band) + ONE) << _32
    for i in range(tiling.empty[block]):
        column = np.uint64(columns[first_column + i])
        placed = False
        # A band without unused rows left has none to read: its list may end where the array does.
        for _ in range(draws if remaining > 0 else 0):
            at = np.int64(below(word(key, drawn), remaining)) + first_unused
            drawn += ONE
            row = np.uint64(unused[at])
            if diagonals_free(bitsets, column, row):
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
