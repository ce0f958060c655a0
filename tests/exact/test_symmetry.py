"""Counting with symmetries."""

import naive
import numpy as np
import pytest
from lowered import lowered

import fastqueens
from fastqueens.core.known_counts import known_count
from fastqueens.exact.symmetry import weighted_instances

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
