"""Densities of large boards, and their statistics next to the limit shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from fastqueens._run.arguments import Size, check_choice, size_in_inches
from fastqueens._run.progress import Progress, Stop
from fastqueens._run.text import counted
from fastqueens.board import as_queens
from fastqueens.checking import check_same_n, violations
from fastqueens.densities import bin_board, cell_edges, cells_for
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.figure import (
    Picture,
    StyledFigure,
    caption,
    check_title,
    finished,
    house_style,
    inches_of,
    large_number,
    new_axes,
    panels_in,
    scale_of,
    type_lines,
)
from fastqueens.pictures.roles import theme as theme_in_use

#: With fewer queens per cell, chance would hide the density: with this many, it changes the density of a cell by 5 %.
_QUEENS_IN_CELL = 400

#: The scale of colours goes from 1 - reach to 1 + reach even shares: the limit shape has 0.45 to 1.4.
_REACH = 0.6

# Lengths in inches. The board is 1200 pixels wide, so that cells are whole pixels, for example 400 per side.
_SIDE, _DPI = 6.0, 200
_LEFT, _BOTTOM, _GAP, _BAR_OF_CELLS = 1.15, 0.95, 0.3, 0.18
_WIDTH, _HEIGHT = 8.6, _BOTTOM + _SIDE + 0.8
_TITLE_LINE, _TITLE_SIZE = 0.4, 20

#: Differences in standard errors are drawn up to this one.
_MOST_ERRORS = 4

_SHARE = "relative to an even share"

#: The panels of statistics and their titles, and the sizes of one panel and of all in inches, and the least for all.
_PANELS = {
    "density": "Density",
    "limit": "Limit shape",
    "difference": "Difference",
    "diagonals": "Diagonals with a queen",
}
WHAT = ("all", *_PANELS)
_PANEL, _SHEET, _SHEET_WITHOUT_LIMIT = (6.0, 5.0), (12.1, 7.9), (8.0, 8.0)
_LEAST = 7.0, 4.5


class DrawnStatistics(Protocol):
    """The numbers that a picture of statistics shows; :class:`fastqueens.Statistics` describes them."""

    @property
    def n(self) -> int:
        """Side of each board."""

    @property
    def count(self) -> int:
        """Number of boards."""

    @property
    def k(self) -> int:
        """Cells per side."""

    @property
    def symmetrised(self) -> bool:
        """Whether arrays are averaged over the symmetries of the square."""

    @property
    def density(self) -> NDArray[np.float64]:
        """Queens in each cell relative to the average, (k, k)."""

    @property
    def density_limit(self) -> NDArray[np.float64]:
        """The same for the limit shape, (k, k)."""

    @property
    def residuals(self) -> NDArray[np.float64]:
        """Differences from the limit shape in standard errors, (k, k)."""

    @property
    def chi_square_per_cell(self) -> float:
        """Chi-square against the limit shape, divided by ``cells``."""

    @property
    def degrees_of_freedom(self) -> int:
        """Degrees of freedom of chi-square."""

    @property
    def cells(self) -> int:
        """Number of terms of chi-square."""

    @property
    def occupancy(self) -> NDArray[np.float64]:
        """Shares of diagonals with a queen by their length, (2, k): of sum and of difference diagonals."""

    @property
    def occupancy_error(self) -> NDArray[np.float64]:
        """Standard errors of these shares, (2, k)."""

    @property
    def occupancy_curve(self) -> NDArray[np.float64]:
        """The limit shape: lengths relative to the longest diagonal, and shares, (2, points)."""

    @property
    def constraints(self) -> str:
        """The constraints in words."""


def density_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    instance: Instance | None = None,
    cells: int | None = None,
    title: str | None = None,
    theme: str = "light",
    size: Size | None = None,
    ax: Axes | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw the density of a board: cells whose colour is the number of their queens, relative to the average.

    The caption counts the constraints of ``instance``. By default, cells have at least about 400 queens and whole
    pixels, and there are at most 400 cells per side.

    >>> density_picture(list(range(0, 100_000, 2)) + list(range(1, 100_000, 2))).title
    '100,000 queens in 15 x 15 cells'
    """
    inches = inches_of(size, ax, (_WIDTH, _HEIGHT))
    with house_style(theme, inches[0], ax, scale_of(inches[0], _WIDTH)):
        board = as_queens(queens)
        if instance is not None:
            check_same_n(instance, len(board))
        bins = bin_board(board, _even_cells(len(board)) if cells is None else cells, progress=progress, stop=stop)
        text = f"n = {bins.n:,}. Every queen is counted: the cells add up to {int(bins.squares.sum()):,}."
        if instance is not None and not instance.is_free:
            violated = violations(board, instance).words
            text += f" {instance.constraints}{f': {violated}' if violated else ''}; they are too small to be drawn."
        usual = f"{large_number(bins.n)} queens in {bins.cells:,} x {bins.cells:,} cells"
        if size is None and ax is None:
            font = check_title(title or usual)
            broken = type_lines(title or usual, _SIDE, _TITLE_SIZE, font)
            figure = StyledFigure(figsize=(_WIDTH, _HEIGHT + broken.count("\n") * _TITLE_LINE), dpi=_DPI)
            axes = figure.axes_at(_LEFT, _BOTTOM, _SIDE, _SIDE)
            bar: dict[str, Any] = {"cax": figure.axes_at(_LEFT + _SIDE + _GAP, _BOTTOM, _BAR_OF_CELLS, _SIDE)}
            axes.set_title(broken, fontproperties=font, fontsize=_TITLE_SIZE)
            caption(figure, text)
        else:
            axes = new_axes(ax, inches)
            bar = {"ax": axes}
        image = draw_cells(axes, bins.density(), (0, bins.n))
        axes.set(xlabel="column", ylabel="row")
        share = f"queens in a cell compared with an even share (1 = {bins.n / bins.cells**2:,.4g} queens)"
        draw_bar(image, share, **bar)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(4))
            axis.set_major_formatter(large_number)
        if "cax" in bar:
            return Picture(figure, (axes, bar["cax"]), title or usual, text)
        return finished(axes, ax, title, usual, text, size)


def draw_cells(axes: Axes, values: NDArray[Any], ends: tuple[float, float], norm: Normalize | None = None) -> AxesImage:
    """Draw the values of cells in colours centred on 1, an even share, or on the scale ``norm``."""
    (low, high), norm, colors = ends, norm or _around_even(), _colormap(theme_in_use().density)
    image = axes.imshow(values, cmap=colors, norm=norm, extent=(low, high, high, low), interpolation="nearest")
    axes.grid(visible=False)
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


def check_panels(what: str, constraints: str, size: Size | None) -> None:
    """Raise :class:`InputError` if a panel has no limit shape to compare with, or if all panels do not fit."""
    check_choice(what, "what", WHAT)
    if constraints and what in ("limit", "difference"):
        raise InputError(f"what is {what!r}: the limit shape does not apply to samples with {constraints}")
    if (
        what == "all"
        and size is not None
        and any(side < least for side, least in zip(size_in_inches(size), _LEAST, strict=True))
    ):
        least = "{:g}x{:g}".format(*_LEAST)
        one = "choose one with what='density' (--what density)"
        raise InputError(f"size must be at least {least} inches for all panels; {one}")


def statistics_picture(
    statistics: DrawnStatistics,
    *,
    what: str = "all",
    title: str | None = None,
    theme: str = "light",
    size: Size | None = None,
    ax: Axes | None = None,
) -> Picture:
    """Draw statistics of boards: density and limit shape, their difference, and diagonals.

    Density and limit shape have one scale of colours, with the average in the middle. Of samples with constraints, to
    which the limit shape does not apply, only density and diagonals are drawn.

    Parameters
    ----------
    statistics : Statistics
        Result of :func:`fastqueens.statistics`.
    what : "all", "density", "limit", "difference" or "diagonals", default "all"
        One panel, or all of them.
    title : str, optional
        Title of the figure. By default, it states the numbers of boards, queens and cells.
    theme : "light", "dark", "transparent" or "dark-transparent", default "light"
        Colours, as in :func:`fastqueens.picture`.
    size : str or (width, height), optional
        Size in inches, or a text with a unit, such as "84x60mm". By default, the size depends on the panels.
    ax : matplotlib.axes.Axes, optional
        Your own axes to draw one panel into, in your type and without a caption. By default, a new figure is drawn.

    Returns
    -------
    Picture
        A notebook shows it, ``save`` writes it, and ``figure`` is its figure.

    Raises
    ------
    InputError
        If an option is invalid, or all panels would be drawn into ``ax``.

    See Also
    --------
    fastqueens.statistics : Compute the statistics.

    Examples
    --------
    >>> import fastqueens
    >>> found = fastqueens.statistics(fastqueens.solve(1000, seed=1).queens, k=8)
    >>> statistics_picture(found, what="density").title
    '1,000 queens in 8 x 8 cells'
    """
    check_panels(what, statistics.constraints, None if ax is not None else size)
    boards = [["density"]] if statistics.constraints else [["density", "limit", "difference"]]
    usual = _PANEL if what != "all" else _SHEET_WITHOUT_LIMIT if statistics.constraints else _SHEET
    inches = inches_of(size, ax, usual)
    with house_style(theme, inches[0], ax, scale_of(inches[0], usual[0])):
        panels = panels_in(ax, inches, what, [*boards, ["diagonals"] * len(boards[0])])
        for name, axes in panels.items():
            axes.set_title(_PANELS[name])
            if name == "diagonals":
                _draw_occupancy(statistics, axes)
            else:
                _draw_board(statistics, axes, name)
        return finished(axes, ax, title, _statistics_title(statistics), _facts(statistics), size)


def _draw_board(statistics: DrawnStatistics, axes: Axes, name: str) -> None:
    """Draw the density or the limit shape on one scale, or their difference."""
    if name == "difference":
        values, norm, label = statistics.residuals, Normalize(-_MOST_ERRORS, _MOST_ERRORS, clip=True), "standard errors"
    else:
        values, norm, label = (statistics.density if name == "density" else statistics.density_limit), None, _SHARE
    image = draw_cells(axes, values, (0, statistics.n), norm)
    axes.spines[:].set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(2, integer=True))
        axis.set_major_formatter(large_number)
    axes.set(xlabel="column", ylabel="row")
    draw_bar(image, label, 5, ax=axes)


def _draw_occupancy(statistics: DrawnStatistics, axes: Axes) -> None:
    """Draw the share of diagonals with a queen against their length."""
    look, k, n = theme_in_use(), statistics.k, statistics.n
    # A diagonal of length l is around the relative length l / n, and half of the longest is beyond 1.
    edges = np.minimum((cell_edges(k, n) + 0.5) / n, 1)
    lengths = (edges[:-1] + edges[1:]) / 2
    if not statistics.constraints:
        axes.plot(*statistics.occupancy_curve, color=look.ink, label="limit shape")
    kinds = ("both kinds",) if statistics.symmetrised else ("column + row", "row \u2212 column")
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
    axes.legend(loc="lower right")


def _statistics_title(statistics: DrawnStatistics) -> str:
    cells = f"{statistics.k} x {statistics.k} cells"
    queens = f"{large_number(statistics.n)} queens" if statistics.n > 1 else "1 queen"
    boards = "" if statistics.count == 1 else f"{counted(statistics.count, 'board')} of "
    return f"{boards}{queens} in {cells}"


def _facts(statistics: DrawnStatistics) -> str:
    symmetrised = ", averaged over the symmetries of the square" if statistics.symmetrised else ""
    if statistics.constraints:
        return f"n = {statistics.n:,}, {statistics.constraints}{symmetrised}. The limit shape does not apply."
    return (
        f"n = {statistics.n:,}{symmetrised}. Chi-square per cell against the limit shape: "
        f"{statistics.chi_square_per_cell:.3g}; independent queens have "
        f"{statistics.degrees_of_freedom / statistics.cells:.2g}."
    )
