"""NumPy integers as sizes, seeds and counts work like Python integers: narrow types must not overflow inside."""

import json

import numpy as np
import pytest
from errors import check_error, check_names
from lowered import lower

import fastqueens
from fastqueens.classroom.batches import run_many
from fastqueens.classroom.climbing import Limits
from fastqueens.core.arguments import RULES, STARTS
from fastqueens.core.instance import make_instance
from fastqueens.files.boards import board_in_file
from fastqueens.files.instance_lines import read_fixed_queens
from fastqueens.nqueens import choose_next, n_queens, n_queens_restart, succ
from fastqueens.pictures.boards import instance_picture

pytestmark = pytest.mark.checked

#: n + 63, 2 n, -n and n * n overflow these types; at 192, a multiple of 64, bitsets would be too short.
SIZES = [np.uint8(200), np.uint8(192), np.int8(100), np.int8(127), np.uint16(300), np.int16(200), np.int64(70)]


def outcomes_of(outcomes):
    return [column.tolist() for column in outcomes]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("n", SIZES, ids=repr)
def test_solve(n, start):
    result = fastqueens.solve(n, seed=np.uint8(200), start=start, max_steps=np.uint16(60_000), restarts=np.int8(100))
    expected = fastqueens.solve(int(n), seed=200, start=start)
    np.testing.assert_array_equal(result.queens, expected.queens)
    assert (result.steps, type(result.n), type(result.seed)) == (expected.steps, int, int)


@pytest.mark.parametrize("n", SIZES, ids=repr)
def test_solve_with_fixed_queens(n):
    fixed = {np.uint8(1): np.uint8(60), np.int8(69): np.int8(7)}
    result = fastqueens.solve(n, fixed=fixed, seed=1, max_nodes=np.uint8(200))
    expected = fastqueens.solve(int(n), fixed={1: 60, 69: 7}, seed=1)
    np.testing.assert_array_equal(result.queens, expected.queens)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("n", SIZES, ids=repr)
def test_solve_many(n, start):
    seeds = [np.uint8(200), np.int64(3)]
    many = fastqueens.solve_many(n, seeds, start=start, max_steps=np.uint16(60_000), restarts=np.int8(100))
    assert outcomes_of(many) == outcomes_of(fastqueens.solve_many(int(n), [200, 3], start=start))


@pytest.mark.parametrize("solvable", [True, False])
@pytest.mark.parametrize("n", SIZES, ids=repr)
def test_puzzle(n, solvable):
    seen = []
    squares = fastqueens.puzzle(
        n, np.uint8(30), seed=np.uint8(200), solvable=solvable, progress=lambda *work: seen.extend(work[1:])
    )
    assert squares.tolist() == fastqueens.puzzle(int(n), 30, seed=200, solvable=solvable).tolist()
    assert {type(number) for number in seen} <= {int}


@pytest.mark.parametrize("n", [np.uint8(8), np.int8(8), np.uint16(8), np.int64(8)], ids=repr)
def test_count_solutions(n):
    assert fastqueens.count_solutions(n, threads=np.uint8(2)) == 92
    found = fastqueens.count_solutions(n, fixed={np.uint8(1): np.uint8(3)})
    assert found == fastqueens.count_solutions(8, fixed={1: 3})


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n", SIZES, ids=repr)
def test_run_many(n, rule):
    limits = Limits(sideways=np.uint8(200), restarts=np.int8(1), temperature=0.2, cooling=0.2)
    seeds = range(np.uint8(254), np.uint16(256))
    plain = Limits(sideways=200, restarts=1, temperature=0.2, cooling=0.2)
    assert outcomes_of(run_many(n, rule, seeds, limits)) == outcomes_of(run_many(int(n), rule, range(254, 256), plain))


@pytest.mark.parametrize("rule", RULES)
def test_climb(rule):
    limits = Limits(sideways=np.uint8(200), restarts=np.int8(1), temperature=0.2, cooling=0.2)
    climbed = fastqueens.climb(np.uint8(192), rule=rule, limits=limits, seed=np.uint8(200))
    plain = Limits(sideways=200, restarts=1, temperature=0.2, cooling=0.2)
    expected = fastqueens.climb(192, rule=rule, limits=plain, seed=200)
    assert climbed.moves.steps.tolist() == expected.moves.steps.tolist()
    assert json.dumps(climbed.as_dict()) == json.dumps(expected.as_dict())
    assert list(map(type, climbed.limits)) == [int, int, float, float]


def test_study():
    rules = ["steepest", "sideways", "restart-sideways", "min-conflicts"]
    numbers = {"sideways_limit": np.uint8(200), "restarts": np.int8(100), "threads": np.uint8(2)}
    result = fastqueens.study([np.uint8(8), np.int8(20)], rules, np.uint8(200), seed=np.uint8(200), **numbers)
    expected = fastqueens.study([8, 20], rules, 200, seed=200, sideways_limit=200, restarts=100)
    assert json.dumps(result.as_dict()) == json.dumps(expected.as_dict())
    one = fastqueens.study(np.uint8(20), "steepest", np.int8(100), seed=1)
    assert one.as_dict() == fastqueens.study(20, "steepest", 100, seed=1).as_dict()


def test_a_climb_and_a_study_refuse_a_sideways_limit_of_none():
    with check_error(fastqueens.InputError, "sideways_limit is None"):
        fastqueens.climb(8, limits=Limits(sideways=None))
    with check_error(fastqueens.InputError, "sideways_limit is None"):
        fastqueens.study(8, "sideways", 10, sideways_limit=None)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.int64, np.uint64])
def test_boards(dtype):
    """Functions that take a board: rows up to 199, whose sums overflow some of the types."""
    rows = np.random.default_rng(5).integers(0, 200, 200).tolist()
    board = np.array(rows, dtype)
    assert fastqueens.heuristic_cost(board) == fastqueens.heuristic_cost(rows)
    assert fastqueens.conflicting_queens(board) == fastqueens.conflicting_queens(rows)
    assert fastqueens.first_attack(board) == fastqueens.first_attack(rows)
    assert fastqueens.attacks(board).tolist() == fastqueens.attacks(rows).tolist()
    assert fastqueens.move_costs(board).tolist() == fastqueens.move_costs(rows).tolist()
    assert fastqueens.steepest_move(board, np.uint8(200)).tolist() == fastqueens.steepest_move(rows, 200).tolist()
    assert fastqueens.descend(board).moves.tolist() == fastqueens.descend(rows).moves.tolist()
    climbed = fastqueens.climb(np.uint8(200), board=board, seed=1)
    assert climbed.moves.steps.tolist() == fastqueens.climb(board=rows, seed=1).moves.steps.tolist()


def test_the_static_point(capsys):
    state = np.random.default_rng(5).integers(0, 150, 150).tolist()
    point, plain = (np.uint8(140), np.uint8(state[140])), (140, state[140])
    assert succ(state, *point) == succ(state, *plain)
    assert choose_next(state, *point) == choose_next(state, *plain)
    assert n_queens(state, *point) == n_queens(state, *plain)
    capsys.readouterr()
    n_queens_restart(np.uint8(9), np.int8(100), np.uint8(3), np.uint8(5))
    said = capsys.readouterr().out
    n_queens_restart(9, 100, 3, 5)
    assert said == capsys.readouterr().out


def test_files(tmp_path, monkeypatch):
    lower(monkeypatch, made_in_file=1)
    with board_in_file(tmp_path / "board.npy", np.uint8(200)) as queens:
        queens[:] = fastqueens.solve(200, seed=1).queens
    assert fastqueens.is_solution(fastqueens.read_board(tmp_path / "board.npy"))
    (tmp_path / "fixed.csv").write_text("199,200\n")
    assert read_fixed_queens(tmp_path / "fixed.csv", np.uint8(200), rows_from=1).tolist() == [[199, 199]]


def test_pictures():
    squares = np.array([[1, 3], [180, 4]])
    picture = instance_picture(make_instance(np.uint8(200), squares))
    check_names(picture.get_supxlabel(), "n = 200", "198 queens", "2 fixed queens")
