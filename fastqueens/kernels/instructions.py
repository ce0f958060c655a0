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
