"""The axes of conflict curves: linear, or logarithmic if the range calls for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from fastqueens.pictures.curves.curve import Curve
from fastqueens.pictures.style import large_number

#: Counts get a logarithmic axis if they rise above 50 and at least 5 % of the boards have at most 2 % of the maximum.
_LARGEST_LINEAR = 50
_NEARLY_NONE = 0.02
_NEARLY_SOLVED_SHARE = 0.05

#: Steps get one if a search of at least 100 steps makes nine tenths of its way down in less than 5 % of them.
_STEEP_SHARE = 0.05
_LONG_SEARCH = 100

#: Both get one if one run is more than 50 times as long, or as high, as another.
_UNLIKE = 50


class LogAxes(NamedTuple):
    """Which axes are logarithmic."""

    steps: bool
    counts: bool


def is_steep(curves: list[Curve]) -> bool:
    """Return whether runs differ much in length, or the longest makes most of its way down in its first steps."""
    longest = max(curves, key=lambda curve: curve.n_steps)
    if longest.n_steps > _UNLIKE * max(1, min(curve.n_steps for curve in curves)):
        return True
    pairs = longest.counts["pairs"]
    if longest.n_steps < _LONG_SEARCH or pairs[0] <= _LARGEST_LINEAR:
        return False
    down = np.flatnonzero(pairs <= longest.least_pairs + (pairs[0] - longest.least_pairs) / 10)
    return bool(longest.steps[down[0]] < _STEEP_SHARE * longest.n_steps)


def is_wide(curves: list[Curve], names: Sequence[str]) -> bool:
    """Return whether runs differ much in height, or many boards have a small fraction of the largest count."""
    counts = [curve.counts[name] for curve in curves for name in names]
    top = max(int(values.max()) for values in counts)
    if top > _UNLIKE * max(1, min(int(values.max()) for values in counts)):
        return True
    small = sum(int((values <= _NEARLY_NONE * top).sum()) for values in counts)
    return top > _LARGEST_LINEAR and small >= _NEARLY_SOLVED_SHARE * sum(map(len, counts))


def set_linear(axes: Axes, which: Literal["x", "y"], top: int, most_ticks: float) -> None:
    """Set a linear axis that starts at 0, with whole numbers at its ticks."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(
        MaxNLocator(nbins=max(2, min(8, int(most_ticks))), steps=[1, 2, 2.5, 5, 10], integer=True, min_n_ticks=1)
    )
    axis.set_major_formatter(FuncFormatter(large_number))
    limit = max(top, 1)
    (axes.set_xlim if which == "x" else axes.set_ylim)(-0.02 * limit, (1.02 if which == "x" else 1.08) * limit)


def set_log(axes: Axes, which: Literal["x", "y"], top: int, most_ticks: float) -> None:
    """Set an axis that is logarithmic from 1 on and linear below, so that it shows 0."""
    scale: dict[str, Any] = {"linthresh": 1, "linscale": 0.35}
    (axes.set_xscale if which == "x" else axes.set_yscale)("symlog", **scale)
    axis = axes.xaxis if which == "x" else axes.yaxis
    decades = [10**power for power in range(len(str(max(top, 1))) + 1)]
    stride = 1 + len(decades) // max(2, int(min(8, most_ticks)))
    axis.set_major_locator(FixedLocator([0, *decades[::stride]]))
    axis.set_minor_locator(FixedLocator([k * decade for decade in decades for k in range(2, 10)]))
    axis.set_major_formatter(FuncFormatter(large_number))
    axis.set_minor_formatter(NullFormatter())
    (axes.set_xlim if which == "x" else axes.set_ylim)(-0.15, 1.4 * max(top, 1))
