"""NumPy integers as sizes, seeds and counts work like Python integers: narrow types must not overflow inside."""

import json
from functools import partial

import numpy as np
import pytest
from errors import check_error
from processes import timeless

import fastqueens
from fastqueens._run.arguments import STARTS
from fastqueens.classroom.climbing import Limits
from fastqueens.classroom.rules import RULES

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
    with check_error(fastqueens.InputError, "sideways must be", "None"):
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
