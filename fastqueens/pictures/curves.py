"""Conflict curves: conflicting queens and attacking pairs against the steps of a search, as in Bursey et al. (2019).

Each entry of a trace is a board, and its step is the number of steps before it. A restart is not a step: the first
board of a later attempt stands above or below the last board of the attempt before it, and no line joins the two.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from fastqueens._run.arguments import check_between, check_choice
from fastqueens._run.text import counted
from fastqueens.board import Trace
from fastqueens.errors import InputError
from fastqueens.files.traces import attempts_and_steps, checked_trace
from fastqueens.pictures.figure import Picture, caption, heading, house_style, large_number, new_figure
from fastqueens.pictures.themes import theme

WHAT = ("both", "conflicting", "pairs")

#: A line keeps the extremes of this many columns of pixels per inch, enough for print.
_COLUMNS_PER_INCH = 300

#: Sides in inches: the usual ones; the words need the smallest, and no paper is larger than the largest.
_SIZE = 8.0, 4.5
_SIDES = 4, 200

#: What the counts are called in titles, at lines and at axes; the title in points.
_NAMES = {"conflicting": "Conflicting queens", "pairs": "Attacking pairs"}
_TITLE_SIZE = 14

#: More runs share one colour: their colours could not be told apart.
_MOST_COLORS = 6

#: The names of lines: letters per inch, and how many the line and the gaps next to each name take.
_LETTERS_PER_INCH, _HANDLE = 12, 10

#: Searches of at most this many steps get a marker at each board.
_FEW_STEPS = 40

#: During a plateau, conflicting queens may come and go.
_POINTS_OF_BAND = 12

#: Counts get a logarithmic axis if they rise above this number, and steps if a run is this many times as long as
#: another.
_WIDE = 50


class Run(NamedTuple):
    """A search to draw: its trace, the entries at which later attempts begin, and what is known about it."""

    trace: Trace
    restarts: Sequence[int] = ()
    label: str = ""
    n: int | None = None
    seed: int | None = None
    start: str | None = None
    constraints: str = ""

    @classmethod
    def of(cls, result: Any) -> Run:
        """Return the run of a :class:`fastqueens.Result`; raise :class:`InputError` if it has no trace."""
        if result.trace is None:
            raise InputError("the result has no trace to draw; solve(..., trace=True) records one")
        known = result.n, result.seed, result.start, result.instance.constraints
        return cls(result.trace, result.restarts, "", *known)


#: A trace, the pair that ``read_trace`` returns, a :class:`Run`, or a result, which draws itself by this file.
Drawable: TypeAlias = Trace | Run | tuple[Trace, Sequence[int]] | Any


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
    size: tuple[float, float] | None = None,
    log_steps: bool | None = None,
    log_counts: bool | None = None,
    plateau: int = 5,
) -> Picture:
    """Draw conflicting queens and attacking pairs against steps, several runs in one panel.

    Long traces are thinned: each column of pixels keeps its first, last, least and greatest entry, so no peak is lost
    and both ends are exact. A break in a line is a restart, which a tick also marks; a broad band under the lines of a
    single run is a plateau. O(steps): 10^6 steps take about 50 ms.

    Parameters
    ----------
    runs : Result, Trace, what ``read_trace`` returns, Run, or a sequence of these
    what : "both", "conflicting" or "pairs", optional
        Conflicting queens, attacking pairs, or both. By default both for a single run, pairs for several.
    title : str, optional
        Replaces the default title, which states n.
    theme
        As in :func:`fastqueens.picture`.
    size : (width, height), optional
        Inches; by default 8 x 4.5.
    log_steps, log_counts : bool, optional
        Logarithmic axes, which also show 0. By default the range decides: counts above 50, or a run of more than 50
        times as many steps as another.
    plateau : int
        Mark plateaus of at least this many steps, 0 for none: stretches in which the attacking pairs stay the same.

    Examples
    --------
    >>> import fastqueens
    >>> figure = conflict_curves(fastqueens.solve(100, start="random", seed=1))
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['Steps']
    """
    with house_style(theme):
        runs = _as_runs(runs)
        entries = [attempts_and_steps(np.arange(len(run.trace.pairs)), np.asarray(run.restarts)) for run in runs]
        labels = _labels(runs)
        curves = [Curve(run, label, steps, at) for run, label, (at, steps) in zip(runs, labels, entries, strict=True)]
        what = what or ("both" if len(curves) == 1 else "pairs")
        check_choice(what, "what", WHAT)
        width, height = size or _SIZE
        for side in (width, height):
            check_between(side, f"size is {size}: a side in inches", *_SIDES)
        names = ("conflicting", "pairs") if what == "both" else (what,)
        figure = new_figure(width, height)
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)  # type: ignore[union-attr, call-arg]
        axes = figure.subplots()
        bands = plateaus(runs[0].trace.pairs, runs[0].restarts, plateau) if len(runs) == 1 else []
        _draw_panel(axes, curves, names, bands, max(1, round(width * _COLUMNS_PER_INCH)), log_steps, log_counts)
        _name_lines(axes, width)
        heading(figure, title or _title(curves, what), _TITLE_SIZE)
        caption(figure, _caption(curves, names) + (" · bands: plateaus" if bands else ""))
        figure.set_size_inches(*(size or figure.get_size_inches()))
        return figure


def _title(curves: list[Curve], what: str) -> str:
    """Return the default title, which states n if all runs have the same."""
    n = _common([curve.run.n for curve in curves])
    subject = "Conflicts" if what == "both" else _NAMES[what]
    if n is None:
        return f"{subject} during the search"
    return f"{subject} {'among' if what == 'conflicting' else 'of'} {counted(n, 'queen')}"


def _caption(curves: list[Curve], names: Sequence[str]) -> str:
    """Return what is known about all runs, from n to how many were solved, and what dashes mean."""
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
        "dashed: conflicting queens" if is_many and len(names) > 1 else "",
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
    axes: Axes,
    curves: list[Curve],
    names: Sequence[str],
    bands: list[tuple[int, int]],
    columns: int,
    log_steps: bool | None,
    log_counts: bool | None,
) -> None:
    """Draw the named counts of all runs, thinned to columns of pixels, with plateaus and restarts, and set the axes."""
    look: dict[str, Any] = {}
    series, is_single, alike = theme().series, len(curves) == 1, len(curves) > _MOST_COLORS
    lengths = [curve.n_steps for curve in curves]
    top = max(int(curve.counts[name].max()) for curve in curves for name in names)
    log_steps = max(lengths) > _WIDE * max(1, min(lengths)) if log_steps is None else log_steps
    if alike:
        look = {"linewidth": 0.9, "alpha": 0.5}
    elif max(lengths) <= _FEW_STEPS:
        look = {"marker": "o", "markersize": 4}
    for (index, curve), (place, name) in itertools.product(enumerate(curves), enumerate(names)):
        # The counts of a single run have two colours; those of several runs, solid and dashed lines.
        color = series[0 if alike else place if is_single else index]
        is_dashed = not is_single and len(names) > 1 and place == 0
        line = _draw_line(axes, curve, name, columns, log_steps)
        line.set(color=color, linestyle="--" if is_dashed else "-", **look)
        line.set_label("_" if is_dashed or alike else _NAMES[name] if is_single else curve.label)
        points = np.column_stack((curve.steps, curve.counts[name]))
        parts = [points[np.linspace(*ends, _POINTS_OF_BAND).astype(int)] for ends in bands]
        axes.add_collection(LineCollection(parts, colors=color, linewidths=8, alpha=0.28, gid="plateau", zorder=1.5))
    for index, curve in enumerate(curves):
        at = np.unique(curve.steps[np.asarray(curve.run.restarts, np.int64)])
        color = theme().faint if alike or is_single else series[index]
        ends: dict[str, Any] = {"ymin": 0.97, "ymax": 1, "transform": axes.get_xaxis_transform()}
        axes.vlines(at, color=color, gid="restart", linewidth=0.9, zorder=1, **ends)
    axes.set(xlabel="Steps", ylabel=_NAMES[names[0]] if len(names) == 1 else "Count")
    width, height = axes.figure.get_size_inches()  # type: ignore[union-attr]
    set_axis(axes, "x", max(lengths), width, log_steps)
    set_axis(axes, "y", top, 2 * height, top > _WIDE if log_counts is None else log_counts)


def _name_lines(axes: Axes, inches: float) -> None:
    """If several lines have names, write them above the axes in columns of equal width."""
    lines = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    if len(lines) > 1:
        longest = max(len(str(line.get_label())) for line in lines)
        columns = max(1, min(len(lines), int(_LETTERS_PER_INCH * inches / (longest + _HANDLE))))
        axes.legend(
            handles=lines, ncols=columns, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.1,
            labelcolor="linecolor", prop={"size": 10, "weight": "bold"},
        )  # fmt: skip


def _draw_line(axes: Axes, curve: Curve, name: str, columns: int, log_steps: bool) -> Line2D:
    """Draw a line through the entries it needs."""
    counts = curve.counts[name]
    places = np.log1p(curve.steps) if log_steps else curve.steps
    chosen = thinned(places, counts, curve.attempts, columns)
    # With nan between attempts no line joins them.
    breaks = np.flatnonzero(np.diff(curve.attempts[chosen])) + 1
    x, y = (np.insert(values[chosen].astype(np.float64), breaks, np.nan) for values in (curve.steps, counts))
    return axes.plot(x, y, gid=name)[0]


def set_axis(axes: Axes, which: Literal["x", "y"], top: int, most_ticks: float, is_log: bool) -> None:
    """Set an axis from 0 to ``top``: linear with whole numbers, or logarithmic from 1 on and linear below."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    top, most_ticks = max(top, 1), max(2, min(8, int(most_ticks)))
    if is_log:
        getattr(axes, f"set_{which}scale")("symlog", linthresh=1, linscale=0.35)
        decades = [10**power for power in range(len(str(top)) + 1)]
        axis.set_major_locator(FixedLocator([0, *decades[:: 1 + len(decades) // most_ticks]]))
        axis.set_minor_locator(FixedLocator([k * decade for decade in decades for k in range(2, 10)]))
        axis.set_minor_formatter(NullFormatter())
        ends = -0.15, 1.4 * top
    else:
        axis.set_major_locator(MaxNLocator(nbins=most_ticks, steps=[1, 2, 2.5, 5, 10], integer=True, min_n_ticks=1))
        ends = -0.02 * top, (1.02 if which == "x" else 1.08) * top
    axis.set_major_formatter(large_number)
    axes.set(**{f"{which}lim": ends})


def _as_runs(runs: Drawable | Sequence[Drawable]) -> list[Run]:
    """Return one run or several as a list of runs with validated traces."""
    several = [runs] if isinstance(runs, Trace) or hasattr(runs, "trace") or _is_read_trace(runs) else list(runs)
    if not several:
        raise InputError("runs is empty: at least one run is needed")
    return [_as_run(run, index) for index, run in enumerate(several)]


def plateaus(pairs: NDArray[np.int64], restarts: Sequence[int], least: int) -> list[tuple[int, int]]:
    """Return first and last entry of the stretches of at least ``least`` steps with the same attacking pairs above 0.

    >>> plateaus(np.array([5, 4, 4, 4, 1, 1, 1, 0]), [5], 2)
    [(1, 3)]
    """
    if least < 1:
        return []
    is_first = np.diff(pairs, prepend=-1) != 0
    is_first[list(restarts)] = True
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(pairs)) - 1
    is_long = (lasts - firsts >= least) & (pairs[firsts] > 0)
    return list(zip(firsts[is_long].tolist(), lasts[is_long].tolist(), strict=True))


def thinned(places: NDArray[Any], values: NDArray[Any], attempts: NDArray[Any], columns: int) -> NDArray[np.int64]:
    """Return the entries that a line needs: the first, last, least and greatest of each column of pixels of an attempt.

    This is M4 of Jugel, Jerzak, Hackenbroich and Markl (2014). ``places`` are ascending. O(entries).

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


def _is_read_trace(run: object) -> bool:
    """Whether this is a trace with its restarts, as ``read_trace`` returns them."""
    return isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], Trace) and not isinstance(run[1], Trace)


def _as_run(drawable: Drawable, index: int) -> Run:
    if isinstance(drawable, Trace):
        run = Run(drawable)
    elif _is_read_trace(drawable):
        run = Run(*drawable)
    elif hasattr(drawable, "trace"):
        run = drawable if isinstance(drawable, Run) else Run.of(drawable)
    else:
        kind = type(drawable).__name__
        raise InputError(f"run {index} is {kind}: a Result, a Trace or what read_trace returns is needed")
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
