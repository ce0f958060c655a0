"""The limit shape, compared with its equation on a plain grid, with its optimum problem and with exact small boards."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import fastqueens
from fastqueens.errors import InputError
from fastqueens.sampling.limit_shape import (
    column_mean,
    limit_density,
    limit_gamma,
    limit_occupancy,
    limit_shape,
)

#: k * parts is at least 256: one less, equal, one more; and one part a cell, with even and odd k.
SIZES = [1, 2, 85, 86, 128, 255, 256, 257]


def sum_diagonals(density):
    """Return the queens on each sum diagonal of a grid, for each line."""
    k = len(density)
    return np.array([np.trace(density[:, ::-1], k - 1 - d) for d in range(2 * k - 1)]) / k


def on_grid(k, steps=250):
    """Solve the equation of the limit shape at the middles of k x k cells: slow, obvious, error O(1 / k^2)."""
    weight, free = np.ones(k), np.full(2 * k - 1, 0.5)

    def density():
        sums = sliding_window_view(free, k)  # [i, j] is free[i + j]
        return np.outer(weight, weight) * sums * sums[:, ::-1]

    for _ in range(steps):
        weight = weight / np.sqrt(density().mean(axis=0))
        load = sum_diagonals(density()) / free
        free = np.sqrt(free / (1 + load))
        free = (free + free[::-1]) / 2
    return density()


def primal_value(density):
    """Return the convex function whose minimum over all densities is gamma."""
    k = len(density)
    empty = 1 - np.concatenate([sum_diagonals(density), sum_diagonals(density[::-1])])
    return (density * np.log(density)).mean() + (empty * np.log(empty)).sum() / k + 3


def blocks(density, k):
    parts = len(density) // k
    return density.reshape(k, parts, k, parts).mean(axis=(1, 3))


# Density


def test_rows_and_columns_have_mean_1_and_all_eight_symmetries_hold_bit_for_bit():
    for k in (*SIZES, 1021):
        density = limit_density(k)
        assert density.shape == (k, k)
        assert density.dtype == np.float64
        assert density.min() > 0.44, k
        assert np.abs(density.mean(axis=0) - 1).max() < 1e-9, k
        assert np.abs(density.mean(axis=1) - 1).max() < 1e-9, k
        for image in (density.T, density[::-1], density[:, ::-1]):
            assert np.array_equal(density, image), k


def test_finer_cells_have_the_same_means():
    for k, parts in ((1, 7), (4, 64), (5, 51), (128, 2), (257, 4)):
        assert np.abs(blocks(limit_density(k * parts), k) - limit_density(k)).max() < 1e-9, (k, parts)


def test_it_is_the_limit_of_the_grid_with_an_error_of_second_order():
    errors = [np.abs(blocks(on_grid(k), 8) - limit_density(8)).max() for k in (32, 64, 128)]
    assert errors[-1] < 1e-4
    assert [coarse / fine for coarse, fine in pairwise(errors)] == pytest.approx([4, 4], abs=0.01)


def test_all_solutions_of_growing_boards_come_closer():
    distances = []
    for n in (8, 10, 12):
        boards = np.array(list(fastqueens.all_solutions(n)))
        found = np.stack([np.bincount(column, minlength=n) for column in boards.T], axis=1) * n / len(boards)
        distances.append(np.abs(found - limit_density(n)).mean())
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.06


# Diagonals


def test_half_of_all_diagonals_are_occupied():
    for k in (*SIZES, 1021, 4096):
        occupied = limit_occupancy(k)
        assert occupied.shape == (k,)
        assert occupied.mean() == pytest.approx(0.5, abs=1e-9), k
        assert occupied.min() > 0, k
        assert occupied.max() < 0.83, k
        assert np.array_equal(occupied, occupied[::-1]), k
        assert (np.diff(occupied[: (k + 1) // 2]) > 0).all(), k


# The equation


def test_the_shape_solves_its_equation_between_the_points_used_to_solve_it():
    shape, places = limit_shape(), np.random.default_rng(1).uniform(0, 1, 500)
    assert np.abs(column_mean(shape, places / 2) - 1).max() < 1e-8


def test_plain_sums_over_the_density_say_the_same():
    shape, middles = limit_shape(), (np.arange(20000) + 0.5) / 20000
    for x in (0.0, 0.1, 0.25, 0.4, 0.5, 0.77, 1.0):
        assert shape.density(np.array(x), middles).mean() == pytest.approx(1, abs=1e-7)
    for s in (0.05, 0.5, 0.6, 1.0, 1.3, 1.9):
        first, last = max(s - 1, 0), min(s, 1)
        x = first + (last - first) * middles
        free = shape.free(min(s, 2 - s))
        assert (last - first) * shape.density(x, s - x).mean() == pytest.approx(1 - free, abs=1e-7)
        assert (last - first) * shape.density(1 - x, s - x).mean() == pytest.approx(1 - free, abs=1e-7)


# The optimum


def test_gamma_is_in_the_proven_interval():
    gamma, error = limit_gamma()
    assert 1.9440007 < gamma < 1.9440011
    assert gamma == pytest.approx(1.9440010226, abs=1e-11)
    assert 0 < error < 1e-12


def test_gamma_is_the_limit_of_the_grid_with_an_error_of_second_order():
    gamma = limit_gamma().gamma
    found = [primal_value(on_grid(k)) for k in (32, 64, 128)]
    errors = [value - gamma for value in found]
    assert errors[-1] == pytest.approx(0.6581 / 128**2, rel=1e-3)
    assert [coarse / fine for coarse, fine in pairwise(errors)] == pytest.approx([4, 4], abs=0.01)
    once = [(4 * fine - coarse) / 3 for coarse, fine in pairwise(found)]
    assert (16 * once[1] - once[0]) / 15 == pytest.approx(gamma, abs=1e-10)


# Arguments


def test_k_is_a_whole_number_in_its_range():
    for k, message in ((0, "not 0"), (4097, "1 and 4,096"), (2.0, "whole number"), (True, "not True")):
        for function in (limit_density, limit_occupancy):
            with pytest.raises(InputError, match=message):
                function(k)
