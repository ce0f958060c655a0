"""A Markov chain whose visits to solutions are uniform: swaps of rows, with few surplus queens on the diagonals.

The surplus E of a board is the sum of k - 1 over the diagonals with k > 1 queens, plus the queens on blocked squares.
An excluded diagonal counts as if it held a queen that never moves. A proposal swaps the rows of two columns. It is
accepted if E does not rise, and otherwise with probability t**rise. So a board has the weight t**E, and all solutions,
the boards with E = 0, have the same weight.

Time is counted in proposals that are made from solutions. The boards at these moments form a Markov chain on solutions,
which is symmetric: hence the uniform law is exactly stationary.

On large boards, loading rows and marks takes longer than all computing. So the proposals from solutions that may not
raise E draw their columns from two windows of columns, which fit into the cache and stay for a phase of some thousand
proposals. This keeps the symmetry: such a swap leads from one solution to another, and back with the same probability.
All other proposals draw from all columns. (Within windows, E could rise on a board with much order, like the textbook
solutions, and hardly ever become 0 again.) See docs/sampling.md.

``state`` is a uint64 array of STATE_LENGTH entries; the names below are its indices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.check.blocked_kernel import is_blocked
from fastqueens.jit.bits import ONE, SIX, SIXTY_THREE, ZERO, clear_bit, is_set, prefetch, set_bit
from fastqueens.jit.decorators import kernel, part
from fastqueens.jit.stream import MIXING, stream_key, two_below, word

LEFT = 0  # proposals from solutions that are still to be made
FROM_SOLUTIONS = 1  # proposals made from solutions
PROPOSALS = 2  # all proposals
ACCEPTED = 3
SURPLUS = 4  # E
UNTIL_RISE = 5  # proposals from solutions before the next one that may raise E
PHASE_LEFT = 6  # proposals from solutions until the windows change
FIRST_WINDOW = 7  # where each window of columns begins
SECOND_WINDOW = 8
DRAWS = 9  # random words used for the columns of proposals; they are even, those for other purposes odd
TAKEN = 10  # observations made
WINDOW = 11  # columns in a window, and proposals from solutions in a phase
KEY = 12  # the key of the stream of random words
OTHER_DRAWS = 13
STATE_LENGTH = 14

#: The largest surplus; rises above it are never accepted. ``surplus`` needs room for MOST_ADDED more.
MOST_SURPLUS = 256
MOST_ADDED = 6
_MOST_SURPLUS = np.uint64(MOST_SURPLUS)

#: ``odds`` holds t**k for k = 0 to POWERS - 1, and then (1 - t)**k for k = 1 to MOST_WAIT, in units of 2**-64.
POWERS = 8
MOST_WAIT = 256
_POWERS = np.uint64(POWERS)
_MOST_WAIT = np.uint64(MOST_WAIT)

#: Numbers taken from a board for each observation: see :func:`sample`.
FEATURES = 4

# What a queen on a blocked square adds to the list of surplus lines: this plus its column.
_ON_BLOCKED = np.uint64(1 << 63)

# How many proposals ahead to load rows, and marks: with 7 to 20 surplus queens, a proposal takes 26, 50 and 42 instead
# of 40, 248 and 290 ns for n = 10**5, 10**6 and 10**7.
_ROWS_AHEAD = np.uint64(24)
_MARKS_AHEAD = np.uint64(12)

_TWO, _THREE = np.uint64(2), np.uint64(3)


class Chain(NamedTuple):
    """The board and what the chain keeps of it.

    queens : (n,) int32 or uint32, one queen in each row
    lines : uint64 bitset, the diagonals with a queen and the excluded ones: c + r, and 3 n + r - c
    surplus : (MOST_SURPLUS + MOST_ADDED,) uint64, the surplus queens, as numbers of their lines
    columns : (k,) uint32, the columns without a fixed queen; no entries if there are no fixed queens
    blocked : squares on which no queen may stand, see blocked.py
    odds : (POWERS + MOST_WAIT,) uint64, see above
    """

    queens: np.ndarray
    lines: np.ndarray
    surplus: np.ndarray
    columns: np.ndarray
    blocked: np.ndarray
    odds: np.ndarray


@kernel
def mark_diagonals(chain, first, last):
    """Mark the diagonals of the queens of columns ``first`` to last - 1; O(last - first)."""
    offset = _offset(chain)
    for column in range(np.uint64(first), np.uint64(last)):
        row = np.uint64(chain.queens[column])
        set_bit(chain.lines, column + row)
        set_bit(chain.lines, offset + row - column)


@kernel
def start(chain, state, seed, number):
    """Draw what the first proposal needs. The board has to be a solution."""
    state[KEY] = stream_key(seed, number, MIXING)
    state[UNTIL_RISE] = _draw_wait(chain, state)


@kernel
def mix(chain, state, most):
    """Make at most ``most`` proposals, until none is left to count and the board is a solution.

    Modifies all arrays of the chain that depend on the board, and the state. Returns whether the end is reached. A
    proposal takes 5 to 9 ns up to n = 10**6, and 26 ns for n = 10**7.
    """
    return _advance(chain, state, most)


@kernel
def settle(chain, state, most):
    """Make a board a solution by swaps that lower E; return whether it is one.

    For each of these swaps, makes at most ``most`` proposals, all with a queen that is on a line with surplus queens.
    The chain rarely picks one on a large board: from E > 0, it needs 30 sweeps on average, and this O(n). But here,
    solutions are not equally likely. These are not counted as proposals of the chain.
    """
    while state[SURPLUS] > ZERO:
        a = _column_on(chain, chain.surplus[0])
        surplus = state[SURPLUS]
        for _ in range(most):
            state[DRAWS] += ONE
            _, b = _two_columns(chain, _columns_word(state[KEY], state[DRAWS]))
            row_a, row_b = np.uint64(chain.queens[a]), np.uint64(chain.queens[b])
            if a != b and _gained(chain, a, row_a, b, row_b) < _lost(chain, state, a, row_a, b, row_b):
                _exchange(chain, state, a, row_a, b, row_b)
                break
        if state[SURPLUS] == surplus:
            return False
    return True


@part
def _column_on(chain, line):
    """Return the first column whose queen is on a line with surplus queens and is not fixed."""
    offset = _offset(chain)
    for index in range(_movable(chain)):
        column = _column(chain, index)
        row = np.uint64(chain.queens[column])
        if line == column + row or line == offset + row - column or line == _ON_BLOCKED + column:
            return column
    return ZERO  # never: no two fixed queens attack each other


@kernel
def sample(chain, state, spacing, boards, features, most):
    """Make at most ``most`` proposals, and observe the solution after every ``spacing`` ones that count.

    boards : (samples, n) int32 or uint32 array; it gets the boards of equally spaced observations, the last included
    features : (samples * k, FEATURES) int64 array, for k observations a sample: two sums over all queens, which measure
        how far they are from the centre and on which diagonal, and the rows in the first and in the middle column

    An observation, which is O(n), takes the place of n proposals, so that a call does not take longer if ``spacing`` is
    small. The first call needs state[LEFT] = spacing. Returns whether all observations are made.
    """
    n = np.uint64(len(chain.queens))
    each = np.uint64(len(features) // len(boards))
    room = np.uint64(most)
    while state[TAKEN] < np.uint64(len(features)) and room > ZERO:
        before = state[PROPOSALS]
        if not _advance(chain, state, room):
            return False
        at = state[TAKEN]
        _observe(chain.queens, features, at)
        if at % each == each - ONE:
            taken = at // each
            for column in range(n):
                boards[taken, column] = chain.queens[column]
        state[TAKEN] = at + ONE
        state[LEFT] = np.uint64(spacing)
        room -= min(room, state[PROPOSALS] - before + n)
    return state[TAKEN] == np.uint64(len(features))


@part
def _observe(queens, features, at):
    """Write the features of a board."""
    n = len(queens)
    shift = _shift_for(n)
    from_centre = 0
    on_diagonal = 0
    for column in range(n):
        x = (2 * column - n + 1) >> shift
        y = (2 * np.int64(queens[column]) - n + 1) >> shift
        from_centre += abs(x) * abs(y)
        on_diagonal += x * y
    features[at, 0] = from_centre
    features[at, 1] = on_diagonal
    features[at, 2] = queens[0]
    features[at, 3] = queens[n // 2]


@part
def _shift_for(n):
    """Return by how many bits to shift distances from the centre, so that n products of two stay below 2**62."""
    shift = 0
    while (n >> shift) > (1 << 62) // n // (n >> shift):
        shift += 1
    return shift


@part
def _advance(chain, state, most):
    """Make at most ``most`` proposals; return whether none is left to count and the board is a solution."""
    end = state[PROPOSALS] + np.uint64(most)
    while state[LEFT] > ZERO or state[SURPLUS] > ZERO:
        room = end - state[PROPOSALS]
        if room == ZERO:
            return False
        if state[SURPLUS] == ZERO and state[PHASE_LEFT] == ZERO:
            _move_windows(chain, state)
        if state[SURPLUS] > ZERO:
            _propose_from_others(chain, state, room)
        elif state[UNTIL_RISE] > ZERO:
            count = min(room, state[UNTIL_RISE], state[LEFT], state[PHASE_LEFT])
            _propose_from_solutions(chain, state, count)
            state[UNTIL_RISE] -= count
            _count(state, count)
        else:
            _propose_rise(chain, state)
            _count(state, ONE)
    return True


@part
def _count(state, made):
    """Count proposals that were made from solutions."""
    state[PROPOSALS] += made
    state[FROM_SOLUTIONS] += made
    state[LEFT] -= made
    state[PHASE_LEFT] -= made


@part
def _offset(chain):
    """Return the number added to r - c, which keeps difference diagonals apart from sum diagonals."""
    return _THREE * np.uint64(len(chain.queens))


@part
def _movable(chain):
    """Return the number of columns without a fixed queen."""
    return np.uint64(len(chain.columns) if len(chain.columns) > 0 else len(chain.queens))


@part
def _next_word(state):
    """Return the next random word for a purpose other than the columns of a proposal."""
    state[OTHER_DRAWS] += ONE
    return word(state[KEY], state[OTHER_DRAWS] << ONE | ONE)


@part
def _columns_word(key, proposal):
    """Return the random word for the columns of a proposal; any of them can be known in advance."""
    return word(key, proposal << ONE)


@part
def _move_windows(chain, state):
    """Draw where the windows of the next phase begin."""
    columns = _movable(chain)
    state[FIRST_WINDOW], state[SECOND_WINDOW] = two_below(_next_word(state), columns, columns)
    state[PHASE_LEFT] = state[WINDOW]


@part
def _draw_wait(chain, state):
    """Draw how many proposals may not raise E before the next that may, each with probability t."""
    wait = ZERO
    drawn = _next_word(state)
    while drawn < chain.odds[_POWERS + _MOST_WAIT - ONE]:
        wait += _MOST_WAIT
        drawn = _next_word(state)
    at = _POWERS
    while drawn < chain.odds[at]:
        at += ONE
    return wait + at - _POWERS


@part
def _column(chain, index):
    """Return a column without a fixed queen by its number among these."""
    return np.uint64(chain.columns[index]) if len(chain.columns) > 0 else index


@part
def _in_window(window, place, columns):
    """Return the index of a place in a window, which may go around the end."""
    index = window + place
    return index - columns if index >= columns else index


@part
def _two_columns(chain, drawn):
    """Return the two columns that a random word chooses from all, which may be the same."""
    columns = _movable(chain)
    first, second = two_below(drawn, columns, columns)
    return _column(chain, first), _column(chain, second)


@part
def _mark(lines, line):
    """Return a word whose lowest bit tells whether a line is marked."""
    return lines[line >> SIX] >> (line & SIXTY_THREE)


@part
def _propose_from_solutions(chain, state, count):
    """Make ``count`` proposals from solutions that are accepted only if the board stays a solution.

    Two queens may swap if the four new diagonals are not marked. Loads two marks, and the other two only for the one
    proposal in nine that needs them: with all four at once, a proposal at n = 10**6 takes 1.6 times as long.
    """
    lines = chain.lines
    columns = _movable(chain)
    offset = _offset(chain)
    width = min(columns, state[WINDOW])
    first, second = state[FIRST_WINDOW], state[SECOND_WINDOW]
    key = state[KEY]
    draws = state[DRAWS]
    accepted = ZERO
    for _ in range(count):
        draws += ONE
        place_a, place_b = two_below(_columns_word(key, draws), width, width)
        a = _column(chain, _in_window(first, place_a, columns))
        b = _column(chain, _in_window(second, place_b, columns))
        row_a, row_b = np.uint64(chain.queens[a]), np.uint64(chain.queens[b])
        if (_mark(lines, a + row_b) | _mark(lines, b + row_a)) & ONE != ZERO:
            continue
        new_a, new_b = offset + row_b - a, offset + row_a - b
        if (_mark(lines, new_a) | _mark(lines, new_b)) & ONE != ZERO:
            continue
        if is_blocked(chain.blocked, a, row_b) or is_blocked(chain.blocked, b, row_a):
            continue
        clear_bit(lines, a + row_a)
        clear_bit(lines, b + row_b)
        clear_bit(lines, offset + row_a - a)
        clear_bit(lines, offset + row_b - b)
        set_bit(lines, a + row_b)
        set_bit(lines, b + row_a)
        set_bit(lines, new_a)
        set_bit(lines, new_b)
        chain.queens[a] = row_b
        chain.queens[b] = row_a
        accepted += ONE
    state[DRAWS] = draws
    state[ACCEPTED] += accepted


@part
def _propose_rise(chain, state):
    """Make a proposal from a solution that is accepted whatever it raises E by, with probability t**(rise - 1)."""
    state[DRAWS] += ONE
    a, b = _two_columns(chain, _columns_word(state[KEY], state[DRAWS]))
    row_a, row_b = np.uint64(chain.queens[a]), np.uint64(chain.queens[b])
    gained = _gained(chain, a, row_a, b, row_b)
    if a != b and (gained <= ONE or _next_word(state) < chain.odds[gained - ONE]):
        _exchange(chain, state, a, row_a, b, row_b)
        state[ACCEPTED] += ONE
    state[UNTIL_RISE] = _draw_wait(chain, state)


@part
def _propose_from_others(chain, state, count):
    """Make at most ``count`` proposals from boards with E > 0, until E = 0."""
    is_large = np.uint64(len(chain.queens)) > state[WINDOW]
    key = state[KEY]
    draws = state[DRAWS]
    suspects = _lines_with_surplus(chain, state)
    made = ZERO
    while made < count and state[SURPLUS] > ZERO:
        made += ONE
        draws += ONE
        if is_large:
            _prefetch(chain, key, draws)
        a, b = _two_columns(chain, _columns_word(key, draws))
        row_a, row_b = np.uint64(chain.queens[a]), np.uint64(chain.queens[b])
        gained = _gained(chain, a, row_a, b, row_b)
        lost = _lost(chain, state, a, row_a, b, row_b) if _is_suspect(chain, suspects, a, row_a, b, row_b) else ZERO
        if a == b or (gained > lost and _next_word(state) >= chain.odds[gained - lost]):
            continue
        if state[SURPLUS] + gained <= _MOST_SURPLUS + lost:
            _exchange(chain, state, a, row_a, b, row_b)
            state[ACCEPTED] += ONE
            suspects = _lines_with_surplus(chain, state)
    state[DRAWS] = draws
    state[PROPOSALS] += made


@part
def _prefetch(chain, key, draws):
    """Start to load the rows of a later proposal, and the marks of one whose rows are loaded."""
    a, b = _two_columns(chain, _columns_word(key, draws + _ROWS_AHEAD))
    prefetch(chain.queens, a)
    prefetch(chain.queens, b)
    a, b = _two_columns(chain, _columns_word(key, draws + _MARKS_AHEAD))
    row_a, row_b = np.uint64(chain.queens[a]), np.uint64(chain.queens[b])
    offset = _offset(chain)
    prefetch(chain.lines, (a + row_b) >> SIX)
    prefetch(chain.lines, (b + row_a) >> SIX)
    prefetch(chain.lines, (offset + row_b - a) >> SIX)
    prefetch(chain.lines, (offset + row_a - b) >> SIX)


@part
def _lines_with_surplus(chain, state):
    """Return a word with the bit line & 63 of each line with surplus queens; all bits if one is on a blocked square."""
    suspects = ZERO
    for i in range(state[SURPLUS]):
        line = chain.surplus[i]
        suspects |= ~ZERO if line >= _ON_BLOCKED else ONE << (line & SIXTY_THREE)
    return suspects


@part
def _is_suspect(chain, suspects, a, row_a, b, row_b):
    """Return whether one of two queens may be on a line with surplus queens, or on a blocked square."""
    offset = _offset(chain)
    marks = suspects >> ((a + row_a) & SIXTY_THREE) | suspects >> ((b + row_b) & SIXTY_THREE)
    marks |= suspects >> ((offset + row_a - a) & SIXTY_THREE) | suspects >> ((offset + row_b - b) & SIXTY_THREE)
    return marks & ONE != ZERO


@part
def _gained(chain, a, row_a, b, row_b):
    """Return how many surplus queens a swap adds: those on marked new diagonals, and on blocked new squares."""
    lines = chain.lines
    offset = _offset(chain)
    gained = _mark(lines, a + row_b) & ONE
    gained += (_mark(lines, b + row_a) | np.uint64(a + row_b == b + row_a)) & ONE
    gained += _mark(lines, offset + row_b - a) & ONE
    gained += (_mark(lines, offset + row_a - b) | np.uint64(row_b - a == row_a - b)) & ONE
    return gained + np.uint64(is_blocked(chain.blocked, a, row_b)) + np.uint64(is_blocked(chain.blocked, b, row_a))


@part
def _lost(chain, state, a, row_a, b, row_b):
    """Return how many surplus queens a swap removes; O(E)."""
    offset = _offset(chain)
    sum_a, sum_b = a + row_a, b + row_b
    difference_a, difference_b = offset + row_a - a, offset + row_b - b
    on_sum_a, on_sum_b, on_difference_a, on_difference_b, on_blocked = ZERO, ZERO, ZERO, ZERO, ZERO
    for i in range(state[SURPLUS]):
        line = chain.surplus[i]
        on_sum_a += np.uint64(line == sum_a)
        on_sum_b += np.uint64(line == sum_b)
        on_difference_a += np.uint64(line == difference_a)
        on_difference_b += np.uint64(line == difference_b)
        on_blocked += np.uint64(line == _ON_BLOCKED + a) + np.uint64(line == _ON_BLOCKED + b)
    lost_on_sums = min(on_sum_a, _TWO) if sum_a == sum_b else min(on_sum_a, ONE) + min(on_sum_b, ONE)
    if difference_a == difference_b:
        return lost_on_sums + min(on_difference_a, _TWO) + on_blocked
    return lost_on_sums + min(on_difference_a, ONE) + min(on_difference_b, ONE) + on_blocked


@part
def _exchange(chain, state, a, row_a, b, row_b):
    """Swap the rows of two queens."""
    _lift(chain, state, a, row_a)
    _lift(chain, state, b, row_b)
    _put(chain, state, a, row_b)
    _put(chain, state, b, row_a)


@part
def _lift(chain, state, column, row):
    """Take a queen off its diagonals."""
    _remove(chain, state, column + row)
    _remove(chain, state, _offset(chain) + row - column)
    if is_blocked(chain.blocked, column, row):
        _remove_surplus(chain, state, _ON_BLOCKED + column)


@part
def _put(chain, state, column, row):
    """Put a queen on a square."""
    _add(chain, state, column + row)
    _add(chain, state, _offset(chain) + row - column)
    if is_blocked(chain.blocked, column, row):
        _add_surplus(chain, state, _ON_BLOCKED + column)
    chain.queens[column] = row


@part
def _add(chain, state, line):
    """Put a queen on a line."""
    if is_set(chain.lines, line):
        _add_surplus(chain, state, line)
    else:
        set_bit(chain.lines, line)


@part
def _remove(chain, state, line):
    """Take a queen off a line."""
    if not _remove_surplus(chain, state, line):
        clear_bit(chain.lines, line)


@part
def _add_surplus(chain, state, line):
    """Add one entry to the list of surplus queens."""
    chain.surplus[state[SURPLUS]] = line
    state[SURPLUS] += ONE


@part
def _remove_surplus(chain, state, line):
    """Remove one entry of a line from the list of surplus queens; return whether there was one."""
    for i in range(state[SURPLUS]):
        if chain.surplus[i] == line:
            state[SURPLUS] -= ONE
            chain.surplus[i] = chain.surplus[state[SURPLUS]]
            return True
    return False
