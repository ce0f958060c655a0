"""Is it a solution, how many pairs, how many queens conflict, who first: against a double loop over the queens."""

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fastqueens
from fastqueens import counting
from fastqueens.kernels import checking

U64 = np.uint64
DTYPES = [np.int32, np.uint32]
KINDS = [naive.rows, naive.sums, naive.differences]
SOLUTIONS = [[0], [1, 3, 0, 2], [2, 0, 3, 1], [0, 2, 4, 1, 3], [1, 3, 5, 0, 2, 4], [2, 7, 3, 6, 0, 5, 1, 4]]


@st.composite
def boards(draw, largest=40):
    """Boards of every kind: rows without order, permutations, few rows for many queens, and solutions with a slip."""
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
    queens = list(draw(st.sampled_from(SOLUTIONS)))
    if draw(st.booleans()):
        queens[draw(st.integers(0, len(queens) - 1))] = draw(st.integers(0, len(queens) - 1))
    return queens


def kind_and_lines(queens, kind):
    """The numbers a kernel needs for one kind of line, and the line of each queen in its count."""
    n = len(queens)
    shift = [0, 0, n][kind]
    return counting.line_kinds(n)[kind], [line + shift for line in KINDS[kind](queens)]


def first_repeated(lines, first, last):
    """The first place from first to last - 1 whose line stands at an earlier one, or last."""
    return next((at for at in range(first, last) if lines[at] in lines[first:at]), last)


@given(st.one_of(boards(), almost_solutions()))
@example([0, 0])
@example([0, 1])
@example([1, 0])
@example([0, 3, 1, 2])
def test_the_four_answers_are_those_of_a_double_loop(queens):
    pairs = naive.attacking_pairs(queens)
    assert fastqueens.is_solution(queens) == (not pairs)
    assert fastqueens.attacking_pairs(queens) == len(pairs)
    assert fastqueens.conflicting_queens(queens) == len(naive.conflicting_queens(queens))
    assert fastqueens.first_attack(queens) == naive.first_attack(queens)


@given(boards(), st.integers(1, 7), st.integers(1, 9))
def test_the_answers_do_not_depend_on_slices_and_ranges_of_lines(queens, columns, counters):
    pairs = naive.attacking_pairs(queens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_SLICE", columns)
        patch.setattr(counting, "_COUNTERS", counters)
        assert fastqueens.is_solution(queens) == (not pairs)
        assert fastqueens.attacking_pairs(queens) == len(pairs)
        assert fastqueens.conflicting_queens(queens) == len(naive.conflicting_queens(queens))
        assert fastqueens.first_attack(queens) == naive.first_attack(queens)


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_claiming_lines_stops_at_the_first_one_taken(kind, dtype, queens, data):
    n = len(queens)
    (slope, offset, lines), of_queens = kind_and_lines(queens, kind)
    first = data.draw(st.integers(0, n))
    last = data.draw(st.integers(first, n))
    claimed = np.zeros(lines // 64 + 1, np.uint64)
    clash = checking.claim_lines(np.array(queens, dtype), claimed, slope, offset, first, last)
    assert clash == first_repeated(of_queens, first, last)
    marked = {line for line in range(64 * len(claimed)) if int(claimed[line // 64]) >> line % 64 & 1}
    assert marked == set(of_queens[first:clash])


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_finding_the_first_queen_on_a_line(kind, dtype, queens, data):
    n = len(queens)
    (slope, offset, lines), of_queens = kind_and_lines(queens, kind)
    first = data.draw(st.integers(0, n))
    last = data.draw(st.integers(first, n))
    line = data.draw(st.one_of(st.sampled_from(of_queens), st.integers(0, lines - 1)))
    found = checking.find_on_line(np.array(queens, dtype), slope, offset, U64(line), first, last)
    assert found == next((column for column in range(first, last) if of_queens[column] == line), last)


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_counting_a_range_of_lines(kind, dtype, queens, data):
    n = len(queens)
    (slope, offset, lines), of_queens = kind_and_lines(queens, kind)
    first_line = data.draw(st.integers(0, lines - 1))
    counters = np.zeros(data.draw(st.integers(1, lines - first_line)), np.uint32)
    cut = data.draw(st.integers(0, n))
    board = np.array(queens, dtype)
    pairs = sum(
        checking.count_lines(board, counters, U64(first_line), slope, offset, first, last)
        for first, last in ((0, cut), (cut, n))
    )
    assert counters.tolist() == [of_queens.count(first_line + at) for at in range(len(counters))]
    assert pairs == sum(k * (k - 1) // 2 for k in counters.tolist())


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_marking_who_shares_a_counted_line(kind, dtype, queens, data):
    n = len(queens)
    (slope, offset, lines), of_queens = kind_and_lines(queens, kind)
    first_line = data.draw(st.integers(0, lines - 1))
    counters = np.array([of_queens.count(line) for line in range(first_line, lines)], np.uint32)
    already = data.draw(st.sets(st.integers(0, n - 1)))
    marked = np.zeros(n // 64 + 1, np.uint64)
    for column in already:
        marked[column // 64] |= U64(1 << column % 64)
    found = checking.mark_conflicting(np.array(queens, dtype), counters, marked, U64(first_line), slope, offset, 0, n)
    shared = {line for line in of_queens if line >= first_line and of_queens.count(line) > 1}
    sharing = {column for column in range(n) if of_queens[column] in shared}
    assert found == len(sharing - already)
    assert {c for c in range(n) if int(marked[c // 64]) >> c % 64 & 1} == sharing | already


@pytest.mark.parametrize("n", [1000, 4096])
def test_a_solution_with_one_slip_is_none(n):
    queens = fastqueens.solve(n, seed=1).queens
    assert fastqueens.is_solution(queens)
    assert fastqueens.first_attack(queens) is None
    for column in (0, 1, n // 2, n - 1):
        slipped = queens.copy()
        slipped[column] = queens[(column + 7) % n]
        assert not fastqueens.is_solution(slipped)
        assert fastqueens.attacking_pairs(slipped) >= 1


def test_all_queens_on_one_line_are_counted_without_overflow():
    n = 100_000
    for queens in (np.zeros(n, np.int32), np.arange(n), np.arange(n)[::-1]):
        assert fastqueens.attacking_pairs(queens) == n * (n - 1) // 2
        assert fastqueens.conflicting_queens(queens) == n
        assert fastqueens.first_attack(queens) == (0, 1)


def test_boards_of_any_integer_kind_are_read_and_not_changed():
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
def test_counting_reports_stops_and_refuses(ask):
    seen = []
    ask([1, 3, 0, 2], progress=lambda *report: seen.append(report))
    assert seen
    assert set(seen) == {("verification", 4, 4)}
    with pytest.raises(fastqueens.Stopped, match="stopped during verification, 4 of 4 done"):
        ask([1, 3, 0, 2], stop=lambda: True)
    with pytest.raises(fastqueens.InputError, match="column 1 holds row 4, rows go from 0 to 3"):
        ask([1, 4, 0, 2])
