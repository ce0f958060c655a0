"""A Markov chain over boards with holes, whose visits to solutions are uniform; see docs/guides/random-solutions.md.

A board with m holes has m columns and m rows without a queen, and no two of its queens attack each other. A round lets
each hole hop once: a queen moves into the row of the hole, and its old row becomes the hole's. Then a queen is perhaps
taken off or put back. ``state`` is a uint64 array of STATE_LENGTH entries; the names below are its indices.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import bundle, int32, int64, uint32, uint64
from fastqueens.kernels.bits import (
    ONE,
    SIX,
    SIXTY_THREE,
    ZERO,
    clear_bit,
    count_ones,
    high_product,
    is_set,
    load_64,
    prefetch,
    set_bit,
    trailing_zeros,
)
from fastqueens.kernels.blocked import is_blocked
from fastqueens.kernels.stream import stream_key, word

KEY = 0  # of the stream of random words
HOLES = 1  # m
LEFT = 2  # solutions that are still to be visited
ROUNDS = 3
VISITS = 4  # solutions visited
HOPS = 5  # hops made
HOPS_TRIED = 6
INSERTS = 7  # queens put back
INSERTS_TRIED = 8
FAR = 9  # whether to load cache lines ahead
TAKEN = 10  # observations made
DRAWS = 11  # random words used for exchanges, which are odd; hops use the even ones
SHIFT = 12  # bits by which features shift distances from the centre, so that n products of two stay below 2**62
STATE_LENGTH = 13

# Random words of a round are 2**8 apart: two for each hole.
_WORDS = np.uint64(8)

# With a fixed number of holes, those for the exchanges of a step are 2**20 apart: one for the hop, one for a look, one
# for a square, and the others for the queen that is taken off.
_STEP = np.uint64(20)

_TWO, _THREE, _FOUR = np.uint64(2), np.uint64(3), np.uint64(4)
_58 = np.uint64(58)


@bundle
class HoledBoard(NamedTuple):
    """A board with holes.

    queens : (n,), the rows; the entry of a hole has no meaning
    sums, differences : bitsets, the diagonals c + r and c - r + n with a queen, and the excluded ones; with room
        for 64 columns beyond the board
    closed : (ceil(n / 64),) bitset, the columns without a queen that can move: holes, fixed queens, and beyond n
    blocks : the words of ``closed`` with columns that are not fixed; no entries without fixed queens
    columns, rows : (k,), the columns and rows of at most k holes
    ahead : (k,), for each hole, the column whose queen its next hop moves
    blocked : squares that must stay empty, see kernels/blocked.py
    """

    queens: int32[:]
    sums: uint64[:]
    differences: uint64[:]
    closed: uint64[:]
    blocks: uint32[:]
    columns: uint32[:]
    rows: uint32[:]
    ahead: uint32[:]
    blocked: uint64[:]


@kernel
def mark_diagonals(board: HoledBoard, first: int64, last: int64):
    """Mark the diagonals of the queens of columns ``first`` to last - 1; O(last - first)."""
    for column in range(np.uint64(first), np.uint64(last)):
        mark_queen(board, column, row_of(board, column))


@kernel
def start(state: uint64[:], seed: uint64, number: uint64, purpose: uint64):
    """Begin a chain of a run for a purpose of stream.py."""
    state[KEY] = stream_key(seed, number, purpose)


@kernel
def walk(board: HoledBoard, odds: uint64[:, :], state: uint64[:], most: int64) -> bool:
    """Try ``most`` hops or slightly more, until all planned visits to solutions are made; return whether they are.

    odds : (k + 1, 2), the probabilities in units of 2**-64 to try to put a queen back and to take one off, by m
    """
    return go_on(board, odds, state, most)


@inlined
def go_on(board, odds, state, most):
    """See :func:`walk`: the same for other kernels."""
    end = state[HOPS_TRIED] + np.uint64(most)
    while state[LEFT] > ZERO:
        if state[HOPS_TRIED] >= end:
            return False
        if state[HOLES] > ZERO:
            _hop_each(board, state)
        exchange(board, odds, state)
        state[ROUNDS] += ONE
        if state[HOLES] == ZERO:
            state[VISITS] += ONE
            state[LEFT] -= ONE
    return True


@inlined
def _hop_each(board, state):
    """Let each hole hop once."""
    holes = state[HOLES]
    key = state[KEY]
    at = state[ROUNDS] << _WORDS
    made = ZERO
    if state[FAR] == ZERO or holes < _THREE:
        for hole in range(holes):
            made += hop(board, hole, key, at + (hole << _TWO))
    else:
        third = holes // _THREE
        for hole in range(holes):
            _prefetch_next(board, _around(hole + third + third, holes), key, at, hole + third + third >= holes)
            _prefetch_row(board, _around(hole + third, holes))
            made += hop(board, hole, key, at + (hole << _TWO))
            _prefetch_lines(board, hole, key, at + (ONE << _WORDS) + (hole << _TWO))
    state[HOPS] += made
    state[HOPS_TRIED] += holes


@inlined
def _around(hole, holes):
    """Return the number of a hole, around the end if necessary."""
    return hole - holes if hole >= holes else hole


@inlined
def _draw_block(board, drawn):
    """Return the block that a random word chooses, by one of n columns or by number, and the rest of the word."""
    if len(board.blocks) == 0:
        columns = np.uint64(len(board.queens))
        return high_product(drawn, columns) >> SIX, drawn * columns
    blocks = np.uint64(len(board.blocks))
    return np.uint64(board.blocks[high_product(drawn, blocks)]), drawn * blocks


@inlined
def _candidates(board, block, row):
    """Return the columns of a block whose queen can move to a row."""
    return open_columns(board, block, row, ~board.closed[block])


@inlined
def open_columns(board, block, row, columns):
    """Return the columns of a block whose square in a row is not blocked and on no marked diagonal."""
    first = block << SIX
    n = np.uint64(len(board.queens))
    free = columns & ~(load_64(board.sums, first + row) | load_64(board.differences, first + n - row))
    if len(board.blocked) > 0:
        left = free
        while left != ZERO:
            bit = trailing_zeros(left)
            left &= left - ONE
            if is_blocked(board.blocked, first + bit, row):
                free ^= ONE << bit
    return free


@inlined
def _nth_bit(bits, number):
    """Return the set bit with ``number`` set bits below it."""
    for _ in range(number):
        bits &= bits - ONE
    return trailing_zeros(bits)


@inlined
def hop(board, hole, key, at):
    """Move a queen into the row of a hole; return whether a queen could move."""
    row = np.uint64(board.rows[hole])
    block, drawn = _draw_block(board, word(key, at))
    candidates = _candidates(board, block, row)
    count = count_ones(candidates)
    if count == ZERO:
        return ZERO
    bit = _nth_bit(candidates, high_product(drawn, count))
    column = (block << SIX) + bit
    old = row_of(board, column)
    # What could move back: the queen itself, and those that it will not attack in its new row.
    back = _candidates(board, block, old) | ONE << bit
    apart = row - old if row > old else old - row
    if apart <= SIXTY_THREE:
        if bit + apart <= SIXTY_THREE:
            back &= ~(ONE << (bit + apart))
        if bit >= apart:
            back &= ~(ONE << (bit - apart))
    if high_product(word(key, at + _TWO), count_ones(back)) >= count:
        return ZERO
    unmark_queen(board, column, old)
    mark_queen(board, column, row)
    board.queens[column] = row
    board.rows[hole] = old
    return ONE


@inlined
def _prefetch_marks(board, block, row):
    """Load the marks of the diagonals that cross a row in a block."""
    prefetch(board.sums, block + (row >> SIX))
    prefetch(board.differences, block + ((np.uint64(len(board.queens)) - row) >> SIX))


@inlined
def _prefetch_lines(board, hole, key, at):
    """Load the marks that the next hop of a hole needs."""
    block, _ = _draw_block(board, word(key, at))
    _prefetch_marks(board, block, np.uint64(board.rows[hole]))
    prefetch(board.closed, block)


@inlined
def _prefetch_next(board, hole, key, at, is_next):
    """Find the queen that the next hop of a hole will move, and load its row."""
    if is_next:
        at += ONE << _WORDS
    board.ahead[hole] = _prefetch_queen(board, hole, word(key, at + (hole << _TWO)))


@inlined
def _prefetch_queen(board, hole, drawn):
    """Load the row of the queen that a hop of a hole with a random word will move, and return its column."""
    block, drawn = _draw_block(board, drawn)
    candidates = _candidates(board, block, np.uint64(board.rows[hole]))
    count = count_ones(candidates)
    column = block << SIX
    if count > ZERO:
        column += _nth_bit(candidates, high_product(drawn, count))
    prefetch(board.queens, column)
    return column


@inlined
def _prefetch_row(board, hole):
    """Load the marks of the row that the queen will leave."""
    column = np.uint64(board.ahead[hole])
    _prefetch_marks(board, column >> SIX, np.uint64(board.queens[column]))


@inlined
def set_out(board, state):
    """Begin a step that keeps the number of holes: a random hole hops, a look draws one word, and a queen is relocated.

    On large boards, load the queen of the next hop, and the holes and the first queen of the step three steps later.
    """
    state[DRAWS] = state[ROUNDS] << _STEP
    if state[FAR] != ZERO:
        holes = state[HOLES]
        hole = high_product(_word_of_step(state, ONE, ONE), holes)
        _prefetch_queen(board, hole, word(state[KEY], (state[ROUNDS] + _TWO) << _TWO))
        for number in range(ONE, _FOUR):
            drawn = _word_of_step(state, _THREE, number)
            prefetch(board.rows, high_product(drawn, holes))
            prefetch(board.columns, high_product(drawn * holes, holes))
        prefetch(board.queens, high_product(_word_of_step(state, _THREE, _FOUR), np.uint64(len(board.queens))))


@inlined
def _word_of_step(state, steps, number):
    """Return a word for the exchange of a step that comes a few steps later."""
    return word(state[KEY], ((state[ROUNDS] + steps) << _STEP) + number << ONE | ONE)


@inlined
def hop_somewhere(board, state):
    """Let a random hole hop."""
    hole = high_product(next_word(state), state[HOLES])
    state[ROUNDS] += ONE
    state[HOPS] += hop(board, hole, state[KEY], state[ROUNDS] << _TWO)
    state[HOPS_TRIED] += ONE


@inlined
def exchange(board, odds, state):
    """Perhaps put a queen on the square of a hole column and a hole row, or take one off."""
    holes = state[HOLES]
    drawn = next_word(state)
    if drawn < odds[holes, 0]:
        state[INSERTS_TRIED] += ONE
        i, j = _draw_square(state, state[HOLES])
        state[INSERTS] += _put(board, state, i, j)
    elif drawn - odds[holes, 0] < odds[holes, 1]:
        _take_off(board, state)
        # To random places, so that every hole is equally likely to be filled last.
        i, j = _draw_square(state, state[HOLES])
        columns, rows = board.columns, board.rows
        columns[i], columns[holes] = columns[holes], columns[i]
        rows[j], rows[holes] = rows[holes], rows[j]


@inlined
def relocate(board, state):
    """Take a queen off, and put it on the square of a random hole column and a random hole row if it is free, or back.

    The column and the row that it leaves also become holes.
    """
    j, i = _draw_square(state, state[HOLES] + ONE)
    _take_off(board, state)
    if _put(board, state, i, j) == ZERO:
        last = state[HOLES] - ONE
        _put(board, state, last, last)


@inlined
def _take_off(board, state):
    """Take a random queen off, fixed ones excepted: its column and its row become the last holes."""
    holes = state[HOLES]
    column = _movable_column(board, state)
    row = row_of(board, column)
    unmark_queen(board, column, row)
    set_bit(board.closed, column)
    board.columns[holes], board.rows[holes] = column, row
    state[HOLES] = holes + ONE


@inlined
def _put(board, state, i, j):
    """Put a queen on the square of hole column i and hole row j if it is free; return whether it was.

    The last holes get these numbers.
    """
    last = state[HOLES] - ONE
    column, row = np.uint64(board.columns[i]), np.uint64(board.rows[j])
    difference = column + np.uint64(len(board.queens)) - row
    if is_set(board.sums, column + row) | is_set(board.differences, difference):
        return ZERO
    if is_blocked(board.blocked, column, row):
        return ZERO
    mark_queen(board, column, row)
    clear_bit(board.closed, column)
    board.queens[column] = row
    board.columns[i], board.rows[j] = board.columns[last], board.rows[last]
    state[HOLES] = last
    return ONE


@inlined
def _movable_column(board, state):
    """Draw a column with a queen that is not fixed, each with the same probability."""
    while True:
        drawn = next_word(state)
        if len(board.blocks) == 0:
            column = high_product(drawn, np.uint64(len(board.queens)))
        else:
            # Beyond the edge, columns are closed.
            block, drawn = _draw_block(board, drawn)
            column = (block << SIX) + (drawn >> _58)
        if not is_set(board.closed, column):
            return column


@inlined
def _draw_square(state, holes):
    """Draw the numbers of a hole column and of a hole row, each below ``holes``."""
    drawn = next_word(state)
    return high_product(drawn, holes), high_product(drawn * holes, holes)


@inlined
def next_word(state):
    """Return the next random word for an exchange."""
    state[DRAWS] += ONE
    return word(state[KEY], state[DRAWS] << ONE | ONE)


@inlined
def row_of(board, column):
    """Return the row of a queen; or the last row, to keep indices in arrays, if somebody has changed a mapped file."""
    return min(np.uint64(board.queens[column]), np.uint64(len(board.queens)) - ONE)


@inlined
def mark_queen(board, column, row):
    """Mark the diagonals of a square."""
    set_bit(board.sums, column + row)
    set_bit(board.differences, column + np.uint64(len(board.queens)) - row)


@inlined
def unmark_queen(board, column, row):
    """Take the marks off the diagonals of a queen."""
    clear_bit(board.sums, column + row)
    clear_bit(board.differences, column + np.uint64(len(board.queens)) - row)
