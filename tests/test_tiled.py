"""The placement in tiles: the same board on any number of threads, no shared word, no lost bit, nothing left out."""

import itertools
import subprocess
import sys

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens import engines, tiled
from fastqueens.kernels import tiles
from fastqueens.tiled import Cut, Tiled
from fastqueens.watch import Watch
from fastqueens.workers import Workers

B = 128


def words_of(bits):
    """The words that an inclusive range of bits lies in."""
    first, last = bits
    return set(range(first // 64, last // 64 + 1))


def tile_words(n, size, block, band):
    """The words of rows, sum diagonals and difference diagonals that a tile can touch."""
    columns = block * size, min(n, (block + 1) * size) - 1
    rows = band * size, min(n, (band + 1) * size) - 1
    offset = -(-n // 64) * 64
    return (
        words_of(rows),
        words_of((columns[0] + rows[0], columns[1] + rows[1])),
        words_of((rows[0] - columns[1] + offset, rows[1] - columns[0] + offset)),
    )


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 12), st.integers(0, 600), st.data())
def test_the_tiles_of_a_phase_share_no_word(words, group, more_blocks, cut_off, data):
    size = 64 * words
    blocks = 4 * group - 2 + more_blocks
    n = blocks * size - cut_off % size
    first_block = data.draw(st.integers(0, blocks - group))
    phase = data.draw(st.integers(0, blocks - 1))
    touched = [set(), set(), set()]
    for tile in range(group):
        band = (3 * tile + phase) % blocks
        for already, new in zip(touched, tile_words(n, size, first_block + tile, band), strict=True):
            assert not already & new
            already |= new


def placed(n, cut, threads=1, seed=1, watch=None, dtype=np.int32):
    queens = np.full(n, -1).astype(dtype)
    bitsets = engines.empty_bitsets(n)
    with Workers(threads) as workers:
        rest = Tiled(queens, bitsets, np.uint64(seed), np.uint64(0), cut).place(workers, watch or Watch())
    return queens, bitsets, rest


def check_bitsets(queens, bitsets):
    """Every bit of the three bitsets is what a recount of the placed queens gives."""
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


# K = 4 G - 2 for G = 3 and the sizes around it, and every residue modulo 64.
EDGES = [10 * B + more for more in (-1, 0, 1)] + [9 * B + 1, 12 * B - 1, 12 * B + 77]


@pytest.mark.parametrize("n", EDGES + [10 * B - residue for residue in range(2, 64)])
def test_the_board_is_the_same_on_any_number_of_threads(n):
    reference = placed(n, Cut(B, 3))
    check_placement(*reference)
    for threads in (2, 3, 8):
        queens, bitsets, rest = placed(n, Cut(B, 3), threads)
        np.testing.assert_array_equal(queens, reference[0])
        for one, other in zip((*bitsets, *rest), (*reference[1], *reference[2]), strict=True):
            np.testing.assert_array_equal(one, other)


@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 5), st.integers(0, 255), st.integers(0, 2**64 - 1))
def test_every_cut_gives_a_placement_without_conflict(words, group, more_blocks, cut_off, seed):
    size = 64 * words
    n = (4 * group - 2 + more_blocks) * size - cut_off % size
    check_placement(*placed(n, Cut(size, group), seed=seed))


def test_rows_beyond_int32_have_a_dtype_of_their_own():
    queens, _, _ = placed(10 * B, Cut(B, 3))
    unsigned, _, _ = placed(10 * B, Cut(B, 3), dtype=np.uint32)
    np.testing.assert_array_equal(unsigned, queens)


def test_every_bit_is_right_after_each_phase():
    n = 10 * B - 5
    queens = np.full(n, n, np.int32)
    bitsets = engines.empty_bitsets(n)
    placement = Tiled(queens, bitsets, np.uint64(3), np.uint64(0), Cut(B, 3))
    phases = 4 * 10

    class Recount(Watch):
        looks = 0

        def look(self, stage, done, total):
            board = queens.copy()
            if Recount.looks < phases:
                scratch = np.empty((2, tiles.SCRATCH), np.uint32)
                empty = np.empty(n, np.uint32)
                tiles.put_in_order(board, placement._tiling, scratch, empty, np.uint64(3), np.uint64(0), 0, n)
                assert sorted(empty[: np.count_nonzero(board == n)]) == np.flatnonzero(board == n).tolist()
            check_bitsets(board, bitsets)
            assert done == np.count_nonzero(board != n)
            Recount.looks += 1

    with Workers(2) as workers:
        placement.place(workers, Recount())
    assert Recount.looks == 2 * phases


@given(st.integers(0, 2**64 - 1), st.integers(6, 12), st.integers(2, 40), st.integers(0, 4095))
def test_dealing_gives_every_column_to_one_band(random, bits, bands, cut_off):
    """The shares of all bands together are the columns, each once; a share is that of its rows, to within one."""
    size = 1 << bits
    n = bands * size - cut_off % size
    ends = [min(n, band * size) for band in range(bands + 1)]
    for dealt in (0, (bands - 1) * size):
        columns, kept_at = [], []
        for first_row, end_row in itertools.pairwise(ends):
            scratch = np.zeros((2, tiles.SCRATCH), np.uint32)
            count = int(tiles._deal(scratch, *map(np.uint64, (0, dealt, bits, random, first_row, end_row, n))))
            if dealt == 0:
                assert abs(count - size * (end_row - first_row) / n) <= 1
            columns += scratch[0, :count].tolist()
            kept_at += scratch[1, :count].tolist()
        assert sorted(columns) == sorted(kept_at) == list(range(dealt, min(n, dealt + size)))


def test_dealing_is_not_in_order():
    """Neighbouring columns go to bands that have nothing to do with each other."""
    n = 64 * B
    queens, _, _ = placed(n, Cut(B, 8))
    filled = queens[queens < n] // B
    together = np.mean(filled[1:] == filled[:-1])
    assert 0.2 / 64 < together < 3 / 64


@pytest.fixture
def small_tiles(monkeypatch):
    """Boards from 1000 queens on are cut into tiles of 128 x 128."""
    monkeypatch.setattr(tiled, "TILED_FROM", 1000)
    monkeypatch.setattr(tiled, "cut_of", lambda n: Cut(B, (-(-n // B) + 2) // 4))
    monkeypatch.setattr("fastqueens.workers._THREADS_FROM", 1)


@pytest.mark.parametrize("n", [1000, 1024, 1025, 1279, 5000])
def test_solving_in_tiles_gives_the_same_result_on_any_number_of_threads(small_tiles, n):
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


def test_out_takes_the_best_board_of_several_attempts():
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
        (np.empty(16, np.int32)[::2], "without gaps"),
    ],
)
def test_what_cannot_take_the_board_is_named(out, message):
    with pytest.raises(fastqueens.InputError, match=message):
        fastqueens.solve(8, out=out)


@pytest.mark.parametrize(("threads", "message"), [(0, "threads is 0"), (1.5, "threads is 1.5"), (5000, "goes from 1")])
def test_a_bad_number_of_threads_is_named(threads, message):
    with pytest.raises(fastqueens.InputError, match=message):
        fastqueens.solve(8, threads=threads)


def test_a_stop_in_the_tiles_is_heard(small_tiles):
    with pytest.raises(fastqueens.Stopped, match="stopped during placement"):
        fastqueens.solve(5000, threads=2, stop=lambda: True)


@pytest.mark.parametrize("n", [tiled.TILED_FROM, 10**7, 2**26 - 1, 2**26, 10**8, 10**9, 4 * 10**9, 2**32 - 1])
def test_the_cut_of_every_size_keeps_tiles_apart(n):
    cut = tiled.cut_of(n)
    blocks = -(-n // cut.block)
    assert cut.group >= 1
    assert blocks >= 4 * cut.group - 2
    assert cut.block % 64 == 0


def test_groups_that_would_meet_are_refused():
    with pytest.raises(ValueError, match="9 blocks are too few for groups of 3"):
        Tiled(np.empty(9 * B, np.int32), engines.empty_bitsets(9 * B), np.uint64(0), np.uint64(0), Cut(B, 3))


def test_a_real_board_in_tiles_is_the_same_in_another_process_on_other_threads():
    program = (
        "import fastqueens, hashlib, sys;"
        f"r = fastqueens.solve({tiled.TILED_FROM + 1}, seed=9, threads=int(sys.argv[1]));"
        "print(r.solved, hashlib.sha256(r.queens.tobytes()).hexdigest())"
    )
    outputs = {
        subprocess.run([sys.executable, "-c", program, threads], capture_output=True, text=True, check=True).stdout
        for threads in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith("True")
