"""Slow, obvious references in plain Python, one for every fast path: what the kernels are compared with.

A board is a list: ``queens[c]`` is the row of the queen in column c, and n marks a column that is empty. Nothing
here knows NumPy, numba or a line of the package; nothing here is meant to be fast.
"""

from __future__ import annotations

from fractions import Fraction

WORD = 2**64


def queens_on(queens):
    """The squares (column, row) that hold a queen."""
    return [(column, row) for column, row in enumerate(queens) if row != len(queens)]


def attack(one, other):
    """Do two squares share a row or a diagonal?"""
    return one[1] == other[1] or abs(one[0] - other[0]) == abs(one[1] - other[1])


def attacking_pairs(queens):
    """All pairs of columns (left, right) whose queens share a line, once for each line: never more than one."""
    squares = queens_on(queens)
    return [(one[0], other[0]) for one in squares for other in squares if one[0] < other[0] and attack(one, other)]


def conflicting_queens(queens):
    """The columns whose queens attack at least one other."""
    return {column for pair in attacking_pairs(queens) for column in pair}


def first_attack(queens):
    """The attacking pair of the smallest right column, and of these the smallest left one; None without any."""
    return min(attacking_pairs(queens), key=lambda pair: (pair[1], pair[0]), default=None)


def cost(queens, column, row):
    """How many queens of other columns attack a square."""
    return sum(attack((column, row), square) for square in queens_on(queens) if square[0] != column)


def least_conflict_rows(queens, column):
    """The rows on which the queen of this column would be attacked least."""
    costs = [cost(queens, column, row) for row in range(len(queens))]
    return {row for row in range(len(queens)) if costs[row] == min(costs)}


def unused_rows(queens):
    """The rows without a queen."""
    return set(range(len(queens))) - {row for _, row in queens_on(queens)}


def rows(queens):
    """The row of each queen."""
    return [row for _, row in queens_on(queens)]


def sums(queens):
    """The sum diagonal c + r of each queen."""
    return [column + row for column, row in queens_on(queens)]


def differences(queens):
    """The difference diagonal r - c of each queen."""
    return [row - column for column, row in queens_on(queens)]


def line_table(queens, lines, line_of):
    """For each of so many lines: the number of queens on it, and the XOR of their columns."""
    table = [[0, 0] for _ in range(lines)]
    for column, row in queens_on(queens):
        entry = table[line_of(column, row)]
        entry[0] += 1
        entry[1] ^= column
    return table


def completions(n, given, queens=()):
    """All boards of n on which no queen attacks another and the given ones, {column: row}, stand."""
    column = len(queens)
    if column == n:
        return [list(queens)]
    rows_to_try = [given[column]] if column in given else range(n)
    fitting = [row for row in rows_to_try if not any(attack((column, row), square) for square in enumerate(queens))]
    return [board for row in fitting for board in completions(n, given, (*queens, row))]


def closed_columns(n, given):
    """The columns without a queen, each square of which a given queen, {column: row}, attacks."""
    return [
        column
        for column in range(n)
        if column not in given
        and all(any(attack((column, row), square) for square in given.items()) for row in range(n))
    ]


def splitmix(state):
    """The first output of SplitMix64 seeded with ``state``."""
    mixed = (state + 0x9E3779B97F4A7C15) % WORD
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % WORD
    return mixed ^ (mixed >> 31)


def word(key, index):
    """Word ``index`` of the wyrand stream that begins at ``key``."""
    state = (key + index * 0xA0761D6478BD642F) % WORD
    product = state * (state ^ 0xE7037ED1A0B428DB)
    return (product // WORD) ^ (product % WORD)


def below(random_word, bound):
    """A number from 0 to bound - 1."""
    return random_word * bound // WORD


def stream_key(seed, attempt, purpose):
    """The key of the stream for a purpose: 0 placement, 1 unused rows, 2 search."""
    return splitmix((splitmix(seed) + 4 * attempt + purpose) % WORD)


def windowed(n, seed, attempt):
    """The windowed placement, one square after the other; a column set aside holds n."""
    key = stream_key(seed, attempt, 0)
    queens = []
    for column in range(n):
        tries = (_row_in_window(queens, n, word(key, 8 * column + draw)) for draw in range(8))
        queens.append(next((row for row in tries if row is not None), n))
    return queens


def _row_in_window(queens, n, random):
    """The first row of a window, from a random one on and around its end, that costs the next column no conflict."""
    column = len(queens)
    squares = [(left, row) for left, row in enumerate(queens) if row != n]
    first_row = 64 * below(random, -(-n // 64))
    begin = random % 64 * min(n, 64) // 64
    for step in range(64):
        row = first_row + (begin + step) % 64
        if row < n and not any(attack((column, row), square) for square in squares):
            return row
    return None


def permutation(n, seed, attempt):
    """All rows in a random order: each column in turn swaps with one up to itself."""
    key = stream_key(seed, attempt, 0)
    order = list(range(n))
    for column in range(n):
        other = below(word(key, column), column + 1)
        order[column], order[other] = order[other], order[column]
    return order


def uniform_start_boards(n, queens=()):
    """Every board of the uniform start with its exact probability, as {board: Fraction}."""
    if len(queens) == n:
        return {queens: Fraction(1)}
    column = len(queens)
    choices = least_conflict_rows([*queens, *[n] * (n - column)], column)
    return {
        board: probability / len(choices)
        for row in sorted(choices)
        for board, probability in uniform_start_boards(n, (*queens, row)).items()
    }
