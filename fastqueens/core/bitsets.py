"""Bitsets: uint64 words, bit i is bit i & 63 of word i >> 6."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def set_bits(words: NDArray[np.uint64], bits: NDArray[np.int64]) -> None:
    """Set bits of a bitset in place.

    >>> words = np.zeros(2, np.uint64)
    >>> set_bits(words, np.array([0, 3, 64]))
    >>> words.tolist()
    [9, 1]
    """
    np.bitwise_or.at(words, bits >> 6, np.uint64(1) << (bits & 63).astype(np.uint64))
