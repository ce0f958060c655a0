"""Complete search, compared with all boards: completions, proofs, counts, and the budget of nodes."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_fixed_queens import puzzles

import fastqueens
from fastqueens.classroom.puzzles import puzzle
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.errors import InputError, NoSolutionError, Stopped
from fastqueens.core.fixed_queens import fixed_queens
from fastqueens.solving import complete_search

# OEIS A000170.
SOLUTIONS = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200]


def complete(n, fixed, max_nodes=10**6):
    return complete_search.complete(n, fixed_queens(fixed, n), max_nodes, Callbacks())


@given(puzzles(largest=7))
def test_a_completion_is_found_or_excluded(puzzle_drawn):
    n, fixed = puzzle_drawn
    completions = naive.completions(n, fixed)
    completion = complete(n, fixed)
    assert completion.is_excluded == (not completions)
    if completions:
        assert completion.queens.tolist() in completions


@given(puzzles(smallest=8, largest=100), st.integers(0, 10**6))
def test_larger_completions_are_solutions(puzzle_drawn, seed):
    n, _ = puzzle_drawn
    fixed = dict(puzzle(n, n - min(n, 40), seed=seed, solvable=True).tolist())
    completion = complete(n, fixed)
    assert fastqueens.is_solution(completion.queens)
    assert {column: completion.queens[column] for column in fixed} == fixed


@pytest.mark.parametrize(("n", "empty"), [(65, 64), (200, 64), (200, 1), (64, 63), (9, 0)])
def test_all_bits_of_a_word_are_used(n, empty):
    fixed = dict(puzzle(n, n - empty, seed=6, solvable=True).tolist())
    completion = complete(n, fixed)
    assert fastqueens.is_solution(completion.queens)
    assert {column: completion.queens[column] for column in fixed} == fixed


def test_a_search_in_slices_is_the_same_search(monkeypatch):
    fixed = {0: 0, 5: 17}
    whole = complete(24, fixed)
    monkeypatch.setattr(complete_search, "_SLICE", 1)
    sliced = complete(24, fixed)
    assert sliced.queens.tolist() == whole.queens.tolist()
    assert sliced.nodes == whole.nodes > 24 - 2


def test_the_budget_of_nodes_holds():
    needed = complete(24, {0: 0}).nodes
    assert complete(24, {0: 0}, needed).queens is not None
    assert complete(24, {0: 0}, needed - 1) == (None, False, needed - 1)
    assert complete(24, {0: 0}, 0) == (None, False, 0)


def test_a_proof_needs_its_nodes():
    hopeless = {0: 0, 1: 5, 3: 4}
    assert naive.completions(8, hopeless) == []
    proof = complete(8, hopeless)
    assert proof.is_excluded
    assert complete(8, hopeless, proof.nodes - 1) == (None, False, proof.nodes - 1)


def test_the_complete_search_follows_the_local_search():
    fixed = {1: 3, 3: 4}
    result = fastqueens.solve(8, fixed=fixed, seed=1, start="random", max_steps=0)
    assert result.solved
    assert result.nodes > 0
    assert result.queens.tolist() in naive.completions(8, fixed)
    out = np.empty(8, np.int32)
    assert fastqueens.solve(8, fixed=fixed, seed=1, start="random", max_steps=0, out=out).queens is out
    assert out.tolist() == result.queens.tolist()


def test_an_exhausted_budget_leaves_an_unsolved_board():
    result = fastqueens.solve(8, fixed={1: 3, 3: 4}, seed=1, start="random", max_steps=0, max_nodes=1)
    assert not result.solved
    assert result.nodes == 1
    assert result.pairs > 0


def test_a_proof_reports_how_many_squares_were_tried():
    with pytest.raises(NoSolutionError, match=r"the 2 fixed queens cannot be completed to 6, .* \([\d,]+ squares\)"):
        fastqueens.solve(6, fixed={0: 0, 1: 2}, seed=1)


def test_no_complete_search_if_too_many_columns_are_empty(monkeypatch):
    def never(*_):
        raise AssertionError

    assert fastqueens.solve(65, fixed={0: 0}, seed=1, start="random", max_steps=0, max_nodes=9).nodes == 9
    monkeypatch.setattr(complete_search, "complete", never)
    assert not fastqueens.solve(66, fixed={0: 0}, seed=1, start="random", max_steps=0).solved
    assert not fastqueens.solve(8, seed=1, start="random", max_steps=0).solved


def test_a_stop_during_the_complete_search_leaves_the_best_board(monkeypatch):
    monkeypatch.setattr(complete_search, "_SLICE", 1)
    stages = []
    result = fastqueens.solve(
        8, fixed={1: 3, 3: 4}, seed=1, start="random", max_steps=0,
        progress=lambda stage, done, total: stages.append(stage),
        stop=lambda: stages[-1:] == ["complete search"],
    )  # fmt: skip
    assert not result.solved
    assert stages.count("complete search") == 1
    assert result.nodes == 1


# Counting.


def test_all_solutions_are_counted():
    assert [fastqueens.count_solutions(n) for n in range(1, 13)] == SOLUTIONS
    assert fastqueens.count_solutions(12, threads=1) == SOLUTIONS[11]


@given(puzzles(largest=8))
def test_completions_are_counted(puzzle_drawn):
    n, fixed = puzzle_drawn
    assert fastqueens.count_solutions(n, fixed) == len(naive.completions(n, fixed))


def test_two_boards_complete_b4_and_d5():
    assert fastqueens.count_solutions(8, {1: 3, 3: 4}) == 2
    assert fastqueens.count_solutions(8, {1: 4, 3: 3}) == 2, "with the ranks counted from the other side"


def test_queens_that_attack_each_other_have_no_completion():
    assert fastqueens.count_solutions(8, {0: 0, 1: 1}) == 0


def test_counting_needs_a_small_board():
    with pytest.raises(InputError, match="n is 17: solutions are counted up to n = 16"):
        fastqueens.count_solutions(17)
    with pytest.raises(InputError, match="rows go from 0 to 7"):
        fastqueens.count_solutions(8, {0: 8})


def test_counting_can_be_stopped():
    with pytest.raises(Stopped):
        fastqueens.count_solutions(14, threads=1, stop=lambda: True)
