"""Every function on the smallest instances, for which code takes shortcuts, against a brute force."""

import itertools
import math
import random
import warnings

import naive
import pytest

import fastqueens
from fastqueens import NoSolutionError

pytestmark = pytest.mark.checked

WAYS_TO_SOLVE = {
    "auto": {},
    "complete search": {"method": "complete"},
    "local search": {"method": "local"},
    "no steps": {"method": "local", "max_steps": 0, "restarts": 0},
    "mixed": {"mix": 2},
}


def subsets(values):
    return [list(itertools.compress(values, chosen)) for chosen in itertools.product((0, 1), repeat=len(values))]


def constraints():
    """Yield n with constraints: all of n = 1, all blocked squares of n = 2 and 3, random ones, parts of solutions."""
    for fixed, blocked, sums, differences in itertools.product(
        subsets([(0, 0)]), subsets([(0, 0)]), *[subsets([0])] * 2
    ):
        yield 1, {"fixed": fixed, "blocked": blocked, "excluded_sums": sums, "excluded_differences": differences}
    chance = random.Random(1)
    for n in (2, 3):
        squares = list(itertools.product(range(n), repeat=2))
        yield from ((n, {"blocked": blocked}) for blocked in subsets(squares))
        for _ in range(100):
            diagonals = {"excluded_sums": [chance.randrange(2 * n - 1)], "excluded_differences": [chance.randrange(n)]}
            yield n, {"fixed": chance.sample(squares, 1), "blocked": chance.sample(squares, 2), **diagonals}
    for solution in naive.completions(4, {}) * 20:
        fixed = {c: r for c, r in enumerate(solution) if chance.random() < 0.5}
        yield 4, {"fixed": fixed, "blocked": [(c, r) for c in range(4) for r in (0, 2) if solution[c] != r]}
        yield 4, {"fixed": fixed, "excluded_differences": [chance.randrange(-3, 4)]}


def brute_force(n, fixed=(), blocked=(), excluded_sums=(), excluded_differences=()):
    return [
        board
        for board in naive.completions(n, dict(fixed))
        if not any(
            (c, r) in blocked or c + r in excluded_sums or r - c in excluded_differences for c, r in enumerate(board)
        )
    ]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.gate)])
def test_all_functions_agree_with_a_brute_force(step):
    """The gate tries all instances, and the other runs every seventh."""
    for n, given in itertools.islice(constraints(), 0, None, step):
        expected, where = brute_force(n, **given), (n, given)
        try:
            instance = fastqueens.make_instance(n, **given)
        except NoSolutionError:
            assert not expected, where
            if not {"excluded_sums", "excluded_differences"} & given.keys():
                assert not [*fastqueens.all_solutions(n, **given)], where
                assert fastqueens.count_solutions(n, **given) == 0, where
            continue
        check_searches(instance, expected, where)
        assert [board.tolist() for board in fastqueens.all_solutions(instance)] == expected, where
        assert fastqueens.count_solutions(instance) == len(expected), where
        assert fastqueens.count_solutions(instance, limit=1) == min(1, len(expected)), where
        assert fastqueens.has_unique_solution(instance) == (len(expected) == 1), where
        sampled = outcome(fastqueens.sample, instance, count=2)
        estimated = outcome(fastqueens.estimate, instance, replicas=4)
        if not expected:  # InputError: there is no proof, but nothing was found
            assert {sampled, estimated} <= {NoSolutionError} | ({fastqueens.InputError} if n == 4 else set()), where
            continue
        assert all(board in expected for board in sampled.boards.tolist()), where
        assert estimated.log_count == pytest.approx(math.log(len(expected)), abs=0.1), where


def check_searches(instance, expected, where):
    """Compare what prove and solve find with all solutions."""
    answer = fastqueens.prove(instance, seed=1)
    assert answer.solvable == bool(expected), where
    assert answer.queens is None or answer.queens.tolist() in expected, where
    assert fastqueens.prove(instance, seed=1, max_nodes=0).solvable is None, where
    for name, options in WAYS_TO_SOLVE.items():
        for board in ({}, {"board": [0] * instance.n})[: 1 + (name != "complete search")]:
            try:
                result = fastqueens.solve(instance, **board, **options, seed=1)
            except NoSolutionError:
                assert not expected, (name, *where)
            else:
                assert instance.n in (1, 4), (name, *where)
                assert result.queens.tolist() in expected or not result.solved, (name, *where)
                assert result.solved or instance.n == 4, (name, *where)


def outcome(function, *arguments, **options):
    """Return the result of a function, or the type of its error."""
    try:
        with warnings.catch_warnings(action="ignore", category=fastqueens.SamplingWarning):
            return function(*arguments, **options, seed=1)
    except (NoSolutionError, fastqueens.InputError) as error:
        return type(error)


def test_puzzles_and_statistics_of_the_smallest_boards():
    refused = {NoSolutionError, fastqueens.InputError}
    for n in range(1, 4):
        for queens, is_solvable in itertools.product(range(n + 1), (False, True)):
            fixed = outcome(fastqueens.puzzle, n, queens, solvable=is_solvable)
            is_impossible = n > 1 and (is_solvable or queens == n)
            assert fixed in refused if is_impossible else len(fixed.fixed) == queens, (n, queens)
    [made] = fastqueens.unique_puzzles(1, 1, seed=1)
    assert (len(made.instance.fixed), made.solution.tolist()) == (0, [0])
    assert [outcome(fastqueens.unique_puzzles, n, 1) for n in (2, 3)] == [NoSolutionError] * 2
    for boards in [[0]], [[0]] * 40, [[0, 0]], [[0, 1, 2], [2, 1, 0]]:
        found = fastqueens.statistics(boards)
        assert found.queens.sum() == found.count * found.n == len(boards) * len(boards[0])
