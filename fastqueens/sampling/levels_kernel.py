"""How often the square of a hole column and a hole row is free: with a fixed number of holes, or on a walk over all.

docs/number-of-solutions.md tells what follows from it. ``board`` and ``state`` are those of holes_kernel.py. A *cell*
is a row of a hole in a block of 64 columns.
"""

from __future__ import annotations

import numpy as np

from fastqueens.jit.bits import ONE, ZERO, clear_bit, count_ones, high_product, set_bit
from fastqueens.jit.decorators import kernel, part
from fastqueens.solving.holes_kernel import (
    HOLES,
    HOPS,
    HOPS_TRIED,
    KEY,
    ROUNDS,
    block_count,
    block_of,
    exchange,
    hop,
    is_free,
    mark_queen,
    movable_column,
    next_word,
    open_columns,
    unmark_queen,
)

# Cells inspected after each hop. On a walk, all cells if there are at most _ALL_CELLS.
_CELLS = np.uint64(8)
_ALL_CELLS = np.uint64(64)

_TWO = np.uint64(2)


@kernel
def fill(board, odds, state, holes, most):
    """Put queens on free squares until ``holes`` holes are left, with a hop after each try; return whether it is so.

    odds : as in ``walk`` of holes_kernel.py
    """
    for _ in range(most):
        if state[HOLES] == np.uint64(holes):
            return True
        exchange(board, odds, state)
        if state[HOLES] > ZERO:
            _hop_somewhere(board, state)
    return state[HOLES] == np.uint64(holes)


@kernel
def measure(board, movable, state, most):
    """Make ``most`` hops and relocations; return the free squares of hole columns in the 8 cells inspected after each.

    movable : (ceil(n / 64),) uint64 bitset, the columns without a fixed queen
    """
    free = ZERO
    for _ in range(most):
        _hop_somewhere(board, state)
        _relocate(board, state)
        free += _look(board, movable, state, _CELLS)
    return np.int64(free)


@kernel
def walk_over_levels(board, movable, odds, state, free, cells, most):
    """Make ``most`` exchanges, each after a hop and a look; ``free`` and ``cells`` get what was seen with m holes.

    free, cells : (k + 1,) uint64, for 0 to k holes: the free squares of hole columns, and the cells looked at
    """
    for _ in range(most):
        holes = state[HOLES]
        if holes > ZERO:
            _hop_somewhere(board, state)
            all_cells = holes * block_count(board)
            looks = all_cells if all_cells <= _ALL_CELLS else _CELLS
            free[holes] += _look(board, movable, state, looks)
            cells[holes] += looks
        exchange(board, odds, state)


@part
def _hop_somewhere(board, state):
    """Let a random hole hop."""
    hole = high_product(next_word(state), state[HOLES])
    state[ROUNDS] += ONE
    state[HOPS] += hop(board, hole, state[KEY], state[ROUNDS] << _TWO)
    state[HOPS_TRIED] += ONE


@part
def _look(board, movable, state, looks):
    """Return how many squares of hole columns are free in consecutive cells, from a random one on."""
    blocks = block_count(board)
    drawn = next_word(state)
    hole = high_product(drawn, state[HOLES])
    number = high_product(drawn * state[HOLES], blocks)
    row = np.uint64(board.rows[hole])
    free = ZERO
    for _ in range(looks):
        block = block_of(board, number)
        free += count_ones(open_columns(board, block, row, board.closed[block] & movable[block]))
        number += ONE
        if number == blocks:
            number = ZERO
            hole = hole + ONE if hole + ONE < state[HOLES] else ZERO
            row = np.uint64(board.rows[hole])
    return free


@part
def _relocate(board, state):
    """Take a queen off, and put it on the square of a random hole column and a random hole row if it is free, or back.

    The column and the row that it leaves are holes, too.
    """
    column = movable_column(board, state)
    row = np.uint64(board.queens[column])
    unmark_queen(board, column, row)
    holes = state[HOLES]
    drawn = next_word(state)
    i, j = high_product(drawn, holes + ONE), high_product(drawn * (holes + ONE), holes + ONE)
    to_column = np.uint64(board.columns[i]) if i < holes else column
    to_row = np.uint64(board.rows[j]) if j < holes else row
    if not is_free(board, to_column, to_row):
        mark_queen(board, column, row)
        return
    mark_queen(board, to_column, to_row)
    if i < holes:
        board.columns[i] = column
        set_bit(board.closed, column)
        clear_bit(board.closed, to_column)
    if j < holes:
        board.rows[j] = row
    board.queens[to_column] = to_row
