"""Checking a board: solution or not, attacking pairs, conflicting queens, first attack; against a double loop."""

import re
import tracemalloc

import naive
import numpy as np
import pytest
from errors import check_error
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lowered import lower

import fastqueens

pytestmark = pytest.mark.checked

SOLUTIONS = [[0], [1, 3, 0, 2], [2, 0, 3, 1], [0, 2, 4, 1, 3], [1, 3, 5, 0, 2, 4], [2, 7, 3, 6, 0, 5, 1, 4]]


@st.composite
def boards(draw, largest=100):
    """Boards of several kinds: random rows, permutations, and many queens on few rows."""
    n = draw(st.integers(1, largest))
    rows = draw(
        st.one_of(
            st.lists(st.integers(0, n - 1), min_size=n, max_size=n),
            st.permutations(range(n)),
            st.lists(st.integers(0, min(2, n - 1)), min_size=n, max_size=n),
        )
    )
    return list(rows)


@st.composite
def almost_solutions(draw):
    """Solutions, or solutions with one queen moved."""
    queens = list(draw(st.sampled_from(SOLUTIONS)))
    if draw(st.booleans()):
        queens[draw(st.integers(0, len(queens) - 1))] = draw(st.integers(0, len(queens) - 1))
    return queens


@settings(max_examples=2 * settings.default.max_examples)
@given(
    st.one_of(boards(), almost_solutions()), st.integers(1, 7), st.integers(1, 9), st.integers(1, 9),
    st.sampled_from([np.int32, np.uint32, np.int64]),
)  # fmt: skip
@example([0, 1], 1, 1, 1, np.int32)
@example([1, 0], 1, 1, 1, np.int32)
@example([0, 3, 1, 2], 1, 1, 1, np.int32)
def test_the_four_answers_equal_those_of_a_double_loop(queens, columns, counters, threads, dtype):
    """Whatever the slices, ranges of lines and threads are."""
    pairs, board = naive.attacking_pairs(queens), np.array(queens, dtype)
    with pytest.MonkeyPatch.context() as patch:
        for _ in range(2):
            assert fastqueens.is_solution(board, threads=threads) == (not pairs)
            assert fastqueens.attacking_pairs(board, threads=threads) == len(pairs)
            assert fastqueens.conflicting_queens(board, threads=threads) == len(naive.conflicting_queens(queens))
            assert fastqueens.first_attack(board) == naive.first_attack(queens)
            lower(patch, checked_slice=columns, counters=counters * threads, threads=1)


def test_all_queens_on_one_line_are_counted_without_overflow():
    n = 100_000
    for queens in (np.zeros(n, np.int32), np.arange(n), np.arange(n)[::-1]):
        assert fastqueens.attacking_pairs(queens) == n * (n - 1) // 2
        assert fastqueens.conflicting_queens(queens) == n
        assert fastqueens.first_attack(queens) == (0, 1)


def test_boards_of_any_integer_dtype_are_checked_and_not_changed():
    queens = [1, 3, 0, 2]
    for dtype in (np.int8, np.uint8, np.int16, np.int64, np.uint64):
        board = np.array(queens, dtype)
        board.flags.writeable = False
        assert fastqueens.is_solution(board)
        assert fastqueens.attacking_pairs(board) == fastqueens.conflicting_queens(board) == 0
    assert fastqueens.is_solution(np.array([1, 9, 3, 9, 0, 9, 2, 9])[::2])


@pytest.mark.parametrize(
    "ask", [fastqueens.is_solution, fastqueens.first_attack, fastqueens.attacking_pairs, fastqueens.conflicting_queens]
)
def test_checks_report_progress_stop_and_refuse_bad_boards(ask):
    seen = []
    ask([1, 3, 0, 2], progress=lambda *report: seen.append(report))
    assert seen
    assert {stage for stage, _, _ in seen} == {"verification"}
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert seen[-1][1] == seen[-1][2]
    with check_error(fastqueens.Stopped, "verification", re.compile(r"\d+ %")):
        ask([1, 3, 0, 2], stop=lambda: True)
    with check_error(fastqueens.InputError, "column 1", "row 4", 0, 3):
        ask([1, 4, 0, 2])


def test_conflicting_queens_take_less_than_a_byte_each():
    n = 2**20 + 5
    board = fastqueens.random_board(n, 1)
    for threads in (1, 2):
        fastqueens.conflicting_queens(board, threads=threads)  # loads kernels
        tracemalloc.start()
        fastqueens.conflicting_queens(board, threads=threads)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 0.9 * n, threads
