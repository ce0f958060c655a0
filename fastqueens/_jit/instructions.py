"""Processor instructions that NumPy has no function for: what :mod:`.bits` offers to kernels, as LLVM code."""

import functools

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

I64 = ir.IntType(64)
_I128 = ir.IntType(128)
I1 = ir.IntType(1)
I32 = ir.IntType(32)


class Array:
    """An array among the arguments of an instruction."""

    def __init__(self, context, builder, kind, array):
        self.item = ir.IntType(kind.dtype.bitwidth)
        self._builder = builder
        self._data = cgutils.create_struct_proxy(kind)(context, builder, array).data

    def address(self, index, kind):
        """Return the address of an item, as the address of a value of this type."""
        return self._builder.bitcast(self._builder.gep(self._data, [index]), kind.as_pointer())

    def load(self, index, kind):
        """Return the vector that begins at an item."""
        return self._builder.load(self.address(index, kind), align=self.item.width // 8)

    def store(self, vector, index):
        """Write a vector, from an item on."""
        self._builder.store(vector, self.address(index, vector.type), align=self.item.width // 8)


def instruction(result):
    """Make an instruction of a function that writes its code and returns a word, or a list of words for a tuple."""

    def made_of(function):
        @functools.wraps(function)  # numba reads its parameters
        def typed(_typing_context, *arguments):
            kinds = [kind if isinstance(kind, types.Array) else types.uint64 for kind in arguments]

            def generate(context, builder, _signature, values):
                pairs = zip(kinds, values, strict=True)
                arrays = (Array(context, builder, *pair) if pair[0] != types.uint64 else pair[1] for pair in pairs)
                found = function(builder, *arrays)
                if result == types.void:
                    return context.get_dummy_value()
                return context.make_tuple(builder, result, found) if isinstance(found, list) else found

            return result(*kinds), generate

        return intrinsic(typed)

    return made_of


@instruction(types.uint64)
def trailing_zeros(builder, word):
    """Return the number of zeros below the lowest set bit; 64 if no bit is set."""
    return builder.cttz(word, ir.Constant(I1, 0))


@instruction(types.uint64)
def count_ones(builder, word):
    """Return the number of set bits."""
    return builder.ctpop(word)


@instruction(types.uint64)
def reversed_bits(builder, word):
    """Return the bits of a word in reverse order."""
    return builder.bitreverse(word)


@instruction(types.uint64)
def funnel_shift(builder, high, low, by):
    """Return the lower 64 of the 128 bits high:low, shifted right by ``by`` (0 to 63)."""
    kind = ir.FunctionType(I64, [I64, I64, I64])
    return builder.call(builder.module.declare_intrinsic("llvm.fshr", [I64], kind), [high, low, by])


def _double_product(builder, first, second):
    return builder.mul(builder.zext(first, _I128), builder.zext(second, _I128))


def _high_half(builder, double_word):
    return builder.trunc(builder.lshr(double_word, ir.Constant(_I128, 64)), I64)


@instruction(types.uint64)
def high_product(builder, first, second):
    """Return the upper 64 bits of the 128-bit product."""
    return _high_half(builder, _double_product(builder, first, second))


@instruction(types.uint64)
def folded_product(builder, first, second):
    """Return the upper 64 bits of the 128-bit product, XOR the lower 64."""
    product = _double_product(builder, first, second)
    return builder.xor(_high_half(builder, product), builder.trunc(product, I64))


@instruction(types.void)
def prefetch(builder, array, index):
    """Start to load the cache line of array[index]; harmless for any index."""
    pointer = array.address(index, ir.IntType(8))
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, I32, I32, I32])
    touch = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
    for_writing, keep, data_cache = ir.Constant(I32, 1), ir.Constant(I32, 3), ir.Constant(I32, 1)
    builder.call(touch, [pointer, for_writing, keep, data_cache])


def vector_function(builder, name, result, vector):
    """Call one of LLVM's functions of a vector."""
    kind = vector.type
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(result, [kind]), f"llvm.{name}.v{kind.count}i{kind.element.width}"
    )
    return builder.call(function, [vector])


# Vectors of the domains of all lines: a row of an array of words, as many as two words have bits


def _load_lines(builder, array, row):
    lanes = 2 * array.item.width
    return array.load(builder.mul(row, ir.Constant(I64, lanes)), ir.VectorType(array.item, lanes))


def _each(vector, word):
    """Return a vector of this type, of equal words."""
    return ir.Constant(vector.type, [word] * vector.type.count)


def _lanes_with(builder, vector, word):
    """Return a bit for each lane: whether it holds this word."""
    is_equal = builder.icmp_unsigned("==", vector, _each(vector, word))
    return builder.bitcast(is_equal, ir.IntType(vector.type.count))


def _without_lowest_bits(builder, vector):
    return builder.and_(vector, builder.sub(vector, _each(vector, 1)))


@instruction(types.void)
def narrow_lines(builder, domains, to, source, keep, square):
    """Set row ``to`` of ``domains`` to the bits that row ``source`` and row ``square`` of ``keep`` share."""
    shared = builder.and_(_load_lines(builder, domains, source), _load_lines(builder, keep, square))
    domains.store(shared, builder.mul(to, ir.Constant(I64, shared.type.count)))


@instruction(types.UniTuple(types.uint64, 3))
def examine_lines(builder, domains, level):
    """Return whether a line has no square, and the columns and the rows that have at most one, as bits."""
    here = _load_lines(builder, domains, level)
    empty = _lanes_with(builder, here, 0)
    closed = builder.icmp_unsigned("!=", empty, ir.Constant(empty.type, 0))
    few = _lanes_with(builder, _without_lowest_bits(builder, here), 0)
    columns = builder.trunc(few, domains.item)
    rows = builder.trunc(builder.lshr(few, ir.Constant(few.type, domains.item.width)), domains.item)
    return [_widened(builder, bits) for bits in (closed, columns, rows)]


def _widened(builder, bits):
    return bits if bits.type == I64 else builder.zext(bits, I64)


@instruction(types.uint64)
def least_line(builder, domains, level, keys):
    """Return the least key of the lines with at least two squares, and 2**64 - 1 if there are none.

    The key of a line is its word in ``keys``, plus its number of squares times 64 times the number of bits of a word.
    """
    here = _load_lines(builder, domains, level)
    squares = vector_function(builder, "ctpop", here.type, here)
    shift = _each(here, (64 * domains.item.width).bit_length() - 1)
    key = builder.add(builder.shl(squares, shift), _load_lines(builder, keys, ir.Constant(I64, 0)))
    is_settled = builder.icmp_unsigned("==", _without_lowest_bits(builder, here), _each(here, 0))
    key = builder.select(is_settled, _each(here, -1), key)
    least = vector_function(builder, "vector.reduce.umin", domains.item, key)
    is_none = builder.icmp_unsigned("==", least, ir.Constant(domains.item, -1))
    return builder.select(is_none, ir.Constant(I64, -1), _widened(builder, least))
