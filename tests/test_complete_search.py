"""Complete search, compared with all boards: completions, proofs, counts, and the budget of nodes."""

from collections import namedtuple

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_fixed_queens import puzzles

import fastqueens
from fastqueens.classroom.puzzles import puzzle
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.errors import InputError, Stopped
from fastqueens.core.instance import make_instance
from fastqueens.core.threads import Workers
from fastqueens.solving import complete_search
from fastqueens.solving.complete_search import EXHAUSTED, FOUND, CompleteSearch

Outcome = namedtuple("Outcome", "queens is_excluded nodes")

# OEIS A000170.
SOLUTIONS = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200]


def complete(n, fixed, max_nodes=10**6):
    """Return the solution (or None), whether there is none, and the squares tried."""
    with Workers(1) as workers:
        search = CompleteSearch(make_instance(n, fixed), workers)
        status = search.advance(max_nodes, Callbacks())
    return Outcome(search.queens if status == FOUND else None, status == EXHAUSTED, search.nodes)


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
