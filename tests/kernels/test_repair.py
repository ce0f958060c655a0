"""The repair after a windowed placement: each step is compared with a recount of the board."""

import itertools
from collections import Counter

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from local_search import RecordedSearch, assert_lines_are_marked

from fastqueens.instance import make_instance
from fastqueens.kernels import repair as repair_kernel
from fastqueens.kernels import windows as windows_kernel
from fastqueens.kernels.plateau import BEST_PAIRS, PAIRS, SOLVED, STAGNANT, STATE_LENGTH, STEPS_SINCE_BEST, UNDER_WAY
from fastqueens.placement.arrays import empty_bitsets, empty_plateau_memory

pytestmark = pytest.mark.checked

U64 = np.uint64

seeds = st.integers(0, 2**64 - 1)


class Search(RecordedSearch):
    """The arrays of a repair, and a separate record of the squares left on this plateau."""

    def __init__(self, n, seed, dtype=np.int32, memory_squares=10**4):
        self.n, self.seed = n, U64(seed)
        self.queens, self.bitsets = np.empty(n, dtype), empty_bitsets(make_instance(n))
        self.state, self.memory = np.zeros(STATE_LENGTH, np.int64), empty_plateau_memory(n, memory_squares)
        columns, unused = np.empty(n, np.uint32), np.empty(n, np.uint32)
        counts = np.zeros(3, np.int64)
        windows_kernel.place_in_one_piece(self.queens, self.bitsets, columns, unused, counts, self.seed, U64(0))
        self.left_over = columns[: counts[1]].copy()
        self.pairs = repair_kernel.Pairs(
            *(np.empty(counts[1], np.uint32) for _ in range(3)), unused[: counts[1]].copy()
        )
        super().__init__()

    def place_left_over(self, columns=None):
        columns = self.left_over if columns is None else columns
        return repair_kernel.place_left_over(
            self.queens, self.bitsets, self.pairs, self.memory, columns, self.state, self.seed, U64(0)
        )

    def begin(self):
        """Place the columns left over; return False if no row fits one of them."""
        whole = self.place_left_over() == len(self.left_over)
        self.state[BEST_PAIRS] = self.state[PAIRS]
        return whole

    def call(self, trace, *limits):
        arrays = self.queens, self.bitsets, self.pairs, self.memory, self.state, trace
        return repair_kernel.repair(*arrays, self.seed, U64(0), *limits)

    def arrays(self):
        return (self.queens, self.state, *self.bitsets[:-1], *self.pairs, *self.memory)

    def partners(self, column):
        """Return the queens that a column can join: alone on their row, free diagonals, a square not left before."""
        rows = naive.rows(self.queens)
        return {
            other
            for other, row in naive.queens_on(self.queens)
            if other != column
            and rows.count(row) - (self.queens[column] == row) == 1
            and row != self.queens[column]
            and naive.cost(self.queens, column, row) == 1
            and (column, row) not in self.left
        }

    def fitting_unused_rows(self, column):
        return {row for row in naive.unused_rows(self.queens) if naive.cost(self.queens, column, row) == 0}

    def assert_equals_a_recount(self):
        """Compare pairs, bitsets and state with a recount of the board."""
        pairs = naive.attacking_pairs(self.queens)
        count = self.state[PAIRS]
        assert count == len(pairs)
        assert len(naive.conflicting_queens(self.queens)) == 2 * count
        kept = self.pairs
        assert {frozenset(pair) for pair in zip(kept.first[:count], kept.second[:count], strict=True)} == {
            frozenset(pair) for pair in pairs
        }
        assert all(self.queens[kept.first[k]] == self.queens[kept.second[k]] == kept.rows[k] for k in range(count))
        assert_lines_are_marked(self.bitsets, self.queens)


def make_one_step(search):
    """Make a step and compare everything about it with the boards before and after."""
    before, pairs_before = search.queens.copy(), int(search.state[PAIRS])
    left = search.left.copy()
    status, steps, trace, moved, _ = search.step()
    after, left_now = search.queens.copy(), search.left
    search.queens[:], search.left = before, left  # to list the squares that were open to the queen that moved
    if status == repair_kernel.NEEDS_MIN_CONFLICTS:
        assert (steps, trace) == (0, [])
        stuck = [c for c in naive.conflicting_queens(before) if not search.fitting_unused_rows(c)]
        assert any(not search.partners(column) for column in stuck)
        assert np.array_equal(after, before)
    else:
        assert steps == 1
        assert moved in naive.conflicting_queens(before)
        fitting = search.fitting_unused_rows(moved)
        if fitting:
            assert after[moved] in fitting
            assert search.state[PAIRS] == pairs_before - 1
        else:
            assert after[moved] in {before[partner] for partner in search.partners(moved)}
            assert search.state[PAIRS] == pairs_before
        assert trace == [[search.state[PAIRS], 2 * search.state[PAIRS]]]
        assert status == (SOLVED if search.state[PAIRS] == 0 else UNDER_WAY)
    search.queens[:], search.left = after, left_now
    assert search.state[PAIRS] >= 0
    assert sorted(search.pairs.unused[: search.state[PAIRS]]) == sorted(naive.unused_rows(search.queens))
    search.assert_equals_a_recount()
    return status


def end_of(search, step):
    """Make steps until the search ends, and return the status at the end."""
    for _ in range(1000):
        status = step(search)
        if status != UNDER_WAY:
            return status
    return pytest.fail("1000 steps, and no end")


def searches(n, enough=1):
    """Generate searches on boards of n with at least ``enough`` pairs, from the seeds 0, 1, 2 ..."""
    for seed in range(10_000):
        search = Search(n, seed)
        if search.begin() and search.state[PAIRS] >= enough:
            yield search


@given(st.integers(1, 90), seeds)
def test_columns_left_over_join_single_queens(n, seed):
    search = Search(n, seed)
    placed = 0
    while placed < len(search.left_over):  # one more column in each call, since a call continues past the first
        column = int(search.left_over[placed])
        joinable = search.partners(column)
        before = search.queens.copy()
        first = search.left_over[: placed + 1]
        again = Search(n, seed)
        if again.place_left_over(first) == placed:
            assert not joinable
            assert np.array_equal(again.queens, before)
            assert again.state[PAIRS] == placed
            return
        assert again.queens[column] in {before[partner] for partner in joinable}
        assert np.array_equal(np.delete(again.queens, column), np.delete(before, column))
        search = again
        placed += 1
        assert search.state[PAIRS] == placed
        search.assert_equals_a_recount()
    assert sorted(search.pairs.unused) == sorted(naive.unused_rows(search.queens))


@given(st.integers(5, 90), seeds)
def test_every_step_is_legal_and_all_counts_equal_a_recount(n, seed):
    search = Search(n, seed)
    statuses = [UNDER_WAY] * search.begin()
    while len(statuses) in range(1, 16) and statuses[-1] == UNDER_WAY and search.state[PAIRS]:
        statuses.append(make_one_step(search))
    assert set(statuses[:-1]) <= {UNDER_WAY}


@pytest.mark.parametrize("n", [8, 11, 20, 64, *(pytest.param(n, marks=pytest.mark.gate) for n in (63, 65))])
def test_searches_end_solved_or_need_min_conflicts(n):
    statuses = Counter()
    for search in itertools.islice(searches(n), 150):
        statuses[end_of(search, make_one_step)] += 1
        if statuses.total() >= 6 and len(statuses) == 2:
            break
    assert set(statuses) == {SOLVED, repair_kernel.NEEDS_MIN_CONFLICTS}


def test_a_search_without_new_minimum_is_stagnant_at_the_limit():
    def step(search):
        before = int(search.state[STEPS_SINCE_BEST])
        status, steps, _ = search.advance(1, stagnation_limit=3)
        assert (status == STAGNANT) == (before == 3)
        assert steps == 0 or before < 3
        return status

    stagnant = (search for search in searches(40) if end_of(search, step) == STAGNANT)
    assert [search.state[STEPS_SINCE_BEST] for search in itertools.islice(stagnant, 5)] == [3] * 5


def test_a_full_memory_is_emptied():
    emptied = 0

    def step(search):
        nonlocal emptied
        made = search.step()
        emptied += made.is_full
        return made.status

    for search in itertools.islice(searches(12), 2000):
        search.memory = empty_plateau_memory(search.n, 2)
        end_of(search, step)
        if emptied > 5:
            return
    pytest.fail(f"emptied {emptied} times")


def odds_of_one_step(search):
    """Return the odds by the rules: an even draw of a conflicting queen, then of its rows; {} if a queen has none."""
    movers = naive.conflicting_queens(search.queens)
    odds = {}
    for column in movers:
        rows = search.fitting_unused_rows(column) or {int(search.queens[o]) for o in search.partners(column)}
        if not rows:
            return {}
        odds |= {(column, row): 1 / len(movers) / len(rows) for row in rows}
    return odds


@pytest.mark.parametrize(("n", "fitting", "enough"), [(16, 0, 6), (24, 0, 6), (60, 0, 6), (40, 2, 2)])
def test_a_step_draws_queen_and_row_evenly(n, fitting, enough):
    """This includes choices among several unused rows that fit a queen."""
    tested = 0
    for search in searches(n, enough=2):
        make_one_step(search)  # this may put a square into the memory
        fit = [len(search.fitting_unused_rows(column)) for column in naive.conflicting_queens(search.queens)]
        odds = odds_of_one_step(search)
        if odds and max(fit) >= fitting:
            search.assert_a_step_has_these_odds(odds)
            tested += 1
        if tested == enough:
            break
    assert tested == enough
