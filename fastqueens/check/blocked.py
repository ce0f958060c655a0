"""The blocked squares of an instance in the form that kernels take: see check/blocked_kernel.py."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.instance import Instance

_indices: WeakKeyDictionary[Instance, NDArray[np.uint64]] = WeakKeyDictionary()


def blocked_index(instance: Instance) -> NDArray[np.uint64]:
    """Return the index of the blocked squares, made when first needed."""
    if instance not in _indices:
        _indices[instance] = index_of(instance.blocked, instance.n)
    return _indices[instance]


def index_of(blocked: NDArray[np.int64], n: int) -> NDArray[np.uint64]:
    """Return the index of blocked squares, a sorted (k, 2) int64 array, on a board of n."""
    if not len(blocked):
        return np.empty(0, np.uint64)
    columns, rows = blocked.T
    shift = max(0, (n // len(blocked)).bit_length() - 1)
    counts = np.bincount(columns >> shift, minlength=((n - 1) >> shift) + 1)
    marks = np.zeros(len(counts), np.uint64)
    np.bitwise_or.at(marks, columns >> shift, np.uint64(1) << (rows & 63).astype(np.uint64))
    directory = 2 + 2 * len(marks) + 1 + np.concatenate([[0], np.cumsum(counts)])
    squares = (columns << 32) | rows
    return np.concatenate([[shift, len(marks)], marks, directory, squares], dtype=np.uint64, casting="unsafe")
