"""The algorithms of the classroom: each step is right, and a run is the same alone and in a batch."""

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
from lowered import limit_memory, lowered

import fastqueens
from fastqueens.classroom import climbing, runs
from fastqueens.classroom.algorithms import ALGORITHMS, MOVES, Limits
from fastqueens.classroom.climbing import climb
from fastqueens.classroom.runs import run_many
from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped

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
    algorithm = "steepest" if sideways is None else "sideways"
    limit = sideways or 0
    climbed = climb(board=board, algorithm=algorithm, limits=Limits(sideways=limit), seed=seed)
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
    climbed = climb(board=board, algorithm="min-conflicts", seed=seed)
    check_looks(climbed, board)
    solved = fastqueens.solve(board=board, seed=seed, trace="moves")
    assert climbed.moves.steps.tolist() == solved.moves.steps.tolist()
    assert climbed.solved == solved.solved


def test_restarts_of_min_conflicts_are_counted_alone_as_in_a_batch():
    limits = Limits(restarts=None)
    alone = [climb(6, algorithm="min-conflicts", limits=limits, seed=seed) for seed in range(1, 31)]
    batch = run_many(6, "min-conflicts", range(1, 31), limits)
    assert [len(run.restarts) for run in alone] == batch.restarts.tolist()
    assert [run.evaluations for run in alone] == batch.evaluations.tolist()
    assert batch.restarts.max() > 0


def figures_of(climbed):
    costs = climbed.initial_cost, climbed.cost
    return (*costs, climbed.steps, len(climbed.restarts), climbed.evaluations, climbed.backtracks)


def allowed(algorithm):
    return [moves for moves in MOVES if moves not in ALGORITHMS[algorithm].refused_moves]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_is_the_same_alone_and_in_a_batch(algorithm):
    for moves in allowed(algorithm):
        check_batch(algorithm, moves)


def check_batch(algorithm, moves):
    """Compare a batch with its pieces, which have a limit of time and therefore make short calls, and with runs."""
    limits = Limits(sideways=7, restarts=2, tries=20, beam=4, population=6, max_steps=40)
    whole = run_many(7, algorithm, range(5, 306), limits, moves=moves)
    pieces = [
        run_many(7, algorithm, seeds, limits._replace(time_limit=1000.0), moves=moves, timed=len(seeds) == 7)
        for seeds in (range(5, 6), range(6, 13), range(13, 306))
    ]
    for all_together, *parts in zip(whole[:-1], *(piece[:-1] for piece in pieces), strict=True):
        np.testing.assert_array_equal(all_together, np.concatenate(parts), f"{algorithm}, {moves}")
    for place, seed in enumerate(range(5, 16)):
        alone = climb(7, algorithm=algorithm, moves=moves, limits=limits, seed=seed)
        assert tuple(outcome[place] for outcome in whole[:-1]) == figures_of(alone), (algorithm, moves, seed)
        if alone.moves is not None and moves == "column":
            check_looks(alone, fastqueens.solve(7, start="random", seed=seed).initial_queens)
        elif ALGORITHMS[algorithm].is_seeded:
            looks = list(alone.looks())
            assert [look.cost for look in looks] == [len(naive.attacking_pairs(look.queens.tolist())) for look in looks]
            assert [look.step for look in looks if not look.is_start] == list(range(1, alone.steps + 1))


#: Digests of outcomes and moves, made before there were other algorithms: a seed repeats its boards.
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


def test_the_first_algorithms_make_the_boards_that_they_always_made():
    twenty = Limits(sideways=9, restarts=1, temperature=2.0, cooling=0.8)
    for algorithm, n, outcomes, moves in GOLDEN:
        limits = {5: Limits(restarts=2), 8: Limits(restarts=0), 20: twenty}[n]
        assert digest(*run_many(n, algorithm, range(7, 207), limits)[:4]) == outcomes, (algorithm, n)
        one = climb(n, algorithm=algorithm, limits=limits, seed=3)
        assert digest(one.moves.first_boards, one.moves.steps, *one.trace) == moves, (algorithm, n)


def test_a_board_is_only_the_first_of_a_run_with_restarts():
    limits = Limits(sideways=2, restarts=6, temperature=0.2, cooling=0.1)
    for algorithm in ("steepest", "restart-sideways", "min-conflicts", "annealing"):
        board = np.full(13, 6, np.int32)
        climbed = climb(board=board, algorithm=algorithm, limits=limits, seed=7)
        board[:] = 0
        without = climb(13, algorithm=algorithm, limits=limits, seed=7)
        check_looks(climbed, [6] * 13)
        both = min(len(climbed.restarts), len(without.restarts)) + 1
        assert both > 2 or algorithm == "min-conflicts", algorithm
        first_boards = climbed.moves.first_boards.tolist(), without.moves.first_boards.tolist()
        assert first_boards[0][1:both] == first_boards[1][1:both], algorithm


def test_a_record_that_does_not_fit_is_refused_with_both_numbers(monkeypatch):
    limit_memory(monkeypatch, 12_000_000)
    with check_error(NotEnoughMemoryError, "trace", "moves", "steps", re.compile(r"1\d.* MB"), "12 MB"):
        climb(50, algorithm="annealing", limits=Limits(temperature=10.0, cooling=0.999), seed=1)


def test_an_algorithm_that_needs_too_much_memory_is_refused(monkeypatch):
    limit_memory(monkeypatch, 10**9)
    for algorithm, limits, need in (
        ("mrv", Limits(), "80,000 MB"),
        ("genetic", Limits(), "40,040 MB"),
        ("stochastic-beam", Limits(beam=10_000), "48,000 MB"),
    ):
        with check_error(NotEnoughMemoryError, algorithm, "n = 100,000", need, "1,000 MB"):
            climb(100_000, algorithm=algorithm, limits=limits)


def test_many_moves_are_all_kept():
    for algorithm in ("annealing", "min-conflicts"):
        few = climb(20, algorithm=algorithm, seed=2)
        with lowered(search_slice=7):
            many = climb(20, algorithm=algorithm, seed=2)
        np.testing.assert_array_equal(many.moves.steps, few.moves.steps, algorithm)
        assert few.steps > 7


def test_bad_input_is_named():
    for arguments, named in [
        ({"algorithm": "sidewise"}, ["'sidewise'", "sideways"]),
        ({"algorithm": "tabu"}, ["'tabu'", *ALGORITHMS]),
        ({"limits": Limits(sideways=-1)}, ["sideways must be", -1]),
        ({"limits": Limits(restarts=1.5)}, ["restarts", 1.5]),
        ({"limits": Limits(temperature=math.nan)}, ["temperature", "nan"]),
        ({"limits": Limits(cooling=1.0)}, ["cooling", 1.0, 0.01, 0.99999]),
        ({"n": 5, "board": [0, 1]}, ["n is 5", "2 queens"]),
        ({"n": None}, ["n", "board"]),
    ]:
        with check_error(InputError, *named):
            climb(**{"n": 8, **arguments})


def test_no_endless_climb_on_a_board_without_a_solution():
    for algorithm in [name for name, row in ALGORITHMS.items() if row.is_seeded]:
        with pytest.raises(NoSolutionError):
            climb(3, algorithm=algorithm, limits=Limits(restarts=None))


def test_a_recorded_climb_on_a_large_board_polls_after_few_steps():
    n, polls = 300_000, []
    climb(n, algorithm="random-walk", limits=Limits(max_steps=100), seed=1, stop=lambda: polls.append(1))
    assert len(polls) >= 100 * n // runs.LOOKS


def test_the_stop_callback_ends_climbs():
    for algorithm in ("steepest", "min-conflicts", "annealing", "genetic"):
        with pytest.raises(Stopped):
            run_many(8, algorithm, range(10**5), Limits(time_limit=1000.0), stop=lambda: True)
    with pytest.raises(Stopped):
        climb(100_000, algorithm="random-walk", limits=Limits(max_steps=1000), seed=1, stop=lambda: True)


def test_a_board_that_fails_the_check_is_not_called_solved(monkeypatch):
    monkeypatch.setattr(climbing, "is_solution", lambda queens: False)
    with check_error(RuntimeError, "'restart'", "n = 4", "report"):
        climb(4, algorithm="restart", seed=1)
