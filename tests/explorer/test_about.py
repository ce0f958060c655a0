"""The sentence on why a board looks as it does."""

import numpy as np
import pytest

import fastqueens
from fastqueens.core.arguments import SWEEPS
from fastqueens.explorer.about import about
from fastqueens.solving.solver import sweeps_for


@pytest.mark.parametrize("n", [20_000, 300_000, 2_000_000])
def test_a_mixed_board_has_the_limit_shape(n):
    assert "corners" in about(fastqueens.solve(n, seed=1, mix=SWEEPS).queens)


@pytest.mark.parametrize("n", [1 << 18, 1_000_000])
def test_bars_of_the_placement_are_explained(n):
    assert "16 columns" in about(fastqueens.solve(n, seed=1).queens)


def test_of_other_boards_nothing_is_claimed():
    n = 300_000
    rng = np.random.default_rng(1)
    for queens in (np.arange(n), np.zeros(n, int), rng.permutation(n), np.arange(n) * 2 % (n + 1) % n):
        assert about(queens) == ""
    assert about(fastqueens.solve(1000, seed=1, mix=SWEEPS).queens) == ""
    assert about(np.arange(4)) == ""


def test_large_boards_are_mixed_unless_told_otherwise():
    given = [(9_999, None), (10_000, None), (10**7, None), (10**7 + 1, None), (8, 3), (10**6, 0), (None, None)]
    assert [sweeps_for(*each) for each in given] == [None, SWEEPS, SWEEPS, None, 3, None, None]
