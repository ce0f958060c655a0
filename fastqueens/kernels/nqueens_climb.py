"""Hill climbing with a static point: the climbs of ``nqueens.n_queens_restart``.

``queens[c]`` is the row of the queen in column c. The score of a board is the number of conflicting queens. ``lines``
(see line_numbers.py) has two numbers for each line: how many queens are on it, and the XOR of their columns, which
names the queen of a line with only one. So the score of a move costs O(1). All arrays are int64.
"""

from __future__ import annotations

from fastqueens.kernels.jit import kernel, part
from fastqueens.kernels.line_numbers import lines_of

# Returned instead of a score by a climb that is not finished; no score is negative.
UNDER_WAY = -1

_COUNT = 0
_COLUMNS = 1


@kernel
def climb(queens, lines, static_column, max_steps):
    """Repeatedly move one queen by one row to the board of least score; of equal boards, to the lowest.

    queens : (n,) int64 array; modified, except for ``static_column``
    lines : (LINES_A_QUEEN * n, 2) int64 array, overwritten

    Ends at score 0, or after the first step that keeps the score (it may lead to a lower board), and returns the score.
    Returns UNDER_WAY after ``max_steps`` steps without an end; then call it again. O(n) a step.
    """
    score = _count_attacked(queens, lines)
    for _ in range(max_steps):
        if score == 0:
            return score
        column, row, least = _best_move(queens, lines, static_column, score)
        _lift(queens, lines, column)
        queens[column] = row
        _put_down(queens, lines, column)
        if least == score:
            return score
        score = least
    return UNDER_WAY


@part
def _count_attacked(queens, lines):
    """Count all queens on their lines and return the score of the board."""
    lines[:] = 0
    for column in range(len(queens)):
        _put_down(queens, lines, column)
    score = 0
    for column in range(len(queens)):
        score += _is_attacked(queens, lines, column)
    return score


@part
def _best_move(queens, lines, static_column, score):
    """Return column and row of the best move and the score after it; the static queen's square if all moves are worse.

    Boards from the lowest: one queen a row less, from the leftmost; no move; one queen a row more, from the rightmost.
    """
    lower, lower_column = score + 1, static_column
    higher, higher_column = score + 1, static_column
    for column in range(len(queens)):
        if column == static_column:
            continue
        row = queens[column]
        without = score - _is_attacked(queens, lines, column)
        _lift(queens, lines, column)
        without -= _attacked_only_from(queens, lines, column, row)
        if row > 0:
            with_it = without + _score_of_adding(queens, lines, column, row - 1)
            if with_it < lower:
                lower, lower_column = with_it, column
        if row < len(queens) - 1:
            with_it = without + _score_of_adding(queens, lines, column, row + 1)
            if with_it <= higher:
                higher, higher_column = with_it, column
        _put_down(queens, lines, column)
    if lower <= score and lower <= higher:
        return lower_column, queens[lower_column] - 1, lower
    if higher < score:
        return higher_column, queens[higher_column] + 1, higher
    return static_column, queens[static_column], score


@part
def _score_of_adding(queens, lines, column, row):
    """Return by how much the score rises if a lifted queen is put on a square, itself included."""
    count = 0
    for line in lines_of(len(queens), column, row):
        count += lines[line, _COUNT]
    return _attacked_only_from(queens, lines, column, row) + (count > 0)


@part
def _attacked_only_from(queens, lines, column, row):
    """Return how many queens would be attacked by a queen on this empty square and by no other."""
    found = 0
    for line in lines_of(len(queens), column, row):
        if lines[line, _COUNT] == 1 and not _is_attacked(queens, lines, lines[line, _COLUMNS]):
            found += 1
    return found


@part
def _is_attacked(queens, lines, column):
    """Return whether another queen attacks the queen of a column."""
    most = 0
    for line in lines_of(len(queens), column, queens[column]):
        most = max(most, lines[line, _COUNT])
    return most > 1


@part
def _put_down(queens, lines, column):
    """Count the queen of a column on its lines."""
    for line in lines_of(len(queens), column, queens[column]):
        lines[line, _COUNT] += 1
        lines[line, _COLUMNS] ^= column


@part
def _lift(queens, lines, column):
    """Take the queen of a column off its lines."""
    for line in lines_of(len(queens), column, queens[column]):
        lines[line, _COUNT] -= 1
        lines[line, _COLUMNS] ^= column
