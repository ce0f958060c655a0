"""The figure of conflict curves: the panels, and the words around them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import matplotlib as mpl

from fastqueens.core.errors import InputError
from fastqueens.core.wording import counted
from fastqueens.pictures.curves.curve import Curve, Drawable, as_curves, as_runs
from fastqueens.pictures.curves.panel import NAMES, draw_legend, draw_panel, is_steep, is_wide
from fastqueens.pictures.figure import Picture, caption, new_figure
from fastqueens.pictures.style import house_style

WHAT = ("both", "conflicting", "pairs")

#: A line keeps the extremes of this many columns of pixels per inch, enough for print.
_COLUMNS_PER_INCH = 300

#: Sides in inches: the words need the smallest, and no paper is larger than the largest.
_SMALLEST_SIDE, _LARGEST_SIDE = 4, 200


def conflict_curves(
    runs: Drawable | Sequence[Drawable],
    *,
    what: str = "both",
    title: str | None = None,
    size: tuple[float, float] | None = None,
    log_steps: bool | None = None,
    log_counts: bool | None = None,
    plateau: int = 1,
) -> Picture:
    """Draw conflicting queens and attacking pairs against steps; several runs over each other.

    Long traces are thinned: each column of pixels keeps its first, last, least and greatest entry, so no peak is lost
    and both ends are exact. A break in a line is a restart, which a tick marks too; a broad band under a line is a
    plateau. O(steps): 10^6 steps take about 50 ms.

    Parameters
    ----------
    runs : Result, Trace, what ``read_trace`` returns, Run, or a sequence of these
        The arrays of a trace are (entries,) integers.
    what : "both", "conflicting" or "pairs"
        Conflicting queens, attacking pairs, or both: in one panel for a single run, in two for several.
    title : str, optional
        Replaces the default title, which states n.
    size : (width, height), optional
        Inches; by default 8 x 4.5, or 8 x 7 for two panels.
    log_steps, log_counts : bool, optional
        Logarithmic axes, which show 0 as well. By default the range decides: counts above 50, or a search that falls
        almost entirely in its first steps.
    plateau : int, optional
        Mark plateaus of at least this many steps, 0 for none. By default all: a step that leaves the attacking pairs
        unchanged is a plateau.

    Returns
    -------
    Picture
        Its lines hold steps and counts, with nan at breaks.

    Raises
    ------
    InputError
        If there is nothing to draw, a result has no trace, or arrays do not form a trace.

    Examples
    --------
    >>> import fastqueens
    >>> figure = conflict_curves(fastqueens.solve(100, start="random", seed=1))
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['Steps']
    """
    if what not in WHAT:
        raise InputError(f"what is {what!r}: it is one of {', '.join(WHAT)}")
    if size is not None and not (len(size) == 2 and all(_SMALLEST_SIDE <= side <= _LARGEST_SIDE for side in size)):
        raise InputError(
            f"size is {size}: width and height in inches are needed, each from {_SMALLEST_SIDE} to {_LARGEST_SIDE}"
        )
    curves = as_curves(as_runs(runs), plateau)
    shown = ("conflicting", "pairs") if what == "both" else (what,)
    by_panel = [shown] if len(curves) == 1 else [(name,) for name in shown]
    log_steps = is_steep(curves) if log_steps is None else log_steps
    log_counts = is_wide(curves, shown) if log_counts is None else log_counts
    width, height = size or (8.0, 4.5 if len(by_panel) == 1 else 7.0)
    with house_style(), mpl.rc_context({"text.parse_math": False}):
        figure = new_figure(width, height)
        panels = figure.subplots(len(by_panel), 1, sharex=True, squeeze=False)[:, 0]
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)  # type: ignore[union-attr, call-arg]
        columns = max(1, round(width * _COLUMNS_PER_INCH))
        for axes, names in zip(panels, by_panel, strict=True):
            draw_panel(axes, curves, names, columns, log_steps, log_counts)
        draw_legend(panels[0], curves, by_panel[0], width)
        panels[-1].set_xlabel("Steps")
        heading = textwrap.fill(title or _title(curves, what), max(10, int(8 * width)))
        figure.suptitle(heading, x=0.01, ha="left", fontsize=13, fontweight="bold")
        caption(figure, textwrap.fill(_caption(curves), max(16, int(13 * width))))
    return figure


def _title(curves: list[Curve], what: str) -> str:
    """Return the default title, which states n if all runs have the same."""
    sizes = {curve.run.n for curve in curves}
    (n,) = sizes if len(sizes) == 1 else (None,)
    subject = "Conflicts" if what == "both" else NAMES[what]
    if n is None:
        return f"{subject} during the search"
    queens = counted(n, "queen")
    return f"{subject} among {queens}" if what == "conflicting" else f"{subject} of {queens}"


def _caption(curves: list[Curve]) -> str:
    """Return what is known about all runs: n, seeds, start, instance, steps, restarts and how many were solved."""
    runs = [curve.run for curve in curves]
    parts = [f"{len(curves)} runs"] if len(curves) > 1 else []
    sizes = _known([run.n for run in runs])
    seeds = _known([run.seed for run in runs])
    parts += [f"n = {_span(sizes, ',')}"] if sizes else []
    parts += [f"seed{'s' if len(seeds) > 1 else ''} {_span(seeds)}"] if seeds else []
    starts = {run.start for run in runs}
    if len(starts) == 1 and None not in starts:
        (start,) = starts
        parts.append("custom start" if start == "board" else f"{start} start")
    constraints = {run.constraints for run in runs}
    if len(constraints) == 1 and constraints != {""}:
        parts.append(f"with {constraints.pop()}")
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


def _known(values: list[int | None]) -> list[int]:
    """Return the values in ascending order, or none if a run does not have one."""
    known = {value for value in values if value is not None}
    return [] if None in values else sorted(known)


def _span(values: Sequence[int], grouping: str = "") -> str:
    """Write the range of ascending values, or the only value."""
    least, most = (format(value, grouping) for value in (values[0], values[-1]))
    return least if least == most else f"{least} to {most}"
