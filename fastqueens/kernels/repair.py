"""Min-conflicts after a windowed placement, where conflicts stand on rows only.

Each column that the placement left over takes a row that holds exactly one queen and whose diagonals are free for
it. From then on no diagonal holds two queens and no row more than two: the bitsets stay exact, each conflict is
one pair on one row, and ``pairs`` is half the number of conflicting queens, known at every step.

Vocabulary: ``queens`` and the bitsets as in placement.py. Pair k is the queens of columns ``first[k]`` and
``second[k]``, on row ``rows[k]``. ``unused`` holds the rows without a queen: as many as there are pairs and columns
left over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, clear_bit, is_marked, set_bit
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.placement import diagonals_free, difference_offset
from fastqueens.kernels.plateau import forget, is_remembered, remember
from fastqueens.kernels.search import (
    PAIRS,
    SOLVED,
    STAGNANT,
    STEPS_SINCE_BEST,
    UNDER_WAY,
    chosen,
    next_below,
    no_choice,
    note_best,
    note_step,
    offer,
)
from fastqueens.kernels.stream import SEARCH, stream_key

# The present queen finds no row here that it has not left before: the exact search of minconflicts.py, which knows
# rows of every kind, has to go on from this board.
HAND_OVER = 3

# Draws of a random queen for its row before all columns are walked through; one in 14 fits.
_DRAWS = 1000


class Pairs(NamedTuple):
    """The attacking pairs (uint32 arrays, one entry a pair) and the rows that hold no queen."""

    first: np.ndarray
    second: np.ndarray
    rows: np.ndarray
    unused: np.ndarray


@part
def _is_doubled(pairs, count, row):
    """Tell whether a row holds two queens; O(pairs), which are some dozen."""
    for k in range(count):
        if pairs.rows[k] == row:
            return True
    return False


@kernel
def place_left_over(queens, bitsets, pairs, memory, columns, state, seed, attempt):
    """Put each left-over column on a row that holds one queen and costs it no diagonal.

    Modifies queens, bitsets, pairs and state; the memory is empty. Returns how many of ``columns`` were placed:
    fewer than all where one fits no row, then the exact search has to place it and the ones behind it. About 14
    draws a column.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for placed in range(len(columns)):
        column = np.uint64(columns[placed])
        partner = _partner(queens, bitsets, pairs, memory, state, key, column)
        if partner == n:
            return placed
        pairs.first[placed] = partner
        pairs.second[placed] = column
        pairs.rows[placed] = queens[partner]
        _stand_beside(queens, bitsets, column, np.uint64(queens[partner]))
        state[PAIRS] = placed + 1
    return len(columns)


@part
def _stand_beside(queens, bitsets, column, row):
    """Put a queen on a row that is used already."""
    queens[column] = row
    set_bit(bitsets.sums, column + row)
    set_bit(bitsets.differences, row + difference_offset(bitsets) - column)


@kernel
def repair(queens, bitsets, pairs, memory, state, trace, seed, attempt, max_steps, patience):
    """Search on for at most ``max_steps`` steps, and write pairs and conflicting queens after each into ``trace``.

    state : int64 array, see search.py
    trace : (>= max_steps, 2 or 5) int64 array, or an empty one where no trace is kept; the wide one takes the column
        of each step's queen, its row before and its row after too
    patience : steps without a new minimum of ``pairs`` after which the search counts as stagnant

    Modifies every array. Returns (status, steps made): UNDER_WAY, SOLVED, STAGNANT or HAND_OVER. A step costs
    O(pairs) and some 14 draws. Source: DESIGN 4.3, after the search of document 001.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for step in range(max_steps):
        if state[PAIRS] == 0:
            return SOLVED, step
        if state[STEPS_SINCE_BEST] >= patience:
            return STAGNANT, step
        column, row = _step(queens, bitsets, pairs, memory, state, key, n)
        if column == n:
            return HAND_OVER, step
        note_best(state)
        note_step(trace, step, 2 * state[PAIRS], column, row, queens[column], state)
    return SOLVED if state[PAIRS] == 0 else UNDER_WAY, max_steps


@part
def _step(queens, bitsets, pairs, memory, state, key, n):
    """Move one conflicting queen: its column and the row it left.

    The column is n, and nothing has changed, where only remembered squares are left to it.
    """
    count = state[PAIRS]
    k, column = _drawn_queen(bitsets, pairs, count, state, key)
    row = np.uint64(pairs.rows[k])
    clear_bit(bitsets.sums, column + row)
    clear_bit(bitsets.differences, row + difference_offset(bitsets) - column)

    at = _unused_row(bitsets, pairs, count, memory, column, n, state, key)
    if np.int64(at) < count:
        new_row = np.uint64(pairs.unused[at])
        _stand_beside(queens, bitsets, column, new_row)
        set_bit(bitsets.rows, new_row)
        last = count - 1
        pairs.unused[at] = pairs.unused[last]
        pairs.first[k] = pairs.first[last]
        pairs.second[k] = pairs.second[last]
        pairs.rows[k] = pairs.rows[last]
        state[PAIRS] = last
        forget(memory)
        return column, row

    other = _partner(queens, bitsets, pairs, memory, state, key, column)
    if other == n:
        _stand_beside(queens, bitsets, column, row)
        return n, row
    _stand_beside(queens, bitsets, column, np.uint64(queens[other]))
    remember(memory, column, row, n)
    pairs.first[k] = other
    pairs.second[k] = column
    pairs.rows[k] = queens[other]
    return column, row


@part
def _drawn_queen(bitsets, pairs, count, state, key):
    """Draw a conflicting queen evenly among those not given: its pair and its column. No pair is of two given ones."""
    while True:
        drawn = next_below(state, key, np.uint64(2 * count))
        k = drawn >> ONE
        column = np.uint64(pairs.first[k] if drawn & ONE != 0 else pairs.second[k])
        if not is_marked(bitsets.given, column):
            return k, column


@part
def _unused_row(bitsets, pairs, count, memory, column, n, state, key):
    """Choose, evenly, an unused row without conflict, one not remembered before one that is; ``count`` for none."""
    choice = no_choice(np.uint64(count))
    for at in range(np.uint64(count)):
        row = np.uint64(pairs.unused[at])
        if diagonals_free(bitsets, column, row):
            choice = offer(choice, at, is_remembered(memory, column, row, n), state, key)
    return chosen(choice)


@part
def _partner(queens, bitsets, pairs, memory, state, key, column):
    """Draw, evenly, a queen that ``column`` could join on its row; n where there is none.

    That queen stands alone on its row, the square beside it has both diagonals free and is not remembered.
    """
    n = np.uint64(len(queens))
    for _ in range(_DRAWS):
        other = next_below(state, key, n)
        if _qualifies(queens, bitsets, pairs, memory, state, column, other):
            return other
    chosen = n
    seen = np.uint64(0)
    for other in range(n):
        if _qualifies(queens, bitsets, pairs, memory, state, column, other):
            seen += ONE
            if next_below(state, key, seen) == 0:
                chosen = other
    return chosen


@part
def _qualifies(queens, bitsets, pairs, memory, state, column, other):
    """Tell whether ``column`` could join the queen of column ``other``."""
    n = np.uint64(len(queens))
    row = np.uint64(queens[other])
    return (
        other != column
        and row != n
        and diagonals_free(bitsets, column, row)
        and not _is_doubled(pairs, state[PAIRS], row)
        and not is_remembered(memory, column, row, n)
    )
