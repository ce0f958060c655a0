"""The plots of an infographic: conflicts against steps, or if the search is unknown, queens per diagonal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fastqueens.analysis.density import bin_board, cells_for
from fastqueens.core.trace import Trace
from fastqueens.core.wording import counted
from fastqueens.pictures.curves.thinning import thinned
from fastqueens.pictures.posters.lettering import BOLD, fitting_size, text_width
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.posters.theme import Theme
from fastqueens.pictures.style import GRID, SERIES

#: A curve is divided into this many columns, of which the extremes are drawn.
_CURVE_COLUMNS = 1000


def plot_search(sheet: Sheet, subject: Subject, trace: Trace, box: Box, small: float, theme: Theme) -> None:
    """Plot attacking pairs and conflicting queens against steps."""
    plot = _write_heading(sheet, "Conflicts during the search", box, small, theme)
    entries = len(trace.pairs)
    steps = entries - 1 if subject.steps is None else subject.steps
    highest = max(1, int(trace.pairs.max()), int(trace.conflicting_queens.max()))
    _draw_axes(sheet, plot, small, theme, f"{highest:,}", counted(steps, "step"))
    across = np.arange(entries) / max(1, entries - 1)
    for values, color in ((trace.conflicting_queens, SERIES[0]), (trace.pairs, SERIES[1])):
        chosen = thinned(across, values, np.ones(entries, np.int64), _CURVE_COLUMNS)
        x = plot.left + across[chosen] * plot.width
        y = plot.bottom + values[chosen] / highest * plot.height
        sheet.lines([np.column_stack((x, y))], color, 0.18 * small)
    _draw_legend(sheet, plot, small, theme, ("conflicting queens", "attacking pairs"))


def plot_diagonals(sheet: Sheet, subject: Subject, box: Box, small: float, theme: Theme) -> None:
    """Plot how many queens the diagonals of both directions hold, from corner to corner."""
    plot = _write_heading(sheet, "Queens per diagonal, from corner to corner", box, small, theme)
    bins = bin_board(subject.queens, cells_for(subject.n, 500, 100), **subject.callbacks)
    both = bins.diagonals()
    highest = max(1.0, float(max(values.max() for values in both)))
    _draw_axes(sheet, plot, small, theme, f"{highest:.2g}", "corner")
    at = np.linspace(plot.left, plot.right, bins.cells + 1)
    for values, color in zip(both, SERIES, strict=False):
        heights = plot.bottom + values / highest * plot.height
        sheet.lines([np.column_stack((np.repeat(at, 2)[1:-1], np.repeat(heights, 2)))], color, 0.18 * small)
    _draw_legend(sheet, plot, small, theme, ("rising diagonals", "falling diagonals"))


def _write_heading(sheet: Sheet, heading: str, box: Box, small: float, theme: Theme) -> Box:
    """Write a heading, and return the box between the axes of the plot below it."""
    size = fitting_size([heading], box.width, small, BOLD)
    sheet.text(heading, box.left, box.top - small, size, theme.ink, font=BOLD)
    return Box(box.left + 1.2 * small, box.bottom + 2.4 * small, box.width - 1.2 * small, box.height - 7.4 * small)


def _draw_axes(sheet: Sheet, plot: Box, small: float, theme: Theme, highest: str, last: str) -> None:
    for share in (0, 0.5, 1):
        y = plot.bottom + share * plot.height
        sheet.lines([[(plot.left, y), (plot.right, y)]], GRID if share else theme.faint, 0.08 * small)
    size = 0.7 * small
    sheet.text("0", plot.left - 0.6 * small, plot.bottom - size / 2, size, theme.faint, align="right")
    sheet.text(highest, plot.right, plot.top + 0.4 * small, size, theme.faint, align="right")
    sheet.text(last, plot.right, plot.bottom - 2 * size, size, theme.faint, align="right")


def _draw_legend(sheet: Sheet, plot: Box, small: float, theme: Theme, names: Sequence[str]) -> None:
    x, y, size = plot.left, plot.top + 1.7 * small, 0.75 * small
    for name, color in zip(names, SERIES, strict=False):
        sheet.lines([[(x, y), (x + 2 * small, y)]], color, 0.3 * small)
        sheet.text(name, x + 2.5 * small, y - size / 2, size, theme.ink)
        x += 4.5 * small + text_width(name, size)
