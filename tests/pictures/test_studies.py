"""Pictures of studies and run times: what is drawn, and the size for a report."""

import numpy as np
import pytest
from figures import assert_texts_apart

import fastqueens
from fastqueens.classroom.rules import RULES
from fastqueens.pictures.studies import WHAT, run_times_picture, study_picture
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
    intervals = [bars for bars in axes.collections if bars.get_gid() == "interval"]
    for line, bars in zip(axes.lines, intervals, strict=True):
        rows = [row for row in study.to_rows() if row["rule"] == line.get_gid()]
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


def quantile_by_hand(study, rule, n, share):
    """Return the least number of steps that at least this share of the runs does not exceed."""
    (row,) = [row for row in study.rows if (row.rule, row.n) == (rule, n)]
    steps = sorted((row.tally.solved + row.tally.failed).elements())
    return next(value for at, value in enumerate(steps, 1) if at >= share * len(steps))


def test_only_measured_sizes_are_named():
    for sizes in ([5, 7, 13], list(range(4, 13)), [4, 100]):
        axes = fastqueens.study(sizes, ["steepest"], 20, seed=1).plot(what="success").axes[0]
        named = [int(label.get_text().replace(",", "")) for label in axes.get_xticklabels()]
        assert set(named) <= set(sizes)
        assert [named[0], named[-1]] == [sizes[0], sizes[-1]]


@pytest.mark.parametrize("sizes", [8, [5, 8, 6]])
def test_a_strip_shows_the_quantiles_of_the_steps_of_each_rule(sizes):
    found = fastqueens.study(sizes, ["restart", "steepest", "sideways", "random-walk"], 101, seed=1)
    (axes,) = study_picture(found, what="steps").axes
    rules = names_of_rows(axes)
    medians = [quantile_by_hand(found, rule, 8, 0.5) for rule in rules]
    assert medians == sorted(medians)
    strips = {strip.get_gid(): strip for strip in axes.collections}
    assert axes.lines[0].get_xydata().tolist() == [[median, row] for row, median in enumerate(medians)]
    for name, shares in (("5 to 95 %", (0.05, 0.95)), ("25 to 75 %", (0.25, 0.75))):
        ends = [segment[:, 0].tolist() for segment in strips[name].get_segments()]
        assert ends == [[quantile_by_hand(found, rule, 8, share) for share in shares] for rule in rules]
    assert axes.get_title(loc="left") == ("Steps" if sizes == 8 else "Steps, n = 8")


@pytest.fixture(scope="module")
def sixteen():
    return {sizes: fastqueens.study(list(sizes), list(RULES), 20, seed=1) for sizes in ((6,), (4, 5, 6))}


@pytest.mark.parametrize("sizes", [(6,), (4, 5, 6)])
def test_sixteen_rules_have_rows_with_names_that_all_panels_share(sixteen, sizes):
    study = sixteen[sizes]
    figure = study_picture(study)
    assert_texts_apart(figure)
    assert len(figure.axes) == 4
    assert not figure.legends
    for axes in figure.axes:
        assert axes.get_ylim() == figure.axes[0].get_ylim()
        assert axes.get_legend() is None
        low, high = sorted(axes.get_ylim())
        assert low <= -0.5 < len(RULES) - 0.5 <= high, "no dot stands on the frame"
        assert axes.get_window_extent().y0 == figure.axes[0].get_window_extent().y0
    assert set(names_of_rows(figure.axes[0])) == set(RULES)
    means = {(row["rule"], row["n"]): row["evaluations_mean"] for row in study.to_rows()}
    for n, line in zip(sizes, figure.axes[2].lines, strict=True):
        assert line.get_xdata().tolist() == [means[rule, n] for rule in names_of_rows(figure.axes[0])]
    assert ("(pale to dark)" in figure.get_supxlabel()) == (len(sizes) > 1)
    assert figure.get_suptitle() == ("16 rules, n = 6" if len(sizes) == 1 else "16 rules, n = 4 to 6")


@pytest.mark.parametrize("what", WHAT[1:])
def test_sixteen_rules_fit_into_a_column(sixteen, what):
    for study in sixteen.values():
        figure = study_picture(study, what=what, size="84x60mm", title="Dropped")
        assert (figure.get_size_inches() * 25.4).round(6).tolist() == [84, 60]
        assert figure.get_suptitle() == ""
        long = study_picture(study, what=what, size="120x80mm", title=60 * "Rules ")
        assert (long.get_size_inches() * 25.4).round(6).tolist() == [120, 80]
        figure.draw_without_rendering()
        names = figure.axes[0].get_yticklabels()
        middles = sorted(name.get_window_extent().get_points()[:, 1].mean() for name in names)
        apart = np.diff(middles) / figure.dpi * 72
        assert min(apart) >= names[0].get_fontsize() == 7
        assert_texts_apart(study_picture(study, what=what, size="84x80mm"))


@pytest.mark.parametrize("size", [None, "120x90mm", "84x70mm"])
def test_names_of_curves_are_apart(study, size):
    rules = ["steepest", "sideways", "restart", "restart-sideways", "beam", "mrv"]
    figure = study_picture(fastqueens.study([4, 6, 8], rules, 60, seed=1), size=size, what="success")
    assert_texts_apart(figure)
    assert sorted(text.get_text() for text in figure.axes[0].texts) == sorted(rules)


def test_a_single_size_has_points_with_intervals():
    found = fastqueens.study(8, ["steepest", "beam"], 50, seed=1)
    figure = study_picture(found, title="Mine")
    axes, rows = figure.axes[0], {row["rule"]: row for row in found.to_rows()}
    (bars,) = [bars for bars in axes.collections if bars.get_gid() == "interval"]
    rules = names_of_rows(axes)
    np.testing.assert_allclose(
        [ends[:, 0] for ends in bars.get_segments()],
        [[rows[rule]["success_low"], rows[rule]["success_high"]] for rule in rules],
    )
    assert axes.lines[0].get_xdata().tolist() == [rows[rule]["success_rate"] for rule in rules]
    assert (axes.get_title(loc="left"), figure.get_suptitle()) == ("Solved", "Mine")
    assert figure.get_supxlabel().startswith("n = 8 · 50 runs each · ")
    times = study_picture(found, what="seconds").axes[0]
    assert times.lines[0].get_xdata().tolist() == [rows[rule]["seconds_mean"] for rule in rules]
    assert [times.xaxis.get_major_formatter()(value) for value in (1e-6, 1e-4, 2)] == ["1 µs", "100 µs", "2 s"]


def row(n):
    counts = Spread(n / 10, 1, n)
    return RunTimes(n, 5, 5, Spread(2e-6 * n, 1e-6 * n, 3e-6 * n), Spread(1e-5, 0, 4e-5), counts, counts)


@pytest.mark.parametrize(("axes", "scale"), [("auto", "log"), ("log", "log"), ("linear", "linear")])
def test_medians_and_extremes_of_both_times(axes, scale):
    rows = [row(n) for n in (1000, 10, 100_000, 1_000_000)]
    figure = run_times_picture(rows, facts="uniform start", axes=axes)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "Board generation: median time",
        "Search: median time",
    ]
    unit = " (millions)" if scale == "linear" else ""
    assert {panel.get_xlabel() for panel in figure.axes} == {f"Number of queens n{unit}"}
    for panel, name in zip(figure.axes, ("board_generation", "search"), strict=True):
        times = [getattr(one, name) for one in sorted(rows)]
        line, _, (bars,) = panel.containers[0]
        assert line.get_xdata().tolist() == [10, 1000, 100_000, 1_000_000]
        np.testing.assert_allclose(line.get_ydata(), [time.median for time in times])
        ends = [tuple(segment[:, 1]) for segment in bars.get_segments()]
        np.testing.assert_allclose(ends, [(max(time.least, 1e-9), time.most) for time in times])
        assert (panel.get_xscale(), panel.get_yscale()) == (scale, scale)
        assert panel.get_ylim()[0] <= max(0, min(end[0] for end in ends))
        assert panel.get_ylim()[1] >= max(end[1] for end in ends)
        figure.draw_without_rendering()
        labels = [label.get_text() for label in panel.get_xticklabels()]
        assert "1 million" in labels or scale == "linear"
        assert len([label for label in panel.get_yticklabels() if label.get_text()]) >= 3
    assert "uniform start" in figure.get_supxlabel()


def test_the_command_draws_one_panel_for_a_column(run, monkeypatch):
    drawn = []
    monkeypatch.setattr("fastqueens.pictures.saving.save_picture", lambda *picture, dpi: drawn.append((*picture, dpi)))
    arguments = ["--runs", "20", "--plot", "s.pdf", "--what", "steps", "--title", "Rules", "--dpi", "300", "-q"]
    assert run("study", "6", *arguments, "--size", "120x60mm") == (0, "", "")
    assert run("study", "6", *arguments, "--size", "84x60mm") == (0, "", "")
    (wide, *there), (narrow, *_) = drawn
    assert there == ["s.pdf", 300]
    assert (wide.get_size_inches() * 25.4).round(6).tolist() == [120, 60]
    assert (wide.get_suptitle(), narrow.get_suptitle(), len(wide.axes)) == ("Rules", "", 1)
