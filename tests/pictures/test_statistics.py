"""Pictures of statistics, next to the limit shape."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

import fastqueens
from fastqueens.pictures.density import limit_shape_picture
from fastqueens.pictures.themes import LIGHT


def axes_of(figure):
    return {axes.get_title(loc="left"): axes for axes in figure.axes if axes.get_title(loc="left")}


def test_the_picture_shows_the_statistics():
    found = fastqueens.statistics(np.array(list(fastqueens.all_solutions(8))))
    panels = axes_of(found.plot(title="Eight"))
    assert list(panels) == ["Density", "Limit shape", "Difference", "Diagonals with a queen", "Pairs of queens"]
    for name, values in (("Density", found.density), ("Limit shape", found.density_limit)):
        (image,) = panels[name].images
        assert np.array_equal(image.get_array(), values)
        assert to_hex(image.get_cmap()(1.0)) == LIGHT.density[-1]
        assert (image.norm.vmin, image.norm.vmax) == pytest.approx((0.4, 1.6))
        assert image.get_extent() == [0, 8, 8, 0]
    assert np.array_equal(panels["Difference"].images[0].get_array(), found.residuals)
    drawn = [bars[0].get_ydata() for bars in panels["Diagonals with a queen"].containers]
    assert np.array_equal(drawn, found.occupancy)
    limit = panels["Diagonals with a queen"].lines[0]
    drawn_at = panels["Diagonals with a queen"].containers[0][0].get_xdata()
    assert drawn_at.tolist() == [*(np.arange(1, 8) / 8), 15.5 / 16]  # half of the last cell is beyond the longest
    assert np.interp(drawn_at, *limit.get_data()) == pytest.approx(found.occupancy_limit, abs=0.01)
    pairs = panels["Pairs of queens"].images[0].get_array()
    assert np.array_equal(pairs.data, found.pairs)
    apart = np.abs(np.arange(-7, 8))
    assert np.array_equal(pairs.mask, (apart[:, None] == apart) | (apart == 0) | (apart[:, None] == 0))


@pytest.mark.parametrize(("count", "drawn"), [(1, False), (15, False), (16, True), (17, True)])
def test_pairs_are_drawn_if_there_are_enough_boards(count, drawn):
    """Independent queens have 1.02 pairs at each displacement, so 16 boards give an error of just below 1/4."""
    board = fastqueens.solve(1000, seed=1).queens
    panels = axes_of(fastqueens.statistics([board] * count).plot())
    assert ("Pairs of queens" in panels) == drawn


def test_densities_stand_next_to_the_limit_on_one_scale():
    boards = {"Before": np.arange(64), "After": fastqueens.solve(64, seed=1).queens}
    figure = limit_shape_picture(boards, k=8, title="Mixing")
    panels = axes_of(figure)
    assert list(panels) == ["Before", "After", "Limit shape"]
    assert np.array_equal(panels["Before"].images[0].get_array(), 8 * np.eye(8))
    assert np.array_equal(panels["Limit shape"].images[0].get_array(), fastqueens.limit_density(8))
    assert {(axes.images[0].norm.vmin, axes.images[0].norm.vmax) for axes in panels.values()} == {(0.4, 1.6)}
    assert figure.get_suptitle() == "Mixing"
