"""Min-conflicts from any board: each step is compared with a recount of the board."""

import itertools
from collections import Counter

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from local_search import RecordedSearch

from fastqueens.instance import make_instance
from fastqueens.kernels import min_conflicts as min_conflicts_kernel
from fastqueens.kernels.plateau import (
    BEST_PAIRS,
    CONFLICTING,
    PAIRS,
    SOLVED,
    STAGNANT,
    STATE_LENGTH,
    STEPS_SINCE_BEST,
    UNDER_WAY,
    UNUSED,
)
from fastqueens.placement.arrays import empty_lines, empty_plateau_memory

pytestmark = pytest.mark.checked

U64 = np.uint64
NOWHERE = 2**32 - 1

seeds = st.integers(0, 2**64 - 1)


@st.composite
def boards(draw, smallest=1, largest=24, empty=False):
    """Boards with any rows, with few different rows, and permutations; with empty columns if ``empty``."""
    n = draw(st.integers(smallest, largest))
    most = n if empty else n - 1
    rows = draw(
        st.one_of(
            st.lists(st.integers(0, most), min_size=n, max_size=n),
            st.lists(st.integers(max(0, most - 2), most), min_size=n, max_size=n),
            st.permutations(range(n)),
        )
    )
    return list(rows)


class Search(RecordedSearch):
    """The arrays of a search, and a separate record of the squares left on this plateau."""

    def __init__(self, queens, seed=0, dtype=np.int32, memory_squares=10**4, cuts=()):
        self.n, self.seed = len(queens), U64(seed)
        self.queens, self.lines = np.array(queens, dtype), empty_lines(make_instance(self.n))
        self.state, self.memory = np.zeros(STATE_LENGTH, np.int64), empty_plateau_memory(self.n, memory_squares)
        self.memory.slots.fill(0)
        for array in self.lines[:-2]:
            array[...] = 12345  # arbitrary earlier content
        slices = list(itertools.pairwise([0, *sorted(cuts), self.n]))
        for table in self.lines[:3]:
            table[...] = 0
        for first, last in slices:
            min_conflicts_kernel.count_queens(self.queens, self.lines, self.state, first, last)
        for first, last in slices:
            min_conflicts_kernel.list_conflicts(self.queens, self.lines, self.state, first, last)
        self.state[BEST_PAIRS] = self.state[PAIRS]
        super().__init__()

    def place(self, first, last):
        min_conflicts_kernel.place_least_conflict(
            self.queens, self.lines, self.memory, self.state, self.seed, U64(0), first, last
        )

    def call(self, trace, *limits):
        arrays = self.queens, self.lines, self.memory, self.state, trace
        return min_conflicts_kernel.search(*arrays, self.seed, U64(0), *limits)

    def arrays(self):
        return (self.queens, self.state, *self.lines[:-1], *self.memory)

    def candidates(self, column):
        """Return the rows of least conflict for a lifted queen, without those left before if others remain."""
        least = naive.least_conflict_rows(self.queens, column)
        known = {row for row in least if (column, row) in self.left} | {int(self.queens[column])}
        return least - known or least

    def assert_equals_a_recount(self):
        """Compare all lines, lists and counts with a recount of the board."""
        n, queens, lines, state = self.n, self.queens.tolist(), self.lines, self.state
        assert lines.rows.tolist() == naive.line_table(queens, n, lambda c, r: r)
        assert lines.sums.tolist() == naive.line_table(queens, 2 * n, lambda c, r: c + r)
        assert lines.differences.tolist() == naive.line_table(queens, 2 * n, lambda c, r: r - c + n)
        assert state[PAIRS] == len(naive.attacking_pairs(queens))
        listed = lines.conflicting[: state[CONFLICTING]].tolist()
        assert sorted(listed) == sorted(naive.conflicting_queens(queens))
        assert lines.place.tolist() == [listed.index(c) if c in listed else NOWHERE for c in range(n)]
        unused = lines.unused[: state[UNUSED]].tolist()
        assert sorted(unused) == sorted(naive.unused_rows(queens))
        assert [int(lines.unused_place[row]) for row in unused] == list(range(len(unused)))


def make_one_step(search):
    """Make a step and compare everything about it with the boards before and after."""
    before, pairs = search.queens.copy(), int(search.state[PAIRS])
    best, since = int(search.state[BEST_PAIRS]), int(search.state[STEPS_SINCE_BEST])
    open_to = {column: search.candidates(column) for column in naive.conflicting_queens(before)}
    step, now = search.step(), int(search.state[PAIRS])
    if step.moved is not None:
        assert int(search.queens[step.moved]) in open_to[step.moved]
    else:
        assert any(int(before[column]) in rows for column, rows in open_to.items())
    assert now <= pairs
    assert step.trace == [[now, search.state[CONFLICTING]]]
    assert (step.status, step.steps) == (SOLVED if now == 0 else UNDER_WAY, 1)
    assert search.state[BEST_PAIRS] == min(best, now)
    assert search.state[STEPS_SINCE_BEST] == (0 if now < best else since + 1)
    search.assert_equals_a_recount()
    return step.status


@given(boards(empty=True), st.data())
@example([0], None)
@example([1], None)
@example([0, 0, 0, 0], None)
def test_the_lines_of_any_board_equal_a_recount(queens, data):
    cuts = data.draw(st.lists(st.integers(0, len(queens)), max_size=3)) if data else []
    for dtype in (np.int32, np.uint32):
        search = Search(queens, dtype=dtype, cuts=cuts)
        search.assert_equals_a_recount()
        assert search.queens.tolist() == queens


@given(boards(empty=True, largest=16), seeds)
def test_empty_columns_get_rows_of_least_conflict(queens, seed):
    search = Search(queens, seed)
    for column in range(len(queens)):
        before = search.queens.tolist()
        search.place(column, column + 1)
        if before[column] < len(queens):
            assert search.queens.tolist() == before
        else:
            assert int(search.queens[column]) in naive.least_conflict_rows(before, column)
            assert np.delete(search.queens, column).tolist() == [r for c, r in enumerate(before) if c != column]
        search.assert_equals_a_recount()


def walk(search, steps):
    """Make some checked steps, unless a solution is found, and return the largest number of squares left in between."""
    longest = 0
    for _ in range(steps):
        if search.state[PAIRS] == 0 or make_one_step(search) == SOLVED:
            break
        longest = max(longest, len(search.left))
    return longest


@given(boards(smallest=4, largest=20), seeds)
def test_every_step_is_a_least_conflict_step_and_all_counts_equal_a_recount(queens, seed):
    search = Search(queens, seed)
    walk(search, 25)
    assert search.state[PAIRS] <= len(naive.attacking_pairs(queens))


def test_counts_on_long_plateaus_equal_a_recount():
    for n in (4, 5, 6, 7, 8, 12):
        longest = max(walk(Search(np.random.default_rng(seed).integers(0, n, n), seed), 60) for seed in range(6))
        assert longest > 2, n


def test_a_search_without_new_minimum_is_stagnant_at_the_limit():
    search = Search([0, 1, 2, 0, 1, 2], 3)
    status, steps, trace = search.advance(10_000, stagnation_limit=7)
    assert status == STAGNANT
    pairs = [entry[0] for entry in trace]
    assert steps == len(trace) == pairs.index(min(pairs)) + 1 + 7
    assert search.advance(5, stagnation_limit=7) == (STAGNANT, 0, [])


def exact_odds_of_one_step(search):
    """Return the odds by the rules: an even draw of a conflicting queen, then of its candidates."""
    movers = naive.conflicting_queens(search.queens)
    odds = Counter()
    for column in movers:
        rows = search.candidates(column)
        for row in rows:
            odds[None if row == search.queens[column] else (column, row)] += 1 / len(movers) / len(rows)
    return odds


CROWDED = [0, 0, 0, 0, 7, 7, 7, 7]
DIAGONAL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
ONE_ROW = [3, 3, 3, 3, 3, 3, 3]
#: The only square of least conflict for the queen of column 3 is its own.
STUCK = [1, 0, 5, 5, 2, 6, 0]
#: Each square of column 2 in the first board, and of column 3 in the second, is attacked at least twice.
BESIEGED = [[2, 3, 0, 1, 3], [4, 7, 5, 0, 1, 0, 3, 3]]


@pytest.mark.parametrize("queens", [CROWDED, DIAGONAL, ONE_ROW, STUCK, *BESIEGED, [5, 1, 1, 3, 0, 6, 2, 4]])
@pytest.mark.parametrize("steps_before", [3, *(pytest.param(steps, marks=pytest.mark.gate) for steps in (0, 8))])
def test_a_step_draws_queen_and_row_evenly(queens, steps_before):
    search = Search(queens, 4)
    walk(search, steps_before)
    if search.state[PAIRS]:
        search.assert_a_step_has_these_odds(exact_odds_of_one_step(search))


def test_a_full_memory_is_emptied():
    filled = 0
    for seed in range(50):
        search = Search(np.random.default_rng(seed).integers(0, 6, 6), seed, memory_squares=2)
        for _ in range(40):
            if search.state[PAIRS] == 0:
                break
            filled += search.step().is_full
            search.assert_equals_a_recount()
    assert filled > 10
