"""What the two searches share: the state between two slices, their draws and choices, and when one is stagnant.

``state`` is an int64 array of STATE_LENGTH entries; the names below are its places.
"""

from __future__ import annotations

import numpy as np

from fastqueens.kernels.bits import ONE, ZERO
from fastqueens.kernels.jit import part
from fastqueens.kernels.stream import below, word

PAIRS = 0  # attacking pairs now
CONFLICTING = 1  # conflicting queens now (kept by the exact search)
UNUSED = 2  # rows without a queen (kept by the exact search)
BEST_PAIRS = 3  # the least value of pairs in this attempt
STEPS_SINCE_BEST = 4
DRAWS = 5  # random words used so far
STATE_LENGTH = 6

# What a slice of a search ends with.
UNDER_WAY = 0
SOLVED = 1
STAGNANT = 2


@part
def next_below(state, key, bound):
    """Draw the next number from 0 to bound - 1 (uint64)."""
    state[DRAWS] += 1
    return below(word(key, np.uint64(state[DRAWS])), bound)


@part
def no_choice(nothing):
    """A choice before anything was offered; :func:`chosen` gives ``nothing`` then (uint64)."""
    return nothing, ZERO, nothing, ZERO


@part
def offer(choice, candidate, is_remembered, state, key):
    """Offer the next candidate (uint64) to a choice that is even among those remembered and among those not."""
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


@part
def chosen(choice):
    """What came out: a candidate that is not remembered before one that is."""
    fresh, fresh_seen, stale, _ = choice
    return fresh if fresh_seen > ZERO else stale


@part
def note_step(trace, step, conflicting, column, row, new_row, state):
    """Write what a step has led to, and into a wide trace also which queen moved from which row to which."""
    if len(trace) > 0:
        trace[step, 0] = state[PAIRS]
        trace[step, 1] = conflicting
        if trace.shape[1] > 2:
            trace[step, 2] = column
            trace[step, 3] = row
            trace[step, 4] = new_row


@part
def note_best(state):
    """Count the steps since ``pairs`` last reached a new minimum."""
    if state[PAIRS] < state[BEST_PAIRS]:
        state[BEST_PAIRS] = state[PAIRS]
        state[STEPS_SINCE_BEST] = 0
    else:
        state[STEPS_SINCE_BEST] += 1
