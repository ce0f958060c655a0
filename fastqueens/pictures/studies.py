"""Pictures of studies, of climbs and of run times.

Panels of studies and climbs go into a report: each is 8 x 5 cm, with small type.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, FixedLocator, LogLocator, MaxNLocator, NullFormatter, NullLocator

from fastqueens._run.arguments import SCALES, check_choice
from fastqueens.errors import InputError
from fastqueens.files.traces import attempts_and_steps
from fastqueens.pictures.curves import set_axis
from fastqueens.pictures.figure import Picture, caption, house_style, large_number, new_figure
from fastqueens.pictures.themes import theme as theme_in_use
from fastqueens.runtimes import RunTimes

WHAT = ("all", "success", "evaluations", "seconds", "steps")

#: A panel in inches: 8 x 5 cm.
_WIDTH, _HEIGHT = 8 / 2.54, 5 / 2.54

_SMALL: dict[Any, Any] = {
    "font.size": 7.5,
    "axes.titlesize": 9,
    "axes.titlepad": 5,
    "lines.linewidth": 1.1,
    "lines.markersize": 3,
    "legend.fontsize": 6.5,
    "legend.handlelength": 1.6,
    "legend.labelspacing": 0.25,
    "legend.borderaxespad": 0.2,
}

_MARKERS = "osD^v<>Pp*hX"

#: Panels of climbs next to each other, and bins of a histogram.
_MOST_IN_A_ROW = 4
_BINS = 25

#: Numbers at a logarithmic axis of a climb.
_MOST_TICKS = 3

#: The longest runs are left out of a histogram: this share is shown.
_SHOWN = 0.99

#: The graphs of run times in inches, and the labels of n that fit next to each other.
_SIZE_OF_TIMES = 9.0, 4.0
_MOST_SIZES = 6


def study_picture(study: Any, *, what: str = "all", theme: str = "light") -> Picture:
    """Draw a study: success, evaluations and seconds against n, and histograms of steps.

    Parameters
    ----------
    study : Study
        From :func:`fastqueens.study`.
    what : "all", "success", "evaluations", "seconds" or "steps"
        One panel of 8 x 5 cm, or all four. With a single n, the first three have a bar or a point for each rule.
    theme
        As in :func:`fastqueens.picture`.

    Notes
    -----
    Intervals are those of Wilson, 95 %. Evaluations and seconds are means per run. Histograms show the largest n,
    without the longest 1 % of the runs.

    Examples
    --------
    >>> import fastqueens
    >>> figure = study_picture(fastqueens.study([4, 6, 8], ["steepest", "beam"], 50, seed=1))
    >>> [axes.get_title(loc="left") for axes in figure.axes]
    ['Solved', 'Evaluations', 'Seconds', 'Steps, n = 8']
    """
    check_choice(what, "what", WHAT)
    panels = WHAT[1:] if what == "all" else (what,)
    rules = list(dict.fromkeys(row.rule for row in study.rows))
    extra = 0.0 if len(rules) <= 6 else 0.13 * (len(rules) - 6)
    with house_style(theme), mpl.rc_context(_SMALL):
        columns = min(2, len(panels))
        figure = new_figure(columns * _WIDTH, len(panels) // columns * (_HEIGHT + extra))
        places = figure.subplots(len(panels) // columns, columns, squeeze=False).ravel()
        for axes, name in zip(places, panels, strict=True):
            _DRAW.get(name, _draw_means)(axes, study, rules, name)
    return figure


def climb_picture(climbs: Sequence[Any], *, theme: str = "light", scale: str = "linear") -> Picture:
    """Draw the cost against the steps of climbs, next to each other; dotted lines are restarts.

    ``theme`` is as in :func:`fastqueens.picture`; ``scale`` is "linear" or "log", which shows 0 as well.

    >>> import fastqueens
    >>> figure = climb_picture([fastqueens.climb(8, rule=rule, seed=3) for rule in ("steepest", "beam")])
    >>> [axes.get_title(loc="left") for axes in figure.axes]
    ['steepest', 'beam']
    """
    if not climbs:
        raise InputError("climbs is empty: at least one is needed")
    check_choice(scale, "scale", SCALES)
    columns = min(_MOST_IN_A_ROW, len(climbs))
    lines = -(-len(climbs) // columns)
    top = max(int(climb.trace.pairs.max()) for climb in climbs)
    with house_style(theme), mpl.rc_context(_SMALL):
        width = _WIDTH if columns <= 3 else 2 * _WIDTH
        figure = new_figure(width, _HEIGHT * (1 if lines == 1 else 0.75 * lines))
        places = figure.subplots(lines, columns, sharey=True, squeeze=False).ravel()
        for axes, climb in zip(places, climbs, strict=False):
            _draw_climb(axes, climb)
            if scale == "log":
                set_axis(axes, "x", int(axes.get_xlim()[1]), _MOST_TICKS, True)
                set_axis(axes, "y", top, _MOST_TICKS, True)
            else:
                axes.set_ylim(0, 1.05 * top + 0.5)
                axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        for axes in places[len(climbs) :]:
            axes.set_visible(False)
        for axes in places[::columns]:
            axes.set_ylabel("cost")
    return figure


def _draw_climb(axes: Axes, climb: Any) -> None:
    series, restarts = theme_in_use().series, np.array(climb.restarts, np.int64)
    entries = np.arange(len(climb.trace.pairs))
    _, steps = attempts_and_steps(entries, restarts)
    for piece in np.split(entries, restarts):
        axes.step(steps[piece], climb.trace.pairs[piece], where="post", color=series[0])
    for at in np.unique(steps[restarts]):
        axes.axvline(at, color=series[1], linewidth=0.6, linestyle=":")
    axes.plot(
        steps[-1], climb.trace.pairs[-1], "o" if climb.solved else "x", color=series[2 if climb.solved else 1],
        clip_on=False, zorder=3,
    )  # fmt: skip
    axes.set(title=climb.rule, xlabel="steps")
    axes.xaxis.set_major_locator(MaxNLocator(3, integer=True, min_n_ticks=1))


def _draw_success(axes: Axes, study: Any, rules: list[str], _: str) -> None:
    figures = {
        (row.rule, row.n): tuple(row.figures()[f"success_{name}"] for name in ("rate", "low", "high"))
        for row in study.rows
    }
    if _has_bars(axes, study, "Solved"):
        rates, lows, highs = np.array(list(figures.values())).T
        bars: dict[str, Any] = {"ecolor": theme_in_use().ink, "error_kw": {"elinewidth": 0.8}}
        axes.barh(rules, rates, 0.7, xerr=[rates - lows, highs - rates], color=theme_in_use().series[0], **bars)
        axes.invert_yaxis()
        axes.grid(axis="y", visible=False)
        axes.set_xlim(0, 1)
        return
    for rule, look in _looks(rules):
        sizes = sorted(row.n for row in study.rows if row.rule == rule)
        rates, lows, highs = np.array([figures[rule, n] for n in sizes]).T
        axes.errorbar(sizes, rates, [rates - lows, highs - rates], label=rule, elinewidth=0.7, **look)
    axes.set(xlabel="n", ylabel="share of runs", ylim=(-0.02, 1.04))
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    _add_legend(axes)


def _draw_means(axes: Axes, study: Any, rules: list[str], name: str) -> None:
    """Draw means on logarithmic axes."""
    means = {(row.rule, row.n): row.figures()[f"{name}_mean"] for row in study.rows}
    numbers: Any = EngFormatter("s") if name == "seconds" else large_number
    if _has_bars(axes, study, name.capitalize()):
        # Points: on a logarithmic axis, bars would begin anywhere.
        axes.plot(list(means.values())[::-1], rules[::-1], "o")
        axes.set(xscale="log", xlim=(10.0 ** np.floor(np.log10(max(1e-9, min(means.values())))), None))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_locator(LogLocator(numticks=5))
        axes.xaxis.set_major_formatter(numbers)
        return
    for rule, look in _looks(rules):
        sizes = sorted(row.n for row in study.rows if row.rule == rule)
        axes.plot(sizes, [means[rule, n] for n in sizes], label=rule, **look)
    axes.set(xlabel="n", ylabel=f"{'time' if name == 'seconds' else name} of a run")
    _set_log_axes(axes, sorted({row.n for row in study.rows}), numbers)
    _add_legend(axes)


def _draw_steps(axes: Axes, study: Any, rules: list[str], _: str) -> None:
    """Draw for each rule how many runs took how many steps, on the largest board."""
    n = max(row.n for row in study.rows)
    axes.set_title(f"Steps, n = {n:,}")
    largest = [row for row in study.rows if row.n == n]
    steps = {row.rule: np.array(list((row.tally.solved + row.tally.failed).elements())) for row in largest}
    top = max(int(np.quantile(values, _SHOWN)) for values in steps.values())
    edges = np.unique(np.geomspace(1, max(2, top + 2), _BINS).astype(int))
    for rule, look in _looks(rules):
        del look["marker"]
        axes.hist(steps[rule] + 1, edges.tolist(), histtype="step", label=rule, **look)
    axes.set(xlabel="steps + 1", ylabel="runs", xscale="log")
    axes.xaxis.set_major_formatter(large_number)
    _add_legend(axes)


def _looks(rules: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return each rule with a colour, a marker and, when colours repeat, another line."""
    lines, series = ("-", "--", ":"), theme_in_use().series
    return [
        (rule, {"color": color, "marker": marker, "linestyle": lines[at // len(series) % 3]})
        for at, (rule, color, marker) in enumerate(zip(rules, cycle(series), cycle(_MARKERS), strict=False))
    ]


def _has_bars(axes: Axes, study: Any, title: str) -> bool:
    """Write the title, and return whether there is a single n: then each rule has a bar or a point."""
    sizes = {row.n for row in study.rows}
    axes.set_title(f"{title}, n = {min(sizes):,}" if len(sizes) == 1 else title)
    return len(sizes) == 1


def _add_legend(axes: Axes) -> None:
    """Name the rules next to the panel, so that no name hides a curve."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03))


#: What draws a panel; the others are means.
_DRAW = {"success": _draw_success, "steps": _draw_steps}


def run_times_picture(
    rows: Sequence[RunTimes], *, facts: str = "", scale: str = "log", theme: str = "light"
) -> Picture:
    """Draw the times of board generation and search against n, in two panels, as in Bursey et al. (2019).

    A point is a median; its bar goes from the fastest run to the slowest. The small print begins with ``facts``.
    """
    check_choice(scale, "scale", SCALES)
    if not rows:
        raise InputError("rows is empty: at least one board size is needed")
    rows = sorted(rows)
    sizes = [row.n for row in rows]
    with house_style(theme):
        figure = new_figure(*_SIZE_OF_TIMES)
        panels = figure.subplots(1, 2)
        for at, (axes, title) in enumerate(zip(panels, ("Board generation", "Search"), strict=True)):
            times = [row.board_generation if at == 0 else row.search for row in rows]
            axes.set(title=title, xlabel="Number of queens n", ylabel="Time (median)")
            # A logarithmic axis has no place for 0.
            medians, least, most = np.maximum(times, 1e-9).T
            bars, color = [medians - least, most - medians], theme_in_use().series[at]
            axes.errorbar(sizes, medians, bars, fmt="o-", color=color, elinewidth=1, capsize=3)
            if scale == "log":
                _set_log_axes(axes, sizes, EngFormatter("s"))
                low, high = np.log10(axes.get_ylim())
                axes.set_ylim(10.0 ** np.floor(low), 10.0 ** np.ceil(high))
            else:
                axes.set(xlim=(0, 1.05 * sizes[-1]), ylim=(0, None))
                axes.xaxis.set_major_locator(MaxNLocator(4))
                axes.xaxis.set_major_formatter(large_number)
                axes.yaxis.set_major_formatter(EngFormatter("s"))
        caption(figure, " · ".join(filter(None, [facts, "bars: from the fastest run to the slowest"])))
    return figure


def _set_log_axes(axes: Axes, sizes: list[int], numbers: Any) -> None:
    """Set logarithmic axes with powers of 10, or some of the sizes, at the first, and these numbers at the second."""
    axes.set(xscale="log", yscale="log")
    decades = [10**power for power in range(20) if sizes[0] <= 10**power <= sizes[-1]]
    marked = decades if len(decades) > 1 else sizes
    axes.xaxis.set_major_locator(FixedLocator(marked[:: -(-len(marked) // _MOST_SIZES)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(large_number)
    axes.yaxis.set_major_locator(LogLocator(numticks=8))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(numbers)
