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
from lowered import lower, lowered

import fastqueens
from fastqueens.core import thresholds
from fastqueens.core.constraints import fixed_queens
from fastqueens.core.instance import make_instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.jit.decorators import kernel
from fastqueens.solving import tiles as tiled
from fastqueens.solving import tiles_kernel as tiles
from fastqueens.solving.arrays import empty_bitsets, new_attempt, words_for_strips
from fastqueens.solving.tiles import Cut, TilePlacement

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


@pytest.mark.parametrize(("n", "threads"), [(2**22, 2), (2**24, 4), (2**28 - 1, 4), (2**28, 8), (2**32 - 1, 8)])
def test_threads_are_busy_three_quarters_of_the_time(n, threads):
    cut = tiled.cut_of(n)
    order = tiled.order_of_tiles(*cut.shape(n))
    earlier = tiled.earlier_tiles(order, cut.block // cut.band)
    assert work_at_once(order, earlier, threads) > 0.75 * threads


def begun(n, cut, seed=1, dtype=np.int32, **constraints):
    """Return a board without content, its bitsets and its placement."""
    with lowered(tiles=1):
        bitsets = empty_bitsets(make_instance(n, **constraints))
    queens = np.full(n, -1).astype(dtype)
    return queens, bitsets, TilePlacement(queens, bitsets, U64(seed), U64(0), cut)


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
        np.testing.assert_array_equal(queens, reference[0])
        for one, other in zip((*bitsets[:-1], *rest), (*reference[1][:-1], *reference[2]), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("n", EDGES + [10 * B - residue for residue in range(2, 64)])
def test_the_board_is_the_same_on_any_number_of_threads(n):
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


def listed_groups(scratch, count):
    """Return the strips and the first columns of the groups in a list."""
    listed = scratch[int(tiles._LIST) :][:count]
    return (listed >> U64(32)).tolist(), (listed & U64(2**32 - 1)).tolist()


@given(st.integers(0, 2**64 - 1), st.integers(2, 8), st.integers(1, 40), st.integers(0, 4095), st.integers(0, 1000))
def test_each_group_is_dealt_to_one_band(seed, bits, bands, cut_off, turn):
    """Each band's share of the groups is proportional to its rows, to within one, and they get different strips."""
    size = 16 << bits
    unit = max(512, size)
    n = bands * unit - cut_off % 512
    cut = Cut(bands * unit, unit)
    with lowered(dealt=size):
        _, _, placement = begun(n, cut)
    bits = int(placement._tiling.dealt_bits)
    assert 2**bits == min(size, 256 << (bands - 1).bit_length()) / 16
    size = 16 << bits
    for dealt in (0, (n - 1) // size * size):
        columns = []
        for band in range(bands):
            scratch = np.zeros(tiles.SCRATCH, np.uint64)
            first_row, end_row = band * unit, min(n, (band + 1) * unit)
            strips = -(-end_row // 512) - first_row // 512
            place = (first_row // 512, strips, n)
            count = tiles._deal(
                scratch, U64(0), U64(seed), placement._tiling, U64(band), U64(first_row), U64(dealt), U64(turn),
                *map(U64, place),
            )  # fmt: skip
            found, groups = listed_groups(scratch, int(count))
            if dealt + size <= n:
                assert abs(len(groups) - (end_row - first_row) / n * 2**bits) <= 1
            assert all(first_row // 512 <= strip < first_row // 512 + strips for strip in found)
            assert len(set(found)) >= min(strips, len(groups)) / 2
            columns += groups
        assert sorted(columns) == list(range(dealt, min(n, dealt + size), 16))


@kernel
def sections_of_turns(sections, first):
    for turn in range(np.uint64(len(sections))):
        sections[turn] = tiles._section(np.uint64(first) + turn)


@given(st.integers(0, 2**30), st.integers(0, 12), st.data())
def test_dealings_and_their_strips_are_spread_evenly_at_any_time(block, bits, data):
    """Of 2**bits turns, one goes to each of as many equal rectangles: a (0, 2)-sequence in base 2, up to 3 bits."""
    across = data.draw(st.integers(max(0, bits - 3), bits))
    turns = (block << bits) + np.arange(2**bits)
    sections = np.zeros(len(turns), np.uint64)
    sections_of_turns(sections, int(turns[0]))
    columns = [int(f"{int(turn) % 2**across:0{across}b}"[::-1], 2) if across else 0 for turn in turns]
    rows = [int(section) >> 3 - (bits - across) for section in sections]
    assert len(set(zip(columns, rows, strict=True))) == 2**bits


@pytest.mark.parametrize("seed", range(3))
def test_neighbouring_groups_are_spread_over_the_rows(seed):
    """Each part of the rows gets the same number of groups of any 1024 columns."""
    n = 200 * 1024
    queens, _, _ = placed(n, Cut(n, n), seed=seed)
    rows = queens.reshape(-1, 1024)
    for part in range(8):
        counts = np.count_nonzero(rows * 8 // n == part, axis=1)
        # Independent groups would give 42, independent queens 11.
        assert counts.std() < 20


@pytest.mark.parametrize(
    ("out", "named"),
    [
        ([0] * 8, ["8 int32"]),
        (np.empty(7, np.int32), ["(7,)", "8 int32"]),
        (np.empty(8, np.int64), ["int64", "int32"]),
        (np.empty(16, np.int32)[::2], ["contiguous"]),
    ],
)
def test_an_unsuitable_out_is_refused(out, named):
    with check_error(fastqueens.InputError, "out", *named):
        fastqueens.solve(8, out=out)


def test_solve_stops_between_tiles(monkeypatch):
    lower(monkeypatch, tiles=1000, threads=1)
    monkeypatch.setattr(tiled, "cut_of", lambda n: CUT)
    with check_error(fastqueens.Stopped, "placement"):
        fastqueens.solve(5000, threads=2, stop=lambda: True)


@pytest.mark.parametrize("n", [TILES_FROM, 10**7, 2**26 - 1, 2**26, 10**8, 10**9, 4 * 10**9, 2**32 - 1])
def test_bands_and_blocks_of_large_boards_are_multiples_of_a_dealing(n):
    cut = tiled.cut_of(n)
    assert cut.band % max(512, thresholds.current.dealt) == 0
    assert cut.block % cut.band == 0


@pytest.mark.parametrize("n", [1, 15, 16, 17, 63, 64, 65, 1000, 1024])
def test_columns_of_fixed_queens_are_not_listed_as_empty(n):
    """Their rows do not matter: here all columns look empty, or every third."""
    fixed = fixed_queens([(column, (2 * column + 1) % n) for column in {0, n // 3, n - 1}] if n > 3 else [], n)
    for step in (1, 3):
        queens = np.zeros(n, np.int32)
        queens[::step] = n
        empty = np.full(n + 1, 7, np.uint32)
        tiles.list_empty(queens, fixed.marks, empty, 0, n)
        expected = sorted({*range(0, n, step)} - set(fixed.columns.tolist()))
        assert empty[: len(expected)].tolist() == expected
        assert (empty[len(expected) :] == 7).all()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mprotect is called as on Linux")
@pytest.mark.parametrize("is_random", [False, True])
def test_nothing_beyond_the_arrays_is_touched(is_random):
    """The vector instructions check no bounds: here, the arrays end at pages without access."""
    seed = secrets.randbelow(2**32) if is_random else 1
    program = [sys.executable, str(Path(__file__).with_name("walled.py")), str(seed)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "nothing beyond the arrays was touched\n"), (seed, done.stderr)


@pytest.mark.parametrize(
    ("cut", "dealt", "tiles", "named"),
    [
        *((Cut(block, band), 64, 1, 512) for block, band in [(1024, 511), (1024, 256), (1536, 1024)]),
        *((CUT, dealt, 1, dealt) for dealt in (16, 32, 100, 8192)),
        (CUT, 64, 10**6, "16 words"),
    ],
)
def test_cuts_through_words_dealings_that_do_not_fit_and_short_bitsets_are_refused(cut, dealt, tiles, named):
    """Bitsets of boards that are placed in windows are too short: strips would reach beyond them."""
    with lowered(tiles=tiles, dealt=dealt), Workers(1) as workers, check_error(ValueError, named):
        bitsets = empty_bitsets(make_instance(1000))
        TilePlacement(np.zeros(1000, np.int32), bitsets, U64(0), U64(0), cut).place(workers, Callbacks())


@pytest.mark.parametrize(("every", "each"), [(1, 10), (1, 1), (5, 1), (200, 1)])
def test_groups_avoid_blocked_squares(every, each):
    """With ten blocked squares in each column, every row of a strip may be blocked: single columns look up squares."""
    n = 6 * B + 19
    random = np.random.default_rng(every)
    columns = np.repeat(np.arange(0, n, every), each)
    blocked = np.stack([columns, random.integers(0, n, len(columns))], axis=1)
    queens, bitsets, rest = placed(n, CUT, threads=2, blocked=blocked)
    check_placement(queens, bitsets, rest)
    assert not (queens[blocked[:, 0]] == blocked[:, 1]).any()
    assert len(rest.columns) < n / (20 if each == 1 else 5)


def test_the_density_of_a_million_queens_is_even_and_looks_the_same_from_all_sides():
    """The mean density of 20 boards in 32 x 32 cells, in units of the even share."""
    n, cells = 10**6, 32
    counts = np.zeros(cells * cells)
    for seed in range(20):
        queens = fastqueens.solve(n, seed=seed, trace=False).queens.astype(np.int64)
        counts += np.bincount(queens * cells // n * cells + np.arange(n) * cells // n, minlength=cells * cells)
    density = counts.reshape(cells, cells) / counts.mean()
    assert abs(density - 1).max() < 0.2
    for mirrored in (density[::-1], density[:, ::-1], density.T):
        assert abs(density / mirrored - 1).max() < 0.1


@pytest.mark.parametrize("n", [1000, 2**17 - 1, 2**17, 10**6, 2**20 - 2**19, 2**20 - 2**19 + 1])
def test_the_arrays_begin_at_a_cache_line_and_the_board_at_a_huge_page_if_it_is_large(n):
    attempt = new_attempt(make_instance(n), seed=1, number=0, stagnation_limit=1, is_windowed=True)
    assert len(attempt.queens) == n
    assert attempt.queens.ctypes.data % (64 if n < 2**17 else 2**21) == 0
    for bitset in (attempt.bitsets.rows, attempt.bitsets.sums, attempt.bitsets.differences):
        assert bitset.ctypes.data % 64 == 0


@pytest.mark.parametrize("bits", range(9))
def test_the_groups_of_a_dealing_are_mixed_by_a_bijection(bits):
    for random in np.random.default_rng(bits).integers(0, 2**64, 20, np.uint64):
        mixed = [int(tiles._mixed(np.uint64(place), np.uint64(bits), random)) for place in range(1 << bits)]
        assert sorted(mixed) == list(range(1 << bits))
