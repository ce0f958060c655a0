"""Pictures of statistics, next to the limit shape."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

import fastqueens
from fastqueens.pictures.roles import LIGHT


def axes_of(figure):
    return {axes.get_title(loc="left"): axes for axes in figure.axes if axes.get_title(loc="left")}


def test_the_picture_shows_the_statistics():
    found = fastqueens.statistics(np.array(list(fastqueens.all_solutions(8))))
    panels = axes_of(found.plot(title="Eight"))
    assert list(panels) == ["Density", "Limit shape", "Difference", "Diagonals with a queen"]
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
