"""The eight symmetries of the board: counting with them, and fundamental solutions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance, make_instance
from fastqueens.exact.tree import SearchTree, search_tree

# Queens on the boards that are compared with their images at a time.
_QUEENS_OF_BLOCK = 1 << 16

# Which queens of a pinwheel are on its square: neighbouring ones, opposite ones; and the size of the orbit.
_PATTERNS = (((0,), 8), ((0, 1), 8), ((0, 2), 4), ((0, 1, 2), 8), ((0, 1, 2, 3), 2))


def weighted_instances(n: int) -> list[tuple[Instance, int]]:
    """Return instances with weights: the sum of weight * number of solutions is that of the free board.

    Small boards are divided by the mirror alone: half of the solutions have the queen of the middle column, or of one
    next to the middle, above it. On boards of at least ``thresholds.current.eight_symmetries``, all eight symmetries
    save work.

    Notes
    -----
    Take the columns and rows d and n - 1 - d. The symmetries of the board permute these four lines. A queen on one of
    them, at position p, has the depth min(p, n - 1 - p), which no symmetry changes. In each solution, consider those
    of the queens on the lines with the least depth t. The symmetries permute such sets of queens, so as many solutions
    have one set as have any other of its orbit, and one set stands for all, with the size of the orbit as weight.

    The sets of depth t: let a be the square (d, t), and b, c, e what it becomes after one, two and three quarter turns.
    If t = d, the four are the crossings of the lines, which attack each other, and the orbit of {a} has 4 sets. If not,
    two queens on lines that cross attack each other if they are equally far from the crossing, and two on parallel
    lines if they share a row or a column. What remains are the subsets of the pinwheel {a, b, c, e} and of its mirror
    image: {a}, {a, b} and {a, b, c}, with 8 images each, {a, c} with 4, and {a, b, c, e} with 2. If t = (n - 1) / 2,
    all four queens would be in the middle of their lines and attack each other.

    Any d below (n - 1) / 2 would do. The lines next to the middle take two thirds of the nodes that the borders take.
    """
    if n < thresholds.current.eight_symmetries:
        column, middle = n // 2, n - 1 - n // 2
        above = make_instance(n, blocked=[(column, row) for row in range(n // 2, n)])
        return [(above, 2)] + ([(make_instance(n, [(column, middle)]), 1)] if n % 2 else [])
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
    """Return the search for the solutions of a free board that a rotation leaves unchanged; n is at most 64.

    The rotation is by one quarter turn or by two. A queen is placed together with all that the rotation makes of it:
    it leaves in the domains what they all leave there.
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


def fundamental_solutions(solutions: Iterator[Queens], instance: Instance) -> Iterator[Queens]:
    """Yield the solutions that come before all their images that are solutions of the instance, too.

    Boards are in lexicographic order. O(n log n) each.
    """
    length = 1
    while block := list(itertools.islice(solutions, length)):
        boards = np.array(block)
        yield from boards[_are_first(boards, instance)]
        length = min(2 * length, max(1, _QUEENS_OF_BLOCK // instance.n))


def _are_first(boards: NDArray[Any], instance: Instance) -> NDArray[np.bool_]:
    """Tell which of the boards, a (k, n) array, come before all their images that are solutions."""
    n = instance.n
    are_first = np.ones(len(boards), bool)
    for turned in (boards, np.argsort(boards, axis=1)):
        for side in (turned, turned[:, ::-1]):
            for image in (side, n - 1 - side):
                at = (image != boards).argmax(axis=1)[:, None]
                is_before = np.take_along_axis(image, at, 1) < np.take_along_axis(boards, at, 1)
                are_first &= ~(is_before[:, 0] & _are_allowed(image, instance))
    return are_first


def _are_allowed(boards: NDArray[Any], instance: Instance) -> NDArray[np.bool_]:
    """Tell which of the solutions of the free board, a (k, n) array, are solutions of an instance."""
    fixed, blocked, columns = instance.fixed, instance.blocked, np.arange(instance.n)
    is_violation = [
        boards[:, fixed.columns] != fixed.rows,
        boards[:, blocked[:, 0]] == blocked[:, 1],
        np.isin(boards + columns, instance.excluded_sums),
        np.isin(boards - columns, instance.excluded_differences),
    ]
    return np.logical_not(np.concatenate(is_violation, axis=1).any(axis=1))
