"""Descent by the queen that attacks most: the climbs of ``fastqueens descend``.

``queens[c]`` is the row of the queen in column c. ``lines`` counts the queens on each of n rows, 2 n sum diagonals and
2 n difference diagonals, so that the attacks from a square are the sum of three numbers. ``floors[c]`` is a lower bound
on the queens that the queen of column c would attack from any other row. All arrays are int64.
"""

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import int64
from fastqueens.kernels.plateau import SOLVED, STAGNANT, UNDER_WAY, Advance

LINES_A_QUEEN = 5


@kernel
def prepare(queens: int64[:], lines: int64[:], floors: int64[:]):
    """Count the queens on each line in (LINES_A_QUEEN * n,) ``lines``, and set the (n,) ``floors`` to 0; O(n)."""
    lines[:] = 0
    floors[:] = 0
    for column in range(len(queens)):
        _add(lines, _lines_of(len(queens), column, queens[column]), 1)


@kernel
def descend(queens: int64[:], lines: int64[:], floors: int64[:], moves: int64[:, :]) -> Advance:
    """Move a queen with the most attacks to the row where it attacks fewest, as often as ``moves`` has room.

    If several queens have the most attacks, the leftmost that can attack fewer moves, to the smallest of its best rows.

    queens : (n,) array; modified
    lines, floors : as prepare made them; updated
    moves : (room, 2) array; gets column and new row of each move

    Returns (status, moves made); the status is SOLVED, STAGNANT if none of these queens can attack fewer, or UNDER_WAY.
    O(n) per move: a column scanned in vain is scanned again only if its floor falls or the most attacks rise.
    """
    n = len(queens)
    for made in range(len(moves)):
        most = _most_attacks(queens, lines)
        if most == 0:
            return SOLVED, made
        column, row = _next_move(queens, lines, floors, most)
        if column == n:
            return STAGNANT, made
        earlier_row = queens[column]
        queens[column] = row
        _add(lines, _lines_of(n, column, earlier_row), -1)
        _add(lines, _lines_of(n, column, row), 1)
        _lower_floors(queens, lines, floors, column, earlier_row)
        moves[made, 0] = column
        moves[made, 1] = row
    return UNDER_WAY, len(moves)


@inlined
def _lines_of(n, column, row):
    """Return the indices of the three lines through a square."""
    return row, n + column + row, 4 * n + row - column


@inlined
def _most_attacks(queens, lines):
    """Return the largest number of queens that one queen attacks."""
    most = np.int64(0)
    for column in range(len(queens)):
        most = max(most, _attacks_of(queens, lines, column))
    return most


@inlined
def _next_move(queens, lines, floors, most):
    """Return column and new row of the leftmost queen with ``most`` attacks that can attack fewer; n, n if none can."""
    n = len(queens)
    for column in range(n):
        if floors[column] < most and _attacks_of(queens, lines, column) == most:
            row, floors[column] = _best_row(queens, lines, column)
            if floors[column] < most:
                return column, row
    return n, n


@inlined
def _best_row(queens, lines, column):
    """Return the smallest other row from which a queen attacks fewest, and the number of its attacks there."""
    n = len(queens)
    best, least = n, 3 * n
    for row in range(n):
        if row != queens[column]:
            attacks = _queens_on(lines, _lines_of(n, column, row))
            if attacks < least:
                best, least = row, attacks
                if least == 0:
                    break
    return best, least


@inlined
def _lower_floors(queens, lines, floors, moved, earlier_row):
    """Update the floors after a move: only squares on the lines that the queen has left are attacked less.

    The floor of its own column stays: from the row it left, it attacked more than from its best row.
    """
    n = len(queens)
    for column in range(n):
        if floors[column] > 0:
            away = column - moved
            for row in (earlier_row, earlier_row + away, earlier_row - away):
                if 0 <= row < n and row != queens[column]:
                    floors[column] = min(floors[column], _queens_on(lines, _lines_of(n, column, row)))


@inlined
def _attacks_of(queens, lines, column):
    """Return the number of queens that one queen attacks; its three lines also count the queen itself."""
    return _queens_on(lines, _lines_of(len(queens), column, queens[column])) - 3


@inlined
def _queens_on(lines, three):
    """Return the number of queens on three lines."""
    return lines[three[0]] + lines[three[1]] + lines[three[2]]


@inlined
def _add(lines, three, queens):
    """Add a number of queens, 1 or -1, to three lines."""
    lines[three[0]] += queens
    lines[three[1]] += queens
    lines[three[2]] += queens
