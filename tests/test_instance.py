"""Blocked squares and excluded diagonals: their validation, every start, both searches, and the check of the board."""

import contextlib
import itertools

import naive
import numpy as np
import plain
import pytest
from drawing import drawn, instances
from errors import check_error, check_names
from hypothesis import given
from hypothesis import strategies as st
from lowered import EVERYTHING, lowered, solve

import fastqueens
from fastqueens import InputError, NoSolutionError, make_instance
from fastqueens._jit.decorators import kernel
from fastqueens._run.arguments import STARTS
from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens.checking import find_fault
from fastqueens.exact.propagation import check_closed_lines
from fastqueens.kernels import blocked as blocked_kernels
from fastqueens.kernels.plateau import PAIRS, UNDER_WAY
from fastqueens.local_search import first_search
from fastqueens.placement.arrays import new_attempt

_is_blocked, _blocked_rows = blocked_kernels.is_blocked, blocked_kernels.blocked_rows


@kernel
def look_up(blocked, column, row):
    """Call both parts as other kernels do."""
    return _is_blocked(blocked, column, row), _blocked_rows(blocked, column, row >> np.uint64(6))


# The statement.


def test_a_wrong_constraint_is_named(subtests):
    for constraints, named in [
        ({"blocked": [(1, 9)]}, ["column 1", "row 9", 0, 7]),
        ({"blocked": [(1, 2, 3)]}, ["blocked", "(1, 2, 3)"]),
        ({"blocked": {1: 2}}, ["blocked", "{1: 2}"]),
        ({"blocked": np.zeros((2, 2))}, ["blocked", "float64", "(2, 2)"]),
        ({"excluded_sums": [15]}, ["sum diagonal 15", 0, 14]),
        ({"excluded_differences": [8]}, ["difference diagonal 8", "-7", 7]),
        ({"excluded_sums": [1.5]}, ["excluded_sums", "1.5"]),
        ({"excluded_sums": [True]}, ["excluded_sums", "True"]),
        ({"excluded_sums": 3}, ["excluded_sums is 3"]),
        ({"fixed": {8: 0}}, ["column 8", "row 0", 0, 7]),
        ({"fixed": [(3, 1), (5, 0), (3, 4)]}, ["column 3", "rows 1 and 4"]),
        ({"fixed": {2**70: 0}}, ["fixed", 2**70]),
        ({"fixed": np.array([[2**63, 0]], np.uint64)}, ["fixed", "9223372036854775808"]),
        ({"fixed": {1: 2.5}}, ["fixed", "(1, 2.5)"]),
        ({"fixed": [(1, 3), (2, "a")]}, ["fixed", "(2, 'a')"]),
        ({"fixed": [3, 17]}, ["fixed holds 3"]),
        ({"fixed": [(1, 2), (3,)]}, ["fixed", "(3,)"]),
        ({"fixed": np.array([[3.0, 17.0]])}, ["fixed", "float64", "(1, 2)"]),
        ({"fixed": "3,17"}, ["fixed", "'3,17'"]),
        ({"fixed": 7}, ["fixed is 7"]),
    ]:
        with subtests.test(constraints=constraints, named=named), check_error(InputError, *named):
            make_instance(8, **constraints)


def test_a_fixed_queen_must_be_allowed_to_stand(subtests):
    for constraint, place in [
        ({"blocked": [(0, 0), (1, 3)]}, "a blocked square"),
        ({"excluded_sums": [4]}, "the excluded sum diagonal 4"),
        ({"excluded_differences": [2]}, "the excluded difference diagonal 2"),
    ]:
        with subtests.test(constraint=constraint, place=place):
            with check_error(NoSolutionError, "column 1", "row 3", place):
                make_instance(8, {1: 3, 6: 0}, **constraint)
            with check_error(NoSolutionError, "column 1", "row 4", place):
                make_instance(8, {1: 3}, **constraint, rows_from=1)


def test_messages_count_rows_as_the_user_does(run):
    with check_error(InputError, "column 2", "row 9", 1, 8):
        make_instance(8, blocked=[(2, 8)], rows_from=1)
    closed = [option for column in range(1, 9) for option in ("--block", f"{column - 1},5")]
    for options, row in ((closed, "row 5"), (["--queen", "2,5", "--block", "2,5"], "row 5"), (["--queen", "2,9"], "9")):
        check_names(run("solve", "8", *options, "--rows-from", "1")[2], row)
    instance = make_instance(8, blocked=[(column, 4) for column in range(8)], rows_from=1)
    with check_error(NoSolutionError, "row 5"):
        fastqueens.solve(instance)


def test_blocked_squares_have_one_order_of_memory():
    """Kernels are compiled for an order of memory: another one would make the first call take seconds."""
    by_line = np.array([[0, 0, 1, 5], [0, 3, 4, 2]])
    instance = make_instance(8, blocked=by_line.T)
    for stated in (instance, instance.transposed(), make_instance(8, blocked=by_line.T[::-1])):
        assert stated.blocked.flags.c_contiguous
    assert instance.blocked.tolist() == by_line.T.tolist()


def test_constraints_are_sorted_and_occur_once():
    squares = np.array([[3, 1], [2, 5], [3, 1], [2, 0]], np.uint8)
    instance = make_instance(8, blocked=squares, excluded_sums=[3, 0, 3], excluded_differences=(7, -7, 7))
    assert instance.blocked.tolist() == [[2, 0], [2, 5], [3, 1]]
    assert instance.excluded_sums.tolist() == [0, 3]
    assert instance.excluded_differences.tolist() == [-7, 7]
    assert [array.dtype for array in (instance.blocked, instance.excluded_sums)] == [np.int64, np.int64]
    mirrored = instance.transposed()
    assert mirrored.blocked.tolist() == [[0, 2], [1, 3], [5, 2]]
    assert mirrored.excluded_differences.tolist() == [-7, 7]
    counted = "3 blocked squares, 2 excluded sum diagonals and 2 excluded difference diagonals"
    assert repr(instance) == f"<Instance n=8, {counted}>"
    for twice in ([(3, 1), (2, 5), (3, 1)], np.array([[3, 1], [3, 1], [2, 5]])):  # the same queen is named twice
        assert make_instance(8, twice).fixed.squares.tolist() == [[2, 5], [3, 1]]


def test_an_instance_excludes_other_constraints():
    instance = make_instance(8, blocked=[(0, 0)])
    assert fastqueens.solve(instance, seed=1).n == 8
    functions = fastqueens.solve, fastqueens.count_solutions, fastqueens.all_solutions, fastqueens.sample
    for function in (*functions, fastqueens.has_unique_solution, fastqueens.estimate):
        for other in ({"fixed": {}}, {"blocked": []}):
            with pytest.raises(InputError, match=next(iter(other))):
                function(instance, **other)
        for first in (8, instance):
            with pytest.raises(TypeError, match="blocks"):
                function(first, blocks=[(0, 0)])


def test_n_with_constraints_is_as_good_as_an_instance():
    constraints = {"fixed": {0: 3}, "blocked": [(2, 2)]}
    instance = make_instance(9, **constraints)

    def answers(*arguments, **named):
        return [
            fastqueens.solve(*arguments, seed=1, **named).queens.tolist(),
            fastqueens.estimate(*arguments, seed=1, replicas=4, **named).log_count,
            fastqueens.count_solutions(*arguments, **named),
            fastqueens.has_unique_solution(*arguments, **named),
            [queens.tolist() for queens in fastqueens.all_solutions(*arguments, **named)],
            fastqueens.sample(*arguments, count=9, seed=1, **named).boards.tolist(),
        ]

    of_n = answers(9, **constraints)
    assert of_n == answers(instance)
    assert len(of_n[4]) == of_n[2] > 1
    assert not of_n[3]


# Looking up blocked squares.


@given(st.integers(1, 300), st.data())
def test_blocked_squares_are_found(n, data):
    square = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    squares = set(data.draw(st.lists(square, max_size=3 * n)))
    blocked = make_instance(n, blocked=sorted(squares)).blocked_index
    assert len(blocked) <= 5 * len(squares) + 5
    asked = [*squares, *data.draw(st.lists(square, max_size=20)), (0, 0), (n - 1, n - 1)]
    for column, row in asked:
        is_blocked, rows = look_up(blocked, np.uint64(column), np.uint64(row))
        assert is_blocked == ((column, row) in squares)
        first = row // 64 * 64
        assert int(rows) == sum(1 << (r - first) for c, r in squares if c == column and first <= r < first + 64)


# Every start and local search.


def assert_solves(queens, instance):
    plain.assert_solution(queens, instance.n)
    assert plain.broken(queens, instance) == (0, 0, 0, 0)


def test_every_start_respects_the_constraints(subtests):
    for start, n in itertools.product(STARTS, [70, 127, 128, 129, 500]):
        with subtests.test(start=start, n=n):
            instance = drawn(n, squares=2.0, diagonals=n // 8, fixed=n // 20, seed=3)
            for threads, unsigned in ((1, {}), (2, {}), (1, {"unsigned_rows": 1})):
                with lowered(**unsigned):
                    result = fastqueens.solve(instance, seed=5, start=start, threads=threads, method="local")
                    assert fastqueens.is_solution(result.queens, instance=instance)
                assert (result.solved, result.method, result.nodes) == (True, "local", 0)
                assert result.queens.dtype == (np.uint32 if unsigned else np.int32)
                assert_solves(result.queens, instance)


def test_the_paths_of_large_boards_respect_the_constraints(subtests):
    for n in [*range(40, 200, 13), 1023, 1024, 1025, 4097, 9000]:
        with subtests.test(n=n), lowered(**EVERYTHING):
            solution = solve(n, seed=n).queens
            instance = drawn(n, squares=1.0, diagonals=n // 10, fixed=n // 40, solution=solution)
            boards = [solve(instance, seed=2, threads=threads, method="local").queens for threads in (1, 2, 3)]
            for board in boards:
                assert_solves(board, instance)
                np.testing.assert_array_equal(board, boards[0])


def weighed(queens, instance):
    """Return pairs, with two for each queen on a blocked square or an excluded diagonal, and the conflicting queens."""
    counts = dict(enumerate(itertools.starmap(naive.forbidden(instance), enumerate(queens))))
    conflicting = naive.conflicting_queens(queens) | {column for column, count in counts.items() if count}
    return len(naive.attacking_pairs(queens)) + 2 * sum(counts.values()), len(conflicting)


@given(instances(smallest=4), st.integers(0, 2**64 - 1), st.sampled_from(STARTS))
def test_all_counts_equal_a_recount_after_every_step_and_fixed_queens_stay(instance, seed, start):
    attempt = new_attempt(instance, seed=seed, number=0, stagnation_limit=10**6, is_windowed=start == "windowed")
    with Workers(1) as one:
        search = first_search(attempt, start, one, Callbacks())
    fixed, first = dict(instance.fixed.squares.tolist()), attempt.queens.tolist()
    if start == "permutation":
        assert sorted(first) == list(range(instance.n))
    is_free = not len(instance.blocked) + len(instance.excluded_sums) + len(instance.excluded_differences)
    if start == "uniform" and is_free:
        check_uniform(first, fixed)
    for _ in range(30):
        queens = attempt.queens.tolist()
        assert 0 <= min(queens) <= max(queens) < instance.n
        assert {column: queens[column] for column in fixed} == fixed
        pairs, _ = weighed(queens, instance)
        assert attempt.state[PAIRS] == pairs
        if pairs == 0:
            break
        status, _ = search.advance(1, 10**6, np.empty((0, 2), np.int64))
        assert search.conflicting == weighed(attempt.queens.tolist(), instance)[1]
        if status != UNDER_WAY:
            break


def check_uniform(queens, fixed):
    """Assert that each other queen got a row of least conflict with the fixed ones and those to its left."""
    n = len(queens)
    for column in set(range(n)) - set(fixed):
        earlier = [row if other < column or other in fixed else n for other, row in enumerate(queens)]
        assert queens[column] in naive.least_conflict_rows(earlier, column)


# Closed lines.


@given(instances(largest=14))
def test_a_closed_line_is_named(instance):
    n, fixed, is_forbidden = instance.n, dict(instance.fixed.squares.tolist()), naive.forbidden(instance)
    free = [(c, r) for c, r in itertools.product(set(range(n)) - set(fixed), range(n)) if not is_forbidden(c, r)]
    is_open = [*fixed.items(), *(one for one in free if not any(naive.attack(one, queen) for queen in fixed.items()))]
    closed = [f"column {c}" for c in range(n) if c not in {c for c, _ in is_open}]
    closed += [f"row {r}" for r in range(n) if r not in {r for _, r in is_open}]
    with check_error(NoSolutionError, closed[0]) if closed else contextlib.nullcontext():
        check_closed_lines(instance, Callbacks())
    if closed and n > 3:
        with check_error(NoSolutionError, closed[0]) as caught:
            fastqueens.solve(instance, seed=1)
        assert caught.value.nodes == 0
        answer = fastqueens.prove(instance, seed=1)
        assert (answer.solvable, answer.nodes, closed[0] in answer.reason) == (False, 0, True)


# The check.


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("n", [64, 65, 1000, 4099])
def test_every_broken_constraint_is_a_fault(n, threads):
    queens = fastqueens.solve(n, seed=1).queens
    columns = np.arange(n)
    with lowered(checked_slice=300), Workers(threads) as workers:

        def fault(**constraints):
            instance = make_instance(n, **constraints)
            found = find_fault(queens, instance, workers, Callbacks(), is_solved=True)
            assert fastqueens.is_solution(queens, instance=instance) == (found is None)
            return found

        assert fault() is None
        for column in (0, n // 2, n - 1):
            row = int(queens[column])
            other = [(column, (row + 1) % n), ((column + 1) % n, int(queens[(column + 1) % n] - 1) % n)]
            assert fault(blocked=other) is None
            check_names(fault(blocked=[*other, (column, row)]), "blocked", f"column {column}", f"row {row}")
            check_names(fault(excluded_sums=[column + row]), "excluded diagonal", f"column {column}")
            check_names(fault(excluded_differences=[row - column]), "excluded diagonal", f"column {column}")
            check_names(fault(fixed={column: (row + 1) % n}), "fixed queen", f"column {column}", f"row {row}")
        free_sums = np.setdiff1d(np.arange(2 * n - 1), columns + queens)
        free_differences = np.setdiff1d(np.arange(1 - n, n), queens - columns)
        assert fault(excluded_sums=free_sums, excluded_differences=free_differences) is None
    with check_error(InputError, f"n = {n + 1:,}", f"{n:,} queens"):
        fastqueens.is_solution(queens, instance=make_instance(n + 1))
