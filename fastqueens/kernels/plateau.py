"""The plateau memory: the squares that queens have left since ``pairs`` last changed.

A hash table with open addressing. ``table`` (uint64, its length a power of two, 0 for an empty slot) holds the squares;
``slots`` (uint32, half as long) lists the slots in use, so that emptying the table costs no more than filling it did.
When half of the table is in use, the next square finds an empty memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, ZERO
from fastqueens.kernels.jit import part
from fastqueens.kernels.stream import splitmix


class Memory(NamedTuple):
    """Squares left on this plateau, and how many there are: ``count`` is a (1,) int64 array."""

    table: np.ndarray
    slots: np.ndarray
    count: np.ndarray


@part
def _slot(memory, square):
    """Return the slot that holds a square, or the empty slot for it."""
    mask = np.uint64(len(memory.table)) - ONE
    at = splitmix(square) & mask
    while memory.table[at] != ZERO and memory.table[at] != square:
        at = (at + ONE) & mask
    return at


@part
def _square(column, row, n):
    """Return the number of a square, from 1."""
    return column * n + row + ONE


@part
def is_remembered(memory, column, row, n):
    """Return whether a queen left this square on the present plateau; O(1)."""
    if memory.count[0] == 0:
        return False
    return memory.table[_slot(memory, _square(column, row, n))] != ZERO


@part
def remember(memory, column, row, n):
    """Add a square to the memory, emptying a full memory first; O(1)."""
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
