"""``prove``: a solution, the proof that there is none, or neither; its seeds and limits."""

import naive
import pytest
from drawing import hard_instance, instances
from errors import check_error
from hypothesis import given
from lowered import lowered

import fastqueens
from fastqueens import InputError, make_instance, prove
from fastqueens.exact.tree import MOST_FREE_COLUMNS

pytestmark = pytest.mark.checked


@given(instances(largest=8))
def test_answers_agree_with_a_brute_force(instance):
    is_forbidden = naive.forbidden(instance)
    boards = naive.completions(instance.n, dict(instance.fixed.squares.tolist()))
    solutions = [board for board in boards if not any(is_forbidden(*square) for square in enumerate(board))]
    answer = prove(instance, seed=1)
    assert (answer.solvable, answer.solved) == (bool(solutions), bool(solutions))
    assert answer.queens is None or answer.queens.tolist() in solutions
    assert answer.method == ("complete" if solutions else None)


def test_an_answer_is_repeated_by_its_seed():
    answers = [prove(8) for _ in range(5)]
    assert len({answer.seed for answer in answers}) == 5
    assert len({tuple(answer.queens.tolist()) for answer in answers}) > 1
    for answer in answers:
        assert prove(8, seed=answer.seed)._replace(seconds=0) == answer._replace(seconds=0)


def test_it_finds_what_complete_search_of_solve_finds():
    instance = make_instance(20, {0: 3, 7: 9}, blocked=[(1, 1)])
    answer, result = prove(instance, seed=3), fastqueens.solve(instance, method="complete", seed=3)
    assert (answer.nodes, answer.queens.tolist()) == (result.nodes, result.queens.tolist())
    assert prove(2, seed=1).solvable is prove(3, seed=1).solvable is False


def test_limits_leave_it_undecided():
    instance = hard_instance(1)
    nodes = prove(instance, seed=1).nodes
    assert prove(instance, seed=1, max_nodes=nodes).solvable is False
    with lowered(tree_slice=20):
        for limits in ({"max_nodes": nodes - 1}, {"max_nodes": 0}, {"stop": lambda: True}, {"time_limit": 1e-9}):
            answer = prove(instance, seed=1, **limits)
            assert (answer.solvable, answer.queens, answer.in_words) == (None, None, "undecided")
            assert 0 <= answer.nodes < nodes


def test_forced_queens_leave_few_enough_columns():
    n, free = MOST_FREE_COLUMNS + 44, 40
    solution = fastqueens.solve(n, seed=1).queens
    blocked = [(column, row) for column in range(free, n) for row in range(n) if row != solution[column]]
    answer = prove(make_instance(n, blocked=blocked), seed=1)
    assert answer.queens[free:].tolist() == solution[free:].tolist()
    closed = prove(make_instance(n, blocked=[*blocked, *((0, row) for row in range(n))]), seed=1)
    assert (closed.solvable, closed.nodes, "column 0" in closed.reason) == (False, 0, True)


def test_refused():
    for instance, options, named in [
        (65, {}, ["64 columns", "65"]),
        ("8", {}, ["'8'"]),
        (8, {"seed": -1}, ["seed", -1]),
        (8, {"max_nodes": -1}, ["max_nodes", -1]),
        (8, {"threads": 0}, ["threads", 0]),
        (8, {"executor": 8}, ["executor", "8"]),
        (8, {"checkpoint": 8}, ["the name of a file", "8"]),
        (8, {"stop": 8}, ["stop", "8"]),
    ]:
        with check_error(InputError, *named):
            prove(instance, **options)


def test_a_wrong_solution_is_never_returned(monkeypatch):
    monkeypatch.setattr("fastqueens.proof.find_fault", lambda *_, **__: "two queens attack each other")
    with check_error(RuntimeError, "please report this", "seed 1"):
        prove(8, seed=1)
