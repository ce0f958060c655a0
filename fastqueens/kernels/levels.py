"""How often the square of a hole column and a hole row is free: with a fixed number of holes, or on a walk over all.

docs/number-of-solutions.md tells what follows from it. kernels/holes.py describes ``board`` and ``state``. A *cell* is
a row of a hole in a block of 64 columns.
"""

from __future__ import annotations

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens.kernels.bits import ONE, ZERO, count_ones, high_product
from fastqueens.kernels.holes import HOLES, exchange, hop_somewhere, next_word, open_columns, relocate, set_out

# Cells inspected after each hop; all cells if there are not more.
_CELLS = np.uint64(8)

# Exchanges tried after each look of a walk.
_EXCHANGES = 4


@kernel
def walk_over_levels(board, movable, odds, state, free, squares, most):
    """Make ``most`` steps: a hop, a look at some cells, and some exchanges or a relocation.

    movable : (ceil(n / 64),) uint64 bitset, the columns without a fixed queen
    odds : as in ``walk`` of kernels/holes.py; with no entries, queens are relocated, and the number of holes stays
    free, squares : uint64, by the number of holes: of the squares of hole columns and hole rows looked at, those that
        were free, and all; what belongs to more holes than there are entries is added to the last one
    """
    for _ in range(most):
        holes = state[HOLES]
        if len(odds) == 0:
            set_out(board, state)
        if holes > ZERO:
            hop_somewhere(board, state)
            at = min(holes, np.uint64(len(free)) - ONE)
            open_squares, all_squares = _look(board, movable, state)
            free[at] += open_squares
            squares[at] += all_squares
        if len(odds) == 0:
            relocate(board, state)
        else:
            for _ in range(_EXCHANGES):
                exchange(board, odds, state)


@inlined
def _look(board, movable, state):
    """Return how many squares of hole columns are free in consecutive cells, from a random one on, and how many all."""
    holes, blocks = state[HOLES], _block_count(board)
    drawn = next_word(state)
    hole, number = high_product(drawn, holes), high_product(drawn * holes, blocks)
    free = squares = ZERO
    for _ in range(min(holes * blocks, _CELLS)):
        block, row = _block_of(board, number), np.uint64(board.rows[hole])
        columns = board.closed[block] & movable[block]
        squares += count_ones(columns)
        free += count_ones(open_columns(board, block, row, columns))
        number += ONE
        if number == blocks:
            number = ZERO
            hole = hole + ONE if hole + ONE < holes else ZERO
    return free, squares


@inlined
def _block_count(board):
    """Return the number of blocks with columns that are not fixed."""
    return np.uint64(len(board.blocks) if len(board.blocks) > 0 else len(board.closed))


@inlined
def _block_of(board, number):
    """Return a block by its number among those with columns that are not fixed."""
    return np.uint64(board.blocks[number]) if len(board.blocks) > 0 else number
