"""Conflict curves: the figure shows the trace, and thinning loses no peak."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from figures import assert_texts_apart, texts_in_view
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import fastqueens
from fastqueens import Trace, read_trace, write_trace
from fastqueens.pictures.curves import Run, conflict_curves, thinned
from fastqueens.pictures.roles import LIGHT

STUCK = 89  # n = 12 restarts twice with this seed


def lines_of(figure, name):
    """Return the data of all lines that show one of the counts, in all panels."""
    return [line.get_xydata() for axes in figure.axes for line in axes.lines if line.get_gid() == name]


def expected(trace, restarts, name):
    """Return steps and counts with a break before each later attempt, entry by entry."""
    counts = getattr(trace, name)
    points, step = [], -1
    for entry, count in enumerate(counts):
        if entry in restarts:
            points.append((np.nan, np.nan))
        else:
            step += 1
        points.append((step, count))
    return np.array(points, float)


def search(n=1000, **options):
    return fastqueens.solve(n, **{"seed": 1, "start": "random", **options})


def a_trace(values):
    pairs = np.array(values, np.int64)
    return Trace(pairs, 2 * pairs)


def test_the_lines_are_the_trace():
    for result in (search(), search(12, seed=STUCK, start="windowed"), search(1)):
        figure = conflict_curves(result)
        for name, attribute in (("pairs", "pairs"), ("conflicting", "conflicting_queens")):
            (line,) = lines_of(figure, name)
            np.testing.assert_array_equal(line, expected(result.trace, result.restarts, attribute))


def test_attacking_pairs_of_one_search_are_red():
    one, two = (conflict_curves([search(50, seed=seed) for seed in seeds], what="pairs") for seeds in ([1], [1, 2]))
    assert [line.get_color() for line in one.axes[0].lines] == [LIGHT.attack]
    assert [line.get_color() for line in two.axes[0].lines] == list(LIGHT.series[:2])
    assert [line.get_color() for line in conflict_curves(search(50)).axes[0].lines] == [LIGHT.series[0], LIGHT.attack]


def test_all_runs_are_in_one_panel(subtests):
    for count, what, pairs, conflicting in (
        *[(1, None, 1, 1), (1, "pairs", 1, 0)],
        *[(2, None, 2, 0), (2, "conflicting", 0, 2), (2, "both", 2, 2)],
    ):
        figure = conflict_curves([search(50, seed=seed) for seed in range(count)], what=what)
        with subtests.test(count=count, what=what):
            assert len(figure.axes) == 1
            assert [len(lines_of(figure, name)) for name in ("pairs", "conflicting")] == [pairs, conflicting]
            assert "conflicting queens" in figure.caption or (count, what) != (2, "both")


def test_the_same_from_a_result_a_trace_a_file_and_a_run(tmp_path):
    result = search(12, seed=STUCK, start="windowed")
    write_trace(tmp_path / "a.csv", result.trace, result.restarts)
    read = read_trace(tmp_path / "a.csv")
    figures = [conflict_curves(runs) for runs in (result, Run(*read), [Run(*read)], [Run.of(result)])]
    for figure in (*figures, result.plot(what="pairs")):
        (line,) = lines_of(figure, "pairs")
        np.testing.assert_array_equal(line, expected(result.trace, result.restarts, "pairs"))
    (line,) = lines_of(conflict_curves(result.trace), "pairs")
    np.testing.assert_array_equal(line, expected(result.trace, (), "pairs"))
    assert len(lines_of(conflict_curves((Run(*read), result.trace)), "pairs")) == 2


def columns_by_hand(places, attempts, columns):
    """Return the entries of each column of pixels, entry by entry."""
    found = {}
    for entry, (place, attempt) in enumerate(zip(places, attempts, strict=True)):
        column = min(int((place - places[0]) / max(places[-1] - places[0], 1) * columns), columns - 1)
        found.setdefault((int(attempt), column), []).append(entry)
    return found


@given(
    values=st.lists(st.integers(0, 20), min_size=1, max_size=80).map(lambda values: values * 3),
    columns=st.integers(1, 6),
    data=st.data(),
)
def test_thinning_keeps_the_extremes_and_ends_of_each_column(values, columns, data):
    values = np.array(values)
    attempts = np.cumsum(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    places = np.arange(len(values)) if data.draw(st.booleans()) else np.log1p(np.arange(len(values)))
    chosen = thinned(places, values, attempts, columns)
    assert np.all(np.diff(chosen) > 0)
    kept = set(chosen.tolist())
    assert {0, len(values) - 1} <= kept
    for entries in columns_by_hand(places, attempts, columns).values():
        inside = [entry for entry in entries if entry in kept]
        assert {entries[0], entries[-1]} <= set(inside)
        assert min(values[inside]) == min(values[entries])
        assert max(values[inside]) == max(values[entries])
        assert len(inside) <= 4 or len(kept) == len(values)


def test_a_long_trace_is_thinned_and_keeps_its_peaks():
    generator = np.random.default_rng(1)
    values = generator.integers(100, 200, 10**6)
    values[[3, 500_000, 999_990]] = 10_000, 50_000, 7
    trace = a_trace(values)
    for scale in ("linear", "log"):
        (line,) = lines_of(conflict_curves(trace, what="pairs", scale=scale), "pairs")
        steps, counts = line.T.astype(int)
        assert len(steps) < 20_000
        assert {0, 3, 500_000, 999_990, len(values) - 1} <= set(steps)
        np.testing.assert_array_equal(counts, values[steps])


def test_a_break_and_a_tick_mark_a_restart():
    result = search(12, seed=STUCK, start="windowed")
    figure = conflict_curves(result, what="pairs")
    (ticks,) = [collection for collection in figure.axes[0].collections if collection.get_gid() == "restart"]
    at = [segment[0][0] for segment in ticks.get_segments()]
    assert at == [restart - number for number, restart in enumerate(result.restarts, 1)]


def test_axes_are_logarithmic_if_the_range_calls_for_it():
    for trace, scales in [
        (a_trace(range(1000, -1, -1)), ("linear", "symlog")),
        (a_trace(range(20, -1, -1)), ("linear", "linear")),
        (a_trace([*range(1000, 0, -20), *[1] * 50, 0]), ("linear", "symlog")),
        (a_trace([1000, 500, 200, 100, 50, *range(40, -1, -1), *[1] * 1000]), ("linear", "symlog")),
    ]:
        (axes,) = conflict_curves(trace, what="pairs").axes
        assert (axes.get_xscale(), axes.get_yscale()) == scales, trace.pairs
        for wanted, scale in (("linear", "linear"), ("log", "symlog")):
            (axes,) = conflict_curves(trace, what="pairs", scale=wanted).axes
            assert (axes.get_xscale(), axes.get_yscale()) == (scale, scale), trace.pairs


def test_all_numbers_at_an_axis_have_one_unit():
    """An axis does not mix "800,000" with "1.2 million"."""
    figure = conflict_curves(a_trace(range(1_200_000, -1, -1)), what="pairs", scale="linear")
    figure.figure.draw_without_rendering()
    (axes,) = figure.axes
    assert axes.get_xlabel() == "Steps (millions)"
    assert texts(figure)[3] == "Attacking pairs (millions)"
    for axis in (axes.xaxis, axes.yaxis):
        shown = [label.get_text() for label in axis.get_ticklabels()]
        assert {"0", "0.2", "1", "1.2"} <= set(shown)
    (axes,) = conflict_curves(a_trace(range(900, -1, -1)), what="pairs", scale="linear").axes
    assert axes.get_xlabel() == "Steps"


def texts(figure):
    heading, caption = figure.figure.get_suptitle(), figure.caption
    legend = figure.axes[0].get_legend()
    return heading, caption, [text.get_text() for text in legend.get_texts()], legend.get_title().get_text()


def test_title_caption_and_legend_state_n_seed_and_steps():
    one = search(1000)
    heading, caption, names, counted = texts(conflict_curves(one))
    assert heading == "Conflicts of 1,000 queens"
    assert caption == f"n = 1,000 · seed 1 · random start · {one.steps:,} steps · solved"
    assert counted == "", "the names of the lines say it"
    assert names[:2] == ["Conflicting queens", "Attacking pairs"]
    some = [search(100, seed=seed, max_steps=20) for seed in (3, 4)]
    heading, caption, names, counted = texts(conflict_curves(some, what="pairs"))
    assert counted == "Attacking pairs"
    assert heading == "Attacking pairs of 100 queens"
    assert caption == "2 runs · n = 100 · seeds 3 to 4 · random start · 20 steps · 0 of 2 solved"
    assert names[:2] == ["seed 3", "seed 4"]
    _, _, names, _ = texts(conflict_curves([search(50), search(100)]))
    assert names == ["n = 50", "n = 100"]
    heading, caption, *_ = texts(conflict_curves(one.trace, title="$x_1 and a $ more"))
    assert heading == "$x_1 and a $ more"
    assert caption == f"{one.steps:,} steps · solved"


@pytest.mark.parametrize(("count", "what"), [(1, "both"), (1, "pairs"), (6, "both"), (6, "pairs")])
def test_names_have_the_colours_of_their_lines(count, what):
    figure = conflict_curves(
        [Run.of(search(50, seed=seed))._replace(label=9 * f"run{seed}") for seed in range(count)], what=what
    )
    lines = [line for line in figure.axes[0].lines if not line.get_label().startswith("_")]
    assert texts(figure)[2] == ([line.get_label() for line in lines] if len(lines) > 1 else [])
    if len(lines) > 1:
        assert [text.get_color() for text in figure.axes[0].get_legend().get_texts()] == [
            line.get_color() for line in lines
        ]
    assert_texts_apart(figure)


def looks_of(figure):
    """Return the dashes of each line in widths of the line, and its width: the only differences in grey print."""
    return [(tuple(np.round(line._dash_pattern[1] or (), 3)), line.get_linewidth()) for line in figure.axes[0].lines]


def test_no_two_lines_look_alike_in_grey_print():
    for count, what in ((1, "both"), (6, "pairs"), (6, "both")):
        looks = looks_of(conflict_curves([search(50, seed=seed) for seed in range(count)], what=what))
        assert len(set(looks)) == len(looks) == count * (2 if what == "both" else 1), (count, what)


def test_dashes_fit_into_the_lines_next_to_names():
    figure = conflict_curves([search(50, seed=seed) for seed in range(6)])
    for line in figure.axes[0].get_legend().get_lines():
        assert sum(line._dash_pattern[1] or ()) < np.ptp(line.get_xdata())


def median_by_hand(traces, step):
    return np.median([trace.pairs[min(step, len(trace.pairs) - 1)] for trace in traces])


def test_many_runs_share_one_colour_and_have_a_median():
    results = [search(50, seed=seed, max_steps=30 + seed) for seed in range(20)]
    figure = conflict_curves(results)
    lines = [line for line in figure.axes[0].lines if line.get_gid() == "pairs"]
    assert (len(lines), len({line.get_color() for line in lines})) == (20, 1)
    assert texts(figure)[2:] == (["median of 20 runs"], "Attacking pairs")
    (median,) = lines_of(figure, "median")
    traces = [result.trace for result in results]
    assert median.tolist() == [[step, median_by_hand(traces, step)] for step in range(len(median))]
    longest = max(len(trace.pairs) for trace in traces)
    later = {median_by_hand(traces, step) for step in range(len(median) - 1, longest)}
    assert later == {median[-1, 1]}, "the line ends where it stays the same"
    assert median[-2, 1] != median[-1, 1]


def sizes_of_type(figure):
    figure.figure.draw_without_rendering()
    return {text.get_fontsize() for text in texts_in_view(figure) if text.get_text()}


def test_a_column_of_a_report_has_small_type_and_no_title():
    results = [search(50, seed=seed) for seed in range(4)]
    column = conflict_curves(results, size="84x60mm", title="Dropped")
    assert (column.figure.get_size_inches() * 25.4).round(6).tolist() == [84, 60]
    assert column.figure.get_suptitle() == ""
    assert sizes_of_type(column) == {7, 8}
    assert sizes_of_type(conflict_curves(results, title="Kept")) == {9, 10, 11, 1.3 * 14}
    assert conflict_curves(results, size=(4, 3), title="Kept").figure.get_suptitle() == "Kept"


@pytest.mark.parametrize(("size", "counts"), [("84x60mm", (1, 6, 8)), ("50x50mm", (1, 8)), ("200x80mm", (6, 8))])
def test_nothing_overlaps_in_any_size(size, counts, tmp_path):
    for count in counts:
        runs = [search(1000 if count == 1 else 50, seed=seed) for seed in range(count)]
        figure = conflict_curves(runs, size=size)
        assert_texts_apart(figure)
    figure.save(tmp_path / "a.png", dpi=100)
    with Image.open(tmp_path / "a.png") as image:
        assert np.allclose(image.size, figure.figure.get_size_inches() * 100, atol=1)


def test_a_climb_draws_itself_and_algorithms_name_their_lines():
    climbs = [fastqueens.climb(8, algorithm=algorithm, seed=3) for algorithm in ("steepest", "restart", "genetic")]
    figure = conflict_curves(climbs)
    assert texts(figure)[2] == ["steepest", "restart", "genetic"]
    for climb, line in zip(climbs, lines_of(figure, "pairs"), strict=True):
        np.testing.assert_array_equal(line, expected(climb.trace, climb.restarts, "pairs"))
    alone = climbs[1].plot(size="84x60mm")
    np.testing.assert_array_equal(lines_of(alone, "pairs")[0], lines_of(figure, "pairs")[1])
    assert lines_of(alone, "conflicting") == []
    assert "n = 8 · seed 3" in alone.caption


def test_odd_labels_are_shown(tmp_path):
    labels = ["_hidden.csv", "$x^", "long " * 30, "plain"]
    figure = conflict_curves([Run(search(50, seed=n).trace, label=label) for n, label in enumerate(labels)])
    shown = texts(figure)[2]
    assert [name.strip() for name in (shown[0], shown[1], shown[3])] == ["_hidden.csv", "$x^", "plain"]
    assert len(shown[2]) <= 40
    figure.save(tmp_path / "a.png")


def test_drawing_leaves_pyplot_and_settings_alone():
    code = (
        "import sys, matplotlib, fastqueens; before = matplotlib.rcParams.copy();"
        "fastqueens.solve(100, seed=1).plot();"
        "print('matplotlib.pyplot' in sys.modules, dict.__eq__(before, matplotlib.rcParams))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


# fastqueens plot, fastqueens solve --plot


def assert_shows(path, figure, dpi=None):
    """Check that a file holds the same picture as a figure, whose lines and words other tests check."""
    figure.save(Path(f"expected{Path(path).suffix}"), dpi=dpi)
    assert Path(path).read_bytes() == Path(f"expected{Path(path).suffix}").read_bytes()


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
def test_solve_plots_its_trace_and_plot_draws_what_it_wrote(run, suffix):
    """The first of the two searches restarts."""
    for seed in (STUCK, 2):
        options = ["--seed", str(seed), "--start", "windowed", "--trace", f"t{seed}{suffix}"]
        assert run("solve", "12", *options, "--plot", "c.svg", "-q") == (0, "", "")
        assert_shows("c.svg", conflict_curves(search(12, seed=seed, start="windowed")))
    arguments = ["-o", "c.png", "--what", "pairs", "--title", "Two", "--size", "6x4in", "--dpi", "90"]
    exit_code, out, err = run("plot", f"t{STUCK}{suffix}", f"t2{suffix}", *arguments)
    traces = [read_trace(f"t{seed}{suffix}") for seed in (STUCK, 2)]
    steps = sum(len(trace.pairs) - 1 - len(restarts) for trace, restarts in traces)
    assert (exit_code, err) == (0, "")
    assert re.fullmatch(rf"Wrote c\.png \(.* kB\): {steps} steps of 2 runs\.\n", out)
    facts = {seed: (12, seed, "windowed") if suffix == ".npz" else () for seed in (STUCK, 2)}
    runs = [Run(*trace, f"t{seed}", *facts[seed]) for seed, trace in zip(facts, traces, strict=True)]
    assert_shows("c.png", conflict_curves(runs, what="pairs", title="Two", size=(6, 4)), dpi=90)
    with Image.open("c.png") as image:
        assert image.size == (540, 360)


def test_the_caption_names_the_instance():
    one, other, free = (
        fastqueens.solve(fastqueens.make_instance(30, **constraints), start="random", method="local", seed=1)
        for constraints in ({"fixed": {1: 3}, "excluded_sums": [0]}, {"fixed": {1: 3}}, {})
    )
    words = "with 1 fixed queen and 1 excluded sum diagonal"
    assert f" · {words} · " in conflict_curves(one).caption
    assert words in conflict_curves([one, one]).caption
    assert "fixed queen" not in conflict_curves([one, other]).caption
    assert "with" not in conflict_curves(free).caption
