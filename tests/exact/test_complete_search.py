"""Complete search: answers compared with all boards, every layout of its tables, and parts on any executor."""

import random
import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

import naive
import numpy as np
import plain
import pytest
from doubles import RandomOrder
from drawing import drawn, hard_instance
from errors import check_names
from lowered import lowered

import fastqueens
from fastqueens._run.arguments import NO_LIMIT
from fastqueens._run.progress import Callbacks
from fastqueens.errors import NoSolutionError, Stopped
from fastqueens.exact.complete_search import EXHAUSTED, FOUND, UNDER_WAY, CompleteSearch
from fastqueens.exact.tree import MOST_FREE_COLUMNS
from fastqueens.instance import make_instance

pytestmark = pytest.mark.checked

ALL = {n: naive.completions(n, {}) for n in range(1, 9)}

#: Thresholds with which small instances take each path: parts that give work away, and one tree in any order.
PARTS = {"uncut_squares": 20, "part_squares": 5, "tree_slice": 3}
UNORDERED = {"ordered": 0}
PATHS = (PARTS, UNORDERED)

#: OEIS A000170.
SOLUTIONS = {9: 352, 10: 724, 11: 2680, 12: 14200}

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


@pytest.fixture(scope="module")
def ways():
    """Return the keyword arguments of each way to run tasks; all ways must have the same results."""
    with (
        ThreadPoolExecutor(2) as threads,
        ProcessPoolExecutor(2, get_context("spawn")) as processes,
    ):
        executors = (threads, processes, RandomOrder(0), RandomOrder(1))
        yield [{"threads": 1}, {"threads": 3}, *({"executor": executor} for executor in executors)]


def searched(instance, max_nodes=NO_LIMIT, step=None, seed=0, **way):
    """Return the status, the solution as a list, and the squares tried, in one go or in budgets of ``step``."""
    search = CompleteSearch([(instance, 1)], seed=seed, **way)
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


@pytest.mark.parametrize(("seed", "instances"), [(0, 500), pytest.param(1, 3000, marks=pytest.mark.gate)])
def test_small_instances_against_all_boards(seed, instances):
    draw = random.Random(seed)
    solvable = 0
    for number in range(instances):
        n, constraints = random_constraints(draw)
        solutions = [board for board in ALL[n] if respects(board, **constraints)]
        solvable += bool(solutions)
        path = PATHS[min(number % 8, 1)]
        with lowered(**path):
            what = n, constraints
            try:
                instance = make_instance(n, **constraints)
            except NoSolutionError:
                assert not solutions, what
                continue
            assert fastqueens.count_solutions(instance, threads=1) == len(solutions), what
            boards = [board.tolist() for board in fastqueens.all_solutions(instance)]
            assert (sorted(boards) if path == UNORDERED else boards) == solutions, what
            assert fastqueens.has_unique_solution(instance, threads=1) == (len(solutions) == 1), what
            status, queens, _ = searched(instance)
        assert status == (FOUND if solutions else EXHAUSTED), what
        assert not solutions or queens in solutions, what
    assert 0.2 < solvable / instances < 0.8


def test_published_answers():
    for n, is_solvable in PUBLISHED:
        instance = published(n, is_solvable)
        for path in PATHS:
            with lowered(**path | {"part_squares": 5 if n < 18 else 500}):
                status, queens, _ = searched(instance, threads=2)
            assert status == (FOUND if is_solvable else EXHAUSTED), (n, is_solvable, path)
            if is_solvable:
                assert_solves(queens, instance)


def assert_solves(queens, instance):
    plain.assert_solution(np.array(queens), instance.n)
    assert not any(plain.broken(np.array(queens), instance))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("n", "is_solvable"), [(10, False), (10, True), pytest.param(14, True, marks=pytest.mark.gate)]
)
def test_threads_and_budgets_change_nothing(path, n, is_solvable):
    instance = published(n, is_solvable)
    with lowered(**path):
        whole = searched(instance)
        assert whole[0] == (FOUND if is_solvable else EXHAUSTED)
        for step in (1, 2, 13, whole[2] - 1, whole[2]):
            assert searched(instance, step=step, threads=2) == whole
        counts = {fastqueens.count_solutions(instance, threads=threads) for threads in (1, 2, 3)}
    assert counts == {len(list(fastqueens.all_solutions(instance)))}


def test_every_number_of_empty_columns():
    """Other columns have fixed queens: none, one or many of them."""
    for empty in (0, 1, 2, 15, 16, 17, 31, 32, 33, 63, MOST_FREE_COLUMNS):
        for more in (0, 1, 150):
            n = empty + (4 if 0 < empty + more < 4 else more) or 1
            instance = drawn(n, fixed=n - empty, seed=empty)
            found = (searched(instance, max_nodes=5000, seed=seed) for seed in range(20))
            queens = next((queens for status, queens, _ in found if status == FOUND), None)
            assert queens is not None, (empty, more)
            assert_solves(queens, instance)


def test_the_last_column_and_the_last_row_are_tried():
    for empty in (16, 17, 32, 33, 64):
        solution = fastqueens.solve(empty, seed=empty, method="local").queens
        blocked = [(c, r) for c in range(empty) for r in range(empty) if solution[c] != r]
        for path in PATHS:
            with lowered(**path):
                assert searched(make_instance(empty, blocked=blocked))[1] == solution.tolist(), (empty, path)
                last = (empty - 1, int(solution[-1]))
                assert searched(make_instance(empty, blocked=[*blocked, last]))[0] == EXHAUSTED, (empty, path)


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
    search = CompleteSearch([(make_instance(4, blocked=blocked), 1)])
    assert search.advance(10**6, Callbacks(None, lambda: True)) == status


@pytest.mark.parametrize("path", [{"tree_slice": 16}, {**PARTS, "part_squares": 500}])
def test_a_search_that_is_stopped_continues(path):
    instance = published(18, False)
    with lowered(**path):
        calls, search = [], CompleteSearch([(instance, 1)], threads=2)
        with pytest.raises(Stopped, match="complete search"):
            search.advance(10**9, Callbacks(None, lambda: calls.append(1) or len(calls) > 20))
        assert search.status == UNDER_WAY
        assert 0 < search.nodes < 10**5
        status = search.advance(10**9, Callbacks())
        assert (status, search.queens.tolist(), search.nodes) == searched(instance)


def test_progress_is_the_budget_of_squares():
    for path in ({"tree_slice": 16}, PARTS):
        heard = []
        with lowered(**path):
            search = CompleteSearch([(published(18, False), 1)])
            search.advance(2000, Callbacks(lambda *news, heard=heard: heard.append(news)))
        assert heard[-1] == ("complete search", 2000, 2000)
        assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


# Parts


@pytest.mark.parametrize("seeds", [(2, 31), pytest.param([*range(8), 13, 24, 31, 36], marks=pytest.mark.gate)])
def test_answer_board_and_nodes_are_the_same_everywhere(ways, seeds):
    statuses = set()
    for seed in seeds:
        instance = hard_instance(seed)
        with lowered(**PARTS):
            first, *others = (searched(instance, seed=seed, **way) for way in ways)
        status, board, nodes = first
        assert others == [first] * len(others), seed
        assert status == (FOUND if fastqueens.count_solutions(instance, limit=1) else EXHAUSTED)
        assert nodes > 20
        if status == FOUND:
            assert_solves(board, instance)
        statuses.add(status)
    assert statuses == {FOUND, EXHAUSTED}


def test_counts_are_the_same_everywhere(ways):
    instance = hard_instance(8)
    listed = len(list(fastqueens.all_solutions(instance)))
    with lowered(**PARTS):
        for way in ways:
            assert fastqueens.count_solutions(10, **way) == SOLUTIONS[10]
            assert fastqueens.count_solutions(instance, **way) == listed
            assert fastqueens.count_solutions(10, limit=100, **way) == 100
            assert not fastqueens.has_unique_solution(8, **way)


def test_known_counts_in_parts():
    for n, solutions in SOLUTIONS.items():
        with lowered(**PARTS | {"part_squares": 5 if n < 12 else 500}):
            assert fastqueens.count_solutions(n, threads=2) == solutions, n


def test_the_parts_of_trees_of_every_layout(ways):
    """Their total number of squares is always the same, and the parts of the last line are also found."""
    for empty in (15, 16, 17, 31, 32, 33, 63, 64):
        instance = drawn(empty + 50, fixed=50, seed=empty)
        with lowered(**PARTS):
            found = [searched(instance, max_nodes=3000, **way) for way in (ways[0], ways[1], ways[-1])]
        assert found == found[:1] * 3, empty


@pytest.mark.parametrize("seed", [2, *(pytest.param(seed, marks=pytest.mark.gate) for seed in (3, 5))])
def test_max_nodes_around_those_that_are_needed(ways, seed):
    instance = hard_instance(seed)
    with lowered(**PARTS):
        status, _, nodes = whole = searched(instance)
        assert status != UNDER_WAY
        for way in ways:
            assert searched(instance, max_nodes=nodes, **way) == whole
            assert searched(instance, max_nodes=nodes - 1, **way) == (UNDER_WAY, [], nodes - 1)
        for few in (0, 1, 19, 20, 21, 26):
            assert searched(instance, max_nodes=few) == (UNDER_WAY, [], few)


def test_prove_finds_the_same_anywhere(ways):
    for seed in (1, 3):
        with lowered(**PARTS):
            answers = [fastqueens.prove(hard_instance(seed), seed=5, **way)._replace(seconds=0) for way in ways]
        assert answers == answers[:1] * len(ways)


def test_progress_rises_to_the_end_also_in_parts(ways):
    for way in ways[:3]:
        heard = []
        with lowered(**PARTS):
            fastqueens.count_solutions(10, progress=lambda *news, heard=heard: heard.append(news), **way)
        shares = [done for _, done, _ in heard]
        assert {(stage.partition(" (")[0], total) for stage, _, total in heard} == {("complete search", SOLUTIONS[10])}
        assert any("parts" in stage for stage, _, _ in heard)
        assert all(one <= two for one, two in pairwise(shares))
        assert shares[-1] == SOLUTIONS[10]
        assert any(0 < share < SOLUTIONS[10] for share in shares)


def test_without_a_known_number_the_squares_and_parts_are_reported(ways):
    for way in ways[:3]:
        heard = []
        with lowered(**PARTS):
            progress = {"progress": lambda *news, heard=heard: heard.append(news)}
            fastqueens.count_solutions(10, blocked=[(0, 0)], **progress, **way)
        assert {total for _, _, total in heard} == {NO_LIMIT}
        nodes = [done for _, done, _ in heard]
        assert nodes == sorted(nodes)
        assert 0 < nodes[0] < nodes[-1]
        parts = [re.fullmatch(r"complete search \(([\d,]+) of ([\d,]+) parts?\)", stage) for stage, _, _ in heard]
        counts = [tuple(int(number.replace(",", "")) for number in found.groups()) for found in parts if found]
        assert counts == sorted(counts)
        assert counts[0][0] < counts[0][1]
        assert counts[-1][0] == counts[-1][1]


def test_a_stop_says_what_was_done(ways):
    for way in ways:
        calls = []
        stop = {"stop": lambda calls=calls: calls.append(1) or len(calls) > 30}
        with lowered(**PARTS), pytest.raises(Stopped) as stopped:
            fastqueens.count_solutions(12, **stop, **way)
        assert 0 < stopped.value.partial < SOLUTIONS[12]
        check_names(str(stopped.value), "complete search", re.compile(r"\d %"))


def test_a_stopped_count_of_fundamental_solutions_has_at_least_an_eighth():
    found = []
    for fundamental in (False, True):
        calls = []
        stop = {"stop": lambda calls=calls: calls.append(1) or len(calls) > 10}
        with lowered(tree_slice=50), pytest.raises(Stopped) as stopped:
            fastqueens.count_solutions(11, fundamental=fundamental, **stop)
        found.append(stopped.value.partial)
    assert 0 < found[1] < 341
    assert 8 * found[1] - found[0] in range(8)
