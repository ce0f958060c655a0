"""The rules of the classroom: each step follows the rule, and a run is the same alone and in a batch."""

import hashlib
import itertools
import math
import re

import naive
import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from lowered import lowered

import fastqueens
from fastqueens._run import memory
from fastqueens.classroom import climbing, runs
from fastqueens.classroom.climbing import climb
from fastqueens.classroom.rules import MOVES, RULES, Limits
from fastqueens.classroom.runs import run_many
from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped
from fastqueens.kernels import climbing as climbing_kernel

pytestmark = pytest.mark.checked

boards = st.integers(1, 9).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


def best_moves(board):
    costs = naive.move_costs(board)
    least = min(costs.values(), default=None)
    return least, {move for move, cost in costs.items() if cost == least}


def check_looks(climbed, board):
    """Check moves, trace and boards against each other and against a recount, and return the looks and moves."""
    looks = list(climbed.looks())
    steps = climbed.moves.steps.tolist()
    assert len(looks) == climbed.steps + len(climbed.restarts) + 1
    assert looks[0].queens.tolist() == list(board)
    assert [entry for entry, look in enumerate(looks) if look.is_start] == [0, *climbed.restarts]
    assert [look.queens.tolist() for look in looks if look.is_start] == climbed.moves.first_boards.tolist()
    for look, pairs, conflicting in zip(looks, *climbed.trace, strict=True):
        attacking = naive.attacking_pairs(look.queens.tolist())
        assert look.cost == pairs == len(attacking)
        assert conflicting == len({column for pair in attacking for column in pair})
    for before, after in itertools.pairwise(looks):
        if not after.is_start:
            column, row, new_row = steps[after.step - 1]
            assert after.move == (None if row == new_row else (column, row, new_row))
            assert (before.queens[column], after.queens[column]) == (row, new_row)
            assert (np.delete(before.queens, column) == np.delete(after.queens, column)).all()
    return [(before, after, tuple(after.move[::2])) for before, after in itertools.pairwise(looks) if after.move]


@given(boards, st.integers(0, 2**64 - 1), st.none() | st.integers(0, 5))
def test_a_step_is_a_best_move_that_is_better_or_one_of_a_few_sideways(board, seed, sideways):
    rule = "steepest" if sideways is None else "sideways"
    limit = sideways or 0
    climbed = climb(board=board, rule=rule, limits=Limits(sideways=limit), seed=seed)
    in_a_row = 0
    for before, after, move in check_looks(climbed, board):
        least, best = best_moves(before.queens.tolist())
        assert after.cost == least <= before.cost
        assert move in best
        in_a_row = in_a_row + 1 if after.cost == before.cost else 0
        assert in_a_row <= limit
    least, _ = best_moves(climbed.queens.tolist())
    assert climbed.solved == (climbed.cost == 0)
    if climbed.cost and least is not None and least <= climbed.cost:
        assert (least, in_a_row) == (climbed.cost, limit)


@given(boards.filter(lambda board: len(board) not in (2, 3)), st.integers(0, 2**64 - 1))
def test_min_conflicts_is_the_search_of_solve(board, seed):
    climbed = climb(board=board, rule="min-conflicts", seed=seed)
    check_looks(climbed, board)
    solved = fastqueens.solve(board=board, seed=seed, moves=True)
    assert climbed.moves.steps.tolist() == solved.moves.steps.tolist()
    assert climbed.solved == solved.solved


def test_restarts_of_min_conflicts_are_counted_alone_as_in_a_batch():
    limits = Limits(restarts=None)
    alone = [climb(6, rule="min-conflicts", limits=limits, seed=seed) for seed in range(1, 31)]
    batch = run_many(6, "min-conflicts", range(1, 31), limits)
    assert [len(run.restarts) for run in alone] == batch.restarts.tolist()
    assert [run.evaluations for run in alone] == batch.evaluations.tolist()
    assert batch.restarts.max() > 0


def figures_of(climbed):
    costs = climbed.initial_cost, climbed.cost
    return (*costs, climbed.steps, len(climbed.restarts), climbed.evaluations, climbed.backtracks)


def allowed(rule):
    return [moves for moves in MOVES if moves not in RULES[rule].refused_moves]


@pytest.mark.parametrize(("rule", "moves"), [(rule, moves) for rule in RULES for moves in allowed(rule)])
def test_a_run_is_the_same_alone_and_in_a_batch(rule, moves, monkeypatch):
    limits = Limits(sideways=7, restarts=2, tries=20, beam=4, population=6, max_steps=40)
    whole = run_many(7, rule, range(5, 16), limits, moves=moves)
    monkeypatch.setattr(runs, "LOOKS", 100)
    pieces = [
        run_many(7, rule, seeds, limits, moves=moves, timed=len(seeds) > 5)
        for seeds in (range(5, 6), range(6, 13), range(13, 16))
    ]
    for all_together, *parts in zip(whole[:-1], *(piece[:-1] for piece in pieces), strict=True):
        np.testing.assert_array_equal(all_together, np.concatenate(parts))
    for place, seed in enumerate(range(5, 16)):
        alone = climb(7, rule=rule, moves=moves, limits=limits, seed=seed)
        assert tuple(outcome[place] for outcome in whole[:-1]) == figures_of(alone)
        if alone.moves is not None and moves == "column":
            check_looks(alone, fastqueens.solve(7, start="random", seed=seed).initial_queens)
        elif RULES[rule].is_seeded:
            looks = list(alone.looks())
            assert [look.cost for look in looks] == [len(naive.attacking_pairs(look.queens.tolist())) for look in looks]
            assert [look.step for look in looks if not look.is_start] == list(range(1, alone.steps + 1))


#: Digests of outcomes and moves, made before there were other rules: a seed repeats its boards.
GOLDEN = [
    ("steepest", 5, "6358a2050d03f10c", "07d5aac71a0fa717"),
    ("steepest", 8, "5ad533eb4e458307", "6dc342de1cf4d84b"),
    ("steepest", 20, "d459743da4478e7e", "a5ead85f34c3d1ed"),
    ("sideways", 5, "bb1b468657a79465", "07d5aac71a0fa717"),
    ("sideways", 8, "44877631e62483f0", "55c87e35c6c385c2"),
    ("sideways", 20, "dc70000f0e7fe6cd", "e625a4a5b2146aa2"),
    ("annealing", 5, "18923813f83e9728", "d42f38ff53309094"),
    ("annealing", 8, "d1a3e751410f98af", "90ab54eca57bad24"),
    ("annealing", 20, "d6bada3d0c62d96a", "d243d668b8254e57"),
    ("min-conflicts", 5, "da2f7bdf4457d12c", "3d0a893c2a6f5d22"),
    ("min-conflicts", 8, "4329b2064f8b3557", "5fc75121d4be88d3"),
    ("min-conflicts", 20, "7b0c66248fd72fcf", "0a4697a701de324a"),
]


def digest(*arrays):
    data = b"".join(np.ascontiguousarray(array, np.int64).tobytes() for array in arrays)
    return hashlib.sha256(data).hexdigest()[:16]


@pytest.mark.parametrize(("rule", "n", "outcomes", "moves"), GOLDEN)
def test_the_first_rules_make_the_boards_that_they_always_made(rule, n, outcomes, moves):
    twenty = Limits(sideways=9, restarts=1, temperature=2.0, cooling=0.8)
    limits = {5: Limits(restarts=2), 8: Limits(restarts=0), 20: twenty}[n]
    assert digest(*run_many(n, rule, range(7, 207), limits)[:4]) == outcomes
    one = climb(n, rule=rule, limits=limits, seed=3)
    assert digest(one.moves.first_boards, one.moves.steps, *one.trace) == moves


@pytest.mark.parametrize("rule", ["steepest", "restart-sideways", "min-conflicts", "annealing"])
def test_a_board_is_only_the_first_of_a_run_with_restarts(rule):
    board = np.full(13, 6, np.int32)
    limits = Limits(sideways=2, restarts=6, temperature=0.2, cooling=0.1)
    climbed = climb(board=board, rule=rule, limits=limits, seed=7)
    board[:] = 0
    without = climb(13, rule=rule, limits=limits, seed=7)
    check_looks(climbed, [6] * 13)
    both = min(len(climbed.restarts), len(without.restarts)) + 1
    assert both > 2 or rule == "min-conflicts"
    first_boards = climbed.moves.first_boards.tolist(), without.moves.first_boards.tolist()
    assert first_boards[0][1:both] == first_boards[1][1:both]


def test_a_record_that_does_not_fit_is_refused_with_both_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 12_000_000)
    with check_error(NotEnoughMemoryError, "trace", "moves", "steps", re.compile(r"1\d.* MB"), "12 MB"):
        climb(50, rule="annealing", limits=Limits(temperature=10.0, cooling=0.999), seed=1)


@pytest.mark.parametrize(
    ("rule", "limits", "need"),
    [("mrv", {}, "80,000 MB"), ("genetic", {}, "40,040 MB"), ("stochastic-beam", {"beam": 10_000}, "48,000 MB")],
)
def test_a_rule_that_needs_too_much_memory_is_refused(monkeypatch, rule, limits, need):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**9)
    with check_error(NotEnoughMemoryError, rule, "n = 100,000", need, "1,000 MB"):
        climb(100_000, rule=rule, limits=Limits(**limits))


@pytest.mark.parametrize("rule", ["annealing", "min-conflicts"])
def test_many_moves_are_all_kept(rule):
    few = climb(20, rule=rule, seed=2)
    with lowered(search_slice=7):
        np.testing.assert_array_equal(climb(20, rule=rule, seed=2).moves.steps, few.moves.steps)
    assert few.steps > 7


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"rule": "sidewise"}, ["'sidewise'", "sideways"]),
        ({"rule": "tabu"}, ["'tabu'", *RULES]),
        ({"limits": Limits(sideways=-1)}, ["sideways must be", -1]),
        ({"limits": Limits(restarts=1.5)}, ["restarts", 1.5]),
        ({"limits": Limits(temperature=math.nan)}, ["temperature", "nan"]),
        ({"limits": Limits(cooling=1.0)}, ["cooling", 1.0, 0.01, 0.99999]),
        ({"n": 5, "board": [0, 1]}, ["n is 5", "2 queens"]),
        ({"n": None}, ["n", "board"]),
    ],
)
def test_bad_input_is_named(arguments, named):
    with check_error(InputError, *named):
        climb(**{"n": 8, **arguments})


@pytest.mark.parametrize("rule", [rule for rule, row in RULES.items() if row.is_seeded])
def test_no_endless_climb_on_a_board_without_a_solution(rule):
    with pytest.raises(NoSolutionError):
        climb(3, rule=rule, limits=Limits(restarts=None))


def test_a_recorded_climb_on_a_large_board_polls_after_few_steps():
    n, polls = 300_000, []
    climb(n, rule="random-walk", limits=Limits(max_steps=100), seed=1, stop=lambda: polls.append(1))
    assert len(polls) >= 100 * n // runs.LOOKS


@pytest.mark.parametrize("rule", ["steepest", "min-conflicts", "annealing", "genetic"])
def test_the_stop_callback_ends_a_climb(rule, monkeypatch):
    monkeypatch.setattr(runs, "LOOKS", 1000)
    with pytest.raises(Stopped):
        climb(8, rule=rule, seed=1, stop=lambda: True)
    with pytest.raises(Stopped):
        run_many(8, rule, range(10**6), stop=lambda: True)


def test_a_wrong_board_is_not_called_solved(monkeypatch):
    """The check finds a mistake of the climb: here a kernel that claims to solve every board."""

    def claims(climber, claimed, trace, seeds, outcomes, cursor):
        if cursor[climbing_kernel.LAST]:
            outcomes[:] = 0
            cursor[climbing_kernel.RUN] = 1

    monkeypatch.setattr(runs, "kernel_of", lambda rule: claims)
    monkeypatch.setattr(climbing, "is_solution", lambda queens: fastqueens.is_solution([0, 0, 0, 0]))
    with check_error(RuntimeError, "'steepest'", "n = 4", "report"):
        climb(board=[0, 0, 0, 0])
