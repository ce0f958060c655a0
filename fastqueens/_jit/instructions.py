"""Processor instructions that NumPy has no function for, as LLVM code, and how kernels get such instructions."""

import functools

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from fastqueens._jit import functions

I1, I32, I64, _I128 = map(ir.IntType, (1, 32, 64, 128))


def constant(number):
    """Return a word that is a constant."""
    return ir.Constant(I64, number)


def like(value, number):
    """Return a constant of the type of a value, a vector with equal items if it is one."""
    return ir.Constant(value.type, [number] * value.type.count if isinstance(value.type, ir.VectorType) else number)


def is_not_zero(builder, value):
    """Return whether a value is not 0, for each item of a vector."""
    return builder.icmp_unsigned("!=", value, like(value, 0))


def as_bits(builder, flags):
    """Return a vector of truth values as an integer, the first one as its lowest bit."""
    return builder.bitcast(flags, ir.IntType(flags.type.count))


class Array:
    """An array among the arguments of an instruction."""

    def __init__(self, context, builder, kind, value):
        self.item = ir.IntType(kind.dtype.bitwidth)
        self._builder = builder
        self._data = context.make_array(kind)(context, builder, value).data

    def address(self, index, kind):
        """Return the address of an item, as the address of a value of this type."""
        place = self._builder.gep(self._data, [index], source_etype=self.item)
        return self._builder.bitcast(place, kind.as_pointer())

    def load(self, index, count):
        """Return a vector of this many items, from an item on."""
        kind = ir.VectorType(self.item, count)
        return self._builder.load(self.address(index, kind), align=self.item.width // 8, typ=kind)

    def store(self, vector, index):
        """Write a vector, from an item on."""
        self._builder.store(vector, self.address(index, vector.type), align=self.item.width // 8)


def instruction(result):
    """Let numba use a function that writes the code of the instruction of its name.

    The function gets words and arrays. It returns a word, nothing, or a list of words for a tuple.
    """

    def registered(function):
        @functools.wraps(function)  # numba reads its parameters; it gets the types for all but the builder
        def signature(_builder, *arguments):
            return result(*(kind if isinstance(kind, types.Array) else types.uint64 for kind in arguments))

        def generate(context, builder, signature, values):
            def argument(kind, value):
                return Array(context, builder, kind, value) if isinstance(kind, types.Array) else value

            found = function(builder, *map(argument, signature.args, values))
            if found is None:
                return context.get_dummy_value()
            return context.make_tuple(builder, result, found) if isinstance(found, list) else found

        name = functions.named(function.__name__)
        type_callable(name)(lambda _context: functools.partial(signature, None))
        lower_builtin(name, types.VarArg(types.Any))(generate)
        return function

    return registered


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


def _halves_of_product(builder, first, second):
    product = builder.mul(builder.zext(first, _I128), builder.zext(second, _I128))
    return builder.trunc(builder.lshr(product, like(product, 64)), I64), builder.trunc(product, I64)


@instruction(types.uint64)
def high_product(builder, first, second):
    """Return the upper 64 bits of the 128-bit product."""
    return _halves_of_product(builder, first, second)[0]


@instruction(types.uint64)
def folded_product(builder, first, second):
    """Return the upper 64 bits of the 128-bit product, XOR the lower 64."""
    return builder.xor(*_halves_of_product(builder, first, second))


@instruction(types.void)
def prefetch(builder, array, index):
    """Start to load the cache line of array[index]; harmless for any index."""
    pointer = array.address(index, ir.IntType(8))
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, I32, I32, I32])
    touch = builder.module.declare_intrinsic("llvm.prefetch", fnty=kind)
    for_writing, keep, data_cache = ir.Constant(I32, 1), ir.Constant(I32, 3), ir.Constant(I32, 1)
    builder.call(touch, [pointer, for_writing, keep, data_cache])


def vector_function(builder, name, result, vector):
    """Call one of LLVM's functions of a vector."""
    kind = vector.type
    full_name = f"llvm.{name}.v{kind.count}i{kind.element.width}"
    function = builder.module.declare_intrinsic(full_name, fnty=ir.FunctionType(result, [kind]))
    return builder.call(function, [vector])
