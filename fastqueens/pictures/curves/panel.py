"""One panel of conflict curves: its lines, plateaus and restarts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from fastqueens.pictures.curves.axes import LogAxes, set_linear, set_log
from fastqueens.pictures.curves.curve import Curve
from fastqueens.pictures.curves.thinning import thinned
from fastqueens.pictures.curves.wording import NAMES
from fastqueens.pictures.style import FAINT, SERIES

#: Searches of at most this many steps get a marker at each board.
_FEW_STEPS = 40

#: A single run with at most this many restarts has lines from top to bottom at them.
_FEW_RESTARTS = 30


def are_alike(curves: list[Curve]) -> bool:
    """Return whether the runs share one colour: more than the palette has cannot be told apart."""
    return len(curves) > len(SERIES)


def draw_panel(axes: Axes, curves: list[Curve], names: Sequence[str], columns: int, log_axes: LogAxes) -> None:
    """Draw the named counts of all runs, thinned to columns of pixels, and set the axes."""
    alike = are_alike(curves)
    most_steps = max(curve.n_steps for curve in curves)
    top = max(int(curve.counts[name].max()) for curve in curves for name in names)
    look: dict[str, Any] = {"marker": "o", "markersize": 4} if most_steps <= _FEW_STEPS else {}
    if alike:
        look = {"linewidth": 0.9, "alpha": 0.5}
    for index, (curve, name) in enumerate(itertools.product(curves, names)):
        color = SERIES[0] if alike else SERIES[index]
        chosen = _draw_line(axes, curve, name, columns, log_axes.steps, {"color": color, **look})
        if not alike:
            _draw_plateaus(axes, curve, name, chosen, color)
    for index, curve in enumerate(curves):
        _draw_restarts(axes, curve, FAINT if alike or len(curves) == 1 else SERIES[index], len(curves) == 1)
    axes.set_ylabel(NAMES[names[0]] if len(names) == 1 else "Count")
    width, height = axes.figure.get_size_inches()  # type: ignore[union-attr]
    n_panels = len(axes.figure.axes)
    (set_log if log_axes.steps else set_linear)(axes, "x", most_steps, width)
    (set_log if log_axes.counts else set_linear)(axes, "y", top, 2 * height / n_panels)


def _draw_line(
    axes: Axes, curve: Curve, name: str, columns: int, log_steps: bool, look: dict[str, Any]
) -> NDArray[np.int64]:
    """Draw a line through the entries it needs, and return these entries."""
    counts = curve.counts[name]
    places = np.log1p(curve.steps) if log_steps else curve.steps
    chosen = thinned(places, counts, curve.attempts, columns)
    x, y = _with_breaks(curve.steps[chosen], counts[chosen], curve.attempts[chosen])
    axes.plot(x, y, label=curve.label, gid=name, **look)
    return chosen


def _with_breaks(
    steps: NDArray[Any], counts: NDArray[Any], attempts: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Insert nan between attempts, so that no line joins them."""
    at = np.flatnonzero(np.diff(attempts)) + 1
    return np.insert(steps.astype(np.float64), at, np.nan), np.insert(counts.astype(np.float64), at, np.nan)


def _draw_plateaus(axes: Axes, curve: Curve, name: str, chosen: NDArray[np.int64], color: str) -> None:
    """Draw a broad band under the line at each plateau."""
    for first, last in curve.plateaus:
        inside = chosen[(chosen > first) & (chosen < last)]
        part = np.concatenate(([first], inside, [last]))
        look: dict[str, Any] = {"color": color, "linewidth": 8, "alpha": 0.28, "solid_capstyle": "butt"}
        axes.plot(curve.steps[part], curve.counts[name][part], gid="plateau", zorder=1.5, **look)


def _draw_restarts(axes: Axes, curve: Curve, color: str, is_single: bool) -> None:
    """Mark restarts: by lines from top to bottom if a single run has few, otherwise by ticks at the upper edge."""
    at = np.unique(curve.steps[np.asarray(curve.run.restarts, np.int64)])
    if not len(at):
        return
    is_crossing = is_single and len(at) <= _FEW_RESTARTS
    axes.vlines(
        at, 0 if is_crossing else 0.97, 1, transform=axes.get_xaxis_transform(), color=color, gid="restart",
        linewidth=0.9, linestyle=(0, (4, 3)) if is_crossing else "-", zorder=1,
    )  # fmt: skip
