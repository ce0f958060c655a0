"""Pictures of studies, climbs and run times: what is drawn, and the size for a report."""

import numpy as np
import pytest

import fastqueens
from fastqueens.pictures.studies import WHAT, climb_picture, run_times_picture, study_picture
from fastqueens.runtimes import RunTimes, Spread


@pytest.fixture(scope="module")
def study():
    return fastqueens.study([4, 6, 8], ["steepest", "sideways", "beam"], 60, seed=1)


@pytest.mark.parametrize("what", WHAT[1:])
def test_a_panel_has_8_x_5_cm(study, what):
    figure = study_picture(study, what=what)
    assert (figure.get_size_inches() * 2.54).round(1).tolist() == [8, 5]
    assert len(figure.axes) == 1


def test_success_is_drawn_with_its_interval(study):
    (axes,) = study_picture(study, what="success").axes
    for container, rule in zip(axes.containers, ["steepest", "sideways", "beam"], strict=True):
        rows = [row for row in study.to_rows() if row["rule"] == rule]
        line, _, (bars,) = container
        np.testing.assert_allclose(line.get_ydata(), [row["success_rate"] for row in rows])
        ends = [[segment[0][1], segment[1][1]] for segment in bars.get_segments()]
        np.testing.assert_allclose(ends, [[row["success_low"], row["success_high"]] for row in rows], atol=1e-12)


def test_means_are_drawn_in_the_order_of_sizes():
    found = fastqueens.study([100, 4, 9], "backtracking", 1, limits=fastqueens.Limits(max_evaluations=5000))
    (axes,) = study_picture(found, what="evaluations").axes
    means = {row["n"]: row["evaluations_mean"] for row in found.to_rows()}
    assert axes.lines[0].get_xydata().tolist() == [[n, means[n]] for n in (4, 9, 100)]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["backtracking"]


def test_a_single_size_has_bars(study):
    found = fastqueens.study(8, ["steepest", "beam"], 50, seed=1)
    axes = study_picture(found).axes[0]
    (_, _, (bars,)), rows = axes.containers[-1].errorbar, found.to_rows()
    np.testing.assert_allclose(
        [ends[:, 0] for ends in bars.get_segments()], [[row["success_low"], row["success_high"]] for row in rows]
    )
    assert axes.get_title(loc="left") == "Solved, n = 8"
    assert axes.patches[1].get_width() == 1.0, "the beam solves all boards"
    times = study_picture(found, what="seconds").axes[0]
    assert times.lines[0].get_xdata().tolist() == [row["seconds_mean"] for row in found.to_rows()][::-1]
    assert [times.xaxis.get_major_formatter()(value) for value in (1e-6, 1e-4, 2)] == ["1 µs", "100 µs", "2 s"]


def test_climbs_are_drawn_next_to_each_other():
    climbs = [fastqueens.climb(8, rule=rule, seed=3) for rule in ("steepest", "restart", "genetic", "random-sampling")]
    figure = climb_picture(climbs)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [climb.rule for climb in climbs]
    drawn = figure.axes[0].lines[0]
    assert drawn.get_ydata().tolist() == climbs[0].trace.pairs.tolist()
    still = climb_picture([fastqueens.climb(board=[1, 3, 0, 2], rule="steepest")])
    assert not (still.axes[0].get_xticks() % 1).any()
    assert climbs[0].plot().axes[0].get_title(loc="left") == "steepest"


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
