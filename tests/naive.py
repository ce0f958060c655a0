"""Slow, obvious references in plain Python, one for every fast path: tests compare the kernels with them.

A board is a list: ``queens[c]`` is the row of the queen in column c, and n marks an empty column. This module uses
neither NumPy nor numba nor the package.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

WORD = 2**64


def queens_on(queens):
    """Return the squares (column, row) that hold a queen."""
    return [(column, row) for column, row in enumerate(queens) if row != len(queens)]


def attack(one, other):
    """Return whether two squares share a row or a diagonal."""
    return one[1] == other[1] or abs(one[0] - other[0]) == abs(one[1] - other[1])


def attacking_pairs(queens):
    """Return all pairs of columns (left, right) whose queens share a line; two queens share at most one."""
    squares = queens_on(queens)
    return [(one[0], other[0]) for one in squares for other in squares if one[0] < other[0] and attack(one, other)]


def conflicting_queens(queens):
    """Return the columns whose queens attack at least one other."""
    return {column for pair in attacking_pairs(queens) for column in pair}


def first_attack(queens):
    """Return the attacking pair with the smallest right column, then the smallest left one; None if there is none."""
    return min(attacking_pairs(queens), key=lambda pair: (pair[1], pair[0]), default=None)


def cost(queens, column, row):
    """Return how many queens of other columns attack a square."""
    return sum(attack((column, row), square) for square in queens_on(queens) if square[0] != column)


def least_conflict_rows(queens, column):
    """Return the rows on which the fewest queens would attack the queen of this column."""
    costs = [cost(queens, column, row) for row in range(len(queens))]
    return {row for row in range(len(queens)) if costs[row] == min(costs)}


def unused_rows(queens):
    """Return the rows without a queen."""
    return set(range(len(queens))) - {row for _, row in queens_on(queens)}


def rows(queens):
    """Return the row of each queen."""
    return [row for _, row in queens_on(queens)]


def sums(queens):
    """Return the sum diagonal c + r of each queen."""
    return [column + row for column, row in queens_on(queens)]


def differences(queens):
    """Return the difference diagonal r - c of each queen."""
    return [row - column for column, row in queens_on(queens)]


def line_table(queens, lines, line_of):
    """Return for each line the number of its queens and the XOR of their columns."""
    table = [[0, 0] for _ in range(lines)]
    for column, row in queens_on(queens):
        entry = table[line_of(column, row)]
        entry[0] += 1
        entry[1] ^= column
    return table


def completions(n, fixed, queens=()):
    """Return all solutions of n with these fixed queens, {column: row}."""
    column = len(queens)
    if column == n:
        return [list(queens)]
    rows_to_try = [fixed[column]] if column in fixed else range(n)
    fitting = [row for row in rows_to_try if not any(attack((column, row), square) for square in enumerate(queens))]
    return [board for row in fitting for board in completions(n, fixed, (*queens, row))]


def closed_columns(n, fixed):
    """Return the columns without a fixed queen, {column: row}, and with fixed queens attacking every square."""
    return [
        column
        for column in range(n)
        if column not in fixed
        and all(any(attack((column, row), square) for square in fixed.items()) for row in range(n))
    ]


def splitmix(state):
    """Return the first output of SplitMix64 seeded with ``state``."""
    mixed = (state + 0x9E3779B97F4A7C15) % WORD
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % WORD
    return mixed ^ (mixed >> 31)


def word(key, index):
    """Return word ``index`` of the wyrand stream ``key``."""
    state = (key + index * 0xA0761D6478BD642F) % WORD
    product = state * (state ^ 0xE7037ED1A0B428DB)
    return (product // WORD) ^ (product % WORD)


def below(random_word, bound):
    """Map a random word to a number from 0 to bound - 1."""
    return random_word * bound // WORD


def stream_key(seed, attempt, purpose):
    """Return the key of the stream for a purpose: 0 placement, 1 unused rows, 2 search, 2**62 mixing."""
    return splitmix((splitmix(seed) + 4 * attempt + purpose) % WORD)


def energy(queens):
    """Return the surplus queens of all diagonals: all but one of each diagonal that holds queens."""
    return 2 * len(queens) - len(set(sums(queens))) - len(set(differences(queens)))


def energies(n):
    """Return how many of all permutations have which energy, as {energy: permutations}."""
    found = {}
    for queens in permutations(range(n)):
        of_board = energy(queens)
        found[of_board] = found.get(of_board, 0) + 1
    return found


def swap_chain(queens, t, key, first, last, most_on_diagonal=128):
    """Make proposals first to last - 1 of the Metropolis chain at t, a fraction, with swaps of the rows of two columns.

    Returns the last board, the energies of all boards, the accepted proposals, and the sum over all proposals of their
    rise of the energy, if accepted, less its mean.
    """
    n = len(queens)
    queens = list(queens)
    visited, accepted, excess = [], 0, Fraction(0)
    for proposal in range(first, last):
        drawn = word(key, 2 * proposal)
        left = (drawn >> 32) * n >> 32
        right = (drawn % 2**32) * (n - 1) >> 32
        right += right >= left
        swapped = list(queens)
        swapped[left], swapped[right] = queens[right], queens[left]
        change = energy(swapped) - energy(queens)
        rise = max(change, 0)
        if word(key, 2 * proposal + 1) >> 1 < t**rise * 2**63:
            # A diagonal with 128 queens gets no further one.
            to_lines = [sums(queens).count(c + swapped[c]) for c in (left, right)]
            to_lines += [differences(queens).count(swapped[c] - c) for c in (left, right)]
            if max(to_lines) < most_on_diagonal:
                queens = swapped
                accepted += 1
                excess += rise
        excess -= rise * t**rise
        visited.append(energy(queens))
    return queens, visited, accepted, excess


def windowed(n, seed, attempt):
    """Return a windowed placement, made square by square; a column set aside has row n."""
    key = stream_key(seed, attempt, 0)
    queens = []
    for column in range(n):
        tries = (_row_in_window(queens, n, word(key, 8 * column + draw)) for draw in range(8))
        queens.append(next((row for row in tries if row is not None), n))
    return queens


def _row_in_window(queens, n, random):
    """Return the first unattacked row of the next column in a random window, from a random row on; None without any."""
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
    """Return all rows in random order: each column in turn swaps with one up to itself."""
    key = stream_key(seed, attempt, 0)
    order = list(range(n))
    for column in range(n):
        other = below(word(key, column), column + 1)
        order[column], order[other] = order[other], order[column]
    return order


def uniform_start_boards(n, queens=()):
    """Return every board of the uniform start with its exact probability, as {board: Fraction}."""
    if len(queens) == n:
        return {queens: Fraction(1)}
    column = len(queens)
    choices = least_conflict_rows([*queens, *[n] * (n - column)], column)
    return {
        board: probability / len(choices)
        for row in sorted(choices)
        for board, probability in uniform_start_boards(n, (*queens, row)).items()
    }


def surplus(queens, blocked=(), excluded=((), ())):
    """Return how many queens are surplus: k - 1 of k on a diagonal, and those on blocked squares.

    An excluded diagonal counts as if it held one more queen. ``excluded`` are the sum and the difference diagonals. The
    board has no empty columns.
    """
    return len(surplus_lines(queens, blocked, excluded))


def surplus_lines(queens, blocked=(), excluded=((), ())):
    """Return the lines of all surplus queens: ("sum", c + r), ("difference", r - c) or ("blocked", c), sorted."""
    lines = [("blocked", column) for column, row in enumerate(queens) if (column, row) in blocked]
    for kind, of_queens, of_nobody in (("sum", sums, excluded[0]), ("difference", differences, excluded[1])):
        for line, count in Counter([*of_queens(queens), *of_nobody]).items():
            lines += [(kind, line)] * (count - 1)
    return sorted(lines)


def odds_of_rises(columns):
    """Return t, the chance that the chain accepts that E rises by one, for so many columns without a fixed queen."""
    return min(Fraction(3, 10), max(Fraction(20, columns**2), Fraction(5, 52 * columns)))


def chance(rise, t):
    """Return the chance that the chain accepts a proposal by which E changes from e to e + rise."""
    return t**rise if rise > 0 else Fraction(1)


class Mixing:
    """The chain of solving/mixing_kernel.py, one proposal at a time; E is counted anew on every board.

    ``window`` is the number of columns in a window and of proposals in a phase.
    """

    MOST_SURPLUS = 256

    def __init__(self, queens, seed, number, window, fixed=(), blocked=(), excluded=((), ())):
        self.queens = list(queens)
        self.columns = [column for column in range(len(queens)) if column not in fixed]
        self.window, self.blocked, self.excluded = window, set(map(tuple, blocked)), tuple(map(set, excluded))
        self.t = odds_of_rises(len(self.columns))
        self.surplus = 0
        self.left = self.phase_left = self.draws = self.other_draws = 0
        self.from_solutions = self.proposals = self.accepted = 0
        self.key = stream_key(seed, number, 2**62)
        # The chances that none of 1, 2, ..., 256 proposals may raise E, in units of 2**-64.
        self.waits = [(1 - self.t) ** k * WORD for k in range(1, 257)]
        self.until_rise = self._wait()

    def advance(self, most):
        """Make at most so many proposals; return whether none is left to count and the board is a solution."""
        for _ in range(most):
            if not (self.left or self.surplus):
                return True
            self._propose()
        return not (self.left or self.surplus)

    def _columns_word(self):
        """Return the word for the columns of the next proposal."""
        self.draws += 1
        return word(self.key, 2 * self.draws)

    def _next_word(self):
        """Return the next word for any other purpose."""
        self.other_draws += 1
        return word(self.key, 2 * self.other_draws + 1)

    def _wait(self):
        """Draw how many proposals may not raise E before one that may: each may with chance t."""
        drawn = self._next_word()
        if drawn < self.waits[-1]:
            return len(self.waits) + self._wait()
        return next(k for k, none in enumerate(self.waits) if drawn >= none)

    def _propose(self):
        if not self.surplus and not self.phase_left:
            self.starts = [half * len(self.columns) >> 32 for half in divmod(self._next_word(), 2**32)]
            self.phase_left = self.window
        is_within_windows = not self.surplus and self.until_rise
        starts, width = (self.starts, self.window) if is_within_windows else ((0, 0), len(self.columns))
        halves = divmod(self._columns_word(), 2**32)
        a, b = (self._column(start, width, half) for start, half in zip(starts, halves, strict=True))
        swapped = list(self.queens)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        after = surplus(swapped, self.blocked, self.excluded)
        rise = after - self.surplus
        is_accepted = self._accepts(rise) if self.surplus else self._accepts_from_solution(rise)
        if not self.surplus:
            self.phase_left -= 1
            self.left -= 1
            self.from_solutions += 1
        self.proposals += 1
        if a != b and is_accepted and after <= self.MOST_SURPLUS:
            self.queens, self.surplus = swapped, after
            self.accepted += 1

    def _accepts_from_solution(self, rise):
        """Return whether a proposal from a solution is accepted: it was drawn before if E may rise by one."""
        if self.until_rise:
            self.until_rise -= 1
            return rise <= 0
        is_accepted = self._accepts(rise - 1)
        self.until_rise = self._wait()
        return is_accepted

    def _accepts(self, rise):
        """Return whether a proposal is accepted: a word is drawn unless it is certain."""
        return chance(rise, self.t) == 1 or self._next_word() < chance(rise, self.t) * WORD

    def _column(self, start, width, half):
        """Return the column that 32 random bits choose from a window, which may go around the end."""
        place = start + (half * min(width, len(self.columns)) >> 32)
        return self.columns[place % len(self.columns)]
