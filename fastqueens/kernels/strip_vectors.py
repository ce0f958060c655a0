"""Vector instructions on eight lanes of 64 bits, the windows of a strip, for kernels/tiles.py, as LLVM code."""

from fastqueens._jit.instructions import (
    I1,
    I32,
    I64,
    as_bits,
    constant,
    instruction,
    ir,
    is_not_zero,
    types,
    vector_function,
)

_LANES = 8
_LANE_WORDS = ir.VectorType(I64, _LANES)


def _same(number):
    """Return eight equal words."""
    return ir.Constant(_LANE_WORDS, [number] * _LANES)


def _each(step):
    """Return the number of each lane, times a step."""
    return ir.Constant(_LANE_WORDS, [step * lane for lane in range(_LANES)])


def _spread(builder, word, count=_LANES):
    """Return a vector of equal words."""
    undefined = ir.Constant(ir.VectorType(word.type, count), ir.Undefined)
    first = builder.insert_element(undefined, word, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(I32, count), [0] * count))


@instruction(types.void)
def copy_bits(builder, lanes, to, words, at, by):
    """Copy 512 bits, from bit ``by`` (0 to 63) of words[at] on, to lanes[to] to lanes[to + 7]; reads nine words."""
    low = words.load(at, _LANES)
    high = words.load(builder.add(at, constant(1)), _LANES)
    back = _spread(builder, builder.sub(constant(63), by))
    high = builder.shl(builder.shl(high, _same(1)), back)
    lanes.store(builder.or_(builder.lshr(low, _spread(builder, by)), high), to)


@instruction(types.void)
def mark_bits(builder, lanes, source, words, at, by):
    """Set, from bit ``by`` of words[at] on, the bits that are set in the eight lanes from lanes[source] on.

    Writes nine words, or only eight if ``by`` is 0.
    """
    marks = lanes.load(source, _LANES)
    back = _spread(builder, builder.sub(constant(63), by))
    carried = builder.lshr(builder.lshr(marks, _same(1)), back)
    first = builder.shuffle_vector(
        _same(0), carried, ir.Constant(ir.VectorType(I32, _LANES), list(range(_LANES - 1, 2 * _LANES - 1)))
    )
    marks = builder.or_(builder.shl(marks, _spread(builder, by)), first)
    words.store(builder.or_(marks, words.load(at, _LANES)), at)
    # The ninth word gets the last bits. Without any, the eighth is written again: another thread can own the ninth.
    is_shifted = is_not_zero(builder, by)
    last = builder.add(at, builder.select(is_shifted, constant(8), constant(7)))
    place = words.address(last, I64)
    end = builder.extract_element(carried, ir.Constant(I32, _LANES - 1))
    builder.store(builder.or_(builder.load(place, typ=I64), end), place)


@instruction(types.void)
def copy_words(builder, lanes, to, words, at, by):
    """Copy the eight words from words[at] on, each without its ``by`` lowest bits, to lanes[to] to lanes[to + 7]."""
    lanes.store(builder.lshr(words.load(at, _LANES), _spread(builder, by)), to)


@instruction(types.void)
def mark_words(builder, lanes, source, words, at, by):
    """Set, from bit ``by`` of each of eight words on, the bits of the lanes from lanes[source] on."""
    marks = builder.shl(lanes.load(source, _LANES), _spread(builder, by))
    words.store(builder.or_(marks, words.load(at, _LANES)), at)


@instruction(types.void)
def fill_lanes(builder, lanes, at, word):
    """Set eight lanes, from lanes[at] on, to a word."""
    lanes.store(_spread(builder, word), at)


def _open_rows(builder, lines, columns, back):
    """Return the open rows of eight windows, each for a column of its own.

    The column is the number of bits by which sum diagonals are shifted, and ``back`` the number for difference
    diagonals.
    """
    taken, sums, differences, _ = lines
    return builder.not_(builder.or_(taken, builder.or_(builder.lshr(sums, columns), builder.lshr(differences, back))))


def _marked(builder, lines, columns, back, chosen):
    """Return the lines with queens on the chosen squares of the columns."""
    marks = chosen, builder.shl(chosen, columns), builder.shl(chosen, back), chosen
    return [builder.or_(line, mark) for line, mark in zip(lines, marks, strict=True)]


def _chosen_rows(builder, free, random, rows):
    """Return the first free row of each lane from a random one of 24 or 48 rows on, as a bit and as a number."""
    drawn = builder.lshr(_spread(builder, random), _each(5))
    drawn = builder.and_(drawn, _same(31))
    more = builder.lshr(drawn, _same(1))
    # 3/2 or 3/4 of a number below 32.
    drawn = builder.add(drawn, more) if rows == 48 else builder.sub(drawn, builder.lshr(drawn, _same(2)))
    above = builder.and_(free, builder.shl(_same(-1), drawn))
    chosen = builder.select(is_not_zero(builder, above), above, free)
    chosen = builder.and_(chosen, builder.neg(chosen))
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
    places = [constant(8 * place) for place in range(4)]
    lines = [lanes.load(place, _LANES) for place in places]
    columns = builder.add(_each(1), _spread(builder, first))
    back = builder.sub(_same(16), columns)
    low = _spread(builder, low)
    is_empty = builder.and_(builder.lshr(_spread(builder, empty), columns), _same(1))
    free = builder.and_(builder.lshr(_open_rows(builder, lines, columns, back), low), _same((1 << 24) - 1))
    free = builder.and_(free, builder.neg(is_empty))
    chosen, number = _chosen_rows(builder, free, random, 24)
    rows = builder.add(builder.add(number, low), builder.add(_each(64), _spread(builder, row)))
    is_placed = is_not_zero(builder, chosen)
    changed = _marked(builder, lines, columns, back, builder.shl(chosen, low))
    for place, line in zip(places, changed, strict=True):
        lanes.store(line, place)
    place = builder.add(first, constant(32))
    lanes.store(builder.select(is_placed, rows, lanes.load(place, _LANES)), place)
    marks = builder.zext(as_bits(builder, is_placed), I64)
    return builder.and_(empty, builder.not_(builder.shl(marks, first)))


def _for_each_bit(builder, bits, before, step):
    """Build a loop over the bits of a word: ``step(number, bit, values)`` returns the next values. Return the last."""
    begin, (head, body, end) = builder.block, map(builder.append_basic_block, ("head", "body", "end"))
    builder.branch(head)
    builder.position_at_end(head)
    left, *values = phis = [builder.phi(value.type) for value in (bits, *before)]
    builder.cbranch(is_not_zero(builder, left), body, end)
    builder.position_at_end(body)
    bit = builder.and_(left, builder.neg(left))
    after = builder.xor(left, bit), *step(builder.cttz(left, ir.Constant(I1, 1)), bit, values)
    builder.branch(head)
    for phi, first, following in zip(phis, (bits, *before), after, strict=True):
        phi.add_incoming(first, begin)
        phi.add_incoming(following, body)
    builder.position_at_end(end)
    return values


@instruction(types.uint64)
def place_each(builder, lanes, empty, random, row):
    """Place a queen in each of 16 columns, one after the other, on an open square of any of the eight windows.

    Returns the columns that are still empty. The first loop leaves out columns without an open square; its steps do not
    depend on each other.
    """
    places = [constant(8 * place) for place in range(6)]
    zero = constant(0)
    first_rows = builder.add(_each(64), _spread(builder, row))

    def look_at(lines, column):
        shifts = _spread(builder, column), _spread(builder, builder.sub(constant(16), column))
        free = builder.and_(_open_rows(builder, lines, *shifts), _same((1 << 48) - 1))
        return shifts, free, as_bits(builder, is_not_zero(builder, free))

    def look(column, bit, values):
        _, _, windows = look_at(before[:4], column)
        return [builder.or_(values[0], builder.select(is_not_zero(builder, windows), bit, zero))]

    def place(column, bit, values):
        (empty, word), lines, halves = values[:2], values[2:6], values[6:]
        shifts, free, windows = look_at(lines, column)
        chosen, number = _chosen_rows(builder, free, builder.lshr(word, constant(21)), 48)
        # A random one of the windows with a free row.
        windows = builder.zext(windows, I64)
        is_placed = is_not_zero(builder, windows)
        drawn = builder.lshr(word, constant(61))
        windows = builder.lshr(builder.or_(windows, builder.shl(windows, constant(_LANES))), drawn)
        lane = builder.add(builder.cttz(windows, ir.Constant(I1, 0)), drawn)
        lane = builder.and_(lane, constant(_LANES - 1))
        chosen = builder.select(builder.icmp_unsigned("==", _each(1), _spread(builder, lane)), chosen, _same(0))
        # A vector of rows: single words written now could not be loaded as vectors for some time.
        chosen_row = _spread(builder, builder.extract_element(builder.add(number, first_rows), lane))
        column = _spread(builder, builder.select(is_placed, column, constant(16)))
        for half, rows in enumerate(halves):
            is_column = builder.icmp_unsigned("==", builder.add(_each(1), _same(8 * half)), column)
            halves[half] = builder.select(is_column, chosen_row, rows)
        return [
            builder.xor(empty, builder.select(is_placed, bit, zero)),
            builder.add(builder.mul(word, constant(6364136223846793005)), constant(1)),
            *_marked(builder, lines, *shifts, chosen),
            *halves,
        ]

    before = [lanes.load(place, _LANES) for place in places]
    (open_,) = _for_each_bit(builder, empty, [zero], look)
    empty, _, *after = _for_each_bit(builder, open_, [empty, random, *before], place)
    for at, words in zip(places, after, strict=True):
        lanes.store(words, at)
    return empty


@instruction(types.void)
def write_rows(builder, lanes, source, queens, column):
    """Write the sixteen words from lanes[source] on to queens[column] to queens[column + 15], without upper halves."""
    for half in (constant(0), constant(_LANES)):
        words = lanes.load(builder.add(source, half), _LANES)
        queens.store(builder.trunc(words, ir.VectorType(I32, _LANES)), builder.add(column, half))


@instruction(types.void)
def read_rows(builder, lanes, to, queens, column):
    """Copy queens[column] to queens[column + 15] to the sixteen words from lanes[to] on."""
    for half in (constant(0), constant(_LANES)):
        rows = queens.load(builder.add(column, half), _LANES)
        lanes.store(builder.zext(rows, _LANE_WORDS), builder.add(to, half))


@instruction(types.uint64)
def columns_on(builder, queens, column, row):
    """Return as bits which of sixteen columns from ``column`` on have a queen on a row."""
    rows = queens.load(column, 16)
    is_on = builder.icmp_unsigned("==", rows, _spread(builder, builder.trunc(row, I32), 16))
    return builder.zext(as_bits(builder, is_on), I64)
