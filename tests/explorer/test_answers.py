"""The pyramid, the tiles and the lines of a queen, compared with plain Python and NumPy."""

import re

import naive
import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens.core import threads as workers
from fastqueens.core.errors import InputError, Stopped
from fastqueens.core.instance import make_instance
from fastqueens.explorer import answers, pyramid
from fastqueens.explorer.answers import MOST_ATTACKERS, MOST_LISTED, Tiles, column_of_row, lines_of_queen
from fastqueens.explorer.pyramid import build_pyramid, coarsest_level, finest_level

pytestmark = pytest.mark.checked

CELLS = 256


def decoded(tile, level, column, row):
    """Return the counts of a tile, [row, column], and its queens if it lists them."""
    kind = int.from_bytes(tile[:4], "little")
    if kind:
        return np.frombuffer(tile[4:], f"<u{kind}").reshape(CELLS, CELLS).astype(np.int64), None
    queens = (len(tile) - 4) // 9
    listed = np.frombuffer(tile, "<u4", 2 * queens, 4).reshape(queens, 2).astype(np.int64)
    counts = np.zeros((CELLS, CELLS), np.int64)
    np.add.at(counts, tuple((listed[:, ::-1] >> level).T - [[row * CELLS], [column * CELLS]]), 1)
    return counts, listed


def level_of(tiles, level):
    """Return all tiles of a level as one array of counts, [row, column]."""
    side = ((tiles.n - 1) >> (level + 8)) + 1
    numbers = range(side)
    return np.block(
        [[decoded(tiles.tile(level, column, row), level, column, row)[0] for column in numbers] for row in numbers]
    )


def counted(queens, level, side):
    """Return the same counts from NumPy's histogram."""
    edges = (np.arange(side + 1) << level) - 0.5
    return np.histogram2d(queens, np.arange(len(queens)), bins=(edges, edges))[0].astype(np.int64)


@pytest.fixture(scope="module")
def million():
    queens = fastqueens.solve(1_000_003, seed=1).queens
    return Tiles(queens, build_pyramid(queens))


boards = st.integers(1, 700).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


@given(boards)
def test_the_tiles_of_any_level_hold_every_queen_in_its_place(board):
    queens = np.array(board, np.int32)
    tiles = Tiles(queens, build_pyramid(queens))
    for level in range(coarsest_level(len(board)) + 1):
        counts = level_of(tiles, level)
        assert counts.sum() == len(board)
        assert np.array_equal(counts, counted(queens, level, len(counts)))


@given(st.integers(2**18, 2**21), st.integers(0, 2**32))
def test_the_tiles_of_boards_with_a_pyramid_add_up_to_n(n, seed):
    queens = np.random.default_rng(seed).integers(0, n, n, np.int32)
    tiles = Tiles(queens, build_pyramid(queens))
    for level in range(max(0, finest_level(n) - 1), coarsest_level(n) + 1):
        assert level_of(tiles, level).sum() == n


def test_tiles_of_a_million_equal_numpys_histogram(million):
    n = million.n
    assert coarsest_level(n) == 12
    assert finest_level(n) == 11
    for level in (9, 11, 12):
        counts = level_of(million, level)
        assert counts.sum() == n
        assert np.array_equal(counts, counted(million.queens, level, len(counts)))


def test_a_near_tile_lists_its_queens(million):
    for level in (0, 3, 6):
        column = 500_000 >> (level + 8)
        row = int(million.queens[500_000]) >> (level + 8)
        _, listed = decoded(million.tile(level, column, row), level, column, row)
        span = np.arange(column << (level + 8), min(million.n, (column + 1) << (level + 8)))
        inside = span[million.queens[span] >> (level + 8) == row]
        assert listed.tolist() == np.column_stack((inside, million.queens[inside])).tolist()
        assert [500_000, int(million.queens[500_000])] in listed.tolist()


def test_many_queens_in_a_near_tile_are_counted():
    queens = np.zeros(MOST_LISTED + 1, np.int32)
    tiles = Tiles(queens, build_pyramid(queens))
    counts, listed = decoded(tiles.tile(5, 0, 0), 5, 0, 0)
    assert listed is None
    assert counts.sum() == len(queens)
    assert len(decoded(tiles.tile(4, 0, 0), 4, 0, 0)[1]) == MOST_LISTED


@pytest.mark.parametrize("place", [(-1, 0, 0), (13, 0, 0), (12, 1, 0), (12, 0, 1), (0, 3907, 0), (0, 0, -1)])
def test_a_tile_that_does_not_exist_is_refused(million, place):
    with check_error(InputError, re.compile("from 0 to (12|0|3906)$")):
        million.tile(*place)


def test_a_far_tile_without_queens_is_an_empty_list():
    queens = np.zeros(2**21, np.int32)
    assert Tiles(queens, build_pyramid(queens)).tile(finest_level(2**21), 0, 1) == bytes(4)


def test_crowded_cells_get_wider_counters():
    n = 2**19
    queens = np.zeros(n, np.int32)
    built = build_pyramid(queens)
    assert built.levels[finest_level(n)].dtype == np.uint32
    assert np.array_equal(level_of(Tiles(queens, built), 11), counted(queens, 11, CELLS))
    spread = fastqueens.solve(n, seed=1).queens
    assert build_pyramid(spread).levels[finest_level(n)].dtype == np.uint8


@pytest.mark.parametrize(("most", "size"), [(255, 1), (256, 2), (65_535, 2), (65_536, 4)])
def test_counters_are_as_wide_as_the_largest_count(most, size):
    tile = answers._encoded_counts(np.array([[1, most]], np.uint32))
    assert tile == size.to_bytes(4, "little") + b"".join(count.to_bytes(size, "little") for count in (1, most))


def marked(tiles):
    """Return the columns of the queens that are marked in the nearest tiles."""
    found = set()
    for place in np.ndindex(2 * (((tiles.n - 1) >> 8) + 1,)):
        tile = tiles.tile(0, *place)
        _, listed = decoded(tile, 0, *place)
        found |= {int(at[0]) for at, mark in zip(listed, tile[len(tile) - len(listed) :], strict=True) if mark}
    return found


@given(boards)
def test_conflicts_are_marked_in_tiles(board):
    queens = np.array(board, np.int32)
    tiles = Tiles(queens, build_pyramid(queens))
    assert tiles.conflicting is None
    tiles.mark_conflicts()
    expected = naive.conflicting_queens(board)
    assert marked(tiles) == expected
    assert tiles.conflicting == len(expected)


@pytest.mark.parametrize("conflicting", [False, True])
def test_queens_where_none_may_stand_are_marked_in_tiles(conflicting):
    queens = fastqueens.solve(600, seed=1).queens.copy()
    if conflicting:
        queens[[0, 1]] = 5
    blocked = [(300, int(queens[300])), (599, int(queens[599])), (4, int(queens[4]) ^ 1)]
    sums = [int(queens[77]) + 77]
    tiles = Tiles(queens, build_pyramid(queens), instance=make_instance(600, blocked=blocked, excluded_sums=sums))
    if conflicting:
        tiles.mark_conflicts()
    expected = {77, 300, 599}
    assert marked(tiles) == expected | (naive.conflicting_queens(queens.tolist()) if conflicting else set())


# Counting


def test_counting_tells_its_progress_and_can_be_stopped(million, monkeypatch):
    monkeypatch.setattr(pyramid, "_PIECE", 1 << 17)
    stages = []
    built = build_pyramid(million.queens, progress=lambda *state: stages.append(state))
    assert len(stages) > 1
    assert stages[-1] == ("pyramid", 1_000_003, 1_000_003)
    assert np.array_equal(level_of(Tiles(million.queens, built), 11), counted(million.queens, 11, CELLS * 2))
    with check_error(Stopped, "pyramid"):
        build_pyramid(million.queens, stop=lambda: True)


@pytest.mark.parametrize("threads", [1, 3])
def test_it_does_not_depend_on_threads(million, threads):
    built = build_pyramid(million.queens, threads=threads)
    expected = build_pyramid(million.queens)
    assert all(np.array_equal(built.levels[level], expected.levels[level]) for level in expected.levels)


# Threads


@pytest.fixture
def requested_threads(monkeypatch):
    """The numbers of threads that the answers request; None for the default."""
    requested = []

    def noted(n, threads):
        requested.append(threads)
        return workers.workers_for(n, threads)

    for module in ("check.verification", "explorer.answers"):
        monkeypatch.setattr(f"fastqueens.{module}.workers_for", noted)
    return requested


def test_a_board_is_checked_on_the_requested_number_of_threads(requested_threads):
    queens = np.zeros(300_000, np.int32)
    tiles = Tiles(queens, build_pyramid(queens), threads=3)
    tiles.mark_conflicts()
    assert tiles.conflicting == 300_000
    assert requested_threads == [3, 3]
    assert Tiles(queens, build_pyramid(queens)).threads == workers.all_cores()
    with check_error(InputError, "threads is 0"):
        Tiles(queens, build_pyramid(queens), threads=0)


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_lines_do_not_depend_on_threads(million, threads, requested_threads, monkeypatch):
    expected = lines_of_queen(million.queens, 500_000)
    monkeypatch.setattr("fastqueens.explorer.answers._SLICE", 100_000)
    assert lines_of_queen(million.queens, 500_000, threads=threads) == expected
    assert requested_threads == [None, threads]


# The lines of a queen


@given(boards.filter(lambda board: len(board) < 60), st.data())
def test_the_lines_of_a_queen_hold_the_queens_that_it_attacks(board, data):
    column = data.draw(st.integers(0, len(board) - 1))
    row = board[column]
    found = lines_of_queen(np.array(board, np.int32), column)
    others = [square for square in naive.queens_on(board) if square[0] != column]
    assert (found.column, found.row) == (column, row)
    assert found.on_row == sum(r == row for c, r in others)
    assert found.on_sum == sum(c + r == column + row for c, r in others)
    assert found.on_difference == sum(r - c == row - column for c, r in others)
    assert found.attackers == [square for square in others if naive.attack(square, (column, row))]


def test_many_attackers_are_counted_but_not_all_listed(monkeypatch):
    monkeypatch.setattr("fastqueens.explorer.answers._SLICE", 3000)
    found = lines_of_queen(np.zeros(10_000, np.int32), 5)
    assert (found.on_row, found.on_sum, found.on_difference) == (9999, 0, 0)
    assert [column for column, _ in found.attackers] == [c for c in range(MOST_ATTACKERS + 1) if c != 5]


def test_a_row_is_found(million):
    assert column_of_row(million.queens, int(million.queens[777])) == 777
    assert column_of_row(np.zeros(4, np.int32), 3) is None
    for ask in (column_of_row, lines_of_queen):
        with check_error(InputError, "from 0 to 1000002"):
            ask(million.queens, million.n)
