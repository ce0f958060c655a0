"""Descent of the queen that attacks most, compiled: the climbs of ``fastqueens descend``.

Vocabulary: ``queens[c]`` is the row of the queen in column c. A queen attacks every other queen that shares its row or
a diagonal, whatever stands in between. ``lines`` counts the queens on each row and diagonal, so that the attacks from a
square are three numbers added. ``floors[c]``: from no other row of column c would its queen attack fewer than so many.
All arrays are int64.
"""

from __future__ import annotations

import numpy as np

from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.search import SOLVED, STAGNANT, UNDER_WAY

LINES_A_QUEEN = 5


@kernel
def prepare(queens, lines, floors):
    """Count the queens on each line; nothing is known of the columns yet.

    lines : (LINES_A_QUEEN * n,) array, overwritten
    floors : (n,) array, overwritten

    O(n).
    """
    lines[:] = 0
    floors[:] = 0
    for column in range(len(queens)):
        _add(lines, _lines_of(len(queens), column, queens[column]), 1)


@kernel
def descend(queens, lines, floors, moves):
    """Move, as often as ``moves`` has room, a queen that attacks most others to where it attacks fewest.

    The leftmost of these queens that can attack fewer moves, to the smallest of its best rows.

    queens : (n,) array, modified
    lines, floors : as prepare made them; kept up to date
    moves : (most, 2) array; column and new row of each move are written into it

    Returns a status (SOLVED, STAGNANT where no such queen can move, or UNDER_WAY) and the number of moves made. O(n) a
    move; a column that was scanned in vain is scanned again only when its floor falls or the most attacks rise.
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


@part
def _most_attacks(queens, lines):
    """Find the largest number of queens that one queen attacks."""
    most = np.int64(0)
    for column in range(len(queens)):
        most = max(most, _attacks_of(queens, lines, column))
    return most


@part
def _next_move(queens, lines, floors, most):
    """Find the leftmost queen that attacks ``most`` others and can attack fewer, and its row then; n where none can."""
    n = len(queens)
    for column in range(n):
        if floors[column] < most and _attacks_of(queens, lines, column) == most:
            row, floors[column] = _best_row(queens, lines, column)
            if floors[column] < most:
                return column, row
    return n, n


@part
def _best_row(queens, lines, column):
    """Find the smallest other row from which a queen attacks fewest, and how many."""
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


@part
def _lower_floors(queens, lines, floors, moved, earlier_row):
    """Bring the floors up to date after a move: they can fall only on the lines that the queen has left.

    Its own stays: on the row that it has left it attacked more than it could on the best one.
    """
    n = len(queens)
    for column in range(n):
        if floors[column] > 0:
            away = column - moved
            for row in (earlier_row, earlier_row + away, earlier_row - away):
                if 0 <= row < n and row != queens[column]:
                    floors[column] = min(floors[column], _queens_on(lines, _lines_of(n, column, row)))


@part
def _attacks_of(queens, lines, column):
    """Count the queens that one queen attacks: it stands itself on each of its three lines."""
    return _queens_on(lines, _lines_of(len(queens), column, queens[column])) - 3


@part
def _queens_on(lines, three):
    """Count the queens on three lines."""
    return lines[three[0]] + lines[three[1]] + lines[three[2]]


@part
def _add(lines, three, queens):
    """Add a number of queens, which may be negative, to three lines."""
    lines[three[0]] += queens
    lines[three[1]] += queens
    lines[three[2]] += queens


@part
def _lines_of(n, column, row):
    """The row and the two diagonals through a square, as places in ``lines``."""
    return row, n + column + row, 4 * n + row - column
