"""The two graphs of run times: board generation and search against n, as in Bursey et al. (2019)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, FixedLocator, LogLocator, MaxNLocator, NullFormatter, NullLocator

from fastqueens.core.arguments import SCALES, check_choice
from fastqueens.core.errors import InputError
from fastqueens.pictures.figure import Picture, caption, new_figure
from fastqueens.pictures.style import house_style, large_number, theme
from fastqueens.solving.runtimes import RunTimes, Spread

_SIZE = 9.0, 4.0

#: Labels of n that fit next to each other.
_MOST_TICKS = 6


def run_times_picture(
    rows: Sequence[RunTimes], *, facts: str = "", scale: str = "log", theme: str = "light"
) -> Picture:
    """Draw the times of board generation and search against n, in two panels.

    Parameters
    ----------
    rows : sequence of RunTimes
        One for each n, in any order.
    facts : str
        What the small print begins with, such as the start and the seeds.
    scale : "log" or "linear"
        Of both axes of both panels.
    theme
        See :func:`fastqueens.pictures.boards.board_picture`.

    Returns
    -------
    Picture
        A point is a median; its bar goes from the fastest run to the slowest.
    """
    check_choice(scale, "scale", SCALES)
    if not rows:
        raise InputError("rows is empty: at least one board size is needed")
    rows = sorted(rows)
    sizes = [row.n for row in rows]
    with house_style(theme):
        figure = new_figure(*_SIZE)
        panels = figure.subplots(1, 2)
        for at, (axes, title) in enumerate(zip(panels, ("Board generation", "Search"), strict=True)):
            times = [row.board_generation if at == 0 else row.search for row in rows]
            axes.set(title=title, xlabel="Number of queens n", ylabel="Time (median)")
            _draw(axes, sizes, times, at)
            _set_axes(axes, sizes, scale == "log")
        caption(figure, " · ".join(filter(None, [facts, "bars: from the fastest run to the slowest"])))
    return figure


def _draw(axes: Axes, sizes: list[int], times: list[Spread], series: int) -> None:
    """Draw medians as points that a line joins, and the extremes as bars."""
    # A logarithmic axis has no place for 0.
    medians, least, most = np.maximum(times, 1e-9).T
    color = theme().series[series]
    axes.errorbar(sizes, medians, [medians - least, most - medians], fmt="o-", color=color, elinewidth=1, capsize=3)


def _set_axes(axes: Axes, sizes: list[int], is_log: bool) -> None:
    if is_log:
        axes.set(xscale="log", yscale="log")
        low, high = np.log10(axes.get_ylim())
        axes.set_ylim(10.0 ** np.floor(low), 10.0 ** np.ceil(high))
        decades = [10**power for power in range(20) if sizes[0] <= 10**power <= sizes[-1]]
        marked = decades if len(decades) > 1 else sizes
        axes.xaxis.set_major_locator(FixedLocator(marked[:: -(-len(marked) // _MOST_TICKS)]))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_locator(LogLocator(numticks=8))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set(xlim=(0, 1.05 * sizes[-1]), ylim=(0, None))
        axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(large_number)
    axes.yaxis.set_major_formatter(EngFormatter("s"))
