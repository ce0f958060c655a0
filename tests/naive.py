"""Slow, obvious references in plain Python, one for every fast path: tests compare the kernels with them.

A board is a list: ``queens[c]`` is the row of the queen in column c, and n marks an empty column. This module uses
neither NumPy nor numba nor the package.
"""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction

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


def move_costs(queens):
    """Return the pairs after every move of one queen to another row of its column, {(column, row): pairs}."""
    squares = itertools.product(range(len(queens)), repeat=2)
    moves = [(column, row) for column, row in squares if row != queens[column]]
    return {(c, r): len(attacking_pairs([*queens[:c], r, *queens[c + 1 :]])) for c, r in moves}


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
    """Return a stream's key; purposes: 0 placement, 1 unused rows, 2 search, 2**62 mixing, 2**63 estimating."""
    return splitmix((splitmix(seed) + 4 * attempt + purpose) % WORD)


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


def forbidden(instance):
    """Return a function that counts the blocked squares and excluded diagonals on which a square (column, row) is."""
    blocked = set(map(tuple, instance.blocked.tolist()))
    sums, differences = set(instance.excluded_sums.tolist()), set(instance.excluded_differences.tolist())
    return lambda column, row: ((column, row) in blocked) + (column + row in sums) + (row - column in differences)


class Holes:
    """The chain of kernels/holes.py with a set of queens, attacks found queen by queen, and the same random words.

    ``odds`` are the probabilities of :func:`fastqueens.chain.few_holes`, by the number of holes. With another
    ``purpose`` than mixing, the words come from another stream.
    """

    def __init__(self, queens, instance, seed, number, odds, purpose=2**62):
        self.n, self.instance, self.odds = len(queens), instance, odds
        self.queens = dict(enumerate(queens))
        self.fixed = set(instance.fixed.columns.tolist())
        self.forbidden = forbidden(instance)
        self.blocks = [block for block in range(-(-self.n // 64)) if set(self.columns_of(block)) - self.fixed]
        self.columns, self.rows = [], []
        self.rounds = self.draws = self.hops = self.hops_tried = self.visits = 0
        self.key = stream_key(seed, number, purpose)

    def columns_of(self, block):
        return range(64 * block, min(64 * block + 64, self.n))

    def next_word(self):
        self.draws += 1
        return word(self.key, 2 * self.draws + 1)

    def draw_block(self, drawn):
        """Return a block and the rest of the random word."""
        if not self.fixed:
            return below(drawn, self.n) // 64, drawn * self.n % WORD
        return self.blocks[below(drawn, len(self.blocks))], drawn * len(self.blocks) % WORD

    def is_free(self, column, row):
        """Return whether a square is allowed and no queen of another column is on its diagonals."""
        if self.forbidden(column, row):
            return False
        return all(abs(c - column) != abs(r - row) for c, r in self.queens.items() if c != column)

    def candidates(self, block, row):
        movable = [column for column in self.columns_of(block) if column in self.queens and column not in self.fixed]
        return [column for column in movable if self.is_free(column, row)]

    def hop(self, hole, at):
        """Let a hole hop, with the words ``at`` and ``at + 2``."""
        self.hops_tried += 1
        row = self.rows[hole]
        block, drawn = self.draw_block(word(self.key, at))
        there = self.candidates(block, row)
        if not there:
            return
        column = there[below(drawn, len(there))]
        old, self.queens[column] = self.queens[column], row
        back = self.candidates(block, old)
        if below(word(self.key, at + 2), len(back)) >= len(there):
            self.queens[column] = old
        else:
            self.rows[hole] = old
            self.hops += 1

    def exchange(self):
        m = len(self.columns)
        insert, remove = self.odds[m]
        drawn = self.next_word()
        if drawn < insert:
            drawn = self.next_word()
            i, j = below(drawn, m), below(drawn * m % WORD, m)
            if self.is_free(self.columns[i], self.rows[j]):
                self.queens[self.columns[i]] = self.rows[j]
                self.columns[i], self.rows[j] = self.columns[-1], self.rows[-1]
                del self.columns[-1], self.rows[-1]
        elif drawn - insert < remove:
            column = self.movable_column()
            row = self.queens.pop(column)
            drawn = self.next_word()
            i, j = below(drawn, m + 1), below(drawn * (m + 1) % WORD, m + 1)
            self.columns.append(column)
            self.rows.append(row)
            self.columns[i], self.columns[-1] = self.columns[-1], self.columns[i]
            self.rows[j], self.rows[-1] = self.rows[-1], self.rows[j]

    def movable_column(self):
        while True:
            drawn = self.next_word()
            if self.fixed:
                block, drawn = self.draw_block(drawn)
                column = 64 * block + drawn // 2**58
            else:
                column = below(drawn, self.n)
            if column in self.queens and column not in self.fixed:
                return column

    def round(self):
        """Let each hole hop, and exchange; return whether the board is a solution."""
        for hole in range(len(self.columns)):
            self.hop(hole, 2 * (self.rounds * 128 + 2 * hole))
        self.exchange()
        self.rounds += 1
        self.visits += not self.columns
        return not self.columns

    # Additions of kernels/sampling.py.

    def take_off_all(self):
        """Leave only the fixed queens."""
        self.columns = [column for column in range(self.n) if column not in self.fixed]
        self.rows = sorted(set(range(self.n)) - {self.queens[column] for column in self.fixed})
        self.queens = {column: self.queens[column] for column in self.fixed}

    def hop_somewhere(self):
        """Let a random hole hop."""
        hole = below(self.next_word(), len(self.columns))
        self.rounds += 1
        self.hop(hole, 4 * self.rounds)

    def look(self, most):
        """Return how many squares of hole columns are free in at most ``most`` cells from a random one on, and all."""
        cells = [(row, block) for row in self.rows for block in self.blocks]
        drawn = self.next_word()
        first = below(drawn, len(self.rows)) * len(self.blocks)
        first += below(drawn * len(self.rows) % WORD, len(self.blocks))
        seen = [cells[(first + step) % len(cells)] for step in range(min(most, len(cells)))]
        squares = [(column, row) for row, block in seen for column in self.columns if column // 64 == block]
        return sum(self.is_free(*square) for square in squares), len(squares)

    def relocate(self):
        """Take a queen off, and put it on a random hole column and hole row, its own included, or back."""
        drawn, ways = self.next_word(), len(self.columns) + 1
        j, i = below(drawn, ways), below(drawn * ways % WORD, ways)
        column = self.movable_column()
        row = self.queens.pop(column)
        columns, rows = [*self.columns, column], [*self.rows, row]
        if self.is_free(columns[i], rows[j]):
            self.queens[columns[i]] = rows[j]
            columns[i], rows[j] = column, row
            self.columns, self.rows = columns[:-1], rows[:-1]
        else:
            self.queens[column] = row

    def hop_on(self, hops):
        """Make a quarter of the hops, and visit solutions in proportion, at least as many as meanwhile."""
        begun, visited = self.hops, self.visits
        while self.hops - begun < hops // 4 or self.columns:
            self.round()
        visits, made = self.visits - visited, max(1, self.hops - begun)
        for _ in range(max(visits, visits * (hops - made) // made)):
            while not self.round():
                pass

    def board(self):
        """Return the rows by column; -1 for a hole."""
        return [self.queens.get(column, -1) for column in range(self.n)]


def boards_with_holes(instance):
    """Return all boards on which no two queens attack each other, with those that are fixed, as {(rows), ...} by m."""
    fixed, is_forbidden = dict(instance.fixed.squares.tolist()), forbidden(instance)
    boards = [()]
    for column in range(instance.n):
        rows_to_try = [row for row in range(instance.n) if not is_forbidden(column, row)]
        boards = [
            (*board, row)
            for board in boards
            for row in ([fixed[column]] if column in fixed else [*rows_to_try, -1])
            if row < 0 or not any(r >= 0 and attack((c, r), (column, row)) for c, r in enumerate(board))
        ]
    by_holes = {}
    for board in boards:
        by_holes.setdefault(board.count(-1), []).append(board)
    return by_holes


def free_hole_squares(board, instance):
    """Return the number of free squares of empty columns and empty rows: not attacked, not blocked, not excluded."""
    is_forbidden = forbidden(instance)
    queens = [(column, row) for column, row in enumerate(board) if row >= 0]
    empty = [(column, row) for column in range(len(board)) for row in range(len(board)) if board[column] < 0]
    return sum(not is_forbidden(*square) and not any(attack(queen, square) for queen in queens) for square in empty)


# Costs and systematic searches of the classroom; naive_climbs.py has its other algorithms.


@functools.cache
def pairs(board):
    """Return the cost of a board, a tuple."""
    return sum(attack(one, other) for one, other in itertools.combinations(enumerate(board), 2))


@functools.cache
def neighbours(board, moves):
    """Return the board after each move."""
    n = len(board)

    def changed(*squares):
        rows = dict(enumerate(board)) | dict(squares)
        return tuple(rows[column] for column in range(n))

    singles = [(column, row) for column in range(n) for row in range(n) if row != board[column]]
    couples = [(a, b) for a in range(n) for b in range(a + 1, n)]
    if moves == "column":
        return [changed(square) for square in singles]
    if moves == "step":
        return [changed(square) for square in singles if abs(square[1] - board[square[0]]) == 1]
    if moves == "swap":
        return [changed((a, board[b]), (b, board[a])) for a, b in couples]
    return [changed(one, other) for one in singles for other in singles if one[0] < other[0]]


def backtracking(n):
    """Return the assignments, the backtracks and the tested squares of the search for the first solution."""
    counts = [0, 0, 0]

    def solve(queens):
        if len(queens) == n:
            return True
        for row in range(n):
            counts[2] += 1
            if not any(attack((len(queens), row), square) for square in enumerate(queens)):
                counts[0] += 1
                if solve([*queens, row]):
                    return True
                counts[1] += 1
        return False

    solve([])
    return tuple(counts)


def forward_checking(n, fewest_first=False):
    """Return the same numbers; domains are sets that shrink."""
    counts = [0, 0, 0]

    def solve(domains):
        if not domains:
            return True
        column = min(domains, key=lambda c: (len(domains[c]), c)) if fewest_first else min(domains)
        for row in sorted(domains[column]):
            counts[0] += 1
            left = {}
            for other in sorted(set(domains) - {column}):
                counts[2] += len(domains[other])
                left[other] = {r for r in domains[other] if not attack((column, row), (other, r))}
                if not left[other]:
                    break
            if all(left.values()) and solve(left):
                return True
            counts[1] += 1
        return False

    solve({column: set(range(n)) for column in range(n)})
    return tuple(counts)
