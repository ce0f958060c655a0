"""Counting and listing solutions: known counts, limits, progress, stops, errors. See also test_complete_search.py."""

import naive
import numpy as np
import pytest
from errors import check_error
from lowered import lowered

import fastqueens
from fastqueens import InputError, Stopped, make_instance
from fastqueens._run.arguments import NO_LIMIT
from fastqueens.exact.tree import MOST_FREE_COLUMNS

pytestmark = pytest.mark.checked

# OEIS A000170.
SOLUTIONS = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200]


@pytest.mark.parametrize("changes", [{}, {"tree_slice": 50}])
def test_free_boards(changes):
    with lowered(**changes):
        for threads in (1, 2, 3):
            largest = 12 if not changes and threads < 3 else 9
            counts = [fastqueens.count_solutions(n, threads=threads) for n in range(1, largest + 1)]
            assert counts == SOLUTIONS[:largest]


def test_a_limit_is_the_most_that_is_returned():
    for tree_slice in (1, 7, 1 << 13):
        with lowered(tree_slice=tree_slice):
            for limit in (1, 2, 91, 92, 93):
                counts = {fastqueens.count_solutions(8, limit=limit, threads=threads) for threads in (1, 3)}
                assert counts == {min(limit, 92)} == {len(list(fastqueens.all_solutions(8, limit=limit)))}, tree_slice
    assert len({tuple(board.tolist()) for board in fastqueens.all_solutions(11)}) == 2680
    assert len(list(fastqueens.all_solutions(11, limit=1001))) == 1001, "more than are listed at once"


def test_all_solutions_are_boards_in_lexicographic_order():
    assert fastqueens.count_solutions(8, fixed={1: 3, 3: 4}) == 2  # b4 and d5
    boards = list(fastqueens.all_solutions(8))
    assert all(board.dtype == np.int32 and board.shape == (8,) for board in boards)
    assert [board.tolist() for board in boards] == naive.completions(8, {})
    for constraints in ({"fixed": {2: 0}}, {"blocked": [(0, 2), (5, 5)]}, {"excluded_sums": [7], "fixed": {7: 2}}):
        instance = make_instance(9, **constraints)
        boards = [board.tolist() for board in fastqueens.all_solutions(instance)]
        assert boards == sorted(boards)
        assert len(boards) == fastqueens.count_solutions(instance) > 0
    every = [board.tolist() for board in fastqueens.all_solutions(7)]
    for limit in (1, 2, 39, 40, 41):
        assert [board.tolist() for board in fastqueens.all_solutions(7, limit=limit)] == every[:limit]


@pytest.mark.parametrize("n", [17, 33, *(pytest.param(n, marks=pytest.mark.gate) for n in (32, 40))])
def test_boards_with_at_most_32_free_columns_are_listed_in_order(n):
    queens = fastqueens.solve(n, seed=n).queens
    fixed = dict(list(enumerate(queens.tolist()))[: n - 12])
    for instance in (make_instance(n), make_instance(n, fixed)):
        listed = [[board.tolist() for board in fastqueens.all_solutions(instance, limit=12)] for _ in range(2)]
        assert listed[0] == listed[1]
        assert all(map(fastqueens.is_solution, listed[0]))
        assert len(set(map(tuple, listed[0]))) == len(listed[0]) > 0
        assert listed[0] == sorted(listed[0]) or instance.free_columns > 32
    if n <= 32:
        assert listed[0][0] <= queens.tolist()


def test_a_count_that_is_complete_is_kept():
    calls = []
    blocked = [(0, 0)]
    count = fastqueens.count_solutions(6, blocked=blocked, stop=lambda: True, progress=lambda *call: calls.append(call))
    assert count == len(naive.completions(6, {}))
    ((stage, nodes, total),) = calls
    assert (stage, nodes > 0, total) == ("complete search", True, NO_LIMIT)


def test_counting_and_listing_can_be_stopped():
    with pytest.raises(Stopped):
        fastqueens.count_solutions(14, threads=1, stop=lambda: True)
    with pytest.raises(Stopped):
        list(fastqueens.all_solutions(14, stop=lambda: True))


@pytest.mark.parametrize("function", [fastqueens.count_solutions, fastqueens.all_solutions])
def test_wrong_values_are_named(function):
    with check_error(InputError, 0, 7):
        function(8, fixed={0: 8})
    with pytest.raises(InputError, match=f"at most {MOST_FREE_COLUMNS}"):
        next(iter(function(MOST_FREE_COLUMNS + 1, limit=1)))
    with pytest.raises(InputError, match=f"at most {MOST_FREE_COLUMNS}"):
        next(iter(function(10**9)))
    with pytest.raises(InputError, match="limit must be at least 1, not 0"):
        function(8, limit=0)
    with pytest.raises(TypeError):
        function()
