"""The placement in tiles: the same board on any number of threads, no shared words, and every queen is counted."""

import itertools
import secrets
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from local_search import assert_lines_are_marked
from lowered import lowered, solve

import fastqueens
from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens._run.thresholds import USUAL
from fastqueens.instance import make_instance
from fastqueens.kernels import tiles
from fastqueens.placement import tiles as tiled
from fastqueens.placement.arrays import new_attempt, words_for_strips
from fastqueens.placement.tiles import Cut, TilePlacement

pytestmark = pytest.mark.checked

U64 = np.uint64

B = 512
TILES_FROM = 2**22


def words_of(bits):
    """Return the words of an inclusive range of bits."""
    first, last = bits
    return set(range(first // 64, last // 64 + 1))


def tile_words(n, cut, block, band):
    """Return the words of rows, sum diagonals and difference diagonals that a tile can change."""
    columns = block * cut.block, min(n, (block + 1) * cut.block) - 1
    rows = band * cut.band, min(n, (band + 1) * cut.band) - 1
    offset = 64 * words_for_strips(n)
    return (
        words_of(rows),
        words_of((columns[0] + rows[0], columns[1] + rows[1])),
        words_of((rows[0] - columns[1] + offset, rows[1] - columns[0] + offset)),
    )


@st.composite
def cut_boards(draw):
    """A cut into few tiles, and a size of board for it."""
    band, wide = 512 * draw(st.integers(1, 3)), draw(st.integers(1, 4))
    cut = Cut(wide * band, band)
    return cut, draw(st.integers(1, 5 * cut.block))


@given(cut_boards())
def test_of_two_tiles_that_share_a_word_one_waits_for_the_other(cut_board):
    cut, n = cut_board
    order = tiled.order_of_tiles(*cut.shape(n))
    assert sorted(order) == list(itertools.product(*map(range, cut.shape(n))))
    earlier = tiled.earlier_tiles(order, cut.block // cut.band)
    waits_for = []
    for direct in earlier:
        waits_for.append(direct.union(*(waits_for[number] for number in direct)))
    words = [tile_words(n, cut, *tile) for tile in order]
    for later, first in itertools.combinations(reversed(range(len(order))), 2):
        if any(one & other for one, other in zip(words[later], words[first], strict=True)):
            assert first in waits_for[later]


def begun(n, cut, seed=1, dtype=np.int32, **constraints):
    """Return a board without content, its bitsets and its placement."""
    instance, queens = make_instance(n, **constraints), np.full(n, -1).astype(dtype)
    given = {"seed": seed, "number": 0, "stagnation_limit": 1, "is_windowed": True, "out": queens}
    attempt = new_attempt(instance, **given, thresholds=USUAL._replace(groups=1))
    return queens, attempt.bitsets, TilePlacement(attempt, cut)


def placed(n, cut, threads=1, **options):
    queens, bitsets, placement = begun(n, cut, **options)
    with Workers(threads) as workers:
        return queens, bitsets, placement.place(workers, Callbacks())


def check_bitsets(queens, bitsets):
    """Compare the bitsets with the placed queens, of which no two share a line."""
    assert_lines_are_marked(bitsets, queens)
    columns = np.flatnonzero(queens != len(queens))
    rows = queens[columns].astype(np.int64)
    assert all(len(np.unique(lines)) == len(columns) for lines in (rows, columns + rows, rows - columns))


def check_placement(queens, bitsets, rest):
    n = len(queens)
    check_bitsets(queens, bitsets)
    assert sorted(rest.columns) == np.flatnonzero(queens == n).tolist()
    assert sorted(rest.unused) == sorted(set(range(n)) - set(queens.tolist()))
    assert ((queens >= 0) & (queens <= n)).all()


CUT = Cut(2 * B, B)

# Whole blocks and whole bands, one queen more and one less, and every residue modulo 64.
EDGES = [10 * B + more for more in (-1, 0, 1)] + [9 * B + more for more in (-1, 0, 1)] + [B, B + 1, 12 * B + 77]


def assert_threads_change_nothing(n, cut, seed=1):
    reference = placed(n, cut, seed=seed)
    check_placement(*reference)
    for threads, dtype in ((2, np.int32), (3, np.uint32), (8, np.int32)):
        queens, bitsets, rest = placed(n, cut, threads, seed=seed, dtype=dtype)
        np.testing.assert_array_equal(queens, reference[0], f"n = {n}, {threads} threads")
        for one, other in zip((*bitsets[:-1], *rest), (*reference[1][:-1], *reference[2]), strict=True):
            np.testing.assert_array_equal(one, other)


def test_the_board_is_the_same_on_any_number_of_threads():
    for n in EDGES + [10 * B - residue for residue in (2, 15, 16, 17, 31, 33, 48, 63)]:
        assert_threads_change_nothing(n, CUT)


@given(cut_boards(), st.integers(0, 2**64 - 1))
def test_the_same_holds_for_every_cut(cut_board, seed):
    cut, n = cut_board
    assert_threads_change_nothing(n, cut, seed)


def test_every_bit_is_right_after_each_tile():
    n = 6 * B - 5
    queens, bitsets, placement = begun(n, CUT, seed=3)
    queens[:] = n
    polls = []

    class Recount(Callbacks):
        def poll(self, stage, done, total):
            check_bitsets(queens, bitsets)
            assert done == np.count_nonzero(queens != n)
            polls.append(done)

    with Workers(1) as workers:
        placement.place(workers, Recount())
    assert len(polls) == (len(tiled._ROUNDS) - 1 + len(tiled._TRIES)) * 3 * 6
    assert polls == sorted(polls)


def test_neighbouring_groups_are_spread_over_the_rows():
    """Each part of the rows gets the same number of groups of any 1024 columns."""
    n = 200 * 1024
    queens, _, _ = placed(n, Cut(n, n), seed=2)
    rows = queens.reshape(-1, 1024)
    for part in range(8):
        counts = np.count_nonzero(rows * 8 // n == part, axis=1)
        # Independent groups would give 42, independent queens 11.
        assert counts.std() < 20


def test_an_unsuitable_out_is_refused():
    for out, named in (
        ([0] * 8, ["8 int32"]),
        (np.empty(7, np.int32), ["(7,)", "8 int32"]),
        (np.empty(8, np.int64), ["int64", "int32"]),
        (np.empty(16, np.int32)[::2], ["contiguous"]),
    ):
        with check_error(fastqueens.InputError, "out", *named):
            fastqueens.solve(8, out=out)


def test_solve_stops_between_tiles():
    thresholds = USUAL._replace(groups=1000, cuts=((1 << 32, 8, 4),), dealt=64)
    assert min(tiled.cut_of(20_000, thresholds).shape(20_000)) > 1
    with lowered(threads=1), check_error(fastqueens.Stopped, "placement"):
        solve(20_000, thresholds=thresholds, threads=2, stop=lambda: True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mprotect is called as on Linux")
def test_nothing_beyond_the_arrays_is_touched():
    """The vector instructions check no bounds: here, the arrays end at pages without access."""
    seed = secrets.randbelow(2**32)
    program = [sys.executable, str(Path(__file__).with_name("walled.py")), str(seed)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "nothing beyond the arrays was touched\n"), (seed, done.stderr)


def test_a_bitset_that_is_too_short_for_the_strips_is_refused():
    """Bitsets of boards that are placed in windows are too short: strips would reach beyond them."""
    attempt = new_attempt(make_instance(1000), seed=0, number=0, stagnation_limit=1, is_windowed=True)
    with check_error(ValueError, "n = 1000"):
        TilePlacement(attempt, CUT)


def test_groups_avoid_blocked_squares():
    """With ten blocked squares in each column, every row of a strip can be blocked: single columns look up squares."""
    n = 6 * B + 19
    for every, each in ((1, 10), (1, 1), (5, 1), (200, 1)):
        random = np.random.default_rng(every)
        columns = np.repeat(np.arange(0, n, every), each)
        blocked = np.stack([columns, random.integers(0, n, len(columns))], axis=1)
        queens, bitsets, rest = placed(n, CUT, threads=2, blocked=blocked)
        check_placement(queens, bitsets, rest)
        assert not (queens[blocked[:, 0]] == blocked[:, 1]).any(), (every, each)
        assert len(rest.columns) < n / (20 if each == 1 else 5), (every, each)


def test_the_density_of_a_million_queens_is_even_and_looks_the_same_from_all_sides():
    """The mean density of 12 boards in 32 x 32 cells, in units of the even share."""
    n, cells = 10**6, 32
    counts = np.zeros(cells * cells)
    for seed in range(12):
        queens = fastqueens.solve(n, seed=seed, trace=False).queens.astype(np.int64)
        counts += np.bincount(queens * cells // n * cells + np.arange(n) * cells // n, minlength=cells * cells)
    density = counts.reshape(cells, cells) / counts.mean()
    assert abs(density - 1).max() < 0.25
    for mirrored in (density[::-1], density[:, ::-1], density.T):
        assert abs(density / mirrored - 1).max() < 0.15


def test_the_arrays_begin_at_a_cache_line_and_the_board_at_a_huge_page_if_it_is_large():
    for n in (1000, 2**17 - 1, 2**17, 10**6, 2**20 - 2**19, 2**20 - 2**19 + 1):
        attempt = new_attempt(make_instance(n), seed=1, number=0, stagnation_limit=1, is_windowed=True)
        assert len(attempt.queens) == n
        assert attempt.queens.ctypes.data % (64 if n < 2**17 else 2**21) == 0, n
        for bitset in (attempt.bitsets.rows, attempt.bitsets.sums, attempt.bitsets.differences):
            assert bitset.ctypes.data % 64 == 0, n


def test_the_groups_of_a_dealing_are_mixed_by_a_bijection():
    for bits in range(9):
        for random in np.random.default_rng(bits).integers(0, 2**64, 20, np.uint64):
            mixed = [int(tiles._mixed(np.uint64(place), np.uint64(bits), random)) for place in range(1 << bits)]
            assert sorted(mixed) == list(range(1 << bits)), bits
