"""Densities of large boards, and their statistics next to the limit shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from fastqueens._run.progress import Progress, Stop
from fastqueens._run.text import counted
from fastqueens.board import as_queens
from fastqueens.checking import check_same_n, violations
from fastqueens.densities import bin_board, cell_edges, cells_for
from fastqueens.instance import Instance
from fastqueens.pictures.figure import (
    BOLD,
    Picture,
    caption,
    heading,
    house_style,
    large_number,
    type_lines,
)
from fastqueens.pictures.themes import theme as theme_in_use
from fastqueens.sampling.limit_shape import limit_shape

#: With fewer queens per cell, chance would hide the density: with this many, it changes the density of a cell by 5 %.
_QUEENS_IN_CELL = 400

#: The scale of colours goes from 1 - reach to 1 + reach even shares: the limit shape has 0.45 to 1.4.
_REACH = 0.6

# Lengths in inches. The board is 1200 pixels wide, so that cells are whole pixels, for example 400 per side.
_SIDE, _DPI = 6.0, 200
_LEFT, _BOTTOM, _GAP, _BAR_OF_CELLS = 1.15, 0.95, 0.3, 0.18
_WIDTH, _HEIGHT = 8.6, _BOTTOM + _SIDE + 0.8
_TITLE_LINE, _TITLE_SIZE = 0.29, 14

#: Differences in standard errors are drawn up to this one.
_MOST_ERRORS = 4

_SHARE = "queens compared with an even share"

# Of statistics, in inches: the sheet, the left edges and the side of the three boards, and the bottoms of the two rows
# of panels, and the width and the height of the lower one.
_SHEET = 12.1, 7.9
_LEFTS, _BOARD = (1.1, 4.2, 8.2), 2.8
_MIDDLE, _LOWEST, _WIDE, _LOW = 4.0, 0.95, 9.9, 2.05
_BAR, _BAR_GAP = 0.14, 0.12


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
    """Draw the density of a board: cells whose colour is the number of their queens, relative to the average.

    The caption counts the constraints of ``instance``. By default, cells have at least about 400 queens and whole
    pixels, and there are at most 400 cells per side.

    >>> figure = density_picture(list(range(0, 100_000, 2)) + list(range(1, 100_000, 2)))
    >>> figure.axes[0].get_title(loc="left")
    '100,000 queens in 15 x 15 cells'
    """
    with house_style(theme):
        board = as_queens(queens)
        if instance is not None:
            check_same_n(instance, len(board))
        bins = bin_board(board, _even_cells(len(board)) if cells is None else cells, progress=progress, stop=stop)
        text = f"n = {bins.n:,}. Every queen is counted: the cells add up to {int(bins.squares.sum()):,}."
        if instance is not None and not instance.is_free:
            violated = violations(board, instance).words
            text += f" {instance.constraints}{f': {violated}' if violated else ''}; they are too small to be drawn."
        size = f"{large_number(bins.n)} queens in {bins.cells:,} x {bins.cells:,} cells"
        title = type_lines(title or size, _SIDE, _TITLE_SIZE, BOLD)
        figure = Picture(figsize=(_WIDTH, _HEIGHT + title.count("\n") * _TITLE_LINE), dpi=_DPI)
        axes = figure.axes_at(_LEFT, _BOTTOM, _SIDE, _SIDE)
        image = draw_cells(axes, bins.density(), (0, bins.n), title)
        axes.set(xlabel="column", ylabel="row")
        share = f"queens in a cell compared with an even share (1 = {bins.n / bins.cells**2:,.4g} queens)"
        draw_bar(image, share, cax=figure.axes_at(_LEFT + _SIDE + _GAP, _BOTTOM, _BAR_OF_CELLS, _SIDE))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(4))
            axis.set_major_formatter(large_number)
        caption(figure, text)
        return figure


def draw_cells(
    axes: Axes, values: NDArray[Any], ends: tuple[float, float], title: str, norm: Normalize | None = None
) -> AxesImage:
    """Draw the values of cells in colours centred on 1, an even share, or on the scale ``norm``."""
    (low, high), norm, colors = ends, norm or _around_even(), _colormap(theme_in_use().density)
    image = axes.imshow(values, cmap=colors, norm=norm, extent=(low, high, high, low), interpolation="nearest")
    axes.grid(visible=False)
    axes.set_title(title)
    return image


def draw_bar(image: AxesImage, label: str, ticks: int = 7, **place: Any) -> None:
    """Draw and label the bar of colours of cells; points at its ends say that cells lie beyond the scale."""
    bar = image.get_figure().colorbar(image, extend="both", ticks=MaxNLocator(ticks), **place)  # type: ignore[union-attr]
    bar.outline.set_visible(False)
    bar.set_label(label)


def shades(density: NDArray[np.float64], colors: Sequence[str]) -> NDArray[np.uint8]:
    """Return the colours of cells, (rows, columns, 3) bytes; density 1, an even share, has the middle colour."""
    return _colormap(colors)(_around_even()(density), bytes=True)[..., :3]  # type: ignore[no-any-return]


def _colormap(colors: Sequence[str]) -> LinearSegmentedColormap:
    return LinearSegmentedColormap.from_list("density", colors)


def _around_even() -> Normalize:
    """Return a scale for colours with an even share, 1, in the middle."""
    return Normalize(1 - _REACH, 1 + _REACH, clip=True)


def _even_cells(n: int) -> int:
    """Return the number of cells per side, with about 400 queens per cell and a whole number of pixels per cell."""
    pixels = round(_SIDE * _DPI)
    return next(cells for cells in range(cells_for(n, _QUEENS_IN_CELL, 400), 0, -1) if pixels % cells == 0)


def statistics_picture(statistics: Any, *, title: str | None = None, theme: str = "light") -> Picture:
    """Draw statistics of boards: density and limit shape, their difference, and diagonals.

    Density and limit shape have one scale of colours, with the average in the middle. Of samples with constraints, to
    which the limit shape does not apply, only density and diagonals are drawn.

    Parameters
    ----------
    statistics : Statistics
        Result of :func:`fastqueens.statistics`.
    title : str, optional
        Title of the figure. By default, it states the numbers of boards, queens and cells.
    theme : "light", "dark", "transparent" or "dark-transparent", default "light"
        Colours, as in :func:`fastqueens.picture`.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that draws itself in a notebook. ``savefig`` writes it to a file.

    See Also
    --------
    fastqueens.statistics : Compute the statistics.

    Examples
    --------
    >>> import fastqueens
    >>> figure = statistics_picture(fastqueens.statistics(fastqueens.solve(1000, seed=1).queens, k=8))
    >>> [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    ['Density', 'Limit shape', 'Difference', 'Diagonals with a queen']
    """
    with house_style(theme):
        figure = Picture(figsize=_SHEET)
        heading(figure, title or _statistics_title(statistics))
        _draw_boards(statistics, figure)
        _draw_occupancy(statistics, figure.axes_at(_LEFTS[0], _LOWEST, _WIDE, _LOW))
        caption(figure, _facts(statistics))
        return figure


def _draw_boards(statistics: Any, figure: Picture) -> None:
    """Draw the density and the limit shape on one scale, and their difference."""
    errors = Normalize(-_MOST_ERRORS, _MOST_ERRORS, clip=True)
    panels = (
        (_LEFTS[0], statistics.density, "Density", None, ""),
        (_LEFTS[1], statistics.density_limit, "Limit shape", None, _SHARE),
        (_LEFTS[2], statistics.residuals, "Difference", errors, "standard errors"),
    )
    alone = ((_LEFTS[0], statistics.density, "Density", None, _SHARE),)
    for left, values, name, norm, label in alone if statistics.constraints else panels:
        axes = figure.axes_at(left, _MIDDLE, _BOARD, _BOARD)
        image = draw_cells(axes, values, (0, statistics.n), name, norm)
        axes.spines[:].set_visible(False)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(2, integer=True))
            axis.set_major_formatter(large_number)
        # Keep the last label away from the next panel.
        axes.get_xticklabels()[-1].set_horizontalalignment("right")
        if label:
            draw_bar(image, label, 5, cax=figure.axes_at(left + _BOARD + _BAR_GAP, _MIDDLE, _BAR, _BOARD))
        if name == "Density":
            axes.set(xlabel="column", ylabel="row")
        else:
            axes.tick_params(labelleft=False, labelbottom=False)


def _draw_occupancy(statistics: Any, axes: Axes) -> None:
    """Draw the share of diagonals with a queen against their length."""
    look, k, n = theme_in_use(), statistics.k, statistics.n
    # A diagonal of length l is around the relative length l / n, and half of the longest is beyond 1.
    edges = np.minimum((cell_edges(k, n) + 0.5) / n, 1)
    lengths = (edges[:-1] + edges[1:]) / 2
    along = np.linspace(0, 1, 400)
    if not statistics.constraints:
        axes.plot(along, 1 - limit_shape().free(along), color=look.ink, label="limit shape")
    kinds = ("both kinds",) if statistics.symmetrised else ("column + row", "row - column")
    size = 5 if k <= 50 else 2
    # Rings around discs, so that both can be seen where they agree.
    discs: dict[str, Any] = {"markersize": size, "markeredgewidth": 0}
    rings: dict[str, Any] = {"markersize": size + 4, "fillstyle": "none"}
    for kind, (name, marker) in enumerate(zip(kinds, (discs, rings), strict=False)):
        axes.errorbar(
            lengths, statistics.occupancy[kind], statistics.occupancy_error[kind], color=look.series[kind], label=name,
            marker="o", linestyle="none", elinewidth=1, **marker,
        )  # fmt: skip
    axes.set(xlim=(0, 1), ylim=(0, None), xlabel="length of the diagonal compared with the longest", ylabel="share")
    axes.set_title("Diagonals with a queen")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2, ncols=3, fontsize=9, columnspacing=1)


def _statistics_title(statistics: Any) -> str:
    cells = f"{statistics.k} x {statistics.k} cells"
    queens = f"{large_number(statistics.n)} queens" if statistics.n > 1 else "1 queen"
    boards = "" if statistics.count == 1 else f"{counted(statistics.count, 'board')} of "
    return f"{boards}{queens} in {cells}"


def _facts(statistics: Any) -> str:
    symmetrised = ", averaged over the symmetries of the square" if statistics.symmetrised else ""
    if statistics.constraints:
        return f"n = {statistics.n:,}, {statistics.constraints}{symmetrised}. The limit shape does not apply."
    return (
        f"n = {statistics.n:,}{symmetrised}. Chi-square per cell against the limit shape: "
        f"{statistics.chi_square_per_cell:.3g}; independent queens have "
        f"{statistics.degrees_of_freedom / statistics.cells:.2g}."
    )
