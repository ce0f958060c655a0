"""The two graphs of run times: what is drawn, and on which axes."""

import numpy as np
import pytest
from errors import check_error

from fastqueens import InputError
from fastqueens.pictures.studies import run_times_picture
from fastqueens.solving.runtimes import RunTimes, Spread


def row(n):
    counts = Spread(n / 10, 1, n)
    return RunTimes(n, 5, 5, Spread(2e-6 * n, 1e-6 * n, 3e-6 * n), Spread(1e-5, 0, 4e-5), counts, counts)


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_medians_and_extremes_of_both_times(scale):
    rows = [row(n) for n in (1000, 10, 100_000, 1_000_000)]
    figure = run_times_picture(rows, facts="uniform start", scale=scale)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Board generation", "Search"]
    assert {axes.get_xlabel() for axes in figure.axes} == {"Number of queens n"}
    for axes, name in zip(figure.axes, ("board_generation", "search"), strict=True):
        times = [getattr(one, name) for one in sorted(rows)]
        line, _, (bars,) = axes.containers[0]
        assert line.get_xdata().tolist() == [10, 1000, 100_000, 1_000_000]
        np.testing.assert_allclose(line.get_ydata(), [time.median for time in times])
        ends = [tuple(segment[:, 1]) for segment in bars.get_segments()]
        np.testing.assert_allclose(ends, [(max(time.least, 1e-9), time.most) for time in times])
        assert (axes.get_xscale(), axes.get_yscale()) == (scale, scale)
        assert axes.get_ylim()[0] <= max(0, min(end[0] for end in ends))
        assert axes.get_ylim()[1] >= max(end[1] for end in ends)
        figure.draw_without_rendering()
        labels = [label.get_text() for label in axes.get_xticklabels()]
        assert "1 million" in labels or scale == "linear"
        assert len([label for label in axes.get_yticklabels() if label.get_text()]) >= 3
    assert "uniform start" in figure.get_supxlabel()


@pytest.mark.parametrize("sizes", [[8], [4, 5, 6, 7], [10**power for power in range(1, 10)]])
def test_few_labels_for_any_sizes(sizes):
    figure = run_times_picture([row(n) for n in sizes])
    for axes in figure.axes:
        labels = [label.get_text() for label in axes.get_xticklabels() if label.get_text()]
        assert 1 <= len(labels) <= 6


def test_nonsense_is_refused():
    with check_error(InputError, "rows is empty"):
        run_times_picture([])
    with check_error(InputError, "scale is 'cubic'", "linear"):
        run_times_picture([row(8)], scale="cubic")
