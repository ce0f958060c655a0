"""Observations of a chain of boards with holes: solutions and features for ``sample``, free squares for ``estimate``.

kernels/holes.py describes ``board`` and ``state``. ``estimate`` counts how often the square of a hole column and a hole
row is free, with a fixed number of holes or on a walk over all; docs/explanation/number-of-solutions.md derives the
number of solutions from it. A *cell* is a row of a hole in a block of 64 columns.
"""

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import int32, int64, uint64
from fastqueens.kernels.bits import ONE, ZERO, count_ones, high_product
from fastqueens.kernels.holes import (
    HOLES,
    HOPS_TRIED,
    LEFT,
    SHIFT,
    TAKEN,
    HoledBoard,
    exchange,
    go_on,
    hop_somewhere,
    next_word,
    open_columns,
    relocate,
    set_out,
)

#: Numbers taken from a board for each observation: see :func:`sample`.
FEATURES = 4

# Cells inspected after each hop; all cells if there are not more.
_CELLS = np.uint64(8)

# Exchanges tried after each look of a walk.
_EXCHANGES = 4


@kernel
def sample(
    board: HoledBoard,
    odds: uint64[:, :],
    state: uint64[:],
    spacing: int64,
    boards: int32[:, :],
    features: int64[:, :, :],
    most: int64,
) -> bool:
    """Try ``most`` hops or some more, and observe the board at every ``spacing``-th visit to a solution.

    boards : (samples, n); it gets the board of every k-th observation
    features : (observed, k, FEATURES), for k observations of each of the first samples: two sums over all
        queens, which measure how far they are from the centre and on which diagonal, and the rows in the first and in
        the middle column

    An observation, which is O(n), takes the place of n hops, so that a call does not take longer if ``spacing`` is
    small. The first call needs the visits before the first observation in state[LEFT]. Returns whether all observations
    are made.
    """
    n = np.uint64(len(board.queens))
    each = np.uint64(features.shape[1])
    end = state[HOPS_TRIED] + np.uint64(most)
    while state[TAKEN] < each * np.uint64(len(boards)) and state[HOPS_TRIED] < end:
        if not go_on(board, odds, state, end - state[HOPS_TRIED]):
            return False
        at, number = state[TAKEN] // each, state[TAKEN] % each
        if at < np.uint64(len(features)):
            _observe(board.queens, state[SHIFT], features, at, number)
        if number == each - ONE:
            for column in range(n):
                boards[at, column] = board.queens[column]
        state[TAKEN] += ONE
        state[LEFT] = np.uint64(spacing)
        end -= min(n, end - state[HOPS_TRIED])
    return state[TAKEN] == each * np.uint64(len(boards))


@inlined
def _observe(queens, shift, features, at, number):
    """Write the features of a board."""
    n = len(queens)
    shift = np.int64(shift)
    from_centre = 0
    on_diagonal = 0
    for column in range(n):
        x = (2 * column - n + 1) >> shift
        y = (2 * np.int64(queens[column]) - n + 1) >> shift
        from_centre += abs(x) * abs(y)
        on_diagonal += x * y
    features[at, number, 0] = from_centre
    features[at, number, 1] = on_diagonal
    features[at, number, 2] = queens[0]
    features[at, number, 3] = queens[n // 2]


@kernel
def walk_over_levels(
    board: HoledBoard,
    movable: uint64[:],
    odds: uint64[:, :],
    state: uint64[:],
    free: uint64[:],
    squares: uint64[:],
    most: int64,
):
    """Make ``most`` steps: a hop, a look at some cells, and some exchanges or a relocation.

    movable : (ceil(n / 64),) bitset, the columns without a fixed queen
    odds : as in ``walk`` of kernels/holes.py; with no entries, queens are relocated, and the number of holes stays
    free, squares : for each number of holes, the free ones and all of the observed squares of hole columns and hole
    rows; the last entry includes larger numbers of holes
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
    """Count the unattacked squares and all squares of hole columns in consecutive cells, from a random cell on."""
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
