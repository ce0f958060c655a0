"""A small board as a figure: its squares and coordinates, queens, attacks and marks, the title and the caption."""

from __future__ import annotations

from typing import Any, TypedDict, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from fastqueens._run.arguments import check_choice
from fastqueens.board import Queens
from fastqueens.instance import Instance
from fastqueens.pictures import style
from fastqueens.pictures.figure import CAPTION_SIZE, SQUARE, Canvas, Picture, Squares, caption, draw_exclusions
from fastqueens.pictures.squares import LARGEST_WITH_CROWNS, ORIGINS, dark_squares, neighbours_on_lines

# Lengths in hundredths of an inch, so that squares are whole pixels at 100, 200 and 400 dpi: others shimmer.
_BOARD_SIDE = 640
_LEAST_SQUARE = 2
_LARGEST_SIDE = _LEAST_SQUARE * LARGEST_WITH_CROWNS
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 20, 50, 58
# A line of the caption and one of the title, and the size of its type in points.
_LINE, _TITLE_LINE, _TITLE_SIZE = 18, 29, 14
_POINTS = 0.72

# Squares narrower than this are drawn at twice the resolution.
_SMALL_SQUARE = 6
_DPI = 200

# From the first n to the second the squares fade: a fine pattern flickers and hides the queens.
_FADING = 30, 120
_MOST_FADED = 0.75

#: The share of paper in the colour of blocked squares on large boards: paler, to tell them apart from queens.
_MOST_PALE = 0.55

# On large boards queens and marks grow beyond their squares to stay visible, unless more than a tenth of them touch.
_MOST_GROWN = 0.7
_MOST_TOUCHING = 0.1

# The radius of the rings of marks, and the least width of frames, in points.
_RING, _FINEST_FRAME = 9, 1.2

# The numbers along an edge; fewer on large boards, where they have more digits.
_MOST_COORDINATES = 20
_MOST_LONG_COORDINATES = 10
_STEPS = [step * 10**power for power in range(4) for step in (1, 2, 5)]


class Frame(TypedDict, total=False):
    """What surrounds the squares: see :func:`fastqueens.picture`."""

    origin: str
    coordinates: bool
    rows_from: int
    title: str | None
    theme: str


def framed_board(n: int, heading: str, text: str, frame: Frame, fading: float = 0.0) -> Chessboard:
    """Return a board in a figure with its title, or this heading if there is none, coordinates and a caption."""
    # A whole number if squares are drawn.
    square = max(_LEAST_SQUARE, _BOARD_SIDE // n) if n <= LARGEST_WITH_CROWNS else _LARGEST_SIDE / n
    side = square * n
    # Each line of the title and of the caption but the first needs more room.
    title = style.type_lines(frame.get("title") or heading, side / 100, _TITLE_SIZE, style.BOLD)
    text = style.type_lines(text, side / 100, CAPTION_SIZE)
    bottom, top = _BOTTOM + text.count("\n") * _LINE, _TOP + title.count("\n") * _TITLE_LINE
    size = (_LEFT + side + _RIGHT) / 100, (bottom + side + top) / 100
    figure = Picture(figsize=size, dpi=_DPI if square >= _SMALL_SQUARE else 2 * _DPI)
    axes = figure.axes_at(_LEFT / 100, bottom / 100, side / 100, side / 100)
    drawn = Chessboard(axes, n, _POINTS * square, frame.get("origin", "upper"), frame.get("rows_from", 0), fading)
    if frame.get("coordinates", True):
        drawn.write_coordinates()
    axes.set_title(title, fontsize=_TITLE_SIZE)
    caption(figure, text, left=axes.get_position().x0)
    return drawn


class Chessboard(Canvas):
    """A board on axes on which a square is the unit, with (0, 0) at its lower left corner."""

    def __init__(self, axes: Axes, n: int, points: float, origin: str, rows_from: int = 0, fading: float = 0.0) -> None:
        check_choice(origin, "origin", ORIGINS)
        super().__init__(axes, points)
        self.n, self.rows_from = n, rows_from
        self.places = Squares(0, n, 1, -1) if origin == "upper" else Squares(0, 0, 1, 1)
        self._draw_squares(max(fading, _MOST_FADED * smallness(n)))

    @property
    def figure(self) -> Picture:
        """The figure of the board."""
        return cast(Picture, self.axes.figure)

    def _draw_squares(self, faded: float) -> None:
        n, axes, look = self.n, self.axes, style.theme()
        # Dots are larger than squares; none leaves the board.
        ends = (0, n) if n <= LARGEST_WITH_CROWNS else (-style.dot_size(n) / 2, n + style.dot_size(n) / 2)
        light, dark = (style.blend(color, look.paper, faded) for color in (look.light_square, look.dark_square))
        axes.set(xlim=ends, ylim=ends, xticks=[], yticks=[], facecolor=light)
        axes.grid(visible=False)
        axes.spines[:].set(visible=True, color=look.ink, linewidth=0.8, zorder=3)
        if n <= LARGEST_WITH_CROWNS:
            self.shapes(SQUARE, dark_squares(n) + 0.5, 1, [dark], antialiaseds=False)

    def write_coordinates(self) -> None:
        """Number columns and rows, on large boards only some of them."""
        most = _MOST_COORDINATES if self.n <= LARGEST_WITH_CROWNS else _MOST_LONG_COORDINATES
        step = next(step for step in _STEPS if self.n <= step * most)
        columns = np.arange(0, self.n, step)
        # Rows that are numbered from 1 show 10, 20, 30, not 1, 11, 21.
        rows = np.arange(-self.rows_from % step, self.n, step)
        self.axes.set_xticks(columns + 0.5, [f"{column:,}" for column in columns])
        self.axes.set_yticks(self.places.centres(rows, rows)[:, 1], [f"{row + self.rows_from:,}" for row in rows])
        self.axes.tick_params(length=0, labelsize=8, pad=3)

    def draw_exclusions(self, instance: Instance) -> None:
        """Fill blocked squares, and draw a dashed line along each excluded diagonal."""
        look = style.theme()
        colors = [style.blend(look.blocked, look.paper, _MOST_PALE * smallness(self.n))], look.excluded
        width = min(2.4 / self.points, max(0.5 / self.points, 0.06))
        draw_exclusions(self, self.places, instance, colors, width, antialiaseds=False)

    def draw_frames(self, columns: NDArray[Any], rows: NDArray[Any], growth: float) -> None:
        """Frame squares around their crowns."""
        width = max(0.05 * (1 + growth), _FINEST_FRAME / self.points)
        self.frames(self.places.centres(columns, rows), 0.9 * (1 + growth) + width, style.theme().best, width)

    def draw_rings(self, columns: NDArray[Any], rows: NDArray[Any]) -> None:
        """Draw a ring around each of these squares, and its column and row next to it."""
        color, places = style.theme().best, self.places.centres(columns, rows)
        halo: dict[str, Any] = {"path_effects": [withStroke(linewidth=5, foreground=style.theme().paper)]}
        ring = {"markersize": 2 * _RING, "markeredgewidth": 2, "markeredgecolor": color, "markerfacecolor": "none"}
        self.axes.plot(*places.T, "o", clip_on=False, **ring, **halo)
        for place, column, row in zip(places, columns.tolist(), rows.tolist(), strict=True):
            side, align = (-1, "right") if place[0] > self.n / 2 else (1, "left")
            self.axes.annotate(
                f"column {column:,}, row {row + self.rows_from:,}", place, (1.4 * side * _RING, 0), ha=align,
                textcoords="offset points", va="center_baseline", color=color, fontsize=10, fontweight="bold", **halo,
            )  # fmt: skip

    def draw_attacks(self, queens: Queens) -> None:
        """Draw a line from each queen to the next one that it attacks."""
        pairs = neighbours_on_lines(queens)
        segments = self.places.at(np.stack((pairs, queens[pairs]), axis=2) + 0.5)
        width = min(4.0 / self.points, max(0.8 / self.points, 0.07))
        # A light line under the dark one: visible on squares of both colours, and in grey.
        self.lines(segments, style.theme().paper, 2.2 * width, cap="round")
        self.lines(segments, style.theme().attack, width, cap="round")

    def draw_queens(
        self, columns: NDArray[Any], rows: NDArray[Any], growth: float = 0.0, marked: Any = (), violating: Any = ()
    ) -> None:
        """Draw a queen on each of the squares, those in marked columns and violating queens coloured."""
        look, is_violating = style.theme(), np.isin(columns, violating)
        colors = np.select([is_violating, np.isin(columns, marked)], [look.attack, look.best], look.ink).tolist()
        # On a blocked square, which is dark, a queen needs a light edge.
        widths = np.where(is_violating, max(0.5, 0.05 * self.points), 0)
        # Grown crowns reach over the edge.
        edges = {"edgecolors": look.paper, "linewidths": widths, "clip_on": False}
        shape = style.QUEEN if self.n <= LARGEST_WITH_CROWNS else style.DOT
        self.shapes(shape, self.places.centres(columns, rows), 1 + growth, colors, **edges)


def smallness(n: int) -> float:
    """Return 0 if squares are large, 1 if they are too small to be seen one by one, or a share between."""
    return float(np.interp(n, _FADING, (0, 1)))


def growth_of(board: Queens) -> float:
    """Return by how much queens are larger than their squares: 0 if grown crowns would run into each other."""
    if len(board) > LARGEST_WITH_CROWNS:
        return style.dot_size(len(board)) - 1
    touching = np.abs(np.diff(board.astype(np.int64))) <= 1
    return 0.0 if touching.sum() > _MOST_TOUCHING * len(board) else _MOST_GROWN * smallness(len(board))
