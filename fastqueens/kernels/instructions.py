"""Processor instructions that NumPy has no function for: what :mod:`.bits` offers to kernels, as LLVM code."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WORD = ir.IntType(64)
_DOUBLE_WORD = ir.IntType(128)
_FLAG = ir.IntType(1)
_INT = ir.IntType(32)


@intrinsic
def trailing_zeros(typing_context, word):
    """Return the number of zeros below the lowest set bit; 64 if no bit is set."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(_FLAG, 0))

    return types.uint64(types.uint64), generate


@intrinsic
def count_ones(typing_context, word):
    """Return the number of set bits."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def reversed_bits(typing_context, word):
    """Return the bits of a word in reverse order."""

    def generate(context, builder, signature, arguments):
        return builder.bitreverse(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def funnel_shift(typing_context, high, low, by):
    """Return the lower 64 of the 128 bits high:low, shifted right by ``by`` (0 to 63)."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(_WORD, [_WORD, _WORD, _WORD])
        return builder.call(builder.module.declare_intrinsic("llvm.fshr", [_WORD], kind), arguments)

    return types.uint64(types.uint64, types.uint64, types.uint64), generate


def _double_product(builder, arguments):
    return builder.mul(builder.zext(arguments[0], _DOUBLE_WORD), builder.zext(arguments[1], _DOUBLE_WORD))


def _high_half(builder, double_word):
    return builder.trunc(builder.lshr(double_word, ir.Constant(_DOUBLE_WORD, 64)), _WORD)


@intrinsic
def high_product(typing_context, first, second):
    """Return the upper 64 bits of the 128-bit product."""

    def generate(context, builder, signature, arguments):
        return _high_half(builder, _double_product(builder, arguments))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def folded_product(typing_context, first, second):
    """Return the upper 64 bits of the 128-bit product, XOR the lower 64."""

    def generate(context, builder, signature, arguments):
        product = _double_product(builder, arguments)
        return builder.xor(_high_half(builder, product), builder.trunc(product, _WORD))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def prefetch(typing_context, array, index):
    """Start to load the cache line of array[index]; harmless for any index."""

    def generate(context, builder, signature, arguments):
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, _INT, _INT, _INT])
        touch = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        for_writing, keep, data_cache = ir.Constant(_INT, 1), ir.Constant(_INT, 3), ir.Constant(_INT, 1)
        builder.call(touch, [pointer, for_writing, keep, data_cache])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


def _address(context, builder, kind, array, index, element):
    """Return the address of array[index], as one of elements of another type."""
    data = cgutils.create_struct_proxy(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), element.as_pointer())


def _vector_function(builder, name, result, vector):
    """Call one of LLVM's functions of a vector."""
    kind = vector.type
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(result, [kind]), f"llvm.{name}.v{kind.count}i{kind.element.width}"
    )
    return builder.call(function, [vector])


class _Lines:
    """The vector type of the domains of all lines: a row of an array of words, as many as two words have bits."""

    def __init__(self, kind):
        self.width = kind.dtype.bitwidth
        self.lanes = 2 * self.width
        self.word = ir.IntType(self.width)
        self.vector = ir.VectorType(self.word, self.lanes)
        self.mask = ir.IntType(self.lanes)

    def each(self, value):
        """Return a vector of equal words."""
        return ir.Constant(self.vector, [value] * self.lanes)

    def address(self, context, builder, kind, array, index):
        """Return the address of row ``index`` of an array."""
        return _address(context, builder, kind, array, builder.mul(index, ir.Constant(_WORD, self.lanes)), self.vector)

    def load(self, context, builder, kind, array, index):
        return builder.load(self.address(context, builder, kind, array, index), align=self.width // 8)

    def is_equal(self, builder, vector, value):
        """Return a bit for each lane: whether it holds this word."""
        return builder.bitcast(builder.icmp_unsigned("==", vector, self.each(value)), self.mask)

    def without_lowest_bits(self, builder, vector):
        return builder.and_(vector, builder.sub(vector, self.each(1)))


@intrinsic
def narrow_lines(typing_context, domains, to, source, keep, square):
    """Set row ``to`` of ``domains`` to the bits that row ``source`` and row ``square`` of ``keep`` share."""

    def generate(context, builder, signature, arguments):
        kind, _, _, keep_kind, _ = signature.args
        array, target, origin, keep_array, at = arguments
        lines = _Lines(kind)
        here = lines.load(context, builder, kind, array, origin)
        kept = lines.load(context, builder, keep_kind, keep_array, at)
        place = lines.address(context, builder, kind, array, target)
        builder.store(builder.and_(here, kept), place, align=lines.width // 8)
        return context.get_dummy_value()

    return types.void(domains, types.int64, types.int64, keep, types.int64), generate


@intrinsic
def examine_lines(typing_context, domains, level):
    """Return whether a line has no square, and the columns and the rows that have at most one, as bits."""
    result = types.UniTuple(types.uint64, 3)

    def generate(context, builder, signature, arguments):
        lines = _Lines(signature.args[0])
        here = lines.load(context, builder, signature.args[0], *arguments)
        closed = builder.icmp_unsigned("!=", lines.is_equal(builder, here, 0), ir.Constant(lines.mask, 0))
        few = lines.is_equal(builder, lines.without_lowest_bits(builder, here), 0)
        half = ir.IntType(lines.width)
        columns = builder.trunc(few, half)
        rows = builder.trunc(builder.lshr(few, ir.Constant(lines.mask, lines.width)), half)
        words = [part if part.type == _WORD else builder.zext(part, _WORD) for part in (closed, columns, rows)]
        return context.make_tuple(builder, result, words)

    return result(domains, types.int64), generate


@intrinsic
def least_line(typing_context, domains, level, keys):
    """Return the least of the keys of the lines with at least two squares, and 2**64 - 1 if there are none.

    The key of a line is its word in ``keys``, plus its number of squares times 64 times the number of bits of a word.
    """

    def generate(context, builder, signature, arguments):
        kind, _, keys_kind = signature.args
        array, level, keys = arguments
        lines = _Lines(kind)
        here = lines.load(context, builder, kind, array, level)
        fixed = lines.load(context, builder, keys_kind, keys, ir.Constant(_WORD, 0))
        squares = _vector_function(builder, "ctpop", lines.vector, here)
        shift = lines.each((64 * lines.width).bit_length() - 1)
        key = builder.add(builder.shl(squares, shift), fixed)
        is_settled = builder.icmp_unsigned("==", lines.without_lowest_bits(builder, here), lines.each(0))
        key = builder.select(is_settled, lines.each(-1), key)
        least = _vector_function(builder, "vector.reduce.umin", lines.word, key)
        is_none = builder.icmp_unsigned("==", least, ir.Constant(lines.word, -1))
        wide = least if lines.word == _WORD else builder.zext(least, _WORD)
        return builder.select(is_none, ir.Constant(_WORD, -1), wide)

    return types.uint64(domains, types.int64, keys), generate


_LANES = 8
_LANE_WORDS = ir.VectorType(_WORD, _LANES)


def _same(number):
    """Return eight equal words."""
    return ir.Constant(_LANE_WORDS, [number] * _LANES)


def _spread(builder, word, count=_LANES):
    """Return a vector of equal words."""
    undefined = ir.Constant(ir.VectorType(word.type, count), ir.Undefined)
    return _permuted(builder, builder.insert_element(undefined, word, ir.Constant(_INT, 0)), [0] * count)


def _permuted(builder, lanes, order):
    """Return lanes in another, constant order."""
    return builder.shuffle_vector(
        lanes, ir.Constant(lanes.type, ir.Undefined), ir.Constant(ir.VectorType(_INT, len(order)), order)
    )


def _load_words(context, builder, kind, array, index):
    return builder.load(_address(context, builder, kind, array, index, _LANE_WORDS), align=8)


def _store_words(context, builder, kind, array, index, words):
    builder.store(words, _address(context, builder, kind, array, index, _LANE_WORDS), align=8)


@intrinsic
def copy_bits(typing_context, lanes, to, words, at, by):
    """Copy 512 bits, from bit ``by`` (0 to 63) of words[at] on, to lanes[to] to lanes[to + 7]; reads nine words."""

    def generate(context, builder, signature, arguments):
        kind, _, source, _, _ = signature.args
        array, to, words, at, by = arguments
        low = _load_words(context, builder, source, words, at)
        high = _load_words(context, builder, source, words, builder.add(at, ir.Constant(_WORD, 1)))
        back = _spread(builder, builder.sub(ir.Constant(_WORD, 63), by))
        high = builder.shl(builder.shl(high, _same(1)), back)
        _store_words(context, builder, kind, array, to, builder.or_(builder.lshr(low, _spread(builder, by)), high))
        return context.get_dummy_value()

    return types.void(lanes, types.uint64, words, types.uint64, types.uint64), generate


@intrinsic
def mark_bits(typing_context, lanes, source, words, at, by):
    """Set, from bit ``by`` of words[at] on, the bits that are set in the eight lanes from lanes[source] on.

    Writes nine words, or only eight if ``by`` is 0.
    """

    def generate(context, builder, signature, arguments):
        kind, _, target, _, _ = signature.args
        array, source, words, at, by = arguments
        marks = _load_words(context, builder, kind, array, source)
        forward = _spread(builder, by)
        back = _spread(builder, builder.sub(ir.Constant(_WORD, 63), by))
        carried = builder.lshr(builder.lshr(marks, _same(1)), back)
        first = builder.shuffle_vector(
            _same(0), carried, ir.Constant(ir.VectorType(_INT, _LANES), list(range(_LANES - 1, 2 * _LANES - 1)))
        )
        marks = builder.or_(builder.shl(marks, forward), first)
        marks = builder.or_(marks, _load_words(context, builder, target, words, at))
        _store_words(context, builder, target, words, at, marks)
        # The ninth word gets the last bits. Without any, the eighth is written again: another thread may own the ninth.
        is_shifted = builder.icmp_unsigned("!=", by, ir.Constant(_WORD, 0))
        last = builder.add(at, builder.select(is_shifted, ir.Constant(_WORD, 8), ir.Constant(_WORD, 7)))
        place = _address(context, builder, target, words, last, _WORD)
        end = builder.extract_element(carried, ir.Constant(_INT, _LANES - 1))
        builder.store(builder.or_(builder.load(place), end), place)
        return context.get_dummy_value()

    return types.void(lanes, types.uint64, words, types.uint64, types.uint64), generate


@intrinsic
def copy_words(typing_context, lanes, to, words, at, by):
    """Copy the eight words from words[at] on, each without its ``by`` lowest bits, to lanes[to] to lanes[to + 7]."""

    def generate(context, builder, signature, arguments):
        kind, _, source, _, _ = signature.args
        array, to, words, at, by = arguments
        copied = builder.lshr(_load_words(context, builder, source, words, at), _spread(builder, by))
        _store_words(context, builder, kind, array, to, copied)
        return context.get_dummy_value()

    return types.void(lanes, types.uint64, words, types.uint64, types.uint64), generate


@intrinsic
def mark_words(typing_context, lanes, source, words, at, by):
    """Set, from bit ``by`` of each of eight words on, the bits of the lanes from lanes[source] on."""

    def generate(context, builder, signature, arguments):
        kind, _, target, _, _ = signature.args
        array, source, words, at, by = arguments
        marks = builder.shl(_load_words(context, builder, kind, array, source), _spread(builder, by))
        marks = builder.or_(marks, _load_words(context, builder, target, words, at))
        _store_words(context, builder, target, words, at, marks)
        return context.get_dummy_value()

    return types.void(lanes, types.uint64, words, types.uint64, types.uint64), generate


@intrinsic
def fill_lanes(typing_context, lanes, at, word):
    """Set eight lanes, from lanes[at] on, to a word."""

    def generate(context, builder, signature, arguments):
        array, at, word = arguments
        _store_words(context, builder, signature.args[0], array, at, _spread(builder, word))
        return context.get_dummy_value()

    return types.void(lanes, types.uint64, types.uint64), generate


def _chosen_rows(builder, free, random, rows):
    """Return the first free row of each lane from a random one on, or the first of all, as a bit; and its number.

    rows : how many rows a lane has, 24 or 48; of 48, only 32 can be the random one
    """
    drawn = builder.lshr(_spread(builder, random), ir.Constant(_LANE_WORDS, [5 * lane for lane in range(_LANES)]))
    drawn = builder.and_(drawn, _same(31))
    more = builder.lshr(drawn, _same(1))
    # 3/2 or 3/4 of a number below 32.
    drawn = builder.add(drawn, more) if rows == 48 else builder.sub(drawn, builder.lshr(drawn, _same(2)))
    above = builder.and_(free, builder.shl(_same(-1), drawn))
    chosen = builder.select(builder.icmp_unsigned("!=", above, _same(0)), above, free)
    chosen = builder.and_(chosen, builder.sub(_same(0), chosen))
    number = _vector_function(builder, "ctpop", _LANE_WORDS, builder.sub(chosen, _same(1)))
    return chosen, builder.and_(number, _same(63))


@intrinsic
def place_columns(typing_context, lanes, empty, first, low, random, row):
    """Place a queen in each of eight columns, on an open square among 24 rows of one window each.

    Lane i stands for 48 rows. Rows of different lanes are more than 16 apart, so their squares share no diagonal.

    lanes : uint64 array; lanes 0 to 7: a bit for each row that is taken; 8 to 15: sum diagonals, from that of the first
        square on; 16 to 23: difference diagonals, so that bit 16 + row - column is that of a square; 24 to 31: rows of
        the queens placed; 32 to 47: the row of each column
    empty : the empty ones of 16 columns, as bits
    first : the first of the eight columns, 0 or 8
    low : the first of the 24 rows, 0 or 24
    random : 40 random bits, which choose the rows
    row : the row of the first bit

    Returns the columns that are still empty.
    """

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        array, empty, first, low, random, row = arguments
        places = [ir.Constant(_WORD, 8 * place) for place in range(4)]
        taken, sums, differences, placed = (_load_words(context, builder, kind, array, place) for place in places)
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
            _store_words(context, builder, kind, array, place, words)
        place = builder.add(first, ir.Constant(_WORD, 32))
        before = _load_words(context, builder, kind, array, place)
        _store_words(context, builder, kind, array, place, builder.select(is_placed, rows, before))
        marks = builder.zext(builder.bitcast(is_placed, ir.IntType(_LANES)), _WORD)
        return builder.and_(empty, builder.not_(builder.shl(marks, first)))

    return types.uint64(lanes, *[types.uint64] * 5), generate


def _free_rows(builder, taken, sums, differences, column):
    """Return the rows of eight windows on which a column has an open square, and how far its diagonals are shifted."""
    along, back = _spread(builder, column), _spread(builder, builder.sub(ir.Constant(_WORD, 16), column))
    marks = builder.or_(taken, builder.or_(builder.lshr(sums, along), builder.lshr(differences, back)))
    return builder.and_(builder.not_(marks), _same((1 << 48) - 1)), along, back


def _for_each_bit(builder, bits, before, step):
    """Build a loop over the set bits of a word; return the values after it.

    before : values before the first step
    step : takes the number of a bit, the bit, and the values; returns the next values
    """
    zero = ir.Constant(_WORD, 0)
    begin, loop, end = builder.block, builder.append_basic_block("loop"), builder.append_basic_block("end")
    builder.cbranch(builder.icmp_unsigned("!=", bits, zero), loop, end)
    builder.position_at_end(loop)
    left, *values = phis = [builder.phi(value.type) for value in (bits, *before)]
    bit = builder.and_(left, builder.sub(zero, left))
    after = [builder.xor(left, bit), *step(builder.cttz(left, ir.Constant(_FLAG, 1)), bit, values)]
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


@intrinsic
def place_each(typing_context, lanes, empty, random, row):
    """Place a queen in each of 16 columns, one after the other, on an open square of eight windows if there is one.

    lanes, empty, row : as for ``place_columns``
    random : a random word, which chooses windows and rows

    Returns the columns that are still empty. Those without an open square at the beginning are left out soon: no step
    of the first loop waits for the one before it.
    """

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        array, empty, random, row = arguments
        places = [ir.Constant(_WORD, 8 * place) for place in range(6)]
        zero = ir.Constant(_WORD, 0)
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
            chosen, number = _chosen_rows(builder, free, builder.lshr(word, ir.Constant(_WORD, 21)), 48)
            # A random one of the windows with a free row.
            windows = builder.bitcast(builder.icmp_unsigned("!=", free, _same(0)), ir.IntType(_LANES))
            windows = builder.zext(windows, _WORD)
            is_placed = builder.icmp_unsigned("!=", windows, zero)
            drawn = builder.lshr(word, ir.Constant(_WORD, 61))
            windows = builder.lshr(builder.or_(windows, builder.shl(windows, ir.Constant(_WORD, _LANES))), drawn)
            lane = builder.add(builder.cttz(windows, ir.Constant(_FLAG, 0)), drawn)
            lane = builder.and_(lane, ir.Constant(_WORD, _LANES - 1))
            chosen = builder.select(builder.icmp_unsigned("==", lane_numbers, _spread(builder, lane)), chosen, _same(0))
            # A vector of rows: single words written now could not be loaded as vectors for some time.
            chosen_row = _spread(builder, builder.extract_element(builder.add(number, first_rows), lane))
            column = _spread(builder, builder.select(is_placed, column, ir.Constant(_WORD, 16)))
            for half, rows in enumerate(halves):
                is_column = builder.icmp_unsigned("==", builder.add(lane_numbers, _same(8 * half)), column)
                halves[half] = builder.select(is_column, chosen_row, rows)
            return [
                builder.xor(empty, builder.select(is_placed, bit, zero)),
                builder.add(builder.mul(word, ir.Constant(_WORD, 6364136223846793005)), ir.Constant(_WORD, 1)),
                builder.or_(taken, chosen),
                builder.or_(sums, builder.shl(chosen, along)),
                builder.or_(differences, builder.shl(chosen, back)),
                builder.or_(placed, chosen),
                *halves,
            ]

        before = [_load_words(context, builder, kind, array, place) for place in places]
        (open_,) = _for_each_bit(builder, empty, [zero], look)
        empty, _, *after = _for_each_bit(builder, open_, [empty, random, *before], place)
        for at, words in zip(places, after, strict=True):
            _store_words(context, builder, kind, array, at, words)
        return empty

    return types.uint64(lanes, *[types.uint64] * 3), generate


_LANE_ROWS = ir.VectorType(_INT, _LANES)


def _halves(context, builder, signature, arguments):
    """Yield, for each half of sixteen columns, the index of its first lane and the address of its rows."""
    _, lane, queens, column = arguments
    for half in (0, _LANES):
        more = ir.Constant(_WORD, half)
        place = builder.add(column, more)
        yield builder.add(lane, more), _address(context, builder, signature.args[2], queens, place, _LANE_ROWS)


@intrinsic
def write_rows(typing_context, lanes, source, queens, column):
    """Write the sixteen words from lanes[source] on to queens[column] to queens[column + 15], without upper halves."""

    def generate(context, builder, signature, arguments):
        for lane, rows in _halves(context, builder, signature, arguments):
            words = _load_words(context, builder, signature.args[0], arguments[0], lane)
            builder.store(builder.trunc(words, _LANE_ROWS), rows, align=4)
        return context.get_dummy_value()

    return types.void(lanes, types.uint64, queens, types.uint64), generate


@intrinsic
def read_rows(typing_context, lanes, to, queens, column):
    """Copy queens[column] to queens[column + 15] to the sixteen words from lanes[to] on."""

    def generate(context, builder, signature, arguments):
        for lane, rows in _halves(context, builder, signature, arguments):
            words = builder.zext(builder.load(rows, align=4), _LANE_WORDS)
            _store_words(context, builder, signature.args[0], arguments[0], lane, words)
        return context.get_dummy_value()

    return types.void(lanes, types.uint64, queens, types.uint64), generate


@intrinsic
def columns_on(typing_context, queens, column, row):
    """Return which of sixteen columns from ``column`` on have a queen on a row, as bits."""

    def generate(context, builder, signature, arguments):
        queens, column, row = arguments
        kind = ir.VectorType(_INT, 16)
        rows = builder.load(_address(context, builder, signature.args[0], queens, column, kind), align=4)
        is_on = builder.icmp_unsigned("==", rows, _spread(builder, builder.trunc(row, _INT), 16))
        return builder.zext(builder.bitcast(is_on, ir.IntType(16)), _WORD)

    return types.uint64(queens, types.uint64, types.uint64), generate
