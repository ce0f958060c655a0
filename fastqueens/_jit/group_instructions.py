"""Vector instructions on eight lanes of 64 bits, the windows of a strip: what :mod:`.bits` offers to kernels."""

from llvmlite import ir
from numba import types

from fastqueens._jit.instructions import I1, I32, I64, instruction, vector_function

_LANES = 8
_LANE_WORDS = ir.VectorType(I64, _LANES)


def _same(number):
    """Return eight equal words."""
    return ir.Constant(_LANE_WORDS, [number] * _LANES)


def _spread(builder, word, count=_LANES):
    """Return a vector of equal words."""
    undefined = ir.Constant(ir.VectorType(word.type, count), ir.Undefined)
    first = builder.insert_element(undefined, word, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(I32, count), [0] * count))


@instruction(types.void)
def copy_bits(builder, lanes, to, words, at, by):
    """Copy 512 bits, from bit ``by`` (0 to 63) of words[at] on, to lanes[to] to lanes[to + 7]; reads nine words."""
    low = words.load(at, _LANE_WORDS)
    high = words.load(builder.add(at, ir.Constant(I64, 1)), _LANE_WORDS)
    back = _spread(builder, builder.sub(ir.Constant(I64, 63), by))
    high = builder.shl(builder.shl(high, _same(1)), back)
    lanes.store(builder.or_(builder.lshr(low, _spread(builder, by)), high), to)


@instruction(types.void)
def mark_bits(builder, lanes, source, words, at, by):
    """Set, from bit ``by`` of words[at] on, the bits that are set in the eight lanes from lanes[source] on.

    Writes nine words, or only eight if ``by`` is 0.
    """
    marks = lanes.load(source, _LANE_WORDS)
    back = _spread(builder, builder.sub(ir.Constant(I64, 63), by))
    carried = builder.lshr(builder.lshr(marks, _same(1)), back)
    first = builder.shuffle_vector(
        _same(0), carried, ir.Constant(ir.VectorType(I32, _LANES), list(range(_LANES - 1, 2 * _LANES - 1)))
    )
    marks = builder.or_(builder.shl(marks, _spread(builder, by)), first)
    words.store(builder.or_(marks, words.load(at, _LANE_WORDS)), at)
    # The ninth word gets the last bits. Without any, the eighth is written again: another thread can own the ninth.
    is_shifted = builder.icmp_unsigned("!=", by, ir.Constant(I64, 0))
    last = builder.add(at, builder.select(is_shifted, ir.Constant(I64, 8), ir.Constant(I64, 7)))
    place = words.address(last, I64)
    end = builder.extract_element(carried, ir.Constant(I32, _LANES - 1))
    builder.store(builder.or_(builder.load(place), end), place)


@instruction(types.void)
def copy_words(builder, lanes, to, words, at, by):
    """Copy the eight words from words[at] on, each without its ``by`` lowest bits, to lanes[to] to lanes[to + 7]."""
    lanes.store(builder.lshr(words.load(at, _LANE_WORDS), _spread(builder, by)), to)


@instruction(types.void)
def mark_words(builder, lanes, source, words, at, by):
    """Set, from bit ``by`` of each of eight words on, the bits of the lanes from lanes[source] on."""
    marks = builder.shl(lanes.load(source, _LANE_WORDS), _spread(builder, by))
    words.store(builder.or_(marks, words.load(at, _LANE_WORDS)), at)


@instruction(types.void)
def fill_lanes(builder, lanes, at, word):
    """Set eight lanes, from lanes[at] on, to a word."""
    lanes.store(_spread(builder, word), at)


def _chosen_rows(builder, free, random, rows):
    """Return the first free row of each lane from a random one of 24 or 48 on, as a bit, and its number."""
    drawn = builder.lshr(_spread(builder, random), ir.Constant(_LANE_WORDS, [5 * lane for lane in range(_LANES)]))
    drawn = builder.and_(drawn, _same(31))
    more = builder.lshr(drawn, _same(1))
    # 3/2 or 3/4 of a number below 32.
    drawn = builder.add(drawn, more) if rows == 48 else builder.sub(drawn, builder.lshr(drawn, _same(2)))
    above = builder.and_(free, builder.shl(_same(-1), drawn))
    chosen = builder.select(builder.icmp_unsigned("!=", above, _same(0)), above, free)
    chosen = builder.and_(chosen, builder.sub(_same(0), chosen))
    number = vector_function(builder, "ctpop", _LANE_WORDS, builder.sub(chosen, _same(1)))
    return chosen, builder.and_(number, _same(63))


@instruction(types.uint64)
def place_columns(builder, lanes, empty, first, low, random, row):
    """Place queens in the empty ones of eight columns from ``first`` on; return the columns that are still empty.

    Each column has a window, a lane, of its own, and 24 of its rows, from ``low`` on. Rows of different lanes are more
    than 16 apart, so their squares share no diagonal. ``row`` is the row of the first bit. Lanes 0 to 7 hold the rows
    that are taken, 8 to 15 sum diagonals from the first square on, 16 to 23 difference diagonals, in bit 16 + row -
    column, 24 to 31 the queens placed, and 32 to 47 the row of each column.
    """
    places = [ir.Constant(I64, 8 * place) for place in range(4)]
    taken, sums, differences, placed = (lanes.load(place, _LANE_WORDS) for place in places)
    lane = ir.Constant(_LANE_WORDS, list(range(_LANES)))
    column = builder.add(lane, _spread(builder, first))
    back = builder.sub(_same(16), column)
    low = _spread(builder, low)
    is_empty = builder.and_(builder.lshr(_spread(builder, empty), column), _same(1))
    free = builder.or_(taken, builder.or_(builder.lshr(sums, column), builder.lshr(differences, back)))
    free = builder.and_(builder.lshr(builder.not_(free), low), _same((1 << 24) - 1))
    free = builder.and_(free, builder.sub(_same(0), is_empty))
    chosen, number = _chosen_rows(builder, free, random, 24)
    rows = builder.add(builder.add(number, low), builder.add(builder.shl(lane, _same(6)), _spread(builder, row)))
    is_placed = builder.icmp_unsigned("!=", chosen, _same(0))
    chosen = builder.shl(chosen, low)
    changed = (
        builder.or_(taken, chosen),
        builder.or_(sums, builder.shl(chosen, column)),
        builder.or_(differences, builder.shl(chosen, back)),
        builder.or_(placed, chosen),
    )
    for place, words in zip(places, changed, strict=True):
        lanes.store(words, place)
    place = builder.add(first, ir.Constant(I64, 32))
    lanes.store(builder.select(is_placed, rows, lanes.load(place, _LANE_WORDS)), place)
    marks = builder.zext(builder.bitcast(is_placed, ir.IntType(_LANES)), I64)
    return builder.and_(empty, builder.not_(builder.shl(marks, first)))


def _free_rows(builder, taken, sums, differences, column):
    """Return the rows of eight windows on which a column has an open square, and how far its diagonals are shifted."""
    along, back = _spread(builder, column), _spread(builder, builder.sub(ir.Constant(I64, 16), column))
    marks = builder.or_(taken, builder.or_(builder.lshr(sums, along), builder.lshr(differences, back)))
    return builder.and_(builder.not_(marks), _same((1 << 48) - 1)), along, back


def _for_each_bit(builder, bits, before, step):
    """Build a loop over the set bits of a word: ``step(number, bit, values)`` returns the next values."""
    zero = ir.Constant(I64, 0)
    begin, loop, end = builder.block, builder.append_basic_block("loop"), builder.append_basic_block("end")
    builder.cbranch(builder.icmp_unsigned("!=", bits, zero), loop, end)
    builder.position_at_end(loop)
    left, *values = phis = [builder.phi(value.type) for value in (bits, *before)]
    bit = builder.and_(left, builder.sub(zero, left))
    after = [builder.xor(left, bit), *step(builder.cttz(left, ir.Constant(I1, 1)), bit, values)]
    for phi, first, following in zip(phis, (bits, *before), after, strict=True):
        phi.add_incoming(first, begin)
        phi.add_incoming(following, loop)
    builder.cbranch(builder.icmp_unsigned("!=", after[0], zero), loop, end)
    builder.position_at_end(end)
    ends = [builder.phi(value.type) for value in before]
    for phi, first, last in zip(ends, before, after[1:], strict=True):
        phi.add_incoming(first, begin)
        phi.add_incoming(last, loop)
    return ends


@instruction(types.uint64)
def place_each(builder, lanes, empty, random, row):
    """Place a queen in each of 16 columns, one after the other, on an open square of any of the eight windows.

    Returns the columns that are still empty. The first loop leaves out columns without an open square: none of its
    steps waits for the one before it.
    """
    places = [ir.Constant(I64, 8 * place) for place in range(6)]
    zero = ir.Constant(I64, 0)
    lane_numbers = ir.Constant(_LANE_WORDS, list(range(_LANES)))
    first_rows = builder.add(ir.Constant(_LANE_WORDS, [64 * lane for lane in range(_LANES)]), _spread(builder, row))

    def look(column, bit, values):
        free, _, _ = _free_rows(builder, *before[:3], column)
        windows = builder.bitcast(builder.icmp_unsigned("!=", free, _same(0)), ir.IntType(_LANES))
        is_open = builder.icmp_unsigned("!=", windows, ir.Constant(ir.IntType(_LANES), 0))
        return [builder.or_(values[0], builder.select(is_open, bit, zero))]

    def place(column, bit, values):
        empty, word, taken, sums, differences, placed, *halves = values
        free, along, back = _free_rows(builder, taken, sums, differences, column)
        chosen, number = _chosen_rows(builder, free, builder.lshr(word, ir.Constant(I64, 21)), 48)
        # A random one of the windows with a free row.
        windows = builder.bitcast(builder.icmp_unsigned("!=", free, _same(0)), ir.IntType(_LANES))
        windows = builder.zext(windows, I64)
        is_placed = builder.icmp_unsigned("!=", windows, zero)
        drawn = builder.lshr(word, ir.Constant(I64, 61))
        windows = builder.lshr(builder.or_(windows, builder.shl(windows, ir.Constant(I64, _LANES))), drawn)
        lane = builder.add(builder.cttz(windows, ir.Constant(I1, 0)), drawn)
        lane = builder.and_(lane, ir.Constant(I64, _LANES - 1))
        chosen = builder.select(builder.icmp_unsigned("==", lane_numbers, _spread(builder, lane)), chosen, _same(0))
        # A vector of rows: single words written now could not be loaded as vectors for some time.
        chosen_row = _spread(builder, builder.extract_element(builder.add(number, first_rows), lane))
        column = _spread(builder, builder.select(is_placed, column, ir.Constant(I64, 16)))
        for half, rows in enumerate(halves):
            is_column = builder.icmp_unsigned("==", builder.add(lane_numbers, _same(8 * half)), column)
            halves[half] = builder.select(is_column, chosen_row, rows)
        return [
            builder.xor(empty, builder.select(is_placed, bit, zero)),
            builder.add(builder.mul(word, ir.Constant(I64, 6364136223846793005)), ir.Constant(I64, 1)),
            builder.or_(taken, chosen),
            builder.or_(sums, builder.shl(chosen, along)),
            builder.or_(differences, builder.shl(chosen, back)),
            builder.or_(placed, chosen),
            *halves,
        ]

    before = [lanes.load(place, _LANE_WORDS) for place in places]
    (open_,) = _for_each_bit(builder, empty, [zero], look)
    empty, _, *after = _for_each_bit(builder, open_, [empty, random, *before], place)
    for at, words in zip(places, after, strict=True):
        lanes.store(words, at)
    return empty


_LANE_ROWS = ir.VectorType(I32, _LANES)


@instruction(types.void)
def write_rows(builder, lanes, source, queens, column):
    """Write the sixteen words from lanes[source] on to queens[column] to queens[column + 15], without upper halves."""
    for half in (ir.Constant(I64, 0), ir.Constant(I64, _LANES)):
        words = lanes.load(builder.add(source, half), _LANE_WORDS)
        queens.store(builder.trunc(words, _LANE_ROWS), builder.add(column, half))


@instruction(types.void)
def read_rows(builder, lanes, to, queens, column):
    """Copy queens[column] to queens[column + 15] to the sixteen words from lanes[to] on."""
    for half in (ir.Constant(I64, 0), ir.Constant(I64, _LANES)):
        rows = queens.load(builder.add(column, half), _LANE_ROWS)
        lanes.store(builder.zext(rows, _LANE_WORDS), builder.add(to, half))


@instruction(types.uint64)
def columns_on(builder, queens, column, row):
    """Return which of sixteen columns from ``column`` on have a queen on a row, as bits."""
    rows = queens.load(column, ir.VectorType(I32, 16))
    is_on = builder.icmp_unsigned("==", rows, _spread(builder, builder.trunc(row, I32), 16))
    return builder.zext(builder.bitcast(is_on, ir.IntType(16)), I64)
