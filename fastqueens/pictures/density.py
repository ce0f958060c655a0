"""Large boards as densities: how many queens stand in each cell, in rows and columns, and on the diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from fastqueens.binning import Bins, bin_board
from fastqueens.pictures.style import DENSITY, FAINT, INK, SERIES, caption, house_style, new_figure
from fastqueens.watch import Progress, Stop

#: Of the cells, how many may lie outside of the colour scale on either side.
_BEYOND = 0.002


def density_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    cells: int | None = None,
    title: str | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Figure:
    """Draw how the queens of a board are spread.

    In the middle the squares as cells, each coloured by its queens against the even share; above and to the right what
    columns and rows hold, below how many of the diagonals are taken.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; up to 10^9 and more, a mapped file stays on disk.
    cells : int, optional
        Cells a side, see :func:`fastqueens.binning.bin_board`, which also says what errors there can be.
    title : str, optional
        In place of the number of queens.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "density".

    Examples
    --------
    >>> figure = density_picture(list(range(0, 100, 2)) + list(range(1, 100, 2)))
    >>> figure.axes[0].child_axes[0].get_title(loc="left")
    '100 queens in 8 x 8 cells'
    """
    bins = bin_board(queens, cells, progress=progress, stop=stop)
    with house_style():
        return _draw(bins, title)


def shades(density: NDArray[np.float64], colormap: Colormap) -> NDArray[np.uint8]:
    """Colour cells by their density, the even share in the middle of the map: (rows, columns, 3) bytes."""
    return colormap(_scale(density)(density), bytes=True)[..., :3]  # type: ignore[no-any-return]


def _scale(density: NDArray[np.float64]) -> Normalize:
    """A scale around the even share, 1, from which only rare cells stick out; no density is below 0."""
    low, high = np.quantile(density, (_BEYOND, 1 - _BEYOND))
    reach = min(1.0, max(1 - float(low), float(high) - 1, 1e-6))
    return Normalize(1 - reach, 1 + reach, clip=True)


def _draw(bins: Bins, title: str | None) -> Figure:
    figure = new_figure(8.6, 9.8)
    board, below = figure.subplots(2, 1, height_ratios=(8, 1.5))
    # Inside the room of the board, so that they are as wide and as high as the board turns out.
    above = board.inset_axes((0, 1.03, 1, 0.1), sharex=board)
    beside = board.inset_axes((1.03, 0, 0.1, 1), sharey=board)
    density = bins.density()
    scale = _scale(density)
    place = {"extent": (0, bins.n, bins.n, 0), "interpolation": "nearest"}
    image = board.imshow(density, cmap=mpl.colormaps[DENSITY], norm=scale, **place)
    board.grid(visible=False)
    board.set(xlabel="column", ylabel="row")
    bar = figure.colorbar(
        image, cax=board.inset_axes((1.17, 0, 0.03, 1)), extend="max" if scale(0.0) == 0 == scale.vmin else "both"
    )
    bar.outline.set_visible(False)
    bar.set_label(f"queens in a cell against the even share (1 = {bins.n / bins.cells**2:,.4g} queens)")
    edges = np.linspace(0, bins.n, bins.cells + 1)
    _marginals(bins, edges, above, beside)
    _diagonals(bins, below)
    for axes in (board, below):
        axes.xaxis.set_major_locator(MaxNLocator(4))
        axes.xaxis.set_major_formatter("{x:,.0f}")
    board.yaxis.set_major_locator(MaxNLocator(4))
    board.yaxis.set_major_formatter("{x:,.0f}")
    above.set_title(title or f"{bins.n:,} queens in {bins.cells:,} x {bins.cells:,} cells")
    caption(figure, f"n = {bins.n:,}. Every queen is counted: the cells add up to {int(bins.squares.sum()):,}.")
    return figure


def _marginals(bins: Bins, edges: NDArray[np.float64], above: Axes, beside: Axes) -> None:
    columns, rows = bins.columns / bins.widths, bins.rows / bins.widths
    highest = 1.2 * max(1.0, float(columns.max()), float(rows.max()))
    above.stairs(columns, edges, color=INK, baseline=None)
    beside.stairs(rows, edges, color=INK, baseline=None, orientation="horizontal")
    above.set(ylim=(0, highest), ylabel="queens\na column")
    beside.set(xlim=(0, highest), xlabel="queens\na row")
    above.tick_params(labelbottom=False, bottom=False)
    beside.tick_params(labelleft=False, left=False)


def _diagonals(bins: Bins, axes: Axes) -> None:
    edges = np.linspace(0, 2 * bins.n - 1, bins.cells + 1)
    for values, name, color in zip(bins.diagonals(), ("column + row", "row - column"), SERIES, strict=False):
        axes.stairs(values, edges, label=name, color=color, linewidth=1.6, baseline=None)
    axes.plot([0, bins.n - 0.5, 2 * bins.n - 1], [0, 1, 0], color=FAINT, linestyle=":", label="even spread")
    axes.set(
        ylim=(0, None), xlim=(0, 2 * bins.n - 1), ylabel="queens\na diagonal", xlabel="diagonals, corner to corner"
    )
    axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 1), fontsize=8)
