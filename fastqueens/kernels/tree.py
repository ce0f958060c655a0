"""Complete search by backtracking: a solution, the proof that there is none, or the number of solutions.

The m columns and the m rows without a fixed queen are the lines. Column i is line i and row i is line w + i; w is 16,
32 or 64, and at least m. The domain of a line is a word of w bits: the rows on which a queen can stand in a column, or
the columns in which a queen can stand on a row. The domains of all lines are 2 w neighbouring words, so that few vector
instructions place a queen. A line that does not exist has one square forever.

A line with one square left gets its queen at once. Otherwise the search chooses a line with few squares, which attack
many others, and tries its squares one by one, beginning at a random one. In ascending order, queens gather at one edge:
with n = 60 and two fixed queens, the search would then try 74 squares or many millions.

An ordered search chooses the leftmost column and tries its squares in ascending order. It finds the solutions in
lexicographic order and tries about twice as many squares.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import Type, bundle, int64, uint16, uint64
from fastqueens.kernels import bits
from fastqueens.kernels.bits import ONE, ZERO
from fastqueens.kernels.blocked import is_blocked
from fastqueens.kernels.stream import below

# Statuses at the end of a slice.
UNDER_WAY = 0
FOUND = 1
EXHAUSTED = 2

# Indices of ``state``.
LEVEL = 0
NODES = 1
SOLUTIONS = 2
OFFSET = 3
ORDERED = 4
STATE_LENGTH = 5

#: The words that hold domains: of w bits.
Word = Type(np.uint16, np.uint32, np.uint64)

#: The line at level 0, where no queen is placed.
NO_LINE = -1

# The handicap, in 32nds of a square, of the line that attacks the fewest squares when the next line is chosen.
_SPREAD = 96

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

_CLOSED = np.uint64(2**64 - 2)
_COMPLETE = np.uint64(2**64 - 1)


@bundle
class Tree(NamedTuple):
    """The state of a search.

    keep : (m * m + 1, 2 w); row c m + r has the bits that a queen in column c on row r leaves in the domains,
        the last row all bits
    keys : (1, 2 w), the line, and 2 w times a number that is lower for lines to be preferred
    domains : (m + 2, 2 w), the domains at each level; level 0 is the instance
    settled : (m + 2, 2), the columns and the rows whose queens are placed
    line : (m + 2,), the line chosen at each level; NO_LINE at level 0
    untried : (m + 2,), the squares of that line that are not tried yet; 1 at level 0 before the search
    state : (STATE_LENGTH,); ORDERED is 1 in an ordered search
    """

    keep: Word[:, :]
    keys: Word[:, :]
    domains: Word[:, :]
    settled: uint64[:, :]
    line: int64[:]
    untried: uint64[:]
    state: int64[:]


@kernel
def begin_with(tree: Tree, squares: int64[:]):
    """Begin again with queens on these squares (column * m + row), which must not attack each other.

    squares : (k,)

    Modifies ``tree``, except for level 0. O(m) per queen.
    """
    m = len(tree.domains) - 2
    columns, rows = tree.settled[0, 0], tree.settled[0, 1]
    bits.narrow_lines(tree.domains, 1, 0, tree.keep, m * m)
    for square in squares:
        bits.narrow_lines(tree.domains, 1, 1, tree.keep, square)
        columns |= ONE << np.uint64(square // m)
        rows |= ONE << np.uint64(square % m)
    tree.settled[1, 0], tree.settled[1, 1] = columns, rows
    tree.line[1] = NO_LINE
    tree.untried[0], tree.untried[1] = ZERO, ONE
    tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS] = 1, 0, 0


@kernel
def search(tree: Tree, max_nodes: int64, wanted: int64, places: uint16[:, :]) -> int64:
    """Continue until ``wanted`` solutions have been found, the tree is exhausted, or ``max_nodes`` squares are tried.

    places : (k, m); set to the row of each column, for each of the first k solutions found in this call

    Depth first. Modifies ``tree``. Returns FOUND (the last solution is in the domains of level ``state[LEVEL] + 1``),
    EXHAUSTED or UNDER_WAY. The next call continues. About 15 ns per square for m at most 32.
    """
    w = np.int64(tree.domains.shape[1] >> 1)
    m = np.int64(len(tree.domains) - 2)
    level, nodes, solutions = tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS]
    first = solutions
    is_ordered = tree.state[ORDERED] != 0
    status = EXHAUSTED
    while level >= 0:
        rest = tree.untried[level]
        if rest == ZERO:
            level -= 1
            continue
        if nodes == max_nodes:
            status = UNDER_WAY
            break
        nodes += 1
        turn = ZERO if is_ordered else below(mixed(nodes + tree.state[OFFSET]), np.uint64(m))
        place = bits.rotated_first_bit(rest, turn)
        tree.untried[level] = rest & ~(ONE << place)
        key = _enter(tree, level, w, m, tree.line[level], np.int64(place))
        if key == _CLOSED:
            continue
        if key == _COMPLETE:
            if solutions - first < len(places):
                for column in range(m):
                    places[solutions - first, column] = bits.trailing_zeros(np.uint64(tree.domains[level + 1, column]))
            solutions += 1
            if solutions == wanted:
                status = FOUND
                break
            continue
        level += 1
        line = np.int64(key) & (2 * w - 1)
        if is_ordered:
            line = np.int64(bits.trailing_zeros(~tree.settled[level, 0]))
        tree.line[level] = line
        tree.untried[level] = np.uint64(tree.domains[level, line])
    tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS] = level, nodes, solutions
    return status


@inlined
def _enter(tree, level, w, m, line, place):
    """Place a queen on a line and all forced queens at the next level; return the key of the line to choose there."""
    to = level + 1
    columns, rows = tree.settled[level, 0], tree.settled[level, 1]
    square = m * m
    if line != NO_LINE:
        column, row = (line, place) if line < w else (place, line - w)
        square = column * m + row
        columns |= ONE << np.uint64(column)
        rows |= ONE << np.uint64(row)
    bits.narrow_lines(tree.domains, to, level, tree.keep, square)
    while True:
        is_closed, few_columns, few_rows = bits.examine_lines(tree.domains, to)
        if is_closed != ZERO:
            return _CLOSED
        few_columns &= ~columns
        few_rows &= ~rows
        if few_columns | few_rows == ZERO:
            break
        while few_columns != ZERO:
            column = np.int64(bits.trailing_zeros(few_columns))
            word = np.uint64(tree.domains[to, column])
            if word == ZERO:
                return _CLOSED
            row = np.int64(bits.trailing_zeros(word))
            bits.narrow_lines(tree.domains, to, to, tree.keep, column * m + row)
            few_columns &= few_columns - ONE
            columns |= ONE << np.uint64(column)
            few_rows &= ~(ONE << np.uint64(row))
            rows |= ONE << np.uint64(row)
        while few_rows != ZERO:
            row = np.int64(bits.trailing_zeros(few_rows))
            word = np.uint64(tree.domains[to, w + row])
            if word == ZERO:
                return _CLOSED
            column = np.int64(bits.trailing_zeros(word))
            bits.narrow_lines(tree.domains, to, to, tree.keep, column * m + row)
            few_rows &= few_rows - ONE
            rows |= ONE << np.uint64(row)
            columns |= ONE << np.uint64(column)
    tree.settled[to, 0] = columns
    tree.settled[to, 1] = rows
    return bits.least_line(tree.domains, to, tree.keys)


@inlined
def mixed(number):
    """Return 64 well mixed bits: Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4)."""
    return np.uint64(number) * _GOLDEN


@bundle
class Given(NamedTuple):
    """The constraints of an instance, as in :class:`fastqueens.instance.Instance` except for ``blocked``.

    blocked : see kernels/blocked.py
    """

    fixed_columns: int64[:]
    fixed_rows: int64[:]
    blocked: uint64[:]
    excluded_sums: int64[:]
    excluded_differences: int64[:]


@kernel
def prepare(tree: Tree, given: Given, n: int64, used: uint64[:, :], lines: int64[:, :], weights: int64[:]):
    """Write the tables, the state and level 0 of a search that has not begun.

    tree : without content; modified. Its later levels stay without content
    used : (3, n // 32 + 1), zeros: scratch space for used rows, sum and difference diagonals
    lines : (2, m); set to the columns and the rows without a fixed queen, ascending
    weights : (2 w,): scratch space

    O(n + k + m * m * (m + log k)) for k queens, squares and diagonals.
    """
    m = lines.shape[1]
    tree.state[:] = 0
    tree.line[0], tree.untried[0] = NO_LINE, ONE
    tree.settled[0, :] = ZERO if m == 64 else ~ZERO << np.uint64(m)
    _list_lines(given, n, used, lines)
    _open_squares(given, np.int64(n - 1), used, lines, tree.domains[0])
    _attack_tables(lines, tree.keep)
    _line_keys(tree.keep, m, tree.domains[0], weights, tree.keys[0])


@inlined
def _list_lines(given, n, used, lines):
    """List the lines without a fixed queen, and mark the rows and diagonals on which no other queen can stand."""
    rows, sums, differences = used[0], used[1], used[2]
    shift = np.int64(n - 1)
    column = 0
    m = 0
    for k in range(len(given.fixed_columns)):
        while column < given.fixed_columns[k]:
            lines[0, m] = column
            m += 1
            column += 1
        column += 1
        bits.set_bit(rows, np.uint64(given.fixed_rows[k]))
        bits.set_bit(sums, np.uint64(given.fixed_columns[k] + given.fixed_rows[k]))
        bits.set_bit(differences, np.uint64(given.fixed_rows[k] - given.fixed_columns[k] + shift))
    while column < n:
        lines[0, m] = column
        m += 1
        column += 1
    m = 0
    for row in range(n):
        if not bits.is_set(rows, np.uint64(row)):
            lines[1, m] = row
            m += 1
    for k in range(len(given.excluded_sums)):
        bits.set_bit(sums, np.uint64(given.excluded_sums[k]))
    for k in range(len(given.excluded_differences)):
        bits.set_bit(differences, np.uint64(given.excluded_differences[k] + shift))


@inlined
def _open_squares(given, shift, used, lines, domains):
    """Write the domains of the instance. A line that does not exist keeps a single square forever."""
    m, w = lines.shape[1], len(domains) >> 1
    for i in range(w):
        domains[i] = domains[w + i] = 0 if i < m else 1
    for i in range(m):
        for j in range(m):
            c, r = lines[0, i], lines[1, j]
            if bits.is_set(used[1], np.uint64(c + r)) or bits.is_set(used[2], np.uint64(r - c + shift)):
                continue
            if not is_blocked(given.blocked, np.uint64(c), np.uint64(r)):
                domains[i] |= ONE << np.uint64(j)
                domains[w + j] |= ONE << np.uint64(i)


@inlined
def _attack_tables(lines, keep):
    """Write the row of ``keep`` of each square: the bits that a queen there leaves in the domains. O(m**3)."""
    m = lines.shape[1]
    w = keep.shape[1] >> 1
    keep[:] = ~ZERO
    for c in range(m):
        for r in range(m):
            here = c * m + r
            column_bit, row_bit = ONE << np.uint64(c), ONE << np.uint64(r)
            for line in range(m):
                keep[here, line] = ~row_bit
                keep[here, w + line] = ~column_bit
            keep[here, c] = row_bit
            keep[here, w + r] = column_bit
    for left in range(m):
        for right in range(left + 1, m):
            away = lines[0, right] - lines[0, left]
            above = 0
            for low in range(m):
                while above < m and lines[1, above] - lines[1, low] < away:
                    above += 1
                if above == m:
                    break
                if lines[1, above] - lines[1, low] == away:
                    _let_attack(keep, m, w, left, low, right, above)
                    _let_attack(keep, m, w, left, above, right, low)


@inlined
def _let_attack(keep, m, w, c, r, other_c, other_r):
    """Let the queens on two squares attack each other along a diagonal."""
    here, there = c * m + r, other_c * m + other_r
    keep[here, other_c] &= ~(ONE << np.uint64(other_r))
    keep[here, w + other_r] &= ~(ONE << np.uint64(other_c))
    keep[there, c] &= ~(ONE << np.uint64(r))
    keep[there, w + r] &= ~(ONE << np.uint64(c))


@inlined
def _line_keys(keep, m, domains, weights, keys):
    """Write the keys of all lines.

    The number in a key, which the search adds to 32 times the number of squares of a line, is 0 for the line whose
    squares attack most free squares on average, and _SPREAD for the one whose squares attack fewest. O(m**3).
    """
    w = len(domains) >> 1
    weights[:] = 0
    for c in range(m):
        rest = np.uint64(domains[c])
        while rest != ZERO:
            r = np.int64(bits.trailing_zeros(rest))
            rest &= rest - ONE
            attacked = ZERO
            for column in range(m):
                attacked += bits.count_ones(np.uint64(domains[column]) & ~np.uint64(keep[c * m + r, column]))
            weights[c] += np.int64(attacked)
            weights[w + r] += np.int64(attacked)
    least = np.int64(1) << np.int64(62)
    most = np.int64(0)
    for line in range(2 * w):
        if line % w < m:
            weights[line] = (weights[line] << 10) // max(1, np.int64(bits.count_ones(np.uint64(domains[line]))))
            least = min(least, weights[line])
            most = max(most, weights[line])
    for line in range(2 * w):
        number = _SPREAD * (most - weights[line]) // max(1, most - least) if line % w < m else 0
        keys[line] = number * 2 * w + line
