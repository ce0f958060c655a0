"""Run-time pictures: the points are the stored rows in seconds, and the slopes fit the points."""

import json

import numpy as np
import pytest

from bench import report
from bench.document001 import PUBLISHED
from bench.runtime import PARTS, run_times, slope

STORED = json.loads((report.RESULTS / "scaling.json").read_text())


def points_of(axes):
    """Return the label and the points of each line that is not a fit."""
    return {line.get_label(): line.get_xydata() for line in axes.lines if line.get_gid() != "fit"}


def a_row(n, threads, placement, search):
    seconds = {"placement": placement, "search": search}
    return {"n": n, "threads": threads, **{part: {"median": seconds[part] / n * 1e9} for part in PARTS}}


def test_the_points_are_the_stored_rows_and_the_published_ones():
    figure = run_times(STORED["rows"], PUBLISHED)
    counts = sorted({row["threads"] for row in STORED["rows"]})
    for place, (axes, part) in enumerate(zip(figure.axes, PARTS, strict=True)):
        *ours, published = points_of(axes).values()
        for threads, points in zip(counts, ours, strict=True):
            rows = [row for row in STORED["rows"] if row["threads"] == threads]
            assert points[:, 0].tolist() == [row["n"] for row in rows]
            np.testing.assert_allclose(points[:, 1], [row[part]["median"] * row["n"] / 1e9 for row in rows])
        expected = {n: times[place] for n, times in PUBLISHED.items() if times[place] > 0}
        assert dict(published.tolist()) == expected
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        assert part in axes.get_ylabel().lower()


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 2.3])
def test_slopes(exponent):
    fitted = slope({n: 0.7 * n**exponent for n in (10, 30, 1000, 10**9)})
    np.testing.assert_allclose(fitted, (exponent, np.log(0.7)), atol=1e-12)


def test_values_without_a_logarithm_and_missing_measurements_are_left_out():
    assert slope({10: 0.0, 100: 1.0}) is None
    rows = [{**a_row(n, 1, n * 1e-8, 1e-5), **({"search": None} if n == 100 else {})} for n in (10, 100, 1000)]
    placement, search = (next(iter(points_of(axes).values())) for axes in run_times(rows).axes)
    assert (placement[:, 0].tolist(), search[:, 0].tolist()) == ([10, 100, 1000], [10, 1000])
