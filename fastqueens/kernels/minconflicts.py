"""Min-conflicts from any board, and the uniform start, which chooses rows in the same way."""

from __future__ import annotations

import numpy as np

from fastqueens.kernels.bits import is_marked
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.line_counts import cost, is_free, lift, put_down
from fastqueens.kernels.plateau import forget, is_remembered, remember
from fastqueens.kernels.search import (
    CONFLICTING,
    PAIRS,
    SOLVED,
    UNDER_WAY,
    UNUSED,
    chosen,
    end_step,
    next_below,
    no_choice,
    offer,
    status_of,
)
from fastqueens.kernels.stream import SEARCH, stream_key

_MORE_THAN_ANY_COST = np.uint64(0xFFFFFFFF)


@kernel
def place_least_conflict(queens, lines, memory, state, seed, attempt, first, last):
    """Place the queen of each empty column from first to last - 1 on a row drawn evenly from those of least conflict.

    Modifies every array. About 3 draws a column from the unused rows, and a handful of scans for a whole board.
    Source: the board generation of Bursey et al. (2019), here in O(n).
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for column in range(np.uint64(first), np.uint64(last)):
        if np.uint64(queens[column]) == n:
            row = _least_conflict_row(lines, memory, state, key, column, n, n)
            put_down(queens, lines, state, column, row, n)


@kernel
def search(queens, lines, memory, state, trace, seed, attempt, max_steps, stagnation_limit):
    """Make at most ``max_steps`` steps, and write pairs and conflicting queens after each into ``trace``.

    state : int64 array, see search.py
    trace : (>= max_steps, 2 or 5) int64 array, or an empty one for no trace; with five columns it also gets the column
        of each step's queen, its row before and its row after
    stagnation_limit : steps without a new minimum of ``pairs`` after which the search is stagnant

    A step lifts a random conflicting queen that is not fixed, and puts it on a row drawn evenly from those of least
    conflict, if possible on a square that no queen has left on this plateau. Modifies every array. Returns (status,
    steps made); the status is UNDER_WAY, SOLVED or STAGNANT. A step costs a few draws, O(n) at worst. Source: Bursey et
    al. (2019); see docs/algorithm.md.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for step in range(max_steps):
        status = status_of(state, stagnation_limit)
        if status != UNDER_WAY:
            return status, step
        before = state[PAIRS]
        column = _draw_queen(lines, state, key)
        row = np.uint64(queens[column])
        lift(queens, lines, state, column, row, n)
        new_row = _least_conflict_row(lines, memory, state, key, column, row, n)
        put_down(queens, lines, state, column, new_row, n)
        if state[PAIRS] != before:
            forget(memory)
        elif new_row != row:
            remember(memory, column, row, n)
        end_step(trace, step, state[CONFLICTING], column, row, new_row, state)
    return SOLVED if state[PAIRS] == 0 else UNDER_WAY, max_steps


@part
def _draw_queen(lines, state, key):
    """Return the column of a random conflicting queen that is not fixed."""
    while True:  # at least one conflicting queen in four is not fixed, since fixed queens do not attack each other
        column = np.uint64(lines.conflicting[next_below(state, key, np.uint64(state[CONFLICTING]))])
        if not is_marked(lines.fixed, column):
            return column


@part
def _least_conflict_row(lines, memory, state, key, column, present_row, n):
    """Draw a row evenly from those of least conflict, if possible one whose square is not remembered.

    The present row counts as remembered. Only an unused row can be without conflict: draw as often as there are unused
    rows, then scan them. If none fits, the least conflict is almost always 1: draw n times, then scan all rows.
    """
    unused = np.uint64(state[UNUSED])
    for _ in range(unused):
        row = np.uint64(lines.unused[next_below(state, key, unused)])
        if is_free(lines, column, row, n) and not is_remembered(memory, column, row, n):
            return row
    row = _scan_unused_rows(lines, memory, state, key, column, n)
    if row < n:
        return row
    for _ in range(n):
        row = next_below(state, key, n)
        if cost(lines, column, row, n) == 1 and row != present_row and not is_remembered(memory, column, row, n):
            return row
    return _scan_all_rows(lines, memory, state, key, column, present_row, n)


@part
def _scan_unused_rows(lines, memory, state, key, column, n):
    """Draw a row evenly from the unused rows without conflict; return n if there is none."""
    choice = no_choice(n)
    for i in range(state[UNUSED]):
        row = np.uint64(lines.unused[i])
        if is_free(lines, column, row, n):
            choice = offer(choice, row, is_remembered(memory, column, row, n), state, key)
    return chosen(choice)


@part
def _scan_all_rows(lines, memory, state, key, column, present_row, n):
    """Draw a row evenly from all rows of least conflict."""
    least = _MORE_THAN_ANY_COST
    choice = no_choice(n)
    for row in range(n):
        here = cost(lines, column, row, n)
        if here < least:
            least = here
            choice = no_choice(n)
        if here == least:
            held_back = row == present_row or is_remembered(memory, column, row, n)
            choice = offer(choice, row, held_back, state, key)
    return chosen(choice)
