"""Each algorithm, compared with a slow and obvious program and with exact probabilities; their table; refusals."""

import functools
import itertools
import math

import naive
import naive_climbs
import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens import InputError, Limits
from fastqueens.classroom import algorithms
from fastqueens.classroom.algorithms import ALGORITHMS, DEFAULT_LIMITS, MOVES, check_options, count_moves
from fastqueens.classroom.runs import run_many

pytestmark = pytest.mark.checked

#: A difference of this number of standard errors is an error of the program.
FAR = 4.0

RUNS = 20_000


def figures(runs):
    return [runs.pairs, runs.steps, runs.evaluations]


def check_agree(algorithm, n, runs=RUNS, limits=DEFAULT_LIMITS, moves="column"):
    """Compare success, final cost, steps and evaluations with runs of the slow program."""
    numbers = np.random.default_rng([n, *f"{algorithm} {moves}".encode()])
    slow = naive_climbs.make_runs(algorithm, n, moves, limits, numbers, runs)
    quick = figures(run_many(n, algorithm, range(min(RUNS, 10 * runs)), limits, moves=moves))
    names = ("solved", "cost", "steps", "evaluations")
    for name, one, other in zip(names, [quick[0] == 0, *quick], [slow[0] == 0, *slow], strict=True):
        # Over all values: a figure that is hardly ever different from 0 has a variance of 0 in a small sample.
        error = math.sqrt(np.var(np.concatenate([one, other])) * (1 / len(one) + 1 / len(other)))
        means = np.mean(one), np.mean(other)
        assert abs(means[0] - means[1]) <= FAR * error, (algorithm, n, moves, limits, name, means, error)


#: A slow program of an algorithm without random choices returns the counts themselves.
SYSTEMATIC = {
    "backtracking": naive.backtracking,
    "forward-checking": naive.forward_checking,
    "mrv": functools.partial(naive.forward_checking, fewest_first=True),
}

#: All but min-conflicts, which tests/solving compares move by move.
SEEDED = [name for name, row in ALGORITHMS.items() if row.is_seeded and name != "min-conflicts"]

#: Algorithms and limits that take other paths than the default limits.
OTHER_LIMITS = [
    # There are 6 permutations of 3 rows, so that a beam of 20 is never full.
    ("beam", 3, "swap", Limits(beam=20, sideways=3)),
    # A small population depends on mutations.
    ("genetic", 6, "column", Limits(population=6, tries=20, mutation=0.0)),
    ("genetic", 6, "column", Limits(population=6, tries=20, mutation=0.6)),
    ("annealing", 5, "column", Limits(temperature=3.0, schedule="linear", cooling=0.9)),
    ("annealing", 5, "column", Limits(temperature=0.7, schedule="logarithmic", cool_after="proposal")),
    ("annealing", 5, "column", Limits(temperature=50.0, cooling=0.98, cool_after="proposal")),
    ("annealing", 5, "column", Limits(temperature=0.05, cooling=0.8)),
]


def check_agree_with_other_moves(runs, runs_of_two):
    """Compare all algorithms with all moves that are not the usual ones."""
    few = Limits(beam=3, population=8, tries=20, sideways=10)
    for algorithm in SEEDED:
        for moves in list(MOVES)[1:]:
            if moves not in ALGORITHMS[algorithm].refused_moves:
                check_agree(algorithm, 5, runs_of_two if moves == "two" else runs, few, moves)


def test_an_algorithm_agrees_with_a_slow_program():
    for algorithm in SEEDED:
        check_agree(algorithm, 4, 1000)
        check_agree(algorithm, 5, 1000)


def test_an_algorithm_agrees_with_other_moves():
    check_agree_with_other_moves(500, 80)


def test_an_algorithm_agrees_with_other_limits():
    for algorithm, n, moves, limits in OTHER_LIMITS:
        check_agree(algorithm, n, 800, limits, moves)


@pytest.mark.gate
def test_many_runs_agree_with_slow_programs():
    for algorithm in SEEDED:
        check_agree(algorithm, 8, RUNS // 8)
    check_agree_with_other_moves(1000, 300)


def test_systematic_searches_have_the_counts_of_recursive_ones():
    for algorithm, search in SYSTEMATIC.items():
        for n in (1, 2, 3, 4, 5, 6, 7, 8, 12):
            assignments, backtracks, squares = search(n)
            run = fastqueens.climb(n, algorithm=algorithm)
            assert (run.steps, run.backtracks, run.evaluations) == (assignments, backtracks, squares), (algorithm, n)
            assert run.solved == (n not in (2, 3)), (algorithm, n)
            assert run_many(n, algorithm, range(3)).steps.tolist() == [assignments] * 3, (algorithm, n)


def test_the_counts_of_backtracking_are_those_of_the_literature():
    assert [fastqueens.climb(n, algorithm="backtracking").steps for n in (4, 5, 6, 7, 8, 10, 12)] == [
        8, 5, 31, 9, 113, 102, 261,
    ]  # fmt: skip


# Exact chances


def check_near(values, expected, *case):
    # The least error that this number of runs can have, for chances next to 1.
    error = max(np.std(values) / math.sqrt(len(values)), 1 / len(values))
    assert abs(np.mean(values) - expected) <= FAR * error, (*case, np.mean(values), expected, error)


def test_an_algorithm_has_its_exact_chances():
    for algorithm, n, limits in [
        *((algorithm, 4, DEFAULT_LIMITS) for algorithm in ("first-choice", "annealing", "random-walk")),
        *((algorithm, n, DEFAULT_LIMITS) for algorithm in ("steepest", "stochastic") for n in (4, 5)),
        *(("sideways", n, Limits(sideways=limit)) for limit in (1, 3, 100) for n in (4, 5)),
    ]:
        runs = run_many(n, algorithm, range(RUNS), limits)
        chances = naive_climbs.chances(algorithm, n, limits)
        for values, expected in zip([runs.solved, *figures(runs)], chances, strict=True):
            check_near(values, expected, algorithm, n, limits)


def test_restarts_follow_from_the_chances_of_a_climb():
    for algorithm, n in itertools.product(("restart", "restart-sideways"), (4, 5)):
        solved, _, *sums = naive_climbs.chances(algorithm, n, DEFAULT_LIMITS)
        runs = run_many(n, algorithm, range(RUNS))
        for values, expected in zip([runs.restarts, runs.steps, runs.evaluations], [1 - solved, *sums], strict=True):
            check_near(values, expected / solved, algorithm, n)


def test_random_boards_are_solutions_as_often_as_there_are_solutions():
    share = 10 / 5**5
    check_near(run_many(5, "random-sampling", range(RUNS)).solved, 1 - (1 - share) ** 250)


# The table, limits, and what is refused


def test_an_algorithm_is_a_kernel_and_a_row(monkeypatch):
    """A new row is an algorithm at once: here a walk under another name."""
    row = algorithms.Algorithm("stroll", "algorithms.random_walk", ("tries",))
    monkeypatch.setitem(ALGORITHMS, "stroll", row)
    stroll, walk = (fastqueens.climb(8, algorithm=name, seed=3) for name in ("stroll", "random-walk"))
    assert stroll.steps == walk.steps
    assert fastqueens.study(8, "stroll", 5, seed=1).to_rows()[0]["algorithm"] == "stroll"


def test_limits_end_a_run():
    for algorithm in ALGORITHMS:
        steps = run_many(12, algorithm, range(10), Limits(max_steps=2, restarts=3))
        assert steps.steps.max() <= 2, algorithm
        late = run_many(12, algorithm, range(3), Limits(time_limit=0, restarts=3))
        assert len(late.solved) == 3, algorithm


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_evaluates_as_many_boards_as_it_may(algorithm):
    """A run with a limit is the beginning of the run without it, for limits near its evaluations or those of a step."""
    for moves in MOVES:
        if moves not in ALGORITHMS[algorithm].refused_moves:
            check_evaluations(algorithm, moves)


def check_evaluations(algorithm, moves):
    few = Limits(sideways=3, restarts=1, tries=30, beam=3, population=9)
    for seed in range(2):
        whole = fastqueens.climb(7, algorithm=algorithm, moves=moves, limits=few, seed=seed)
        step, numbers = count_moves(7, moves), np.random.default_rng(seed)
        ends = [1, 2, 3, 4, 8, 9, 10, step, step + 1, step + 2, 3 * step, 3 * step + 3, *numbers.integers(1, 999, 5)]
        for limit in map(int, [*ends, whole.evaluations - 1, whole.evaluations, whole.evaluations + 1]):
            limits = few._replace(max_evaluations=limit)
            cut = fastqueens.climb(7, algorithm=algorithm, moves=moves, limits=limits, seed=seed)
            assert cut.evaluations == min(limit, whole.evaluations)
            if limit >= whole.evaluations and algorithm not in SYSTEMATIC:
                assert cut.steps == whole.steps, "a step that uses up the limit counts"
            assert cut.trace.pairs.tolist() == whole.trace.pairs[: len(cut.trace.pairs)].tolist()
            ends = cut.trace.pairs[[*(entry - 1 for entry in cut.restarts), -1]]
            # The best first board of several has no entry in the trace.
            has_many = algorithm in ("beam", "stochastic-beam", "genetic")
            assert cut.cost <= ends.min() if has_many else cut.cost == ends.min()
            batch = run_many(7, algorithm, range(seed, seed + 1), limits, moves=moves)
            assert [values[0] for values in figures(batch)] == [cut.cost, cut.steps, cut.evaluations]
            if ALGORITHMS[algorithm].is_seeded:
                assert fastqueens.attacking_pairs(cut.queens) == cut.cost
    with check_error(InputError, "max_evaluations", 0, 1):
        fastqueens.climb(7, algorithm=algorithm, moves=moves, limits=Limits(max_evaluations=0))


def test_a_limit_of_time_ends_a_long_run():
    walk = Limits(tries=10**12, time_limit=0.05)
    assert 0 < run_many(30, "random-walk", range(2), walk).seconds.max() < 5  # of the processor, which others may use
    assert fastqueens.climb(60, algorithm="backtracking", limits=Limits(time_limit=0.05)).solved is False


def test_options_that_change_nothing_are_refused_with_those_that_they_change():
    with check_error(InputError, "--cooling", "steepest", "annealing"):
        check_options(["steepest"], {"cooling": "--cooling"})
    check_options(["steepest", "annealing"], {"cooling": "--cooling", "max_steps": "--max-steps"})


def test_moves_that_an_algorithm_cannot_make_are_refused():
    with check_error(InputError, "genetic", "swap", "permutations"):
        fastqueens.climb(8, algorithm="genetic", moves="swap")
    with check_error(InputError, "swap", "two queens in a row"):
        fastqueens.climb(board=[0, 0, 1, 2], moves="swap")
    with check_error(InputError, "moves 'jump'", *MOVES):
        fastqueens.study(8, "steepest", 5, moves="jump")
    with check_error(InputError, "backtracking", "empty board"):
        fastqueens.climb(board=[0, 1, 2, 3], algorithm="backtracking")
