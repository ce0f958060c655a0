"""Run times against n on logarithmic axes: the two graphs of Bursey et al. (2019), with its points next to ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from fastqueens.core.errors import InputError, counted
from fastqueens.pictures.figure import Picture, caption, new_figure
from fastqueens.pictures.style import FAINT, SERIES, house_style, large_number

PARTS = ("placement", "search")

#: The first has filled markers, the others hollow ones: times of few and many threads often coincide.
_LOOKS = (
    {"color": SERIES[0], "marker": "o", "markeredgecolor": "white", "markersize": 7},
    {"color": SERIES[2], "marker": "s", "markerfacecolor": "none", "markeredgewidth": 1.6, "markersize": 10},
    {"color": SERIES[3], "marker": "^", "markerfacecolor": "none", "markeredgewidth": 1.6, "markersize": 12},
)
_PUBLISHED_LOOK = {"color": SERIES[1], "marker": "D", "markeredgecolor": "white", "markersize": 7}


def run_times(
    rows: Sequence[Mapping[str, Any]],
    published: Mapping[int, tuple[float, float]] | None = None,
    *,
    title: str = "Seconds for n queens",
    note: str = "",
) -> Picture:
    """Draw the seconds of placement and of search against n, each with its fitted line and slope.

    A slope of s means that the time grows as n^s. Times of 0 are omitted, since the axes are logarithmic.

    Parameters
    ----------
    rows : sequence of mappings
        As :func:`bench.scaling.measure` returns them: "n", "threads", and for each part the "median" in
        ns per queen, or None if it was not measured.
    published : mapping of n to (float, float), optional
        Published seconds of placement and of search, drawn next to ours.
    title, note : str
        Text above and below the graphs, for example the machine.

    Returns
    -------
    Picture
        A panel for each part; its lines hold n and seconds, and each fitted line follows its points.

    Raises
    ------
    InputError
        If there are no rows.

    Examples
    --------
    >>> rows = [{"n": n, "threads": 1, "placement": {"median": 10.0}, "search": None} for n in (1000, 10_000)]
    >>> above, below = run_times(rows).axes
    >>> above.get_legend().get_texts()[0].get_text()
    'fastqueens, 1 thread: n^1.00'
    """
    if not rows:
        raise InputError("rows is empty: at least one row of times is needed")
    with house_style():
        figure = new_figure(8, 8)
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)  # type: ignore[union-attr, call-arg]
        panels = figure.subplots(len(PARTS), 1, sharex=True)
        for axes, part, place in zip(panels, PARTS, (0, 1), strict=True):
            for index, threads in enumerate(sorted({row["threads"] for row in rows})):
                name = f"fastqueens, {counted(threads, 'thread')}"
                _draw_times(axes, _seconds(rows, part, threads), name, _LOOKS[index % len(_LOOKS)])
            other = {n: times[place] for n, times in (published or {}).items()}
            _draw_times(axes, other, "Bursey et al. 2019", _PUBLISHED_LOOK)
            _set_axes(axes, part)
        panels[-1].set_xlabel("n, number of queens")
        figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
        caption(figure, note)
    return figure


def slope(times: Mapping[int, float]) -> tuple[float, float] | None:
    """Fit seconds = a n^s by least squares of the logarithms; return (s, log a), or None for fewer than two points.

    Examples
    --------
    >>> fitted = slope({10: 0.5, 100: 50.0, 1000: 5000.0, 1: 0.0})
    >>> round(fitted[0], 9)
    2.0
    """
    points = [(n, seconds) for n, seconds in times.items() if seconds > 0]
    if len({n for n, _ in points}) < 2:
        return None
    logs = np.log(np.array(points, np.float64))
    exponent, offset = np.polyfit(logs[:, 0], logs[:, 1], 1)
    return float(exponent), float(offset)


def _seconds(rows: Sequence[Mapping[str, Any]], part: str, threads: int) -> dict[int, float]:
    return {
        row["n"]: row[part]["median"] * row["n"] * 1e-9
        for row in rows
        if row["threads"] == threads and row[part] is not None
    }


def _draw_times(axes: Axes, times: Mapping[int, float], name: str, look: Mapping[str, Any]) -> None:
    """Draw the points and the line that fits them; the label states the slope."""
    sizes = sorted(n for n, seconds in times.items() if seconds > 0)
    if not sizes:
        return
    fitted = slope(times)
    # Adding 0.0 turns -0.0 into 0.0.
    label = name if fitted is None else f"{name}: n^{round(fitted[0], 2) + 0.0:.2f}"
    axes.plot(sizes, [times[n] for n in sizes], label=label, linestyle="", **look)
    if fitted is not None:
        exponent, offset = fitted
        ends = np.array([sizes[0], sizes[-1]], np.float64)
        line = {"color": look["color"], "linewidth": 1.2, "zorder": 1.5}
        axes.plot(ends, np.exp(exponent * np.log(ends) + offset), gid="fit", **line)


def _set_axes(axes: Axes, part: str) -> None:
    axes.set(xscale="log", yscale="log", ylabel=f"{part.capitalize()}, seconds")
    for axis, written in ((axes.xaxis, large_number), (axes.yaxis, _time)):
        axis.set_major_locator(LogLocator(numticks=12))
        axis.set_major_formatter(written)
        axis.set_minor_formatter(NullFormatter())
    if axes.lines:
        axes.legend(loc="upper left", fontsize=9)
    axes.tick_params(axis="x", labelsize=9)
    axes.tick_params(which="minor", color=FAINT, length=2)


def _time(seconds: float, _position: float | None = None) -> str:
    """Write a power of ten of seconds in the most readable unit."""
    for size, word in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= 0.999 * size:
            return f"{seconds / size:,.6g} {word}"
    return f"{seconds * 1e9:,.6g} ns"
