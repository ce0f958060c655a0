"""Complete search with more than 64 columns or rows: the search of kernels/tree.py, with domains of several words.

Column i is line i and row i is line m + i. Attacks along diagonals are computed for each queen, since a table of them
would not fit into a cache.
"""

from typing import NamedTuple

import numpy as np

from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.types import int16, int64, uint8, uint16, uint64
from fastqueens.kernels import bits
from fastqueens.kernels import tree as tree_kernel
from fastqueens.kernels.bits import ONE, SIX, SIXTY_THREE, ZERO
from fastqueens.kernels.stream import below
from fastqueens.kernels.tree import EXHAUSTED, FOUND, LEVEL, NO_LINE, NODES, OFFSET, SOLUTIONS, UNDER_WAY

_THIRTY_TWO = np.uint64(32)

_CLOSED = np.int64(-2)
_COMPLETE = np.int64(-1)


class WideTree(NamedTuple):
    """The state of a search; W words hold m bits.

    lines : (2, m), the columns and the rows, ascending
    index : (n,), the index of each row, -1 for rows with fixed queens
    keys : (2 m,), a number for each line that is lower for lines to be preferred; one square counts as 32
    domains : (m + 2, 2 m, W), the domains at each level; level 0 is the instance
    settled : (m + 2, 2 m), 1 for a line whose queen is placed
    line : (m + 2,), the line chosen at each level; NO_LINE at level 0
    untried : (m + 2, W), the squares of that line that are not tried yet; 1 at level 0 before the search
    state : (STATE_LENGTH,)
    """

    lines: int64[:, :]
    index: int16[:]
    keys: int64[:]
    domains: uint64[:, :, :]
    settled: uint8[:, :]
    line: int64[:]
    untried: uint64[:, :]
    state: int64[:]


@kernel
def search(tree: WideTree, max_nodes: int64, wanted: int64, places: uint16[:, :]):
    """Continue as :func:`fastqueens.kernels.tree.search` does. O(m) per queen: a few microseconds per square."""
    level, nodes, solutions = tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS]
    first = solutions
    status = EXHAUSTED
    while level >= 0:
        place = _some_bit(tree.untried[level], tree_kernel.mixed(nodes + tree.state[OFFSET]))
        if place < 0:
            level -= 1
            continue
        if nodes == max_nodes:
            status = UNDER_WAY
            break
        nodes += 1
        bits.clear_bit(tree.untried[level], np.uint64(place))
        chosen = _enter(tree, level, tree.line[level], place)
        if chosen == _CLOSED:
            continue
        if chosen == _COMPLETE:
            if solutions - first < len(places):
                for column in range(places.shape[1]):
                    places[solutions - first, column] = bits.first_bit(tree.domains[level + 1, column])
            solutions += 1
            if solutions == wanted:
                status = FOUND
                break
            continue
        level += 1
        tree.line[level] = chosen
        bits.copy(tree.domains[level, chosen], tree.untried[level])
    tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS] = level, nodes, solutions
    return status


@kernel
def line_keys(lines: int64[:, :], index: int16[:], domains: uint64[:, :], spread: int64, keys: int64[:]):
    """Write ``keys`` as :func:`fastqueens.kernels.tree.line_keys` does. O(m**3)."""
    m = lines.shape[1]
    for c in range(m):
        for r in range(m):
            if not bits.is_set(domains[c], np.uint64(r)):
                continue
            attacked = bits.ones(domains[c]) + bits.ones(domains[m + r])
            for column in range(m):
                away = lines[0, column] - lines[0, c]
                for turn in range(2):
                    other = _index(index, lines[1, r] + (away if turn else -away))
                    if column != c and other >= 0 and bits.is_set(domains[column], np.uint64(other)):
                        attacked += 1
            keys[c] += attacked
            keys[m + r] += attacked
    tree_kernel.spread_keys(domains, m, spread, keys)


@inlined
def _enter(tree, level, line, place):
    """Place a queen on a line and all forced queens at the next level; return the line to choose there."""
    m = tree.lines.shape[1]
    to = level + 1
    for other in range(2 * m):
        bits.copy(tree.domains[level, other], tree.domains[to, other])
    bits.copy(tree.settled[level], tree.settled[to])
    while True:
        if line != NO_LINE:
            column, row = (line, place) if line < m else (place, line - m)
            _place(tree, to, m, column, row)
        fewest = np.int64(1) << np.int64(62)
        line = _COMPLETE
        for other in range(2 * m):
            squares = bits.ones(tree.domains[to, other])
            if squares == 0:
                return _CLOSED
            if tree.settled[to, other] == 0 and (squares << 5) + tree.keys[other] < fewest:
                # A line with one square comes first, whatever its key.
                fewest = (squares << 5) + tree.keys[other] if squares > 1 else 0
                line = other
        if fewest > 0:
            return line
        place = bits.first_bit(tree.domains[to, line])


@inlined
def _place(tree, level, m, column, row):
    """Remove the squares that a queen attacks from all domains; its own two lines keep only its square."""
    domains = tree.domains[level]
    word, bit = row >> 6, ~(ONE << (np.uint64(row) & SIXTY_THREE))
    for line in range(m):
        domains[line, word] &= bit
    word, bit = column >> 6, ~(ONE << (np.uint64(column) & SIXTY_THREE))
    for line in range(m, 2 * m):
        domains[line, word] &= bit
    c, r = tree.lines[0, column], tree.lines[1, row]
    for other in range(m):
        away = tree.lines[0, other] - c
        for turn in range(2):
            at = _index(tree.index, r + (away if turn else -away))
            if at >= 0:
                bits.clear_bit(domains[other], np.uint64(at))
                bits.clear_bit(domains[m + at], np.uint64(other))
    domains[column] = ZERO
    domains[m + row] = ZERO
    bits.set_bit(domains[column], np.uint64(row))
    bits.set_bit(domains[m + row], np.uint64(column))
    tree.settled[level, column] = 1
    tree.settled[level, m + row] = 1


@inlined
def _index(index, row):
    """Return the index of a row; -1 if it is off the board or has a fixed queen."""
    return np.int64(index[row]) if 0 <= row < len(index) else np.int64(-1)


@inlined
def _some_bit(words, random_word):
    """Return a set bit chosen by a random word; -1 if none is set."""
    first = np.int64(below(random_word, np.uint64(len(words))))
    for turn in range(len(words)):
        at = (first + turn) % len(words)
        if words[at] != ZERO:
            by = (random_word >> _THIRTY_TWO) & SIXTY_THREE
            return np.int64((np.uint64(at) << SIX) + bits.rotated_first_bit(words[at], by))
    return np.int64(-1)
