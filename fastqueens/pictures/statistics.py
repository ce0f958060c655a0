"""Statistics of boards as a picture, and densities of boards next to each other on one scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.ticker import MaxNLocator

from fastqueens.check.density import bin_board, cell_edges
from fastqueens.core.board import Board
from fastqueens.core.errors import InputError, counted
from fastqueens.core.progress import Progress, Stop
from fastqueens.pictures import style
from fastqueens.pictures.density import draw_bar, draw_cells
from fastqueens.pictures.figure import Picture, caption, heading, new_figure
from fastqueens.sampling.limit_shape import limit_density, limit_shape

if TYPE_CHECKING:
    from fastqueens.sampling.statistics import Statistics

#: Differences in standard errors are drawn up to this one.
_MOST_ERRORS = 4

#: The least number of boards whose pairs are drawn: independent queens then have a standard error of about 0.25.
_LEAST_BOARDS = 16

_SHARE = "queens compared with an even share"

# Lengths in inches: the left edges of the three boards, and the bottoms and heights of the two rows of panels.
_WIDTH, _HEIGHT = 12.1, 7.9
_LEFTS, _SIDE = (1.1, 4.2, 8.2), 2.8
_MIDDLE, _FOOT, _LOW = 4.0, 0.95, 2.05
_BAR, _GAP = 0.14, 0.12
_TITLE_SIZE = 15


def statistics_picture(statistics: Statistics, *, title: str | None = None, theme: str = "light") -> Picture:
    """Draw statistics of boards: density and limit shape, their difference, diagonals, and pairs if there are enough.

    Parameters
    ----------
    statistics : Statistics
        From :func:`fastqueens.statistics`.
    title : str, optional
        By default the numbers of boards, queens and cells.
    theme
        See :func:`fastqueens.pictures.boards.board_picture`.

    Returns
    -------
    Picture
        Density and limit shape have one scale with the even share in the middle. Pairs are left out with fewer than 16
        boards, when their standard errors are above 0.25.

    Examples
    --------
    >>> import fastqueens
    >>> figure = statistics_picture(fastqueens.statistics(fastqueens.solve(1000, seed=1).queens, k=8))
    >>> [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    ['Density', 'Limit shape', 'Difference', 'Diagonals with a queen']
    """
    with style.house_style(theme):
        has_pairs = _has_pairs(statistics)
        figure = Picture(figsize=(_WIDTH, _HEIGHT))
        heading(figure, title or _title(statistics), _TITLE_SIZE)
        _draw_boards(statistics, figure)
        _draw_occupancy(statistics, figure.axes_at(_LEFTS[0], _FOOT, 5.9 if has_pairs else 9.9, _LOW))
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
    """Draw the densities of boards, and then the limit shape, next to each other on one scale.

    Parameters
    ----------
    boards : mapping from str to (n,) integers
        The boards by their titles, for example before and after mixing; arrays mapped from files stay on disk.
    k : int
        Cells a side, at most the smallest n and 4096.
    title : str, optional
        A line above all of them.
    theme
        See :func:`fastqueens.pictures.boards.board_picture`.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "density".

    Raises
    ------
    InputError
        If there are no boards or more than five, one is not a board, or ``k`` is out of range.

    Examples
    --------
    >>> figure = limit_shape_picture({"Even-odd": list(range(1, 64, 2)) + list(range(0, 64, 2))}, k=8)
    >>> [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    ['Even-odd', 'Limit shape']
    """
    with style.house_style(theme):
        if not 1 <= len(boards) <= 5:
            raise InputError(f"boards: there are {len(boards)}; from 1 to 5 fit next to each other")
        bins = {name: bin_board(board, k, progress=progress, stop=stop) for name, board in boards.items()}
        panels = {**{name: binned.density() for name, binned in bins.items()}, "Limit shape": limit_density(k)}
        figure = new_figure(3.55 * len(panels) + 0.9, 4.25 if title is None else 4.65)
        places = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (name, density) in zip(places, panels.items(), strict=True):
            image = draw_cells(axes, density, (0, 1), style.type_lines(name, 3.3, _TITLE_SIZE, style.BOLD))
            axes.set_axis_off()
        draw_bar(image, _SHARE, 5, ax=places, aspect=24, pad=0.015)
        if title is not None:
            heading(figure, title, _TITLE_SIZE)
        sizes = " and ".join(dict.fromkeys(style.large_number(binned.n) for binned in bins.values()))
        caption(figure, f"n = {sizes}, {k} x {k} cells. Every queen is counted.")
        return figure


def _has_pairs(statistics: Statistics) -> bool:
    return statistics.count >= _LEAST_BOARDS and statistics.reach > 1


def _draw_boards(statistics: Statistics, figure: Picture) -> None:
    """Draw the density and the limit shape on one scale, and their difference."""
    errors = Normalize(-_MOST_ERRORS, _MOST_ERRORS, clip=True)
    for left, values, name, norm, label in (
        (_LEFTS[0], statistics.density, "Density", None, ""),
        (_LEFTS[1], statistics.density_limit, "Limit shape", None, _SHARE),
        (_LEFTS[2], statistics.residuals, "Difference", errors, "standard errors"),
    ):
        axes = figure.axes_at(left, _MIDDLE, _SIDE, _SIDE)
        image = draw_cells(axes, values, (0, statistics.n), name, norm)
        axes.spines[:].set_visible(False)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(2, integer=True))
            axis.set_major_formatter(style.large_number)
        # Away from the next panel.
        axes.get_xticklabels()[-1].set_horizontalalignment("right")
        if label:
            axes.tick_params(labelleft=False, labelbottom=False)
            draw_bar(image, label, 5, cax=figure.axes_at(left + _SIDE + _GAP, _MIDDLE, _BAR, _SIDE))
        else:
            axes.set(xlabel="column", ylabel="row")


def _draw_occupancy(statistics: Statistics, axes: Axes) -> None:
    """Draw the share of diagonals with a queen against their length."""
    look, k, n = style.theme(), statistics.k, statistics.n
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


def _draw_pairs(statistics: Statistics, figure: Picture) -> None:
    """Draw the pair correlation; displacements along lines stay grey if no two queens attack each other."""
    end = statistics.reach + 0.5
    apart = np.abs(np.arange(-statistics.reach, statistics.reach + 1))
    on_line = (apart[:, None] == apart) | (apart[:, None] == 0) | (apart == 0)
    values = np.ma.masked_where(on_line & (statistics.pairs == 0), statistics.pairs)
    axes = figure.axes_at(_LEFTS[2], _FOOT, _LOW, _LOW)
    image = draw_cells(axes, values, (-end, end), "Pairs of queens", style.around_even(1))
    place = figure.axes_at(_LEFTS[2] + _LOW + _GAP, _FOOT, _BAR, _LOW)
    draw_bar(image, "compared with\nindependent queens", 5, "max", cax=place)
    axes.spines[:].set_visible(False)
    axes.set(xlabel="columns to the right", ylabel="rows down", facecolor=style.theme().grid)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))


def _title(statistics: Statistics) -> str:
    cells = f"{statistics.k} x {statistics.k} cells"
    queens = f"{style.large_number(statistics.n)} queens" if statistics.n > 1 else "1 queen"
    boards = "" if statistics.count == 1 else f"{counted(statistics.count, 'board')} of "
    return f"{boards}{queens} in {cells}"


def _facts(statistics: Statistics) -> str:
    symmetrised = ", averaged over the symmetries of the square" if statistics.symmetrised else ""
    needs = "" if _has_pairs(statistics) else " Pairs of queens are not drawn: too few boards."
    return (
        f"n = {statistics.n:,}{symmetrised}. Chi-square per cell against the limit shape: "
        f"{statistics.chi_square_per_cell:.3g}; independent queens have "
        f"{statistics.degrees_of_freedom / statistics.cells:.2g}.{needs}"
    )
