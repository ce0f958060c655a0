"""Complete search, compared with all boards: solutions, proofs, budgets, threads, and every layout of its tables."""

import random

import naive
import numpy as np
import plain
import pytest
from drawing import drawn
from lowered import lowered

import fastqueens
from fastqueens.core import thresholds
from fastqueens.core.errors import NoSolutionError, Stopped
from fastqueens.core.instance import make_instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.exact.complete_search import EXHAUSTED, FOUND, MOST_EMPTY, UNDER_WAY, CompleteSearch
from fastqueens.exact.tree import search_tree
from fastqueens.exact.tree_kernel import WHOLE

pytestmark = pytest.mark.checked

ALL = {n: naive.completions(n, {}) for n in range(1, 9)}

#: Thresholds with which small instances take each path: as they are, split after few squares, with domains of several
#: words, and both.
PATHS = ({}, {"tree_slice": 1}, {"wide_tree": 1, "ordered": 0}, {"wide_tree": 1, "ordered": 0, "tree_slice": 64 * 3})

#: From CSPLib problem 079 (csplib.org, CC BY 4.0): n, whether there is a solution, excluded diagonals in its numbers.
#: For each n the instance on which the solver of its authors took longest.
PUBLISHED = {
    (10, False): "s3 d5 d1 d0 s14 d3 d4",
    (10, True): "s17 d18 s18 s13 d4 s15 s3",
    (14, True): "s18 d2 d26 s22 s21 d15 d20 d3 d8 d4 s20",
    (14, False): "d7 d11 d3 d2 s7 d5 d23 s19 s18 s23 s21",
    (18, False): "d25 s22 d19 s33 d7 s25 d4 d2 s26 s19 s24 d34 s28 s32 s10 s27",
    (18, True): "s33 d8 s2 s21 s25 d7 s34 d26 s20 d19 d9 d6 s23 d2 s28",
}


def published(n, is_solvable):
    numbers = [(name[0], int(name[1:])) for name in PUBLISHED[n, is_solvable].split()]
    return make_instance(
        n,
        excluded_sums=[number for kind, number in numbers if kind == "s"],
        excluded_differences=[number - n + 1 for kind, number in numbers if kind == "d"],
    )


def searched(instance, max_nodes=10**9, threads=1, step=None, seed=0):
    """Return the status, the solution as a list, and the squares tried, in one go or in budgets of ``step``."""
    with Workers(threads) as workers:
        search = CompleteSearch(instance, workers, seed=seed)
        status = search.advance(step or max_nodes, Callbacks())
        while step and status == UNDER_WAY:
            status = search.advance(step, Callbacks())
    return status, search.queens.tolist(), search.nodes


def random_constraints(draw):
    """Draw n and constraints of every kind, each of them in about half of the instances."""
    n = draw.randint(1, 8)
    columns = draw.sample(range(n), n)

    def some(most, one):
        return [one() for _ in range(draw.randint(0, most) * draw.randint(0, 1))]

    def square():
        return draw.randrange(n), draw.randrange(n)

    return n, {
        "fixed": {columns[k]: row for k, (_, row) in enumerate(some(min(n, 3), square))},
        "blocked": some(n, square),
        "excluded_sums": some(3, lambda: draw.randint(0, 2 * n - 2)),
        "excluded_differences": some(3, lambda: draw.randint(1 - n, n - 1)),
    }


def respects(board, fixed, blocked, excluded_sums, excluded_differences):
    squares = list(enumerate(board))
    return (
        all(board[column] == row for column, row in fixed.items())
        and not set(squares) & set(blocked)
        and not {column + row for column, row in squares} & set(excluded_sums)
        and not {row - column for column, row in squares} & set(excluded_differences)
    )


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.gate) for part in range(1, 10))])
def test_small_instances_against_all_boards(part):
    draw = random.Random(part)
    solvable = 0
    for number in range(1000):
        n, constraints = random_constraints(draw)
        solutions = [board for board in ALL[n] if respects(board, **constraints)]
        solvable += bool(solutions)
        with lowered(**PATHS[number % len(PATHS)]):
            what = n, constraints
            assert fastqueens.count_solutions(n, **constraints, threads=1) == len(solutions), what
            boards = [board.tolist() for board in fastqueens.all_solutions(n, **constraints)]
            assert (sorted(boards) if thresholds.current.ordered == 0 else boards) == solutions, what
            assert fastqueens.has_unique_solution(n, **constraints, threads=1) == (len(solutions) == 1), what
            try:
                status, queens, _ = searched(make_instance(n, **constraints))
            except NoSolutionError:
                status, queens = EXHAUSTED, None
        assert status == (FOUND if solutions else EXHAUSTED), what
        assert not solutions or queens in solutions, what
    assert 200 < solvable < 800


@pytest.mark.parametrize(("n", "is_solvable"), PUBLISHED)
def test_published_answers(n, is_solvable):
    instance = published(n, is_solvable)
    for path in PATHS if n < 18 else PATHS[::2]:  # slices of a few squares would take seconds
        with lowered(**path):
            status, queens, _ = searched(instance, threads=2)
        assert status == (FOUND if is_solvable else EXHAUSTED)
        if is_solvable:
            assert_solves(queens, instance)


def assert_solves(queens, instance):
    plain.assert_solution(np.array(queens), instance.n)
    assert not any(plain.broken(np.array(queens), instance))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("n", "is_solvable"), [(10, False), (14, True)])
def test_threads_and_budgets_change_nothing(path, n, is_solvable):
    instance = published(n, is_solvable)
    with lowered(**path):
        whole = searched(instance)
        assert whole[0] == (FOUND if is_solvable else EXHAUSTED)
        assert searched(instance, threads=2) == searched(instance, threads=3) == whole
        for step in (1, 2, 13, whole[2] - 1, whole[2]):
            assert searched(instance, step=step) == whole
        assert searched(instance, whole[2] - 1)[0] == UNDER_WAY
        assert searched(instance, whole[2])[0] == whole[0]
        assert searched(instance, 0) == (UNDER_WAY, [], 0)
        counts = {fastqueens.count_solutions(instance, threads=threads) for threads in (1, 2, 3)}
    assert counts == {len(list(fastqueens.all_solutions(instance)))}


@pytest.mark.parametrize("empty", [0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, MOST_EMPTY])
@pytest.mark.parametrize("more", [0, 1, 150])
def test_every_number_of_empty_columns(empty, more):
    if 0 < empty + more < 4:
        more = 4
    n = empty + more or 1
    instance = drawn(n, fixed=n - empty, seed=empty)
    status, queens, _ = searched(instance, max_nodes=10**5)
    assert status == FOUND
    assert_solves(queens, instance)


@pytest.mark.parametrize("empty", [16, 17, 32, 33, 64])
def test_the_last_column_and_the_last_row_are_tried(empty):
    solution = fastqueens.solve(empty, seed=empty, method="local").queens
    blocked = [(c, r) for c in range(empty) for r in range(empty) if solution[c] != r]
    for path in PATHS:
        with lowered(**path):
            assert searched(make_instance(empty, blocked=blocked))[1] == solution.tolist()
            last = (empty - 1, int(solution[-1]))
            assert searched(make_instance(empty, blocked=[*blocked, last]))[0] == EXHAUSTED


def test_seeds_give_different_boards_and_the_same_proof():
    assert len({tuple(searched(make_instance(20), seed=seed)[1]) for seed in range(10)}) > 5
    assert {searched(published(14, False), seed=seed)[0] for seed in range(10)} == {EXHAUSTED}


def test_two_fixed_queens_on_60_columns_take_few_squares():
    for seed in range(20):
        draw = random.Random(seed)
        left, right = draw.sample(range(60), 2)
        try:
            instance = make_instance(60, {left: draw.randrange(60), right: draw.randrange(60)})
        except NoSolutionError:
            continue
        status, _, nodes = searched(instance, max_nodes=50_000)
        assert (status, nodes < 50_000) == (FOUND, True)


@pytest.mark.parametrize(("blocked", "status"), [([], FOUND), ([(0, 1), (0, 2)], EXHAUSTED)])
def test_an_answer_is_kept_when_the_user_stops(blocked, status):
    """n = 4 has two solutions, and each has one of these two squares."""
    with Workers(1) as workers:
        search = CompleteSearch(make_instance(4, blocked=blocked), workers)
        assert search.advance(10**6, Callbacks(None, lambda: True)) == status


def test_a_search_that_is_stopped_continues():
    instance = published(18, False)
    with lowered(tree_slice=16), Workers(2) as workers:
        search = CompleteSearch(instance, workers)
        with pytest.raises(Stopped, match="complete search"):
            search.advance(10**9, Callbacks(None, lambda: True))
        assert search.status == UNDER_WAY
        assert 0 < search.nodes < 10**4
        status = search.advance(10**9, Callbacks())
        assert (status, search.queens.tolist(), search.nodes) == searched(instance)


def test_progress_is_the_budget_of_squares():
    heard = []
    with lowered(tree_slice=16), Workers(1) as workers:
        search = CompleteSearch(published(18, False), workers)
        search.advance(2000, Callbacks(lambda *news: heard.append(news)))
    assert heard[-1] == ("complete search", 2000, 2000)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


@pytest.mark.parametrize("wide_tree", [1, 65])
def test_both_halves_of_a_split_tree_have_work(wide_tree):
    with lowered(wide_tree=wide_tree):
        tree = search_tree(make_instance(9))
        assert tree.left == WHOLE
        assert tree.split() is None, "before its first square a tree has nothing to share"
        assert tree.search(1, 10**9) == UNDER_WAY
        ninth = WHOLE // 9
        assert (tree.split().left, tree.left) == (4 * ninth, 5 * ninth)
        assert (tree.split().left, tree.left) == (2 * ninth, 3 * ninth)
