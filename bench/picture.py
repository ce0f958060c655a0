"""The scaling picture: ns a queen against n, from the stored rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.published import PUBLISHED
from fastqueens.pictures.figure import new_figure
from fastqueens.pictures.style import house_style, large_number

# Okabe and Ito's colours. Markers and dashes differ too.
_LINES = (("placement", "#0072B2", "o"), ("verification", "#009E73", "s"))
_SHUFFLE = "#E69F00"
_PUBLISHED = "#D55E00"
_DASHES = ("-", "--", ":")


@house_style()
def draw(rows: Sequence[dict[str, Any]]) -> Figure:
    """Draw placement and search with the published times above, and ours alone on a linear axis below."""
    figure = new_figure(8, 7)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    counts = sorted({row["threads"] for row in rows})
    first = [row for row in rows if row["threads"] == counts[0]]
    published = [sum(seconds) / n * 1e9 for n, seconds in PUBLISHED.items()]
    above.plot(list(PUBLISHED), published, color=_PUBLISHED, marker="D", label="Bursey et al. 2019, placement + search")
    ours = f"fastqueens, the same, {_threads(counts[0])}"
    _plot(above, first, ("placement", "search"), ours, color=_LINES[0][1], marker=_LINES[0][2])
    _plot(below, first, ("shuffle",), "NumPy's shuffle", color=_SHUFFLE, marker="^")
    for dash, count in zip(_DASHES, counts, strict=False):
        of_count = [row for row in rows if row["threads"] == count]
        for part, color, marker in _LINES:
            label = f"{part}, {_threads(count)}"
            _plot(below, of_count, (part,), label, color=color, marker=marker, linestyle=dash)
    above.set(yscale="log")
    below.set(xscale="log", ylim=(0, None), xlabel="n")
    for axis in (above.yaxis, below.xaxis):
        axis.set_major_formatter(large_number)
    _dress(above)
    _dress(below)
    return figure


def _threads(count: int) -> str:
    return f"{count} thread{'' if count == 1 else 's'}"


def _plot(axes: Axes, rows: Sequence[dict[str, Any]], parts: Sequence[str], label: str, **style: Any) -> None:
    """Plot one line: the sum of some parts, for the rows in which all of them were measured."""
    complete = [row for row in rows if all(row[part] is not None for part in parts)]
    sums = [sum(row[part]["median"] for part in parts) for row in complete]
    axes.plot([row["n"] for row in complete], sums, label=label, **style)


def _dress(axes: Axes) -> None:
    for line in axes.lines:
        line.set(linewidth=2.5, markersize=8, markeredgecolor="white")
    axes.set_ylabel("ns per queen")
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_fontsize(15)
    axes.tick_params(labelsize=11)
    axes.grid(visible=True, alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=12, frameon=False, handlelength=3.5)
