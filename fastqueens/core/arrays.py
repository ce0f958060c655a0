"""Arrays for kernels: bitsets, and arrays that begin where the processor likes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

#: Bytes.
CACHE_LINE = 64


def set_bits(words: NDArray[np.uint64], bits: NDArray[np.int64]) -> None:
    """Set bits of a bitset in place: bit i is bit i & 63 of word i >> 6.

    >>> words = np.zeros(2, np.uint64)
    >>> set_bits(words, np.array([0, 3, 64]))
    >>> words.tolist()
    [9, 1]
    """
    np.bitwise_or.at(words, bits >> 6, np.uint64(1) << (bits & 63).astype(np.uint64))


def aligned(
    new: Callable[..., NDArray[Any]], length: int, dtype: DTypeLike, boundary: int = CACHE_LINE, least: int = 0
) -> NDArray[Any]:
    """Allocate an array with ``np.empty`` or ``np.zeros`` that begins at a boundary, with at least so many bytes."""
    itemsize = np.dtype(dtype).itemsize
    spare = boundary // itemsize
    array = new(max(length + spare, least // itemsize), dtype)
    return array[-array.ctypes.data // itemsize % spare :][:length]
