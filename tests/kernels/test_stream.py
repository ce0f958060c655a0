"""Random words and operations on 64-bit words, compared with published vectors and Python's integers."""

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fastqueens._jit.decorators import kernel
from fastqueens.kernels import bits, stream

pytestmark = pytest.mark.checked

U64 = np.uint64
LARGEST = 2**64 - 1

words = st.integers(0, LARGEST)
row_of_words = st.lists(words, min_size=2, max_size=4)


@kernel
def trailing_zeros(number):
    return bits.trailing_zeros(number)


@kernel
def prefetch(array, index):
    bits.prefetch(array, index)


@kernel
def write_words(key, first, step, to):
    for i in range(len(to)):
        to[i] = stream.word(key, first + step * np.uint64(i))


def bits_of(array):
    """Return an array of words as one integer."""
    return sum(int(entry) << 64 * at for at, entry in enumerate(array))


def test_splitmix_returns_its_published_numbers():
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    states = [(1234567 + i * 0x9E3779B97F4A7C15) % 2**64 for i in range(5)]
    assert [stream.splitmix(U64(state)) for state in states] == published
    assert [naive.splitmix(state) for state in states] == published


@given(words, words)
@example(LARGEST, LARGEST)
@example(0, 0)
def test_words_equal_the_reference(key, index):
    assert stream.word(U64(key), U64(index)) == naive.word(key, index)


@given(words, st.integers(1, LARGEST))
@example(LARGEST, LARGEST)
@example(LARGEST, 1)
@example(LARGEST, 2**32 - 1)
@example(0, 1)
def test_a_bounded_draw_never_reaches_its_bound(random_word, bound):
    drawn = stream.below(U64(random_word), U64(bound))
    assert drawn == naive.below(random_word, bound)
    assert 0 <= drawn < bound


@given(words, st.integers(0, 2**62 - 1), st.integers(0, 2))
def test_keys_equal_the_reference(seed, attempt, purpose):
    key = stream.stream_key(U64(seed), U64(attempt), U64(purpose))
    assert key == naive.stream_key(seed, attempt, purpose)


@pytest.mark.gate
@pytest.mark.parametrize(("seed", "step"), [(0, 1), (1, 8), (2**63 - 1, 64)])
def test_words_by_counter_pass_chi_square_tests(seed, step):
    """Single bytes, the same byte of successive words, and of the same word of the next attempt's stream."""
    keys = [stream.stream_key(U64(seed), U64(attempt), stream.PLACEMENT) for attempt in (0, 1)]
    drawn = np.empty((2, 2**20), np.uint64)
    for key, row in zip(keys, drawn, strict=True):
        write_words(U64(key), U64(2**40), U64(step), row)
    one, other = drawn.view(np.uint8).reshape(2, -1, 8).astype(np.int64)
    deviations = []
    for byte in range(8):
        for numbers, cells in (
            (one[:, byte], 2**8),
            (one[:-1, byte] << 8 | one[1:, byte], 2**16),
            (one[:, byte] << 8 | other[:, byte], 2**16),
        ):
            even = len(numbers) / cells
            chi_square = ((np.bincount(numbers, minlength=cells) - even) ** 2).sum() / even
            deviations.append((chi_square - (cells - 1)) / (2 * (cells - 1)) ** 0.5)
    assert np.abs(deviations).max() < 4.5
    assert abs(np.mean(deviations)) < 0.75


@given(words)
@example(0)
@example(1 << 63)
def test_trailing_zeros(number):
    expected = 64 if number == 0 else (number & -number).bit_length() - 1
    assert trailing_zeros(U64(number)) == expected


@given(row_of_words, st.data())
def test_64_bits_can_be_loaded_from_any_bit(row, data):
    array = np.array(row, np.uint64)
    first = data.draw(st.integers(0, 64 * (len(row) - 1) - 1))
    assert bits.load_64(array, U64(first)) == bits_of(row) >> first & LARGEST


@given(row_of_words, st.data())
def test_setting_and_clearing_change_one_bit(row, data):
    array = np.array(row, np.uint64)
    bit = data.draw(st.integers(0, 64 * len(row) - 1))
    assert bits.is_set(array, U64(bit)) == bool(bits_of(row) >> bit & 1)
    bits.set_bit(array, U64(bit))
    assert bits_of(array) == bits_of(row) | 1 << bit
    assert bits.is_set(array, U64(bit))
    bits.clear_bit(array, U64(bit))
    assert bits_of(array) == bits_of(row) & ~(1 << bit)
    assert not bits.is_set(array, U64(bit))


@given(st.integers(1, LARGEST), st.integers(0, 63))
@example(1, 1)
@example(1 << 63, 63)
def test_the_first_bit_is_found_upwards_and_around_the_end(number, begin):
    upwards = [(begin + step) % 64 for step in range(64)]
    assert bits.rotated_first_bit(U64(number), U64(begin)) == next(bit for bit in upwards if number >> bit & 1)


def test_a_prefetch_outside_an_array_is_harmless():
    array = np.arange(4, dtype=np.uint64)
    for index in (0, 3, 4, 10**6, LARGEST):
        prefetch(array, U64(index))
    assert array.tolist() == [0, 1, 2, 3]
