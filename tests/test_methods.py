"""Local search and complete search take turns: the order, the answers, and the budgets."""

import json
import re

import naive
import pytest
from errors import check_error, check_names
from lowered import lower, solve

import fastqueens
from fastqueens import local_search
from fastqueens._run.thresholds import USUAL
from fastqueens.errors import InputError, NoSolutionError
from fastqueens.exact.complete_search import CompleteSearch
from fastqueens.exact.tree import MOST_FREE_COLUMNS

HARD = {"n": 8, "fixed": {1: 3, 3: 4}, "seed": 1, "start": "random"}


def turns(monkeypatch, thresholds=USUAL, **arguments):
    """Return each turn of complete search with its squares, all attempts in a row with their number, and the result."""
    found = []
    advance, attempt = CompleteSearch.advance, local_search._attempt

    def watch_squares(search, nodes, callbacks):
        found.append(("complete", nodes))
        return advance(search, nodes, callbacks)

    def watch_attempt(*arguments):
        before = found.pop()[1] if found and found[-1][0] == "local" else 0
        found.append(("local", before + 1))
        return attempt(*arguments)

    monkeypatch.setattr(CompleteSearch, "advance", watch_squares)
    monkeypatch.setattr(local_search, "_attempt", watch_attempt)
    return found, solve(thresholds=thresholds, **arguments)


def test_complete_search_goes_first_if_few_columns_are_free(monkeypatch):
    found, result = turns(monkeypatch, **HARD)
    assert [method for method, _ in found] == ["complete"]
    assert (result.method, result.steps, result.restarts) == ("complete", 0, ())
    assert result.nodes > 0
    assert result.queens.tolist() in naive.completions(8, HARD["fixed"])
    assert (result.initial_pairs, result.pairs, result.conflicting_queens) == (0, 0, 0)
    assert [len(numbers) for numbers in result.trace] == [1, 1]
    assert result.timings.complete_search > 0 == result.timings.search


def test_moves_of_complete_search_alone_end_before_mixing():
    plain, mixed = (fastqueens.solve(8, seed=1, method="complete", trace="moves", mix=mix) for mix in (None, 20))
    assert mixed.moves.first_boards.tolist() == [plain.queens.tolist()] != [mixed.queens.tolist()]
    assert (len(mixed.moves.steps), mixed.trace.pairs.tolist()) == (0, [0])


@pytest.mark.parametrize(("n", "first"), [(64, "complete"), (65, "complete"), (66, "local")])
def test_the_first_turn_depends_on_the_free_columns(monkeypatch, n, first):
    found, result = turns(monkeypatch, n=n, fixed={0: 5}, seed=1)
    assert result.solved
    assert found[0][0] == first
    of_user, _ = turns(monkeypatch, board=[0] * n, fixed={0: 5}, seed=1)
    assert of_user[0] == ("local", 1), "a board of the user has the first turn"


@pytest.mark.parametrize(("n", "has_all"), [(21, True), (22, False)])
def test_the_first_turn_ends_the_search_if_at_most_20_columns_are_free(monkeypatch, n, has_all):
    found, _ = turns(monkeypatch, n=n, fixed={0: 5}, seed=1)
    assert (found[0][1] == 10**8) == has_all


def test_turns_grow(monkeypatch):
    what = {"fixed": {0: 5, 1: 1}, "seed": 1, "start": "random", "max_steps": 0}
    found, result = turns(monkeypatch, USUAL._replace(first_nodes=3), n=64, **what)
    assert found[:2] == [("complete", 3), ("local", 1)]
    spent = [nodes for method, nodes in found[2:] if method == "complete"]
    assert spent == [3 << turn for turn in range(1, len(spent) + 1)]
    assert result.solved


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (HARD, "complete"),
        (HARD | {"method": "complete", "start": None}, "complete"),
        (HARD | {"method": "local"}, "local"),
        ({"n": 8, "seed": 1, "method": "complete"}, "complete"),
        ({"n": 6, "seed": 2}, "local"),
    ],
)
def test_one_method_alone(monkeypatch, arguments, expected):
    found, result = turns(monkeypatch, **arguments)
    assert ({method for method, _ in found}, result.method, result.solved) == ({expected}, expected, True)
    assert (result.nodes > 0) == (expected == "complete")
    if expected == "local":
        assert found == [("local", len(result.restarts) + 1)]
        assert result.restarts or arguments["n"] != 6


@pytest.mark.parametrize(
    ("name", "value"), [("board", [0] * 8), ("start", "windowed"), ("max_steps", 10**6), ("restarts", 0)]
)
def test_options_of_local_search_are_refused_with_complete_search(name, value):
    given = {name: value} if name == "board" else {"n": 8, name: value}
    with check_error(InputError, name, "no effect", "method complete", "auto or local"):
        fastqueens.solve(**given, method="complete")
    for method in ("auto", "local"):
        assert fastqueens.solve(**given, method=method, seed=1).solved


def test_a_complete_search_without_an_answer_leaves_a_board_without_steps(monkeypatch):
    lower(monkeypatch, tree_slice=1)
    result = fastqueens.solve(20, fixed={1: 3, 3: 4}, seed=1, method="complete", time_limit=1e-9)
    assert (result.solved, result.method, result.steps) == (False, None, 0)
    assert result.pairs > 0
    assert result.queens[[1, 3]].tolist() == [3, 4]


def test_no_complete_search_if_too_many_columns_are_free(monkeypatch):
    n = MOST_FREE_COLUMNS + 2
    result = fastqueens.solve(n, fixed={0: 0}, seed=1, start="random", max_steps=0, restarts=0)
    assert (result.solved, result.nodes) == (False, 0)
    with check_error(InputError, MOST_FREE_COLUMNS):
        fastqueens.solve(n, fixed={0: 0}, method="complete")
    assert fastqueens.prove(fastqueens.make_instance(n - 1, {0: 0}), max_nodes=9).nodes == 9


def test_a_proof_reports_how_many_squares_were_tried(run):
    with check_error(NoSolutionError, "n = 6", "2 fixed queens", re.compile(r"[\d,]+ squares")):
        fastqueens.solve(6, fixed={0: 0, 1: 2}, seed=1)
    with check_error(NoSolutionError, "n = 6", "1 fixed queen", "1 blocked square", "1 excluded sum diagonal"):
        fastqueens.solve(fastqueens.make_instance(6, {0: 1}, blocked=[(5, 5)], excluded_sums=[7]), seed=1)
    exit_code, stdout, stderr = run("solve", "6", "--queen", "0,0", "--queen", "1,2", "--json")
    check_names(stderr, "n = 6", "2 fixed queens")
    found = json.loads(stdout)
    assert (exit_code, found["solved"], found["solvable"], found["fixed_queens"]) == (3, False, False, 2)
    assert min(found["nodes"], found["complete_search_seconds"]) > 0
    exit_code, stdout, _ = run("solve", "3", "--json")
    assert (exit_code, json.loads(stdout)["nodes"]) == (3, 0)


def test_a_stop_during_complete_search_leaves_the_best_board(monkeypatch):
    lower(monkeypatch, tree_slice=1)
    fixed = {0: 0, 1: 2}
    stages = []
    stop = {"stop": lambda: stages[-1:] == ["complete search"], "progress": lambda stage, *_: stages.append(stage)}
    result = fastqueens.solve(16, fixed=fixed, seed=1, **stop)
    assert (result.solved, result.nodes > 0, result.queens[[0, 1]].tolist()) == (False, True, [0, 2])
    assert result.pairs == len(naive.attacking_pairs(result.queens))
    stages.clear()
    result = fastqueens.solve(board=[0] * 16, fixed=fixed, seed=1, max_steps=0, **stop)
    assert not result.solved
    assert stages.count("complete search") == 1
