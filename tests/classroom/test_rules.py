"""Each rule against a slow and obvious program, and against exact chances; the table of rules; nonsense is refused."""

import functools
import math
import random

import naive
import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens import InputError, Limits
from fastqueens.classroom import rules
from fastqueens.classroom.batches import run_many
from fastqueens.classroom.limits import DEFAULT_LIMITS, temperatures, tries_of
from fastqueens.classroom.rules import MOVES, RULES, check_options, count_moves

pytestmark = pytest.mark.checked

#: A difference of so many standard errors is an error of the program.
FAR = 4.0

RUNS = 20_000


def plain(rule, n, moves, numbers, limits=DEFAULT_LIMITS):
    """Make a run by the slow program; a restart rule is one of another rule, again and again."""
    tries = tries_of(rule, moves, limits, n)
    heats, each = temperatures(limits), 1 if limits.cool_after == "proposal" else n * n
    k, heat = limits.beam, limits.temperature
    sideways = functools.partial(naive.steepest, sideways=limits.sideways)
    programs = {
        "steepest": naive.steepest,
        "sideways": sideways,
        "restart": functools.partial(naive.restarting, naive.steepest),
        "restart-sideways": functools.partial(naive.restarting, sideways),
        "annealing": functools.partial(naive.annealing, heats=heats, each=each),
        "stochastic": naive.stochastic,
        "first-choice": functools.partial(naive.first_choice, tries=tries),
        "beam": functools.partial(naive.beam, size=k, patience=limits.sideways),
        "stochastic-beam": functools.partial(naive.beam, size=k, patience=limits.sideways, heat=heat),
        "genetic": functools.partial(
            naive.genetic, size=limits.population, patience=tries, heat=heat, mutation=limits.mutation
        ),
        "random-walk": functools.partial(naive.annealing, heats=[math.inf], each=tries),
        "random-sampling": functools.partial(naive.random_sampling, tries=tries),
    }
    return programs[rule](n, moves, numbers)


def figures(runs):
    return [runs.solved, runs.steps, runs.pairs, runs.evaluations]


def check_agree(rule, n, moves, runs, limits=DEFAULT_LIMITS):
    """Compare success, steps, final cost and evaluations with so many runs of the slow program."""
    numbers = random.Random(f"{rule} {n} {moves}")
    made = [plain(rule, n, moves, numbers, limits) for _ in range(runs)]
    slow = [[naive.pairs(board) == 0 for board, *_ in made], [steps for _, steps, _ in made]]
    slow += [[naive.pairs(board) for board, *_ in made], [looked for *_, looked in made]]
    quick = figures(run_many(n, rule, range(RUNS), limits, moves=moves))
    for name, one, other in zip(("solved", "steps", "cost", "evaluations"), quick, slow, strict=True):
        # Over all values: a figure that is hardly ever different from 0 has a variance of 0 in a small sample.
        variance = np.var(np.concatenate([one, other]))
        error = math.sqrt(variance * (1 / len(one) + 1 / len(other)))
        assert abs(np.mean(one) - np.mean(other)) <= FAR * error, (name, np.mean(one), np.mean(other), error)


#: A slow program of a rule without random choices returns the counts themselves.
SYSTEMATIC = {
    "backtracking": naive.backtracking,
    "forward-checking": naive.forward_checking,
    "mrv": functools.partial(naive.forward_checking, fewest_first=True),
}

#: Compared elsewhere, word by word: tests/solving has its slow program.
ELSEWHERE = {"min-conflicts"}

SEEDED = [rule for rule, row in RULES.items() if row.is_seeded and rule not in ELSEWHERE]


#: Runs of the slow programs at n = 8 that take up to a second each. The gate makes a tenth of the usual many.
SLOW_RUNS = {"beam": 4, "stochastic-beam": 2, "genetic": 2, "random-walk": 15, "random-sampling": 20, "annealing": 20}


@pytest.mark.parametrize("n", [4, 5, 8])
@pytest.mark.parametrize("rule", SEEDED)
def test_a_rule_agrees_with_a_slow_program(rule, n):
    check_agree(rule, n, "column", SLOW_RUNS.get(rule, 100) if n == 8 else 150)


@pytest.mark.gate
@pytest.mark.parametrize("n", [4, 5, 8])
@pytest.mark.parametrize("rule", SEEDED)
def test_a_rule_agrees_with_a_slow_program_over_many_runs(rule, n):
    many = {4: RUNS, 5: RUNS // 4, 8: RUNS // 10}[n]
    check_agree(rule, n, "column", many // 10 if rule in SLOW_RUNS else many)


@pytest.mark.parametrize(
    ("rule", "moves"),
    [(rule, moves) for rule in SEEDED for moves in list(MOVES)[1:] if moves not in RULES[rule].refused_moves],
)
def test_a_rule_agrees_with_other_moves(rule, moves):
    few = Limits(beam=3, population=8, tries=20, sideways=10)
    check_agree(rule, 5, moves, 30 if moves == "two" else 150, few)


def test_a_beam_keeps_equal_boards_once():
    """There are 6 permutations of 3 rows, so that a beam of 20 is never full."""
    check_agree("beam", 3, "swap", 100, Limits(beam=20, sideways=3))


@pytest.mark.parametrize("mutation", [0.0, 0.6])
def test_a_small_population_depends_on_mutations(mutation):
    check_agree("genetic", 6, "column", 300, Limits(population=6, tries=20, mutation=mutation))


@pytest.mark.parametrize(
    "limits",
    [
        Limits(temperature=3.0, schedule="linear", cooling=0.9),
        Limits(temperature=0.7, schedule="logarithmic", cool_after="proposal"),
        Limits(temperature=50.0, cooling=0.98, cool_after="proposal"),
    ],
)
def test_annealing_agrees_with_other_schedules(limits):
    check_agree("annealing", 5, "column", 150, limits)


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


def exact(rule, n):
    """Return success rate, mean steps and mean final cost, or None if the rule has no chain that only goes down."""

    def better(board):
        return [after for after in naive.neighbours(board, "column") if naive.pairs(after) < naive.pairs(board)]

    def best(board):
        return [after for after in naive.least(naive.neighbours(board, "column")) if after in better(board)], 0

    def drawn(board):
        share = len(better(board)) / len(naive.neighbours(board, "column"))
        return better(board), (1 - share) ** tries_of("first-choice", "column", DEFAULT_LIMITS, n)

    ways = {"steepest": best, "stochastic": lambda board: (better(board), 0), "first-choice": drawn}
    return naive.chances(n, ways[rule])


def check_near(values, expected):
    # The least error that so many runs can have, for chances next to 1.
    error = max(np.std(values) / math.sqrt(len(values)), 1 / len(values))
    assert abs(np.mean(values) - expected) <= FAR * error, (np.mean(values), expected, error)


@pytest.mark.parametrize("n", [4, pytest.param(5, marks=pytest.mark.gate)])
@pytest.mark.parametrize("rule", ["steepest", "stochastic", "first-choice"])
def test_a_rule_that_goes_down_has_its_exact_chances(rule, n):
    for values, expected in zip(figures(run_many(n, rule, range(RUNS))), exact(rule, n), strict=False):
        check_near(values, expected)


@pytest.mark.parametrize("n", [4, pytest.param(5, marks=pytest.mark.gate)])
def test_restarts_follow_from_the_chances_of_a_climb(n):
    solved, steps, _ = exact("steepest", n)
    runs = run_many(n, "restart", range(RUNS))
    check_near(runs.restarts, (1 - solved) / solved)
    check_near(runs.steps, steps / solved)


@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize("rule", ["annealing", "random-walk"])
def test_a_rule_that_draws_moves_has_its_exact_chances(rule, n):
    boards = np.stack(np.unravel_index(np.arange(n**n), (n,) * n), axis=1)
    costs = np.array([naive.pairs(tuple(board)) for board in boards.tolist()])
    following = (naive.neighbours(tuple(board), "column") for board in boards.tolist())
    after = np.array([[naive_index(board, n) for board in several] for several in following])
    rises = costs[after] - costs[:, None]
    share, steps = np.full(n**n, 1 / n**n), 0.0
    walk = rule == "random-walk"
    for heat in [math.inf] if walk else temperatures(DEFAULT_LIMITS):
        accepted = np.exp(-np.maximum(rises, 0) / heat) / after.shape[1] * (costs > 0)[:, None]
        for _ in range(tries_of(rule, "column", DEFAULT_LIMITS, n) if walk else n * n):
            moved = share[:, None] * accepted
            steps += moved.sum()
            share = share - moved.sum(axis=1) + np.bincount(after.ravel(), moved.ravel(), n**n)
    runs = run_many(n, rule, range(RUNS))
    for values, expected in zip(figures(runs), (share[costs == 0].sum(), steps, share @ costs), strict=False):
        check_near(values, expected)


def naive_index(board, n):
    return functools.reduce(lambda index, row: index * n + row, board, 0)


def test_random_boards_are_solutions_as_often_as_there_are_solutions():
    share = 10 / 5**5
    check_near(run_many(5, "random-sampling", range(RUNS)).solved, 1 - (1 - share) ** 250)


# The table, limits, and what is refused


def test_a_rule_is_a_kernel_and_a_row(monkeypatch):
    """A new row is a rule at once: here a walk under another name."""
    row = rules.Rule("stroll", "drawing_kernel.random_walk", ("tries",))
    monkeypatch.setitem(RULES, "stroll", row)
    assert fastqueens.climb(8, rule="stroll", seed=3).steps == fastqueens.climb(8, rule="random-walk", seed=3).steps
    assert fastqueens.study(8, "stroll", 5, seed=1).to_rows()[0]["rule"] == "stroll"


@pytest.mark.parametrize("rule", RULES)
def test_limits_end_a_run(rule):
    steps = run_many(12, rule, range(10), Limits(max_steps=2, restarts=3))
    assert steps.steps.max() <= 2
    looked = run_many(12, rule, range(10), Limits(max_evaluations=5, restarts=3))
    assert not looked.solved.any()
    late = run_many(12, rule, range(3), Limits(time_limit=0, restarts=3))
    assert len(late.solved) == 3


def test_a_limit_of_time_ends_a_long_run():
    walk = Limits(tries=10**12, time_limit=0.05)
    assert 0.01 < run_many(30, "random-walk", range(2), walk).seconds.max() < 5
    assert fastqueens.climb(60, rule="backtracking", limits=Limits(time_limit=0.05)).solved is False


def test_first_choice_misses_a_good_move_with_less_than_one_percent():
    for n in (4, 8, 20):
        for moves in MOVES:
            m, tries = count_moves(n, moves), tries_of("first-choice", moves, DEFAULT_LIMITS, n)
            assert (1 - 1 / m) ** tries < 0.01 < (1 - 1 / m) ** (tries * 0.85)


def test_the_genetic_algorithm_solves_eight_queens():
    assert run_many(8, "genetic", range(2000)).solved.mean() >= 0.95


def test_options_that_change_nothing_are_refused_with_those_that_they_change():
    with check_error(InputError, "--cooling", "steepest", "annealing"):
        check_options(["steepest"], {"cooling": "--cooling"})
    check_options(["steepest", "annealing"], {"cooling": "--cooling", "max_steps": "--max-steps"})


def test_moves_that_a_rule_cannot_make_are_refused():
    with check_error(InputError, "genetic", "swap", "permutations"):
        fastqueens.climb(8, rule="genetic", moves="swap")
    with check_error(InputError, "swap", "two queens in a row"):
        fastqueens.climb(board=[0, 0, 1, 2], moves="swap")
    with check_error(InputError, "moves is 'jump'", *MOVES):
        fastqueens.study(8, "steepest", 5, moves="jump")
    with check_error(InputError, "backtracking", "empty board"):
        fastqueens.climb(board=[0, 1, 2, 3], rule="backtracking")


def test_several_runs_have_consecutive_seeds():
    three = fastqueens.climb(8, rule="beam", seed=5, runs=3)
    assert [run.seed for run in three] == [5, 6, 7]
    assert three[1].as_dict() | {"seconds": 0} == fastqueens.climb(8, rule="beam", seed=6).as_dict() | {"seconds": 0}
