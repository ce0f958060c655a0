"""Run times against n, both axes logarithmic: the two graphs of document 001, with its own points beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from fastqueens.board import InputError
from fastqueens.pictures.style import FAINT, SERIES, Picture, caption, counted, house_style, large_number, new_figure

PARTS = ("placement", "search")

#: Hollow after the first, since few threads and many often take the same time.
_LOOKS = (
    {"color": SERIES[0], "marker": "o", "markeredgecolor": "white", "markersize": 7},
    {"color": SERIES[2], "marker": "s", "markerfacecolor": "none", "markeredgewidth": 1.6, "markersize": 10},
    {"color": SERIES[3], "marker": "^", "markerfacecolor": "none", "markeredgewidth": 1.6, "markersize": 12},
)
_THEIR_LOOK = {"color": SERIES[1], "marker": "D", "markeredgecolor": "white", "markersize": 7}


def run_times(
    rows: Sequence[Mapping[str, Any]],
    published: Mapping[int, tuple[float, float]] | None = None,
    *,
    title: str = "Seconds for n queens",
    note: str = "",
) -> Picture:
    """Draw the seconds of placement and of search against n, with the slope of the straight line nearest to them.

    A slope of s means that the time grows as n^s. Times of 0 have no place on a logarithmic axis and are left out.

    Parameters
    ----------
    rows : sequence of mappings
        As :func:`fastqueens.scaling.measure` gives them: "n", "threads", and under the name of each part "median" in
        ns a queen, or None where it was not measured.
    published : mapping of n to (float, float), optional
        Seconds of placement and of search, to stand beside ours.
    title, note : str
        What stands above and below: the machine, say.

    Returns
    -------
    Picture
        A panel a part; its lines hold n and seconds, those that were fitted come after their points.

    Raises
    ------
    InputError
        Where there are no rows.

    Examples
    --------
    >>> rows = [{"n": n, "threads": 1, "placement": {"median": 10.0}, "search": None} for n in (1000, 10_000)]
    >>> above, below = run_times(rows).axes
    >>> above.get_legend().get_texts()[0].get_text()
    'fastqueens, 1 thread: n^1.00'
    """
    if not rows:
        raise InputError("there are no times to draw")
    with house_style():
        figure = new_figure(8, 8)
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)  # type: ignore[union-attr, call-arg]
        panels = figure.subplots(len(PARTS), 1, sharex=True)
        for axes, part, place in zip(panels, PARTS, (0, 1), strict=True):
            for index, threads in enumerate(sorted({row["threads"] for row in rows})):
                name = f"fastqueens, {counted(threads, 'thread')}"
                _draw_times(axes, _seconds(rows, part, threads), name, _LOOKS[index % len(_LOOKS)])
            theirs = {n: times[place] for n, times in (published or {}).items()}
            _draw_times(axes, theirs, "document 001", _THEIR_LOOK)
            _dress(axes, part)
        panels[-1].set_xlabel("n, number of queens")
        figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
        caption(figure, note)
    return figure


def slope(times: Mapping[int, float]) -> tuple[float, float] | None:
    """Fit seconds = a n^s by least squares of the logarithms: (s, log a), or None for fewer than two points.

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
    """Draw the points, and the line that fits them in its label's words."""
    sizes = sorted(n for n, seconds in times.items() if seconds > 0)
    if not sizes:
        return
    fitted = slope(times)
    # Plus 0, so that no minus stands before 0.00.
    label = name if fitted is None else f"{name}: n^{round(fitted[0], 2) + 0.0:.2f}"
    axes.plot(sizes, [times[n] for n in sizes], label=label, linestyle="", **look)
    if fitted is not None:
        exponent, offset = fitted
        ends = np.array([sizes[0], sizes[-1]], np.float64)
        line = {"color": look["color"], "linewidth": 1.2, "zorder": 1.5}
        axes.plot(ends, np.exp(exponent * np.log(ends) + offset), gid="fit", **line)


def _dress(axes: Axes, part: str) -> None:
    axes.set(xscale="log", yscale="log", ylabel=f"{part.capitalize()}, seconds")
    for axis, words in ((axes.xaxis, large_number), (axes.yaxis, _time)):
        axis.set_major_locator(LogLocator(numticks=12))
        axis.set_major_formatter(FuncFormatter(words))
        axis.set_minor_formatter(NullFormatter())
    if axes.lines:
        axes.legend(loc="upper left", fontsize=9)
    axes.tick_params(axis="x", labelsize=9)
    axes.tick_params(which="minor", color=FAINT, length=2)


def _time(seconds: float, _position: int | None = None) -> str:
    """Write a power of ten of seconds in the unit it reads best in."""
    for size, word in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= 0.999 * size:
            return f"{seconds / size:,.6g} {word}"
    return f"{seconds * 1e9:,.6g} ns"
