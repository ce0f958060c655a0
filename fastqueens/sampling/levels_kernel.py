"""How often the square of a hole column and a hole row is free: with a fixed number of holes, or on a walk over all.

docs/number-of-solutions.md tells what follows from it. ``board`` and ``state`` are those of holes_kernel.py. A *cell*
is a row of a hole in a block of 64 columns.
"""

from __future__ import annotations

import numpy as np

from fastqueens.jit.bits import ONE, ZERO, count_ones, high_product
from fastqueens.jit.decorators import kernel, part
from fastqueens.solving.holes_kernel import HOLES, exchange, hop_somewhere, next_word, open_columns, relocate

# Cells inspected after each hop. On a walk, all cells if there are at most _ALL_CELLS.
_CELLS = np.uint64(8)
_ALL_CELLS = np.uint64(64)


@kernel
def walk_over_levels(board, movable, odds, state, free, cells, most):
    """Make ``most`` exchanges or relocations, each after a hop and a look at some cells.

    movable : (ceil(n / 64),) uint64 bitset, the columns without a fixed queen
    odds : as in ``walk`` of holes_kernel.py; with no entries, queens are relocated, and the number of holes stays
    free, cells : uint64, the free squares of hole columns that were seen with m holes, and the cells looked at; what
        belongs to more holes than there are entries is added to the last one
    """
    for _ in range(most):
        holes = state[HOLES]
        if holes > ZERO:
            hop_somewhere(board, state)
            all_cells = holes * _block_count(board)
            looks = all_cells if len(odds) > 0 and all_cells <= _ALL_CELLS else _CELLS
            at = min(holes, np.uint64(len(free)) - ONE)
            free[at] += _look(board, movable, state, looks)
            cells[at] += looks
        if len(odds) > 0:
            exchange(board, odds, state)
        else:
            relocate(board, state)


@part
def _look(board, movable, state, looks):
    """Return how many squares of hole columns are free in consecutive cells, from a random one on."""
    blocks = _block_count(board)
    drawn = next_word(state)
    hole = high_product(drawn, state[HOLES])
    number = high_product(drawn * state[HOLES], blocks)
    free = ZERO
    for _ in range(looks):
        block, row = _block_of(board, number), np.uint64(board.rows[hole])
        free += count_ones(open_columns(board, block, row, board.closed[block] & movable[block]))
        number += ONE
        if number == blocks:
            number = ZERO
            hole = hole + ONE if hole + ONE < state[HOLES] else ZERO
    return free


@part
def _block_count(board):
    """Return the number of blocks with columns that are not fixed."""
    return np.uint64(len(board.blocks) if len(board.blocks) > 0 else len(board.closed))


@part
def _block_of(board, number):
    """Return a block by its number among those with columns that are not fixed."""
    return np.uint64(board.blocks[number]) if len(board.blocks) > 0 else number
