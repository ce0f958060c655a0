"""Processor instructions that NumPy has no function for: what :mod:`.bits` offers to kernels, as LLVM code."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WORD = ir.IntType(64)
_DOUBLE_WORD = ir.IntType(128)
FLAG = ir.IntType(1)
INT = ir.IntType(32)


@intrinsic
def trailing_zeros(typing_context, word):
    """Return the number of zeros below the lowest set bit; 64 if no bit is set."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(FLAG, 0))

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
        kind = ir.FunctionType(WORD, [WORD, WORD, WORD])
        return builder.call(builder.module.declare_intrinsic("llvm.fshr", [WORD], kind), arguments)

    return types.uint64(types.uint64, types.uint64, types.uint64), generate


def _double_product(builder, arguments):
    return builder.mul(builder.zext(arguments[0], _DOUBLE_WORD), builder.zext(arguments[1], _DOUBLE_WORD))


def _high_half(builder, double_word):
    return builder.trunc(builder.lshr(double_word, ir.Constant(_DOUBLE_WORD, 64)), WORD)


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
        return builder.xor(_high_half(builder, product), builder.trunc(product, WORD))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def prefetch(typing_context, array, index):
    """Start to load the cache line of array[index]; harmless for any index."""

    def generate(context, builder, signature, arguments):
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, INT, INT, INT])
        touch = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        for_writing, keep, data_cache = ir.Constant(INT, 1), ir.Constant(INT, 3), ir.Constant(INT, 1)
        builder.call(touch, [pointer, for_writing, keep, data_cache])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


def address(context, builder, kind, array, index, element):
    """Return the address of array[index], as one of elements of another type."""
    data = cgutils.create_struct_proxy(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), element.as_pointer())


def vector_function(builder, name, result, vector):
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
        return address(context, builder, kind, array, builder.mul(index, ir.Constant(WORD, self.lanes)), self.vector)

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
        words = [part if part.type == WORD else builder.zext(part, WORD) for part in (closed, columns, rows)]
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
        fixed = lines.load(context, builder, keys_kind, keys, ir.Constant(WORD, 0))
        squares = vector_function(builder, "ctpop", lines.vector, here)
        shift = lines.each((64 * lines.width).bit_length() - 1)
        key = builder.add(builder.shl(squares, shift), fixed)
        is_settled = builder.icmp_unsigned("==", lines.without_lowest_bits(builder, here), lines.each(0))
        key = builder.select(is_settled, lines.each(-1), key)
        least = vector_function(builder, "vector.reduce.umin", lines.word, key)
        is_none = builder.icmp_unsigned("==", least, ir.Constant(lines.word, -1))
        wide = least if lines.word == WORD else builder.zext(least, WORD)
        return builder.select(is_none, ir.Constant(WORD, -1), wide)

    return types.uint64(domains, types.int64, keys), generate
