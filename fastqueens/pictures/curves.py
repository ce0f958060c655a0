"""Conflict curves: conflicting queens and attacking pairs against the steps of a search, as document 001 draws them.

An entry of a trace is a board; its step is how many steps came before it. The first board of a later attempt is no
step, so it stands above or below the last board of the attempt before it, and no line joins the two.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from fastqueens.board import InputError
from fastqueens.pictures.style import FAINT, SERIES, Picture, caption, counted, house_style, large_number, new_figure
from fastqueens.result import Result, Trace
from fastqueens.tracefile import attempts_and_steps, checked_trace

WHAT = ("both", "conflicting", "pairs")

#: Columns of pixels an inch that keep their own extremes: enough for print.
COLUMNS_AN_INCH = 300

#: Inches a side: there has to be room for the words, and paper is no larger.
SMALLEST, LARGEST = 4, 200

_NAMES = {"conflicting": "Conflicting queens", "pairs": "Attacking pairs"}

#: More runs than these are drawn alike: nobody tells so many colours apart.
_MOST_NAMED = len(SERIES)

#: A plateau lasts so many steps at least, and this share of all: shorter ones could not be seen.
_PLATEAU_STEPS = 10
_PLATEAU_SHARE = 0.01

#: Counts get a logarithmic axis where they rise above this, and so large a share of the boards has nearly none of them.
_LARGEST_LINEAR = 50
_NEARLY_NONE = 0.02
_NEARLY_SOLVED_SHARE = 0.05

#: Steps get one where nine tenths of the way down take less than this share of them.
_STEEP_SHARE = 0.05
_LONG_SEARCH = 100

#: Runs of which one is so many times as long, or as high, as another get a logarithmic axis too.
_UNLIKE = 50

#: Boards of a search this short are marked one by one.
_FEW_STEPS = 40


class Run(NamedTuple):
    """One search to be drawn: its trace, where in it later attempts begin, and what is known of it."""

    trace: Trace
    restarts: Sequence[int] = ()
    label: str = ""
    n: int | None = None
    seed: int | None = None
    start: str | None = None

    @classmethod
    def of(cls, result: Result) -> Run:
        """What is drawn of a result; :class:`InputError` where it has no trace."""
        if result.trace is None:
            raise InputError("the result has no trace to draw: solve(..., trace=True) keeps one")
        return cls(result.trace, result.restarts, "", result.n, result.seed, result.start)


#: What can be drawn: a result, a trace, what ``read_trace`` gives, or a :class:`Run`.
Drawable: TypeAlias = Result | Trace | Run | tuple[Trace, Sequence[int]]


def conflict_curves(
    runs: Drawable | Sequence[Drawable],
    *,
    what: str = "both",
    title: str | None = None,
    size: tuple[float, float] | None = None,
    log_steps: bool | None = None,
    log_counts: bool | None = None,
    plateau: int | None = None,
) -> Picture:
    """Draw conflicting queens and attacking pairs against steps; several runs over each other.

    Long traces are thinned: of each column of pixels the first, last, least and greatest entry stay (M4 of Jugel,
    Jerzak, Hackenbroich and Markl, 2014), so no peak is lost and both ends are exact. A break in a line is a restart,
    also marked by a tick; a broad band under a line is a plateau. O(steps): 10^6 steps take some 50 ms.

    Parameters
    ----------
    runs : Result, Trace, what ``read_trace`` gives, Run, or a sequence of these
        The arrays of a trace are (entries,) integers.
    what : "both", "conflicting" or "pairs"
        Conflicting queens, attacking pairs, or both: in one panel for a single run, in two for several.
    title : str, optional
        In place of the one that says n.
    size : (width, height), optional
        Inches; 8 x 4.5, and higher for two panels.
    log_steps, log_counts : bool, optional
        Logarithmic axes, on which 0 has a place of its own. Where not given, the range decides: counts above 50, and
        a way down that is nearly all in the first steps.
    plateau : int, optional
        From how many steps with the same number of attacking pairs on a plateau is marked, 0 for never. A hundredth
        of the steps, and 10 at least, if not given.

    Returns
    -------
    Picture
        Its lines hold steps and counts, with nan at breaks.

    Raises
    ------
    InputError
        Where there is nothing to draw, a result has no trace, or arrays make no trace.

    Examples
    --------
    >>> import fastqueens
    >>> figure = conflict_curves(fastqueens.solve(100, start="random", seed=1))
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['Steps']
    """
    if what not in WHAT:
        raise InputError(f"what is {what!r}: it is one of {', '.join(WHAT)}")
    _check_size(size)
    curves = _curves(_as_runs(runs), plateau)
    shown = ("conflicting", "pairs") if what == "both" else (what,)
    n_panels = len(shown) if len(curves) > 1 else 1
    with house_style(), mpl.rc_context({"text.parse_math": False}):
        width, height = size or (8.0, 4.5 if n_panels == 1 else 7.0)
        figure = new_figure(width, height)
        panels = figure.subplots(n_panels, 1, sharex=True, squeeze=False)[:, 0]
        columns = max(1, round(width * COLUMNS_AN_INCH))
        by_panel = [shown] if n_panels == 1 else [(name,) for name in shown]
        logs = _Logs(
            _is_steep(curves) if log_steps is None else log_steps,
            _is_wide(curves, shown) if log_counts is None else log_counts,
        )
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)  # type: ignore[union-attr, call-arg]
        for axes, names in zip(panels, by_panel, strict=True):
            _draw_panel(axes, curves, names, columns, logs)
        _legend(panels[0], curves, shown if n_panels == 1 else (), width)
        panels[-1].set_xlabel("Steps")
        heading = textwrap.fill(title or _title(curves, what), max(10, int(8 * width)))
        figure.suptitle(heading, x=0.01, ha="left", fontsize=13, fontweight="bold")
        caption(figure, textwrap.fill(_caption(curves), max(16, int(13 * width))))
    return figure


class _Logs(NamedTuple):
    """Which axes are logarithmic."""

    steps: bool
    counts: bool


class _Curve(NamedTuple):
    """A run as it is drawn."""

    run: Run
    label: str
    steps: NDArray[np.int64]
    attempts: NDArray[np.int64]
    counts: dict[str, NDArray[np.int64]]
    plateaus: list[tuple[int, int]]

    @property
    def n_steps(self) -> int:
        return int(self.steps[-1])

    @property
    def least_pairs(self) -> int:
        return int(self.counts["pairs"].min())


def _check_size(size: tuple[float, float] | None) -> None:
    if size is not None and not (len(size) == 2 and all(SMALLEST <= side <= LARGEST for side in size)):
        raise InputError(f"size is {size}: width and height in inches are needed, each from {SMALLEST} to {LARGEST}")


def _as_runs(runs: Drawable | Sequence[Drawable]) -> list[Run]:
    several = [runs] if isinstance(runs, (Result, Trace, Run)) or _is_read(runs) else list(runs)
    if not several:
        raise InputError("there are no runs to draw")
    return [_as_run(run, index) for index, run in enumerate(several)]  # type: ignore[arg-type]


def _is_read(run: object) -> bool:
    """Whether this is a trace with its restarts, as ``read_trace`` gives them."""
    return isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], Trace) and not isinstance(run[1], Trace)


def _as_run(given: Drawable, index: int) -> Run:
    if isinstance(given, Result):
        run = Run.of(given)
    elif isinstance(given, Run):
        run = given
    elif isinstance(given, Trace):
        run = Run(given)
    elif _is_read(given):
        run = Run(*given)
    else:
        raise InputError(f"run {index} is {type(given).__name__}: a Result, a Trace or what read_trace gives is needed")
    trace, restarts = checked_trace(run.trace, run.restarts, run.label or f"run {index}")
    return run._replace(trace=trace, restarts=restarts)


def _curves(runs: list[Run], plateau: int | None) -> list[_Curve]:
    labels = _labels(runs)
    curves = []
    for run, label in zip(runs, labels, strict=True):
        attempts, steps = attempts_and_steps(np.arange(len(run.trace.pairs)), np.asarray(run.restarts, np.int64))
        least = max(_PLATEAU_STEPS, int(np.ceil(_PLATEAU_SHARE * steps[-1]))) if plateau is None else plateau
        counts = {"conflicting": run.trace.conflicting_queens, "pairs": run.trace.pairs}
        curves.append(_Curve(run, label, steps, attempts, counts, plateaus(run.trace.pairs, run.restarts, least)))
    return curves


def plateaus(pairs: NDArray[np.int64], restarts: Sequence[int], least: int) -> list[tuple[int, int]]:
    """The stretches of at least so many steps within an attempt in which the number of attacking pairs is the same.

    Parameters
    ----------
    pairs : (entries,) int64 array
    restarts : sequence of int
        Entries with which later attempts begin.
    least : int
        Steps; 0 for no stretch at all. A board without conflicts is no plateau.

    Returns
    -------
    list of (int, int)
        First and last entry of each.

    Examples
    --------
    >>> plateaus(np.array([5, 4, 4, 4, 1, 1, 1, 0]), [5], 2)
    [(1, 3)]
    """
    if least < 1:
        return []
    is_first = np.ones(len(pairs), bool)
    is_first[1:] = pairs[1:] != pairs[:-1]
    is_first[list(restarts)] = True
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(pairs)) - 1
    is_long = (lasts - firsts >= least) & (pairs[firsts] > 0)
    return list(zip(firsts[is_long].tolist(), lasts[is_long].tolist(), strict=True))


def thinned(places: NDArray[Any], values: NDArray[Any], attempts: NDArray[Any], columns: int) -> NDArray[np.int64]:
    """Choose the entries that a line needs: of each column of pixels the first, last, least and greatest.

    Parameters
    ----------
    places : (entries,) array
        Where on the axis each entry stands, rising.
    values, attempts : (entries,) integer arrays
        Entries of different attempts never share a column.
    columns : int
        Columns of pixels between the first and the last place.

    Returns
    -------
    (chosen,) int64 array
        Rising indices, the first and the last entry among them; all of them where nothing is won.

    Examples
    --------
    >>> values = np.array([9, 8, 7, 8, 30, 6, 5, 4])
    >>> thinned(np.arange(8), values, np.ones(8, int), 1)
    array([0, 4, 7])
    """
    if len(places) <= 4 * columns:
        return np.arange(len(places))
    share = (places - places[0]) / max(places[-1] - places[0], 1)
    column = np.minimum((share * columns).astype(np.int64), columns - 1)
    is_first = np.ones(len(places), bool)
    is_first[1:] = (column[1:] != column[:-1]) | (attempts[1:] != attempts[:-1])
    firsts = np.flatnonzero(is_first)
    lengths = np.diff(np.append(firsts, len(places)))
    chosen = [firsts, firsts + lengths - 1]
    for extreme in (np.minimum, np.maximum):
        at = np.flatnonzero(values == np.repeat(extreme.reduceat(values, firsts), lengths))
        # The first in each column of those that reach the extreme.
        chosen.append(at[np.searchsorted(at, firsts)])
    return np.unique(np.concatenate(chosen))


def _draw_panel(axes: Axes, curves: list[_Curve], names: Sequence[str], columns: int, logs: _Logs) -> None:
    alike = len(curves) > _MOST_NAMED
    most_steps = max(curve.n_steps for curve in curves)
    top = max(int(curve.counts[name].max()) for curve in curves for name in names)
    look: dict[str, Any] = {"marker": "o", "markersize": 4} if most_steps <= _FEW_STEPS else {}
    if alike:
        look = {"linewidth": 0.9, "alpha": 0.5}
    for index, (curve, name) in enumerate(itertools.product(curves, names)):
        color = SERIES[0] if alike else SERIES[index]
        chosen = _draw_curve(axes, curve, name, columns, logs.steps, {"color": color, **look})
        if not alike:
            _draw_plateaus(axes, curve, name, chosen, color)
    for index, curve in enumerate(curves):
        _draw_restarts(axes, curve, FAINT if alike or len(curves) == 1 else SERIES[index], len(curves) == 1)
    axes.set_ylabel(_NAMES[names[0]] if len(names) == 1 else "Count")
    width, height = axes.figure.get_size_inches()  # type: ignore[union-attr]
    n_panels = len(axes.figure.axes)
    (_set_log if logs.steps else _set_linear)(axes, "x", most_steps, width)
    (_set_log if logs.counts else _set_linear)(axes, "y", top, 2 * height / n_panels)


def _draw_curve(
    axes: Axes, curve: _Curve, name: str, columns: int, log_steps: bool, look: dict[str, Any]
) -> NDArray[np.int64]:
    """Draw a line through the entries it needs, and give these."""
    counts = curve.counts[name]
    places = np.log1p(curve.steps) if log_steps else curve.steps
    chosen = thinned(places, counts, curve.attempts, columns)
    x, y = _with_breaks(curve.steps[chosen], counts[chosen], curve.attempts[chosen])
    axes.plot(x, y, label=curve.label, gid=name, **look)
    return chosen


def _draw_plateaus(axes: Axes, curve: _Curve, name: str, chosen: NDArray[np.int64], color: str) -> None:
    """Draw a band under the line where the number of attacking pairs stays the same."""
    for first, last in curve.plateaus:
        inside = chosen[(chosen > first) & (chosen < last)]
        part = np.concatenate(([first], inside, [last]))
        look: dict[str, Any] = {"color": color, "linewidth": 8, "alpha": 0.28, "solid_capstyle": "butt"}
        axes.plot(curve.steps[part], curve.counts[name][part], gid="plateau", zorder=1.5, **look)


def _with_breaks(
    steps: NDArray[Any], counts: NDArray[Any], attempts: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Put nan between attempts, where no line is drawn."""
    at = np.flatnonzero(np.diff(attempts)) + 1
    return np.insert(steps.astype(np.float64), at, np.nan), np.insert(counts.astype(np.float64), at, np.nan)


def _draw_restarts(axes: Axes, curve: _Curve, color: str, is_single: bool) -> None:
    """Mark restarts by lines from top to bottom for a single run with few, else by ticks at the upper edge."""
    at = np.unique(curve.steps[np.asarray(curve.run.restarts, np.int64)])
    if not len(at):
        return
    is_crossing = is_single and len(at) <= 30
    axes.vlines(
        at, 0 if is_crossing else 0.97, 1, transform=axes.get_xaxis_transform(), color=color, gid="restart",
        linewidth=0.9, linestyle=(0, (4, 3)) if is_crossing else "-", zorder=1,
    )  # fmt: skip


def _is_steep(curves: list[_Curve]) -> bool:
    """Whether runs differ much in length, or the longest comes down nearly all the way in its first steps."""
    longest = max(curves, key=lambda curve: curve.n_steps)
    if longest.n_steps > _UNLIKE * max(1, min(curve.n_steps for curve in curves)):
        return True
    pairs = longest.counts["pairs"]
    if longest.n_steps < _LONG_SEARCH:
        return False
    down = np.flatnonzero(pairs <= longest.least_pairs + (pairs[0] - longest.least_pairs) / 10)
    return bool(longest.steps[down[0]] < _STEEP_SHARE * longest.n_steps) if pairs[0] > _LARGEST_LINEAR else False


def _is_wide(curves: list[_Curve], names: Sequence[str]) -> bool:
    """Whether runs differ much in height, or counts are large at first and small for long enough to be looked at."""
    counts = [curve.counts[name] for curve in curves for name in names]
    top = max(int(values.max()) for values in counts)
    if top > _UNLIKE * max(1, min(int(values.max()) for values in counts)):
        return True
    small = sum(int((values <= _NEARLY_NONE * top).sum()) for values in counts)
    return top > _LARGEST_LINEAR and small >= _NEARLY_SOLVED_SHARE * sum(map(len, counts))


def _set_linear(axes: Axes, which: Literal["x", "y"], top: int, most_ticks: float) -> None:
    """Set a linear axis from 0 on, whole numbers at its ticks."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(
        MaxNLocator(nbins=max(2, min(8, int(most_ticks))), steps=[1, 2, 2.5, 5, 10], integer=True, min_n_ticks=1)
    )
    axis.set_major_formatter(FuncFormatter(large_number))
    limit = max(top, 1)
    (axes.set_xlim if which == "x" else axes.set_ylim)(-0.02 * limit, (1.02 if which == "x" else 1.08) * limit)


def _set_log(axes: Axes, which: Literal["x", "y"], top: int, most_ticks: float) -> None:
    """Set a logarithmic axis from 1 on, with a linear piece below it that holds 0."""
    scale: dict[str, Any] = {"linthresh": 1, "linscale": 0.35}
    (axes.set_xscale if which == "x" else axes.set_yscale)("symlog", **scale)
    axis = axes.xaxis if which == "x" else axes.yaxis
    powers = range(len(str(max(top, 1))) + 1)
    decades = [10**power for power in powers]
    stride = 1 + len(decades) // max(2, int(min(8, most_ticks)))
    axis.set_major_locator(FixedLocator([0, *decades[::stride]]))
    axis.set_minor_locator(FixedLocator([k * decade for decade in decades for k in range(2, 10)]))
    axis.set_major_formatter(FuncFormatter(large_number))
    axis.set_minor_formatter(NullFormatter())
    (axes.set_xlim if which == "x" else axes.set_ylim)(-0.15, 1.4 * max(top, 1))


def _legend(axes: Axes, curves: list[_Curve], names: Sequence[str], figure_width: float) -> None:
    """Name the lines above the panel, where they are told apart, and the marks that there are."""
    handles: list[Line2D] = []
    if len(curves) == 1:
        if len(names) > 1:
            handles = [Line2D([], [], color=SERIES[index], label=_NAMES[name]) for index, name in enumerate(names)]
    elif len(curves) <= _MOST_NAMED:
        handles = [Line2D([], [], color=SERIES[index], label=curve.label) for index, curve in enumerate(curves)]
    else:
        handles = [Line2D([], [], color=SERIES[0], linewidth=0.9, label=f"one line a run, {len(curves)} runs")]
    if len(curves) <= _MOST_NAMED and any(curve.plateaus for curve in curves):
        handles.append(Line2D([], [], color=FAINT, linewidth=8, alpha=0.4, label="Plateau"))
    if any(curve.run.restarts for curve in curves):
        handles.append(Line2D([], [], color=FAINT, linestyle="", marker="|", markersize=11, label="Restart"))
    if handles:
        in_row = _legend_columns([str(handle.get_label()) for handle in handles], figure_width)
        axes.legend(
            handles=handles, loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2, ncols=in_row,
            handlelength=1.6, columnspacing=1.6, fontsize=9,
        )  # fmt: skip


def _legend_columns(labels: list[str], figure_width: float) -> int:
    """How many names of 9 points fit beside each other: a legend that is too wide squeezes the panel."""
    room = figure_width - 1.0
    widths = [0.6 + 0.085 * len(label) for label in labels]
    return len(labels) if sum(widths) <= room else max(1, int(room / max(widths)))


def _labels(runs: list[Run]) -> list[str]:
    """Name each run by its label, or by what sets it apart from the others."""
    known = [
        [
            "" if run.n is None else f"n = {run.n:,}",
            "" if run.seed is None else f"seed {run.seed}",
            "" if run.start is None else f"{run.start} start",
        ]
        for run in runs
    ]
    differs = [len(set(values)) > 1 for values in zip(*known, strict=True)]
    labels = []
    for index, (run, parts) in enumerate(zip(runs, known, strict=True)):
        apart = ", ".join(itertools.compress(parts, differs)).strip(", ")
        label = textwrap.shorten(run.label, 40, placeholder=" …") or apart or f"run {index + 1}"
        # To matplotlib an underscore in front means that nobody shall see it.
        labels.append(f" {label}" if label.startswith("_") else label)
    return labels


def _title(curves: list[_Curve], what: str) -> str:
    sizes = {curve.run.n for curve in curves}
    (n,) = sizes if len(sizes) == 1 else (None,)
    subject = "Conflicts" if what == "both" else _NAMES[what]
    if n is None:
        return f"{subject} during the search"
    queens = counted(n, "queen")
    return f"{subject} among {queens}" if what == "conflicting" else f"{subject} of {queens}"


def _caption(curves: list[_Curve]) -> str:
    runs = [curve.run for curve in curves]
    parts = [f"{len(curves)} runs"] if len(curves) > 1 else []
    for name, values in (("n = ", {run.n for run in runs}), ("seed ", {run.seed for run in runs})):
        known = sorted(value for value in values if value is not None)
        if known:
            several = "seeds " if name == "seed " and len(known) > 1 else name
            parts.append(several + _span(known, "," if name == "n = " else ""))
    starts = {run.start for run in runs}
    if len(starts) == 1 and None not in starts:
        (start,) = starts
        parts.append("a given board" if start == "given" else f"{start} start")
    steps = sorted({curve.n_steps for curve in curves})
    parts.append(f"{_span(steps, ',')} step{'' if steps == [1] else 's'}")
    restarts = sum(len(run.restarts) for run in runs)
    parts += [counted(restarts, "restart")] if restarts else []
    solved = sum(curve.least_pairs == 0 for curve in curves)
    if len(curves) > 1:
        parts.append(f"{solved} of {len(curves)} solved")
    else:
        left = curves[0].least_pairs
        parts.append("solved" if solved else f"{counted(left, 'attacking pair')} left")
    return " · ".join(parts)


def _span(values: Sequence[int], grouping: str) -> str:
    """Write the least and the greatest of rising values, or the one there is."""
    least, most = (format(value, grouping) for value in (values[0], values[-1]))
    return least if least == most else f"{least} to {most}"
