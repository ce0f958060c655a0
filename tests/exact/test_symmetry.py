"""Counting with symmetries, and fundamental solutions."""

import naive
import numpy as np
import pytest
from lowered import lowered

import fastqueens
from fastqueens.board import known_count
from fastqueens.exact.symmetry import symmetric_tree, weighted_instances
from fastqueens.kernels.tree import EXHAUSTED

pytestmark = pytest.mark.checked


def images(queens):
    """Return the images of a board under the eight symmetries, as a set of tuples."""
    squares = np.zeros((len(queens), len(queens)), bool)
    squares[np.arange(len(queens)), queens] = True
    turned = [np.rot90(side, turns) for side in (squares, squares.T) for turns in range(4)]
    return {tuple(image.argmax(axis=1).tolist()) for image in turned}


@pytest.mark.parametrize("least", [2, 99])
def test_free_boards_with_and_without_all_symmetries(least):
    with lowered(eight_symmetries=least):
        for n in range(1, 14):
            assert fastqueens.count_solutions(n, threads=1 + n % 2) == known_count(n)


@pytest.mark.parametrize("n", range(2, 9))
def test_each_solution_has_one_instance_of_which_it_is_an_image(n):
    seen = []
    with lowered(eight_symmetries=2):
        weighted = weighted_instances(n)
    for instance, weight in weighted:
        solutions = [tuple(queens.tolist()) for queens in fastqueens.all_solutions(instance)]
        of_instance = set().union(*map(images, solutions))
        assert len(of_instance) == weight * len(solutions)
        seen += of_instance
    assert sorted(seen) == sorted(map(tuple, naive.completions(n, {})))


# OEIS A002562.
FUNDAMENTAL = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752, 285053, 1846955]


@pytest.mark.parametrize("largest", [14, pytest.param(16, marks=pytest.mark.gate)])
def test_fundamental_solutions_of_free_boards(largest):
    counts = [fastqueens.count_solutions(n, fundamental=True) for n in range(1, largest + 1)]
    assert counts == FUNDAMENTAL[:largest]


@pytest.mark.parametrize("n", range(1, 9))
def test_rotations_leave_as_many_solutions_unchanged_as_the_search_finds(n):
    solutions = naive.completions(n, {})
    for quarter_turns in (1, 2):
        tree = symmetric_tree(n, quarter_turns)
        assert tree.search(10**6, 10**6) == EXHAUSTED
        squares = [np.eye(n)[list(queens)] for queens in solutions]
        assert tree.solutions == sum((np.rot90(board, quarter_turns) == board).all() for board in squares)


@pytest.mark.parametrize(
    "constraints",
    [
        {},
        {"fixed": {3: 0}},
        {"blocked": [(0, 0), (0, 7), (7, 0), (7, 7)]},
        {"blocked": [(0, 3), (2, 6)], "excluded_sums": [7]},
        {"excluded_differences": [-5], "excluded_sums": [4]},
        {"fixed": {0: 0}, "blocked": [(1, 4)]},
    ],
)
def test_fundamental_solutions_are_the_first_of_their_images(constraints):
    boards = [tuple(queens.tolist()) for queens in fastqueens.all_solutions(8, **constraints)]
    expected = {min(images(board) & set(boards)) for board in boards}
    listed = [tuple(queens.tolist()) for queens in fastqueens.all_solutions(8, **constraints, fundamental=True)]
    assert set(listed) == expected != set()
    assert len(listed) == len(expected) == fastqueens.count_solutions(8, **constraints, fundamental=True)
    for limit in (1, len(expected), len(expected) + 1):
        found = min(limit, len(expected))
        assert fastqueens.count_solutions(8, **constraints, fundamental=True, limit=limit) == found
        assert len(list(fastqueens.all_solutions(8, **constraints, fundamental=True, limit=limit))) == found
