"""The placement in tiles: the same board on any number of threads, no shared words, and every queen is counted."""

import itertools
import subprocess
import sys

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lowered import lower

import fastqueens
from fastqueens.core import thresholds
from fastqueens.core.callbacks import Callbacks
from fastqueens.core.fixed_queens import fixed_queens
from fastqueens.core.instance import make_instance
from fastqueens.core.threads import Workers
from fastqueens.kernels import tiled_placement as tiles
from fastqueens.solving import tiled_placement as tiled
from fastqueens.solving.attempt import empty_bitsets
from fastqueens.solving.tiled_placement import Cut, TilePlacement

U64 = np.uint64

B = 128
TILES_FROM = thresholds.current.tiles


def words_of(bits):
    """Return the words of an inclusive range of bits."""
    first, last = bits
    return set(range(first // 64, last // 64 + 1))


def tile_words(n, cut, block, band):
    """Return the words of rows, sum diagonals and difference diagonals that a tile can change."""
    columns = block * cut.block, min(n, (block + 1) * cut.block) - 1
    rows = band * cut.band, min(n, (band + 1) * cut.band) - 1
    offset = -(-n // 64) * 64
    return (
        words_of(rows),
        words_of((columns[0] + rows[0], columns[1] + rows[1])),
        words_of((rows[0] - columns[1] + offset, rows[1] - columns[0] + offset)),
    )


@st.composite
def cut_boards(draw):
    """A cut into few tiles, and a size of board for it."""
    band, wide = 64 * draw(st.integers(1, 5)), draw(st.integers(1, 4))
    cut = Cut(wide * band, band)
    return cut, draw(st.integers(1, 6 * cut.block))


@given(cut_boards())
def test_of_two_tiles_that_share_a_word_one_waits_for_the_other(cut_board):
    cut, n = cut_board
    order = tiled.order_of_tiles(*cut.shape(n))
    earlier = tiled.earlier_tiles(order, cut.block // cut.band)
    waits_for = []
    for direct in earlier:
        waits_for.append(direct.union(*(waits_for[number] for number in direct)))
    words = [tile_words(n, cut, *tile) for tile in order]
    for later, first in itertools.combinations(reversed(range(len(order))), 2):
        if any(one & other for one, other in zip(words[later], words[first], strict=True)):
            assert first in waits_for[later]


@given(st.integers(1, 12), st.integers(1, 40))
def test_the_order_has_each_tile_once(blocks, bands):
    order = tiled.order_of_tiles(blocks, bands)
    assert sorted(order) == list(itertools.product(range(blocks), range(bands)))


def work_at_once(order, earlier, threads):
    """Return how many threads work on average, if all tiles take the same time."""
    done, rounds = set(), 0
    left = list(range(len(order)))
    while left:
        begun = [number for number in left if earlier[number] <= done][:threads]
        done.update(begun)
        left = [number for number in left if number not in done]
        rounds += 1
    return len(order) / rounds


@pytest.mark.parametrize(("n", "threads"), [(TILES_FROM, 2), (10**8, 4), (10**9, 8), (2**32 - 1, 16)])
def test_threads_are_busy_three_quarters_of_the_time(n, threads):
    cut = tiled.cut_of(n)
    order = tiled.order_of_tiles(*cut.shape(n))
    earlier = tiled.earlier_tiles(order, cut.block // cut.band)
    assert work_at_once(order, earlier, threads) > 0.75 * threads


def placed(n, cut, threads=1, seed=1, callbacks=None, dtype=np.int32):
    queens = np.full(n, -1).astype(dtype)
    bitsets = empty_bitsets(make_instance(n))
    with Workers(threads) as workers:
        placement = TilePlacement(queens, bitsets, np.uint64(seed), np.uint64(0), cut)
        rest = placement.place(workers, callbacks or Callbacks())
    return queens, bitsets, rest


def check_bitsets(queens, bitsets):
    """Compare every bit of the three bitsets with a recount of the placed queens."""
    n = len(queens)
    offset = -(-n // 64) * 64
    board = [(column, int(row)) for column, row in enumerate(queens) if row != n]
    for words, lines in (
        (bitsets.rows, [row for _, row in board] + list(range(n, offset))),
        (bitsets.sums, [column + row for column, row in board]),
        (bitsets.differences, [row - column + offset for column, row in board]),
    ):
        expected = np.zeros(64 * len(words), bool)
        expected[lines] = True
        assert len(set(lines)) == len(lines)
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little").astype(bool)
        np.testing.assert_array_equal(bits, expected)


def check_placement(queens, bitsets, rest):
    n = len(queens)
    check_bitsets(queens, bitsets)
    assert sorted(rest.columns) == np.flatnonzero(queens == n).tolist()
    assert sorted(rest.unused) == sorted(set(range(n)) - set(queens.tolist()))
    assert ((queens >= 0) & (queens <= n)).all()


CUT = Cut(2 * B, B)

# Whole blocks and whole bands, one queen more and one less, and every residue modulo 64.
EDGES = [10 * B + more for more in (-1, 0, 1)] + [9 * B + more for more in (-1, 0, 1)] + [B, B + 1, 12 * B + 77]


@pytest.mark.parametrize("n", EDGES + [10 * B - residue for residue in range(2, 64)])
def test_the_board_is_the_same_on_any_number_of_threads(n):
    reference = placed(n, CUT)
    check_placement(*reference)
    for threads in (2, 3, 8):
        queens, bitsets, rest = placed(n, CUT, threads)
        np.testing.assert_array_equal(queens, reference[0])
        for one, other in zip((*bitsets[:-1], *rest), (*reference[1][:-1], *reference[2]), strict=True):
            np.testing.assert_array_equal(one, other)


@given(cut_boards(), st.integers(0, 2**64 - 1))
def test_every_cut_places_queens_without_conflict(cut_board, seed):
    cut, n = cut_board
    check_placement(*placed(n, cut, seed=seed))


def test_unsigned_rows_change_no_board():
    queens, _, _ = placed(10 * B, CUT)
    unsigned, _, _ = placed(10 * B, CUT, dtype=np.uint32)
    np.testing.assert_array_equal(unsigned, queens)


def test_every_bit_is_right_after_each_tile():
    n = 10 * B - 5
    queens = np.full(n, n, np.int32)
    bitsets = empty_bitsets(make_instance(n))
    placement = TilePlacement(queens, bitsets, np.uint64(3), np.uint64(0), CUT)
    tiles_in_all = 5 * 10

    class Recount(Callbacks):
        polls = 0

        def poll(self, stage, done, total):
            board = queens.copy()
            if Recount.polls < tiles_in_all:
                scratch = np.empty((2, tiles.SCRATCH), np.uint32)
                empty = np.empty(n, np.uint32)
                seed, attempt = np.uint64(3), np.uint64(0)
                tiles.put_in_order(board, bitsets.fixed, placement._tiling, scratch, empty, seed, attempt, 0, n)
                assert sorted(empty[: np.count_nonzero(board == n)]) == np.flatnonzero(board == n).tolist()
            check_bitsets(board, bitsets)
            assert done == np.count_nonzero(board != n)
            Recount.polls += 1

    with Workers(1) as workers:
        placement.place(workers, Recount())
    assert Recount.polls == 2 * tiles_in_all


@given(st.integers(0, 2**64 - 1), st.integers(6, 12), st.integers(2, 40), st.integers(0, 4095))
def test_each_column_is_dealt_to_one_band(random, bits, bands, cut_off):
    """Each band's share of the columns is proportional to its rows, to within one column."""
    size = 1 << bits
    n = bands * size - cut_off % size
    ends = [min(n, band * size) for band in range(bands + 1)]
    for dealt in (0, (bands - 1) * size):
        columns, kept_at = [], []
        for first_row, end_row in itertools.pairwise(ends):
            scratch, none = np.zeros((2, tiles.SCRATCH), np.uint32), np.empty(0, np.uint64)
            count = int(tiles._deal(scratch, U64(0), none, *map(U64, (dealt, bits, random, first_row, end_row, n))))
            if dealt == 0:
                assert abs(count - size * (end_row - first_row) / n) <= 1
            columns += scratch[0, :count].tolist()
            kept_at += scratch[1, :count].tolist()
        assert sorted(columns) == sorted(kept_at) == list(range(dealt, min(n, dealt + size)))


def test_dealing_is_random():
    """The bands of neighbouring columns are independent."""
    n = 64 * B
    queens, _, _ = placed(n, Cut(4 * B, B))
    filled = queens[queens < n] // B
    together = np.mean(filled[1:] == filled[:-1])
    assert 0.2 / 64 < together < 3 / 64


@pytest.fixture
def small_tiles(monkeypatch):
    """Cut boards of at least 1000 queens into blocks of 256 columns and bands of 128 rows."""
    lower(monkeypatch, tiles=1000, threads=1)
    monkeypatch.setattr(tiled, "cut_of", lambda n: CUT)


@pytest.mark.parametrize("n", [1000, 1024, 1025, 1279, 5000])
def test_the_result_in_tiles_is_the_same_on_any_number_of_threads(small_tiles, n):
    results = [fastqueens.solve(n, seed=5, threads=threads) for threads in (1, 2, 3, 8)]
    for result in results:
        assert result.solved
        assert not naive.attacking_pairs(result.queens.tolist()) if n < 1100 else True
        np.testing.assert_array_equal(result.queens, results[0].queens)
        np.testing.assert_array_equal(result.trace, results[0].trace)


def test_solving_into_an_array_of_the_caller(small_tiles, tmp_path):
    plain = fastqueens.solve(5000, seed=2)
    mapped = np.lib.format.open_memmap(tmp_path / "q.npy", "w+", np.int32, (5000,))
    result = fastqueens.solve(5000, seed=2, out=mapped)
    assert result.queens is mapped
    mapped.flush()
    np.testing.assert_array_equal(np.load(tmp_path / "q.npy"), plain.queens)


def test_out_gets_the_best_board_of_several_attempts():
    out = np.empty(6, np.int32)
    for seed in range(40):
        result = fastqueens.solve(6, seed=seed, out=out)
        assert result.queens is out
        assert result.solved
        np.testing.assert_array_equal(out, fastqueens.solve(6, seed=seed).queens)


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ([0] * 8, "out is .*: a one-dimensional array of 8 int32 is needed"),
        (np.empty(7, np.int32), r"out is an array of int32, shape \(7,\): a one-dimensional array of 8 int32"),
        (np.empty(8, np.int64), "out is an array of int64"),
        (np.empty(16, np.int32)[::2], "contiguous"),
    ],
)
def test_an_unsuitable_out_is_refused(out, message):
    with pytest.raises(fastqueens.InputError, match=message):
        fastqueens.solve(8, out=out)


@pytest.mark.parametrize(("threads", "message"), [(0, "threads is 0"), (1.5, "threads is 1.5"), (5000, "goes from 1")])
def test_a_bad_number_of_threads_is_refused(threads, message):
    with pytest.raises(fastqueens.InputError, match=message):
        fastqueens.solve(8, threads=threads)


def test_solve_stops_between_tiles(small_tiles):
    with pytest.raises(fastqueens.Stopped, match="stopped during placement"):
        fastqueens.solve(5000, threads=2, stop=lambda: True)


@pytest.mark.parametrize("n", [TILES_FROM, 10**7, 2**26 - 1, 2**26, 10**8, 10**9, 4 * 10**9, 2**32 - 1])
def test_bands_and_blocks_of_large_boards_are_multiples_of_a_dealing(n):
    cut = tiled.cut_of(n)
    assert cut.band % 4096 == 0
    assert cut.block % cut.band == 0


@pytest.mark.parametrize("cut", [Cut(128, 96), Cut(192, 128)])
def test_a_cut_through_words_is_refused(cut):
    with pytest.raises(ValueError, match="a band must be a multiple of 64"):
        TilePlacement(np.empty(1000, np.int32), empty_bitsets(make_instance(1000)), np.uint64(0), np.uint64(0), cut)


def test_a_large_board_is_the_same_in_processes_with_different_threads():
    program = (
        "import fastqueens, hashlib, sys;"
        f"r = fastqueens.solve({TILES_FROM + 1}, seed=9, threads=int(sys.argv[1]));"
        "print(r.solved, hashlib.sha256(r.queens.tobytes()).hexdigest())"
    )
    outputs = {
        subprocess.run([sys.executable, "-c", program, threads], capture_output=True, text=True, check=True).stdout
        for threads in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith("True")


def test_columns_of_fixed_queens_are_not_listed_as_empty():
    """Their rows do not matter: here all columns look empty."""
    n = 10 * B - 5
    fixed = fixed_queens([(column, 2 * column % n) for column in (0, 7, 64, 500, n - 1)], n)
    queens = np.full(n, n, np.int32)
    placement = TilePlacement(queens, empty_bitsets(make_instance(n, fixed)), U64(3), U64(0), CUT, fixed)
    scratch, empty = np.empty((2, tiles.SCRATCH), np.uint32), np.zeros(n, np.uint32)
    tiles.put_in_order(queens, fixed.marks, placement._tiling, scratch, empty, U64(3), U64(0), 0, n)
    others = sorted(set(range(n)) - set(fixed.columns.tolist()))
    assert sorted(empty[: len(others)].tolist()) == others
    assert not empty[len(others) :].any()
