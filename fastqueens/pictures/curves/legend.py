"""The legend of conflict curves, above the first panel."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from fastqueens.pictures.curves.curve import Curve
from fastqueens.pictures.curves.panel import are_alike
from fastqueens.pictures.curves.wording import NAMES
from fastqueens.pictures.style import FAINT, SERIES


def draw_legend(axes: Axes, curves: list[Curve], names: Sequence[str], figure_width: float) -> None:
    """Name the lines and marks above a panel that shows these counts; no legend if nothing needs a name."""
    handles: list[Line2D] = []
    if are_alike(curves):
        handles = [Line2D([], [], color=SERIES[0], linewidth=0.9, label=f"one line per run, {len(curves)} runs")]
    elif len(curves) > 1:
        handles = [Line2D([], [], color=SERIES[index], label=curve.label) for index, curve in enumerate(curves)]
    elif len(names) > 1:
        handles = [Line2D([], [], color=SERIES[index], label=NAMES[name]) for index, name in enumerate(names)]
    if not are_alike(curves) and any(curve.plateaus for curve in curves):
        handles.append(Line2D([], [], color=FAINT, linewidth=8, alpha=0.4, label="Plateau"))
    if any(curve.run.restarts for curve in curves):
        handles.append(Line2D([], [], color=FAINT, linestyle="", marker="|", markersize=11, label="Restart"))
    if handles:
        per_row = _entries_per_row([str(handle.get_label()) for handle in handles], figure_width)
        axes.legend(
            handles=handles, loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2, ncols=per_row,
            handlelength=1.6, columnspacing=1.6, fontsize=9,
        )  # fmt: skip


def _entries_per_row(labels: list[str], figure_width: float) -> int:
    """How many labels of 9 points fit side by side; a legend that is too wide would squeeze the panel."""
    room = figure_width - 1.0
    widths = [0.6 + 0.085 * len(label) for label in labels]
    return len(labels) if sum(widths) <= room else max(1, int(room / max(widths)))
