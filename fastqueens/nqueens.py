"""Hill climbing with a static point: the five functions of a classic assignment, in a file that needs only Python.

A state is a list of n rows: ``state[c]`` is the row of the queen in column c, both counted from 0. The queen on the
static point (column ``static_x``, row ``static_y``) never moves. The other queens move up or down in their columns, one
tile at a time. As the assignment requires, :func:`n_queens` and :func:`n_queens_restart` print their results.

All functions raise ValueError if a row or the static point is not on the board, or if n or k is less than 1.
"""

from __future__ import annotations

import operator
import random
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any


def succ(state: Sequence[int], static_x: int, static_y: int) -> list[list[int]]:
    """Return the successors of a state: the states that differ in one queen, which moved one tile up or down.

    Parameters
    ----------
    state : sequence of n integers
        The row of the queen in each column, from 0. It is not changed.
    static_x, static_y : int
        Column and row of the static point; its queen never moves.

    Returns
    -------
    list of lists of n integers
        At most 2 (n - 1) states in ascending order. The list is empty if no queen is on the static point. The time is
        O(n^2).

    Examples
    --------
    >>> succ([0, 1, 2], 0, 0)
    [[0, 0, 2], [0, 1, 1], [0, 2, 2]]
    >>> succ([0, 1, 2], 0, 1)
    []
    """
    rows = _checked_state(state)
    static_x, static_y = _checked_static_point(len(rows), static_x, static_y)
    if rows[static_x] != static_y:
        return []
    return [_moved(rows, square) for square in _squares(rows, static_x) if square[0] != static_x]


def f(state: Sequence[int]) -> int:
    """Return the number of attacked queens in O(n) time. A queen attacks others even if a third stands between them.

    Examples
    --------
    >>> f([1, 2, 2]), f([0, 2, 0]), f([1, 3, 0, 2])
    (3, 2, 0)
    """
    rows = _checked_state(state)
    on_row = Counter(rows)
    on_sum = Counter(column + row for column, row in enumerate(rows))
    on_difference = Counter(row - column for column, row in enumerate(rows))
    return sum(
        on_row[row] > 1 or on_sum[column + row] > 1 or on_difference[row - column] > 1
        for column, row in enumerate(rows)
    )


def choose_next(curr: Sequence[int], static_x: int, static_y: int) -> list[int] | None:
    """Return the state with the least f among a state and its successors, and the lowest state if several are best.

    Parameters
    ----------
    curr : sequence of n integers
        The state. It is not changed.
    static_x, static_y : int
        Column and row of the static point.

    Returns
    -------
    list of n integers, or None
        None if no queen is on the static point. Each of the 2 n moves takes a few operations on sets of n bits.

    Examples
    --------
    >>> choose_next([1, 1, 2], 1, 1)
    [0, 1, 2]
    >>> choose_next([0, 2, 0], 0, 0)
    [0, 2, 0]
    """
    rows = _checked_state(curr)
    static_x, static_y = _checked_static_point(len(rows), static_x, static_y)
    return _step(rows, static_x)[1] if rows[static_x] == static_y else None


def n_queens(initial_state: Sequence[int], static_x: int, static_y: int) -> list[int]:
    """Climb from a state until f is 0 or a step does not change f. Print each state, and return the last.

    Parameters
    ----------
    initial_state : sequence of n integers
        The start. It is not changed.
    static_x, static_y : int
        Column and row of the static point. If no queen is on it, only the start is printed.

    Returns
    -------
    list of n integers

    Examples
    --------
    >>> n_queens([1, 3, 3, 3], 0, 1)
    [1, 3, 3, 3] - f=4
    [1, 3, 2, 3] - f=3
    [1, 3, 2, 2] - f=3
    [1, 3, 2, 2]
    """
    last: list[int] = []
    for score, last in climb(initial_state, static_x, static_y):
        print(f"{last} - f={score}")
    return last


def n_queens_restart(n: int, k: int, static_x: int, static_y: int) -> None:
    """Climb from up to k random states. Print the first solution or, if there is none, all best states in sorted order.

    The function seeds Python's ``random`` with 1, and therefore the same call prints the same result.

    Parameters
    ----------
    n : int
        Side of the board and number of queens.
    k : int
        The largest number of random states to try.
    static_x, static_y : int
        Column and row of the static point.

    Examples
    --------
    >>> n_queens_restart(7, 10, 0, 0)
    [0, 6, 1, 3, 5, 0, 4] - f=3
    """
    for score, state in best_states(n, k, static_x, static_y):
        print(f"{state} - f={score}")


# The same without printing


def climb(initial_state: Sequence[int], static_x: int, static_y: int) -> Iterator[tuple[int, list[int]]]:
    """Yield f and the state at the start and after each step, as :func:`n_queens` prints them."""
    start = _checked_state(initial_state)
    static_x, static_y = _checked_static_point(len(start), static_x, static_y)
    return _climb(start, static_x) if start[static_x] == static_y else iter([(f(start), start)])


def best_states(n: int, k: int, static_x: int, static_y: int) -> list[tuple[int, list[int]]]:
    """Return f and the state of the best ends of up to k climbs, as :func:`n_queens_restart` prints them."""
    n = _at_least_one(n, "n")
    k = _at_least_one(k, "k")
    static_x, static_y = _checked_static_point(n, static_x, static_y)
    random.seed(1)
    ends: list[tuple[int, list[int]]] = []
    for _ in range(k):
        start = [static_y if column == static_x else random.randint(0, n - 1) for column in range(n)]
        ends.append(deque(_climb(start, static_x), maxlen=1).pop())
        if ends[-1][0] == 0:
            break
    least = min(ends)[0]
    return sorted(end for end in ends if end[0] == least)


# Climbing


def _climb(state: list[int], static_x: int) -> Iterator[tuple[int, list[int]]]:
    before, score = None, f(state)
    yield score, state
    while score not in (0, before):
        before = score
        score, state = _step(state, static_x)
        yield score, state


def _step(state: list[int], static_x: int) -> tuple[int, list[int]]:
    """Make the best move, and return f and the state after it."""
    squares = _squares(state, static_x)
    scores = _scores(state, squares)
    least = min(scores)
    return least, _moved(state, squares[scores.index(least)])


def _squares(state: list[int], static_x: int) -> list[tuple[int, int]]:
    """Return the squares (column, row) to which a queen can move, in ascending order of the states after the move.

    The square of the static queen stands for the state itself, at the right place in this order.
    """
    last = len(state) - 1
    queens = [(column, row) for column, row in enumerate(state) if column != static_x]
    # A smaller row makes a lower state, and the further left the queen, the lower the state. For a larger row, the
    # order is reversed.
    lower = [(column, row - 1) for column, row in queens if row > 0]
    higher = [(column, row + 1) for column, row in reversed(queens) if row < last]
    return [*lower, (static_x, state[static_x]), *higher]


def _moved(state: list[int], square: tuple[int, int]) -> list[int]:
    """Return a new state with one queen on another row."""
    column, row = square
    return [*state[:column], row, *state[column + 1 :]]


def _scores(state: list[int], squares: list[tuple[int, int]]) -> list[int]:
    """Return, for each square, f of the state in which the queen of this column stands on the square.

    A set of queens is an integer here: bit c stands for the queen of column c.
    """
    n = len(state)
    # For half of the diagonals, row - column is negative and refers to the end of the list.
    on_row, on_sum, on_difference = [0] * n, [0] * (2 * n), [0] * (2 * n)
    for column, row in enumerate(state):
        queen = 1 << column
        on_row[row] |= queen
        on_sum[column + row] |= queen
        on_difference[row - column] |= queen

    def attackers_of(column: int, row: int) -> int:
        return (on_row[row] | on_sum[column + row] | on_difference[row - column]) & ~(1 << column)

    attacked = 0
    attacked_only_by = [0] * n
    for column, row in enumerate(state):
        attackers = attackers_of(column, row)
        if attackers:
            attacked |= 1 << column
        if attackers.bit_count() == 1:
            attacked_only_by[attackers.bit_length() - 1] |= 1 << column
    scores = []
    for column, row in squares:
        attackers = attackers_of(column, row)
        attacked_by_others = attacked & ~(attacked_only_by[column] | 1 << column)
        scores.append((attacked_by_others | attackers).bit_count() + (attackers != 0))
    return scores


# Validation


def _checked_state(state: Sequence[int]) -> list[int]:
    """Return a state as plain integers; raise ValueError if it is not a board."""
    rows = [_whole(row, f"state: the row in column {column}") for column, row in enumerate(state)]
    if not rows:
        raise ValueError("state is empty; it must have at least 1 queen")
    for column, row in enumerate(rows):
        if not 0 <= row < len(rows):
            raise ValueError(f"state: column {column} has row {row}; rows go from 0 to {len(rows) - 1}")
    return rows


def _checked_static_point(n: int, static_x: int, static_y: int) -> tuple[int, int]:
    """Return the static point as plain integers; raise ValueError if it is not on the board."""
    x, y = _whole(static_x, "static_x"), _whole(static_y, "static_y")
    for name, value in (("static_x", x), ("static_y", y)):
        if not 0 <= value < n:
            raise ValueError(f"{name} must be between 0 and {n - 1}, not {value}")
    return x, y


def _at_least_one(value: int, name: str) -> int:
    number = _whole(value, name)
    if number < 1:
        raise ValueError(f"{name} must be at least 1, not {number}")
    return number


def _whole(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None
