"""Counting with symmetries, and fundamental solutions."""

import naive
import numpy as np
import pytest
from errors import check_error
from lowered import lowered

import fastqueens
from fastqueens.board import known_count
from fastqueens.exact.symmetry import symmetric_tree, weighted_instances
from fastqueens.kernels.tree import EXHAUSTED


def images(queens):
    """Return the images of a board under the eight symmetries, as a set of tuples."""
    squares = np.zeros((len(queens), len(queens)), bool)
    squares[np.arange(len(queens)), queens] = True
    turned = [np.rot90(side, turns) for side in (squares, squares.T) for turns in range(4)]
    return {tuple(image.argmax(axis=1).tolist()) for image in turned}


def test_free_boards_with_and_without_all_symmetries():
    for least in (2, 99):
        with lowered(eight_symmetries=least):
            for n in range(1, 14):
                assert fastqueens.count_solutions(n, threads=1 + n % 2) == known_count(n)


def test_each_solution_has_one_instance_of_which_it_is_an_image():
    for n in range(2, 9):
        seen = []
        for instance, weight in weighted_instances(n):
            solutions = [tuple(queens.tolist()) for queens in fastqueens.all_solutions(instance)]
            of_instance = set().union(*map(images, solutions))
            assert len(of_instance) == weight * len(solutions), n
            seen += of_instance
        assert sorted(seen) == sorted(map(tuple, naive.completions(n, {})))


# OEIS A002562.
FUNDAMENTAL = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752, 285053, 1846955]


@pytest.mark.parametrize("largest", [14, pytest.param(16, marks=pytest.mark.gate)])
def test_fundamental_solutions_of_free_boards(largest):
    counts = [fastqueens.count_solutions(n, fundamental=True) for n in range(1, largest + 1)]
    assert counts == FUNDAMENTAL[:largest]


def test_rotations_leave_as_many_solutions_unchanged_as_the_search_finds():
    for n in range(1, 9):
        squares = [np.eye(n)[list(queens)] for queens in naive.completions(n, {})]
        for quarter_turns in (1, 2):
            tree = symmetric_tree(n, quarter_turns)
            assert tree.search(10**6, 10**6) == EXHAUSTED
            unchanged = sum((np.rot90(board, quarter_turns) == board).all() for board in squares)
            assert tree.solutions == unchanged, (n, quarter_turns)


@pytest.mark.parametrize("n", [4, 6, 8, 9])
def test_fundamental_solutions_are_the_first_of_their_images(n):
    boards = [tuple(queens.tolist()) for queens in fastqueens.all_solutions(n)]
    expected = {min(images(board)) for board in boards}
    listed = [tuple(queens.tolist()) for queens in fastqueens.all_solutions(n, fundamental=True)]
    assert set(listed) == expected != set()
    assert len(listed) == len(expected) == fastqueens.count_solutions(n, fundamental=True)
    for limit in (1, len(expected), len(expected) + 1):
        found = min(limit, len(expected))
        assert fastqueens.count_solutions(n, fundamental=True, limit=limit) == found
        assert len(list(fastqueens.all_solutions(n, fundamental=True, limit=limit))) == found


@pytest.mark.parametrize("function", [fastqueens.count_solutions, fastqueens.all_solutions])
def test_fundamental_solutions_have_no_constraints(function):
    with check_error(fastqueens.InputError, "fundamental", "constraints"):
        function(8, fundamental=True, blocked=[(0, 0)])
