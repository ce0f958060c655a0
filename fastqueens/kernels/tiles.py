"""The placement of large boards: groups of 16 columns in strips of 512 rows, tile by tile.

The queens of a *group* of 16 neighbouring columns go to a *strip* of 512 rows, eight windows of 64: few cache lines of
the board, the rows and the diagonals. Vector instructions place up to eight queens at a time, each in another window,
more than 16 rows apart, so that they share no diagonal.

Blocks of columns and bands of rows cut the board into tiles. The groups of each block are dealt to the bands in
proportion to the bands' rows. Tiles that share a line are filled in a fixed order, the others at the same time
(placement/tiles.py): they write to no common word of a bitset, since blocks, bands and the offset of the difference
diagonals are multiples of 64, and threads need neither locks nor atomics.

The board fills evenly: 16 or 64 neighbouring groups are dealt at a time, and each gets a strip in another part of the
rows, in random order. The dealings of a block follow each other in bit-reversed order. With their places, the first
three bits of the place of a strip in its part form a Sobol' sequence; with more bits of the sequence, the density had
stripes.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint32, uint64
from fastqueens.kernels import bits
from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO
from fastqueens.kernels.blocked import is_blocked, rows_that_may_be_blocked
from fastqueens.kernels.stream import DEALING, PLACEMENT, UNUSED_ROWS, below, stream_key, word
from fastqueens.kernels.windows import Bitsets, diagonal_marks, difference_offset, mark_lines

_2, _3, _4, _8, _9, _15, _16 = map(np.uint64, (2, 3, 4, 8, 9, 15, 16))
_18, _24, _30, _32, _40, _59, _61 = map(np.uint64, (18, 24, 30, 32, 40, 59, 61))
_LOW_32 = np.uint64(2**32 - 1)
_ALL = np.uint64(0xFFFF)
_STRIP = np.uint64(512)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(6364136223846793005)
_ODD, _SECOND = np.uint64(0xAAAAAAAAAAAAAAAA), np.uint64(0xCCCCCCCCCCCCCCCC)

# Strips that a group tries. More of them leave fewer empty columns, which take long if the bits are not in a cache:
# with 6 and 16, n = 10**8 takes 10.9 and 9.6 ns per queen, 10**9 18.6 and 15.4.
_STRIPS = np.uint64(16)

# At most this many empty columns of a group look at all windows of a strip one after the other. Of more, each is first
# paired with one window, which takes less time.
_FEW = np.uint64(12)

# Groups, and columns of a list, to prefetch ahead.
_AHEAD, _COLUMNS_AHEAD = np.uint64(6), np.uint64(8)

# Words in use while a tile is filled: the lanes of place_columns, and a list of groups. A dealing has at most 256.
_LIST, _LISTED = np.uint64(48), np.uint64(512)
SCRATCH = int(_LIST + _LISTED + _AHEAD) + 256


@bundle
class Tiling(NamedTuple):
    """Columns in a block, rows in a band, and arrays with one entry for each block or band.

    dealt_bits : 2**dealt_bits neighbouring groups, at most 256, are dealt together; a block is a multiple of that
    order_bits : a block has at most 2**order_bits dealings
    shares : (bands + 1,), the share of the rows before each band in units of 2**-64; 0 for all rows
    empty : columns of each block without a queen
    unused : rows of each band without a queen
    empty_start, unused_start : where the list of each block or band begins
    """

    block: uint64
    band: uint64
    dealt_bits: uint64
    order_bits: uint64
    shares: uint64[:]
    empty: int64[:]
    unused: int64[:]
    empty_start: int64[:]
    unused_start: int64[:]


@kernel
def place_groups(
    queens: int32[:],
    bitsets: Bitsets,
    tiling: Tiling,
    scratch: uint64[:],
    seed: uint64,
    attempt: uint64,
    block: int64,
    band: int64,
    first: int64,
    last: int64,
):
    """Place the queens of dealings ``first`` to last - 1 in the tile where a block crosses a band.

    queens, bitsets : as in kernels/windows.py; modified, but only within the tile
    tiling : its ``empty`` and ``unused``, which do not count fixed queens, are updated
    scratch : (SCRATCH,), an array that no other thread uses
    first, last : places in the order of the dealings, from 0 to 2**order_bits

    A column without a free row in 16 strips gets row n. O(columns of the tile + dealings).
    """
    n = np.uint64(len(queens))
    deal = stream_key(seed, attempt, DEALING)
    first_column = np.uint64(block) * tiling.block
    end_column = min(n, first_column + tiling.block)
    first_row = np.uint64(band) * tiling.band
    first_strip = first_row >> _9
    strips = ((min(n, first_row + tiling.band) + _STRIP - ONE) >> _9) - first_strip
    tile = (first_column << _32) + first_row
    listed = ZERO
    placed = 0
    for turn in range(np.uint64(first), np.uint64(last)):
        place = (bits.reversed_bits(turn) >> ONE) >> (SIXTY_THREE - tiling.order_bits)
        column = first_column + (place << (tiling.dealt_bits + _4))
        if column < end_column:
            listed = _deal(scratch, listed, deal, tiling, np.uint64(band), tile, column, turn, first_strip, strips, n)
        # One call, because each would be compiled by itself.
        if listed >= _LISTED or turn + ONE == np.uint64(last):
            placed += _place_in_strips(queens, bitsets, scratch, listed, first_strip, strips, seed, attempt)
            listed = ZERO
    tiling.empty[block] -= placed
    tiling.unused[band] -= placed


@inlined
def _deal(scratch, listed, deal, tiling, band, tile, column, turn, first_strip, strips, n):
    """List the groups, from a column on, that are dealt to a band; return the new length of the list.

    A group is a word: its strip * 2**32 + its first column.
    """
    dealt_bits = tiling.dealt_bits
    random = word(deal, column)
    first = _places(tiling.shares[band], dealt_bits, random)
    end_share = tiling.shares[band + ONE]
    groups = (_places(end_share, dealt_bits, random) if end_share > ZERO else ONE << dealt_bits) - first
    # Each group gets a part of the strips. Rounded up, so that the last part ends with the last strip.
    step = (strips << _32) // max(groups, ONE) + ONE
    begin, section = ZERO, _section(turn)
    for group in range(groups):
        end = (group + ONE) * step >> _32
        # Each part of the strips in a different order.
        shift = (deal + tile + group) * _GOLDEN >> _61
        place = (section ^ shift) << _61 | word(~deal, (column << _32) + first_strip + group) >> _3
        strip = begin + below(place, end - begin)
        begin = end
        first_column = column + (_mixed(first + group, dealt_bits, random) << _4)
        scratch[_LIST + listed] = ((first_strip + strip) << _32) | first_column
        listed += np.uint64(first_column < n)
    return listed


@inlined
def _section(turn):
    """Return the first three bits of the second coordinate of a point of the Sobol' sequence (Sobol' 1967).

    The first coordinate has the bits of ``turn`` in reversed order. Bit j of the turn counts for bit i of the second
    one, from the first one on, if j over i is odd.
    """
    return (_parity(turn) << _2) | (_parity(turn & _ODD) << ONE) | _parity(turn & _SECOND)


@inlined
def _parity(marks):
    return bits.count_ones(marks) & ONE


@inlined
def _places(share, n_bits, random):
    """Return a share (in units of 2**-64) of 2**n_bits places, rounded up or down at random."""
    rest = share << n_bits
    return ((share >> ONE) >> (SIXTY_THREE - n_bits)) + np.uint64(rest + random < rest)


@inlined
def _mixed(place, n_bits, random):
    """Put 2**n_bits numbers into a random order, by a bijection: add, multiply by odd, shift."""
    mask = (ONE << n_bits) - ONE
    half = max(n_bits >> ONE, ONE)
    mixed = (place + random) & mask
    mixed = (mixed * ((random >> _18) | ONE)) & mask
    mixed ^= mixed >> half
    mixed = (mixed * ((random >> _30) | ONE)) & mask
    return mixed ^ (mixed >> half)


@inlined
def _place_in_strips(queens, bitsets, scratch, listed, first_strip, strips, seed, attempt):
    """Place the queens of the listed groups; return the number of queens placed."""
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, PLACEMENT)
    offset = difference_offset(bitsets)
    placed = 0
    for visit in range(_STRIPS):
        for i in range(_AHEAD):
            scratch[_LIST + listed + i] = scratch[_LIST]
        kept = ZERO
        for i in range(listed):
            ahead = scratch[_LIST + i + _AHEAD]
            _prefetch(queens, bitsets, offset, ahead & _LOW_32, (ahead >> _32) << _9)
            column, strip = scratch[_LIST + i] & _LOW_32, scratch[_LIST + i] >> _32
            random = word(key, (visit << _32) + column)
            before = _read_group(queens, bitsets.fixed, scratch, column, visit)
            empty = _place_in_strip(bitsets, scratch, offset, column, strip, before, random, n)
            _write_group(queens, scratch, column)
            placed += np.int64(bits.count_ones(before ^ empty))
            if empty != ZERO:
                strip = first_strip + below(random * _FACTOR, strips)
                scratch[_LIST + kept] = (strip << _32) | column
                kept += ONE
        listed = kept
    return placed


@inlined
def _prefetch(queens, bitsets, offset, column, row):
    """Prefetch the words that 16 columns need to place queens in 512 rows."""
    bits.prefetch(queens, column)
    bits.prefetch(queens, column + _15)
    bits.prefetch(bitsets.rows, row >> SIX)
    for more in range(ZERO, _8 + ONE, _8):
        bits.prefetch(bitsets.sums, ((row + column) >> SIX) + more)
        bits.prefetch(bitsets.differences, ((row + offset - column - _16) >> SIX) + more)


@inlined
def _read_group(queens, fixed, lanes, column, visit):
    """Return the empty columns of a group as bits, and copy the rows of the others to lanes 32 to 47."""
    n = np.uint64(len(queens))
    if visit == ZERO:
        bits.fill_lanes(lanes, _32, n)
        bits.fill_lanes(lanes, _40, n)
        return _columns_of_group(n, fixed, column)
    if column + _16 <= n:
        bits.read_rows(lanes, _32, queens, column)
    else:
        for place in range(n - column):
            lanes[_32 + place] = queens[column + place]
    return _empty_of_group(queens, fixed, column)


@inlined
def _columns_of_group(n, fixed, column):
    """Return the columns of a group that are on the board and have no fixed queen, as bits."""
    columns = _ALL if column + _16 <= n else (ONE << (n - column)) - ONE
    if len(fixed) > 0:
        columns &= ~(fixed[column >> SIX] >> (column & SIXTY_THREE))
    return columns


@inlined
def _empty_of_group(queens, fixed, column):
    """Return the columns of a group that have row n and no fixed queen, as bits."""
    n = np.uint64(len(queens))
    if column + _16 <= n:
        empty = bits.columns_on(queens, column, n)
    else:
        empty = ZERO
        for place in range(n - column):
            empty |= np.uint64(np.uint64(queens[column + place]) == n) << place
    return empty & _columns_of_group(n, fixed, column)


@inlined
def _write_group(queens, lanes, column):
    """Copy lanes 32 to 47 to the columns of a group."""
    n = np.uint64(len(queens))
    if column + _16 <= n:
        bits.write_rows(lanes, _32, queens, column)
    else:
        for place in range(n - column):
            queens[column + place] = lanes[_32 + place]


@inlined
def _place_in_strip(bitsets, lanes, offset, column, strip, empty, random, n):
    """Place queens of the empty columns of a group in a strip; return the columns that are still empty."""
    # Lanes hold the first or the last 48 rows of a window: with 16 columns they have 63 diagonals.
    low = (random >> _59) & _16
    window = strip << _3
    row = (window << SIX) + low
    bits.copy_words(lanes, ZERO, bitsets.rows, window, low)
    if len(bitsets.blocked) > 0:
        blocked = ZERO
        for place in range(min(_16, n - column)):
            blocked |= rows_that_may_be_blocked(bitsets.blocked, column + place)
        for lane in range(_8):
            lanes[lane] |= blocked >> low
    sums, differences = column + row, row + offset - column - _16
    bits.copy_bits(lanes, _8, bitsets.sums, sums >> SIX, sums & SIXTY_THREE)
    bits.copy_bits(lanes, _16, bitsets.differences, differences >> SIX, differences & SIXTY_THREE)
    bits.fill_lanes(lanes, _24, ZERO)
    if bits.count_ones(empty) > _FEW:
        empty = bits.place_columns(lanes, empty, ZERO, ZERO, random, row)
        random = random * _FACTOR + ONE
        empty = bits.place_columns(lanes, empty, _8, _24, random >> _18, row)
    empty = bits.place_each(lanes, empty, random * _FACTOR + ONE, row)
    bits.mark_words(lanes, _24, bitsets.rows, window, low)
    bits.mark_bits(lanes, _8, bitsets.sums, sums >> SIX, sums & SIXTY_THREE)
    bits.mark_bits(lanes, _16, bitsets.differences, differences >> SIX, differences & SIXTY_THREE)
    return empty


@kernel
def list_empty(queens: int32[:], fixed: uint64[:], columns: uint32[:], first: int64, last: int64):
    """List the columns from first to last - 1 that have row n and no fixed queen; O(last - first).

    columns : an array with room for them; written from index 0 on
    first : a multiple of 16
    last : a multiple of 16, or n
    """
    found = 0
    for column in range(np.uint64(first), np.uint64(last), _16):
        empty = _empty_of_group(queens, fixed, column)
        while empty != ZERO:
            columns[found] = column + bits.trailing_zeros(empty)
            found += 1
            empty &= empty - ONE


@kernel
def place_listed(
    queens: int32[:],
    bitsets: Bitsets,
    tiling: Tiling,
    columns: uint32[:],
    dealt: uint32[:],
    unused: uint32[:],
    shares: uint64[:],
    seed: uint64,
    attempt: uint64,
    turn: int64,
    block: int64,
    band: int64,
    tries: int64,
):
    """Place the queens of a share of a block's empty columns on unused rows of a band.

    queens, bitsets, tiling : modified within the tile
    columns, unused : arrays with one list for each block or band, located by ``tiling``; modified: columns that
        get a row become n, and the unused rows move to the front of their list
    dealt : an array as long as ``columns``; written to where the list of the block is
    shares : as in ``tiling``, but for the rows that are unused now, and 2**64 - 1 for all of them
    turn : number of this dealing of the empty columns
    tries : how often to try sixteen rows for a column

    O(tries) for each column.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, UNUSED_ROWS)
    offset = difference_offset(bitsets)
    first_unused = np.uint64(tiling.unused_start[band])
    unused_before = remaining = np.uint64(tiling.unused[band])
    first_dealt = np.uint64(tiling.empty_start[block])
    count = _deal_columns(dealt, tiling, shares, np.uint64(turn), block, band)
    for visit in range(np.uint64(tries)):
        if count == ZERO or remaining == ZERO:
            break
        of_visit = key + (((np.uint64(turn) << _8) + visit) << _32)
        end = first_dealt + count
        count = ZERO
        for place in range(first_dealt, end):
            _prefetch_listed(
                queens, bitsets, offset, columns, dealt, unused, of_visit, place, end - ONE, first_unused, remaining
            )
            index = dealt[place]
            column = np.uint64(columns[index])
            first = below(word(of_visit, column), max(remaining, ONE))
            found = _open_row(bitsets, offset, column, unused, first_unused, first, remaining)
            if found < remaining:
                at = first_unused + found
                row = np.uint64(unused[at])
                mark_lines(bitsets, column, row)
                queens[column] = row
                columns[index] = n
                remaining -= ONE
                unused[at] = unused[first_unused + remaining]
            else:
                dealt[first_dealt + count] = index
                count += ONE
    placed = np.int64(unused_before - remaining)
    tiling.empty[block] -= placed
    tiling.unused[band] -= placed


@inlined
def _deal_columns(dealt, tiling, shares, turn, block, band):
    """List the places of the columns that are dealt to a band in this turn, and return their number."""
    begin, end = np.uint64(tiling.empty_start[block]), np.uint64(tiling.empty_start[block + 1])
    share = shares[band + 1] - shares[band]
    count = ZERO
    # Sixteen at a time: many neighbours in the list are of one group, and their squares share cache lines.
    for first in range(begin, end, _16):
        if (first - begin + turn) * _GOLDEN - shares[band] < share:
            for index in range(first, min(first + _16, end)):
                dealt[begin + count] = index
                count += ONE
    return count


@inlined
def _prefetch_listed(queens, bitsets, offset, columns, dealt, unused, key, place, last, first_unused, remaining):
    """Prefetch the words that the next columns need."""
    column = np.uint64(columns[dealt[min(place + _COLUMNS_AHEAD + _COLUMNS_AHEAD, last)]])
    ahead = first_unused + below(word(key, column), remaining)
    bits.prefetch(unused, ahead)
    bits.prefetch(unused, ahead + _8)
    column = np.uint64(columns[dealt[min(place + _COLUMNS_AHEAD, last)]])
    row = np.uint64(unused[first_unused + below(word(key, column), remaining)])
    _prefetch(queens, bitsets, offset, column, row)
    bits.prefetch(bitsets.rows, (row >> SIX) + _8)


@inlined
def _open_row(bitsets, offset, column, unused, start, first, count):
    """Try sixteen of ``count`` unused rows, which are listed from ``start`` on, from place ``first`` on.

    Returns the place of an open one, or 2**64 - 1 if none of the rows is open.
    """
    for begin in range(first, min(first + _16, count), _8):
        found = ZERO
        # Without a branch for each row, which the processor would often predict wrongly.
        for place in range(_8):
            row = np.uint64(unused[start + min(begin + place, count - ONE)])
            found |= (~diagonal_marks(bitsets, offset, column, row) & ONE) << place
        while found != ZERO:
            at = min(begin + bits.trailing_zeros(found), count - ONE)
            if not is_blocked(bitsets.blocked, column, np.uint64(unused[start + at])):
                return at
            found &= found - ONE
    return ~ZERO
