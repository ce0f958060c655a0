"""Min-conflicts from any board, and the counters that it keeps up to date in O(1) per move.

``queens[c]`` is the row of the queen in column c. Each line has two uint32 numbers: how many queens are on it, and the
XOR of their columns. When a count changes to or from one, the XOR names the queen that can begin or cease to conflict.
So the list of conflicting queens is updated without a scan. The uniform start chooses rows in the same way.

An excluded diagonal counts as if FORBIDDEN queens that never move stood on it, and a blocked square as if as many
attacked it. A queen there is in conflict and adds FORBIDDEN to the pairs. No count of an excluded diagonal is ever one.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint32, uint64
from fastqueens.kernels import plateau
from fastqueens.kernels.bits import ONE, ZERO, is_marked, prefetch
from fastqueens.kernels.blocked import is_blocked
from fastqueens.kernels.plateau import CONFLICTING, PAIRS, SOLVED, UNDER_WAY, UNUSED, Advance, PlateauMemory
from fastqueens.kernels.stream import SEARCH, stream_key

# How many columns ahead to prefetch.
_AHEAD = np.uint64(16)

#: What a queen on an excluded diagonal or on a blocked square adds to the pairs.
FORBIDDEN = np.uint64(2)

_COUNT = 0
_COLUMNS = 1

# The place in ``conflicting`` of a queen that is not listed there.
_NOWHERE = np.uint32(0xFFFFFFFF)


@bundle
class Lines(NamedTuple):
    """The queens on every line, the conflicting queens and the unused rows, and the fixed queens.

    rows, sums, differences : (n, 2), (2 n, 2) and (2 n, 2), queens and XOR of their columns on each line
    conflicting, place : (n,), columns of the conflicting queens in any order, and the index of each column in that list
    unused, unused_place : (n,), rows without a queen in any order, and the index of each row in that list
    fixed : one bit for each column with a fixed queen; no words if there are no fixed queens
    blocked : squares that must stay empty, see kernels/blocked.py
    """

    rows: uint32[:, :]
    sums: uint32[:, :]
    differences: uint32[:, :]
    conflicting: uint32[:]
    place: uint32[:]
    unused: uint32[:]
    unused_place: uint32[:]
    fixed: uint64[:]
    blocked: uint64[:]


@inlined
def _blocked_cost(lines, column, row):
    """Return what a blocked square adds to the cost of standing there."""
    return FORBIDDEN if is_blocked(lines.blocked, column, row) else ZERO


@kernel
def count_queens(queens: int32[:], lines: Lines, state: int64[:], first: int64, last: int64):
    """Count the queens of columns first to last - 1 on their lines, skipping empty columns (row n).

    Modifies lines and the pairs in state. O(last - first).
    """
    n = np.uint64(len(queens))
    pairs = 0
    for column in range(np.uint64(first), np.uint64(last)):
        ahead = min(column + _AHEAD, n - ONE)
        _prefetch_lines(lines, ahead, np.uint64(queens[ahead]), n)
        row = np.uint64(queens[column])
        if row < n:
            pairs += np.int64(_count_on_line(lines.rows, row, column))
            pairs += np.int64(_count_on_line(lines.sums, column + row, column))
            pairs += np.int64(_count_on_line(lines.differences, row + n - column, column))
            pairs += np.int64(_blocked_cost(lines, column, row))
    state[PAIRS] += pairs


@kernel
def list_conflicts(queens: int32[:], lines: Lines, state: int64[:], first: int64, last: int64):
    """List the conflicting queens of columns first to last - 1, and the unused rows in that range.

    Call it after all queens are counted. Modifies lines, and the lengths of both lists in state. O(last - first).
    """
    n = np.uint64(len(queens))
    for i in range(np.uint64(first), np.uint64(last)):
        ahead = min(i + _AHEAD, n - ONE)
        _prefetch_lines(lines, ahead, np.uint64(queens[ahead]), n)
        row = np.uint64(queens[i])
        lines.place[i] = _NOWHERE
        if row < n and cost(lines, i, row, n) != 3:
            _add_conflicting(lines, state, i)
        if lines.rows[i, _COUNT] == 0:
            lines.unused[state[UNUSED]] = i
            lines.unused_place[i] = state[UNUSED]
            state[UNUSED] += 1


@inlined
def cost(lines, column, row, n):
    """Return the queens on the three lines of a square; a queen on the square itself counts three times.

    Excluded diagonals and a blocked square add FORBIDDEN each.
    """
    return (
        np.uint64(lines.rows[row, _COUNT])
        + np.uint64(lines.sums[column + row, _COUNT])
        + np.uint64(lines.differences[row + n - column, _COUNT])
        + _blocked_cost(lines, column, row)
    )


@inlined
def is_free(lines, column, row, n):
    """Return whether the cost of a square on an unused row is 0."""
    return (
        lines.sums[column + row, _COUNT] == 0
        and lines.differences[row + n - column, _COUNT] == 0
        and not is_blocked(lines.blocked, column, row)
    )


@inlined
def lift(queens, lines, state, column, row, n):
    """Take a queen off its lines, and update the lists of conflicting queens and unused rows; O(1)."""
    _remove_conflicting(lines, state, column)
    on_row = _remove_from_line(lines.rows, row, column)
    on_sum = _remove_from_line(lines.sums, column + row, column)
    on_difference = _remove_from_line(lines.differences, row + n - column, column)
    state[PAIRS] -= np.int64(on_row) + np.int64(on_sum) + np.int64(on_difference)
    state[PAIRS] -= np.int64(_blocked_cost(lines, column, row))
    if on_row == 0:
        lines.unused_place[row] = state[UNUSED]
        lines.unused[state[UNUSED]] = row
        state[UNUSED] += 1
    if on_row == 1:
        _remove_if_unattacked(queens, lines, state, np.uint64(lines.rows[row, _COLUMNS]), n)
    if on_sum == 1:
        _remove_if_unattacked(queens, lines, state, np.uint64(lines.sums[column + row, _COLUMNS]), n)
    if on_difference == 1:
        _remove_if_unattacked(queens, lines, state, np.uint64(lines.differences[row + n - column, _COLUMNS]), n)


@inlined
def put_down(queens, lines, state, column, row, n):
    """Put a queen on a square, and update its lines and the lists of conflicting queens and unused rows; O(1)."""
    on_row = _add_to_line(lines.rows, row, column, lines, state)
    on_sum = _add_to_line(lines.sums, column + row, column, lines, state)
    on_difference = _add_to_line(lines.differences, row + n - column, column, lines, state)
    attacked = np.int64(on_row) + np.int64(on_sum) + np.int64(on_difference)
    attacked += np.int64(_blocked_cost(lines, column, row))
    queens[column] = row
    state[PAIRS] += attacked
    if attacked > 0:
        _add_conflicting(lines, state, column)
    if on_row == 0:
        state[UNUSED] -= 1
        at = lines.unused_place[row]
        last = lines.unused[state[UNUSED]]
        lines.unused[at] = last
        lines.unused_place[last] = at


@inlined
def _remove_from_line(table, line, column):
    """Take a queen off a line and return the number of queens that stay."""
    table[line, _COUNT] -= np.uint32(1)
    table[line, _COLUMNS] ^= np.uint32(column)
    return table[line, _COUNT]


@inlined
def _remove_if_unattacked(queens, lines, state, column, n):
    """Remove a queen from ``conflicting`` if it is alone on each of its lines."""
    row = np.uint64(queens[column])
    if cost(lines, column, row, n) == 3:
        _remove_conflicting(lines, state, column)


@inlined
def _remove_conflicting(lines, state, column):
    """Remove a column from ``conflicting``, if it is listed there."""
    at = lines.place[column]
    if at != _NOWHERE:
        state[CONFLICTING] -= 1
        last = lines.conflicting[state[CONFLICTING]]
        lines.conflicting[at] = last
        lines.place[last] = at
        lines.place[column] = _NOWHERE


@inlined
def _add_conflicting(lines, state, column):
    """Add a column to ``conflicting``, unless it is listed there."""
    if lines.place[column] == _NOWHERE:
        lines.place[column] = state[CONFLICTING]
        lines.conflicting[state[CONFLICTING]] = column
        state[CONFLICTING] += 1


@inlined
def _add_to_line(table, line, column, lines, state):
    """Count a queen on a line, add a queen that was alone there to ``conflicting``, and return the queens before."""
    if table[line, _COUNT] == 1:
        _add_conflicting(lines, state, np.uint64(table[line, _COLUMNS]))
    return _count_on_line(table, line, column)


@inlined
def _count_on_line(table, line, column):
    """Add a queen to a line and return the number of queens that were on it."""
    before = table[line, _COUNT]
    table[line, _COUNT] = before + np.uint32(1)
    table[line, _COLUMNS] ^= np.uint32(column)
    return before


@inlined
def _prefetch_lines(lines, column, row, n):
    """Prefetch the three lines of a square."""
    prefetch(lines.rows, row << ONE)
    prefetch(lines.sums, (column + row) << ONE)
    prefetch(lines.differences, (row + n - column) << ONE)


_MORE_THAN_ANY_COST = np.uint64(0xFFFFFFFF)


@kernel
def place_least_conflict(
    queens: int32[:],
    lines: Lines,
    memory: PlateauMemory,
    state: int64[:],
    seed: uint64,
    attempt: uint64,
    first: int64,
    last: int64,
):
    """Place the queen of each empty column from first to last - 1 on a random row of least conflict.

    Modifies every array. About 3 draws per column from the unused rows, and a handful of scans for a whole board.
    Source: the board generation of Bursey et al. (2019), here in O(n).
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for column in range(np.uint64(first), np.uint64(last)):
        if np.uint64(queens[column]) == n:
            row = _least_conflict_row(lines, memory, state, key, column, n, n)
            put_down(queens, lines, state, column, row, n)


@kernel
def search(
    queens: int32[:],
    lines: Lines,
    memory: PlateauMemory,
    state: int64[:],
    trace: int64[:, :],
    seed: uint64,
    attempt: uint64,
    max_steps: int64,
    stagnation_limit: int64,
) -> Advance:
    """Make at most ``max_steps`` steps, and write pairs and conflicting queens after each into ``trace``.

    state : see kernels/plateau.py
    trace : (>= max_steps, 2 or 5), or an empty one for no trace; with five columns it also gets the column
        of each step's queen, its row before and its row after
    stagnation_limit : steps without a new minimum of ``pairs`` after which the search is stagnant

    A step lifts a random conflicting queen that is not fixed, and puts it on a random row of least
    conflict, if possible on a square that no queen has left on this plateau. Modifies every array. Returns (status,
    steps made); the status is UNDER_WAY, SOLVED or STAGNANT. A step costs a few draws, O(n) at worst. Source: Bursey et
    al. (2019); see docs/explanation/how-it-works.md.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for step in range(max_steps):
        status = plateau.status_of(state, stagnation_limit)
        if status != UNDER_WAY:
            return status, step
        before = state[PAIRS]
        column = _draw_queen(lines, state, key)
        row = np.uint64(queens[column])
        lift(queens, lines, state, column, row, n)
        new_row = _least_conflict_row(lines, memory, state, key, column, row, n)
        put_down(queens, lines, state, column, new_row, n)
        if state[PAIRS] != before:
            plateau.forget(memory)
        elif new_row != row:
            plateau.remember(memory, column, row, n)
        plateau.end_step(trace, step, state[CONFLICTING], column, row, new_row, state)
    return SOLVED if state[PAIRS] == 0 else UNDER_WAY, max_steps


@inlined
def _draw_queen(lines, state, key):
    """Return the column of a random conflicting queen that is not fixed."""
    while True:  # at least one conflicting queen in four is not fixed, since fixed queens do not attack each other
        column = np.uint64(lines.conflicting[plateau.next_below(state, key, np.uint64(state[CONFLICTING]))])
        if not is_marked(lines.fixed, column):
            return column


@inlined
def _least_conflict_row(lines, memory, state, key, column, present_row, n):
    """Draw a row of least conflict, if possible one whose square is not remembered.

    The present row counts as remembered. Only an unused row can be without conflict: draw as often as there are unused
    rows, then scan them. If none fits, the least conflict is almost always 1: draw n times, then scan all rows.
    """
    unused = np.uint64(state[UNUSED])
    for _ in range(unused):
        row = np.uint64(lines.unused[plateau.next_below(state, key, unused)])
        if is_free(lines, column, row, n) and not plateau.is_remembered(memory, column, row, n):
            return row
    row = _scan_unused_rows(lines, memory, state, key, column, n)
    if row < n:
        return row
    for _ in range(n):
        row = plateau.next_below(state, key, n)
        if (
            cost(lines, column, row, n) == 1
            and row != present_row
            and not plateau.is_remembered(memory, column, row, n)
        ):
            return row
    return _scan_all_rows(lines, memory, state, key, column, present_row, n)


@inlined
def _scan_unused_rows(lines, memory, state, key, column, n):
    """Draw a row evenly from the unused rows without conflict; return n if there is none."""
    choice = plateau.no_choice(n)
    for i in range(state[UNUSED]):
        row = np.uint64(lines.unused[i])
        if is_free(lines, column, row, n):
            choice = plateau.offer(choice, row, plateau.is_remembered(memory, column, row, n), state, key)
    return plateau.chosen(choice)


@inlined
def _scan_all_rows(lines, memory, state, key, column, present_row, n):
    """Draw a row evenly from all rows of least conflict."""
    least = _MORE_THAN_ANY_COST
    choice = plateau.no_choice(n)
    for row in range(n):
        here = cost(lines, column, row, n)
        if here < least:
            least = here
            choice = plateau.no_choice(n)
        if here == least:
            held_back = row == present_row or plateau.is_remembered(memory, column, row, n)
            choice = plateau.offer(choice, row, held_back, state, key)
    return plateau.chosen(choice)
