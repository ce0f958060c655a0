"""Large boards as densities: how many queens are in each cell and row, and on each diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import Colormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from fastqueens.check.density import Bins, bin_board, cells_for
from fastqueens.check.violations import check_same_n, violations
from fastqueens.core.board import Queens, as_queens
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Progress, Stop
from fastqueens.pictures import style
from fastqueens.pictures.figure import Picture, caption
from fastqueens.pictures.squares import excluded_lines

#: With fewer queens per cell, chance would hide how they are spread.
QUEENS_IN_CELL = 100

#: With more lines the cells below them could not be seen.
_MOST_LINES = 200

# Lengths in inches. The board is 1200 pixels wide, so that cells are whole pixels, for example 400 per side.
_SIDE, _DPI = 6.0, 200
_LEFT, _BOTTOM, _FOOT = 1.15, 2.75, 0.95
_MARGINAL, _GAP = 0.6, 0.14
_WIDTH, _HEIGHT = 9.3, _BOTTOM + _SIDE + 0.8
_TITLE_LINE, _TITLE_SIZE = 0.29, 14


def density_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    instance: Instance | None = None,
    cells: int | None = None,
    title: str | None = None,
    theme: str = "light",
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw how the queens of a board are spread.

    The board is divided into cells, coloured by their queens compared with an even spread. The graph below shows the
    diagonals, a graph to the right the rows, unless each has one queen.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0. A mapped file stays on disk, so n may be 10^9 and more.
    instance : Instance, optional
        What the board is to respect. Up to 200 excluded diagonals are drawn. The caption counts everything, and says
        what is not drawn.
    cells : int, optional
        Cells per side; see :func:`~fastqueens.check.density.bin_board`, also for the errors. By default about 100
        queens per cell and at most 400 cells per side, each of them whole pixels wide.
    title : str, optional
        By default the numbers of queens and cells.
    theme
        See :func:`fastqueens.pictures.boards.board_picture`.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "density".

    Examples
    --------
    >>> figure = density_picture(list(range(0, 100, 2)) + list(range(1, 100, 2)))
    >>> figure.axes[0].get_title(loc="left")
    '100 queens in 8 x 8 cells'
    """
    with style.house_style(theme):
        board = as_queens(queens)
        if instance is not None:
            check_same_n(instance, len(board))
        bins = bin_board(board, _even_cells(len(board)) if cells is None else cells, progress=progress, stop=stop)
        text = f"n = {bins.n:,}. Every queen is counted: the cells add up to {int(bins.squares.sum()):,}."
        if instance is not None and not instance.is_free:
            text += f" {_constraint_words(board, instance)}"
        size = f"{style.large_number(bins.n)} queens in {bins.cells:,} x {bins.cells:,} cells"
        title = style.type_lines(title or size, _SIDE + _MARGINAL, _TITLE_SIZE, style.BOLD)
        figure = Picture(figsize=(_WIDTH, _HEIGHT + title.count("\n") * _TITLE_LINE), dpi=_DPI)
        axes = _draw_bins(bins, figure, title)
        if instance is not None and _shows_diagonals(instance):
            lines, color = list(excluded_lines(instance)), style.theme().paper
            axes.add_collection(LineCollection(lines, colors=color, linewidths=0.8, linestyles=[(0, (4, 3))]))
        caption(figure, text)
        return figure


def _draw_bins(bins: Bins, figure: Picture, title: str) -> Axes:
    """Draw cells, rows and diagonals, and return the axes of the cells."""
    axes = figure.axes_at(_LEFT, _BOTTOM, _SIDE, _SIDE)
    below = figure.axes_at(_LEFT, _FOOT, _SIDE, _BOTTOM - _FOOT - 0.95)
    image = draw_cells(axes, bins.density(), (0, bins.n), title)
    axes.set(xlabel="column", ylabel="row")
    share = f"queens in a cell compared with an even share (1 = {bins.n / bins.cells**2:,.4g} queens)"
    draw_bar(image, share, cax=figure.axes_at(_LEFT + _SIDE + _MARGINAL + 3 * _GAP, _BOTTOM, 0.18, _SIDE))
    if not np.array_equal(bins.rows, bins.widths):
        _draw_rows(bins, figure.axes_at(_LEFT + _SIDE + _GAP, _BOTTOM, _MARGINAL, _SIDE, sharey=axes))
    _draw_diagonals(bins, below)
    for axis in (axes.xaxis, axes.yaxis, below.xaxis):
        axis.set_major_locator(MaxNLocator(4))
        axis.set_major_formatter(style.large_number)
    return axes


def draw_cells(
    axes: Axes, values: NDArray[Any], ends: tuple[float, float], title: str, norm: Normalize | None = None
) -> AxesImage:
    """Draw the values of cells in colours around an even share of 1, or on the scale ``norm``."""
    (low, high), norm = ends, norm or style.around_even(style.LIMIT_REACH)
    image = axes.imshow(
        values, cmap=style.theme().around_even, norm=norm, extent=(low, high, high, low), interpolation="nearest"
    )
    axes.grid(visible=False)
    axes.set_title(title)
    return image


def draw_bar(
    image: AxesImage, label: str, ticks: int | None = None, extend: Literal["both", "max"] = "both", **place: Any
) -> None:
    """Draw and label the bar of colours of cells; points at its ends say that cells lie beyond the scale."""
    bar = image.get_figure().colorbar(image, extend=extend, **place)  # type: ignore[union-attr]
    bar.outline.set_visible(False)
    bar.set_label(label)
    if ticks:
        bar.locator = MaxNLocator(ticks)
        bar.update_ticks()


def shades(density: NDArray[np.float64], colors: Colormap = style.AROUND_EVEN) -> NDArray[np.uint8]:
    """Return the colours of cells, (rows, columns, 3) bytes; density 1, an even spread, has the middle colour."""
    return colors(style.around_even(style.LIMIT_REACH)(density), bytes=True)[..., :3]  # type: ignore[no-any-return]


def _even_cells(n: int) -> int:
    """Return how many cells per side: about 100 queens in each, and each a whole number of pixels."""
    pixels = round(_SIDE * _DPI)
    return next(cells for cells in range(cells_for(n, QUEENS_IN_CELL, 400), 0, -1) if pixels % cells == 0)


def _shows_diagonals(instance: Instance) -> bool:
    return len(instance.excluded_sums) + len(instance.excluded_differences) <= _MOST_LINES


def _constraint_words(board: Queens, instance: Instance) -> str:
    """Return what an instance asks for, what a board violates, and what is not drawn, in sentences."""
    violated = violations(board, instance).words
    blocked = " Blocked squares are not drawn: they are too small." if len(instance.blocked) else ""
    diagonals = " Excluded diagonals are not drawn: they would cover the cells."
    if _shows_diagonals(instance):
        diagonals = " Excluded diagonals are dashed." if len(excluded_lines(instance)) else ""
    return f"{instance.constraints}{f': {violated}' if violated else ''}.{blocked}{diagonals}"


def _draw_rows(bins: Bins, axes: Axes) -> None:
    """Draw the queens per row, averaged over each cell."""
    rows, edges = bins.rows / bins.widths, np.linspace(0, bins.n, bins.cells + 1)
    axes.stairs(rows, edges, color=style.theme().ink, baseline=None, orientation="horizontal")
    axes.set(xlim=(0, 1.2 * max(1.0, float(rows.max()))), xlabel="queens\nper row")
    axes.tick_params(labelleft=False, left=False)
    # At the top, away from the labels of the columns.
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.spines["top"].set_visible(True)
    axes.spines["bottom"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(2, integer=True, min_n_ticks=2))


def _draw_diagonals(bins: Bins, axes: Axes) -> None:
    look, edges = style.theme(), np.linspace(0, 2 * bins.n - 1, bins.cells + 1)
    for values, name, color in zip(bins.diagonals(), ("column + row", "row - column"), look.series, strict=False):
        axes.stairs(values, edges, label=name, color=color, linewidth=1.6, baseline=None)
    axes.plot([0, bins.n - 0.5, 2 * bins.n - 1], [0, 1, 0], color=look.faint, linestyle=":", label="even spread")
    axes.set(
        ylim=(0, None), xlim=(0, 2 * bins.n - 1), ylabel="queens\nper diagonal", xlabel="diagonals, corner to corner"
    )
    axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, fontsize=9)
