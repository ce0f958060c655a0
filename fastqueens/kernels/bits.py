"""64-bit words in kernels: processor instructions that NumPy has no function for, and bitsets.

``words`` is a uint64 array that holds one long row of bits: bit i is bit i & 63 of word i >> 6. All arguments and
results are uint64, since numba turns some mixes of uint64 and int64 into float64.
"""

import numpy as np

from fastqueens._jit.decorators import inlined, instruction

ZERO = np.uint64(0)
ONE = np.uint64(1)
SIX = np.uint64(6)
SIXTY_THREE = np.uint64(63)


#: The number of zeros below the lowest set bit; 64 if no bit is set.
trailing_zeros = instruction("trailing_zeros")
#: The number of set bits.
count_ones = instruction("count_ones")
#: The bits in reverse order.
reversed_bits = instruction("reversed_bits")
#: The lower 64 of the 128 bits high:low, shifted right by 0 to 63.
funnel_shift = instruction("funnel_shift")
#: The upper 64 bits of a 128-bit product.
high_product = instruction("high_product")
#: The upper 64 bits of a 128-bit product, XOR the lower 64.
folded_product = instruction("folded_product")
#: Starts to load the cache line of array[index]; harmless for any index.
prefetch = instruction("prefetch")
# Vector instructions, and the modules with their code, which are imported only when something is compiled.
_LINES, _STRIPS = "fastqueens.kernels.line_vectors", "fastqueens.kernels.strip_vectors"
narrow_lines = instruction("narrow_lines", _LINES)
examine_lines = instruction("examine_lines", _LINES)
least_line = instruction("least_line", _LINES)
copy_bits = instruction("copy_bits", _STRIPS)
copy_words = instruction("copy_words", _STRIPS)
fill_lanes = instruction("fill_lanes", _STRIPS)
mark_bits = instruction("mark_bits", _STRIPS)
mark_words = instruction("mark_words", _STRIPS)
place_columns = instruction("place_columns", _STRIPS)
place_each = instruction("place_each", _STRIPS)
read_rows = instruction("read_rows", _STRIPS)
write_rows = instruction("write_rows", _STRIPS)
columns_on = instruction("columns_on", _STRIPS)


@inlined
def load_64(words, first):
    """Return the 64 bits that begin at bit ``first``; the word after it must exist."""
    at = first >> SIX
    return funnel_shift(words[at + ONE], words[at], first & SIXTY_THREE)


@inlined
def is_set(words, bit):
    """Return whether a bit is set."""
    return (words[bit >> SIX] >> (bit & SIXTY_THREE)) & ONE != ZERO


@inlined
def is_marked(words, bit):
    """Return whether a bit is set in a bitset, which can be empty."""
    return len(words) > 0 and is_set(words, bit)


@inlined
def set_bit(words, bit):
    """Set one bit in place."""
    words[bit >> SIX] |= ONE << (bit & SIXTY_THREE)


@inlined
def clear_bit(words, bit):
    """Clear one bit in place."""
    words[bit >> SIX] &= ~(ONE << (bit & SIXTY_THREE))


@inlined
def rotated_first_bit(word, by):
    """Return the first set bit of a word other than 0, upwards from bit ``by`` and around the end."""
    return (trailing_zeros(funnel_shift(word, word, by)) + by) & SIXTY_THREE
