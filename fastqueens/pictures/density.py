"""Densities of large boards, their statistics, and several densities next to the limit shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from fastqueens._run.progress import Progress, Stop
from fastqueens._run.text import counted
from fastqueens.board import Board, as_queens
from fastqueens.checking import check_same_n, violations
from fastqueens.densities import Bins, bin_board, cell_edges, cells_for
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.figure import (
    BOLD,
    Picture,
    caption,
    heading,
    house_style,
    large_number,
    new_figure,
    type_lines,
)
from fastqueens.pictures.themes import theme as theme_in_use
from fastqueens.sampling.limit_shape import limit_density, limit_shape

#: With fewer queens per cell, chance would hide how they are spread.
QUEENS_IN_CELL = 100

#: The scale of colours goes from 1 - reach to 1 + reach even shares: the limit shape has 0.45 to 1.4.
_REACH = 0.6

# Lengths in inches. The board is 1200 pixels wide, so that cells are whole pixels, for example 400 per side.
_SIDE, _DPI = 6.0, 200
_LEFT, _BOTTOM, _FOOT, _BELOW = 1.15, 2.75, 0.95, 0.85
_GAP, _BAR_OF_CELLS = 0.3, 0.18
_WIDTH, _HEIGHT = 8.6, _BOTTOM + _SIDE + 0.8
_TITLE_LINE, _TITLE_SIZE = 0.29, 14

#: Differences in standard errors are drawn up to this one.
_MOST_ERRORS = 4

#: The least number of boards whose pairs are drawn: independent queens then have a standard error of about 0.25.
_LEAST_BOARDS = 16

_SHARE = "queens compared with an even share"

# Of statistics, in inches: the sheet, the left edges and the side of the three boards, and the bottoms and height of
# the two rows of panels.
_SHEET = 12.1, 7.9
_LEFTS, _BOARD = (1.1, 4.2, 8.2), 2.8
_MIDDLE, _LOWEST, _LOW = 4.0, 0.95, 2.05
_BAR, _BAR_GAP = 0.14, 0.12
_LARGE_TITLE = 15


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
    """Draw how the queens of a board are spread: cells coloured by their queens compared with an even spread.

    The graph below shows the diagonals; the caption counts what ``instance`` asks for. By default, cells have about 100
    queens, and are whole pixels; there are at most 400 per side.

    >>> figure = density_picture(list(range(0, 100, 2)) + list(range(1, 100, 2)))
    >>> figure.axes[0].get_title(loc="left")
    '100 queens in 8 x 8 cells'
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
        below = figure.axes_at(_LEFT, _FOOT, _SIDE, _BELOW)
        image = draw_cells(axes, bins.density(), (0, bins.n), title)
        axes.set(xlabel="column", ylabel="row")
        share = f"queens in a cell compared with an even share (1 = {bins.n / bins.cells**2:,.4g} queens)"
        draw_bar(image, share, cax=figure.axes_at(_LEFT + _SIDE + _GAP, _BOTTOM, _BAR_OF_CELLS, _SIDE))
        _draw_diagonals(bins, below)
        for axis in (axes.xaxis, axes.yaxis, below.xaxis):
            axis.set_major_locator(MaxNLocator(4))
            axis.set_major_formatter(large_number)
        caption(figure, text)
        return figure


def draw_cells(
    axes: Axes, values: NDArray[Any], ends: tuple[float, float], title: str, norm: Normalize | None = None
) -> AxesImage:
    """Draw the values of cells in colours around an even share of 1, or on the scale ``norm``."""
    (low, high), norm, colors = ends, norm or _around_even(_REACH), _colormap(theme_in_use().density)
    image = axes.imshow(values, cmap=colors, norm=norm, extent=(low, high, high, low), interpolation="nearest")
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


def shades(density: NDArray[np.float64], colors: Sequence[str]) -> NDArray[np.uint8]:
    """Return the colours of cells, (rows, columns, 3) bytes; density 1, an even share, has the middle colour."""
    return _colormap(colors)(_around_even(_REACH)(density), bytes=True)[..., :3]  # type: ignore[no-any-return]


def _colormap(colors: Sequence[str]) -> LinearSegmentedColormap:
    return LinearSegmentedColormap.from_list("density", colors)


def _around_even(reach: float) -> Normalize:
    """Return a scale for colours from 1 - reach to 1 + reach, with an even share, 1, in the middle."""
    return Normalize(1 - reach, 1 + reach, clip=True)


def _even_cells(n: int) -> int:
    """Return how many cells per side: about 100 queens in each, and each a whole number of pixels."""
    pixels = round(_SIDE * _DPI)
    return next(cells for cells in range(cells_for(n, QUEENS_IN_CELL, 400), 0, -1) if pixels % cells == 0)


def _draw_diagonals(bins: Bins, axes: Axes) -> None:
    look, edges = theme_in_use(), np.linspace(0, 2 * bins.n - 1, bins.cells + 1)
    for values, name, color in zip(bins.diagonals(), ("column + row", "row - column"), look.series, strict=False):
        axes.stairs(values, edges, label=name, color=color, linewidth=1.6, baseline=None)
    axes.plot([0, bins.n - 0.5, 2 * bins.n - 1], [0, 1, 0], color=look.faint, linestyle=":", label="even spread")
    axes.set(
        ylim=(0, None), xlim=(0, 2 * bins.n - 1), ylabel="queens\nper diagonal", xlabel="diagonals, corner to corner"
    )
    axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, fontsize=9)


def statistics_picture(statistics: Any, *, title: str | None = None, theme: str = "light") -> Picture:
    """Draw statistics of boards: density and limit shape, their difference, diagonals, and pairs if there are enough.

    Density and limit shape have one scale with the even share in the middle. Pairs are left out with fewer than 16
    boards, when their standard errors are above 0.25. By default, ``title`` names the numbers of boards, queens and
    cells; ``theme`` is as in :func:`fastqueens.picture`.

    >>> import fastqueens
    >>> figure = statistics_picture(fastqueens.statistics(fastqueens.solve(1000, seed=1).queens, k=8))
    >>> [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    ['Density', 'Limit shape', 'Difference', 'Diagonals with a queen']
    """
    with house_style(theme):
        has_pairs = _has_pairs(statistics)
        figure = Picture(figsize=_SHEET)
        heading(figure, title or _statistics_title(statistics))
        _draw_boards(statistics, figure)
        _draw_occupancy(statistics, figure.axes_at(_LEFTS[0], _LOWEST, 5.9 if has_pairs else 9.9, _LOW))
        if has_pairs:
            _draw_pairs(statistics, figure)
        caption(figure, _facts(statistics))
        return figure


def limit_shape_picture(
    boards: Mapping[str, Board],
    k: int = 50,
    *,
    title: str | None = None,
    theme: str = "light",
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw the densities of one to five boards by their titles, and then the limit shape, next to each other.

    >>> figure = limit_shape_picture({"Even-odd": list(range(1, 64, 2)) + list(range(0, 64, 2))}, k=8)
    >>> [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    ['Even-odd', 'Limit shape']
    """
    with house_style(theme):
        if not 1 <= len(boards) <= 5:
            raise InputError(f"boards: there are {len(boards)}; from 1 to 5 fit next to each other")
        bins = {name: bin_board(board, k, progress=progress, stop=stop) for name, board in boards.items()}
        panels = {**{name: binned.density() for name, binned in bins.items()}, "Limit shape": limit_density(k)}
        figure = new_figure(3.55 * len(panels) + 0.9, 4.25 if title is None else 4.65)
        places = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (name, density) in zip(places, panels.items(), strict=True):
            image = draw_cells(axes, density, (0, 1), type_lines(name, 3.3, _LARGE_TITLE, BOLD))
            axes.set_axis_off()
        draw_bar(image, _SHARE, 5, ax=places, aspect=24, pad=0.015)
        if title is not None:
            heading(figure, title)
        sizes = " and ".join(dict.fromkeys(large_number(binned.n) for binned in bins.values()))
        caption(figure, f"n = {sizes}, {k} x {k} cells. Every queen is counted.")
        return figure


def _has_pairs(statistics: Any) -> bool:
    return bool(statistics.count >= _LEAST_BOARDS and statistics.reach > 1)


def _draw_boards(statistics: Any, figure: Picture) -> None:
    """Draw the density and the limit shape on one scale, and their difference."""
    errors = Normalize(-_MOST_ERRORS, _MOST_ERRORS, clip=True)
    for left, values, name, norm, label in (
        (_LEFTS[0], statistics.density, "Density", None, ""),
        (_LEFTS[1], statistics.density_limit, "Limit shape", None, _SHARE),
        (_LEFTS[2], statistics.residuals, "Difference", errors, "standard errors"),
    ):
        axes = figure.axes_at(left, _MIDDLE, _BOARD, _BOARD)
        image = draw_cells(axes, values, (0, statistics.n), name, norm)
        axes.spines[:].set_visible(False)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(2, integer=True))
            axis.set_major_formatter(large_number)
        # Away from the next panel.
        axes.get_xticklabels()[-1].set_horizontalalignment("right")
        if label:
            axes.tick_params(labelleft=False, labelbottom=False)
            draw_bar(image, label, 5, cax=figure.axes_at(left + _BOARD + _BAR_GAP, _MIDDLE, _BAR, _BOARD))
        else:
            axes.set(xlabel="column", ylabel="row")


def _draw_occupancy(statistics: Any, axes: Axes) -> None:
    """Draw the share of diagonals with a queen against their length."""
    look, k, n = theme_in_use(), statistics.k, statistics.n
    # A diagonal of length l is around the relative length l / n, and half of the longest is beyond 1.
    edges = np.minimum((cell_edges(k, n) + 0.5) / n, 1)
    lengths = (edges[:-1] + edges[1:]) / 2
    along = np.linspace(0, 1, 400)
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


def _draw_pairs(statistics: Any, figure: Picture) -> None:
    """Draw the pair correlation; displacements along lines stay grey if no two queens attack each other."""
    end = statistics.reach + 0.5
    apart = np.abs(np.arange(-statistics.reach, statistics.reach + 1))
    on_line = (apart[:, None] == apart) | (apart[:, None] == 0) | (apart == 0)
    values = np.ma.masked_where(on_line & (statistics.pairs == 0), statistics.pairs)
    axes = figure.axes_at(_LEFTS[2], _LOWEST, _LOW, _LOW)
    image = draw_cells(axes, values, (-end, end), "Pairs of queens", _around_even(1))
    place = figure.axes_at(_LEFTS[2] + _LOW + _BAR_GAP, _LOWEST, _BAR, _LOW)
    draw_bar(image, "compared with\nindependent queens", 5, "max", cax=place)
    axes.spines[:].set_visible(False)
    axes.set(xlabel="columns to the right", ylabel="rows down", facecolor=theme_in_use().grid)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))


def _statistics_title(statistics: Any) -> str:
    cells = f"{statistics.k} x {statistics.k} cells"
    queens = f"{large_number(statistics.n)} queens" if statistics.n > 1 else "1 queen"
    boards = "" if statistics.count == 1 else f"{counted(statistics.count, 'board')} of "
    return f"{boards}{queens} in {cells}"


def _facts(statistics: Any) -> str:
    symmetrised = ", averaged over the symmetries of the square" if statistics.symmetrised else ""
    needs = "" if _has_pairs(statistics) else " Pairs of queens are not drawn: too few boards."
    return (
        f"n = {statistics.n:,}{symmetrised}. Chi-square per cell against the limit shape: "
        f"{statistics.chi_square_per_cell:.3g}; independent queens have "
        f"{statistics.degrees_of_freedom / statistics.cells:.2g}.{needs}"
    )
