"""Each rule, compared with a slow and obvious program and with exact probabilities; the table of rules; refusals."""

import functools
import math

import naive
import naive_climbs
import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens import InputError, Limits
from fastqueens.classroom import rules
from fastqueens.classroom.rules import DEFAULT_LIMITS, MOVES, RULES, check_options, count_moves
from fastqueens.classroom.runs import run_many

pytestmark = pytest.mark.checked

#: A difference of this number of standard errors is an error of the program.
FAR = 4.0

RUNS = 20_000


def figures(runs):
    return [runs.pairs, runs.steps, runs.evaluations]


def check_agree(rule, n, runs=RUNS, limits=DEFAULT_LIMITS, moves="column"):
    """Compare success, final cost, steps and evaluations with runs of the slow program."""
    numbers = np.random.default_rng([n, *f"{rule} {moves}".encode()])
    slow = naive_climbs.make_runs(rule, n, moves, limits, numbers, runs)
    quick = figures(run_many(n, rule, range(RUNS), limits, moves=moves))
    names = ("solved", "cost", "steps", "evaluations")
    for name, one, other in zip(names, [quick[0] == 0, *quick], [slow[0] == 0, *slow], strict=True):
        # Over all values: a figure that is hardly ever different from 0 has a variance of 0 in a small sample.
        error = math.sqrt(np.var(np.concatenate([one, other])) * (1 / len(one) + 1 / len(other)))
        assert abs(np.mean(one) - np.mean(other)) <= FAR * error, (name, np.mean(one), np.mean(other), error)


#: A slow program of a rule without random choices returns the counts themselves.
SYSTEMATIC = {
    "backtracking": naive.backtracking,
    "forward-checking": naive.forward_checking,
    "mrv": functools.partial(naive.forward_checking, fewest_first=True),
}

#: All but min-conflicts, which tests/solving compares move by move.
SEEDED = [rule for rule, row in RULES.items() if row.is_seeded and rule != "min-conflicts"]

#: Thousands of slow runs take several seconds at n = 8, and these are made in the gate.
SLOW = ["annealing", "beam", "stochastic-beam", "genetic"]


@pytest.mark.parametrize(("rule", "n"), [(rule, n) for rule in SEEDED for n in (4, 5, 8) if n < 8 or rule not in SLOW])
def test_a_rule_agrees_with_a_slow_program(rule, n):
    check_agree(rule, n, RUNS // 4)


@pytest.mark.gate
@pytest.mark.parametrize("rule", SLOW)
def test_a_slow_rule_agrees_with_a_slow_program(rule):
    check_agree(rule, 8, RUNS // 2)


@pytest.mark.parametrize(
    ("rule", "moves"),
    [(rule, moves) for rule in SEEDED for moves in list(MOVES)[1:] if moves not in RULES[rule].refused_moves],
)
def test_a_rule_agrees_with_other_moves(rule, moves):
    few = Limits(beam=3, population=8, tries=20, sideways=10)
    check_agree(rule, 5, 300 if moves == "two" else 2000, few, moves)


@pytest.mark.parametrize(
    ("rule", "n", "moves", "limits"),
    [
        # There are 6 permutations of 3 rows, so that a beam of 20 is never full.
        ("beam", 3, "swap", Limits(beam=20, sideways=3)),
        # A small population depends on mutations.
        ("genetic", 6, "column", Limits(population=6, tries=20, mutation=0.0)),
        ("genetic", 6, "column", Limits(population=6, tries=20, mutation=0.6)),
        ("annealing", 5, "column", Limits(temperature=3.0, schedule="linear", cooling=0.9)),
        ("annealing", 5, "column", Limits(temperature=0.7, schedule="logarithmic", cool_after="proposal")),
        ("annealing", 5, "column", Limits(temperature=50.0, cooling=0.98, cool_after="proposal")),
        ("annealing", 5, "column", Limits(temperature=0.05, cooling=0.8)),
    ],
)
def test_a_rule_agrees_with_other_limits(rule, n, moves, limits):
    check_agree(rule, n, 2000, limits, moves)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 12])
@pytest.mark.parametrize("rule", SYSTEMATIC)
def test_systematic_searches_have_the_counts_of_recursive_ones(rule, n):
    assignments, backtracks, squares = SYSTEMATIC[rule](n)
    run = fastqueens.climb(n, rule=rule)
    assert (run.steps, run.backtracks, run.evaluations) == (assignments, backtracks, squares)
    assert run.solved == (n not in (2, 3))
    assert run_many(n, rule, range(3)).steps.tolist() == [assignments] * 3


def test_the_counts_of_backtracking_are_those_of_the_literature():
    assert [fastqueens.climb(n, rule="backtracking").steps for n in (4, 5, 6, 7, 8, 10, 12)] == [
        8, 5, 31, 9, 113, 102, 261,
    ]  # fmt: skip


# Exact chances


def check_near(values, expected):
    # The least error that this number of runs can have, for chances next to 1.
    error = max(np.std(values) / math.sqrt(len(values)), 1 / len(values))
    assert abs(np.mean(values) - expected) <= FAR * error, (np.mean(values), expected, error)


@pytest.mark.parametrize(
    ("rule", "n", "limits"),
    [(rule, 4, DEFAULT_LIMITS) for rule in ("first-choice", "annealing", "random-walk")]
    + [(rule, n, DEFAULT_LIMITS) for rule in ("steepest", "stochastic") for n in (4, 5)]
    + [("sideways", n, Limits(sideways=limit)) for limit in (1, 3, 100) for n in (4, 5)],
)
def test_a_rule_has_its_exact_chances(rule, n, limits):
    runs = run_many(n, rule, range(RUNS), limits)
    chances = naive_climbs.chances(rule, n, limits)
    for values, expected in zip([runs.solved, *figures(runs)], chances, strict=True):
        check_near(values, expected)


@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize("rule", ["restart", "restart-sideways"])
def test_restarts_follow_from_the_chances_of_a_climb(rule, n):
    solved, _, *sums = naive_climbs.chances(rule, n, DEFAULT_LIMITS)
    runs = run_many(n, rule, range(RUNS))
    for values, expected in zip([runs.restarts, runs.steps, runs.evaluations], [1 - solved, *sums], strict=True):
        check_near(values, expected / solved)


def test_random_boards_are_solutions_as_often_as_there_are_solutions():
    share = 10 / 5**5
    check_near(run_many(5, "random-sampling", range(RUNS)).solved, 1 - (1 - share) ** 250)


# The table, limits, and what is refused


def test_a_rule_is_a_kernel_and_a_row(monkeypatch):
    """A new row is a rule at once: here a walk under another name."""
    row = rules.Rule("stroll", "rules.random_walk", ("tries",))
    monkeypatch.setitem(RULES, "stroll", row)
    assert fastqueens.climb(8, rule="stroll", seed=3).steps == fastqueens.climb(8, rule="random-walk", seed=3).steps
    assert fastqueens.study(8, "stroll", 5, seed=1).to_rows()[0]["rule"] == "stroll"


@pytest.mark.parametrize("rule", RULES)
def test_limits_end_a_run(rule):
    steps = run_many(12, rule, range(10), Limits(max_steps=2, restarts=3))
    assert steps.steps.max() <= 2
    late = run_many(12, rule, range(3), Limits(time_limit=0, restarts=3))
    assert len(late.solved) == 3


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("rule", RULES)
def test_a_run_evaluates_as_many_boards_as_it_may(rule, moves):
    """A run with a limit is the beginning of the run without it, for limits near its evaluations or those of a step."""
    if moves in RULES[rule].refused_moves:
        return
    few = Limits(sideways=3, restarts=1, tries=30, beam=3, population=9)
    for seed in range(3):
        whole = fastqueens.climb(7, rule=rule, moves=moves, limits=few, seed=seed)
        step, numbers = count_moves(7, moves), np.random.default_rng(seed)
        ends = [1, 2, 3, 4, 8, 9, 10, step, step + 1, step + 2, 3 * step, 3 * step + 3, *numbers.integers(1, 999, 9)]
        for limit in map(int, [*ends, whole.evaluations - 1, whole.evaluations, whole.evaluations + 1]):
            limits = few._replace(max_evaluations=limit)
            cut = fastqueens.climb(7, rule=rule, moves=moves, limits=limits, seed=seed)
            assert cut.evaluations == min(limit, whole.evaluations)
            assert cut.trace.pairs.tolist() == whole.trace.pairs[: len(cut.trace.pairs)].tolist()
            ends = cut.trace.pairs[[*(entry - 1 for entry in cut.restarts), -1]]
            # The best first board of several has no entry in the trace.
            assert cut.cost <= ends.min() if rule in ("beam", "stochastic-beam", "genetic") else cut.cost == ends.min()
            batch = run_many(7, rule, range(seed, seed + 1), limits, moves=moves)
            assert [values[0] for values in figures(batch)] == [cut.cost, cut.steps, cut.evaluations]
            if RULES[rule].is_seeded:
                assert fastqueens.attacking_pairs(cut.queens) == cut.cost
    with check_error(InputError, "max_evaluations", 0, 1):
        fastqueens.climb(7, rule=rule, moves=moves, limits=Limits(max_evaluations=0))


def test_a_limit_of_time_ends_a_long_run():
    walk = Limits(tries=10**12, time_limit=0.05)
    assert 0 < run_many(30, "random-walk", range(2), walk).seconds.max() < 5  # of the processor, which others may use
    assert fastqueens.climb(60, rule="backtracking", limits=Limits(time_limit=0.05)).solved is False


def test_options_that_change_nothing_are_refused_with_those_that_they_change():
    with check_error(InputError, "--cooling", "steepest", "annealing"):
        check_options(["steepest"], {"cooling": "--cooling"})
    check_options(["steepest", "annealing"], {"cooling": "--cooling", "max_steps": "--max-steps"})


def test_moves_that_a_rule_cannot_make_are_refused():
    with check_error(InputError, "genetic", "swap", "permutations"):
        fastqueens.climb(8, rule="genetic", moves="swap")
    with check_error(InputError, "swap", "two queens in a row"):
        fastqueens.climb(board=[0, 0, 1, 2], moves="swap")
    with check_error(InputError, "moves 'jump'", *MOVES):
        fastqueens.study(8, "steepest", 5, moves="jump")
    with check_error(InputError, "backtracking", "empty board"):
        fastqueens.climb(board=[0, 1, 2, 3], rule="backtracking")
