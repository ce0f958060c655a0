"""The repair: the local search after a windowed placement, with conflicts on rows only.

The queen of each column left over goes to a row with exactly one queen, on an open square. From then on
no diagonal holds two queens and no row more than two. One bit per line is therefore enough, each conflict is one pair
on one row, and twice the number of pairs is the number of conflicting queens at every step.

kernels/windows.py describes ``queens`` and the bitsets. Pair k consists of the queens of columns ``first[k]`` and
``second[k]``, on row ``rows[k]``. ``unused`` holds the rows without a queen, one for each pair and column left over.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint32, uint64
from fastqueens.kernels import plateau
from fastqueens.kernels.bits import ONE, clear_bit, is_marked, set_bit
from fastqueens.kernels.plateau import PAIRS, SOLVED, UNDER_WAY, Advance, PlateauMemory
from fastqueens.kernels.stream import SEARCH, stream_key
from fastqueens.kernels.windows import Bitsets, difference_offset, is_open

# A status in addition to the ones of kernels/plateau.py: all rows that the queen could move to here were left on this
# plateau. Only min-conflicts, which also allows other rows, can continue from this board.
NEEDS_MIN_CONFLICTS = 3

# Random queens tried as a partner, before a scan of all columns; one in 14 fits.
_DRAWS = 1000


@bundle
class Pairs(NamedTuple):
    """The attacking pairs (one entry for each pair) and the rows without a queen."""

    first: uint32[:]
    second: uint32[:]
    rows: uint32[:]
    unused: uint32[:]


@kernel
def place_left_over(
    queens: int32[:],
    bitsets: Bitsets,
    pairs: Pairs,
    memory: PlateauMemory,
    columns: uint32[:],
    state: int64[:],
    seed: uint64,
    attempt: uint64,
) -> int64:
    """Place the queen of each column left over on a row with one queen, on an open square.

    columns : (columns left over,)
    memory : empty

    Modifies queens, bitsets, pairs and state. Returns how many queens it placed: it stops at a column for which no row
    fits, and min-conflicts has to place the rest. About 14 draws per column, O(n) at worst.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for placed in range(len(columns)):
        column = np.uint64(columns[placed])
        partner = _draw_partner(queens, bitsets, pairs, memory, state, key, column)
        if partner == n:
            return placed
        pairs.first[placed] = partner
        pairs.second[placed] = column
        pairs.rows[placed] = queens[partner]
        _put_down(queens, bitsets, column, np.uint64(queens[partner]))
        state[PAIRS] = placed + 1
    return len(columns)


@kernel
def repair(
    queens: int32[:],
    bitsets: Bitsets,
    pairs: Pairs,
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

    Modifies every array. Returns (status, steps made); the status is UNDER_WAY, SOLVED, STAGNANT or
    NEEDS_MIN_CONFLICTS. A step costs O(pairs) and about 14 draws, O(n) at worst. Source: the search of Bursey et al.
    (2019), restricted to such boards; see docs/explanation/how-it-works.md.
    """
    n = np.uint64(len(queens))
    key = stream_key(seed, attempt, SEARCH)
    for step in range(max_steps):
        status = plateau.status_of(state, stagnation_limit)
        if status != UNDER_WAY:
            return status, step
        column, row = _step(queens, bitsets, pairs, memory, state, key, n)
        if column == n:
            return NEEDS_MIN_CONFLICTS, step
        plateau.end_step(trace, step, 2 * state[PAIRS], column, row, queens[column], state)
    return SOLVED if state[PAIRS] == 0 else UNDER_WAY, max_steps


@inlined
def _step(queens, bitsets, pairs, memory, state, key, n):
    """Move one conflicting queen, and return its column and the row that it left.

    If it has only remembered squares to go to, the column is n and nothing changes.
    """
    count = state[PAIRS]
    k, column = _draw_queen(bitsets, pairs, count, state, key)
    row = np.uint64(pairs.rows[k])
    clear_bit(bitsets.sums, column + row)
    clear_bit(bitsets.differences, row + difference_offset(bitsets) - column)

    at = _choose_unused_row(bitsets, pairs, count, memory, column, n, state, key)
    if np.int64(at) < count:
        new_row = np.uint64(pairs.unused[at])
        _put_down(queens, bitsets, column, new_row)
        set_bit(bitsets.rows, new_row)
        last = count - 1
        pairs.unused[at] = pairs.unused[last]
        pairs.first[k] = pairs.first[last]
        pairs.second[k] = pairs.second[last]
        pairs.rows[k] = pairs.rows[last]
        state[PAIRS] = last
        plateau.forget(memory)
        return column, row

    partner = _draw_partner(queens, bitsets, pairs, memory, state, key, column)
    if partner == n:
        _put_down(queens, bitsets, column, row)
        return n, row
    _put_down(queens, bitsets, column, np.uint64(queens[partner]))
    plateau.remember(memory, column, row, n)
    pairs.first[k] = partner
    pairs.second[k] = column
    pairs.rows[k] = queens[partner]
    return column, row


@inlined
def _put_down(queens, bitsets, column, row):
    """Put a queen on a square and mark its diagonals."""
    queens[column] = row
    set_bit(bitsets.sums, column + row)
    set_bit(bitsets.differences, row + difference_offset(bitsets) - column)


@inlined
def _draw_queen(bitsets, pairs, count, state, key):
    """Draw a conflicting queen that is not fixed, and return its pair and its column."""
    while True:  # fixed queens do not attack each other, so each pair has a queen that can move
        drawn = plateau.next_below(state, key, np.uint64(2 * count))
        k = drawn >> ONE
        column = np.uint64(pairs.first[k] if drawn & ONE != 0 else pairs.second[k])
        if not is_marked(bitsets.fixed, column):
            return k, column


@inlined
def _choose_unused_row(bitsets, pairs, count, memory, column, n, state, key):
    """Draw an unused row without conflict, if possible one not remembered; return its index, or ``count`` for none."""
    choice = plateau.no_choice(np.uint64(count))
    for at in range(np.uint64(count)):
        row = np.uint64(pairs.unused[at])
        if is_open(bitsets, column, row):
            choice = plateau.offer(choice, at, plateau.is_remembered(memory, column, row, n), state, key)
    return plateau.chosen(choice)


@inlined
def _draw_partner(queens, bitsets, pairs, memory, state, key, column):
    """Return a random column whose queen the queen of ``column`` can join on its row, or n if there is none.

    The partner is alone on its row; the square on that row in ``column`` is open and not remembered.
    """
    n = np.uint64(len(queens))
    for _ in range(_DRAWS):
        other = plateau.next_below(state, key, n)
        if _can_join(queens, bitsets, pairs, memory, state, column, other):
            return other
    partner = n
    seen = np.uint64(0)
    for other in range(n):
        if _can_join(queens, bitsets, pairs, memory, state, column, other):
            seen += ONE
            if plateau.next_below(state, key, seen) == 0:
                partner = other
    return partner


@inlined
def _can_join(queens, bitsets, pairs, memory, state, column, other):
    """Return whether the queen of ``column`` can join the queen of column ``other`` on its row."""
    n = np.uint64(len(queens))
    row = np.uint64(queens[other])
    return (
        other != column
        and row != n
        and is_open(bitsets, column, row)
        and not _has_pair(pairs, state[PAIRS], row)
        and not plateau.is_remembered(memory, column, row, n)
    )


@inlined
def _has_pair(pairs, count, row):
    """Return whether a row holds two queens; O(pairs), usually a few dozen."""
    for k in range(count):
        if pairs.rows[k] == row:
            return True
    return False
