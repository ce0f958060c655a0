"""NumPy integers as sizes, seeds and counts work like Python integers: narrow types must not overflow inside."""

import json
from functools import partial

import numpy as np
import pytest
from errors import check_error, check_names
from lowered import lower
from processes import timeless

import fastqueens
from fastqueens.classroom.climbing import Limits
from fastqueens.classroom.rules import RULES
from fastqueens.core.arguments import STARTS
from fastqueens.core.instance import make_instance
from fastqueens.files.boards import board_in_file
from fastqueens.files.instances import read_fixed_queens
from fastqueens.nqueens import choose_next, n_queens, n_queens_restart, succ
from fastqueens.pictures.boards import instance_picture

pytestmark = pytest.mark.checked

#: n + 64, 2 n, -n and n * n overflow these types; at 192, a multiple of 64, bitsets would be too short.
SIZES = [np.uint8(192), np.int8(100)]


def listed(*arrays):
    return [np.asarray(array).tolist() for array in arrays]


def solved(n, number, start, **options):
    result = fastqueens.solve(n, seed=number(200), start=start, max_steps=60_000, restarts=number(100), **options)
    assert (type(result.n), type(result.seed)) == (int, int)
    return *listed(result.queens), result.steps


def limits(number):
    return Limits(sideways=number(200), restarts=number(1), temperature=0.2, cooling=0.2, max_evaluations=10**5)


def puzzle(n, number, solvable):
    seen = []
    squares = fastqueens.puzzle(
        n, number(30), seed=number(200), solvable=solvable, progress=lambda *work: seen.extend(work[1:])
    )
    assert {type(entry) for entry in seen} <= {int}
    return listed(squares)


def climbed(n, number, rule):
    climb = fastqueens.climb(n, rule=rule, limits=limits(number), seed=number(200))
    assert type(climb.limits.sideways) is type(climb.limits.restarts) is int
    return climb.queens.tolist(), json.dumps(climb.as_dict() | {"seconds": 0})


#: Calls with a size, and a function that makes the other numbers; what they return is compared.
CALLS = {
    **{f"solve, {start}": partial(solved, start=start) for start in STARTS},
    **{f"climb, {rule}": partial(climbed, rule=rule) for rule in RULES},
    "solve, fixed": lambda n, number: solved(n, number, "windowed", fixed={number(1): number(60), number(69): 7}),
    "puzzle": partial(puzzle, solvable=False),
    "puzzle, solvable": partial(puzzle, solvable=True),
}


@pytest.mark.parametrize("n", SIZES, ids=repr)
@pytest.mark.parametrize("name", CALLS)
def test_a_narrow_size_is_as_good_as_an_int(name, n):
    assert CALLS[name](n, np.uint8) == CALLS[name](int(n), int)


@pytest.mark.parametrize("n", [np.uint8(8), np.int8(8), np.uint16(8), np.int64(8)], ids=repr)
def test_count_solutions(n):
    assert fastqueens.count_solutions(n, threads=np.uint8(2)) == 92
    found = fastqueens.count_solutions(n, fixed={np.uint8(1): np.uint8(3)})
    assert found == fastqueens.count_solutions(8, fixed={1: 3})


def test_study():
    rules = ["steepest", "sideways", "restart-sideways", "min-conflicts"]

    def made(number):
        limits = Limits(sideways=number(200), restarts=number(100))
        sizes, options = [number(8), number(20)], {"seed": number(200), "threads": number(2)}
        result = fastqueens.study(sizes, rules, number(200), limits=limits, **options)
        one = fastqueens.study(number(20), "steepest", number(100), seed=1)
        return json.dumps([timeless(result.as_dict()), timeless(one.as_dict())])

    assert made(np.uint8) == made(int)


def test_a_climb_refuses_a_sideways_limit_of_none():
    with check_error(fastqueens.InputError, "sideways_limit is None"):
        fastqueens.climb(8, limits=Limits(sideways=None))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.int64, np.uint64])
def test_boards(dtype):
    """Functions that take a board: rows up to 199, whose sums overflow some of the types."""
    rows = np.random.default_rng(5).integers(0, 200, 200).tolist()
    board = np.array(rows, dtype)
    for answer in (
        fastqueens.heuristic_cost,
        fastqueens.conflicting_queens,
        fastqueens.first_attack,
        fastqueens.attacks,
        fastqueens.move_costs,
        lambda queens: fastqueens.steepest_move(queens, 200),
        lambda queens: fastqueens.descend(queens).moves,
        lambda queens: fastqueens.climb(board=queens, seed=1).moves.steps,
    ):
        assert listed(answer(board)) == listed(answer(rows))


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
    (tmp_path / "fixed.csv").write_text("column,row\n199,200\n")
    assert read_fixed_queens(tmp_path / "fixed.csv", np.uint8(200), rows_from=1).tolist() == [[199, 199]]


def test_pictures():
    squares = np.array([[1, 3], [180, 4]])
    picture = instance_picture(make_instance(np.uint8(200), squares))
    check_names(picture.get_supxlabel(), "n = 200", "198 queens", "2 fixed queens")
