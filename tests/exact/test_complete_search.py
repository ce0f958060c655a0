"""Complete search, compared with all boards: solutions, proofs, budgets, threads, and every layout of its tables."""

import itertools
import random

import naive
import numpy as np
import plain
import pytest
from drawing import drawn, puzzles
from hypothesis import given
from hypothesis import strategies as st
from lowered import lowered

import fastqueens
from fastqueens.classroom.puzzles import puzzle
from fastqueens.core.errors import InputError, NoSolutionError, Stopped
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
PATHS = ({}, {"tree_slice": 1}, {"wide_tree": 1}, {"wide_tree": 1, "tree_slice": 64 * 3})

#: From CSPLib problem 079 (csplib.org, CC BY 4.0): n, excluded diagonals in its numbers, whether there is a solution.
#: For each n the instance on which the solver of its authors took longest.
PUBLISHED = [
    (10, "s3 d5 d1 d0 s14 d3 d4", False),
    (10, "s17 d18 s18 s13 d4 s15 s3", True),
    (14, "s18 d2 d26 s22 s21 d15 d20 d3 d8 d4 s20", True),
    (14, "d7 d11 d3 d2 s7 d5 d23 s19 s18 s23 s21", False),
    (18, "d25 s22 d19 s33 d7 s25 d4 d2 s26 s19 s24 d34 s28 s32 s10 s27", False),
    (18, "s33 d8 s2 s21 s25 d7 s34 d26 s20 d19 d9 d6 s23 d2 s28", True),
]


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
            assert sorted(board.tolist() for board in fastqueens.all_solutions(n, **constraints)) == solutions, what
            assert fastqueens.has_unique_solution(n, **constraints, threads=1) == (len(solutions) == 1), what
            try:
                status, queens, _ = searched(make_instance(n, **constraints))
            except NoSolutionError:
                status, queens = EXHAUSTED, None
        assert status == (FOUND if solutions else EXHAUSTED), what
        assert not solutions or queens in solutions, what
    assert 200 < solvable < 800


@pytest.mark.parametrize(("n", "diagonals", "is_solvable"), PUBLISHED)
def test_published_answers(n, diagonals, is_solvable):
    numbers = [(name[0], int(name[1:])) for name in diagonals.split()]
    instance = make_instance(
        n,
        excluded_sums=[number for kind, number in numbers if kind == "s"],
        excluded_differences=[number - n + 1 for kind, number in numbers if kind == "d"],
    )
    for path in PATHS:
        with lowered(**path):
            status, queens, _ = searched(instance, threads=2)
        assert status == (FOUND if is_solvable else EXHAUSTED)
        if is_solvable:
            assert fastqueens.is_solution(queens)
            assert not any(plain.broken(np.array(queens), instance))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("hidden", [False, True])
def test_threads_and_budgets_change_nothing(path, hidden):
    instance = hard_instance(16, 13) if hidden else hard_instance(14, 4)
    with lowered(**path):
        whole = searched(instance)
        assert whole[0] == (FOUND if hidden else EXHAUSTED)
        assert searched(instance, threads=2) == searched(instance, threads=3) == whole
        for step in (1, 2, 13, whole[2] - 1, whole[2]):
            assert searched(instance, step=step) == whole
        assert searched(instance, whole[2] - 1)[0] == UNDER_WAY
        assert searched(instance, whole[2])[0] == whole[0]
        assert searched(instance, 0) == (UNDER_WAY, [], 0)
        counts = {fastqueens.count_solutions(instance, threads=threads) for threads in (1, 2, 3)}
    assert counts == {len(list(fastqueens.all_solutions(instance)))}


def hard_instance(n, seed):
    """Exclude n random diagonals as long as each row and each column keeps four squares, as in CSPLib problem 079."""
    draw = random.Random(seed)
    diagonals = [("sum", number) for number in range(2 * n - 1)] + [("difference", k) for k in range(1 - n, n)]
    draw.shuffle(diagonals)
    squares = set(itertools.product(range(n), repeat=2))
    excluded = {"sum": [], "difference": []}
    for kind, number in diagonals:
        left = {(c, r) for c, r in squares if (c + r if kind == "sum" else r - c) != number}
        if all(sum(square[axis] == line for square in left) >= 4 for axis in (0, 1) for line in range(n)):
            squares = left
            excluded[kind].append(number)
        if sum(map(len, excluded.values())) == n:
            break
    return make_instance(n, excluded_sums=excluded["sum"], excluded_differences=excluded["difference"])


@pytest.mark.parametrize("empty", [0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, MOST_EMPTY])
@pytest.mark.parametrize("more", [0, 1, 150])
def test_every_number_of_empty_columns(empty, more):
    if 0 < empty + more < 4:
        more = 4
    n = empty + more or 1
    instance = drawn(n, fixed=n - empty, seed=empty)
    status, queens, _ = searched(instance, max_nodes=10**5)
    assert status == FOUND
    assert fastqueens.is_solution(queens)
    assert not any(plain.broken(np.array(queens), instance))


@pytest.mark.parametrize("empty", [16, 17, 32, 33, 64])
def test_the_last_column_and_the_last_row_are_tried(empty):
    solution = fastqueens.solve(empty, seed=empty, method="local").queens
    blocked = [(c, r) for c in range(empty) for r in range(empty) if solution[c] != r]
    for path in PATHS:
        with lowered(**path):
            assert searched(make_instance(empty, blocked=blocked))[1] == solution.tolist()
            last = (empty - 1, int(solution[-1]))
            assert searched(make_instance(empty, blocked=[*blocked, last]))[0] == EXHAUSTED


def test_too_many_empty_columns():
    with pytest.raises(InputError, match=f"{MOST_EMPTY + 1} columns have no fixed queen.* at most {MOST_EMPTY}"):
        searched(make_instance(MOST_EMPTY + 1))


def test_seeds_give_different_boards_with_the_same_proof():
    assert len({tuple(searched(make_instance(20), seed=seed)[1]) for seed in range(10)}) > 5
    assert {searched(hard_instance(12, 1), seed=seed)[0] for seed in range(10)} == {EXHAUSTED}


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
    instance = hard_instance(18, 1)
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
        search = CompleteSearch(hard_instance(18, 1), workers)
        search.advance(2000, Callbacks(lambda *news: heard.append(news)))
    assert heard[-1] == ("complete search", 2000, 2000)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


@given(puzzles(smallest=8, largest=100), st.integers(0, 10**6))
def test_larger_completions_are_solutions(puzzle_drawn, seed):
    n, _ = puzzle_drawn
    fixed = dict(puzzle(n, n - min(n, 40), seed=seed, solvable=True).tolist())
    status, queens, _ = searched(make_instance(n, fixed))
    assert status == FOUND
    assert fastqueens.is_solution(queens)
    assert {column: queens[column] for column in fixed} == fixed


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
