"""Pictures of studies and of run times for reports. The panels of a study are 8 cm wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import (
    EngFormatter,
    FixedLocator,
    FuncFormatter,
    LogLocator,
    NullFormatter,
    NullLocator,
    PercentFormatter,
)
from numpy.typing import NDArray

from fastqueens._run.arguments import AXES, Size, check_choice
from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.pictures.curves import DASHES, WIDE, set_axis
from fastqueens.pictures.figure import (
    POINTS_PER_INCH,
    Picture,
    caption,
    finished,
    house_style,
    inches_of,
    large_number,
    new_figure,
    panels_in,
    scale_of,
)
from fastqueens.pictures.roles import blend
from fastqueens.pictures.roles import theme as theme_in_use
from fastqueens.runtimes import RunTimes

#: The panels of a study and their titles.
_TITLES = {"success": "Solved", "steps": "Steps", "evaluations": "Evaluations", "seconds": "Time"}
WHAT = ("all", *_TITLES)

#: A panel in inches: 8 x 5 cm.
_WIDTH, _HEIGHT = 8 / 2.54, 5 / 2.54

#: Inches around the rows, the height of a row and of a title, and the width that panels side by side need.
_AROUND_ROWS, _ROW, _FOR_TITLE, _SIDE_BY_SIDE = 0.85, 0.16, 0.4, 5.5

#: The shares of the runs at the ends of a strip, of its bar and at its dot.
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_STRIPS = "dot: median, bar: 25 to 75 %, line: 5 to 95 %"

#: Above and below the first and the last row, in rows: no dot stands on the frame.
_ROOM = 0.6

#: More algorithms have rows instead of curves, whose names are this high, in sizes of type; on the least board, points
#: have this share of paper.
_MOST_CURVES, _NAME, _PALEST = 6, 1.25, 0.75

#: The least gap between two numbers at an axis, in heights of their type.
_APART = 0.4

#: Run times in inches.
_SIZE_OF_TIMES = 9.0, 4.0

#: The first digits of numbers at a logarithmic axis, and how many numbers there are at axes of n and of values.
_DIGITS, _MOST_SIZES, _MOST_TICKS = ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)), 7, 3


class DrawnRow(Protocol):
    """One algorithm on one board size: its statistics, and how many runs took each number of steps."""

    @property
    def n(self) -> int:
        """Side of each board."""

    @property
    def algorithm(self) -> str:
        """Name of the algorithm."""

    @property
    def steps(self) -> Counter[int]:
        """The number of runs that took each number of steps."""

    def figures(self) -> dict[str, Any]:
        """Return the statistics of the runs by name."""


class DrawnStudy(Protocol):
    """The parts of a :class:`fastqueens.Study` that a picture shows."""

    @property
    def rows(self) -> Sequence[DrawnRow]:
        """One row for each algorithm on each board size."""

    @property
    def runs(self) -> int:
        """Number of runs of each algorithm on each board size."""

    @property
    def is_partial(self) -> bool:
        """Whether the study was stopped."""


def study_picture(
    study: DrawnStudy,
    *,
    what: str = "all",
    title: str | None = None,
    theme: str = "light",
    size: Size | None = None,
    ax: Axes | None = None,
) -> Picture:
    """Draw a study: success, evaluations and time of each algorithm, and quantiles of the steps.

    Parameters
    ----------
    study : Study
        Result of :func:`fastqueens.study`.
    what : "all", "success", "steps", "evaluations" or "seconds"
        One panel, or all four. Each algorithm has a row. Algorithms that solve more boards of the largest size come
        first, and of equals those with fewer evaluations. Up to six algorithms on several board sizes have curves
        against n instead, except for the steps.
    title : str, optional
        Title of the figure. Figures that are narrower than 3.5 inches have no title.
    theme : "light", "dark", "transparent" or "dark-transparent", default "light"
        Colours, as in :func:`fastqueens.picture`.
    size : str or (width, height), optional
        Size in inches, or a text with a unit, such as "84x60mm". By default, panels are 8 cm wide.
    ax : matplotlib.axes.Axes, optional
        Your own axes to draw one panel into, in your type and without a caption. By default, a new figure is drawn.

    Returns
    -------
    Picture
        A notebook shows it, ``save`` writes it, and ``figure`` is its figure.

    Raises
    ------
    InputError
        If an option is invalid, or all panels would be drawn into ``ax``.

    See Also
    --------
    fastqueens.study : Run a study.

    Notes
    -----
    Success rates have 95 % intervals by Wilson's formula. Evaluations and seconds are means per run.

    Examples
    --------
    >>> import fastqueens
    >>> picture = study_picture(fastqueens.study([4, 6, 8], ["steepest", "beam"], 50, seed=1))
    >>> [axes.get_title(loc="left") for axes in picture.axes]
    ['Solved', 'Steps, n = 8', 'Evaluations', 'Time']
    """
    check_choice(what, "what", WHAT)
    names = list(_TITLES) if what == "all" else [what]
    rows = _of_complete_sizes(study.rows)
    sizes = sorted({row.n for row in rows})
    algorithms = _sorted_algorithms(rows, sizes[-1])
    has_rows = _has_rows(len(algorithms), len(sizes))
    given = None if size is None and ax is None else inches_of(size, ax, (0, 0))
    columns, usual = layout_of_study(what, len(algorithms), len(sizes), given)
    with house_style(theme, 0, ax, scale_of(usual[0], 2 * _WIDTH)):
        mosaic = [names[first : first + columns] for first in range(0, len(names), columns)]
        panels = panels_in(ax, usual, what, mosaic, sharey=has_rows)
        for name, axes in panels.items():
            axes.set_title(_TITLES[name])
            if name == "steps":
                _draw_strips(axes, rows, algorithms, sizes, has_rows=has_rows)
            elif has_rows:
                _draw_values(axes, rows, algorithms, name)
            else:
                _draw_curves(axes, rows, algorithms, name)
        to = "and" if len(sizes) == 2 else "to"
        n = f"n = {sizes[0]:,}" if len(sizes) == 1 else f"n = {sizes[0]:,} {to} {sizes[-1]:,}"
        parts = (
            f"{n} (pale to dark)" if has_rows and len(sizes) > 1 and what != "steps" else n,
            f"{'up to ' if study.is_partial else ''}{counted(study.runs, 'run')} each",
            "solved: 95 % intervals" if "success" in names else "",
            f"{'steps: ' if what == 'all' else ''}{_STRIPS}" if "steps" in names else "",
        )
        usual_title = f"{counted(len(algorithms), 'algorithm')}, {n}"
        shown = finished(axes, ax, title, usual_title, " · ".join(filter(None, parts)), size)
        # Names of curves take room from the width of panels, and need their present height.
        shown.figure.draw_without_rendering()
        for axes in shown.axes:
            _name_curves(axes)
            if axes.get_xlabel() == "n":
                _hide_overlaps(axes)
    return shown


def layout_of_study(
    what: str, algorithms: int, sizes: int, inches: tuple[float, float] | None
) -> tuple[int, tuple[float, float]]:
    """Return how many panels are side by side, and the size of the figure in inches."""
    panels = len(_TITLES) if what == "all" else 1
    width = inches[0] if inches else _WIDTH * min(2, panels)
    columns = 1 if panels == 1 else 4 if _has_rows(algorithms, sizes) and width >= _SIDE_BY_SIDE else 2
    height = max(_HEIGHT, _AROUND_ROWS + _ROW * algorithms)
    return columns, inches or (width, panels // columns * height + (_FOR_TITLE if panels > 1 else 0))


def _has_rows(algorithms: int, sizes: int) -> bool:
    """Return whether algorithms have rows, instead of curves against n."""
    return sizes == 1 or algorithms > _MOST_CURVES


def _of_complete_sizes(rows: Sequence[DrawnRow]) -> list[DrawnRow]:
    """Return the rows of sizes that lack no algorithm that another size has, as can happen in a partial study."""
    algorithms: dict[int, set[str]] = {}
    for row in rows:
        algorithms.setdefault(row.n, set()).add(row.algorithm)
    complete = {n for n, some in algorithms.items() if some == set().union(*algorithms.values())} or {rows[0].n}
    return [row for row in rows if row.n in complete]


def _sorted_algorithms(rows: list[DrawnRow], n: int) -> list[str]:
    """Return the algorithms by their success on boards of n, then by their mean evaluations."""
    figures = [row.figures() for row in rows if row.n == n]
    figures.sort(key=lambda row: (-row["success_rate"], row["evaluations_mean"]))
    return [row["algorithm"] for row in figures]


def _quantiles(row: DrawnRow) -> NDArray[np.float64]:
    """Return the quantiles of the steps of all runs, solved or not."""
    values, counts = np.array(sorted(row.steps.items())).T
    at = np.searchsorted(np.cumsum(counts), np.array(_QUANTILES) * counts.sum())
    return np.asarray(values[at], np.float64)


def _draw_strips(axes: Axes, rows: list[DrawnRow], algorithms: list[str], sizes: list[int], *, has_rows: bool) -> None:
    """Draw the quantiles of the steps of each algorithm on the largest board, in the colour of its curves."""
    n, line, series = sizes[-1], mpl.rcParams["lines.linewidth"], theme_in_use().series
    # Some versions of matplotlib take a pair for a colour and its opacity, so this is a list.
    colors = [*(series[:1] * len(algorithms) if has_rows else series[: len(algorithms)])]
    found = {row.algorithm: _quantiles(row) for row in rows if row.n == n}
    low, first, median, third, high = np.array([found[algorithm] for algorithm in algorithms]).T
    at = range(len(algorithms))
    axes.hlines(at, low, high, colors, linewidth=0.8 * line, gid="5 to 95 %")
    axes.hlines(at, first, third, colors, linewidth=3.5 * line, alpha=0.5, gid="25 to 75 %")
    for row, (middle, color) in enumerate(zip(median, colors, strict=True)):
        axes.plot(middle, row, "o", color=color, clip_on=False)
    top = int(high.max())
    set_axis(axes, "x", "", top, _MOST_TICKS, top > WIDE)
    if len(sizes) > 1:
        axes.set_title(f"Steps, n = {n:,}")
    _set_rows(axes, algorithms)


def _draw_values(axes: Axes, rows: list[DrawnRow], algorithms: list[str], name: str) -> None:
    """Draw a point for each algorithm, darker for larger boards, and the intervals of success rates."""
    sizes, line = sorted({row.n for row in rows}), mpl.rcParams["lines.linewidth"]
    for n, share in zip(sizes, np.linspace(_PALEST, 0, len(sizes)) if len(sizes) > 1 else [0], strict=True):
        found = {row.algorithm: row.figures() for row in rows if row.n == n}
        figures = [found[algorithm] for algorithm in algorithms]
        is_last, color = n == sizes[-1], blend(theme_in_use().series[0], theme_in_use().paper, share)
        values, at = [_value(row, name) for row in figures], range(len(algorithms))
        axes.plot(values, at, "o", color=color, markersize=(3.5 if is_last else 2.2) * line, clip_on=False)
        if name == "success" and is_last:
            low, high = ([row[f"success_{end}"] for row in figures] for end in ("low", "high"))
            axes.hlines(at, low, high, color=color, linewidth=line, gid="interval")
    _set_values(axes, "x", name)
    _set_rows(axes, algorithms)


def _draw_curves(axes: Axes, rows: list[DrawnRow], algorithms: list[str], name: str) -> None:
    """Draw a curve against n for each algorithm."""
    figures = {(row.algorithm, row.n): row.figures() for row in rows}
    sizes = sorted({row.n for row in rows})
    series, line = theme_in_use().series, mpl.rcParams["lines.linewidth"]
    for at, algorithm in enumerate(algorithms):
        values = [_value(figures[algorithm, n], name) for n in sizes]
        axes.plot(
            sizes, values, linestyle=DASHES[at], color=series[at], marker="o", markersize=2.5 * line, gid=algorithm
        )
        if name == "success":
            low, high = ([figures[algorithm, n][f"success_{end}"] for n in sizes] for end in ("low", "high"))
            axes.vlines(sizes, low, high, color=series[at], linewidth=0.6 * line, gid="interval")
    _set_sizes(axes, sizes)
    axes.set_xlabel("n")
    _set_values(axes, "y", name)


def _value(figures: dict[str, Any], name: str) -> float:
    return figures["success_rate" if name == "success" else f"{name}_mean"]  # type: ignore[no-any-return]


def _set_rows(axes: Axes, algorithms: list[str]) -> None:
    """Give each algorithm a row with its name, the first one at the top."""
    axes.set_yticks(range(len(algorithms)), algorithms, va="center")
    axes.set_ylim(len(algorithms) - 1 + _ROOM, -_ROOM)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _set_values(axes: Axes, which: str, name: str) -> None:
    """Set the axis of shares of solved boards, or a logarithmic one of evaluations or seconds."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axes.set(**({f"{which}lim": (-0.03, 1.03)} if name == "success" else {f"{which}scale": "log"}))
    # Ticks that crowd towards the powers of ten say that the axis is logarithmic.
    axis.set_minor_locator(NullLocator() if name == "success" else LogLocator(subs=range(1, 10)))
    axis.set_minor_formatter(NullFormatter())
    marked = _round_numbers(*axis.get_view_interval(), count=_MOST_TICKS + 2 * (which == "y"))
    axis.set_major_locator(FixedLocator([0, 0.5, 1] if name == "success" else marked))
    if name == "success":
        axis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    else:
        axis.set_major_formatter(EngFormatter("s") if name == "seconds" else FuncFormatter(large_number))


def _set_sizes(axes: Axes, sizes: Sequence[int]) -> None:
    """Set a logarithmic axis of n, whose ticks are measured sizes."""
    axes.set_xscale("log")
    axes.set_xticks(sizes)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(large_number)


def _round_numbers(least: float, most: float, count: int) -> list[float]:
    """Return round numbers for a logarithmic axis, not many more than ``count``.

    >>> _round_numbers(4, 20, 7), _round_numbers(10, 10_000, 7), _round_numbers(200, 7000, 3)
    ([4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0], [10.0, 100.0, 1000.0, 10000.0], [200.0, 1000.0, 5000.0])
    """
    found: list[float] = []
    for digits in _DIGITS:
        numbers = (digit * 10.0**power for power in range(-9, 13) for digit in digits)
        denser = [number for number in numbers if least <= number <= most and (number < 1 or number % 1 == 0)]
        if len(denser) <= count or len(found) < 2:
            found = denser[:: -(-len(denser) // count) or 1]
    return found


def _hide_overlaps(axes: Axes) -> None:
    """Hide numbers of the drawn axis of n that touch others, except the first and the last; of many, hide the ticks."""
    labels = axes.get_xticklabels()
    boxes = [label.get_window_extent() for label in labels]
    shown = [0]
    for at in range(1, len(labels)):
        gap, is_last = _APART * boxes[at].height, at == len(labels) - 1
        if is_last or (boxes[at].x0 > boxes[shown[-1]].x1 + gap and boxes[at].x1 + gap < boxes[-1].x0):
            shown.append(at)
    if len(labels) > _MOST_SIZES:
        axes.set_xticks(axes.get_xticks()[shown])
    else:
        for at in {*range(len(labels))} - {*shown}:
            labels[at].set_visible(False)


def _name_curves(axes: Axes) -> None:
    """Write the name of each curve next to its end, or a little off if names would overlap."""
    # The caller's settings can have words for sizes.
    size = FontProperties(size=mpl.rcParams["legend.fontsize"]).get_size_in_points()
    found = {line: str(line.get_gid()) for line in axes.lines if line.get_gid()}
    gap = _NAME * size / POINTS_PER_INCH * axes.figure.dpi / axes.bbox.height
    to_axes = axes.transData - axes.transAxes
    ends = {line: to_axes.transform(np.array(line.get_xydata())[-1]) for line in found}
    order = sorted(found, key=lambda line: float(ends[line][1]))
    places = [float(ends[line][1]) for line in order]
    for at in range(1, len(places)):
        places[at] = max(places[at], places[at - 1] + gap)
    for at in reversed(range(len(places))):
        places[at] = min(places[at], 1 - (len(places) - 1 - at) * gap)
    for line, place in zip(order, places, strict=True):
        look: dict[str, Any] = {"color": line.get_color(), "va": "center", "fontsize": size}
        leader = {"arrowstyle": "-", "color": look["color"], "linewidth": 0.5, "shrinkB": 2, "relpos": (0, 0.5)}
        axes.annotate(found[line], tuple(ends[line]), (1.08, place), "axes fraction", arrowprops=leader, **look)


def run_times_picture(
    rows: Sequence[RunTimes], *, facts: str = "", scale: str = "auto", theme: str = "light", size: Size | None = None
) -> Picture:
    """Draw the times of board generation and search against n, in two panels, as in Bursey et al. (2019).

    A point is a median, and its bar reaches from the fastest to the slowest run. The small print begins with ``facts``.
    ``scale`` is "linear", "log" or "auto", which is logarithmic if the largest n is more than 50 times the least.
    """
    check_choice(scale, "scale", AXES)
    if not rows:
        raise InputError("rows is empty: at least one board size is needed")
    rows = sorted(rows)
    sizes = [row.n for row in rows]
    is_log = scale == "log" or (scale == "auto" and sizes[-1] > WIDE * sizes[0])
    inches = inches_of(size, None, _SIZE_OF_TIMES)
    with house_style(theme, inches[0], scale=scale_of(inches[0], _SIZE_OF_TIMES[0])):
        figure = new_figure(*inches)
        panels = figure.subplots(1, 2)
        for at, (panel, title) in enumerate(zip(panels, ("Board generation", "Search"), strict=True)):
            times = [row.board_generation if at == 0 else row.search for row in rows]
            panel.set(title=title, xlabel="Number of queens n")
            # A logarithmic axis has no place for 0.
            medians, least, most = np.maximum(times, 1e-9).T
            bars, color = [medians - least, most - medians], theme_in_use().series[at]
            panel.errorbar(sizes, medians, bars, fmt="o-", color=color, elinewidth=1, capsize=3)
            if is_log:
                _set_sizes(panel, sizes)
                panel.set_yscale("log")
                low, high = np.log10(panel.get_ylim())
                panel.set_ylim(10.0 ** np.floor(low), 10.0 ** np.ceil(high))
                _set_values(panel, "y", "seconds")
            else:
                set_axis(panel, "x", "Number of queens n", sizes[-1], _MOST_TICKS + 1, False)
                if len(sizes) <= _MOST_SIZES:
                    panel.xaxis.set_major_locator(FixedLocator(sizes))
                panel.set_ylim(0, None)
            panel.yaxis.set_major_formatter(EngFormatter("s"))
        text = " · ".join(filter(None, [facts, "dots: medians, bars: from the fastest run to the slowest"]))
        caption(figure, text)
        figure.draw_without_rendering()
        for panel in panels:
            _hide_overlaps(panel)
    return Picture(figure, tuple(figure.axes), "Run times", text)
