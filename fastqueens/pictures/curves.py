"""Conflict curves: conflicting queens and attacking pairs against the steps of a search, as in Bursey et al. (2019).

Each entry of a trace is a board, and its step is the number of steps before it. A restart is not a step: the first
board of a later attempt stands above or below the last board of the attempt before it, and no line joins the two.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from fastqueens._run.arguments import AXES, Size, check_choice
from fastqueens._run.text import counted
from fastqueens.board import Trace
from fastqueens.errors import InputError
from fastqueens.files.traces import attempts_and_steps, checked_trace
from fastqueens.pictures.figure import (
    BOLD,
    POINTS_PER_INCH,
    Picture,
    capitals,
    finished,
    house_style,
    inches_of,
    new_axes,
    scale_of,
    text_width,
)
from fastqueens.pictures.roles import theme

WHAT = ("both", "conflicting", "pairs")

#: A line keeps the extremes of this many columns of pixels per inch, enough for print.
_COLUMNS_PER_INCH = 300

SIZE = 8.0, 4.5

#: The names of the counts in titles, at lines and at axes.
_NAMES = {"conflicting": "Conflicting queens", "pairs": "Attacking pairs"}

#: Grey print has no colours, so runs also differ in their dashes, and counts in the width of their lines, as a share of
#: the usual width. More runs share one colour, with this opacity.
_LENGTHS = None, (4.5, 1.5), (1.4, 1.2), (4.5, 1.2, 1.2, 1.2), (2.5, 1), (4, 1, 1, 1, 1, 1)
DASHES = tuple((0, lengths) for lengths in _LENGTHS)
_WIDTHS = {"conflicting": 0.7, "pairs": 1.35}
_ALIKE = 0.25

#: The room for the line and the gaps next to each name in the legend, and at the left of the legend, in sizes of type.
_HANDLE, _LEFT = 4.1, 2.5

#: Searches with at most this many steps get a marker for each board.
_FEW_STEPS = 40

#: The units of large numbers, as powers of 10.
_UNITS = ((9, "billions"), (6, "millions"))

#: Counts above this number get a logarithmic axis, and so do steps if one run is this many times as long as another.
WIDE = 50


class Run(NamedTuple):
    """A search to draw: its trace, the entries at which later attempts begin, and facts for the caption."""

    trace: Trace
    restarts: Sequence[int] = ()
    label: str = ""
    n: int | None = None
    seed: int | None = None
    start: str | None = None
    constraints: str = ""

    @classmethod
    def of(cls, result: Any) -> Run:
        """Return the run of a :class:`fastqueens.Result` or a climb; raise :class:`InputError` if it has no trace."""
        if result.trace is None:
            raise InputError("the result has no trace to draw; solve(..., trace=True) records one")
        if hasattr(result, "algorithm"):
            return cls(result.trace, result.restarts, result.algorithm, result.n, result.seed)
        known = result.n, result.seed, result.start, result.instance.constraints
        return cls(result.trace, result.restarts, "", *known)


#: A trace, a :class:`Run`, or a result or a climb, which draw themselves by this file.
Drawable: TypeAlias = Trace | Run | Any


class Curve(NamedTuple):
    """A run with everything its lines need; the arrays hold one value for each entry of the trace."""

    run: Run
    label: str
    steps: NDArray[np.int64]
    attempts: NDArray[np.int64]

    @property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        """The counts by their names."""
        return {"conflicting": self.run.trace.conflicting_queens, "pairs": self.run.trace.pairs}

    @property
    def n_steps(self) -> int:
        """The number of steps."""
        return int(self.steps[-1])


def conflict_curves(
    runs: Drawable | Sequence[Drawable],
    *,
    what: str | None = None,
    title: str | None = None,
    theme: str = "light",
    size: Size | None = None,
    ax: Axes | None = None,
    scale: str = "auto",
) -> Picture:
    """Draw conflicting queens and attacking pairs against steps, with all runs in one panel.

    A break in a line, with a tick above it, is a restart. More than six runs are drawn faintly, with their median. Long
    traces are thinned without losing a peak. Takes O(steps) time, about 50 ms for a million steps.

    Parameters
    ----------
    runs : Result, Climb, Trace, Run, or a sequence of these
        The searches to draw. ``Run(*read_trace(path))`` is a search from a file.
    what : "both", "conflicting" or "pairs", optional
        Conflicting queens, attacking pairs, or both. By default, both for one run, and attacking pairs for several.
    title : str, optional
        Title of the figure. By default, it states n. Figures that are narrower than 3.5 inches have no title.
    theme : "light", "dark", "transparent" or "dark-transparent", default "light"
        Colours, as in :func:`fastqueens.picture`.
    size : str or (width, height), optional
        Size in inches, or a text with a unit, such as "84x60mm". By default 8 x 4.5 inches. Figures that are narrower
        than 5 inches have the small type of a column of a report.
    ax : matplotlib.axes.Axes, optional
        Your own axes to draw into, in your type and without a caption. By default, a new figure is drawn.
    scale : "auto", "linear" or "log", default "auto"
        Scale of both axes. With "auto", the axis of counts is logarithmic above 50, and the axis of steps if one run
        has more than 50 times as many steps as another. Logarithmic axes also show 0.

    Returns
    -------
    Picture
        A notebook shows it, ``save`` writes it, and ``figure`` is its figure.

    Raises
    ------
    InputError
        If a run has no trace, or an option is unknown.

    See Also
    --------
    fastqueens.Result.plot, fastqueens.Climb.plot : Draw one search.

    Examples
    --------
    >>> import fastqueens
    >>> conflict_curves(fastqueens.solve(100, start="random", seed=1)).title
    'Conflicts of 100 queens'
    """
    check_choice(scale, "scale", AXES)
    inches = inches_of(size, ax, SIZE)
    with house_style(theme, inches[0], ax, scale_of(inches[0], SIZE[0])):
        runs = _as_runs(runs)
        entries = [attempts_and_steps(np.arange(len(run.trace.pairs)), np.asarray(run.restarts)) for run in runs]
        named = zip(runs, _labels(runs), entries, strict=True)
        curves = [Curve(run, label, steps, at) for run, label, (at, steps) in named]
        what = what or ("both" if len(curves) == 1 else "pairs")
        check_choice(what, "what", WHAT)
        names = ("conflicting", "pairs") if what == "both" else (what,)
        panel = new_axes(ax, inches)
        _draw_panel(panel, curves, names, scale, inches)
        if ax is None:
            _name_lines(panel, inches[0])
        elif len(panel.lines) > 1:
            panel.legend()
        return finished(panel, ax, title, _title(curves, what), _caption(curves, names), size)


def _title(curves: list[Curve], what: str) -> str:
    """Return the default title, which states n if all runs have the same."""
    n = _common([curve.run.n for curve in curves])
    subject = "Conflicts" if what == "both" else _NAMES[what]
    if n is None:
        return f"{subject} during the search"
    return f"{subject} {'among' if what == 'conflicting' else 'of'} {counted(n, 'queen')}"


def _caption(curves: list[Curve], names: Sequence[str]) -> str:
    """Return the facts about all runs, from n to the number that were solved."""
    runs, is_many = [curve.run for curve in curves], len(curves) > 1
    n, seeds = _span([run.n for run in runs], ","), _span([run.seed for run in runs])
    steps = _span([curve.n_steps for curve in curves], ",")
    start, constraints = _common([run.start for run in runs]), _common([run.constraints for run in runs])
    restarts, least = sum(len(run.restarts) for run in runs), [int(run.trace.pairs.min()) for run in runs]
    end = "solved" if least[0] == 0 else f"{counted(least[0], 'attacking pair')} left"
    parts = (
        f"{len(curves)} runs" if is_many else "",
        f"n = {n}" if n else "",
        f"seed{'s' if ' to ' in seeds else ''} {seeds}" if seeds else "",
        "custom start" if start == "board" else f"{start} start" if start else "",
        f"with {constraints}" if constraints else "",
        f"{steps} step{'' if steps == '1' else 's'}",
        f"{counted(restarts, 'restart')} (ticks)" if restarts else "",
        f"{least.count(0)} of {len(curves)} solved" if is_many else end,
        "thin: conflicting queens" if is_many and len(names) > 1 else "",
    )
    return " · ".join(filter(None, parts))


def _common(values: Sequence[Any]) -> Any:
    """Return the value of all runs, or None if they differ."""
    return values[0] if len(set(values)) == 1 else None


def _span(values: Sequence[int | None], grouping: str = "") -> str:
    """Write the range of values, or the only value; "" if a run has none."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return ""
    least, most = (format(value, grouping) for value in (min(known), max(known)))
    return least if least == most else f"{least} to {most}"


def _draw_panel(
    panel: Axes, curves: list[Curve], names: Sequence[str], scale: str, inches: tuple[float, float]
) -> None:
    """Draw the named counts of all runs, and set and name the axes."""
    lengths = [curve.n_steps for curve in curves]
    top = max(int(curve.counts[name].max()) for curve in curves for name in names)
    is_wide = max(lengths) > WIDE * max(1, min(lengths)), top > WIDE
    log_steps, log_counts = is_wide if scale == "auto" else (scale == "log", scale == "log")
    is_single, alike, few = len(curves) == 1, len(curves) > len(DASHES), max(lengths) <= _FEW_STEPS
    columns, usual = max(1, round(inches[0] * _COLUMNS_PER_INCH)), mpl.rcParams["lines.linewidth"]
    for (index, curve), (place, name) in itertools.product(enumerate(curves), enumerate(names)):
        # The counts of a single run differ as runs do, and attacks are red. Of several runs, one line has the name.
        kind = 0 if alike else len(names) - 1 - place if is_single else index
        label = _NAMES[name] if is_single else "_" if alike or place < len(names) - 1 else curve.label
        width, alpha = (0.75 * usual, _ALIKE) if alike else (usual * _WIDTHS[name], 1)
        color = theme().attack if is_single and name == "pairs" else theme().series[0 if is_single else kind]
        panel.plot(
            *_points(curve, name, columns, log_steps), gid=name, label=label, color=color, alpha=alpha,
            linestyle=DASHES[kind], linewidth=width, marker="o" if few else None, markersize=2.5 * usual,
        )  # fmt: skip
    for name in names if alike else ():
        label = f"median of {len(curves)} runs" if name == names[-1] else "_"
        look = {"color": theme().ink, "linewidth": usual * _WIDTHS[name]}
        panel.plot(*_median(curves, name, columns), gid="median", label=label, **look)
    at = np.unique(np.concatenate([curve.steps[np.asarray(curve.run.restarts, np.int64)] for curve in curves]))
    ends: dict[str, Any] = {"ymin": 0.97, "ymax": 1, "transform": panel.get_xaxis_transform()}
    panel.vlines(at, color=theme().faint, gid="restart", linewidth=0.9, zorder=1, **ends)
    set_axis(panel, "x", "Steps", max(lengths), 1.5 * inches[0], log_steps)
    set_axis(panel, "y", _NAMES[names[0]] if len(names) == 1 else "", top, 2 * inches[1], log_counts)


def _name_lines(axes: Axes, inches: float) -> None:
    """Write the name of the count above the axes, and the names of several lines in columns of equal width."""
    lines = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    lines = lines if len(axes.lines) > 1 else []
    size = mpl.rcParams["font.size"]
    widths = [text_width(str(line.get_label()), capitals(size, BOLD), BOLD) + _HANDLE * size for line in lines]
    columns = int((POINTS_PER_INCH * inches - _LEFT * size) / max(widths, default=1))
    legend = axes.legend(
        handles=lines, ncols=max(1, min(columns, len(lines))), loc="lower left", bbox_to_anchor=(0, 1),
        borderaxespad=0.1, borderpad=0.2, handlelength=2.6, columnspacing=0.8, handletextpad=0.7, labelspacing=0.25,
        labelcolor="linecolor", prop={"size": size, "weight": "bold"},
        title=axes.get_ylabel(), title_fontsize=size, alignment="left",
    )  # fmt: skip
    legend.set_visible(bool(lines or axes.get_ylabel()))
    axes.set_ylabel("")


def _points(curve: Curve, name: str, columns: int, log_steps: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the steps and the counts that a line needs, with nan between attempts, where no line joins them."""
    counts = curve.counts[name]
    chosen = thinned(np.log1p(curve.steps) if log_steps else curve.steps, counts, curve.attempts, columns)
    breaks = np.flatnonzero(np.diff(curve.attempts[chosen])) + 1
    x, y = (np.insert(values[chosen].astype(np.float64), breaks, np.nan) for values in (curve.steps, counts))
    return x, y


def _median(curves: list[Curve], name: str, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the median of the counts of all runs, up to its last change. Ended runs keep their last count."""
    at = np.unique(np.linspace(0, max(curve.n_steps for curve in curves), 4 * columns).astype(np.int64))
    counts = [curve.counts[name][np.searchsorted(curve.steps, at, "right") - 1] for curve in curves]
    median = np.median(counts, axis=0)
    end = np.flatnonzero(np.diff(median, prepend=-1))[-1] + 1
    return at[:end].astype(np.float64), median[:end]


def set_axis(axes: Axes, which: Literal["x", "y"], name: str, top: int, most_ticks: float, is_log: bool) -> None:
    """Name and set an axis from 0 to ``top``: linear with whole numbers, or logarithmic from 1 on and linear below.

    All numbers at a linear axis have the same unit, which the name of the axis states.
    """
    axis = axes.xaxis if which == "x" else axes.yaxis
    top, most_ticks = max(top, 1), max(2, min(8, int(most_ticks)))
    size, unit = next(((10**power, unit) for power, unit in _UNITS if not is_log and top >= 10**power), (1, ""))
    if is_log:
        getattr(axes, f"set_{which}scale")("symlog", linthresh=1, linscale=0.5)
        decades = [10**power for power in range(len(str(top)))]
        each = -(-len(decades) // most_ticks)
        axis.set_major_locator(FixedLocator([0, *decades[each - 1 :: each]]))
        axis.set_minor_locator(FixedLocator([k * decade for decade in decades for k in range(2, 10)]))
        axis.set_minor_formatter(NullFormatter())
        ends = -0.15, 1.4 * top
    else:
        axis.set_major_locator(MaxNLocator(nbins=most_ticks, steps=[1, 2, 2.5, 5, 10], integer=True, min_n_ticks=1))
        ends = -0.02 * top, (1.02 if which == "x" else 1.08) * top
    axis.set_major_formatter(partial(_in_units, size))
    axes.set(**{f"{which}lim": ends, f"{which}label": f"{name or 'Count'} ({unit})" if unit else name})


def _in_units(size: float, value: float, _position: float | None = None) -> str:
    return f"{value / size:,.10g}"


def _as_runs(runs: Drawable | Sequence[Drawable]) -> list[Run]:
    """Return one run or several as a list of runs with validated traces."""
    several = [runs] if isinstance(runs, Trace) or hasattr(runs, "trace") else list(runs)
    if not several:
        raise InputError("runs is empty; give at least one Result, Climb, Trace or Run")
    return [_as_run(run, index) for index, run in enumerate(several)]


def thinned(places: NDArray[Any], values: NDArray[Any], attempts: NDArray[Any], columns: int) -> NDArray[np.int64]:
    """Return the entries that a line needs: the first, last, least and greatest of each pixel column and attempt.

    The method is M4 of Jugel, Jerzak, Hackenbroich and Markl (2014). ``places`` are ascending. O(entries).

    >>> values = np.array([9, 8, 7, 8, 30, 6, 5, 4])
    >>> thinned(np.arange(8), values, np.ones(8, int), 1)
    array([0, 4, 7])
    """
    if len(places) <= 4 * columns:
        return np.arange(len(places))
    share = (places - places[0]) / max(places[-1] - places[0], 1)
    column = np.minimum((share * columns).astype(np.int64), columns - 1)
    firsts = np.flatnonzero((np.diff(column, prepend=-1) != 0) | (np.diff(attempts, prepend=0) != 0))
    lengths = np.diff(np.append(firsts, len(places)))
    chosen = [firsts, firsts + lengths - 1]
    for extreme in (np.minimum, np.maximum):
        at = np.flatnonzero(values == np.repeat(extreme.reduceat(values, firsts), lengths))
        # The first entry of each column that has the extreme value.
        chosen.append(at[np.searchsorted(at, firsts)])
    return np.unique(np.concatenate(chosen))


def _as_run(drawable: Drawable, index: int) -> Run:
    if isinstance(drawable, Trace):
        run = Run(drawable)
    elif hasattr(drawable, "trace"):
        run = drawable if isinstance(drawable, Run) else Run.of(drawable)
    else:
        raise InputError(f"run {index} is {type(drawable).__name__}: a Result, Climb, Trace or Run is needed")
    trace, restarts = checked_trace(run.trace, run.restarts, run.label or f"run {index}")
    return run._replace(trace=trace, restarts=restarts)


def _labels(runs: list[Run]) -> list[str]:
    """Name each run by its label, or by what distinguishes it from the others."""
    words = ("n = {:,}", "seed {}", "{} start")
    facts = [zip(words, (run.n, run.seed, run.start), strict=True) for run in runs]
    known = [["" if fact is None else said.format(fact) for said, fact in of_run] for of_run in facts]
    differs = [len(set(values)) > 1 for values in zip(*known, strict=True)]
    labels = []
    for index, (run, parts) in enumerate(zip(runs, known, strict=True)):
        difference = ", ".join(part for part, differ in zip(parts, differs, strict=True) if part and differ)
        label = textwrap.shorten(run.label, 40, placeholder=" …") or difference or f"run {index + 1}"
        # matplotlib hides labels that begin with an underscore.
        labels.append(f" {label}" if label.startswith("_") else label)
    return labels
