"""Symmetries of boards under the rotations and reflections of the square.

The board has no constraints. ``weighted_instances`` and ``symmetric_tree`` serve to count its solutions without
visiting all of them. ``first_of_orbits`` selects one solution of each orbit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from fastqueens.board import Queens
from fastqueens.exact.tree import SearchTree, search_tree
from fastqueens.instance import Instance, make_instance

# The squares of a pinwheel (four squares, each a quarter turn of the last) with queens, and the size of the orbit.
_PATTERNS = (((0,), 8), ((0, 1), 8), ((0, 2), 4), ((0, 1, 2), 8), ((0, 1, 2, 3), 2))

# The total number of queens on the boards that are compared with their images at a time.
_QUEENS_OF_BLOCK = 1 << 16


def weighted_instances(n: int) -> list[tuple[Instance, int]]:
    """Return weighted instances. The sum of weight times number of solutions is the number for a board of size n.

    The eight symmetries permute the columns and rows d and n - 1 - d, for any n of at least 2. Consider the queens on
    these lines that have the least distance t from an end of their line. Their squares are a subset of the square
    (d, t) and its quarter turns, or a mirror image of such a subset. There is one instance per orbit of such subsets,
    and its weight is the size of the orbit. Lines next to the middle need the fewest nodes. See
    docs/explanation/how-it-works.md.
    """
    instances = []
    d = max(0, (n - 3) // 2)
    lines = np.array([(line, p) for line in (d, n - 1 - d) for p in range(n)])
    squares = np.concatenate([lines, lines[:, ::-1]])
    depths = np.tile(np.minimum(np.arange(n), np.arange(n)[::-1]), 4)
    for t in range(n // 2):
        pinwheel = [(d, t), (t, n - 1 - d), (n - 1 - d, n - 1 - t), (n - 1 - t, d)]
        for chosen, weight in _PATTERNS if t != d else (((0,), 4),):
            queens = [pinwheel[turn] for turn in chosen]
            is_free = (squares[:, None] == queens).all(axis=2).any(axis=1)
            instances.append((make_instance(n, queens, blocked=squares[(depths <= t) & ~is_free]), weight))
    return instances


def symmetric_tree(n: int, quarter_turns: int) -> SearchTree:
    """Return the search for the solutions of a board of size n, at most 64, that a rotation leaves unchanged.

    The rotation is one quarter turn or two. The search places a queen together with all its images: the squares that
    remain in the domains are those that none of them attacks.
    """
    squares = np.arange(n * n).reshape(n, n)
    orbits = np.array([np.rot90(squares, turns).ravel() for turns in range(0, 4, quarter_turns)])
    columns, rows = np.divmod(orbits, n)
    across, along = abs(columns - columns[0]), abs(rows - rows[0])
    is_attacking = ((across * along == 0) | (across == along)) & (orbits != orbits[0])
    search = search_tree(make_instance(n, blocked=np.argwhere(is_attacking.any(axis=0).reshape(n, n))))
    keep = search.tree.keep
    keep[:-1] = np.bitwise_and.reduce(keep[orbits])
    return search


def first_of_orbits(solutions: Iterator[Queens]) -> Iterator[Queens]:
    """Yield each solution that is lexicographically first among its images."""
    length = 1
    while block := list(itertools.islice(solutions, length)):
        boards = np.array(block)
        n, are_first = boards.shape[1], np.ones(len(boards), bool)
        for turned in (boards, np.argsort(boards, axis=1)):
            for side in (turned, turned[:, ::-1]):
                for image in (side, n - 1 - side):
                    at = (image != boards).argmax(axis=1)[:, None]
                    is_before = np.take_along_axis(image, at, 1) < np.take_along_axis(boards, at, 1)
                    are_first &= ~is_before[:, 0]
        yield from boards[are_first]
        length = min(2 * length, max(1, _QUEENS_OF_BLOCK // n))
