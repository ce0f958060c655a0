"""Unit propagation, compared with all boards: forced queens, contradictions, and instances of any size."""

import itertools
import json

import naive
import numpy as np
import pytest
from drawing import drawn, instances
from errors import check_error, check_names
from hypothesis import given

import fastqueens
from fastqueens import InputError, NoSolutionError, make_instance
from fastqueens._run.progress import Callbacks
from fastqueens.exact.propagation import with_forced_queens
from fastqueens.exact.tree import MOST_FREE_COLUMNS

pytestmark = pytest.mark.checked


def open_squares(instance):
    """List the squares of empty columns and unused rows that no queen attacks and no constraint excludes."""
    n, queens, is_forbidden = instance.n, instance.fixed.squares.tolist(), naive.forbidden(instance)
    squares = itertools.product(range(n), repeat=2)
    return [one for one in squares if not is_forbidden(*one) and not any(naive.attack(one, queen) for queen in queens)]


def solutions(instance):
    is_forbidden = naive.forbidden(instance)
    boards = naive.completions(instance.n, dict(instance.fixed.squares.tolist()))
    return [board for board in boards if not any(is_forbidden(*square) for square in enumerate(board))]


@given(instances(largest=7))
def test_forced_queens_lose_no_solution(instance):
    try:
        propagated = with_forced_queens(instance, Callbacks())
    except NoSolutionError:
        propagated = None
    if propagated is None:
        assert not solutions(instance)
        return
    assert set(map(tuple, instance.fixed.squares)) <= set(map(tuple, propagated.fixed.squares))
    assert solutions(propagated) == solutions(instance)
    left = open_squares(propagated)
    for line in range(2):
        squares = [[square for square in left if square[line] == number] for number in range(instance.n)]
        used = propagated.fixed.squares[:, line]
        assert all(len(squares[number]) > 1 for number in set(range(instance.n)) - set(used.tolist()))


def test_a_board_with_one_open_square_a_column_is_solved_without_a_search():
    for n in (1, 63, 64, 65, 300):
        solution = fastqueens.solve(n, seed=1).queens
        is_blocked = np.ones((n, n), np.bool_)
        is_blocked[np.arange(n), solution] = False
        propagated = with_forced_queens(make_instance(n, blocked=np.argwhere(is_blocked)), Callbacks())
        assert propagated.fixed.squares.tolist() == list(map(list, enumerate(solution.tolist()))), n


@pytest.mark.parametrize("transposed", [False, True])
def test_two_columns_with_the_same_open_row_are_refused_by_every_method(transposed, run, tmp_path):
    n = 2000
    instance = make_instance(n, blocked=[(column, row) for column in (3, 700) for row in range(n) if row != 5])
    instance = instance.transposed() if transposed else instance
    words = ("row 700", "column 5, row 3") if transposed else ("column 700", "column 3, row 5")
    for method in ("auto", "local", "complete"):
        with check_error(NoSolutionError, "1 forced queen", *words):
            fastqueens.solve(instance, method=method, seed=1)
    assert fastqueens.count_solutions(instance) == 0
    assert list(fastqueens.all_solutions(instance)) == []
    fastqueens.write_instance(tmp_path / "hidden.json", instance)
    exit_code, stdout, stderr = run("solve", "--instance", "hidden.json", "--json", "--rows-from", "1")
    assert (exit_code, json.loads(stdout)["solvable"]) == (3, False)
    check_names(stderr, "1 forced queen", *(("row 701", "row 4") if transposed else ("column 700", "row 6")))
    for command in ("count", "prove"):
        assert run(command, "--instance", "hidden.json")[0] == 3


def test_forced_queens_leave_few_enough_columns_for_complete_search():
    n, free = MOST_FREE_COLUMNS + 44, 40
    solution = fastqueens.solve(n, seed=1).queens
    blocked = [(column, row) for column in range(free, n) for row in range(n) if row != solution[column]]
    instance = make_instance(n, blocked=blocked)
    result = fastqueens.solve(instance, method="complete", seed=1)
    assert (result.solved, result.method, len(result.fixed)) == (True, "complete", 0)
    assert result.instance is instance
    assert result.queens[free:].tolist() == solution[free:].tolist()
    assert fastqueens.count_solutions(instance, limit=1) == 1
    with check_error(InputError, f"{MOST_FREE_COLUMNS} columns", f"this board has {MOST_FREE_COLUMNS + 1}"):
        fastqueens.solve(drawn(MOST_FREE_COLUMNS + 1, diagonals=5), method="complete")
