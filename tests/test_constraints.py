"""Fixed queens: validated, respected by every start and both searches, never moved."""

from collections import Counter

import naive
import numpy as np
import pytest
from chances import chance_of
from drawing import puzzles
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from lowered import solve

import fastqueens
from fastqueens._run.arguments import STARTS
from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens._run.thresholds import USUAL
from fastqueens.errors import NoSolutionError
from fastqueens.instance import fixed_queens, make_instance
from fastqueens.kernels.plateau import PAIRS
from fastqueens.kernels.propagation import Side, list_last_squares
from fastqueens.local_search import first_search
from fastqueens.placement.arrays import new_attempt

pytestmark = pytest.mark.checked

seeds = st.integers(0, 2**64 - 1)


# Validation.


def test_all_forms_mean_the_same(subtests):
    for fixed in [{6: 2, 1: 3}, [(6, 2), (1, 3)], iter([(6, 2), (1, 3)]), np.array([[6, 2], [1, 3]], np.uint16)]:
        with subtests.test(fixed=fixed):
            queens = fixed_queens(fixed, 8)
            assert (queens.columns.tolist(), queens.rows.tolist(), queens.marks.tolist()) == (
                [1, 6],
                [3, 2],
                [0b1000010],
            )
            for nothing in (None, {}, [], np.empty((0, 2), np.int64)):
                assert len(fixed_queens(nothing, 8)) == len(fixed_queens(nothing, 8).marks) == 0


@given(st.integers(1, 12), st.data())
def test_an_attack_is_found_and_named(n, data):
    columns = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n))
    fixed = {column: data.draw(st.integers(0, n - 1)) for column in columns}
    board = [fixed.get(column, n) for column in range(n)]
    clash = naive.first_attack(board)
    if clash is None:
        assert fixed_queens(fixed, n).columns.tolist() == sorted(fixed)
    else:
        left, right = clash
        with check_error(NoSolutionError, f"column {left}, row {fixed[left]}", f"column {right}, row {fixed[right]}"):
            fixed_queens(fixed, n)


# Closed lines.


@given(st.integers(65, 300), st.integers(0, 2**32 - 1))
def test_the_search_for_an_open_window_wraps_around(n, seed):
    """Random diagonals are used, so that most windows are closed and the open one moves up and down."""
    random = np.random.default_rng(seed)
    words = -(-n // 64)
    lines = [~np.bitwise_and.reduce(random.integers(0, 2**64, (2, k * words + k // 2), np.uint64)) for k in (1, 2, 2)]
    lines[0][-1] |= np.uint64(2**64 - (1 << n % 64 if n % 64 else 2**64))
    rows, sums, differences = (np.unpackbits(line.view(np.uint8), bitorder="little") for line in lines)
    is_open = [
        [not (rows[row] or sums[column + row] or differences[row + 64 * words - column]) for row in range(n)]
        for column in range(n)
    ]
    side = Side(np.zeros(words, np.uint64), *lines, np.empty(0, np.uint64))
    first = 0
    columns, rows = np.empty((2, n), np.int64)
    for closed in [*(column for column in range(n) if not any(is_open[column])), n]:
        found, count = list_last_squares(side, columns, rows, 0, first, n)
        assert found == closed
        last = [(column, is_open[column].index(True)) for column in range(first, closed) if sum(is_open[column]) == 1]
        assert list(zip(columns[:count].tolist(), rows[:count].tolist(), strict=True)) == last
        first = closed + 1


# First boards.


def test_many_columns_left_over_go_to_min_conflicts():
    """A solution in a corner, a third of the board wide, leaves many other columns without a free row."""
    thresholds = USUAL._replace(left_over=50)
    n, corner = 1500, 500
    queens = fastqueens.solve(corner, seed=1).queens
    instance = make_instance(n, dict(enumerate(queens.tolist())))
    given = {"seed": 1, "number": 0, "stagnation_limit": 10**6, "is_windowed": True}
    attempt = new_attempt(instance, **given, thresholds=thresholds)
    with Workers(1) as one:
        search = first_search(attempt, "windowed", one, Callbacks())
    assert search.lines is not None
    assert (attempt.queens[:corner] == queens).all()
    assert attempt.state[PAIRS] == fastqueens.attacking_pairs(attempt.queens)
    result = solve(instance, seed=1, max_steps=1000, thresholds=thresholds)
    assert not result.solved
    assert (result.queens[:corner] == queens).all()


# The searches.


def test_a_step_draws_evenly_among_the_conflicting_queens_that_are_not_fixed():
    board, fixed = [0, 0, 0, 0, 4, 4, 0, 0], {0: 0, 4: 4 - 2}
    board[4] = fixed[4]
    free = sorted(naive.conflicting_queens(board) - set(fixed))
    drawn = Counter()
    for seed in range(2000):
        stepped = fastqueens.solve(
            board=board, fixed=fixed, seed=seed, max_steps=1, method="local", trace="moves"
        ).moves
        drawn.update(column for column, before, after in stepped.steps.tolist() if before != after)
    assert set(drawn) <= set(free)
    assert chance_of([drawn[column] for column in free]) > 1e-4


# The promises of solve().


@given(puzzles(smallest=4, largest=8), seeds, st.sampled_from(STARTS))
def test_the_answer_is_a_completion_or_a_proof_that_there_is_none(puzzle_drawn, seed, start):
    n, fixed = puzzle_drawn
    completions = naive.completions(n, fixed)
    if completions:
        result = fastqueens.solve(n, fixed=fixed, seed=seed, start=start)
        assert result.solved
        assert result.queens.tolist() in completions
        assert dict(result.fixed.tolist()) == fixed
    else:
        with pytest.raises(NoSolutionError):
            fastqueens.solve(n, fixed=fixed, seed=seed, start=start)
