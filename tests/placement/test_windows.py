"""First boards: they equal the slow reference, and their distributions are as documented."""

import itertools
from collections import Counter

import naive
import numpy as np
import pytest
from chances import chance_of
from hypothesis import example, given
from hypothesis import strategies as st
from local_search import assert_lines_are_marked

import fastqueens
from fastqueens.instance import make_instance
from fastqueens.kernels import windows as windows_kernel
from fastqueens.placement.arrays import empty_bitsets

pytestmark = pytest.mark.checked

U64 = np.uint64
AROUND_A_WORD = [1, 2, 3, 62, 63, 64, 65, 127, 128, 129]

sizes = st.one_of(st.integers(1, 200), st.sampled_from(AROUND_A_WORD))
seeds = st.integers(0, 2**64 - 1)
attempts = st.integers(0, 2**62 - 1)


def assert_bitsets_are_a_recount(bitsets, queens):
    words = -(-len(queens) // 64)
    assert [len(bitset) for bitset in bitsets[:-1]] == [words, 2 * words, 2 * words + 1, 0]
    assert_lines_are_marked(bitsets, queens)


def place_windowed(n, seed, attempt=0, cuts=(), dtype=np.int32):
    """Place all queens, in slices cut at these columns; return (queens, bitsets, columns set aside)."""
    queens, bitsets = np.full(n, -1).astype(dtype), empty_bitsets(make_instance(n))
    columns, count = np.empty(n, np.uint32), 0
    for first, last in itertools.pairwise([0, *sorted(cuts), n]):
        count = windows_kernel.place_windowed(queens, bitsets, columns, count, U64(seed), U64(attempt), first, last)
    return queens, bitsets, columns[:count]


def fill_unused_rows(queens, bitsets, columns, seed, attempt=0, cuts=()):
    """Make the second part of a windowed placement; return (columns left over, rows left unused)."""
    set_aside = len(columns)
    columns, unused = columns.copy(), np.empty(set_aside, np.uint32)
    counts = np.array([0, 0, windows_kernel.list_unused_rows(bitsets, unused, 0, len(bitsets.rows))])
    for last in [*sorted(cuts), set_aside]:
        windows_kernel.place_in_unused_rows(queens, bitsets, columns, unused, counts, U64(seed), U64(attempt), last)
    assert counts[0] == set_aside
    return columns[: counts[1]].tolist(), unused[: counts[2]].tolist()


@given(sizes, seeds, attempts, st.lists(st.integers(0, 200), max_size=5))
@example(63, 0, 0, [])
@example(64, 0, 0, [63])
@example(65, 0, 0, [64])
@example(127, 2**64 - 1, 0, [])
@example(128, 0, 1, [])
@example(129, 0, 2**62 - 1, [])
@example(500, 7, 0, [])
def test_windowed_boards_equal_the_reference_in_any_slices(n, seed, attempt, cuts):
    queens, bitsets, set_aside = place_windowed(n, seed, attempt, [min(cut, n) for cut in cuts])
    expected = naive.windowed(n, seed, attempt)
    assert queens.tolist() == expected
    assert naive.attacking_pairs(queens) == []
    assert set_aside.tolist() == [column for column in range(n) if expected[column] == n]
    assert_bitsets_are_a_recount(bitsets, queens)


@given(sizes, seeds, st.data())
def test_columns_set_aside_get_an_unused_row_if_one_fits(n, seed, data):
    """This holds for several slices and for a single call."""
    queens, bitsets, set_aside = place_windowed(n, seed)
    whole, bitsets_of_whole, _ = place_windowed(n, seed)
    before = queens.copy()
    cuts = data.draw(st.lists(st.integers(0, len(set_aside)), max_size=3))
    left_over, unused = fill_unused_rows(queens, bitsets, set_aside, seed, cuts=cuts)
    assert naive.attacking_pairs(queens) == []
    assert_bitsets_are_a_recount(bitsets, queens)
    assert sorted(unused) == sorted(naive.unused_rows(queens))
    assert left_over == [column for column in range(n) if queens[column] == n]
    assert np.array_equal(queens[before < n], before[before < n])
    assert all(naive.cost(queens, column, row) > 0 for column in left_over for row in unused)
    assert fill_unused_rows(whole, bitsets_of_whole, set_aside, seed) == (left_over, unused)
    assert whole.tolist() == queens.tolist()


@given(sizes, seeds, attempts)
def test_random_rows_and_permutations_equal_the_reference(n, seed, attempt):
    rows, permutation = np.full((2, n), -1, np.int32)
    for first, last in ((0, n // 3), (n // 3, n)):
        windows_kernel.place_random(rows, U64(seed), U64(attempt), first, last)
        windows_kernel.place_permutation(permutation, U64(seed), U64(attempt), first, last)
    key = naive.stream_key(seed, attempt, 0)
    assert rows.tolist() == [naive.below(naive.word(key, column), n) for column in range(n)]
    assert permutation.tolist() == naive.permutation(n, seed, attempt)
    assert sorted(permutation.tolist()) == list(range(n))


@pytest.mark.gate
def test_the_uniform_start_has_its_exact_distribution():
    n, runs = 5, 10_000
    boards, exact = Counter(), naive.uniform_start_boards(n)
    for seed in range(runs):
        result = fastqueens.solve(n, seed=seed, start="uniform", max_steps=0, restarts=0)
        boards[tuple(result.queens.tolist())] += 1
    assert sum(exact.values()) == 1
    assert set(boards) <= set(exact)
    assert min(exact.values()) * runs > 5
    expected = [float(probability * runs) for probability in exact.values()]
    assert chance_of([boards[board] for board in exact], expected) > 0.001
