"""Common parts of both local searches: the state between two slices, draws, choices, stagnation and plateau memory.

``state`` is an int64 array of STATE_LENGTH entries; the names below are its indices.

The plateau memory holds the squares that queens have left since ``pairs`` last changed, in a hash table with open
addressing. ``table`` (uint64, its length a power of two, 0 for an empty slot) holds the squares; ``slots`` (uint32,
half as long) lists the slots in use, so that emptying the table costs no more than filling it did. When half of the
table is in use, the next square finds an empty memory.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined
from fastqueens._jit.types import bundle, int64, uint32, uint64
from fastqueens.kernels.bits import ONE, ZERO
from fastqueens.kernels.stream import below, splitmix, word

PAIRS = 0  # attacking pairs now
CONFLICTING = 1  # conflicting queens now (min-conflicts only)
UNUSED = 2  # rows without a queen (min-conflicts only)
BEST_PAIRS = 3  # the least value of pairs in this attempt
STEPS_SINCE_BEST = 4
DRAWS = 5  # random words used so far
STATE_LENGTH = 6

# Statuses at the end of a slice.
UNDER_WAY = 0
SOLVED = 1
STAGNANT = 2


class Advance(NamedTuple):
    """What a call of a search returns: a status, and the number of steps made."""

    status: int64
    steps: int64


@inlined
def next_below(state, key, bound):
    """Return the next random number from 0 to bound - 1 (uint64)."""
    state[DRAWS] += 1
    return below(word(key, np.uint64(state[DRAWS])), bound)


@inlined
def no_choice(nothing):
    """Begin a choice; :func:`chosen` returns ``nothing`` (uint64) if no candidate is offered."""
    return nothing, ZERO, nothing, ZERO


@inlined
def offer(choice, candidate, is_remembered, state, key):
    """Offer a candidate (uint64) to a choice that draws evenly, separately for remembered squares and others."""
    fresh, fresh_seen, stale, stale_seen = choice
    if is_remembered:
        stale_seen += ONE
        if next_below(state, key, stale_seen) == 0:
            stale = candidate
    else:
        fresh_seen += ONE
        if next_below(state, key, fresh_seen) == 0:
            fresh = candidate
    return fresh, fresh_seen, stale, stale_seen


@inlined
def chosen(choice):
    """Return the candidate drawn from those not remembered; if there are none, from the others."""
    fresh, fresh_seen, stale, _ = choice
    return fresh if fresh_seen > ZERO else stale


@inlined
def status_of(state, stagnation_limit):
    """Return SOLVED, STAGNANT or UNDER_WAY."""
    if state[PAIRS] == 0:
        return SOLVED
    return STAGNANT if state[STEPS_SINCE_BEST] >= stagnation_limit else UNDER_WAY


@inlined
def end_step(trace, step, conflicting, column, row, new_row, state):
    """Count the steps since ``pairs`` last reached a new minimum, and write the step into the trace.

    The trace gets pairs and conflicting queens, and, with five columns, also the move.
    """
    if state[PAIRS] < state[BEST_PAIRS]:
        state[BEST_PAIRS] = state[PAIRS]
        state[STEPS_SINCE_BEST] = 0
    else:
        state[STEPS_SINCE_BEST] += 1
    if len(trace) > 0:
        trace[step, 0] = state[PAIRS]
        trace[step, 1] = conflicting
        if trace.shape[1] > 2:
            trace[step, 2] = column
            trace[step, 3] = row
            trace[step, 4] = new_row


@bundle
class PlateauMemory(NamedTuple):
    """The squares left on this plateau; ``used``, a (1,) array, is their number."""

    table: uint64[:]
    slots: uint32[:]
    used: int64[:]


@inlined
def _slot(memory, square):
    """Return the slot that holds a square, or the empty slot for it."""
    mask = np.uint64(len(memory.table)) - ONE
    at = splitmix(square) & mask
    while memory.table[at] != ZERO and memory.table[at] != square:
        at = (at + ONE) & mask
    return at


@inlined
def _square(column, row, n):
    """Return the number of a square, from 1."""
    return column * n + row + ONE


@inlined
def is_remembered(memory, column, row, n):
    """Return whether a queen left this square on the present plateau; O(1)."""
    if memory.used[0] == 0:
        return False
    return memory.table[_slot(memory, _square(column, row, n))] != ZERO


@inlined
def remember(memory, column, row, n):
    """Add a square to the memory, emptying a full memory first; O(1)."""
    if memory.used[0] == len(memory.slots):
        forget(memory)
    square = _square(column, row, n)
    at = _slot(memory, square)
    if memory.table[at] == ZERO:
        memory.table[at] = square
        memory.slots[memory.used[0]] = at
        memory.used[0] += 1


@inlined
def forget(memory):
    """Empty the memory; O(squares in it)."""
    for i in range(memory.used[0]):
        memory.table[memory.slots[i]] = ZERO
    memory.used[0] = 0
