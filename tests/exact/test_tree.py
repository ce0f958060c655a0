"""One complete search with further fixed queens on one board after another, compared with all completions."""

import itertools

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastqueens import InputError
from fastqueens._run.arguments import NO_LIMIT
from fastqueens.classroom.puzzles import puzzle
from fastqueens.exact.tree import search_tree
from fastqueens.instance import make_instance
from fastqueens.kernels import tree as tree_kernel

pytestmark = pytest.mark.checked


def count(search, fixed):
    """Return the number of solutions with some queens, and the nodes."""
    squares = np.array([column * search.instance.n + row for column, row in fixed.items()], np.int64)
    tree_kernel.begin_with(search.tree, squares)
    search.search(NO_LIMIT, NO_LIMIT)
    return search.solutions, search.nodes


def all_completions(n, fixed):
    """Count the completions of a board with few open columns."""
    columns = sorted(set(range(n)) - set(fixed))
    rows = sorted(set(range(n)) - set(fixed.values()))
    boards = ({**fixed, **dict(zip(columns, chosen, strict=True))} for chosen in itertools.permutations(rows))
    return sum(len({c + r for c, r in b.items()}) == len({c - r for c, r in b.items()}) == n for b in boards)


@given(st.integers(4, 8), st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.integers(0, 10**6)), max_size=3))
def test_completions_are_counted_one_after_another(n, puzzles):
    search = search_tree(make_instance(n))
    for queens, solvable, seed in puzzles:
        try:
            fixed = dict(puzzle(n, min(queens, n), seed=seed, solvable=solvable).fixed.tolist())
        except InputError:  # no room for so many queens
            continue
        assert count(search, fixed)[0] == len(naive.completions(n, fixed))


def test_completions_of_large_boards_are_counted():
    found = set()
    for n in (15, 16, 17, 31, 32, 33, 63, 64):
        search = search_tree(make_instance(n))
        for seed in range(6):
            fixed = dict(puzzle(n, n - 6, seed=seed, solvable=True).fixed.tolist())
            expected = all_completions(n, fixed)
            assert count(search, fixed)[0] == expected, (n, seed)
            found.add(expected)
    assert min(found) == 1
    assert max(found) > 1
