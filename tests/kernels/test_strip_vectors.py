"""The vector instructions of the placement in groups, compared with plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastqueens._jit.decorators import kernel
from fastqueens.kernels import bits

U64 = np.uint64
ALL = 2**64 - 1
words = st.integers(0, ALL)


def kernel_with(instruction, parameters):
    """Return a kernel that consists of one instruction, since only kernels can call instructions."""
    names = {"bits": bits, "__name__": __name__}
    exec(f"def {instruction}({parameters}):\n    return bits.{instruction}({parameters})", names)
    return kernel(names[instruction])


copy_bits = kernel_with("copy_bits", "lanes, to, source, at, by")
mark_bits = kernel_with("mark_bits", "lanes, source, target, at, by")
fill_lanes = kernel_with("fill_lanes", "lanes, at, word")
copy_words = kernel_with("copy_words", "lanes, to, source, at, by")
mark_words = kernel_with("mark_words", "lanes, source, target, at, by")
place_columns = kernel_with("place_columns", "lanes, empty, first, low, random, row")
place_each = kernel_with("place_each", "lanes, empty, random, row")
read_rows = kernel_with("read_rows", "lanes, to, queens, column")
write_rows = kernel_with("write_rows", "lanes, source, queens, column")
columns_on = kernel_with("columns_on", "queens, column, row")
reversed_bits = kernel_with("reversed_bits", "word")


def number_of(array):
    """Return an array of words as one integer, the first word lowest."""
    return sum(int(word) << 64 * place for place, word in enumerate(array))


def random_words(seed, count):
    return np.random.default_rng(seed).integers(0, 2**64, count, dtype=np.uint64)


@given(st.integers(0, 2**32), st.integers(0, 63), st.integers(0, 3))
def test_512_bits_are_copied_from_any_bit_on(seed, by, at):
    source, lanes = random_words(seed, 13), np.full(12, 7, np.uint64)
    copy_bits(lanes, U64(2), source, U64(at), U64(by))
    assert number_of(lanes[2:10]) == number_of(source) >> 64 * at + by & 2**512 - 1
    assert lanes[[0, 1, 10, 11]].tolist() == [7] * 4


@given(st.integers(0, 2**32), st.integers(0, 63), st.integers(0, 2))
def test_512_bits_are_marked_from_any_bit_on(seed, by, at):
    lanes, target = random_words(seed, 12), random_words(seed + 1, 12)
    before = number_of(target)
    mark_bits(lanes, U64(3), target, U64(at), U64(by))
    assert number_of(target) == before | number_of(lanes[3:11]) << 64 * at + by


@given(st.integers(0, 2**32), st.integers(0, 63), st.integers(0, 3))
def test_eight_words_are_copied_and_marked_each_from_a_bit_on(seed, by, at):
    source, lanes = random_words(seed, 12), np.full(12, 7, np.uint64)
    copy_words(lanes, U64(2), source, U64(at), U64(by))
    assert lanes.tolist() == [7, 7, *(source[at : at + 8] >> U64(by)).tolist(), 7, 7]
    target = random_words(seed + 1, 12)
    expected = target.copy()
    expected[at : at + 8] |= lanes[2:10] << U64(by)
    mark_words(lanes, U64(2), target, U64(at), U64(by))
    assert target.tolist() == expected.tolist()


@given(words, st.integers(0, 2))
def test_lanes_are_filled(word, at):
    lanes = np.arange(10, dtype=np.uint64)
    expected = lanes.tolist()
    fill_lanes(lanes, U64(at), U64(word))
    expected[at : at + 8] = [word] * 8
    assert lanes.tolist() == expected


@given(words)
def test_bits_are_reversed(word):
    assert reversed_bits(U64(word)) == int(f"{word:064b}"[::-1], 2)


@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_rows_are_read_and_written(dtype):
    queens = np.arange(40, dtype=dtype)
    queens[7] = np.iinfo(dtype).max
    lanes = np.full(20, 99, np.uint64)
    read_rows(lanes, U64(3), queens, U64(5))
    assert lanes.tolist() == [99] * 3 + queens[5:21].tolist() + [99]
    written = np.zeros(40, dtype)
    write_rows(lanes, U64(3), written, U64(11))
    assert written.tolist() == [0] * 11 + queens[5:21].tolist() + [0] * 13


@given(st.lists(st.sampled_from([5, 2**31 - 1, 0]), min_size=20, max_size=20), st.integers(0, 4))
def test_columns_on_a_row_are_found(rows, column):
    queens = np.array(rows, np.int32)
    for row in (5, 2**31 - 1):
        expected = sum(1 << place for place in range(16) if rows[column + place] == row)
        assert columns_on(queens, U64(column), U64(row)) == expected


class Strip:
    """The lanes of a group and a strip with random lines taken, and the queens that the instructions place."""

    def __init__(self, seed, density):
        random = np.random.default_rng(seed)
        taken = np.packbits(random.random((3, 8, 64)) < density, axis=-1, bitorder="little").view(np.uint64)[..., 0]
        self.lanes = np.zeros(48, np.uint64)
        self.lanes[:24] = taken.ravel()
        self.lanes[32:] = 10**6
        self.before = self.lanes.copy()

    def lines(self, lane, row, column):
        """Return where the bits of the three lines of a square are: lanes and bits."""
        return (lane, row), (8 + lane, row + column), (16 + lane, 16 + row - column)

    def is_open(self, lane, row, column):
        """Return whether no line of a square was taken before."""
        return not any(int(self.before[at]) >> bit & 1 for at, bit in self.lines(lane, row, column))

    def is_still_open(self, column):
        """Return whether a square of a column is open after the instruction."""
        squares = ((lane, row, column) for lane in range(8) for row in range(48))
        return not all(any(int(self.lanes[at]) >> bit & 1 for at, bit in self.lines(*square)) for square in squares)

    def check(self, empty, left, first_row):
        """Check that the columns no longer empty have queens on open squares, and that only their lines are marked."""
        placed = [column for column in range(16) if (empty ^ left) >> column & 1]
        assert left & ~empty == 0
        marks = [0] * 32
        for column in range(16):
            row = int(self.lanes[32 + column])
            if column not in placed:
                assert row == 10**6
                continue
            lane, place = divmod(row - first_row, 64)
            assert place < 48
            assert self.is_open(lane, place, column)
            for at, bit in self.lines(lane, place, column):
                assert not marks[at] >> bit & 1
                marks[at] |= 1 << bit
            marks[24 + lane] |= 1 << place
        assert (self.lanes ^ self.before).tolist()[:32] == marks
        return placed


@given(st.integers(0, 2**32), st.sampled_from([0, 0.3, 0.6, 0.9, 1]), words, words, st.booleans())
def test_eight_columns_get_free_rows_of_their_windows(seed, density, empty, random, is_second):
    empty &= 0xFFFF
    first, low = (8, 24) if is_second else (0, 0)
    strip = Strip(seed, density)
    left = int(place_columns(strip.lanes, U64(empty), U64(first), U64(low), U64(random), U64(1000)))
    placed = strip.check(empty, left, 1000)
    for column in range(16):
        lane = column - first
        rows = range(low, low + 24)
        can_be_placed = 0 <= lane < 8 and any(strip.is_open(lane, row, column) for row in rows)
        assert (column in placed) == (can_be_placed and bool(empty >> column & 1))
        if column in placed:
            lane_of_queen, row = divmod(int(strip.lanes[32 + column]) - 1000, 64)
            assert lane_of_queen == lane
            assert row in rows


@given(st.integers(0, 2**32), st.sampled_from([0, 0.3, 0.6, 0.9, 0.97, 1]), words, words)
def test_only_columns_without_an_open_square_stay_empty(seed, density, empty, random):
    empty &= 0xFFFF
    strip = Strip(seed, density)
    left = int(place_each(strip.lanes, U64(empty), U64(random), U64(64)))
    strip.check(empty, left, 64)
    assert not any(strip.is_still_open(column) for column in range(16) if left >> column & 1)
