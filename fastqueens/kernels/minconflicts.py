"""Min-conflicts from any board, exact at every step, and the uniform start that shares its choice of rows.

Vocabulary: ``queens[c]`` is the row of the queen in column c. A line is a row of a table of uint32 pairs: how many
queens stand on it, and the XOR of their columns. When a count falls to one or leaves one, the XOR names the queen
whose state may change; so the set of conflicting queens is kept in O(1) a step, without a scan.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.kernels.bits import ONE, is_marked, prefetch
from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.plateau import forget, is_remembered, remember
from fastqueens.kernels.search import (
    CONFLICTING,
    PAIRS,
    SOLVED,
    STAGNANT,
    STEPS_SINCE_BEST,
    UNDER_WAY,
    UNUSED,
    chosen,
    next_below,
    no_choice,
    note_best,
    note_step,
    offer,
)
from fastqueens.kernels.stream import SEARCH, stream_key

# How many columns ahead memory is asked for.
_AHEAD = np.uint64(16)

_COUNT = 0
_COLUMNS = 1

# Where a queen stands in ``conflicting`` that is not there.
_NOWHERE = np.uint32(0xFFFFFFFF)


class Lines(NamedTuple):
    """Everything known about a board, in uint32.

    rows, sums, differences : (n, 2), (2 n, 2) and (2 n, 2), queens and XOR of their columns on each line
    conflicting, place : (n,), the conflicting queens' columns in any order, and where each column stands there
    unused, unused_place : (n,), the rows without a queen in any order, and where each row stands there
    given : uint64, a bit a column, whether its queen was given and never moves; no words where no queen was
    """

    rows: np.ndarray
    sums: np.ndarray
    differences: np.ndarray
    conflicting: np.ndarray
    place: np.ndarray
    unused: np.ndarray
    unused_place: np.ndarray
    given: np.ndarray


@kernel
def clear_lines(lines, first, last):
    """Empty the lines of rows and columns first to last - 1; O(last - first)."""
    for i in range(first, last):
        lines.rows[i] = 0
        lines.sums[2 * i] = 0
        lines.sums[2 * i + 1] = 0
        lines.differences[2 * i] = 0
        lines.differences[2 * i + 1] = 0


@kernel
def count_queens(queens, lines, state, first, last):
    """Enter the queens of columns first to last - 1 into their lines; columns that are empty (row n) are passed over.

    Modifies lines and the pairs in state. O(last - first).
    """
    n = np.uint64(len(queens))
    pairs = 0
    for column in range(np.uint64(first), np.uint64(last)):
        ahead = min(column + _AHEAD, n - ONE)
        _prefetch_lines(lines, ahead, np.uint64(queens[ahead]), n)
        row = np.uint64(queens[column])
        if row < n:
            pairs += np.int64(_drop_on(lines.rows, row, column))
            pairs += np.int64(_drop_on(lines.sums, column + row, column))
            pairs += np.int64(_drop_on(lines.differences, row + n - column, column))
    state[PAIRS] += pairs


@kernel
def list_conflicts(queens, lines, state, first, last):
    """List the conflicting queens of columns and the unused rows from first to last - 1, once all queens are counted.

    Modifies lines and their numbers in state. O(last - first).
    """
    n = np.uint64(len(queens))
    for i in range(np.uint64(first), np.uint64(last)):
        ahead = min(i + _AHEAD, n - ONE)
        _prefetch_lines(lines, ahead, np.uint64(queens[ahead]), n)
        row = np.uint64(queens[i])
        lines.place[i] = _NOWHERE
        if row < n and _cost(lines, i, row, n) != 3:
            _join(lines, state, i)
        if lines.rows[i, _COUNT] == 0:
            lines.unused[state[UNUSED]] = i
            lines.unused_place[i] = state[UNUSED]
            state[UNUSED] += 1


@kernel
def place_least_conflict(queens, lines, memory, state, seed, attempt, first, last):
    """Put the queen of each empty column from first to last - 1 on a row drawn evenly among those of least conflict.

    Modifies every array. About 3 draws a column from the unused rows, and a handful of walks in all.
    Source: the board generation of document 001, in O(n).
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for column in range(np.uint64(first), np.uint64(last)):
        if np.uint64(queens[column]) == n:
            row = _least_conflict_row(lines, memory, state, key, column, n, n)
            _drop(queens, lines, state, column, row, n)


@kernel
def search(queens, lines, memory, state, trace, seed, attempt, max_steps, patience):
    """Search on for at most ``max_steps`` steps, and write pairs and conflicting queens after each into ``trace``.

    state : int64 array, see search.py
    trace : (>= max_steps, 2 or 5) int64 array, or an empty one where no trace is kept; the wide one takes the column
        of each step's queen, its row before and its row after too
    patience : steps without a new minimum of ``pairs`` after which the search counts as stagnant

    A step picks a conflicting queen evenly among those not given, lifts it, and puts it on a row drawn evenly among
    those of least conflict, by preference on a square that no queen left during the present plateau. Modifies every
    array. Returns (status, steps made): UNDER_WAY, SOLVED or STAGNANT. Source: document 001, DESIGN 4.4.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for step in range(max_steps):
        if state[PAIRS] == 0:
            return SOLVED, step
        if state[STEPS_SINCE_BEST] >= patience:
            return STAGNANT, step
        before = state[PAIRS]
        column = _drawn_queen(lines, state, key)
        row = np.uint64(queens[column])
        _lift(queens, lines, state, column, row, n)
        new_row = _least_conflict_row(lines, memory, state, key, column, row, n)
        _drop(queens, lines, state, column, new_row, n)
        if state[PAIRS] != before:
            forget(memory)
        elif new_row != row:
            remember(memory, column, row, n)
        note_best(state)
        note_step(trace, step, state[CONFLICTING], column, row, new_row, state)
    return SOLVED if state[PAIRS] == 0 else UNDER_WAY, max_steps


@part
def _drawn_queen(lines, state, key):
    """Draw a conflicting queen that was not given; at least one in four is such, as given ones attack no given one."""
    while True:
        column = np.uint64(lines.conflicting[next_below(state, key, np.uint64(state[CONFLICTING]))])
        if not is_marked(lines.given, column):
            return column


@part
def _cost(lines, column, row, n):
    """Queens on the three lines of a square, that of the column itself lifted."""
    return (
        np.uint64(lines.rows[row, _COUNT])
        + np.uint64(lines.sums[column + row, _COUNT])
        + np.uint64(lines.differences[row + n - column, _COUNT])
    )


@part
def _is_free(lines, column, row, n):
    """Tell whether neither diagonal of a square holds a queen: all there is to ask about an unused row."""
    return lines.sums[column + row, _COUNT] == 0 and lines.differences[row + n - column, _COUNT] == 0


@part
def _least_conflict_row(lines, memory, state, key, column, present_row, n):
    """Draw a row evenly among those of least conflict, squares that are not remembered first.

    The present row counts as remembered. A row without conflict can only be an unused one: as many draws as there
    are, then a walk over them. If none fits, the least conflict is 1 almost always: n draws, then a walk over all.
    """
    unused = np.uint64(state[UNUSED])
    for _ in range(unused):
        row = np.uint64(lines.unused[next_below(state, key, unused)])
        if _is_free(lines, column, row, n) and not is_remembered(memory, column, row, n):
            return row
    row = _walk_unused(lines, memory, state, key, column, n)
    if row < n:
        return row
    for _ in range(n):
        row = next_below(state, key, n)
        if _cost(lines, column, row, n) == 1 and row != present_row and not is_remembered(memory, column, row, n):
            return row
    return _walk_all(lines, memory, state, key, column, present_row, n)


@part
def _walk_unused(lines, memory, state, key, column, n):
    """Go over the unused rows and draw evenly among those without conflict; n where there is none."""
    choice = no_choice(n)
    for i in range(state[UNUSED]):
        row = np.uint64(lines.unused[i])
        if _is_free(lines, column, row, n):
            choice = offer(choice, row, is_remembered(memory, column, row, n), state, key)
    return chosen(choice)


@part
def _walk_all(lines, memory, state, key, column, present_row, n):
    """Go over all rows and draw evenly among those of least conflict."""
    least = np.uint64(_NOWHERE)
    choice = no_choice(n)
    for row in range(n):
        cost = _cost(lines, column, row, n)
        if cost < least:
            least = cost
            choice = no_choice(n)
        if cost == least:
            held_back = row == present_row or is_remembered(memory, column, row, n)
            choice = offer(choice, row, held_back, state, key)
    return chosen(choice)


@part
def _lift(queens, lines, state, column, row, n):
    """Take a queen off the board and out of the conflicting ones; O(1)."""
    _leave(lines, state, column)
    below_row = _lift_from(lines.rows, row, column)
    below_sum = _lift_from(lines.sums, column + row, column)
    below_difference = _lift_from(lines.differences, row + n - column, column)
    state[PAIRS] -= np.int64(below_row) + np.int64(below_sum) + np.int64(below_difference)
    if below_row == 0:
        lines.unused_place[row] = state[UNUSED]
        lines.unused[state[UNUSED]] = row
        state[UNUSED] += 1
    if below_row == 1:
        _recheck(queens, lines, state, np.uint64(lines.rows[row, _COLUMNS]), n)
    if below_sum == 1:
        _recheck(queens, lines, state, np.uint64(lines.sums[column + row, _COLUMNS]), n)
    if below_difference == 1:
        _recheck(queens, lines, state, np.uint64(lines.differences[row + n - column, _COLUMNS]), n)


@part
def _lift_from(table, line, column):
    """Take a column off a line; the queens that stay."""
    table[line, _COUNT] -= np.uint32(1)
    table[line, _COLUMNS] ^= np.uint32(column)
    return table[line, _COUNT]


@part
def _recheck(queens, lines, state, column, n):
    """Take a queen out of the conflicting ones if it is alone on each of its lines now."""
    row = np.uint64(queens[column])
    if _cost(lines, column, row, n) == 3:
        _leave(lines, state, column)


@part
def _leave(lines, state, column):
    """Take a column out of ``conflicting``, if it is there."""
    at = lines.place[column]
    if at != _NOWHERE:
        state[CONFLICTING] -= 1
        last = lines.conflicting[state[CONFLICTING]]
        lines.conflicting[at] = last
        lines.place[last] = at
        lines.place[column] = _NOWHERE


@part
def _join(lines, state, column):
    """Put a column into ``conflicting``, if it is not there."""
    if lines.place[column] == _NOWHERE:
        lines.place[column] = state[CONFLICTING]
        lines.conflicting[state[CONFLICTING]] = column
        state[CONFLICTING] += 1


@part
def _drop(queens, lines, state, column, row, n):
    """Enter a queen into its three lines, and whoever it attacks into the conflicting ones; O(1)."""
    on_row = _drop_among(lines.rows, row, column, lines, state)
    on_sum = _drop_among(lines.sums, column + row, column, lines, state)
    on_difference = _drop_among(lines.differences, row + n - column, column, lines, state)
    attacked = np.int64(on_row) + np.int64(on_sum) + np.int64(on_difference)
    queens[column] = row
    state[PAIRS] += attacked
    if attacked > 0:
        _join(lines, state, column)
    if on_row == 0:
        state[UNUSED] -= 1
        at = lines.unused_place[row]
        last = lines.unused[state[UNUSED]]
        lines.unused[at] = last
        lines.unused_place[last] = at


@part
def _drop_among(table, line, column, lines, state):
    """Add a column to a line; a queen that was alone there conflicts now. Gives the queens there before."""
    if table[line, _COUNT] == 1:
        _join(lines, state, np.uint64(table[line, _COLUMNS]))
    return _drop_on(table, line, column)


@part
def _drop_on(table, line, column):
    """Add a column to a line; the queens that were there before."""
    before = table[line, _COUNT]
    table[line, _COUNT] = before + np.uint32(1)
    table[line, _COLUMNS] ^= np.uint32(column)
    return before


@part
def _prefetch_lines(lines, column, row, n):
    """Ask for the memory of the three lines of a square."""
    prefetch(lines.rows, row << ONE)
    prefetch(lines.sums, (column + row) << ONE)
    prefetch(lines.differences, (row + n - column) << ONE)
