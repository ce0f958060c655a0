"""Vector instructions on the domains of all lines, for kernels/tree.py, as LLVM code.

The domains are a row of an array of words: as many words as two of them have bits.
"""

from fastqueens._jit.instructions import I64, as_bits, constant, instruction, is_not_zero, like, types, vector_function


def _load_lines(builder, array, row):
    lanes = 2 * array.item.width
    return array.load(builder.mul(row, constant(lanes)), lanes)


def _without_lowest_bits(builder, vector):
    return builder.and_(vector, builder.sub(vector, like(vector, 1)))


@instruction(types.void)
def narrow_lines(builder, domains, to, source, keep, square):
    """Set row ``to`` of ``domains`` to the bits that row ``source`` and row ``square`` of ``keep`` share."""
    shared = builder.and_(_load_lines(builder, domains, source), _load_lines(builder, keep, square))
    domains.store(shared, builder.mul(to, constant(shared.type.count)))


@instruction(types.UniTuple(types.uint64, 3))
def examine_lines(builder, domains, level):
    """Return whether a line has no square, and the columns and the rows that have at most one, as bits."""
    here = _load_lines(builder, domains, level)
    empty = builder.not_(as_bits(builder, is_not_zero(builder, here)))
    closed = is_not_zero(builder, empty)
    few = builder.not_(as_bits(builder, is_not_zero(builder, _without_lowest_bits(builder, here))))
    columns = builder.trunc(few, domains.item)
    rows = builder.trunc(builder.lshr(few, like(few, domains.item.width)), domains.item)
    return [builder.zext(bits, I64) for bits in (closed, columns, rows)]


@instruction(types.uint64)
def least_line(builder, domains, level, keys):
    """Return the least key of the lines with at least two squares, and 2**64 - 1 if there are none.

    The key of a line is its word in ``keys``, plus its number of squares times 64 times the number of bits of a word.
    """
    here = _load_lines(builder, domains, level)
    squares = vector_function(builder, "ctpop", here.type, here)
    shift = like(here, (64 * domains.item.width).bit_length() - 1)
    key = builder.add(builder.shl(squares, shift), _load_lines(builder, keys, constant(0)))
    is_open = is_not_zero(builder, _without_lowest_bits(builder, here))
    key = builder.select(is_open, key, like(here, -1))
    least = vector_function(builder, "vector.reduce.umin", domains.item, key)
    is_none = builder.icmp_unsigned("==", least, like(least, -1))
    return builder.select(is_none, constant(-1), builder.zext(least, I64))
