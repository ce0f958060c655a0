"""What the two searches share: the state between two slices, its draws, and when a search is stagnant.

``state`` is an int64 array of STATE_LENGTH entries; the names below are its places.
"""

from __future__ import annotations

import numpy as np

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
def note_best(state):
    """Count the steps since ``pairs`` last reached a new minimum."""
    if state[PAIRS] < state[BEST_PAIRS]:
        state[BEST_PAIRS] = state[PAIRS]
        state[STEPS_SINCE_BEST] = 0
    else:
        state[STEPS_SINCE_BEST] += 1
