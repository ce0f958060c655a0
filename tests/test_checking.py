"""Checking a board: solution or not, attacking pairs, conflicting queens, first attack; against a double loop."""

import itertools

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lowered import lower

import fastqueens
from fastqueens.analysis import verification
from fastqueens.analysis.line_kinds import line_kinds
from fastqueens.core import threads as workers
from fastqueens.kernels import checking

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


def set_bits(words):
    """Return the numbers of the set bits."""
    return {bit for bit in range(64 * len(words)) if int(words[bit // 64]) >> bit % 64 & 1}


def first_repeated(lines, first, last):
    """Return the first place from first to last - 1 whose line also has an earlier place in this range, or last."""
    return next((at for at in range(first, last) if lines[at] in lines[first:at]), last)


@given(st.one_of(boards(), almost_solutions()))
@example([0, 0])
@example([0, 1])
@example([1, 0])
@example([0, 3, 1, 2])
def test_the_four_answers_equal_those_of_a_double_loop(queens):
    pairs = naive.attacking_pairs(queens)
    assert fastqueens.is_solution(queens) == (not pairs)
    assert fastqueens.attacking_pairs(queens) == len(pairs)
    assert fastqueens.conflicting_queens(queens) == len(naive.conflicting_queens(queens))
    assert fastqueens.first_attack(queens) == naive.first_attack(queens)


@given(boards(), st.integers(1, 7), st.integers(1, 9), st.integers(1, 9))
def test_the_answers_do_not_depend_on_slices_ranges_of_lines_and_threads(queens, columns, counters, threads):
    pairs = naive.attacking_pairs(queens)
    with pytest.MonkeyPatch.context() as patch:
        lower(patch, checked_slice=columns, counters=counters * threads, threads=1)
        assert fastqueens.is_solution(queens, threads=threads) == (not pairs)
        lower(patch, bands=1)
        assert fastqueens.is_solution(queens, threads=threads) == (not pairs)
        assert fastqueens.attacking_pairs(queens, threads=threads) == len(pairs)
        assert fastqueens.conflicting_queens(queens, threads=threads) == len(naive.conflicting_queens(queens))
        assert fastqueens.first_attack(queens) == naive.first_attack(queens)


@pytest.mark.parametrize("bands_from", [1, 10**6])
@pytest.mark.parametrize("threads", [1, 2, 3, 5, 8, 11])
def test_any_number_of_threads_finds_a_planted_attack(monkeypatch, threads, bands_from):
    lower(monkeypatch, threads=1, bands=bands_from)
    n = 1000
    queens = fastqueens.solve(n, seed=1).queens
    assert fastqueens.is_solution(queens, threads=threads)
    for column, other in itertools.permutations([0, 1, n // 3, n // 2, n - 2, n - 1], 2):
        distance = abs(column - other)
        for row in {int(queens[other]) + shift for shift in (0, distance, -distance)} & set(range(n)):
            slipped = queens.copy()
            slipped[column] = row
            assert not fastqueens.is_solution(slipped, threads=threads), (column, other, row)


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_claiming_lines_stops_at_the_first_marked_line(kind, dtype, queens, data):
    n = len(queens)
    lines, of_queens = kind_and_lines(queens, kind)
    first = data.draw(st.integers(0, n))
    last = data.draw(st.integers(first, n))
    first_line = 64 * data.draw(st.integers(0, (lines.lines - 1) // 64))
    span = lines.span(first_line, data.draw(st.integers(1, 2 * n)))
    inside = range(first_line, first_line + int(span.lines))
    claimed = np.zeros(int(span.lines + U64(63)) // 64 + 1, np.uint64)
    clash = checking.claim_lines(np.array(queens, dtype), claimed, span, first, last)
    # Lines outside the span get different numbers, so that none of them counts as marked.
    seen = [line if line in inside else -1 - column for column, line in enumerate(of_queens)]
    assert clash == first_repeated(seen, first, last)
    assert set_bits(claimed) == {line - first_line for line in of_queens[first:clash] if line in inside}


@given(boards(200), st.integers(6, 8), st.integers(1, 4))
def test_squares_are_listed_by_band(queens, band_bits, threads):
    n = len(queens)
    bands = -(-n >> band_bits)
    first, last = n // 3, n
    listed = np.zeros(n, np.uint64)
    ends = np.linspace(first, last, threads + 1, dtype=np.int64)
    with workers.Workers(threads) as team:
        starts = verification._list_by_band(np.array(queens, np.int32), listed, ends, bands, band_bits, team)
    for band, (begin, end) in enumerate(itertools.pairwise(starts.tolist())):
        squares = [(int(square) >> 32, int(square) % 2**32) for square in listed[begin:end]]
        assert squares == [(c, queens[c]) for c in range(first, last) if queens[c] >> band_bits == band]
    assert starts[-1] == last - first


@given(boards(200), st.integers(3, 7), st.data())
def test_claiming_bands_marks_all_lines_of_every_other_band(queens, band_bits, data):
    n = len(queens)
    offset = -(-n // 64) * 64
    bands = -(-n >> band_bits)
    squares = sorted(enumerate(queens), key=lambda square: square[1] >> band_bits)
    starts = np.array([sum(row >> band_bits < band for row in queens) for band in range(bands + 1)])
    listed = np.zeros(n + checking.LISTED_AHEAD, np.uint64)
    listed[:n] = [(column << 32) + row for column, row in squares]
    bitsets = [np.zeros(words * offset // 64 + 1, np.uint64) for words in (1, 2, 2)]
    first = data.draw(st.integers(0, bands))
    last = data.draw(st.integers(first, bands))
    free = checking.claim_bands(listed, starts, *bitsets, U64(offset), first, last)
    claimed = [square for square in squares if square[1] >> band_bits in range(first, last, 2)]
    lines = [[r for _, r in claimed], [c + r for c, r in claimed], [r - c + offset for c, r in claimed]]
    assert [set_bits(words) for words in bitsets] == [set(of_kind) for of_kind in lines]
    assert free == all(len(set(of_kind)) == len(claimed) for of_kind in lines)


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)), min_size=1, max_size=5))
def test_joining_claims_returns_whether_they_share_a_line(words):
    claimed, other = (np.array(column, np.uint64) for column in zip(*words, strict=True))
    assert checking.join_claims(claimed, other) == (not any(one & two for one, two in words))
    assert claimed.tolist() == [one | two for one, two in words]


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_lines_with_two_queens_are_marked(kind, dtype, queens, data):
    n = len(queens)
    lines, of_queens = kind_and_lines(queens, kind)
    first_line = 64 * data.draw(st.integers(0, (lines.lines - 1) // 64))
    span = lines.span(first_line, data.draw(st.integers(1, 2 * n)))
    words = int(span.lines + U64(63)) // 64
    claimed, twice = np.zeros(words + 1, np.uint64), np.zeros(words, np.uint64)
    cut = data.draw(st.integers(0, n))
    for first, last in ((0, cut), (cut, n)):
        checking.claim_twice(np.array(queens, dtype), claimed, twice, span, first, last)
    inside = range(first_line, first_line + int(span.lines))
    assert set_bits(claimed) == {line - first_line for line in of_queens if line in inside}
    assert set_bits(twice) == {line - first_line for line in of_queens if line in inside and of_queens.count(line) > 1}


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_finding_the_first_queen_on_a_line(kind, dtype, queens, data):
    n = len(queens)
    lines, of_queens = kind_and_lines(queens, kind)
    first = data.draw(st.integers(0, n))
    last = data.draw(st.integers(first, n))
    line = data.draw(st.one_of(st.sampled_from(of_queens), st.integers(0, lines.lines - 1)))
    found = checking.find_on_line(np.array(queens, dtype), lines.all_lines, U64(line), first, last)
    assert found == next((column for column in range(first, last) if of_queens[column] == line), last)


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("dtype", DTYPES)
@given(queens=boards(), data=st.data())
def test_counting_a_range_of_lines(kind, dtype, queens, data):
    n = len(queens)
    lines, of_queens = kind_and_lines(queens, kind)
    first_line = data.draw(st.integers(0, lines.lines - 1))
    span = lines.span(first_line, data.draw(st.integers(1, 2 * n)))
    counters = np.zeros(int(span.lines), np.uint32)
    cut = data.draw(st.integers(0, n))
    board = np.array(queens, dtype)
    pairs = sum(checking.count_lines(board, counters, span, first, last) for first, last in ((0, cut), (cut, n)))
    assert counters.tolist() == [of_queens.count(first_line + at) for at in range(len(counters))]
    assert pairs == sum(k * (k - 1) // 2 for k in counters.tolist())


@pytest.mark.parametrize("n", [1000, 4096])
def test_a_solution_with_one_moved_queen_is_no_solution(n):
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
    with pytest.raises(fastqueens.Stopped, match=r"stopped during verification, \d+ of \d+ done"):
        ask([1, 3, 0, 2], stop=lambda: True)
    with pytest.raises(fastqueens.InputError, match="column 1 has row 4; rows go from 0 to 3"):
        ask([1, 4, 0, 2])
