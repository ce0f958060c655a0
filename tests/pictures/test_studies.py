"""Pictures of studies and run times: what is drawn, and the size for a report."""

import io
from pathlib import Path

import numpy as np
import pytest
from figures import assert_texts_apart
from PIL import Image

import fastqueens
from fastqueens.classroom.algorithms import ALGORITHMS
from fastqueens.pictures.studies import WHAT, run_times_picture, study_picture
from fastqueens.runtimes import RunTimes, Spread


@pytest.fixture(scope="module")
def study():
    return fastqueens.study([4, 6, 8], ["steepest", "sideways", "beam"], 60, seed=1)


def test_a_panel_has_8_x_5_cm(study):
    for what in WHAT[1:]:
        figure = study_picture(study, what=what)
        assert (figure.figure.get_size_inches() * 2.54).round(1).tolist() == [8, 5], what
        assert len(figure.axes) == 1, what


def test_success_is_drawn_with_its_interval(study):
    (axes,) = study_picture(study, what="success").axes
    intervals = [bars for bars in axes.collections if bars.get_gid() == "interval"]
    for line, bars in zip(axes.lines, intervals, strict=True):
        rows = [row for row in study.to_rows() if row["algorithm"] == line.get_gid()]
        np.testing.assert_allclose(line.get_ydata(), [row["success_rate"] for row in rows])
        ends = [[segment[0][1], segment[1][1]] for segment in bars.get_segments()]
        np.testing.assert_allclose(ends, [[row["success_low"], row["success_high"]] for row in rows], atol=1e-12)
    assert {line.get_gid() for line in axes.lines} == {"steepest", "sideways", "beam"}


def test_means_are_drawn_in_the_order_of_sizes_and_named_at_their_end():
    found = fastqueens.study([100, 4, 9], "backtracking", 1, limits=fastqueens.Limits(max_evaluations=5000))
    (axes,) = study_picture(found, what="evaluations").axes
    means = {row["n"]: row["evaluations_mean"] for row in found.to_rows()}
    assert axes.lines[0].get_xydata().tolist() == [[n, means[n]] for n in (4, 9, 100)]
    assert axes.get_legend() is None
    (name,) = axes.texts
    assert name.get_text() == "backtracking"
    on_panel = axes.transAxes.transform(name.xy)
    np.testing.assert_allclose(on_panel, axes.transData.transform((100, means[100])))


def names_of_rows(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def quantile_by_hand(study, algorithm, n, share):
    """Return the least number of steps that at least this share of the runs does not exceed."""
    (row,) = [row for row in study.rows if (row.algorithm, row.n) == (algorithm, n)]
    steps = sorted((row.tally.solved + row.tally.failed).elements())
    return next(value for at, value in enumerate(steps, 1) if at >= share * len(steps))


def test_only_measured_sizes_are_ticks_and_numbers_do_not_touch():
    for sizes in ([5, 7, 13], [4, 5, 6, 8, 11, 16, 32], list(range(4, 13)), [4, 30, 31, 32, 33]):
        figure = fastqueens.study(sizes, ["steepest"], 20, seed=1).plot(what="success", size="60x50mm")
        (axes,) = figure.axes
        ticks = axes.get_xticks().tolist()
        assert ticks == sizes or (len(sizes) > 7 and set(ticks) < set(sizes))
        named = [int(label.get_text()) for label in axes.get_xticklabels() if label.get_visible()]
        assert [named[0], named[-1]] == [sizes[0], sizes[-1]]
        if len(sizes) <= 7:
            assert (named == sizes) == (33 not in sizes)
        assert_texts_apart(figure)


def test_an_algorithm_has_one_colour_in_all_panels(study):
    curves, strips, *others = study_picture(study).axes
    names = names_of_rows(strips)
    of_strips = {name: line.get_color() for name, line in zip(names, strips.lines, strict=True)}
    for axes in (curves, *others):
        assert {line.get_gid(): line.get_color() for line in axes.lines if line.get_gid()} == of_strips
    assert len({*of_strips.values()}) == 3


def test_type_grows_with_the_figure(study):
    sizes = []
    for size in ("84x60mm", None, "13.33x7.5in"):
        figure = study_picture(study, what="success" if size == "84x60mm" else "all", size=size)
        sizes.append(figure.axes[0].get_xticklabels()[0].get_fontsize())
        assert_texts_apart(figure)
    assert sizes[0] == sizes[1] == 7
    assert sizes[2] > 14


@pytest.mark.parametrize("sizes", [8, [5, 8, 6]])
def test_a_strip_shows_the_quantiles_of_the_steps_of_each_algorithm(sizes):
    found = fastqueens.study(sizes, ["restart", "steepest", "sideways", "random-walk"], 101, seed=1)
    (axes,) = study_picture(found, what="steps").axes
    algorithms = names_of_rows(axes)
    medians = [quantile_by_hand(found, algorithm, 8, 0.5) for algorithm in algorithms]
    ranks = {
        row["algorithm"]: (-row["success_rate"], row["evaluations_mean"]) for row in found.to_rows() if row["n"] == 8
    }
    assert [ranks[algorithm] for algorithm in algorithms] == sorted(ranks.values())
    strips = {strip.get_gid(): strip for strip in axes.collections}
    assert [line.get_xydata().tolist() for line in axes.lines] == [
        [[median, row]] for row, median in enumerate(medians)
    ]
    for name, shares in (("5 to 95 %", (0.05, 0.95)), ("25 to 75 %", (0.25, 0.75))):
        ends = [segment[:, 0].tolist() for segment in strips[name].get_segments()]
        assert ends == [[quantile_by_hand(found, algorithm, 8, share) for share in shares] for algorithm in algorithms]
    assert axes.get_title(loc="left") == ("Steps" if sizes == 8 else "Steps, n = 8")


@pytest.fixture(scope="module")
def sixteen():
    return {sizes: fastqueens.study(list(sizes), list(ALGORITHMS), 5, seed=1) for sizes in ((6,), (4, 5, 6))}


@pytest.mark.parametrize("sizes", [(6,), (4, 5, 6)])
def test_sixteen_algorithms_have_rows_with_names_that_all_panels_share(sixteen, sizes):
    study = sixteen[sizes]
    figure = study_picture(study)
    assert_texts_apart(figure)
    assert len(figure.axes) == 4
    assert not figure.figure.legends
    for axes in figure.axes:
        assert axes.get_ylim() == figure.axes[0].get_ylim()
        assert axes.get_legend() is None
        low, high = sorted(axes.get_ylim())
        assert low <= -0.5 < len(ALGORITHMS) - 0.5 <= high, "no dot stands on the frame"
        assert axes.get_window_extent().y0 == figure.axes[0].get_window_extent().y0
    assert set(names_of_rows(figure.axes[0])) == set(ALGORITHMS)
    means = {(row["algorithm"], row["n"]): row["evaluations_mean"] for row in study.to_rows()}
    for n, line in zip(sizes, figure.axes[2].lines, strict=True):
        assert line.get_xdata().tolist() == [means[algorithm, n] for algorithm in names_of_rows(figure.axes[0])]
    assert ("(pale to dark)" in figure.caption) == (len(sizes) > 1)
    assert figure.figure.get_suptitle() == ("16 algorithms, n = 6" if len(sizes) == 1 else "16 algorithms, n = 4 to 6")


@pytest.mark.parametrize("what", ["success", "steps"])
def test_sixteen_algorithms_fit_into_a_column(sixteen, what):
    for study in sixteen.values() if what == "steps" else [sixteen[(6,)]]:
        figure = study_picture(study, what=what, size="84x60mm", title="Dropped")
        assert (figure.figure.get_size_inches() * 25.4).round(6).tolist() == [84, 60]
        assert figure.figure.get_suptitle() == ""
        if what == "success":
            long = study_picture(study, what=what, size="120x80mm", title=60 * "Studies ")
            assert (long.figure.get_size_inches() * 25.4).round(6).tolist() == [120, 80]
        figure.figure.draw_without_rendering()
        names = figure.axes[0].get_yticklabels()
        middles = sorted(name.get_window_extent().get_points()[:, 1].mean() for name in names)
        apart = np.diff(middles) / figure.figure.dpi * 72
        assert min(apart) >= names[0].get_fontsize() == 7
        assert_texts_apart(study_picture(study, what=what, size="84x80mm"))


@pytest.mark.parametrize("size", [None, "84x70mm"])
def test_names_of_curves_are_apart(study, size):
    algorithms = ["steepest", "sideways", "restart", "restart-sideways", "beam", "mrv"]
    figure = study_picture(fastqueens.study([4, 6, 8], algorithms, 60, seed=1), size=size, what="success")
    assert_texts_apart(figure)
    assert sorted(text.get_text() for text in figure.axes[0].texts) == sorted(algorithms)


def test_a_single_size_has_points_with_intervals():
    found = fastqueens.study(8, ["steepest", "beam"], 50, seed=1)
    figure = study_picture(found, title="Mine")
    axes, rows = figure.axes[0], {row["algorithm"]: row for row in found.to_rows()}
    (bars,) = [bars for bars in axes.collections if bars.get_gid() == "interval"]
    algorithms = names_of_rows(axes)
    np.testing.assert_allclose(
        [ends[:, 0] for ends in bars.get_segments()],
        [[rows[algorithm]["success_low"], rows[algorithm]["success_high"]] for algorithm in algorithms],
    )
    assert axes.lines[0].get_xdata().tolist() == [rows[algorithm]["success_rate"] for algorithm in algorithms]
    assert (axes.get_title(loc="left"), figure.figure.get_suptitle()) == ("Solved", "Mine")
    assert figure.caption.startswith("n = 8 · 50 runs each · ")
    times = study_picture(found, what="seconds").axes[0]
    assert times.lines[0].get_xdata().tolist() == [rows[algorithm]["seconds_mean"] for algorithm in algorithms]
    assert [times.xaxis.get_major_formatter()(value) for value in (1e-6, 1e-4, 2)] == ["1 µs", "100 µs", "2 s"]


def row(n):
    counts = Spread(n / 10, 1, n)
    return RunTimes(n, 5, 5, Spread(2e-6 * n, 1e-6 * n, 3e-6 * n), Spread(1e-5, 0, 4e-5), counts, counts)


@pytest.mark.parametrize(("scale", "used"), [("auto", "log"), ("log", "log"), ("linear", "linear")])
def test_medians_and_extremes_of_both_times(scale, used):
    rows = [row(n) for n in (1000, 10, 100_000, 1_000_000)]
    figure = run_times_picture(rows, facts="uniform start", scale=scale)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "Board generation",
        "Search",
    ]
    unit = " (millions)" if used == "linear" else ""
    assert {panel.get_xlabel() for panel in figure.axes} == {f"Number of queens n{unit}"}
    for panel, name in zip(figure.axes, ("board_generation", "search"), strict=True):
        times = [getattr(one, name) for one in sorted(rows)]
        line, _, (bars,) = panel.containers[0]
        assert line.get_xdata().tolist() == [10, 1000, 100_000, 1_000_000]
        np.testing.assert_allclose(line.get_ydata(), [time.median for time in times])
        ends = [tuple(segment[:, 1]) for segment in bars.get_segments()]
        np.testing.assert_allclose(ends, [(max(time.least, 1e-9), time.most) for time in times])
        assert (panel.get_xscale(), panel.get_yscale()) == (used, used)
        assert panel.get_ylim()[0] <= max(0, min(end[0] for end in ends))
        assert panel.get_ylim()[1] >= max(end[1] for end in ends)
        figure.figure.draw_without_rendering()
        labels = [label.get_text() for label in panel.get_xticklabels()]
        assert "1 million" in labels or used == "linear"
        assert len([label for label in panel.get_yticklabels() if label.get_text()]) >= 3
    assert "uniform start" in figure.caption


def test_the_command_draws_one_panel_for_a_column(run):
    arguments = ["--runs", "20", "--seed", "1", "--what", "steps", "-q"]
    drawn = []
    for name in ("s.png", "s.svg"):
        for size in ("120x60mm", "84x60mm"):
            assert run("study", "6", *arguments, "--plot", name, "--size", size) == (0, "", "")
            drawn.append(Path(name).read_bytes())
    wide, narrow = (Image.open(io.BytesIO(content)) for content in drawn[:2])
    assert (wide.size, narrow.size) == ((708, 354), (496, 354))
    assert [b"<!-- 5 algorithms, n = 6 -->" in content for content in drawn[2:]] == [True, False], (
        "a narrow picture has no title"
    )
    assert [content.count(b'<g id="axes_') for content in drawn[2:]] == [1, 1]
