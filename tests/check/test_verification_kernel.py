"""Checking a board: solution or not, attacking pairs, conflicting queens, first attack; against a double loop."""

import re
import tracemalloc
from collections import Counter
from typing import Any, NamedTuple

import naive
import numpy as np
import pytest
from errors import check_error
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lowered import lower

import fastqueens
from fastqueens.check import verification_kernel
from fastqueens.check.verification import line_kinds

pytestmark = pytest.mark.checked

U64 = np.uint64
DTYPES = [np.int32, np.uint32]
KINDS = [naive.rows, naive.sums, naive.differences]
SOLUTIONS = [[0], [1, 3, 0, 2], [2, 0, 3, 1], [0, 2, 4, 1, 3], [1, 3, 5, 0, 2, 4], [2, 7, 3, 6, 0, 5, 1, 4]]


@st.composite
def boards(draw, largest=40):
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


def kind_and_lines(queens, kind):
    """Return one kind of line, and the number of each queen's line in it."""
    n = len(queens)
    shift = [0, 0, n][kind]
    return line_kinds(n)[kind], [line + shift for line in KINDS[kind](queens)]


class Cut(NamedTuple):
    """A board, a span of lines of one kind, columns ``first`` to last - 1, and the line of each queen."""

    board: np.ndarray
    span: Any
    first_line: int
    first: int
    last: int
    of_queens: list[int]

    @property
    def inside(self):
        return range(self.first_line, self.first_line + int(self.span.lines))

    def bitset(self, spare=0):
        return np.zeros(-(-int(self.span.lines) // 64) + spare, np.uint64)


@st.composite
def cuts(draw):
    """Draw a board of any dtype, and a span that begins with a word."""
    queens, dtype = draw(boards()), draw(st.sampled_from(DTYPES))
    n = len(queens)
    lines, of_queens = kind_and_lines(queens, draw(st.sampled_from(range(3))))
    first_line = 64 * draw(st.integers(0, (lines.lines - 1) // 64))
    span = lines.span(first_line, draw(st.integers(1, 2 * n)))
    first = draw(st.integers(0, n))
    return Cut(np.array(queens, dtype), span, first_line, first, draw(st.integers(first, n)), of_queens)


def set_bits(words):
    """Return the numbers of the set bits."""
    return {bit for bit in range(64 * len(words)) if int(words[bit // 64]) >> bit % 64 & 1}


def first_repeated(lines, first, last):
    """Return the first place from first to last - 1 whose line also has an earlier place in this range, or last."""
    return next((at for at in range(first, last) if lines[at] in lines[first:at]), last)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.one_of(boards(), almost_solutions()), st.integers(1, 7), st.integers(1, 9), st.integers(1, 9))
@example([0, 0], 1, 1, 1)
@example([0, 1], 1, 1, 1)
@example([1, 0], 1, 1, 1)
@example([0, 3, 1, 2], 1, 1, 1)
def test_the_four_answers_equal_those_of_a_double_loop(queens, columns, counters, threads):
    """Whatever the slices, ranges of lines and threads are."""
    pairs = naive.attacking_pairs(queens)
    with pytest.MonkeyPatch.context() as patch:
        for _ in range(2):
            assert fastqueens.is_solution(queens, threads=threads) == (not pairs)
            assert fastqueens.attacking_pairs(queens, threads=threads) == len(pairs)
            assert fastqueens.conflicting_queens(queens, threads=threads) == len(naive.conflicting_queens(queens))
            assert fastqueens.first_attack(queens) == naive.first_attack(queens)
            lower(patch, checked_slice=columns, counters=counters * threads, threads=1)


@given(cuts())
def test_claiming_lines_stops_at_the_first_marked_line(cut):
    claimed = cut.bitset(spare=1)
    clash = verification_kernel.claim_lines(cut.board, claimed, cut.span, cut.first, cut.last)
    # Lines outside the span get different numbers, so that none of them counts as marked.
    seen = [line if line in cut.inside else -1 - column for column, line in enumerate(cut.of_queens)]
    assert clash == first_repeated(seen, cut.first, cut.last)
    marked = {line - cut.first_line for line in cut.of_queens[cut.first : clash] if line in cut.inside}
    assert set_bits(claimed) == marked


@pytest.mark.parametrize("kinds", [range(3), [0], [1], [2]], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(200), data=st.data())
def test_claiming_all_lines(dtype, kinds, queens, data):
    n = len(queens)
    first = data.draw(st.integers(0, n))
    last = data.draw(st.integers(first, n))
    off_board = data.draw(st.none() | st.tuples(st.integers(0, n - 1), st.sampled_from([-(2**31), -1, n, 2**31 - 1])))
    board = np.array(queens, np.int64)
    claimed = [np.zeros(-(-n * size // 64) if kind in kinds else 0, np.uint64) for kind, size in enumerate((1, 2, 2))]
    if off_board:
        board[off_board[0]] = off_board[1]
    is_free = verification_kernel.claim_all_lines(board.astype(dtype), *claimed, first, last)
    if off_board and first <= off_board[0] < last:
        assert not is_free
        return
    lines = {kind: kind_and_lines(queens, kind)[1][first:last] for kind in kinds}
    assert [set_bits(words) for words in claimed] == [set(lines.get(kind, [])) for kind in range(3)]
    assert is_free == all(len(set(of_kind)) == last - first for of_kind in lines.values())


@given(st.lists(st.tuples(*2 * [st.sampled_from([0, 1, 2, 2**63, 2**64 - 1])]), max_size=9), st.data())
def test_finding_lines_that_are_marked_in_two_bitsets(words, data):
    claimed, other = np.array(words, np.uint64).reshape(-1, 2).T.copy()
    first = data.draw(st.integers(0, len(words)))
    last = data.draw(st.integers(first, len(words)))
    assert verification_kernel.have_common_lines(claimed, other, first, last) == any(
        one & two for one, two in words[first:last]
    )


@given(cuts())
def test_lines_with_two_queens_are_marked(cut):
    claimed, twice = cut.bitset(spare=1), cut.bitset()
    for first, last in ((0, cut.first), (cut.first, len(cut.board))):
        verification_kernel.claim_twice(cut.board, claimed, twice, cut.span, first, last)
    counts = Counter(line - cut.first_line for line in cut.of_queens if line in cut.inside)
    assert set_bits(claimed) == set(counts)
    assert set_bits(twice) == {line for line, count in counts.items() if count > 1}


@given(cuts(), st.data())
def test_finding_the_first_queen_on_a_line(cut, data):
    line = data.draw(st.sampled_from([line - cut.first_line for line in cut.of_queens]) | st.integers(0, 100))
    line = line if 0 <= line < int(cut.span.lines) else 0
    found = verification_kernel.find_on_line(cut.board, cut.span, U64(line), cut.first, cut.last)
    columns = range(cut.first, cut.last)
    assert found == next((c for c in columns if cut.of_queens[c] == cut.first_line + line), cut.last)


@given(cuts())
def test_counting_a_range_of_lines(cut):
    counters = np.zeros(int(cut.span.lines), np.uint32)
    pairs = sum(
        verification_kernel.count_lines(cut.board, counters, cut.span, first, last)
        for first, last in ((0, cut.first), (cut.first, len(cut.board)))
    )
    assert counters.tolist() == [cut.of_queens.count(line) for line in cut.inside]
    assert pairs == sum(k * (k - 1) // 2 for k in counters.tolist())


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
    with check_error(fastqueens.Stopped, "verification", re.compile(r"\d+ of \d+")):
        ask([1, 3, 0, 2], stop=lambda: True)
    with check_error(fastqueens.InputError, "column 1", "row 4", 0, 3):
        ask([1, 4, 0, 2])


@pytest.mark.parametrize("threads", [1, 2])
def test_conflicting_queens_take_less_than_a_byte_each(threads):
    n = 2**20 + 5
    board = fastqueens.random_board(n, 1)
    fastqueens.conflicting_queens(board, threads=threads)  # loads kernels
    tracemalloc.start()
    fastqueens.conflicting_queens(board, threads=threads)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 0.9 * n
