"""Hill climbing with a static point: the climbs of ``nqueens.n_queens_restart``, compiled.

Vocabulary: ``queens[c]`` is the row of the queen in column c, int64. The score of a board is the number of queens that
are attacked. ``lines`` is a table of all rows and diagonals, int64: how many queens stand on each, and the XOR of their
columns, which names the one queen of a line that holds one. So a move is scored in O(1): lift the queen, put it down.
"""

from __future__ import annotations

from fastqueens.kernels.jit import kernel, part

LINES_A_QUEEN = 5

# What a climb ends with that is not at its end: no score is negative.
UNDER_WAY = -1

_COUNT = 0
_COLUMNS = 1


@kernel
def climb(queens, lines, static_column, max_steps):
    """Move one queen by one row at a time, to the least score, and of several to the lowest board.

    queens : (n,) int64 array, modified; the queen of ``static_column`` stays
    lines : (LINES_A_QUEEN * n, 2) int64 array to work in; what it holds does not matter

    Ends at score 0, or after the first step that keeps the score (it may lead to a lower board): returns the score.
    Returns UNDER_WAY where ``max_steps`` came first; then it can be called again. O(n) a step.
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
    """Enter all queens into their lines: the score of the board."""
    lines[:] = 0
    for column in range(len(queens)):
        _put_down(queens, lines, column)
    score = 0
    for column in range(len(queens)):
        score += _is_attacked(queens, lines, column)
    return score


@part
def _best_move(queens, lines, static_column, score):
    """Find the best move: column, row and the score after it; the static queen and its row where all others are worse.

    The boards that moves lead to, from the lowest: one row less, from the left; none; one row more, from the right.
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
            with_it = without + _score_of_putting(queens, lines, column, row - 1)
            if with_it < lower:
                lower, lower_column = with_it, column
        if row < len(queens) - 1:
            with_it = without + _score_of_putting(queens, lines, column, row + 1)
            if with_it <= higher:
                higher, higher_column = with_it, column
        _put_down(queens, lines, column)
    if lower <= score and lower <= higher:
        return lower_column, queens[lower_column] - 1, lower
    if higher < score:
        return higher_column, queens[higher_column] + 1, higher
    return static_column, queens[static_column], score


@part
def _score_of_putting(queens, lines, column, row):
    """Count the queens that come under attack where a lifted queen is put down, itself included."""
    count = 0
    for line in _lines_of(len(queens), column, row):
        count += lines[line, _COUNT]
    return _attacked_only_from(queens, lines, column, row) + (count > 0)


@part
def _attacked_only_from(queens, lines, column, row):
    """Count the queens that a queen on this square would attack and no other does; the square is empty now."""
    found = 0
    for line in _lines_of(len(queens), column, row):
        if lines[line, _COUNT] == 1 and not _is_attacked(queens, lines, lines[line, _COLUMNS]):
            found += 1
    return found


@part
def _is_attacked(queens, lines, column):
    """Whether another queen shares a line with that of a column."""
    most = 0
    for line in _lines_of(len(queens), column, queens[column]):
        most = max(most, lines[line, _COUNT])
    return most > 1


@part
def _put_down(queens, lines, column):
    """Enter a queen into its lines."""
    for line in _lines_of(len(queens), column, queens[column]):
        lines[line, _COUNT] += 1
        lines[line, _COLUMNS] ^= column


@part
def _lift(queens, lines, column):
    """Take a queen out of its lines."""
    for line in _lines_of(len(queens), column, queens[column]):
        lines[line, _COUNT] -= 1
        lines[line, _COLUMNS] ^= column


@part
def _lines_of(n, column, row):
    """The row and the two diagonals through a square, as places in ``lines``."""
    return row, n + column + row, 4 * n + row - column
