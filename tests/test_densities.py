"""Density: queens counted in cells, compared with plain Python and NumPy."""

import numpy as np
import pytest
from errors import check_error
from figures import assert_texts_apart
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens.densities import Bins, bin_board, cell_multiplier
from fastqueens.errors import InputError
from fastqueens.pictures.density import density_picture


def slow_bins(queens, cells):
    n = len(queens)
    squares = np.zeros((cells, cells), int)
    sums, differences = np.zeros(cells, int), np.zeros(cells, int)
    for column, row in enumerate(queens):
        squares[row * cells // n, column * cells // n] += 1
        sums[(column + row) // 2 * cells // n] += 1
        differences[(row - column + n - 1) // 2 * cells // n] += 1
    return Bins(n, squares, sums, differences)


@st.composite
def boards_and_cells(draw):
    n = draw(st.integers(1, 60))
    return draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n)), draw(st.integers(1, n))


@given(boards_and_cells())
def test_bins_equal_the_slow_ones_on_any_board(board_and_cells):
    queens, cells = board_and_cells
    bins, expected = bin_board(queens, cells), slow_bins(queens, cells)
    for name in ("squares", "sums", "differences", "widths"):
        assert np.array_equal(getattr(bins, name), getattr(expected, name)), name
    assert bins.widths.tolist() == np.bincount(np.arange(len(queens)) * cells // len(queens)).tolist()


@given(st.integers(1, 2**32 - 1), st.integers(1, 4096), st.data())
def test_the_product_is_exact_up_to_the_largest_board(n, cells, data):
    cells = min(cells, n)
    shift, factor = map(int, cell_multiplier(cells, n))
    cell = data.draw(st.integers(0, cells - 1))
    first = -(-cell * n // cells)
    for position in {first, max(0, first - 1), n - 1}:
        assert ((position << shift) * factor) >> 64 == position * cells // n


def test_a_mapped_board_is_counted_in_slices_and_can_be_stopped(tmp_path):
    queens = np.arange(9_000_000, dtype=np.int32)
    np.save(tmp_path / "q.npy", queens)
    mapped = fastqueens.read_board(tmp_path / "q.npy")
    seen = []
    bins = bin_board(mapped, 10, progress=lambda *now: seen.append(now))
    assert np.array_equal(bins.squares, 900_000 * np.eye(10, dtype=int))
    assert [done for _, done, _ in seen] == [1 << 22, 1 << 23, 9_000_000]
    with pytest.raises(fastqueens.Stopped):
        bin_board(mapped, 10, stop=lambda: True)


def test_density_and_diagonals_are_relative_to_an_even_share():
    bins = bin_board(range(10), 5)
    assert np.allclose(bins.density(), 5 * np.eye(5))
    sums, differences = bins.diagonals()
    assert np.allclose(sums, [2 / 4, 2 / 4, 2 / 4, 2 / 4, 2 / 3])
    assert np.allclose(differences, [0, 0, 10 / 4, 0, 0])


def test_an_invalid_number_of_cells_is_named(subtests):
    for cells in [0, -1, 11, 2.5, True, "5"]:
        with subtests.test(cells=cells), check_error(InputError, 10, 1):
            bin_board(range(10), cells)


def test_the_picture_shows_the_bins():
    queens = fastqueens.solve(20_000, seed=3).queens
    figure = density_picture(queens, cells=20)
    bins = bin_board(queens, 20)
    board, bar = figure.axes
    assert np.allclose(board.images[0].get_array(), bins.density())
    assert "even share (1 = 50 queens)" in bar.get_ylabel()
    assert board.get_title(loc="left") == "20,000 queens in 20 x 20 cells"


def test_cells_are_whole_pixels(subtests):
    for n, cells in [(1, 1), (401, 8), (60_000, 12), (1_000_000, 50), (64_000_000, 400)]:
        with subtests.test(n=n, cells=cells):
            figure = density_picture(np.zeros(n, np.int32))
            board = figure.axes[0]
            assert board.images[0].get_array().shape == (cells, cells)
            pixels = board.get_position().width * figure.figure.get_figwidth() * figure.figure.dpi
            assert pixels / cells == pytest.approx(round(pixels / cells))


def test_no_text_overlaps_or_leaves_the_picture(subtests):
    for n in [401, 1_000_000]:
        with subtests.test(n=n):
            assert_texts_apart(density_picture(fastqueens.solve(n, seed=1).queens))
            assert_texts_apart(density_picture(np.arange(n) // 2))
