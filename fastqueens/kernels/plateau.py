"""The plateau memory: the squares that queens have left since ``pairs`` last changed.

A hash table with open addresses. ``table`` (uint64, a power of two long, zero = empty) holds squares, ``slots``
(uint32, half as long) where they stand, so that forgetting costs no more than remembering did. A plateau that
leaves more squares than half the table begins again with an empty memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, ZERO
from fastqueens.kernels.jit import part
from fastqueens.kernels.stream import splitmix


class Memory(NamedTuple):
    """Squares left on this plateau; ``count`` (1, int64) is how many."""

    table: np.ndarray
    slots: np.ndarray
    count: np.ndarray


@part
def _slot(memory, square):
    """Find the slot that holds a square, or the empty one where it would go."""
    mask = np.uint64(len(memory.table)) - ONE
    at = splitmix(square) & mask
    while memory.table[at] != ZERO and memory.table[at] != square:
        at = (at + ONE) & mask
    return at


@part
def _square(column, row, n):
    return column * n + row + ONE


@part
def is_remembered(memory, column, row, n):
    """Tell whether a queen left this square on the present plateau."""
    if memory.count[0] == 0:
        return False
    return memory.table[_slot(memory, _square(column, row, n))] != ZERO


@part
def remember(memory, column, row, n):
    """Add a square; O(1)."""
    if memory.count[0] == len(memory.slots):
        forget(memory)
    square = _square(column, row, n)
    at = _slot(memory, square)
    if memory.table[at] == ZERO:
        memory.table[at] = square
        memory.slots[memory.count[0]] = at
        memory.count[0] += 1


@part
def forget(memory):
    """Empty the memory; O(squares in it)."""
    for i in range(memory.count[0]):
        memory.table[memory.slots[i]] = ZERO
    memory.count[0] = 0
